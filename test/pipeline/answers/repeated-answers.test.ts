/**
 * An ERP that exports a document once more gets the answer of that document: the last letter that it has for a number is
 * always that of what became of the document, whatever its table says about duplicates.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import csv from 'csvtojson';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

/** The table that earlier versions shipped: a duplicate counts as accepted. */
const OLD_TABLE = `{ authorized: A, duplicate: A, invalid: R, conflict: R, rejected: R, refused: R, returned: R, failed: R,
    invalidated: X, held: W, ready: W, contingency: W, in-doubt: D }`;
const NEW_TABLE = OLD_TABLE.replace('duplicate: A, ', '');

const mappingWith = (table: string, when = 'change', name = 'RET_{file.stem}_{n:4}.csv') => ({
  'sales.yaml': `${SALES_MAPPING}
tables:
  states: ${table}
answers:
  - file: "${name}"
    when: ${when}
    format: { csv: { delimiter: ";" } }
    row:
      NUM: $Num
      ETAT: { from: "@answer.state", table: states }
      STATE: "@answer.state"
      CODE: "@answer.code"
      TRACKING: "@answer.tracking-id"
      REPEATS: "@answer.repeats"
`,
});

type Line = { readonly [column in 'NUM' | 'ETAT' | 'STATE' | 'CODE' | 'TRACKING' | 'REPEATS']: string };

/** Takes the files as an ERP does, by their number. */
async function importAll(scene: Scene): Promise<readonly Line[]> {
  const folder = join(scene.root, 'answers');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.csv')) : [];
  const lines: Line[] = [];
  for (const name of names.sort((a, b) => a.slice(-8).localeCompare(b.slice(-8)))) {
    lines.push(...((await csv({ delimiter: ';' }).fromString(readFileSync(join(folder, name), 'utf8'))) as Line[]));
    rmSync(join(folder, name));
  }
  return lines;
}

/** Adds the lines to what the ERP knows, by number. */
async function learn(scene: Scene, erp: Map<string, Line>): Promise<readonly Line[]> {
  const lines = await importAll(scene);
  for (const line of lines) erp.set(line.NUM, line);
  return lines;
}

const NUMBERS = ['F1', 'F2-X6', 'F3-X11', 'F4-X15', 'F5-X8', 'F6-XLOST', 'F7-XDROP'];

const lettersOf = (erp: ReadonlyMap<string, Line>) =>
  Object.fromEntries([...erp].map(([number, { ETAT, STATE }]) => [number, `${ETAT} ${STATE}`]));

test.each([
  ['the shipped table', NEW_TABLE],
  ['the table of earlier versions', OLD_TABLE],
])('with %s, a repeated document has the answer of the first one, also when that changes', async (_what, table) => {
  await using scene = await openScene({ mappings: mappingWith(table) });
  const erp = new Map<string, Line>();
  scene.drop('ventes1.csv', sales(NUMBERS));
  await scene.night();
  await learn(scene, erp);
  const first = new Map(erp);
  const letters = {
    ...{ F1: 'A authorized', 'F2-X6': 'R rejected', 'F3-X11': 'X invalidated', 'F4-X15': 'R returned' },
    ...{ 'F5-X8': 'W contingency', 'F6-XLOST': 'D in-doubt', 'F7-XDROP': 'D in-doubt' },
  };
  expect(lettersOf(erp)).toEqual(letters);
  expect([...erp.values()].map(({ REPEATS }) => REPEATS)).toEqual(NUMBERS.map(() => 'false'));

  scene.drop('ventes2.csv', `${sales([...NUMBERS, 'F9'])}`);
  await scene.night();
  const repeated = await learn(scene, erp);
  expect(lettersOf(erp)).toEqual({ ...letters, F9: 'A authorized' });
  for (const line of repeated.filter(({ NUM }) => NUM !== 'F9')) {
    expect(line).toEqual({ ...first.get(line.NUM), REPEATS: 'true' });
  }
  expect(repeated).toHaveLength(NUMBERS.length + 1);

  writeFileSync(join(scene.root, 'portal.png'), 'a picture');
  const proof = ['--evidence', join(scene.root, 'portal.png'), '--reason', 'looked up'];
  expect((await commandIn(scene, 'consult', 'F6-XLOST')).code).toBe(0);
  expect((await commandIn(scene, 'resolve', 'F7-XDROP', '--as', 'rejected', ...proof)).code).toBe(0);
  await scene.night();
  const changed = await learn(scene, erp);
  expect(lettersOf(erp)).toMatchObject({ 'F6-XLOST': 'A authorized', 'F7-XDROP': 'R rejected' });
  expect(changed.map(({ NUM, ETAT, REPEATS }) => `${NUM} ${ETAT} ${REPEATS}`).sort()).toEqual([
    'F6-XLOST A false',
    'F6-XLOST A true',
    'F7-XDROP R false',
    'F7-XDROP R true',
  ]);
  await scene.night();
  expect(await learn(scene, erp)).toEqual([]);
  const [repeat] = (await scene.entries()).filter(
    ({ state, facts }) => state === 'duplicate' && facts.identifier === 'F2-X6',
  );
  expect(
    (await scene.look((ledger) => ledger.answers.reportedToErp(repeat?.id ?? ''))).map(({ state, code }) => [
      state,
      code,
    ]),
  ).toEqual([['rejected', 6]]);
});

