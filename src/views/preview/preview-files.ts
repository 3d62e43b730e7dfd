/**
 * The documents that a file would give, with the cells of every value; nothing is sent or recorded. Throws
 * OperatorError (preview/no-such-file, preview/file-refused).
 */

import { open, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { sha256OfFile } from '../../files/sha256-of-file.ts';
import { format, type Language } from '../../i18n/message.ts';
import { PREVIEW_REFUSED, PREVIEW_VALUE } from '../../i18n/messages/pipeline-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { NOTHING_AGAIN } from '../../mapping/compose/group-rows.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { detailsOf, documentOf, faultsOfOutcome } from '../../model/document.ts';
import { type Draft, type Json, type JsonObject, Numbering } from '../../model/draft.ts';
import type { Fault, Mark, Trace } from '../../model/fault.ts';
import { localize, OperatorError } from '../../model/fault.ts';
import type { Origin } from '../../model/origin.ts';
import { inputFor } from '../../pipeline/admission/admit-file.ts';
import { type Previewed, previewDrafts, readAhead } from '../../pipeline/conversion/convert-file.ts';
import { selectMapping } from '../../pipeline/intake/select-mapping.ts';
import { detectBeginningEncoding } from '../../readers/encoding/header-encoding.ts';
import { UnreadableFileError } from '../../readers/reader.ts';

/**
 * One value of a document. `at`: JSON pointer from the payload. `from`: the cells that it is made of. `failed`: there is
 * no value, and `value` is empty; a fault of the document says why.
 */
export type Field = {
  readonly at: string;
  readonly value: string;
  readonly from: readonly Origin[];
  /** The line of the mapping that gives the value. */
  readonly rule?: { readonly file: string; readonly line: number };
  readonly failed?: true;
};

/** One document as it would be, valid or not. */
export type Preview = {
  readonly identifier: string;
  readonly class: string;
  readonly kind: string;
  readonly mapping: string;
  readonly rows: readonly number[];
  readonly fields: readonly Field[];
  /** Warnings of a valid document, or all faults of another one. */
  readonly faults: readonly Fault[];
  readonly valid: boolean;
  /** The exact JSON that would be sent, if the document is valid and needs no number of a sequence. */
  readonly content?: string;
};

/** Gets the warnings about the whole file. */
type Warn = (faults: readonly Fault[]) => void;

type DraftOptions = { readonly warn?: Warn | undefined; readonly isWhole?: boolean };

const BEGINNING = 1024 * 1024;

const UNHEARD: Warn = () => undefined;

/** All documents, or only those with the number `wanted`; then reading stops at the first. */
export async function* preview(
  instance: Instance,
  path: string,
  now: Date,
  { wanted, warn }: { readonly wanted?: string | undefined; readonly warn?: Warn } = {},
): AsyncIterable<Preview> {
  const options = definedOnly<DraftOptions>({ warn, isWhole: wanted === undefined });
  for await (const { one, mapping } of readDrafts(instance, path, now, options)) {
    if (wanted !== undefined && detailsOf(one.outcome).facts.identifier !== wanted) continue;
    yield previewOf(one, mapping, instance.settings.rules.language);
    if (wanted !== undefined) return;
  }
}

/**
 * Each group of a file, composed; reading stops when the caller does. With `isWhole` the file is read ahead, so that
 * documents are refused for later rows, as in a run.
 */
export async function* readDrafts(
  instance: Instance,
  path: string,
  now: Date,
  { warn = UNHEARD, isWhole = false }: DraftOptions = {},
): AsyncIterable<{ readonly one: Previewed; readonly mapping: Mapping }> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError('preview/no-such-file', PREVIEW_REFUSED.noFile({ path }));
  const file = { name: await nameAsDropped(path), path: resolve(path), claimedAt: now.toISOString() };
  const chosen = await selectMapping({ instance }, file);
  if ('faults' in chosen) throw refusal(chosen.faults);
  for (const mapping of [chosen.mapping, ...chosen.also]) yield* readUnder(instance, file, mapping, { warn, isWhole });
}

/** Without the hash, or its beginning, that the archive puts before the name; checked against the content. */
async function nameAsDropped(path: string): Promise<string> {
  const name = basename(path);
  const [, hash, dropped] = /^([0-9a-f]{64}|[0-9a-f]{16})-(.+)$/s.exec(name) ?? [];
  if (hash === undefined || dropped === undefined) return name;
  return (await sha256OfFile(path)).startsWith(hash) ? dropped : name;
}

