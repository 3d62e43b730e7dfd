/** After a restore or rebuild each row of each export is in one place, as the summaries showed it before. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Correction, LedgerEntry } from '../../src/model/ledger-entry.ts';
import { reprocess } from '../../src/pipeline/reprocessing/reprocess-documents.ts';
import { openScene, SALES_MAPPING, type Scene, sales, stopAtWrite } from '../night.ts';
import { commandIn } from '../program.ts';

/** By file: the places of its rows, and its folder. */
function accounts(scene: Scene): { readonly [id: string]: { readonly state: string } } {
  const paths = ['error', 'pending', 'outbox'].flatMap((folder) => scene.files(folder));
  const summaries = paths.filter((path) => path.endsWith('.summary.json'));
  return Object.fromEntries(
    summaries.map((path) => {
      const { file, rows } = JSON.parse(scene.read(path));
      return [file.id, { name: file.name, state: file.state, rows, folder: path.split('/')[0] }];
    }),
  );
}

test.each(['rebuild', 'restore'])('what later files corrected, and files that came twice: %s', async (how) => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  await commandIn(scene, 'backup', copy);
  // One is corrected by a person, one by an export, one by both.
  scene.drop('ventes-1.csv', sales(['A1', 'A2-X6', 'A3-X6', 'A4-X6']));
  await scene.night();
  await commandIn(scene, 'fix', 'A2-X6', 'Qte=7', '--reason', 'the quantity of the order');
  await commandIn(scene, 'fix', 'A4-X6', 'Qte=7', '--reason', 'the quantity of the order');
  await scene.night();
  scene.drop('ventes-2.csv', sales(['A4-X6', 'A3-X6'], '3'));
  scene.drop('ventes-3.csv', sales(['A1', 'A2-X6', 'A3-X6', 'A4-X6']));
  await scene.night();
  await scene.night();
  const before = accounts(scene);
  expect(Object.values(before).map((one) => one.state)).toContain('duplicate');
  if (how === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
  await commandIn(scene, 'ledger', how, ...(how === 'rebuild' ? [] : [copy]));
  await commandIn(scene, 'ledger', 'end-quarantine', 'compared');
  await scene.night();
  expect(accounts(scene)).toEqual(before);
  expect((await commandIn(scene, 'verify')).out).not.toMatch(/verify\/(?!response)/);
  const files = await scene.look(async (ledger) => await ledger.queries.files({}));
  expect(files.find(({ name }) => name === 'ventes-3.csv')?.first).toMatchObject({ name: 'ventes-1.csv' });
});

test('a document that was corrected twice', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['A1-X6', 'A2']));
  await scene.night();
  for (const quantity of [7, 8]) {
    await commandIn(scene, 'fix', 'A1-X6', `Qte=${quantity}`, '--reason', 'the quantity of the order');
    await scene.night();
  }
  const before = accounts(scene);
  rmSync(join(scene.root, 'state'), { recursive: true });
  await commandIn(scene, 'ledger', 'rebuild');
  await commandIn(scene, 'ledger', 'end-quarantine', 'compared');
  scene.drop('ventes-2.csv', sales(['A1-X6'], '9'));
  await scene.night();
  const after = accounts(scene);
  expect(Object.keys(before)).toHaveLength(3);
  for (const [id, one] of Object.entries(before))
    expect(after[id]).toMatchObject({ state: one.state, rows: { unaccounted: { count: 0 } } });
  expect((await commandIn(scene, 'verify')).out).not.toMatch(/verify\/(?!response)/);
});

test('an export that a stop left before its archive is there for whoever proves it, and goes there', async () => {
  for (let at = 1, cut = true; cut; at++) {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales(['A1', 'A2']).replace('Client A1;1;2', 'Client A1;1;x'));
    cut = await scene.night({ through: stopAtWrite(at) }).then(
      () => false,
      () => true,
    );
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect(await commandIn(scene, 'ledger', 'rebuild'), `cut at ${at}`).toMatchObject({ code: 0 });
    expect(await commandIn(scene, 'verify'), `cut at ${at}`).toMatchObject({ code: 0 });
    await scene.night();
    expect(await commandIn(scene, 'verify'), `cut at ${at}, run`).toMatchObject({ code: 0 });
    expect(scene.files('processing'), `cut at ${at}`).toEqual([]);
    expect(scene.files('archive').length, `cut at ${at}`).toBe(1);
  }
});

test('the reading of a corrected document whose receipt is lost claims no row that its export has', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['A1', 'A2'], 'x'));
  await scene.night();
  const [sheet] = scene.files('error').filter((path) => path.endsWith('.to-fix.csv'));
  scene.drop('back.csv', scene.read(sheet!).replaceAll(';x;', ';2;'));
  await scene.night();
  rmSync(join(scene.root, scene.files('outbox').find((path) => path.endsWith('A2.receipt.json'))!));
  rmSync(join(scene.root, scene.files('outbox').find((path) => path.endsWith('A2.payload.json'))!));
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  await scene.night();
  const summaries = ['outbox', 'pending', 'error'].flatMap((folder) =>
    scene.files(folder).filter((path) => path.endsWith('.summary.json')),
  );
  const rows = summaries.map((path) => JSON.parse(scene.read(path)).rows);
  expect(rows.filter(({ unaccounted, twice }) => unaccounted.count + twice.count > 0)).toEqual([]);
  expect(scene.sandbox.acceptances().filter(({ accepted }) => accepted > 1)).toEqual([]);
});

