/**
 * What is said about fields that do not fit the contracts, to the letter, for each kind of document.
 *
 * The table is messages.yaml beside this file. `NIGHTPOST_UPDATE=1` writes what is said today: read it aloud.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Document, isMap, isSeq, parseDocument, Scalar } from 'yaml';
import { checkDocument } from '../../src/documents/check-document.ts';
import { frInvoice } from '../../src/documents/fr/fr-invoice.ts';
import { frReport } from '../../src/documents/fr/fr-report.ts';
import { svRemissionNote } from '../../src/documents/sv/sv-remission-note.ts';
import { type Draft, type JsonObject, Numbering } from '../../src/model/draft.ts';
import { showFault } from '../../src/model/fault.ts';
import { exactJson, type Wire, wireDraft, wireText } from '../make.ts';

type Mistake = {
  readonly mistake: string;
  /** The contract's own example, where the mistake is made. */
  readonly of: Wire;
  /** JSON pointer -> value; null takes the field out, "(nothing)" puts a null there. */
  readonly set?: { readonly [pointer: string]: unknown };
  readonly class?: string;
  readonly file?: { readonly [key: string]: string };
  readonly 'never-twice'?: readonly string[];
  /** Places that take the next number of the sequence of this name. */
  readonly sequences?: { readonly [pointer: string]: string };
  /** Only the file, or nothing at all. */
  readonly payload?: false;
  readonly says: string;
};

const path = join(import.meta.dirname, 'messages.yaml');
const document: Document = parseDocument(readFileSync(path, 'utf8'));
const rows = document.toJS() as readonly Mistake[];
const kinds = [frInvoice, frReport, svRemissionNote];

type Block = { [key: string]: unknown };

function put(body: Block, pointer: string, value: unknown): void {
  const keys = pointer.slice(1).split('/');
  const at = keys.slice(0, -1).reduce((block, key) => block[key] as Block, body);
  if (value === null) delete at[keys.at(-1)!];
  else at[keys.at(-1)!] = value;
}

function draftOf({ of, set = {}, file, sequences = {}, payload, ...more }: Mistake): Draft {
  const body = JSON.parse(wireText(of)) as Block;
  for (const [pointer, value] of Object.entries(set)) put(body, pointer, value);
  const text = JSON.stringify(body).replaceAll('"(nothing)"', 'null');
  const exact = exactJson(text) as JsonObject;
  for (const [at, name] of Object.entries(sequences))
    put(exact as Block, at, new Numbering(name, [], at.endsWith('Secuencial') ? 'number' : 'text'));
  const { payload: _, ...draft } = wireDraft(of, {
    ...(more.class === undefined ? {} : { class: more.class }),
    ...(file ? { file } : {}),
    ...(more['never-twice'] ? { neverTwice: more['never-twice'] } : {}),
  });
  return payload === false ? draft : { ...draft, payload: exact };
}

function told(row: Mistake): string {
  const draft = draftOf(row);
  const outcome = checkDocument(draft, kinds.find(({ name }) => name === draft.kind)!);
  const faults = 'document' in outcome ? outcome.document.warnings : outcome.faults;
  return `${faults.map(showFault).join('\n')}\n`;
}

test.each(rows.map((row, at) => [row.mistake, row, at] as const))('%s', (_, row, at) => {
  const says = told(row);
  if (process.env.NIGHTPOST_UPDATE !== '1') return expect(says).toBe(row.says);
  const item = isSeq(document.contents) ? document.contents.items[at] : undefined;
  const block = new Scalar(says);
  block.type = Scalar.BLOCK_LITERAL;
  if (isMap(item)) item.set('says', block);
  writeFileSync(path, document.toString({ lineWidth: 0 }));
});

test.each(['invoice', 'credit-note', 'corrective', 'report', 'remission-note'] as const)(
  'without a mistake nothing is said of the %s',
  (of) => {
    expect(told({ mistake: '', of, says: '' })).toBe('\n');
  },
);
