/** Correction files of every kind of export, and a stop at any moment while one is taken in. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { seed } from '../../seed.ts';

/** The short form stops at every other write, at the others with another seed; TORTURE=1, as .ci/run has it, at each. */
const STEP = process.env.TORTURE ? 1 : 2;

function toFix(scene: Scene): readonly string[] {
  return scene.files('error').filter((path) => /\.to-fix\.(?:csv|xml)$/.test(path));
}

function textOf(scene: Scene): string {
  expect(toFix(scene)).toHaveLength(1);
  return readFileSync(join(scene.root, toFix(scene)[0]!), 'utf8').replace('\ufeff', '');
}

function corrections(told: readonly PipelineEvent[]) {
  return told.find((one) => one.what === 'corrections') as Extract<PipelineEvent, { what: 'corrections' }>;
}

/** Unchanged it changes nothing; changed, its document goes out. */
async function roundTrip(scene: Scene, name: string, change: (text: string) => string, accepted: number) {
  const text = textOf(scene);
  scene.drop(`same-${name}`, text);
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 0, refused: 0, faults: [] });
  expect(change(text)).not.toBe(text);
  scene.drop(name, change(text));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 1, refused: 0, faults: [] });
  expect(toFix(scene)).toEqual([]);
  expect(scene.sandbox.acceptances()).toHaveLength(accepted);
}

const withSource = (source: string) => SALES_MAPPING.replace(/ {2}format: csv\n {2}delimiter: ";"/, source);

test('two files that belong together: the rows of the line file, under the name of a header file', async () => {
  const mapping = withSource('  format: csv\n  join: { with: "LIG_*.csv", key: Num, wait: 2h }')
    .replace('ventes*.csv', 'ENT_*.csv')
    .replace('one-per: [Num]', 'one-per: [Num]\n  rows: anywhere');
  await using scene = await openScene({ mappings: { 'pairs.yaml': mapping } });
  scene.drop('ENT_1.csv', 'Num;Date;Client\nF1;05/09/2026;A\nF2;05/09/2026;B\n');
  scene.drop('LIG_1.csv', 'Num;Lig;Qte;PU;Taux\nF1;1;1;10,50;20\nF2;1;x;10,50;20\nF1;2;1;1;20\nF2;2;1;2;20\n');
  await scene.night();
  expect(textOf(scene)).toMatch(/^Num;Lig;Qte;PU;Taux;_doc;_row;_error\nF2;1;x;.*;3;.*\nF2;2;1;2;20;.*;5;\n$/);
  await roundTrip(scene, 'ENT_9.csv', (text) => text.replace(';x;', ';3;'), 2);
});

test('columns filled down: a corrected value applies to the rows below it', async () => {
  const mapping = withSource('  format: csv\n  fill-down: [Num, Date, Client]');
  await using scene = await openScene({ mappings: { 'm.yaml': mapping } });
  scene.drop(
    'ventes.csv',
    'Num;Date;Client;Lig;Qte;PU;Taux\nF1;05/09/2026;A;1;1;10;20\n;;;2;1;10;20\nF2;31/09/2026;B;1;1;10;20\n;;;2;1;10;20\n',
  );
  await scene.night();
  expect(textOf(scene)).toMatch(/\nF2;31\/09\/2026;B;1;1;10;20;.*\n;;;2;1;10;20;/);
  await roundTrip(scene, 'x.csv', (text) => text.replace('31/09', '30/09'), 2);
  const receipt = JSON.parse(scene.read(scene.files('outbox').find((path) => path.endsWith('/F2.receipt.json'))!));
  expect(receipt.corrections).toMatchObject([{ row: 4 }, { row: 5, to: '30/09/2026' }]);
});

