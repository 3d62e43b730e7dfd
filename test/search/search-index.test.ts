/** The search index follows the ledger: new documents, answers, other ledgers, damage; and what it must not keep. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { cellCause, workOf } from '../../src/model/cause.ts';
import { definedOnly } from '../../src/model/defined-only.ts';
import { isClosed } from '../../src/model/ledger-entry.ts';
import { WAITING_STATES } from '../../src/model/state.ts';
import { keepWork } from '../../src/search/kept-work.ts';
import {
  openOpenDocuments,
  openSearchIndex,
  openSearchIndexUnfilled,
  SearchNotReadyError,
} from '../../src/search/search-index.ts';
import type { NightReport } from '../../src/views/reporting/report-shape.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const indexOf = (scene: Scene) => join(scene.root, 'state/index.sqlite');

/** Receipt names of the documents that the text finds, with the reason. */
async function found(scene: Scene, text: string, limit = 10): Promise<readonly string[]> {
  using index = await openSearchIndex({ folder: scene.root });
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
  using before = await openSearchIndex({ folder: scene.root });
  expect(await before.page({ states: ['ready'] }, { limit: 9 })).toMatchObject({ ids: [expect.any(String)] });
  await scene.night();
  const [entry] = (await scene.entries()).filter(({ name }) => name === 'F3');
  expect(await found(scene, entry!.answer!.trackingId!)).toEqual(['F3 trackingId']);
  expect(await found(scene, entry!.attempts[0]!.requestId)).toEqual(['F3 requestId']);
  using after = await openSearchIndex({ folder: scene.root });
  expect((await after.page({ states: ['ready'] }, { limit: 9 })).ids).toEqual([]);
});

test('the index is the same whether it followed the ledger or was filled at once', async () => {
  await using scene = await openScene();
  const content = async () => {
    (await openSearchIndex({ folder: scene.root }))[Symbol.dispose]();
    using db = new DatabaseSync(indexOf(scene), { readOnly: true });
    return [
      ...db.prepare('SELECT id, state, since, warnings, numbers, terms FROM document ORDER BY id').all(),
      ...db.prepare('SELECT id, state, since, work FROM open WHERE work IS NOT NULL ORDER BY id').all(),
    ];
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
  expect(followed).toHaveLength(9 + 2);
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
  expect((await commandIn(scene, 'ledger', 'restore', backup)).code).toBe(0);
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
  const content = await scene.look((ledger) => ledger.queries.contentOf(entry!.id));
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

/** An account that is not root, where the test may make files for it. */
const SERVICE = 65534;

test.runIf(process.getuid?.() === 0)(
  'the account of the service opens the index that an administrator made',
  async () => {
    await using scene = await openScene();
    await dropNight(scene, 'ventes.csv', ['F1']);
    const paths = readdirSync(scene.root, { recursive: true, encoding: 'utf8' }).map((name) => join(scene.root, name));
    for (const path of [scene.root, ...paths]) chownSync(path, SERVICE, SERVICE);
    const search = new URL('../../src/search/search-index.ts', import.meta.url).href;
    // The program is loaded first: the account need not be able to read it.
    const program = `const { openSearchIndex } = await import('${search}');
    process.setgid(${SERVICE});
    process.setuid(${SERVICE});
    const index = await openSearchIndex({ folder: '${scene.root}' });
    console.log(index.inMemory, (await index.search('F1', 5)).length);`;
    const asService = () =>
      spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).stdout.trim();
    await found(scene, 'F1');
    expect(statSync(indexOf(scene))).toMatchObject({ uid: SERVICE, gid: SERVICE });
    const made = statSync(indexOf(scene)).ino;
    expect([asService(), statSync(indexOf(scene)).ino]).toEqual(['false 1', made]);
    // One that an earlier version made: who may write the folder replaces it.
    chownSync(indexOf(scene), 0, 0);
    expect(asService()).toBe('false 1');
    expect(statSync(indexOf(scene)).uid).toBe(SERVICE);
  },
);

test('two fillers at once, in small steps, make the same index as one', async () => {
  await using scene = await openScene();
  const numbers = Array.from({ length: 40 }, (_, n) => `F${n}`);
  await dropNight(scene, 'ventes.csv', numbers);
  using one = openSearchIndexUnfilled({ folder: scene.root });
  using two = openSearchIndexUnfilled({ folder: scene.root });
  await expect(one.page({}, { limit: 100 })).rejects.toMatchObject({ name: 'SearchNotReady', done: 0, all: 40 });
  expect([await one.catchUp(3), await two.catchUp(3)]).toEqual([true, true]);
  let steps = 0;
  for (let isBehind = true; isBehind; steps++) {
    const [first, second] = await Promise.all([one.catchUp(3), two.catchUp(3)]);
    isBehind = first || second;
  }
  // Bounded: 40 documents and their changes are many steps of 3.
  expect(steps).toBeGreaterThan(5);
  expect((await one.page({}, { limit: 100 })).ids).toHaveLength(40);
  for (const index of [one, two]) expect(await index.search('F7', 5)).toMatchObject([{ match: 'number' }]);
  scene.drop('ventes2.csv', sales(['G1']));
  await scene.night();
  expect(await two.search('G1', 5)).toEqual([]);
  while (await one.catchUp(3));
  expect(await two.search('G1', 5)).toMatchObject([{ match: 'number' }]);
});

test('what waits is kept between questions, and is that of the index after each change', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['B1', 'B2', 'B3']).replaceAll('05/09', '05/13'));
  await scene.night();
  using index = openSearchIndexUnfilled({ folder: scene.root });
  using known = new DatabaseSync(indexOf(scene), { readOnly: true });
  const limited = keepWork(1);
  const same = async () => {
    while (await index.catchUp());
    const works = await index.work({});
    for (const filter of [{}, { withClosed: true }, { mapping: 'ventes' }, { states: ['held'] }] as const) {
      const fresh = keepWork()(known, filter);
      expect(await index.work(filter)).toEqual(fresh);
      expect(limited(known, filter)).toEqual(fresh);
    }
    expect(await index.work({})).toBe(works);
    return works;
  };
  const [first] = await same();
  expect((await commandIn(scene, 'set-aside', first!.id, '--reason', 'test')).code).toBe(0);
  expect(await same()).toHaveLength(2);
  scene.drop('ventes2.csv', sales(['C1']).replaceAll('05/09', '05/13'));
  await scene.night();
  expect(await same()).toHaveLength(3);
  scene.drop('ventes3.csv', sales(['G1']));
  const before = await same();
  await scene.night();
  expect(await same()).toBe(before);
});

