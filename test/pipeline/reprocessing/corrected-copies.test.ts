/** An export dropped once more after its documents were corrected: copies of corrected rows need no one, and nothing is sent twice. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { openScene, SALES_MAPPING, type Scene, sales, stopAtWrite, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { textRow, workbookOf } from '../../readers/xlsx/make-workbook.ts';
import { proofOf } from '../../samples/night.ts';
import { runs } from '../../seed.ts';
import { PAIR_MAPPING } from '../sources/pair-mapping.ts';

const WHY = ['--reason', 'from the ERP', '--by', 'anna'];
const NUMBERS = ['A1', 'A2', 'A3-X6ONCE'];
/** A2 is invalid, and the service rejects A3 the first time. */
const EXPORT = sales(NUMBERS).replace('A2;05/09/2026;Client A2;2;2', 'A2;05/09/2026;Client A2;2;x');
const SECOND = SALES_MAPPING.replace('version: 1', 'version: 2');

async function failedNight(mapping = SALES_MAPPING, name = 'ventes.csv', content: string | Uint8Array = EXPORT) {
  const scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop(name, content);
  await scene.night();
  return scene;
}

async function fix(scene: Scene, number: string, column: string, from: string, to: string): Promise<void> {
  await commandIn(scene, 'fix', number, '--column', column, '--from', from, `${column}=${to}`, '--yes', ...WHY);
}

/** Both failed documents, corrected and authorized. */
async function correctedNight(): Promise<Scene> {
  const scene = await failedNight();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1, rejected: 1 });
  await fix(scene, 'A2', 'Qte', 'x', '3');
  await fix(scene, 'A3-X6ONCE', 'Client', 'Client A3-X6ONCE', 'Client 3');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
  return scene;
}

async function dropAgain(scene: Scene, content: string | Uint8Array, name = 'ventes-bis.csv', mapping = SECOND) {
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), mapping);
  scene.drop(name, content);
  await scene.night();
}

/** The documents whose latest revision is from this file, by number. */
async function ofFile(scene: Scene, name: string): Promise<Readonly<Record<string, LedgerEntry>>> {
  const own = (await scene.entries()).filter(({ file }) => file.name === name);
  return Object.fromEntries(own.map((entry) => [entry.facts.identifier, entry]));
}

/** Nothing was sent twice, and everything can be proven. */
async function expectSound(scene: Scene): Promise<void> {
  const all = scene.sandbox.acceptances().map(({ identity }) => identity);
  expect(all.toSorted()).toEqual([...new Set(all)].sort());
  expect((await proofOf(scene.instance())).found).toEqual([]);
}

/** The documents, and the rows of the corrected ones: other rows in another order would be another content. */
function inOtherOrder(text: string): string {
  const lines = text.split('\n');
  return [0, 6, 5, 1, 2, 4, 3, 7].map((at) => lines[at]).join('\n');
}

test.each([
  ['the same bytes', EXPORT],
  ['saved once more', `﻿${EXPORT.replaceAll('\n', '\r\n')}`],
  ['in Windows-1252', iconv.encode(EXPORT, 'windows-1252')],
  ['in another order', inOtherOrder(EXPORT)],
  [
    'with its columns in another order',
    EXPORT.replace(/^(\w+);(\w+);/gm, '$2;$1;').replace(/^([^;]+);(\d\d\/\d\d\/\d{4});/gm, '$2;$1;'),
  ],
])('%s: every copy is a duplicate of what was issued, and none needs a person', async (_, again) => {
  await using scene = await correctedNight();
  await dropAgain(scene, again);
  const copies = await ofFile(scene, 'ventes-bis.csv');
  expect(Object.values(copies).map(({ state }) => state)).toEqual(['duplicate', 'duplicate', 'duplicate']);
  const authorized = (await scene.entries()).filter(({ state }) => state === 'authorized');
  for (const { facts, first } of Object.values(copies)) {
    expect(first?.id).toBe(authorized.find((one) => one.facts.identifier === facts.identifier)?.id);
  }
  expect(copies.A1?.faults).toEqual([]);
  expect(copies.A2?.faults).toMatchObject([{ code: 'ledger/rows-corrected', level: 'warning' }]);
  expect(copies.A2?.faults[0]?.message).toMatch(
    /ventes\.csv from row 5 on, .* before anna corrected .* \(from the ERP\).* A2 counts/,
  );
  expect((await commandIn(scene, 'errors')).out).toContain('No documents need action');
  await expectSound(scene);
});