test('several kinds of records, and columns by position: a table of cells', async () => {
  const types = '[{ value: E, columns: [t, Num, Date, Client] }, { value: L, columns: [t, Lig, Qte, PU, Taux] }]';
  const lists = '{ tva: { value: V, columns: ["", taux, montant] } }';
  const records = withSource(`  format: csv\n  record-types: { levels: ${types}, lists: ${lists} }`);
  await using scene = await openScene({ mappings: { 'm.yaml': records } });
  scene.drop('ventes.csv', 'E;F1;05/09/2026;A\nL;1;1;10;20\nE;F2;05/09/2026;B\nL;1;x;10;20\nV;20;8.00\nL;2;1;10;20\n');
  await scene.night();
  expect(textOf(scene)).toContain('"[{""taux"":""20"",""montant"":""8.00""}]"');
  await roundTrip(scene, 'x.csv', (text) => text.replace(';x;', ';3;'), 2);

  const columns = 'columns: { Num: 1-4, Date: 5-14, Client: 15-20, Lig: 21-22, Qte: 23-26, PU: 27-32, Taux: 33-35 }';
  const fixed = SALES_MAPPING.replace(/ {2}format: csv\n {2}delimiter: ";"/, `  format: fixed\n  ${columns}`)
    .replace('columns: { Date: date', 'types: { Date: date')
    .replace('ventes*.csv', '*.txt');
  await using host = await openScene({ mappings: { 'm.yaml': fixed } });
  const line = (...cells: readonly string[]) =>
    cells.map((cell, at) => cell.padEnd([4, 10, 6, 2, 4, 6, 3][at]!)).join('');
  host.drop(
    'v.txt',
    `${line('F1', '05/09/2026', 'A', '1', '1', '10,50', '20')}\n${line('F2', '05/09/2026', 'B;', '1', 'x', '10', '20')}\n`,
  );
  await host.night();
  expect(textOf(host)).toMatch(/\r\nF2;05\/09\/2026;"B;";1;x;10;20;.*;2;/);
  await roundTrip(host, 'y.csv', (text) => text.replace(';x;', ';3;'), 2);
});

test.each([
  ["'", "'L;1'"],
  ['none', '5" pipe'],
])('cells in quotes of another kind: %s', async (quote, client) => {
  const mapping = withSource(`  format: csv\n  quote: ${quote === 'none' ? quote : `"${quote}"`}`);
  await using scene = await openScene({ mappings: { 'm.yaml': mapping } });
  scene.drop(
    'ventes.csv',
    sales(['F1', 'F2'])
      .replaceAll('Client F2', client)
      .replace(';1;2;10,50;20\nF2', ';1;2;10,50;20\nF2')
      .replace(/F2(.*);2;2;/, 'F2$1;2;x;'),
  );
  await scene.night();
  expect(textOf(scene)).toContain(client);
  await roundTrip(scene, 'x.csv', (text) => text.replace(';x;', ';3;'), 2);
});

test('files that are passed on, and whole files that are refused, have none', async () => {
  await using scene = await openScene({});
  scene.drop('ventes.csv', 'Num;Date\n"A');
  scene.drop('other.csv', 'x');
  await scene.night();
  expect(toFix(scene)).toEqual([]);
});

/** A ledger that stops at the Nth write, before or after it is durable. */
function stopsAt(n: number, when: 'before' | 'after') {
  let count = 0;
  const through = (driver: Driver): Driver => ({
    ...driver,
    read: async (work) => {
      if (count >= n) throw new Error('stopped');
      return await driver.read(work);
    },
    write: async (work) => {
      count++;
      if (count === n && when === 'after') await driver.write(work);
      if (count >= n) throw new Error('stopped');
      return await driver.write(work);
    },
  });
  return { through, stopped: () => count >= n };
}

test.each(['before', 'after'] as const)('stopped %s the Nth write of the ledger, for every N', async (when) => {
  await using scene = await openScene({});
  let n = 1 - STEP + (seed % STEP);
  for (let stopped = true; stopped; ) {
    n += STEP;
    const [a, b] = [`${when}A${n}`, `${when}B${n}`];
    scene.drop(`ventes-${n}.csv`, sales([a, b]).replace(`Client ${b};1;2`, `Client ${b};1;x`));
    await scene.night();
    scene.drop(`fix-${n}.csv`, textOf(scene).replace(';x;', ';3;'));
    const stop = stopsAt(n, when);
    await scene.night({ through: stop.through }).catch(() => undefined);
    stopped = stop.stopped();
    await scene.night();
    const mine = (await scene.entries()).filter(({ facts }) => facts.identifier === b);
    expect(mine).toMatchObject([{ revision: 2 }]);
    expect(['authorized', 'in-doubt']).toContain(mine[0]!.state);
    const summary = ['outbox', 'error']
      .flatMap((folder) => scene.files(folder))
      .find((path) => path.includes(`fix-${n}.csv.`))!;
    const { rows, file } = JSON.parse(scene.read(summary));
    expect(file.state).toBe('admitted');
    expect(rows.leftOut).toMatchObject([{ rule: 'corrected: its document is read again', count: 2 }]);
  }
  expect(n).toBeGreaterThan(8);
  expect(scene.sandbox.acceptances().every(({ accepted }) => accepted === 1)).toBe(true);
  expect(Object.keys(tally(await scene.entries())).every((state) => ['authorized', 'in-doubt'].includes(state))).toBe(
    true,
  );
});
