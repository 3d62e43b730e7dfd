/** The search index follows the ledger: new documents, answers, other ledgers, damage; and what it must not keep. */
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSearchIndex } from '../../../src/ledger/search/search-index.ts';
import { openScene, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

const indexOf = (scene: Scene) => join(scene.root, 'state/index.sqlite');

/** Receipt names of the documents that the text finds, with the reason. */
async function found(scene: Scene, text: string, limit = 10): Promise<readonly string[]> {
  using index = await openSearchIndex(scene.root);
  const hits = await index.search(text, limit);
  const names = new Map((await scene.entries()).map(({ id, name }) => [id, name]));
  return hits.map(({ id, match }) => `${names.get(id)} ${match}`);
}

/** Bytes of the index in all of its files. */
function bytesOf(scene: Scene): string {
  return ['', '-wal']
    .map((end) => indexOf(scene) + end)
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'latin1'))
    .join('');
}

async function dropNight(scene: Scene, name: string, numbers: readonly string[]): Promise<void> {
  scene.drop(name, sales(numbers));
  await scene.night();
}

test('documents, and answers, that come after the first search are found', async () => {
  await using scene = await openScene();
  expect(await found(scene, 'F1')).toEqual([]);
  await dropNight(scene, 'ventes.csv', ['F1', 'F2']);
  expect(await found(scene, 'f1')).toEqual(['F1 number']);
  scene.drop('ventes2.csv', sales(['F3']));
  expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
  using before = await openSearchIndex(scene.root);
  expect(await before.page({ states: ['ready'] }, { limit: 9 })).toMatchObject({ ids: [expect.any(String)] });
  await scene.night();
  const [entry] = (await scene.entries()).filter(({ name }) => name === 'F3');
  expect(await found(scene, entry!.answer!.trackingId!)).toEqual(['F3 trackingId']);
  expect(await found(scene, entry!.attempts[0]!.requestId)).toEqual(['F3 requestId']);
  using after = await openSearchIndex(scene.root);
  expect((await after.page({ states: ['ready'] }, { limit: 9 })).ids).toEqual([]);
});

test('the index is the same whether it followed the ledger or was filled at once', async () => {
  await using scene = await openScene();
  const content = async () => {
    (await openSearchIndex(scene.root))[Symbol.dispose]();
    using db = new DatabaseSync(indexOf(scene), { readOnly: true });
    return db.prepare('SELECT id, state, since, warnings, numbers, terms FROM document ORDER BY id').all();
  };
  for (const n of [1, 2, 3]) {
    await dropNight(scene, `ventes${n}.csv`, [`F${n}`, `G${n}`]);
    scene.drop(`ventes-bad${n}.csv`, sales([`B${n}`]).replaceAll('05/09', '05/13'));
    await scene.night();
    await content();
  }
  const [invalid] = (await scene.entries()).filter(({ state }) => state === 'invalid');
  expect((await commandIn(scene, 'fix', invalid!.name, 'Date=05/09/2026', '--reason', 'typo')).code).toBe(0);
  await scene.night();
  const followed = await content();
  rmSync(indexOf(scene));
  expect(await content()).toEqual(followed);
  expect(followed).toHaveLength(9);
});

test('only the owner of the instance reads the index', async () => {
  await using scene = await openScene();
  await found(scene, 'F1');
  expect(statSync(indexOf(scene)).mode & 0o777).toBe(0o600);
});

test.each(['not a database', ''])('a damaged index (%j) is made again', async (bytes) => {
  await using scene = await openScene();
  await dropNight(scene, 'ventes.csv', ['F1']);
  await found(scene, 'F1');
  writeFileSync(indexOf(scene), bytes);
  expect(await found(scene, 'F1')).toEqual(['F1 number']);
});

test('an index with damaged pages is made again, and the answer is whole', async () => {
  await using scene = await openScene();
  await dropNight(scene, 'ventes.csv', ['F1', 'F2']);
  await found(scene, 'F1');
  const bytes = readFileSync(indexOf(scene));
  // The header stays: SQLite opens it as a database.
  bytes.fill(0xa5, 4096);
  writeFileSync(indexOf(scene), bytes);
  expect(await found(scene, 'F2')).toEqual(['F2 number']);
});

test('the index of another ledger, or of a later state of this one, is made again', async () => {
  await using scene = await openScene();
  await using other = await openScene();
  await dropNight(scene, 'ventes.csv', ['F1']);
  await dropNight(other, 'ventes.csv', ['G1']);
  await found(other, 'G1');
  writeFileSync(indexOf(scene), readFileSync(indexOf(other)));
  expect(await found(scene, 'G1')).toEqual([]);
  expect(await found(scene, 'F1')).toEqual(['F1 number']);
  const backup = join(scene.root, 'backup.sqlite');
  expect((await commandIn(scene, 'backup', backup)).code).toBe(0);
  await dropNight(scene, 'ventes2.csv', ['F2']);
  expect(await found(scene, 'F2')).toEqual(['F2 number']);
  expect((await commandIn(scene, 'ledger', 'restore', backup, 'test')).code).toBe(0);
  const restored = await found(scene, 'F2');
  const entries = (await scene.entries()).filter(({ facts }) => facts.identifier === 'F2');
  expect(restored).toEqual(entries.map(({ name }) => `${name} number`));
});

const keep = { archive: '5y', receipts: '5y', content: '5y' };