test('a copy with any other cell is judged as before', async () => {
  await using scene = await correctedNight();
  await dropAgain(
    scene,
    EXPORT.replace('Client A2;1', 'Client Z;1').replaceAll('05/09/2026;Client A3', '06/09/2026;Client A3'),
  );
  const copies = await ofFile(scene, 'ventes-bis.csv');
  expect(copies.A2?.state).toBe('invalid');
  expect(copies['A3-X6ONCE']?.state).toBe('conflict');
  await expectSound(scene);
});

test('a part of the rows is not the document, and some documents of the export are', async () => {
  await using scene = await correctedNight();
  await dropAgain(
    scene,
    EXPORT.split('\n')
      .filter((_, at) => [0, 4, 5, 6, 7].includes(at))
      .join('\n'),
  );
  const copies = await ofFile(scene, 'ventes-bis.csv');
  expect(copies['A3-X6ONCE']?.state).toBe('duplicate');
  expect(copies.A2?.state).toBe('invalid');
  await expectSound(scene);
});

test('corrected and queued: the copy does not take its place, and it is sent once', async () => {
  await using scene = await failedNight();
  await fix(scene, 'A2', 'Qte', 'x', '3');
  await dropAgain(scene, EXPORT);
  expect((await ofFile(scene, 'ventes-bis.csv')).A2?.state).toBe('duplicate');
  await expectSound(scene);
});

test('corrected, and still wrong: the copy is the next revision, and can be corrected', async () => {
  await using scene = await failedNight();
  await fix(scene, 'A2', 'Qte', 'x', 'y');
  await dropAgain(scene, EXPORT);
  expect((await ofFile(scene, 'ventes-bis.csv')).A2).toMatchObject({ state: 'invalid', revision: 3 });
  await fix(scene, 'A2', 'Qte', 'x', '3');
  await dropAgain(scene, EXPORT, 'ventes-ter.csv', SALES_MAPPING.replace('version: 1', 'version: 3'));
  expect((await ofFile(scene, 'ventes-ter.csv')).A2?.state).toBe('duplicate');
  await expectSound(scene);
});

test('corrected twice: the export is still what was corrected', async () => {
  await using scene = await failedNight();
  await fix(scene, 'A2', 'Qte', 'x', 'y');
  await fix(scene, 'A2', 'Qte', 'y', '3');
  await scene.night();
  await dropAgain(scene, EXPORT);
  expect((await ofFile(scene, 'ventes-bis.csv')).A2?.state).toBe('duplicate');
  await expectSound(scene);
});

test('a correction that was undone does not count', async () => {
  await using scene = await failedNight();
  await fix(scene, 'A2', 'Qte', 'x', '3');
  await commandIn(scene, 'undo', 'A2', ...WHY);
  await dropAgain(scene, EXPORT);
  expect((await ofFile(scene, 'ventes-bis.csv')).A2?.state).toBe('invalid');
  await expectSound(scene);
});

test('a corrected document that a person has set aside stays set aside', async () => {
  await using scene = await failedNight();
  await fix(scene, 'A2', 'Qte', 'x', 'y');
  await commandIn(scene, 'set-aside', 'A2', '--yes', ...WHY);
  await dropAgain(scene, EXPORT);
  const entries = (await scene.entries()).filter(({ facts }) => facts.identifier === 'A2');
  expect(entries.map(({ state, evidence }) => [state, evidence?.as])).toEqual([
    ['invalid', 'invalid'],
    ['duplicate', undefined],
  ]);
  expect((await commandIn(scene, 'errors')).out).not.toContain('A2');
});

