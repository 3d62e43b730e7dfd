/** Many documents corrected by one command: what is previewed, recorded, sent once; and what is refused. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene } from '../night.ts';
import { commandIn, runIn, startIn } from '../program.ts';

const MAPPING = SALES_MAPPING.replace('columns: {', 'columns: { Siren: { text: siren },').replace(
  'receiver: { name: $Client }',
  'receiver: { name: $Client, identifiers: [{ type: siren, value: $Siren }] }',
);
const HEAD = 'Num;Date;Client;Lig;Qte;PU;Taux;Siren';
const WRONG = '99920041';
const RIGHT = '999200419';
const KEY = `map/damaged-text:sales@Siren=${WRONG}`;
const WHY = ['--reason', 'the register of companies', '--by', 'anna'];

function rowsOf(number: string, siren = WRONG): readonly string[] {
  return [1, 2].map((line) => `${number};05/09/2026;Arceaux;${line};2;10,50;20;${siren}`);
}

function numbered(count: number, letter = 'A'): readonly string[] {
  return Array.from({ length: count }, (_, n) => `${letter}${n + 1}`);
}

function exportOf(numbers: readonly string[], siren?: string): string {
  return `${[HEAD, ...numbers.flatMap((number) => rowsOf(number, siren))].join('\n')}\n`;
}

/** A night in which all documents of these files fail because of one SIREN. */
async function wrongNight(files: { readonly [name: string]: string }): Promise<Scene> {
  const scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  for (const [name, text] of Object.entries(files)) scene.drop(name, text);
  await scene.night();
  return scene;
}

async function statesOf(scene: Scene) {
  return Object.fromEntries((await scene.entries()).map(({ facts, state }) => [facts.identifier, state]));
}

test('40 documents of two files: one command, each recorded, sent once by the next run', async () => {
  await using scene = await wrongNight({
    'ventes-1.csv': exportOf(numbered(30)),
    'ventes-2.csv': exportOf(numbered(10, 'B')),
  });
  const asked = await commandIn(scene, 'fix', '--cause', KEY, `Siren=${RIGHT}`, ...WHY);
  expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('select/many-documents') });
  const look = await commandIn(scene, 'fix', '--cause', KEY, `Siren=${RIGHT}`, '--dry-run');
  expect(look).toMatchObject({ code: 0 });
  expect(look.out).toMatch(/ A1 +Siren, 2 rows +99920041 -> 999200419 +queued\n/);
  expect(look.out).toContain('40 documents, 80 cells: 40 pass the checks, 0 need action');
  expect(new Set(Object.values(await statesOf(scene)))).toEqual(new Set(['invalid']));

  const fixed = await commandIn(scene, 'fix', '--cause', KEY, `Siren=${RIGHT}`, ...WHY, '--yes');
  expect(fixed).toMatchObject({ code: 0, out: expect.stringContaining('40 documents corrected: 40 queued') });
  await scene.night();
  expect(new Set(Object.values(await statesOf(scene)))).toEqual(new Set(['authorized']));
  const taken = scene.sandbox.acceptances();
  expect(taken).toHaveLength(40);
  expect(taken.filter(({ accepted, requests }) => accepted !== 1 || requests !== 1)).toEqual([]);
  for (const entry of await scene.entries()) {
    const corrections = await scene.look((ledger) => ledger.queries.correctionsOf(entry.file.rereads ?? entry.file.id));
    const own = corrections.filter(({ row }) => entry.rows.includes(row));
    expect(own).toMatchObject(
      entry.rows.map((row) => ({ row, column: 'Siren', from: WRONG, to: RIGHT, by: 'anna', reason: WHY[1] })),
    );
  }
  const again = await commandIn(scene, 'fix', '--cause', KEY, `Siren=${RIGHT}`, ...WHY, '--yes');
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining('No documents selected') });
});