test('a repeated document of one export waits until the first one has an answer, and a batch waits for it', async () => {
  await using scene = await openScene({ mappings: mappingWith(NEW_TABLE, 'settled') });
  scene.drop('ventes1.csv', sales(['F1-XLOST', 'F2']));
  await scene.night();
  scene.drop('ventes2.csv', sales(['F1-XLOST', 'F3']));
  await scene.night();
  expect(await importAll(scene)).toEqual([]);
  expect((await commandIn(scene, 'consult', 'F1-XLOST')).code).toBe(0);
  await scene.night();
  expect((await importAll(scene)).map(({ NUM, ETAT, REPEATS }) => `${NUM} ${ETAT} ${REPEATS}`)).toEqual([
    'F1-XLOST A false',
    'F2 A false',
    'F1-XLOST A true',
    'F3 A false',
  ]);
});

test('a mapping that reports repeats gets the answer of a document that was sent without answers, also through a second repeat', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING } });
  scene.drop('ventes1.csv', sales(['F1-XLOST']));
  await scene.night();
  const [mapping] = Object.entries(mappingWith(NEW_TABLE));
  writeFileSync(join(scene.root, 'mappings', mapping![0]), mapping![1]);
  for (const n of [2, 3]) {
    scene.drop(`ventes${n}.csv`, sales(['F1-XLOST', `F${n}`]));
    await scene.night();
  }
  expect((await importAll(scene)).map(({ NUM, ETAT }) => `${NUM} ${ETAT}`)).toEqual([
    'F1-XLOST D',
    'F2 A',
    'F1-XLOST D',
    'F3 A',
  ]);
  expect((await commandIn(scene, 'consult', 'F1-XLOST')).code).toBe(0);
  await scene.night();
  const lines = await importAll(scene);
  expect(lines.map(({ NUM, ETAT, REPEATS }) => `${NUM} ${ETAT} ${REPEATS}`)).toContain('F1-XLOST A true');
  expect(lines.filter(({ REPEATS }) => REPEATS === 'true')).toHaveLength(2);
});

test('a document that is held, and released later', async () => {
  const settings = { run: { hold: { over: { EUR: 10 } } } };
  await using scene = await openScene({ mappings: mappingWith(OLD_TABLE), settings });
  const erp = new Map<string, Line>();
  for (const n of [1, 2]) {
    scene.drop(`ventes${n}.csv`, sales(['F1', `G${n}`]));
    await scene.night();
    await learn(scene, erp);
  }
  expect(lettersOf(erp)).toMatchObject({ F1: 'W held' });
  expect((await commandIn(scene, 'release', 'F1', '--reason', 'looked at it')).code).toBe(0);
  await scene.night();
  await learn(scene, erp);
  expect(lettersOf(erp)).toMatchObject({ F1: 'A authorized' });
});