test('the archive is gone, or was purged: the copy is known all the same', async () => {
  await using scene = await correctedNight();
  for (const path of scene.files('archive').filter((one) => one.endsWith('ventes.csv'))) {
    rmSync(join(scene.root, path), { force: true });
  }
  await dropAgain(scene, EXPORT);
  expect(tally(Object.values(await ofFile(scene, 'ventes-bis.csv')))).toEqual({ duplicate: 3 });
});

test('a stop at any write of the correction: the copy that comes next is sent never, and its original once', async () => {
  for (let nth = 1; nth < 40; nth += process.env.TORTURE ? 1 : 6) {
    await using scene = await failedNight();
    const sheet = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
    scene.drop('corrected.csv', scene.read(sheet).replace(';2;x;', ';2;3;'));
    await scene.night({ through: stopAtWrite(nth) }).catch(() => undefined);
    await dropAgain(scene, EXPORT);
    await scene.night();
    const identities = scene.sandbox.acceptances().map(({ identity }) => identity);
    expect(new Set(identities).size, `write ${nth}`).toBe(identities.length);
    const states = (await scene.entries()).filter(({ facts }) => facts.identifier === 'A2').map(({ state }) => state);
    // Stopped while it was sent, it is in doubt: the copy is a duplicate all the same.
    const allowed = [['authorized', 'duplicate'], ['duplicate', 'in-doubt'], ['invalid']];
    expect(allowed, `write ${nth}`).toContainEqual(states.toSorted());
    expect((await proofOf(scene.instance())).found).toEqual([]);
  }
}, 120_000);

function xlsx(rows: readonly (readonly string[])[]): Buffer {
  const data = rows.map((row, at) => textRow(at + 1, ...row)).join('');
  return workbookOf({ sheets: [{ name: 'Ventes', rows: data }] });
}

const XML = (quantity: string) =>
  `<E><F n="X1" d="2026-09-05"><L no="1"><Q>2</Q></L></F><F n="X2" d="2026-09-05"><L no="1"><Q>${quantity}</Q></L></F></E>`;
const XML_MAPPING = SALES_MAPPING.replace('ventes*.csv', 'ventes*.xml').replace(
  /source:[\s\S]*?calculated-columns:/,
  `source:
  format: xml
  document: /E/F
  row: L
  columns: { Num: /E/F/@n, Date: /E/F/@d, Lig: "@no", Qte: Q }
  numbers: { decimal: "." }
  dates: yyyy-MM-dd
  types: { Date: date, Qte: number }
calculated-columns:
  PU: = 10
  Taux: = 20
  Client: = "Client"`,
);

test('of XML: the copy of a corrected element is a duplicate', async () => {
  await using scene = await failedNight(XML_MAPPING, 'ventes.xml', XML('x'));
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
  await fix(scene, 'X2', 'Qte', 'x', '3');
  await scene.night();
  await dropAgain(
    scene,
    XML('x').replaceAll('><', '>\n<'),
    'ventes-bis.xml',
    XML_MAPPING.replace('version: 1', 'version: 2'),
  );
  expect(tally(Object.values(await ofFile(scene, 'ventes-bis.xml')))).toEqual({ duplicate: 2 });
  await expectSound(scene);
});

test('of a workbook: the copy is a duplicate', async () => {
  const mapping = SALES_MAPPING.replace('ventes*.csv', 'ventes*.xlsx').replace(
    'format: csv\n  delimiter: ";"',
    'format: xlsx',
  );
  const book = (more: string) =>
    xlsx([
      ['Num', 'Date', 'Client', 'Lig', 'Qte', 'PU', 'Taux'],
      ['W1', '05/09/2026', 'C', '1', '2', '10,50', '20'],
      ['W2', '05/09/2026', 'C', '1', 'x', '10,50', '20'],
      ['W3', '05/09/2026', more, '1', '2', '10,50', '20'],
    ]);
  await using scene = await failedNight(mapping, 'ventes.xlsx', book('C'));
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
  await fix(scene, 'W2', 'Qte', 'x', '3');
  await scene.night();
  await dropAgain(scene, book('D'), 'ventes-bis.xlsx', mapping.replace('version: 1', 'version: 2'));
  expect(tally(Object.values(await ofFile(scene, 'ventes-bis.xlsx')))).toEqual({ duplicate: 2, conflict: 1 });
  await expectSound(scene);
});