async function* readUnder(
  instance: Instance,
  file: Parameters<typeof inputFor>[1],
  mapping: Mapping,
  { warn, isWhole }: { readonly warn: Warn; readonly isWhole: boolean },
): AsyncIterable<{ readonly one: Previewed; readonly mapping: Mapping }> {
  await refuseUtf8(instance, file, mapping);
  const input = () => inputFor({ instance }, file, mapping);
  const reappeared = isWhole ? await readAhead(input()) : NOTHING_AGAIN;
  try {
    for await (const one of previewDrafts({ ...input(), reappeared }, warn)) yield { one, mapping };
  } catch (error) {
    if (error instanceof UnreadableFileError) throw refusal(error.faults);
    throw error;
  }
}

/**
 * A file in UTF-8 under a code page is refused at its end, which a preview of one document never reaches. So its
 * beginning is checked before garbled documents are shown.
 */
async function refuseUtf8(
  { settings }: Instance,
  { name, path }: Parameters<typeof inputFor>[1],
  { source }: Mapping,
): Promise<void> {
  const { encoding } = source.options as { readonly encoding?: string };
  if (encoding === undefined) return;
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
  const faults = detectBeginningEncoding(buffer.subarray(0, bytesRead), encoding, name);
  if (faults.length > 0) throw refusal(localize(faults, settings.rules.language));
}

function refusal(faults: readonly Fault[]): OperatorError {
  return new OperatorError('preview/file-refused', PREVIEW_REFUSED.noDocument(), { faults });
}

/** The preview of one outcome; a number that a sequence assigns later is shown as such, in `language`. */
export function previewOf({ draft, partial, outcome }: Previewed, mapping: Mapping, language: Language): Preview {
  const document = documentOf(outcome);
  const details = detailsOf(outcome);
  const known = draft ?? partial;
  return definedOnly({
    identifier: document?.numbering ? nextOf(document.numbering, language) : details.facts.identifier,
    class: details.class,
    kind: details.kind,
    mapping: `${mapping.id} ${mapping.version}`,
    rows: details.rows,
    fields: known ? previewFields(known, language) : [],
    faults: faultsOfOutcome(outcome),
    valid: document !== undefined,
    content: document && !document.numbering ? document.content.toString() : undefined,
  });
}

/** Every value of a draft in the order of the document, with its cells and its mapping line. */
export function previewFields(draft: Draft, language: Language): readonly Field[] {
  const fields: Field[] = [];
  const provenance = { language, trace: draft.trace(), marks: draft.marks?.() ?? new Map<string, Mark>() };
  const add = (field: Field) => void fields.push(field);
  if (draft.payload) collect(draft.payload, '', { ...provenance, add });
  if (draft.file) collect(draft.file, '/file', { ...provenance, add });
  return fields;
}

type Collector = {
  readonly language: Language;
  readonly trace: Trace;
  readonly marks: ReadonlyMap<string, Mark>;
  readonly add: (field: Field) => void;
};
type Above = { readonly from: readonly Origin[]; readonly mark: Mark | undefined };

/** The fields of a ready-made block come from the cell that chose the block, and from its line. */
function collect(value: Json, at: string, collector: Collector, block?: Above): void {
  const from = collector.trace.get(at) ?? block?.from ?? [];
  const mark = collector.marks.get(at) ?? block?.mark;
  const below = { from, mark };
  if (isText(value)) collector.add(fieldOf(value, at, below, collector.language));
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, `${at}/${index}`, collector, below);
  } else for (const [key, inner] of Object.entries(value)) collect(inner, `${at}/${key}`, collector, below);
}

type Leaf = Exclude<Json, readonly Json[] | JsonObject>;

function fieldOf(value: Leaf, at: string, { from, mark }: Above, language: Language): Field {
  const rule = mark && { file: mark.file, line: mark.line };
  // A mapping never writes null: empty values are left out.
  if (value === null) return definedOnly({ at, value: '', from, rule, failed: true });
  return definedOnly({ at, value: shown(value, language), from: value instanceof Numbering ? [] : from, rule });
}

function isText(value: Json): value is Leaf {
  return value instanceof Decimal || value instanceof Numbering || typeof value !== 'object' || value === null;
}

function shown(value: Leaf, language: Language): string {
  if (value instanceof Numbering) return nextOf(value, language);
  if (value instanceof Decimal) return value.toText();
  return JSON.stringify(value);
}

function nextOf({ sequence }: Numbering, language: Language): string {
  return format(PREVIEW_VALUE.nextNumber({ sequence }), language);
}
