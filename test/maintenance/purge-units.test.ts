/**
 * Purge over exports in one and in two files, dropped again, corrected, and with documents that wait: after any purge every open
 * document can be read again, and the name of a purged counterparty is only in exports that the command reports as kept.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runs/open-run.ts';
import { filesWith } from '../files-with.ts';
import { openScene, SALES_MAPPING, type Scene } from '../night.ts';
import { PAIR_MAPPING } from '../pipeline/sources/pair-mapping.ts';
import { commandIn } from '../program.ts';
import { runs } from '../seed.ts';

const NAME = 'Zoroastre Quetzal';
const OTHER = 'Jeanne Dupont';
const DAY_MS = 86_400_000;
const KEEP = { archive: '30d', receipts: '30d', content: '30d' };

type Doc = { readonly number: string; readonly client: string; readonly isWrong: boolean };

const openPairs = (settings: object = {}) =>
  openScene({ settings, mappings: { 'sales.yaml': SALES_MAPPING, 'pairs.yaml': PAIR_MAPPING } });

function dropPair(scene: Scene, part: string, docs: readonly Doc[]): void {
  scene.drop(`ENT_${part}.csv`, ['Num;Client', ...docs.map((one) => `${one.number};${one.client}`), ''].join('\n'));
  const line = ({ number, isWrong }: Doc) => `${number};1;${isWrong ? 'x' : '10,00'}`;
  scene.drop(`LIG_${part}.csv`, ['Num;Lig;Net', ...docs.map(line), ''].join('\n'));
}

function dropSingle(scene: Scene, part: string, docs: readonly Doc[]): void {
  const line = ({ number, client, isWrong }: Doc) => `${number};05/09/2026;${client};1;${isWrong ? 'x' : '2'};10,50;20`;
  scene.drop(`ventes-${part}.csv`, ['Num;Date;Client;Lig;Qte;PU;Taux', ...docs.map(line), ''].join('\n'));
}

/** A run of so many days ago that takes all that is in the inbox. */
async function nightAgo(scene: Scene, days: number): Promise<void> {
  await scene.night({
    clock: { ...systemClock, now: () => new Date(Date.now() - days * DAY_MS) },
    files: scene.files('inbox').map((path) => join(scene.root, path)),
  });
}

async function purge(scene: Scene, ...words: string[]) {
  const { out, err, code } = await commandIn(scene, '--json', 'purge', '--reason', 'asked for', ...words);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as { readonly kept: readonly { readonly path: string; readonly why: string }[] };
}

/** Each open document is read from the archive as it is now. */
async function expectReadable(scene: Scene): Promise<void> {
  for (const { facts, state } of await scene.entries()) {
    if (state !== 'invalid') continue;
    const { out } = await commandIn(scene, '--json', 'reprocess', facts.identifier, '--dry-run', '--reason', 'look');
    expect([facts.identifier, out]).not.toEqual([facts.identifier, expect.stringMatching(/reprocess\/|missing/)]);
  }
  expect(await commandIn(scene, 'verify', '--all')).toMatchObject({ code: 0 });
}

const right = (number: string, client: string): Doc => ({ number, client, isWrong: false });
const wrong = (number: string, client: string): Doc => ({ number, client, isWrong: true });

test('by age, the headers stay as long as a document of the pair waits, and it can still be fixed', async () => {
  await using scene = await openPairs({ keep: KEEP });
  dropPair(scene, '0905', [right('P1', NAME), wrong('P2', OTHER)]);
  await nightAgo(scene, 40);
  await purge(scene);
  expect(scene.files('archive').map((path) => path.replace(/.*-/, ''))).toEqual(
    ['LIG_0905.csv', 'ENT_0905.csv'].sort(),
  );
  await expectReadable(scene);
  expect((await commandIn(scene, 'fix', 'P2', 'Net=10,00', '--reason', 'x')).code).toBe(0);
  expect((await scene.entries()).find(({ facts }) => facts.identifier === 'P2')?.state).toBe('ready');
});

test('by age, both files of a pair go when all their documents may go', async () => {
  await using scene = await openPairs({ keep: KEEP });
  dropPair(scene, '0905', [right('P1', NAME), right('P2', OTHER)]);
  await nightAgo(scene, 40);
  await purge(scene);
  expect(scene.files('archive')).toEqual([]);
  await expectReadable(scene);
});