test('of a pair of files: the copy is a duplicate, whichever half has the cell', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': PAIR_MAPPING } });
  const heads = 'Num;Client\nF1;Elan\nF2;Noel\n';
  const lines = 'Num;Lig;Net\nF1;1;10,00\nF2;1;x\nF1;2;30,00\n';
  const dropPair = (day: string) => {
    scene.drop(`ENT_${day}.csv`, heads);
    scene.drop(`LIG_${day}.csv`, `${lines}${day === '1' ? '' : '\n'}`);
  };
  dropPair('1');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
  await fix(scene, 'F2', 'Net', 'x', '20,00');
  await scene.night();
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), PAIR_MAPPING.replace('version: 1', 'version: 2'));
  dropPair('2');
  await scene.night();
  expect(tally(Object.values(await ofFile(scene, 'LIG_2.csv')))).toEqual({ duplicate: 2 });
  await expectSound(scene);
});

test('a document of rows that are apart, in another order: its copy is a duplicate', async () => {
  const mapping = SALES_MAPPING.replace('one-per: [Num]', 'one-per: [Num]\n  rows: anywhere');
  const text = sales(['A1', 'A2', 'A4']).replace('A1;05/09/2026;Client A1;2;2', 'A2;05/09/2026;Client A2;3;x');
  await using scene = await failedNight(mapping, 'ventes.csv', text);
  await fix(scene, 'A2', 'Qte', 'x', '3');
  await scene.night();
  const again = inOtherOrder(text);
  expect(again).not.toBe(text);
  await dropAgain(scene, again, 'ventes-bis.csv', mapping.replace('version: 1', 'version: 2'));
  expect((await ofFile(scene, 'ventes-bis.csv')).A2).toMatchObject({ state: 'duplicate', rows: expect.any(Array) });
  await expectSound(scene);
});

type Kind = 'good' | 'invalid' | 'rejected';
const plan = fc.record({
  kinds: fc.array(fc.constantFrom<Kind>('good', 'invalid', 'rejected'), { minLength: 2, maxLength: 5 }),
  corrected: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  changed: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  turned: fc.boolean(),
  sent: fc.boolean(),
});

test('any export, any corrections, any copy: nothing is sent twice, and only what was corrected is a duplicate', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ kinds, corrected, changed, turned, sent }) => {
      const numbers = kinds.map((kind, at) => `P${at}${kind === 'rejected' ? '-X6ONCE' : ''}`);
      const documents = kinds.map((kind, at) => {
        const [, ...rows] = sales([numbers[at]!]).trimEnd().split('\n');
        return kind === 'invalid' ? rows.map((row) => row.replace(';2;10,50', ';x;10,50')) : rows;
      });
      const [head] = sales([]).split('\n');
      const write = (all: readonly (readonly string[])[]) => [head, ...all.flat(), ''].join('\n');
      await using scene = await failedNight(SALES_MAPPING, 'ventes.csv', write(documents));
      const isCorrected = (at: number) => kinds[at] !== 'good' && corrected[at];
      for (const [at, number] of numbers.entries()) {
        if (!isCorrected(at)) continue;
        if (kinds[at] === 'invalid') await fix(scene, number, 'Qte', 'x', '3');
        else await fix(scene, number, 'Client', `Client ${number}`, 'Other');
      }
      if (sent) await scene.night();
      const copy = documents.map((rows, at) => (changed[at] ? rows.map((row) => row.replace('05/09', '06/09')) : rows));
      await dropAgain(scene, write(turned ? copy.toReversed() : copy));
      const copies = await ofFile(scene, 'ventes-bis.csv');
      for (const [at, kind] of kinds.entries()) {
        const state = copies[numbers[at]!]?.state;
        if (isCorrected(at)) expect(state === 'duplicate').toBe(!changed[at]);
        if (kind === 'good') expect(state).toBe(changed[at] ? 'conflict' : 'duplicate');
        if (kind === 'invalid' && !isCorrected(at)) expect(state).toBe('invalid');
      }
      await expectSound(scene);
    }),
    { numRuns: runs(6) },
  );
}, 120_000);
