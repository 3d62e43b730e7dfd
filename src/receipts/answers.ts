/**
 * The answers to an export as XML for the ERP that wrote it: one element per document, with number, state, code and
 * tracking-id, so that a system can take in what became of its documents without reading JSON receipts.
 *
 * Written again whenever a document of the file changes; streamed, so that a large file takes little memory.
 */
import { join } from 'node:path';
import { XMLBuilder } from 'fast-xml-parser';
import type { Entry, SourceFile } from '../model/entry.ts';
import { harmlessXml } from '../model/printable.ts';
import { safeName } from '../model/safe-name.ts';
import { syncFolder } from '../model/sync-folder.ts';
import { ensureFolder, writeDurable } from './durable.ts';

const ATTRIBUTE = '@';
const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  format: true,
  indentBy: '  ',
  suppressEmptyNode: true,
});
/** Characters that XML 1.0 cannot carry, not even escaped (section 2.2): an answer may contain them. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Writes `reports/<file>.<id>.answers.xml`, durable when it resolves. */
export async function writeAnswers(root: string, file: SourceFile, entries: AsyncIterable<Entry>): Promise<string> {
  const folder = join(root, 'reports');
  await ensureFolder(folder);
  const path = join(folder, answersName(file));
  await writeDurable(path, answersText(file, entries));
  await syncFolder(folder);
  return path;
}

export function answersName(file: Pick<SourceFile, 'id' | 'name'>): string {
  return `${safeName(file.name, 150)}.${file.id.slice(-8)}.answers.xml`;
}

async function* answersText(file: SourceFile, entries: AsyncIterable<Entry>): AsyncIterable<string> {
  const head = { answers: { '@file': xmlText(file.name), '@sha256': file.sha256, '@state': file.state, '#text': ' ' } };
  const [open] = builder.build(head).split(/ *<\/answers>/);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${harmlessXml(open!.trimEnd())}\n`;
  for await (const entry of entries) yield `${harmlessXml(builder.build({ document: elementOf(entry) }).trimEnd())}\n`;
  yield '</answers>\n';
}

function elementOf(entry: Entry): object {
  const { facts, answer, state } = entry;
  const fault = entry.faults.find(({ level }) => level === 'error');
  const says = answer?.message ?? answer?.name ?? fault?.message;
  return {
    '@number': xmlText(facts.identifier),
    '@class': entry.class,
    '@state': state,
    ...(answer ? { '@code': String(answer.code) } : {}),
    ...(answer?.trackingId === undefined ? {} : { '@tracking-id': xmlText(answer.trackingId) }),
    '@since': entry.since,
    '@receipt': `${entry.name}.receipt.json`,
    ...(says === undefined ? {} : { message: xmlText(says) }),
  };
}

function xmlText(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}
