/** What a file would become, without sending or recording anything: each document with the cells of every value. */
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Instance } from '../instance.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { Decimal } from '../model/decimal.ts';
import { type Json, Numbering } from '../model/draft.ts';
import type { Fault, Trace } from '../model/fault.ts';
import { SetupError } from '../model/fault.ts';
import type { Origin } from '../model/origin.ts';
import { Unreadable } from '../reading/reader.ts';
import { type Previewed, previewDrafts } from './convert.ts';
import { choose, inputFor } from './take-in.ts';

export type Field = { readonly at: string; readonly value: string; readonly from: readonly Origin[] };

export type Preview = {
  readonly identifier: string;
  readonly class: string;
  readonly kind: string;
  readonly mapping: string;
  readonly rows: readonly number[];
  readonly fields: readonly Field[];
  /** Warnings of a document, or all that is wrong with it. */
  readonly faults: readonly Fault[];
  readonly valid: boolean;
  /** The exact JSON that would go out, where the document is valid and needs no number of a sequence. */
  readonly content?: string;
};

/** Only documents whose number is `wanted`, where one is given; stops reading once it is found. */
export async function* preview(instance: Instance, path: string, now: Date, wanted?: string): AsyncIterable<Preview> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new SetupError('preview/no-such-file', `there is no file ${path}`);
  const file = { name: basename(path), path: resolve(path), claimedAt: now.toISOString() };
  const chosen = await choose({ instance }, file);
  if ('faults' in chosen) throw refusal(chosen.faults);
  const { mapping } = chosen;
  const input = inputFor({ instance }, file, mapping);
  try {
    for await (const one of previewDrafts(input)) {
      const shown = previewOf(one, mapping);
      if (wanted !== undefined && shown.identifier !== wanted) continue;
      yield shown;
      if (wanted !== undefined) return;
    }
  } catch (error) {
    if (error instanceof Unreadable) throw refusal(error.faults);
    throw error;
  } finally {
    input.bytes.destroy();
  }
}

function refusal(faults: readonly Fault[]): SetupError {
  return new SetupError('preview/file-refused', 'no document can be made of this file', { faults });
}

function previewOf({ draft, outcome }: Previewed, mapping: Mapping): Preview {
  const document = 'document' in outcome ? outcome.document : undefined;
  const told = 'document' in outcome ? outcome.document : outcome;
  const faults = 'document' in outcome ? outcome.document.warnings : outcome.faults;
  const fields: Field[] = [];
  if (draft) {
    const trace = draft.trace();
    if (draft.payload) collect(draft.payload, '', trace, fields);
    if (draft.file) collect(draft.file, '/file', trace, fields);
  }
  return {
    identifier: told.facts.identifier || `row ${told.rows[0] ?? 0}`,
    class: told.class,
    kind: told.kind,
    mapping: `${mapping.id} ${mapping.version}`,
    rows: told.rows,
    fields,
    faults,
    valid: document !== undefined,
    ...(document && !document.numbering ? { content: document.content } : {}),
  };
}

function collect(value: Json, at: string, trace: Trace, fields: Field[]): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, `${at}/${index}`, trace, fields);
  else if (value instanceof Numbering) fields.push({ at, value: `(next number of ${value.sequence})`, from: [] });
  else if (value instanceof Decimal || typeof value !== 'object' || value === null) {
    fields.push({
      at,
      value: value instanceof Decimal ? value.toText() : JSON.stringify(value),
      from: trace.get(at) ?? [],
    });
  } else for (const [key, inner] of Object.entries(value)) collect(inner, `${at}/${key}`, trace, fields);
}
