/**
 * A document that the studio shows becomes a test of its mapping: its rows are cut out of the sample into a file of
 * their own, and the text gets an entry under `tests`. The sample and the expected result come in, a file and a new text
 * come out. Throws OperatorError `tools/no-test` where no file of this document alone can be made, or no entry added.
 */

import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { isSeq, parseDocument, stringify } from 'yaml';
import { inOnePiece } from '../files/in-one-piece.ts';
import { ensureFolder, writeDurable } from '../files/write-durable.ts';
import { STUDIO_TEST } from '../i18n/messages/console/console-studio-messages.ts';
import { type ConversionInstance, type MappingPlace, mappingWorld } from '../instance/instance.ts';
import { loadMapping, type Mapping } from '../mapping/mapping.ts';
import { definedOnly } from '../model/defined-only.ts';
import { OperatorError } from '../model/fault.ts';
import { safeName } from '../text/safe-file-name.ts';
import type { StudioGolden } from '../views/preview/studio-tasks.ts';
import { sourceParts } from '../views/queries/source-parts.ts';

/** `rows`: of the document; `firstRow`: of the first document of the sample; `isAlone`: the sample has no other one. */
export type TestedDocument = {
  readonly sample: { readonly name: string; readonly path: string };
  readonly identifier: string;
  readonly rows: readonly number[];
  readonly firstRow: number;
  readonly isAlone: boolean;
};

/** `given`: path below the instance. `isNew`: it was not there before. */
export type TestSample = { readonly given: string; readonly isNew: boolean };

/** Bytes of a sample that is cut, and of one that is kept whole because it has only this document. */
const MOST_CUT = 32 * 1024 * 1024;
const MOST_WHOLE = 256 * 1024;

/** `text` of the mapping in `file`. Writes samples/<mapping>/<number of the document>. A file with the same bytes is used again, no other is replaced. */
export async function writeTestSample(
  instance: ConversionInstance,
  { file, text }: { readonly file: string; readonly text: string },
  about: TestedDocument,
): Promise<TestSample> {
  const { mapping } = loadMapping(text, file, mappingWorld(instance));
  if (!mapping) throw noTest(STUDIO_TEST.noDocument());
  const { sample, identifier } = about;
  const size = statSync(sample.path).size;
  if (size > MOST_CUT) throw noTest(STUDIO_TEST.tooLarge());
  const isWhole = about.isAlone && size <= MOST_WHOLE;
  const content = isWhole ? await readFile(sample.path) : await cutOut(instance, mapping, about);
  if (!content) throw noTest(STUDIO_TEST.notAlone());
  const ending = extname(sample.name).toLowerCase();
  for (let n = 1; ; n++) {
    const name = `${safeName(identifier || 'document', 80)}${n === 1 ? '' : `-${n}`}${ending}`;
    const given = `samples/${mapping.id}/${name}`;
    const path = join(instance.folder, given);
    if (existsSync(path)) {
      if (content.equals(readFileSync(path))) return { given, isNew: false };
      continue;
    }
    await ensureFolder(dirname(path));
    await writeDurable(path, inOnePiece(content));
    return { given, isNew: true };
  }
}

/** Only one that was just written is removed. */
export function removeTestSample(folder: string, { given, isNew }: TestSample): void {
  if (isNew) rmSync(join(folder, given), { force: true });
}

/** The rows with what is above the first document and, in XML, what closes the file. */
async function cutOut(
  { limits }: ConversionInstance,
  { source, key }: Mapping,
  { sample, rows, firstRow }: TestedDocument,
): Promise<Buffer | undefined> {
  const bounds = { ...limits.document, key };
  const file = { ...sample, format: source.format, options: source.options, encoding: undefined, bounds };
  const bytesOf = async (wanted: readonly number[]) => {
    const [part] = await sourceParts(file, wanted).catch(() => []);
    return part?.name === 'bytes-of' ? part.content : undefined;
  };
  const [own, first] = [await bytesOf(rows), await bytesOf([firstRow])];
  if (!own || !first) return undefined;
  const whole = await readFile(sample.path);
  const above = whole.subarray(0, Math.max(0, whole.indexOf(first)));
  const [, element] = /^<([\w:.-]+)/.exec(own.toString('latin1')) ?? [];
  const close = element === undefined ? '' : `</${element}>`;
  const end = close === '' ? whole.length : whole.lastIndexOf(close) + close.length;
  return Buffer.concat([above, own, whole.subarray(end)]);
}

/** The text with one more test, before the others. The other tests stay as they are, byte for byte. */
export function withTest(
  { place, file, text }: { readonly place: MappingPlace; readonly file: string; readonly text: string },
  { name, given }: { readonly name: string; readonly given: string },
  { documents, faults }: StudioGolden,
): string {
  const [document] = documents;
  const entry = definedOnly({
    name,
    given,
    expect: document === undefined ? undefined : [document],
    'expect-errors': document === undefined ? faults : undefined,
  });
  const lines = stringify([entry], { lineWidth: 0, indentSeq: true }).trimEnd();
  const changed = inserted(text, lines);
  const before = loadMapping(text, file, mappingWorld(place)).mapping?.tests ?? [];
  const after = changed === undefined ? [] : (loadMapping(changed, file, mappingWorld(place)).mapping?.tests ?? []);
  if (changed === undefined || JSON.stringify(after.slice(1)) !== JSON.stringify(before)) {
    throw noTest(STUDIO_TEST.byHand());
  }
  return changed;
}

function inserted(text: string, lines: string): string | undefined {
  const tests = parseDocument(text, { version: '1.2', schema: 'core' }).get('tests', true);
  const indented = (by: number) => lines.replace(/^(?=.)/gm, ' '.repeat(by));
  if (tests === undefined) return `${text.replace(/\n*$/, '\n')}tests:\n${indented(2)}\n`;
  if (!isSeq(tests) || tests.flow || !tests.range) return undefined;
  const begin = text.lastIndexOf('\n', tests.range[0] - 1) + 1;
  return `${text.slice(0, begin)}${indented(tests.range[0] - begin)}\n${text.slice(begin)}`;
}

function noTest(message: ReturnType<typeof STUDIO_TEST.byHand>): OperatorError {
  return new OperatorError('tools/no-test', message, { hint: STUDIO_TEST.hint() });
}
