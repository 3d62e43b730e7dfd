/** Rows that no one can place, through whole nights: no document goes out that may lack one, and each is let go again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openScene, type Scene, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';

/** Payments of consumers, one report for each company and day, the rows in no order. */
const MAPPING = `mapping: tickets
version: 1
target: fr-invoice
accepts: { files: "TICKETS_*.csv" }
source:
  format: csv
  delimiter: ";"
  numbers: { decimal: "," }
  dates: dd/MM/yyyy
  columns: { Jour: date, Montant: number }
tables: { customers: { A: un, N: deux } }
calculated-columns:
  day: = TEXT($Jour, "yyyyMMdd")
  client: { from: Soc, table: customers }
  rate: = 20
documents: { one-per: [Soc, day], rows: anywhere, class: invoice }
output:
  document: { identifier: '= "B2C-" & $Soc & "-" & $day', date: $Jour, currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: $client }
  lines:
    each: row
    make: { number: $No, quantity: 1, unit-price: $Montant, net-amount: $Montant }
  totals: { standard: { net: $Montant, rate: $rate, currency: EUR } }
checks: [{ that: '= $client <> ""', else: error, say: the company is unknown }]
`;
const TICKETS = [
  'Soc;Jour;No;Montant',
  'A;01/05/2026;1;10,00',
  'N;01/05/2026;2;100,00',
  'N;46143;3;50,00', // 01/05/2026 as a spreadsheet counts days
  'A;02/05/2026;4;20,00',
  'N;02/05/2026;5;30,00',
  '',
].join('\n');

const open = (mapping = MAPPING) => openScene({ mappings: { 'tickets.yaml': mapping } });

async function states(scene: Scene): Promise<{ readonly [number: string]: string }> {
  return Object.fromEntries((await scene.entries()).map(({ facts, state }) => [facts.identifier, state]));
}

async function faultOf(scene: Scene, number: string) {
  const entry = (await scene.entries()).find(({ facts }) => facts.identifier === number);
  return entry?.faults.map(({ code, origin }) => `${code} ${origin?.row}`);
}

const sent = (scene: Scene) => scene.sandbox.acceptances().length;

describe('rows: anywhere', () => {
  test('a row without its day holds each report of its company, and is sent once the cell is corrected', async () => {
    await using scene = await open();
    scene.drop('TICKETS_05.csv', TICKETS);
    await scene.night();
    expect(await states(scene)).toMatchObject({
      'B2C-A-20260501': 'authorized',
      'B2C-A-20260502': 'authorized',
      'B2C-N-20260501': 'invalid',
      'B2C-N-20260502': 'invalid',
    });
    expect(await faultOf(scene, 'B2C-N-20260501')).toEqual(['map/beside-broken-row 4']);
    const row = (await scene.entries()).find(({ rows }) => rows[0] === 4)!;
    const fixed = await commandIn(scene, 'fix', row.id, 'Jour=01/05/2026', '--reason', 'a serial number of Excel');
    expect(fixed).toMatchObject({ code: 0 });
    await scene.night();
    const entries = await scene.entries();
    expect(tally(entries)).toEqual({ authorized: 4, duplicate: 1 });
    expect(entries.find(({ facts }) => facts.identifier === 'B2C-N-20260501')).toMatchObject({
      rows: [3, 4],
      facts: { amount: '180.00' },
    });
    expect(sent(scene)).toBe(4);
    expect((await proofOf(scene.instance())).found).toEqual([]);
    expect((await commandIn(scene, 'verify')).code).toBe(0);
  });

  test('the same by a correction file, which has the row and all that it holds', async () => {
    await using scene = await open();
    scene.drop('TICKETS_05.csv', TICKETS);
    await scene.night();
    const path = scene.files('error').find((one) => one.endsWith('.to-fix.csv'))!;
    const sheet = scene.read(path);
    expect([...sheet.matchAll(/^[AN];.*\/1;(\d);/gm)].map(([, row]) => row)).toEqual(['3', '4', '6']);
    scene.drop('fixed.csv', sheet.replace(';46143;', ';01/05/2026;'));
    const { told } = await scene.night();
    expect(told).toContainEqual(expect.objectContaining({ what: 'corrections', refused: 0 }));
    const entries = await scene.entries();
    expect(tally(entries)).toEqual({ authorized: 4, duplicate: 1 });
    expect(entries.find(({ facts }) => facts.identifier === 'B2C-N-20260501')?.rows).toEqual([3, 4]);
    expect(sent(scene)).toBe(4);
    expect(scene.files('error').filter((one) => one.includes('.to-fix.'))).toEqual([]);
    expect((await proofOf(scene.instance())).found).toEqual([]);
  });

  test('a held document is not let go by reading it again while the row is as it was', async () => {
    await using scene = await open();
    scene.drop('TICKETS_05.csv', TICKETS);
    await scene.night();
    const again = await commandIn(scene, 'reprocess', 'B2C-N-20260501', '--reason', 'try');
    expect(again.code).toBe(3);
    await scene.night();
    expect(sent(scene)).toBe(2);
    expect((await states(scene))['B2C-N-20260501']).toBe('invalid');
  });

  test.each([
    ['a cell is missing', 'N;46143;3\n'],
    ['no part of the key is there', ';;3;50,00\n'],
    ['the last line is cut', 'N\n'],
  ])('where nothing of the key is known, nothing of the file goes out: %s', async (_, line) => {
    await using scene = await open();
    scene.drop('TICKETS_05.csv', TICKETS.replace('N;46143;3;50,00\n', line));
    await scene.night();
    expect(tally(await scene.entries())).toEqual({ invalid: 5 });
    expect(sent(scene)).toBe(0);
  });

  test('several rows of one company are corrected one after the other', async () => {
    await using scene = await open();
    scene.drop('TICKETS_05.csv', TICKETS.replace('02/05/2026;5', '46144;5'));
    await scene.night();
    expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 3 });
    for (const [row, day] of [
      [6, '02/05/2026'],
      [4, '01/05/2026'],
    ] as const) {
      const one = (await scene.entries()).find(({ rows }) => rows.length === 1 && rows[0] === row)!;
      await commandIn(scene, 'fix', one.id, `Jour=${day}`, '--reason', 'Excel');
    }
    await scene.night();
    expect(await states(scene)).toMatchObject({ 'B2C-N-20260501': 'authorized', 'B2C-N-20260502': 'authorized' });
    expect((await scene.entries()).find(({ facts }) => facts.identifier === 'B2C-N-20260501')?.rows).toEqual([3, 4]);
    expect(sent(scene)).toBe(4);
    expect((await proofOf(scene.instance())).found).toEqual([]);
  });
});