test('the summary of an export is lost, and that of a correction of it is there', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['A1', 'A2-X6', 'A3']).replace('Client A1;1;2', 'Client A1;1;x'));
  await scene.night();
  await commandIn(scene, 'fix', 'A1', 'Qte@2=7', '--reason', 'the quantity of the order');
  await scene.night();
  const summaries = ['outbox', 'error'].flatMap((folder) =>
    scene.files(folder).filter((path) => path.endsWith('.summary.json')),
  );
  const first = summaries.find((path) => JSON.parse(scene.read(path)).file.rereads === undefined);
  rmSync(join(scene.root, first!));
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0, err: '' });
  await scene.night();
  expect((await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`).sort()).toEqual([
    'A1 authorized',
    'A2-X6 rejected',
    'A3 authorized',
  ]);
  for (const { rows } of Object.values(accounts(scene)) as unknown as {
    rows: { [place: string]: { count: number } };
  }[])
    expect([rows.unaccounted!.count, rows.twice!.count]).toEqual([0, 0]);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});

const COMPANIES = SALES_MAPPING.replace('one-per: [Num]', 'one-per: [Siren, Num]').replace(
  "name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }]",
  'name: $Societe, identifiers: [{ type: siren, value: $Siren }]',
);
/** Each number is that of two companies. */
const ofCompanies = (quantity: string) =>
  [
    'Num;Date;Client;Lig;Qte;PU;Taux;Societe;Siren',
    ...['N1', 'N2'].flatMap((number) => [
      `${number};05/09/2026;A;1;${quantity};10,50;20;Une;732829320`,
      `${number};05/09/2026;B;1;${quantity};20,50;20;Deux;552100554`,
    ]),
    '',
  ].join('\n');

test.each(
  ['an export', 'a correction file', 'both'].flatMap((by) => ['rebuild', 'restore'].map((how) => [by, how] as const)),
)('documents of two companies with one number, corrected by %s: %s', async (by, how) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': COMPANIES } });
  const copy = join(scene.root, 'copy.sqlite');
  await commandIn(scene, 'backup', copy);
  scene.drop('ventes-1.csv', ofCompanies('2O'));
  await scene.night();
  if (by !== 'an export') {
    const sheet = scene.files('error').find((one) => one.endsWith('.to-fix.csv'))!;
    scene.drop('back.to-fix.csv', scene.read(sheet).replaceAll('2O', by === 'both' ? '3O' : '2'));
    await scene.night();
  }
  if (by !== 'a correction file') scene.drop('ventes-2.csv', ofCompanies('2'));
  await scene.night();
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(4);
  const before = accounts(scene);
  if (how === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
  await commandIn(scene, 'ledger', how, ...(how === 'rebuild' ? [] : [copy]));
  await commandIn(scene, 'ledger', 'end-quarantine', 'compared');
  await scene.night();
  expect(accounts(scene)).toEqual(before);
  expect((await commandIn(scene, 'verify')).out).not.toMatch(/verify\/(?!response)/);
});

test.each(['rebuild', 'restore'])('documents of which a person has made one: %s', async (how) => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  await commandIn(scene, 'backup', copy);
  scene.drop('ventes.csv', sales(['A1-X6', 'A2-X6', 'A3-X6']));
  await scene.night();
  const who = { by: 'anna', at: new Date().toISOString(), reason: 'one order' };
  await scene.desk(async (work) => {
    const rejected: LedgerEntry[] = [];
    for await (const found of work.ledger.queries.find({ states: ['rejected'] })) rejected.push(found);
    const corrections: readonly Correction[] = rejected.flatMap(({ rows, facts: { identifier: from } }) =>
      rows.flatMap((row, index) => [
        { ...who, row, column: 'Num', from, to: 'A1' },
        { ...who, row, column: 'Client', from: `Client ${from}`, to: 'Client A1' },
        { ...who, row, column: 'Lig', from: String(index + 1), to: String(row) },
      ]),
    );
    await reprocess(work, rejected, { ...who, corrections });
  });
  await scene.night();
  expect((await scene.entries()).map(({ state, rows }) => [state, rows.length])).toEqual([
    ['authorized', 6],
    ['duplicate', 0],
    ['duplicate', 0],
  ]);
  const before = accounts(scene);
  if (how === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
  await commandIn(scene, 'ledger', how, ...(how === 'rebuild' ? [] : [copy]));
  await scene.night();
  expect(accounts(scene)).toEqual(before);
  expect((await commandIn(scene, 'verify')).out).not.toMatch(/verify\/(?!response)/);
});