test('what waits is known before all documents are read, and follows them by itself', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3-XLOST']));
  scene.drop('ventes-bad.csv', sales(['B1', 'B2']).replaceAll('05/09', '05/13'));
  await scene.night();
  const waiting = async () => {
    using open = await openOpenDocuments({ folder: scene.root });
    return (await open.work({})).map(({ id }) => id).sort();
  };
  const inLedger = async () => {
    const entries = (await scene.entries()).filter((entry) => WAITING_STATES.includes(entry.state) && !isClosed(entry));
    return entries.map(({ id }) => id).sort();
  };
  expect(await waiting()).toHaveLength(3);
  expect(await waiting()).toEqual(await inLedger());
  using index = openSearchIndexUnfilled({ folder: scene.root });
  expect(await index.work({})).toHaveLength(3);
  await expect(index.search('F1', 5)).rejects.toThrow(SearchNotReadyError);
  const [first] = await inLedger();
  expect((await commandIn(scene, 'set-aside', first!, '--reason', 'test')).code).toBe(0);
  expect((await commandIn(scene, 'fix', 'B2', 'Date=05/09/2026', '--reason', 'typo')).code).toBeLessThan(4);
  scene.drop('ventes-bad2.csv', sales(['C1']).replaceAll('05/09', '05/13'));
  await scene.night();
  expect(await waiting()).toEqual(await inLedger());
  expect((await index.work({})).map(({ id }) => id).sort()).toEqual(await inLedger());
});

test('after a run the first search need not read the ledger', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  using index = openSearchIndexUnfilled({ folder: scene.root });
  expect(await index.search('F2', 5)).toHaveLength(1);
});