test('a purge leaves no name in the index, in the same act', async () => {
  await using scene = await openScene({ settings: { keep } });
  await dropNight(scene, 'ventes.csv', ['F1', 'F2']);
  expect(await found(scene, 'client f1')).toEqual(['F1 counterparty']);
  const [kept] = (await scene.entries()).filter(({ name }) => name === 'F2');
  expect((await commandIn(scene, 'purge', '--subject', 'Client F1', '--reason', 'asked for')).code).toBe(0);
  expect(existsSync(indexOf(scene))).toBe(false);
  expect(await found(scene, 'client f1')).toEqual([]);
  expect(await found(scene, 'F1')).toEqual(['F1 number']);
  expect(await found(scene, kept!.answer!.trackingId!)).toEqual(['F2 trackingId']);
});

test('an index that is older than a purge is cleared before it answers', async () => {
  await using scene = await openScene({ settings: { keep } });
  scene.drop('ventes.csv', sales(['F1', 'F2']).replaceAll('Client F1', 'Qwortz'));
  await scene.night();
  await found(scene, 'F1');
  const older = readFileSync(indexOf(scene));
  expect((await commandIn(scene, 'purge', '--subject', 'Qwortz', '--reason', 'asked for')).code).toBe(0);
  writeFileSync(indexOf(scene), older);
  expect(bytesOf(scene)).toContain('qwortz');
  expect(await found(scene, 'qwortz')).toEqual([]);
  expect(bytesOf(scene)).not.toContain('qwortz');
});

test('contents of documents are not in the index', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  await found(scene, 'F1');
  const [entry] = await scene.entries();
  const content = await scene.look((ledger) => ledger.contentOf(entry!.id));
  expect(content).toContain('732829320');
  expect(bytesOf(scene)).not.toContain('732829320');
});

test.runIf(process.getuid?.() !== 0)('without the right to write, a search still answers', async () => {
  await using scene = await openScene();
  await dropNight(scene, 'ventes.csv', ['F1']);
  const state = join(scene.root, 'state');
  chmodSync(state, 0o500);
  expect(await found(scene, 'F1')).toEqual(['F1 number']);
  expect(existsSync(indexOf(scene))).toBe(false);
  chmodSync(state, 0o700);
});

test('pages under each filter have every document once, in the same order as without pages', async () => {
  await using scene = await openScene();
  for (const n of [1, 2, 3]) await dropNight(scene, `ventes${n}.csv`, [`F${n}`, `G${n}`, `H${n}`]);
  scene.drop('ventes-bad.csv', sales(['B1', 'B2']).replaceAll('05/09', '05/13'));
  await scene.night();
  const entries = await scene.entries();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  using index = await openSearchIndex(scene.root);
  const all = async (filter: Parameters<typeof index.page>[0], limit: number) => {
    const ids: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await index.page(filter, after === undefined ? { limit } : { limit, after });
      ids.push(...page.ids);
      if (page.next === undefined) return ids;
      after = page.next;
    }
  };
  const [first] = entries;
  const filters: readonly (readonly [Parameters<typeof index.page>[0], number])[] = [
    [{}, 11],
    [{ states: ['authorized'] }, 9],
    [{ states: ['authorized', 'invalid'] }, 11],
    [{ states: ['invalid'], mapping: 'sales' }, 2],
    [{ file: 'VENTES2' }, 3],
    [{ file: first!.file.id }, 3],
    [{ run: first!.file.run }, 3],
    [{ day: first!.file.day }, 11],
    [{ day: '2000-01-01' }, 0],
    [{ customer: 'client g' }, 3],
    [{ customer: '!' }, 0],
    [{ amount: '50,40' }, entries.filter(({ facts }) => facts.amount === '50.40').length],
    [{ service: 'fr' }, 11],
    [{ service: 'sv' }, 0],
    [{ since: '2999-01-01T00:00:00Z' }, 0],
    [{ until: '2999-01-01T00:00:00Z', customer: 'client', states: ['authorized'] }, 9],
    [{ warnings: true }, 0],
  ];
  for (const [filter, count] of filters) {
    const [whole, inPages] = [await all(filter, 100), await all(filter, 2)];
    expect([filter, whole.length]).toEqual([filter, count]);
    expect(inPages).toEqual(whole);
    expect(whole.every((id) => byId.has(id))).toBe(true);
  }
  expect((await index.page({}, { limit: 5, after: 'unknown' })).ids).toEqual([]);
});

test('the best match comes first: the number itself, then those that begin with it or have it inside', async () => {
  await using scene = await openScene();
  await dropNight(scene, 'ventes.csv', ['F10', 'F100', 'F1004', 'XF10Y', 'AF100B']);
  expect(await found(scene, 'F10')).toEqual(['F10 number']);
  expect(await found(scene, 'f-1 00')).toEqual(['F100 number']);
  const beginning = (await found(scene, 'F1')).map((line) => line.split(' ')[0]);
  expect(beginning).toEqual(['F1004', 'F100', 'F10', 'AF100B', 'XF10Y']);
  expect(await found(scene, 'F10Y')).toEqual(['XF10Y numberPart']);
  expect(await found(scene, 'f100b')).toEqual(['AF100B numberPart']);
  expect(await found(scene, 'ventes.csv', 2)).toEqual(['AF100B file', 'XF10Y file']);
  expect(await found(scene, '"; DROP TABLE document; --')).toEqual([]);
  expect(await found(scene, 'NEAR(a b) OR *')).toEqual([]);
});