test.each<[string, readonly string[], number, string]>([
  ['a filter without a former value', ['--mapping', 'sales', `Siren=${RIGHT}`], 2, 'fix/no-former'],
  ['an empty former value', ['--mapping', 'sales', '--from', '', `Siren=${RIGHT}`], 2, 'fix/other-value'],
  ['another former value', ['--mapping', 'sales', '--from', `${WRONG} `, `Siren=${RIGHT}`], 2, 'fix/other-value'],
  ['another column', ['A1', 'A2', '--column', 'Client', `Siren=${RIGHT}`], 2, 'fix/other-column'],
  ['no suggestion', ['A1', 'A2', '--suggested'], 2, 'fix/nothing-suggested'],
  ['no document', [`Siren=${RIGHT}`], 2, 'select/nothing-named'],
  ['a state alone', ['--state', 'invalid', '--from', WRONG, `Siren=${RIGHT}`], 2, 'select/many-documents'],
  ['a printed placeholder', ['A1', 'A2', 'Siren=VALUE'], 2, 'fix/printed-value'],
])('%s is refused, and nothing changes', async (_, args, code, error) => {
  await using scene = await wrongNight({ 'ventes.csv': exportOf(['A1', 'A2']) });
  const refused = await commandIn(scene, 'fix', ...args, ...WHY);
  expect(refused).toMatchObject({ code, err: expect.stringContaining(error) });
  expect((await scene.entries()).map(({ revision }) => revision)).toEqual([1, 1]);
});

test('several documents by name, cells with exactly the former text, and what does not fit is left out', async () => {
  await using scene = await wrongNight({
    'ventes.csv': `${exportOf(['A1', 'A2'])}${rowsOf('A3', '9,99E+08').join('\n')}\n`,
  });
  const mixed = await commandIn(scene, '--json', 'fix', 'A1', 'A3', '--from', WRONG, `Siren=${RIGHT}`, ...WHY);
  expect(mixed.code).toBe(3);
  expect(JSON.parse(mixed.out)).toMatchObject({
    dryRun: false,
    corrections: [{ row: 2 }, { row: 3 }],
    documents: [{ number: 'A1', was: 'invalid', becomes: 'ready' }],
    leftOut: [{ number: 'A3', code: 'fix/other-value' }],
  });
  expect(await statesOf(scene)).toEqual({ A1: 'ready', A2: 'invalid', A3: 'invalid' });
  const late = await commandIn(scene, '--json', 'fix', 'A1', 'A2', `Siren=${RIGHT}`, ...WHY);
  expect(JSON.parse(late.out)).toMatchObject({
    documents: [{ number: 'A2' }],
    leftOut: [{ number: 'A1', state: 'ready', code: 'fix/too-late' }],
  });
});

test('a filter leaves documents that a person set aside', async () => {
  await using scene = await wrongNight({ 'ventes.csv': exportOf(['A1', 'A2']) });
  await commandIn(scene, 'reject', 'A1', '--reason', 'not ours');
  await commandIn(scene, 'fix', '--cause', KEY, `Siren=${RIGHT}`, ...WHY);
  expect(await statesOf(scene)).toEqual({ A1: 'invalid', A2: 'ready' });
});

test('what the faults suggest, for all documents of a cause at once', async () => {
  const mapping = MAPPING.replace('Siren: { text: siren }', 'Siren: { text: siren }, Client: { text: 5 digits }');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes.csv', exportOf(['A1', 'A2', 'A3'], '732829320').replaceAll('Arceaux', '1000'));
  await scene.night();
  const key = 'map/damaged-text:sales@Client=1000';
  expect((await commandIn(scene, 'errors', '--group', 'cause')).out).toContain(
    `nightpost fix --cause ${key} --suggested --reason "..."`,
  );
  const fixed = await commandIn(scene, 'fix', '--cause', key, '--suggested', ...WHY);
  expect(fixed).toMatchObject({ code: 0, out: expect.stringContaining('1000 -> 01000') });
  expect(Object.values(await statesOf(scene))).toEqual(['ready', 'ready', 'ready']);
});

test('a document that another person changed since the preview is left as it is, with a sentence', async () => {
  await using scene = await wrongNight({ 'ventes.csv': exportOf(['A1', 'A2', 'A3']) });
  const { planFix } = await import('../../src/decisions/plan-fix.ts');
  const { fixDocuments } = await import('../../src/decisions/fix-documents.ts');
  const entries = await scene.entries();
  const plan = await scene.desk((work) => planFix(work, entries, { cells: [`Siren=${RIGHT}`] }));
  await commandIn(scene, 'fix', 'A1', 'Siren=12345678', ...WHY);
  await commandIn(scene, 'fix', 'A2', `Siren=${RIGHT}`, ...WHY);
  const decision = { by: 'second', reason: 'why', at: '2026-11-22T10:00:00.000Z' };
  const results = await scene.desk((work) => fixDocuments({ ...work, steps: new Set() }, plan.documents, decision));
  expect(results).toMatchObject([
    { entry: { facts: { identifier: 'A1' } }, fault: { code: 'fix/changed-meanwhile' } },
    { entry: { facts: { identifier: 'A2' } }, done: true },
    { entry: { facts: { identifier: 'A3' } }, state: 'ready' },
  ]);
  const [first] = await scene.entries();
  const corrections = await scene.look((ledger) => ledger.queries.correctionsOf(first!.file.rereads!));
  expect(corrections.filter(({ by }) => by === 'second').map(({ row }) => row)).toEqual([6, 7]);
  await scene.night();
  expect(await statesOf(scene)).toEqual({ A1: 'invalid', A2: 'authorized', A3: 'authorized' });
});