test('what waits is known where no index can be made, and a run reports its causes', async () => {
  await using scene = await openScene();
  mkdirSync(indexOf(scene), { recursive: true });
  writeFileSync(join(indexOf(scene), 'in-the-way'), '');
  scene.drop('ventes-bad.csv', sales(['B1', 'B2']).replaceAll('05/09', '05/13'));
  const { causes } = JSON.parse((await commandIn(scene, 'run', '--json')).out) as NightReport;
  expect(causes.map(({ count }) => count)).toEqual([2]);
  using open = await openOpenDocuments({ folder: scene.root });
  expect(await open.work({})).toHaveLength(2);
});

test('what waits stays known while another process removes the index, or reads it again', async () => {
  await using scene = await openScene();
  scene.drop('ventes-bad.csv', sales(['B1', 'B2']).replaceAll('05/09', '05/13'));
  await scene.night();
  using open = await openOpenDocuments({ folder: scene.root });
  {
    using db = new DatabaseSync(indexOf(scene));
    db.exec(`DELETE FROM open; INSERT INTO mark VALUES ('opening', '{"after":""}')`);
  }
  expect(await open.work({})).toHaveLength(2);
  for (const end of ['', '-wal', '-shm']) rmSync(indexOf(scene) + end, { force: true });
  expect(await open.longestIn('invalid', 5)).toHaveLength(2);
});

test('another version of the program derives the causes again, and reads nothing else again', async () => {
  await using scene = await openScene();
  scene.drop('ventes-bad.csv', sales(['B1', 'B2']).replaceAll('05/09', '05/13'));
  await scene.night();
  await found(scene, 'B1');
  {
    using db = new DatabaseSync(indexOf(scene));
    db.exec(`UPDATE mark SET value = '{"version":"0.0.1"}' WHERE name = 'causes'`);
    db.exec(`UPDATE open SET work = replace(work, 'map/', 'old/')`);
  }
  using index = openSearchIndexUnfilled({ folder: scene.root });
  const [{ run = '' } = {}] = await scene.look((ledger) => ledger.queries.files({}));
  for (const filter of [{}, { run }]) await expect(index.work(filter)).rejects.toThrow(SearchNotReadyError);
  expect(await index.search('B1', 5)).toHaveLength(1);
  using open = await openOpenDocuments({ folder: scene.root });
  expect((await open.work({})).map(({ cause }) => cause.startsWith('map/'))).toEqual([true, true]);
});

test('an open index answers no name after a purge by another process', async () => {
  await using scene = await openScene({ settings: { keep } });
  await dropNight(scene, 'ventes.csv', ['F1', 'F2']);
  using index = await openSearchIndex({ folder: scene.root });
  expect(await index.search('client f1', 5)).toHaveLength(1);
  expect((await commandIn(scene, 'purge', '--subject', 'Client F1', '--reason', 'asked for')).code).toBe(0);
  expect(await index.search('client f1', 5)).toEqual([]);
  expect(await index.search('client f2', 5)).toHaveLength(1);
});

test('files are found by name, beginning and part, also refused ones without a document', async () => {
  await using scene = await openScene();
  await dropNight(scene, 'ventes_20260901.csv', ['F1']);
  scene.drop('DIVERS_20260901_2.xml', '<a>not an export</a>');
  scene.drop('divers_20260902.pdf', '%PDF');
  await scene.night();
  const files = await scene.look((ledger) => ledger.queries.files({}));
  using index = await openSearchIndex({ folder: scene.root });
  const named = async (text: string) => {
    const ids = await index.files(text, 5);
    return ids.map((id) => files.find((file) => file.id === id)?.name).sort();
  };
  expect(await named('divers_20260901_2.XML')).toEqual(['DIVERS_20260901_2.xml']);
  expect(await named('divers')).toEqual(['DIVERS_20260901_2.xml', 'divers_20260902.pdf']);
  expect(await named('20260901')).toEqual(['DIVERS_20260901_2.xml', 'ventes_20260901.csv']);
  expect(await named(files[0]!.id)).toEqual([files[0]!.name]);
  expect(await named('x')).toEqual([]);
});