describe.each(['anywhere', 'adjacent'])('a part of the key is empty (rows: %s)', (rows) => {
  const mapping = MAPPING.replace('rows: anywhere', `rows: ${rows}`);
  // Sorted by day, the company of row 4 is missing.
  const csv = TICKETS.replace('A;02/05/2026;4', 'A;03/05/2026;4').replace('N;46143;3', ';01/05/2026;3');

  test('and no document can be made of the row: what it may belong to is held, until it has its company', async () => {
    await using scene = await open(mapping);
    scene.drop('TICKETS_05.csv', csv);
    await scene.night();
    expect(await states(scene)).toMatchObject({
      'B2C-A-20260501': 'invalid',
      'B2C-N-20260501': 'invalid',
      'B2C-A-20260503': 'authorized',
      'B2C-N-20260502': 'authorized',
    });
    const row = (await scene.entries()).find((entry) => entry.rows[0] === 4)!;
    // The others are not let go because somebody looks at them alone.
    await commandIn(scene, 'reprocess', 'B2C-N-20260501', '--reason', 'try');
    await scene.night();
    expect(sent(scene)).toBe(2);
    await commandIn(scene, 'fix', row.id, 'Soc=N', '--reason', 'asked');
    await scene.night();
    expect(sent(scene)).toBe(4);
    expect((await scene.entries()).find(({ facts }) => facts.identifier === 'B2C-N-20260501')?.rows).toEqual([3, 4]);
    expect((await proofOf(scene.instance())).found).toEqual([]);
  });

  test('and a document is made of the row: it is one of its own', async () => {
    await using scene = await open(mapping.replace('N: deux', 'N: deux, "": trois'));
    scene.drop('TICKETS_05.csv', csv);
    await scene.night();
    expect(tally(await scene.entries())).toEqual({ authorized: 5 });
  });
});

