/**
 * Corpora that no package brings, out of a folder: npm run corpora -- csvw=FOLDER blns=FILE json=FOLDER
 *
 *     csvw  w3c/csvw, tests: CSV files of any kind, as files
 *     blns  minimaxir/big-list-of-naughty-strings, blns.json: as cells and as elements
 *     json  nst/JSONTestSuite, test_parsing: as bytes of an answer
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPlaces } from '../../src/delivery/answer-fields.ts';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { cellsOf, codesOf, readAll } from '../readers/make.ts';
import { csvCell, isXmlText, xmlText } from '../readers/written.ts';

const CORPORA: { readonly [name: string]: (path: string) => Promise<readonly string[]> } = { csvw, blns, json };

for (const argument of process.argv.slice(2)) {
  const [name = '', path = ''] = argument.split(/=(.*)/s);
  const run = CORPORA[name];
  if (!run) throw new Error(`${argument} is not csvw=FOLDER, blns=FILE or json=FOLDER`);
  console.log([name, ...(await run(path))].join('\n  '));
}

async function csvw(folder: string): Promise<readonly string[]> {
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.csv'));
  const refused: string[] = [];
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    const outcome = await readAll(csvReader, bytes, { delimiter: ',', 'final-line-end': 'optional' });
    const codes = codesOf(outcome);
    if (codes.length > 0) refused.push(`${name}: ${[...new Set(codes)].join(', ')}`);
  }
  return [`${names.length} files, ${names.length - refused.length} read, ${refused.length} refused`, ...refused.sort()];
}

async function blns(file: string): Promise<readonly string[]> {
  const texts = JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  const csv = `Text\n${texts.map((text) => `${csvCell(text)}\n`).join('')}`;
  const cells = cellsOf(await readAll(csvReader, csv, {})).flat();
  const possible = texts.filter(isXmlText);
  const xml = `<r>${possible.map((text) => `<a>${xmlText(text)}</a>`).join('')}</r>`;
  const elements = cellsOf(await readAll(xmlReader, xml, { row: '/r/a', columns: { v: '.' } })).flat();
  const changed = (read: readonly string[], given: readonly string[]) => given.filter((text, n) => read[n] !== text);
  return [
    `${texts.length} strings as cells: ${changed(cells, texts).length} changed`,
    `${possible.length} that XML can hold, as elements: ${changed(elements, possible).length} changed`,
  ];
}

async function json(folder: string): Promise<readonly string[]> {
  const found = { y: { read: 0, refused: 0 }, n: { read: 0, refused: 0 }, i: { read: 0, refused: 0 } };
  for (const name of readdirSync(folder).filter((name) => /^[yni]_/.test(name))) {
    const count = found[name[0] as keyof typeof found];
    const bytes = readFileSync(join(folder, name));
    let text: string | undefined;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      // As an answer that is no UTF-8: it decides nothing.
    }
    if (text !== undefined && readPlaces(text, [''])) count.read++;
    else count.refused++;
  }
  return Object.entries(found).map(([kind, { read, refused }]) => `${kind}: ${read} read, ${refused} refused`);
}