test('what waits for a person comes by age, with the cause that errors has', async () => {
  await using scene = await openScene();
  for (const n of [1, 2, 3]) {
    scene.drop(`ventes-bad${n}.csv`, sales([`A${n}`, `B${n}`]).replaceAll('05/09', '05/13'));
    await scene.night();
  }
  await dropNight(scene, 'ventes.csv', ['F1']);
  using index = await openSearchIndex({ folder: scene.root });
  const entries = await scene.entries();
  const invalid = entries.filter(({ state }) => state === 'invalid');
  const work = await index.work({});
  const ids = work.map(({ id }) => id);
  const byAge = invalid.toSorted((a, b) => a.since.localeCompare(b.since) || a.id.localeCompare(b.id));
  expect(ids).toEqual(byAge.map(({ id }) => id));
  expect(work.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
    invalid.map(workOf).toSorted((a, b) => a.id.localeCompare(b.id)),
  );
  const [first] = byAge;
  expect((await commandIn(scene, 'set-aside', first!.id, '--reason', 'test')).code).toBe(0);
  using later = await openSearchIndex({ folder: scene.root });
  expect((await later.work({})).map(({ id }) => id)).toEqual(ids.slice(1));
  expect((await later.page({ closed: 'only' }, { limit: 50 })).ids).toEqual([first!.id]);
  const others = (await later.page({ closed: 'no' }, { limit: 50 })).ids;
  expect(others.toSorted()).toEqual(
    entries
      .map(({ id }) => id)
      .filter((id) => id !== first!.id)
      .sort(),
  );
  expect(await later.work({ withClosed: true, cause: 'set-aside' })).toHaveLength(1);
  expect(await later.work({ cause: work[1]!.cause, mapping: 'sales', states: ['invalid'] })).toHaveLength(5);
});

test('a cause selects the same waiting documents in the ledger and in the index, whichever fault has it', async () => {
  await using scene = await openScene();
  scene.drop('ventes-bad.csv', `${sales(['A1'], '2O').replaceAll('05/09', '05/13')}${sales(['B1']).split('\n')[1]}\n`);
  await scene.night();
  scene.drop('ventes-date.csv', sales(['C1', 'C2']).replaceAll('05/09', '05/13'));
  await scene.night();
  const works = (await scene.entries()).filter(({ state }) => state === 'invalid').map(workOf);
  expect(works.some(({ faults }) => faults.length > 1)).toBe(true);
  const causes = works.flatMap((work) => {
    const cells = work.faults.map(({ code, column, given }) => cellCause(definedOnly({ code, column, value: given })));
    return [work.cause, work.state, ...work.faults.map(({ code }) => code), ...cells];
  });
  using index = await openSearchIndex({ folder: scene.root });
  const isFurther: string[] = [];
  for (const cause of new Set([...causes, 'map/not-in-table', 'set-aside', 'fr:6'])) {
    const found = await index.work({ cause, withClosed: true });
    const inLedger: string[] = [];
    await scene.look(async (ledger) => {
      for await (const { id, state } of ledger.queries.find({ cause })) if (state === 'invalid') inLedger.push(id);
    });
    expect([cause, ...found.map(({ id }) => id).sort()]).toEqual([cause, ...inLedger.sort()]);
    const other = works.find(({ id, cause: first }) => inLedger.includes(id) && first !== cause);
    if (other) isFurther.push(cause);
  }
  expect(isFurther).toContain('map/not-a-number');
});

test('pages under each filter have every document once, in the same order as without pages', async () => {
  await using scene = await openScene();
  for (const n of [1, 2, 3]) await dropNight(scene, `ventes${n}.csv`, [`F${n}`, `G${n}`, `H${n}`]);
  scene.drop('ventes-bad.csv', sales(['B1', 'B2']).replaceAll('05/09', '05/13'));
  await scene.night();
  const entries = await scene.entries();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  using index = await openSearchIndex({ folder: scene.root });
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
    [{ file: 'ventes?.csv' }, 0],
    [{ file: 'v*2.CSV' }, 3],
    [{ file: 'ventes*.csv' }, 11],
    [{ file: 'entes*' }, 0],
    [{ file: '*' }, 11],
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
  expect(beginning).toEqual(['F1004', 'F100', 'F10']);
  expect(await found(scene, '1004')).toEqual(['F1004 numberPart']);
  expect(await found(scene, 'F10Y')).toEqual(['XF10Y numberPart']);
  expect(await found(scene, 'f100b')).toEqual(['AF100B numberPart']);
  expect(await found(scene, 'ventes.csv', 2)).toEqual(['AF100B file', 'XF10Y file']);
  expect(await found(scene, '"; DROP TABLE document; --')).toEqual([]);
  expect(await found(scene, 'NEAR(a b) OR *')).toEqual([]);
});
