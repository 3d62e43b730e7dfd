/**
 * The answers to an export as XML for the ERP that wrote it: one element per document with number, state, code and
 * tracking-id, so that the ERP imports the results without JSON receipts. Written again whenever a document of the file
 * changes; a large one is streamed. A refusal of the disk throws its OperatorError.
 */

import { join } from 'node:path';
import { XMLBuilder } from 'fast-xml-parser';
import { syncFolder } from '../files/fsync-directory.ts';
import { ensureFolder, writeDurable } from '../files/write-durable.ts';
import { definedOnly } from '../model/defined-only.ts';
import { type LedgerEntry, type SourceFile, sourceNumberOf } from '../model/ledger-entry.ts';
import { withoutNotXml } from '../text/escape-xml.ts';
import { harmlessXml } from '../text/printable.ts';
import { nameForExport, RECEIPT_ENDING } from './output-folders.ts';
import { writeTogether } from './write-small-files.ts';

const ATTRIBUTE = '@';
const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  format: true,
  indentBy: '  ',
  suppressEmptyNode: true,
});

/** Writes the answers of many small files, each with the text of `writeAnswers`; durable when it resolves. */
export async function writeManyAnswers(
  root: string,
  batch: readonly { readonly file: SourceFile; readonly entries: readonly LedgerEntry[] }[],
): Promise<void> {
  const folder = join(root, 'reports');
  await ensureFolder(folder);
  await writeTogether(
    batch.map(({ file, entries }) => ({
      path: join(folder, answersName(file)),
      text: [answersHead(file), ...entries.map(answerLine), END].join(''),
    })),
  );
  await syncFolder(folder);
}

/** Writes `reports/<file>.<id>.answers.xml` in bounded memory; resolves to its path when it is durable. */
export async function writeAnswers(
  root: string,
  file: SourceFile,
  entries: AsyncIterable<LedgerEntry>,
): Promise<string> {
  const folder = join(root, 'reports');
  await ensureFolder(folder);
  const path = join(folder, answersName(file));
  await writeDurable(path, answersText(file, entries));
  await syncFolder(folder);
  return path;
}

/** The file name in reports/; the id keeps exports of one name apart. */
export function answersName(file: Pick<SourceFile, 'id' | 'name'>): string {
  return nameForExport(file, '.answers.xml');
}

async function* answersText(file: SourceFile, entries: AsyncIterable<LedgerEntry>): AsyncIterable<string> {
  yield answersHead(file);
  for await (const entry of entries) yield answerLine(entry);
  yield END;
}

const END = '</answers>\n';

function answersHead(file: SourceFile): string {
  const head = {
    answers: { '@file': withoutNotXml(file.name), '@sha256': file.sha256, '@state': file.state, '#text': ' ' },
  };
  const [open = ''] = builder.build(head).split(/ *<\/answers>/);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${harmlessXml(open.trimEnd())}\n`;
}

function answerLine(entry: LedgerEntry): string {
  return `${harmlessXml(builder.build({ document: toElement(entry) }).trimEnd())}\n`;
}

/** One document; the message is that of the service, else of the first error. Absent values have no attribute. */
function toElement(entry: LedgerEntry): object {
  const { facts, answer, state } = entry;
  const fault = entry.faults.find(({ level }) => level === 'error');
  const sourceNumber = sourceNumberOf(entry.identity.keys, facts.identifier);
  const message = answer?.message ?? answer?.name ?? fault?.message;
  return definedOnly({
    '@number': withoutNotXml(facts.identifier),
    '@source-number': sourceNumber && withoutNotXml(sourceNumber),
    '@class': entry.class,
    '@state': state,
    '@code': answer?.code.toString(),
    '@tracking-id': answer?.trackingId ? withoutNotXml(answer.trackingId) : undefined,
    '@since': entry.since,
    '@receipt': entry.name + RECEIPT_ENDING,
    message: message && withoutNotXml(message),
  });
}