test('40 documents of one file are one reading, not 40', async () => {
  await using scene = await wrongNight({ 'ventes.csv': exportOf(numbered(40)) });
  await commandIn(scene, 'fix', '--cause', KEY, `Siren=${RIGHT}`, ...WHY, '--yes');
  const files = await scene.look((ledger) => ledger.queries.files({}));
  expect(files.filter(({ rereads }) => rereads !== undefined)).toHaveLength(1);
});

test('killed in the middle of many corrections: each is corrected or not, and done again it is complete', async () => {
  const files = Object.fromEntries(
    numbered(6, 'F').map((name) => [`ventes-${name}.csv`, exportOf(numbered(8, name).map((one) => `${one}`))]),
  );
  await using scene = await wrongNight(files);
  const command = ['fix', '--cause', KEY, `Siren=${RIGHT}`, ...WHY, '--yes'];
  const ledger = `${scene.root}/state/ledger.sqlite-wal`;
  for (const growth of [20_000, 120_000]) {
    const size = sizeOf(ledger);
    const { child, ended } = startIn(scene, ...command);
    while (child.exitCode === null && sizeOf(ledger) < size + growth) await wait(2);
    child.kill('SIGKILL');
    await ended;
    const states = new Set(Object.values(await statesOf(scene)));
    expect([...states].filter((state) => state !== 'invalid' && state !== 'ready')).toEqual([]);
  }
  expect((await runIn(scene, ...command)).code).toBe(0);
  await scene.night();
  expect(new Set(Object.values(await statesOf(scene)))).toEqual(new Set(['authorized']));
  const taken = scene.sandbox.acceptances();
  expect(taken).toHaveLength(48);
  expect(taken.filter(({ accepted, requests }) => accepted !== 1 || requests !== 1)).toEqual([]);
});

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

test('a correction of three nights is proposed as a line of the mapping, which makes the fourth night good', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  const proposalsOf = async (...args: string[]) => {
    const { out } = await commandIn(scene, '--json', ...args);
    return (JSON.parse(out) as { proposals: { line: string; files: number }[] }).proposals;
  };
  for (const night of ['1', '2', '3']) {
    expect(await proposalsOf('errors', '--group', 'cause')).toEqual([]);
    scene.drop(`ventes-${night}.csv`, exportOf([`A${night}`]));
    await scene.night();
    // A quantity that was wrong three times is right in other rows.
    await commandIn(scene, 'fix', `A${night}`, `Siren=${RIGHT}`, 'Qte=3', ...WHY);
    await scene.night();
  }
  const line = `replace: { Siren: { "${WRONG}": "${RIGHT}" } }`;
  const proposal = { mapping: 'sales', column: 'Siren', from: WRONG, to: RIGHT, files: 3, file: 'mappings/sales.yaml' };
  for (const command of [['errors', '--group', 'cause'], ['errors'], ['status']]) {
    expect(await proposalsOf(...command)).toMatchObject([{ ...proposal, under: 'source', line }]);
  }
  expect((await commandIn(scene, 'status')).out).toContain(`add to mappings/sales.yaml, under source: ${line}`);

  const path = join(scene.root, 'mappings/sales.yaml');
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('source:\n', `source:\n  ${line}\n`).replace('version: 1', 'version: 2'),
  );
  expect(await proposalsOf('status')).toEqual([]);
  scene.drop('ventes-4.csv', exportOf(['A4']));
  await scene.night();
  expect(await statesOf(scene)).toEqual({ A1: 'authorized', A2: 'authorized', A3: 'authorized', A4: 'authorized' });
});

test('a text that was corrected to two different values is not proposed', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  for (const [night, right] of [RIGHT, RIGHT, RIGHT, '732829320'].entries()) {
    scene.drop(`ventes-${night}.csv`, exportOf([`A${night}`]));
    await scene.night();
    await commandIn(scene, 'fix', `A${night}`, `Siren=${right}`, ...WHY);
  }
  expect((await commandIn(scene, 'status')).out).not.toContain('replace:');
});