/** Headers, parts of them, and lines; each line is a document, or each part. */
const RECORDS = `mapping: records
version: 1
target: fr-invoice
accepts: { files: "REC_*.csv" }
source:
  format: csv
  delimiter: ";"
  numbers: { decimal: "," }
  dates: dd/MM/yyyy
  record-types:
    levels:
      - { value: E, columns: [t, Jour, Client, Etat] }
      - { value: L, columns: [t, No, Montant] }
  columns: { Jour: date, Montant: number }
calculated-columns: { rate: = 20 }
documents: { one-per: row, class: invoice }
output:
  document: { identifier: $No, date: $Jour, currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: $Client }
  lines:
    each: row
    make: { number: 1, quantity: 1, unit-price: $Montant, net-amount: $Montant }
  totals: { standard: { net: $Montant, rate: $rate, currency: EUR } }
`;

const records = (...lines: readonly string[]) => `${lines.join('\n')}\n`;

async function recordsNight(mapping: string, content: string): Promise<Scene> {
  const scene = await openScene({ mappings: { 'records.yaml': mapping } });
  scene.drop('REC_1.csv', content);
  await scene.night();
  return scene;
}

async function byRow(scene: Scene) {
  return Object.fromEntries((await scene.entries()).map(({ rows, state }) => [rows.join(), state]));
}

describe('record types', () => {
  const FILE = records(
    'E;01/05/2026;A;',
    'L;11;10,00',
    'L;12;20,00',
    'X;02/05/2026;B;',
    'L;13;30,00',
    'L;14;40,00',
    'E;03/05/2026;C;',
    'L;15;50,00',
  );

  test.each(['adjacent', 'anywhere'])(
    'lines behind an unknown kind, which may be their header, are no documents of the one before (rows: %s)',
    async (rows) => {
      await using scene = await recordsNight(RECORDS.replace('one-per: row', `one-per: row, rows: ${rows}`), FILE);
      expect(await byRow(scene)).toEqual({
        2: 'authorized',
        3: 'invalid',
        4: 'invalid',
        5: 'invalid',
        6: 'invalid',
        8: 'authorized',
      });
      expect(await faultOf(scene, '13')).toEqual(['map/beside-broken-row 4']);
      expect((await proofOf(scene.instance())).found).toEqual([]);
      // Once the mapping knows the kind, each goes out under its own header.
      writeFileSync(join(scene.root, 'mappings/records.yaml'), RECORDS.replace('value: E', 'value: [E, X]'));
      for (const number of ['12', '13', '14']) await commandIn(scene, 'reprocess', number, '--reason', 'X is a header');
      await scene.night();
      const entries = await scene.entries();
      expect(entries.filter(({ state }) => state === 'authorized').map(({ rows }) => rows[0])).toEqual([2, 3, 5, 6, 8]);
      expect(entries.find(({ rows }) => rows[0] === 5)?.facts).toMatchObject({ receiver: 'b' });
    },
  );

  test('nor is one left out for what the header before it says', async () => {
    const mapping = RECORDS.replace('one-per: row', `one-per: row, keep: '= $Etat <> "D"'`);
    await using scene = await recordsNight(mapping, FILE.replace('A;', 'A;D'));
    expect(await byRow(scene)).toEqual({ 4: 'invalid', 5: 'invalid', 6: 'invalid', 8: 'authorized' });
  });

  test('records after a header of an unknown kind do not belong to the header before it', async () => {
    const mapping = RECORDS.replace(
      'value: L, columns: [t, No,',
      'value: P, columns: [t, No] }\n      - { value: L, columns: [t,',
    ).replace('one-per: row', 'one-per: [No]');
    const content = FILE.replace(/^L;(\d+);/gm, 'P;$1\nL;');
    await using scene = await recordsNight(mapping, content);
    expect(await states(scene)).toMatchObject({
      11: 'authorized',
      12: 'invalid',
      13: 'invalid',
      14: 'invalid',
      15: 'authorized',
    });
  });

  test.each([
    ['too short', 'V;20'],
    ['of an unknown kind', 'W;20;6,00'],
  ])('no line goes out without an item of its list: one %s', async (_what, item) => {
    const mapping = RECORDS.replace(
      '  columns: { Jour',
      '    lists: { tva: { value: V, columns: ["", taux, montant] } }\n  columns: { Jour',
    );
    const content = records(
      'E;01/05/2026;A;',
      'L;11;10,00',
      'L;12;20,00',
      item,
      'V;5,5;1',
      'E;03/05/2026;C;',
      'V;20;10',
      'L;15;50,00',
    );
    await using scene = await recordsNight(mapping, content);
    expect(await byRow(scene)).toEqual({ 2: 'invalid', 3: 'invalid', 4: 'invalid', 8: 'authorized' });
  });
});