test('of a counterparty both files of a pair go, or both stay and are reported as kept', async () => {
  await using scene = await openPairs();
  dropPair(scene, '0905', [right('P1', NAME)]);
  dropPair(scene, '0906', [right('P2', NAME), right('P3', OTHER)]);
  dropPair(scene, '0907', [right('P4', NAME), wrong('P5', NAME)]);
  await scene.night();
  const { kept } = await purge(scene, '--subject', NAME);
  expect(kept.map(({ path, why }) => [path.replace(/.*-/, ''), why]).sort()).toEqual([
    ['ENT_0906.csv', 'others'],
    ['ENT_0907.csv', 'waiting'],
    ['LIG_0906.csv', 'others'],
    ['LIG_0907.csv', 'waiting'],
  ]);
  expect(scene.files('archive').filter((path) => path.includes('0905'))).toEqual([]);
  await expectReadable(scene);
  const shown = await commandIn(scene, 'purge', '--subject', NAME, '--dry-run');
  expect(shown.out).toContain('1 document is kept: it still needs action');
});

test('every copy of an export goes: dropped again under another name, refused at first, corrected by a later one', async () => {
  await using scene = await openPairs();
  dropSingle(scene, '1', [right('F1', NAME)]);
  await scene.night();
  dropSingle(scene, '1-again', [right('F1', NAME)]);
  dropSingle(scene, '2', [wrong('F2', NAME)]);
  await scene.night();
  // No mapping takes a file of this name.
  dropSingle(scene, '3', [right('F2', NAME)]);
  renameSync(join(scene.root, 'inbox/ventes-3.csv'), join(scene.root, 'inbox/autre.csv'));
  await scene.night();
  dropSingle(scene, '3', [right('F2', NAME)]);
  await scene.night();
  expect(filesWith(scene, NAME).filter((path) => path.startsWith('archive/')).length).toBe(5);
  expect((await purge(scene, '--subject', NAME)).kept).toEqual([]);
  expect(filesWith(scene, NAME)).toEqual([]);
  await expectReadable(scene);
});

test('an export of which a refused copy still waits for a person stays, and is listed as kept', async () => {
  await using scene = await openPairs();
  dropSingle(scene, '1', [right('F1', NAME)]);
  const bytes = scene.read('inbox/ventes-1.csv');
  await scene.night();
  // No mapping takes a file of this name.
  scene.drop('autre.csv', bytes);
  await scene.night();
  const { kept } = await purge(scene, '--subject', NAME);
  expect(kept.map(({ path, why }) => [path.replace(/.*-/, ''), why]).sort()).toEqual([
    ['1.csv', 'waiting'],
    ['autre.csv', 'waiting'],
  ]);
  expect((await commandIn(scene, 'set-aside', 'autre.csv', '--reason', 'a copy')).code).toBe(0);
  expect((await purge(scene, '--subject', NAME)).kept).toEqual([]);
  expect(filesWith(scene, NAME)).toEqual([]);
});

test('a document that was fixed goes with the words of the person, and its export, kept for others, is still proven', async () => {
  await using scene = await openPairs();
  dropSingle(scene, '1', [wrong('F1', NAME), wrong('F2', OTHER), wrong('F3', OTHER)]);
  await scene.night();
  for (const number of ['F1', 'F2']) {
    const words = ['--reason', `${NAME} says that the letter is a 2`];
    expect(await commandIn(scene, 'fix', number, 'Qte=2', ...words)).toMatchObject({ code: 0 });
  }
  await scene.night();
  const { kept } = await purge(scene, '--subject', NAME);
  expect(kept.map(({ why }) => why)).toEqual(['others']);
  await expectReadable(scene);
  // What a person wrote about the document of another one is part of that document.
  expect(filesWith(scene, NAME).filter((path) => /F1|report/.test(path))).toEqual([]);
  const reasons = await scene.look(async (ledger) => {
    const [file] = await ledger.queries.filesCalled('ventes-1.csv');
    return (await ledger.queries.correctionsOf(file!.id)).map(({ row, to, reason }) => [row, to, reason]);
  });
  expect(reasons).toEqual([
    [2, '', ''],
    [3, '2', expect.stringContaining(NAME)],
  ]);
});

test('a row that belongs to another document by now keeps its corrections, and that document can still be fixed', async () => {
  await using scene = await openPairs();
  dropSingle(scene, '1', [wrong('F1', NAME), wrong('F1-', NAME)]);
  await scene.night();
  expect(await commandIn(scene, 'fix', 'F1-', 'Num=F1', 'Qte=2', '--reason', 'x')).toMatchObject({ code: 3 });
  expect((await scene.entries()).map(({ state }) => state).sort()).toEqual(['duplicate', 'invalid']);
  await purge(scene, '--subject', NAME);
  expect(await commandIn(scene, 'fix', 'F1', 'Qte@2=2', '--reason', 'x')).toMatchObject({ code: 0 });
  await scene.night();
  expect((await scene.entries()).map(({ state, rows }) => [state, rows]).sort()).toEqual([
    ['authorized', [2, 3]],
    ['duplicate', []],
  ]);
  expect((await purge(scene, '--subject', NAME)).kept).toEqual([]);
  expect(filesWith(scene, NAME)).toEqual([]);
});

