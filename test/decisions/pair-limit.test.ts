/** The two-person limit where both files of a pair are corrected by one act. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { seenDocument } from '../../src/decisions/act.ts';
import { submitAct } from '../../src/runs/submit-act.ts';
import { openScene, type Scene } from '../night.ts';
import { PAIR_MAPPING } from '../pipeline/sources/pair-mapping.ts';
import { inlineCell, textRow, workbookOf } from '../readers/xlsx/make-workbook.ts';

const OPTIONS = { stop: new AbortController().signal, onEvent: () => {} };
const MAPPING = PAIR_MAPPING.replaceAll('*.csv', '*.xlsx')
  .replace(/format: csv\n {2}numbers: .*\n/, 'format: xlsx\n')
  .replace('{ Net: number }', '{ Net: number, Facteur: number }')
  .replace('rate: = 20', 'rate: = 20, net: "= ROUND($Net * $Facteur, 2)"')
  .replaceAll(/\$Net(?=,| })/g, () => '$net');

/** `undefined`: a cell with an error. */
function book(...rows: readonly (readonly (string | undefined)[])[]): Buffer {
  const cell = (text: string | undefined, at: string) =>
    text === undefined ? `<c r="${at}" t="e"><v>#N/A</v></c>` : inlineCell(at, text);
  const lines = rows.map((cells, n) => {
    const all = cells.map((text, at) => cell(text, `${'ABC'[at]}${n + 1}`));
    return n === 0 ? textRow(1, ...(cells as readonly string[])) : `<row r="${n + 1}">${all.join('')}</row>`;
  });
  return workbookOf({ rows: lines.join('') });
}

/** F1 has a header with this factor, and a line without its number. */
async function openPairs(factor: string): Promise<Scene> {
  const scene = await openScene({ mappings: { 'pairs.yaml': MAPPING } });
  const path = join(scene.root, 'nightpost.yaml');
  const settings = parse(readFileSync(path, 'utf8'));
  writeFileSync(path, stringify({ ...settings, decisions: { 'two-people': { above: { EUR: 100 } } } }));
  scene.drop('ENT_1.xlsx', book(['Num', 'Client', 'Facteur'], ['F1', 'Élan', factor], ['F2', 'Noël', '1']));
  scene.drop('LIG_1.xlsx', book(['Num', 'Lig', 'Net'], [undefined, '1', '10'], ['F2', '1', '10']));
  await scene.night();
  return scene;
}

test.each(['headers', 'lines'] as const)(
  'a document that both corrections make large waits: %s first',
  async (first) => {
    await using scene = await openPairs('1');
    const entries = await scene.entries();
    const header = entries.find(({ file, rows }) => file.name === 'ENT_1.xlsx' && rows[0] === 2)!;
    const line = entries.find(({ file, rows }) => file.name === 'LIG_1.xlsx' && rows[0] === 2)!;
    const documents = [
      { ...seenDocument(header), edits: [{ row: 2, column: 'Facteur', from: '1', to: '500' }] },
      { ...seenDocument(line), edits: [{ row: 2, column: 'Num', from: '', to: 'F1' }] },
    ];
    if (first === 'lines') documents.reverse();
    const decision = { by: 'anna', reason: 'checked', at: new Date().toISOString() };
    const act = { act: 'fix', documents } as const;
    const waits = await submitAct(scene.instance(), { id: 'both', act, decision }, OPTIONS);
    const large = { number: 'F1', why: 'amount', amount: '6000.00', currency: 'EUR' };
    const isLarge = first === 'headers';
    expect('approval' in waits ? waits.approval.about : []).toMatchObject(isLarge ? [{}, large] : []);
    await scene.night();
    const sent = scene.sandbox.acceptances().map(({ number }) => number);
    expect(sent.sort()).toEqual(isLarge ? [] : ['F1', 'F2']);
    // Read first, the lines have their header as it was: its correction comes too late.
    const after = await scene.entries();
    expect(after.find(({ facts }) => facts.identifier === 'F1')?.facts.amount).toBe(isLarge ? undefined : '12.00');
  },
);

test.each(['revision', 'aside'] as const)(
  'corrections of a document that has changed since do not make another one small: %s',
  async (what) => {
    await using scene = await openPairs('500');
    const entries = await scene.entries();
    const header = entries.find(({ file, rows }) => file.name === 'ENT_1.xlsx' && rows[0] === 2)!;
    const line = entries.find(({ file, rows }) => file.name === 'LIG_1.xlsx' && rows[0] === 2)!;
    const seen = seenDocument(header);
    const other = what === 'revision' ? { ...seen, revision: seen.revision + 1 } : { ...seen, aside: true as const };
    const documents = [
      { ...other, edits: [{ row: 2, column: 'Facteur', from: '500', to: '1' }] },
      { ...seenDocument(line), edits: [{ row: 2, column: 'Num', from: '', to: 'F1' }] },
    ];
    const decision = { by: 'anna', reason: 'checked', at: new Date().toISOString() };
    const waits = await submitAct(scene.instance(), { id: 'both', act: { act: 'fix', documents }, decision }, OPTIONS);
    await scene.night();
    const sent = scene.sandbox.acceptances().map(({ number }) => number);
    const about = 'approval' in waits ? waits.approval.about : [];
    expect({ about, sent }).toMatchObject({ about: [{ number: 'LIG_1-row-2' }, { amount: '6000.00' }], sent: [] });
  },
);