test('an export of two counterparties goes with the second one, also after a purge that was stopped before its files', async () => {
  await using scene = await openPairs();
  dropPair(scene, '0905', [right('P1', NAME), right('P2', OTHER)]);
  await scene.night();
  expect((await purge(scene, '--subject', OTHER)).kept.map(({ why }) => why)).toEqual(['others', 'others']);
  const [mine] = (await scene.entries()).filter(({ facts }) => facts.counterparty === NAME);
  const at = new Date().toISOString();
  const what = ['receipts', 'content'] as const;
  await scene.look((ledger) =>
    ledger.maintenance.purgeEntry(mine!.id, { what, at, by: 'anna', reason: 'x', ofSubject: true }),
  );
  expect(scene.files('archive')).toHaveLength(2);
  expect((await purge(scene, '--subject', NAME)).kept).toEqual([]);
  expect(scene.files('archive')).toEqual([]);
});

test('the purge of a counterparty takes no export whose documents went by age alone', async () => {
  await using scene = await openPairs({ keep: { receipts: '30d', content: '30d' } });
  dropSingle(scene, 'old', [right('F1', OTHER)]);
  dropSingle(scene, 'shared', [right('F2', OTHER)]);
  await nightAgo(scene, 40);
  await purge(scene);
  dropSingle(scene, 'new', [right('F3', NAME)]);
  await scene.night();
  await purge(scene, '--subject', NAME);
  expect(
    scene
      .files('archive')
      .map((path) => path.replace(/.*-/, ''))
      .sort(),
  ).toEqual(['old.csv', 'shared.csv']);
});

const fileOf = fc.record({
  isPair: fc.boolean(),
  repeated: fc.constantFrom('never', 'again', 'corrected'),
  docs: fc.array(fc.record({ isNamed: fc.boolean(), isWrong: fc.nat(3).map((n) => n === 0) }), {
    minLength: 1,
    maxLength: 3,
  }),
});
const instanceOf = fc.record({
  nights: fc.array(fc.array(fileOf, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  isFixed: fc.boolean(),
  isByAgeFirst: fc.boolean(),
});

type FileMade = typeof fileOf extends fc.Arbitrary<infer T> ? T : never;

async function fill(scene: Scene, nights: readonly (readonly FileMade[])[]): Promise<void> {
  let made = 0;
  for (const [night, files] of nights.entries()) {
    const days = [50, 40, 0][night]!;
    const later: (() => void)[] = [];
    for (const [n, { isPair, repeated, docs: kinds }] of files.entries()) {
      const docs = kinds.map(({ isNamed, isWrong }) => ({
        number: `D${++made}`,
        client: isNamed ? NAME : OTHER,
        isWrong,
      }));
      const [drop, part] = [isPair ? dropPair : dropSingle, `${night}${n}`];
      drop(scene, part, docs);
      if (repeated === 'again') later.push(() => drop(scene, `${part}b`, docs));
      if (repeated === 'corrected') {
        const corrected = docs.map((one) => ({ ...one, isWrong: false }));
        later.push(() => drop(scene, `${part}c`, corrected));
      }
    }
    await nightAgo(scene, days);
    for (const drop of later) drop();
    await nightAgo(scene, days);
  }
}

test('after any purge every open document can be read again, and the name is only in exports that are kept', async () => {
  const property = fc.asyncProperty(instanceOf, async ({ nights, isFixed, isByAgeFirst }) => {
    await using scene = await openPairs({ keep: KEEP });
    await fill(scene, nights);
    for (const { facts, state, file } of isFixed ? await scene.entries() : []) {
      if (state !== 'invalid') continue;
      const cell = file.name.startsWith('ventes') ? 'Qte=2' : 'Net=10,00';
      expect(await commandIn(scene, 'fix', facts.identifier, cell, '--reason', 'x')).toMatchObject({ code: 0 });
    }
    await scene.night();
    if (isByAgeFirst) {
      await purge(scene);
      await expectReadable(scene);
    }
    const { kept } = await purge(scene, '--subject', NAME);
    await expectReadable(scene);
    const mine = (await scene.entries()).filter(({ facts }) => facts.counterparty === NAME);
    expect(mine.filter(({ state }) => state !== 'invalid' && state !== 'conflict')).toEqual([]);
    const allowed = new Set(kept.map(({ path }) => path));
    const left = filesWith(scene, NAME).filter((path) => !allowed.has(path));
    // A document that waits keeps its export, its receipt and its place in the reports.
    if (mine.length === 0) expect(left).toEqual([]);
    const waits = new Set(mine.map(({ file }) => file.sha256));
    expect(left.filter((path) => path.startsWith('archive/')).length).toBeLessThanOrEqual(waits.size * 4);
  });
  await fc.assert(property, { numRuns: runs(6), endOnFailure: true });
});
