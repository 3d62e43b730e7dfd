/** Requests of people: carried out during a watch and a run, each once, refused with a reason, never at the cost of a night. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type PersonAct, seenDocument } from '../../../src/decisions/act.ts';
import { readAnswer } from '../../../src/decisions/act-result.ts';
import { serveRequests } from '../../../src/decisions/requests/serve-requests.ts';
import { createTurns } from '../../../src/files/turns.ts';
import { lockInstance } from '../../../src/ledger/installation/instance-lock.ts';
import { openRequestQueue } from '../../../src/ledger/requests/open-request-queue.ts';
import { restoreLedgerOf } from '../../../src/maintenance/restore-instance.ts';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { lookIntoLedgerOf, openLedgerOf, openRun } from '../../../src/runs/open-run.ts';
import { submitAct } from '../../../src/runs/submit-act.ts';
import { openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn, runIn, startIn } from '../../program.ts';

const QUICK = { inbox: { settle: '1ms', scan: '50ms' }, run: { 'give-up-after': '1s', hold: { over: { EUR: '60' } } } };
const WHY = ['--reason', 'looked at it'];

/** Two documents with a wrong quantity (W), one that is held (H), one that the service rejects (F3-X6). */
function dropAll(scene: Scene): void {
  scene.drop('ventes-1.csv', sales(['W1', 'W2'], '2O'));
  scene.drop('ventes-2.csv', sales(['H1'], '3'));
  scene.drop('ventes-3.csv', sales(['F3-X6']));
  scene.drop('ventes-4.csv', sales(['F4']).slice(0, -1));
}

/** Also during a watch. */
async function entriesOf(scene: Scene): Promise<readonly LedgerEntry[]> {
  await using ledger = await lookIntoLedgerOf(scene.instance());
  const found: LedgerEntry[] = [];
  for await (const entry of ledger.queries.find({})) found.push(entry);
  return found;
}

async function statesOf(scene: Scene): Promise<{ readonly [number: string]: string }> {
  return Object.fromEntries((await entriesOf(scene)).map(({ facts, state }) => [facts.identifier, state]));
}

async function entryOf(scene: Scene, number: string): Promise<LedgerEntry> {
  return (await entriesOf(scene)).find(({ facts }) => facts.identifier === number)!;
}

async function until(what: () => Promise<boolean>): Promise<void> {
  await expect.poll(what, { timeout: 8000 }).toBe(true);
}

/** Puts an act into the queue as an asker that was killed right after leaves it. */
async function ask(scene: Scene, id: string, act: PersonAct | { readonly act: string }, tries = 0): Promise<void> {
  await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
  await queue.add({ id, at: new Date().toISOString(), person: 'anna', reason: 'why', act: JSON.stringify(act) });
  for (let n = 0; n < tries; n++) await queue.begin(id);
}

async function answerTo(scene: Scene, id: string) {
  await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
  const text = await queue.answerOf(id);
  return text === undefined ? undefined : readAnswer(text);
}

test('an act about no document does not wait for the end of a large file', async () => {
  await using scene = await openScene({ settings: QUICK });
  scene.drop('ventes-1.csv', sales(['W1'], '2O'));
  await scene.night();
  const entry = await entryOf(scene, 'W1');
  await ask(scene, 'first', { act: 'set-aside', documents: [seenDocument(entry)] });
  await ask(scene, 'second', { act: 'resume', service: 'fr' });
  const instance = scene.instance();
  await using ledger = await openLedgerOf(instance);
  await using work = await openRun(instance, ledger, { onEvent: () => {}, stop: new AbortController().signal });
  const turn = createTurns();
  const file = Promise.withResolvers<void>();
  void turn(() => file.promise);
  const failures: unknown[] = [];
  {
    const serving = { turn, done: () => {}, failed: (error: unknown) => failures.push(error), tries: 3 };
    await using _ = serveRequests(work, serving);
    try {
      await until(async () => (await answerTo(scene, 'second')) !== undefined);
      expect(await answerTo(scene, 'first')).toBeUndefined();
    } finally {
      file.resolve();
    }
  }
  expect(await answerTo(scene, 'first')).toMatchObject({ result: { act: 'set-aside' } });
  expect(failures).toEqual([]);
});

test('every decision works during a watch, and the watch sends what became ready', async () => {
  const daily = { name: 'cash', files: 'cash*.csv', by: '00:00', on: 'daily' };
  await using scene = await openScene({ settings: { ...QUICK, expect: [daily] } });
  dropAll(scene);
  scene.drop('ventes-5.csv', sales(['D1-XLOST', 'D2-XDROP', 'S1-X4ONCE', 'R1-X11']));
  const stop = new AbortController();
  const over = scene.night({ watch: true, stop: stop.signal });
  await until(async () => Object.keys(await statesOf(scene)).length === 8);
  const sent = ['F3-X6', 'D1-XLOST', 'D2-XDROP', 'S1-X4ONCE', 'R1-X11'];
  await until(async () => {
    const states = await statesOf(scene);
    return sent.every((number) => !['ready', 'sending'].includes(states[number]!));
  });
  const code = async (...words: string[]) => (await commandIn(scene, ...words, ...WHY)).code;
  expect(await code('fix', 'W1', 'Qte=2')).toBe(0);
  expect(await code('set-aside', 'W2')).toBe(0);
  expect(await code('undo', 'W2')).toBe(0);
  expect(await code('release', 'H1')).toBe(0);
  expect(await code('set-aside', 'F3-X6')).toBe(0);
  expect(await code('set-aside', 'ventes-4.csv')).toBe(0);
  expect(await code('undo', 'ventes-4.csv')).toBe(0);
  expect(await code('reprocess', 'ventes-4.csv')).toBe(3);
  expect(await code('reprocess', 'W2')).toBe(3);
  expect(await code('resume', 'fr')).toBe(0);
  expect(await code('retry', 'S1-X4ONCE')).toBe(0);
  writeFileSync(join(scene.root, 'portal.png'), 'a picture');
  const proof = ['--evidence', join(scene.root, 'portal.png')];
  expect(await code('resolve', 'D2-XDROP', '--as', 'rejected', ...proof)).toBe(0);
  expect(await code('acknowledge', 'R1-X11')).toBe(0);
  expect((await commandIn(scene, 'consult', 'D1-XLOST')).code).toBe(0);
  await ask(scene, 'waive', {
    act: 'waive',
    export: 'cash',
    due: new Date(new Date().setHours(24, 0, 0, 0)).toISOString(),
  });
  await until(async () => (await answerTo(scene, 'waive')) !== undefined);
  expect(await answerTo(scene, 'waive')).toEqual({ result: { act: 'waive', done: true } });
  expect(await code('release', 'W2')).toBe(3);
  await until(async () => tally(await entriesOf(scene)).authorized === 4);
  stop.abort();
  await over;
  expect(await statesOf(scene)).toEqual({
    ...{ W1: 'authorized', W2: 'invalid', H1: 'authorized', 'F3-X6': 'rejected', 'D1-XLOST': 'authorized' },
    ...{ 'D2-XDROP': 'rejected', 'S1-X4ONCE': 'authorized', 'R1-X11': 'invalidated' },
  });
  expect((await entryOf(scene, 'F3-X6')).closed).toMatchObject({ reason: 'looked at it' });
  expect((await entryOf(scene, 'R1-X11')).closed).toMatchObject({ as: 'acknowledged' });
  const accepted = scene.sandbox.acceptances().map((one) => [one.identity.split('|')[4], one.accepted]);
  expect(Object.fromEntries(accepted)).toEqual({
    ...{ W1: 1, H1: 1, 'S1-X4ONCE': 1, 'D1-XLOST': 1, 'F3-X6': 0, 'D2-XDROP': 0, 'R1-X11': 1 },
  });
  expect((await commandIn(scene, 'verify')).code).toBe(0);
});

test('a run carries out what waits before it lets go of the lock and sends it, and its exit code is its own', async () => {
  await using scene = await openScene({ settings: QUICK, sandbox: { latencyMs: 100 } });
  scene.drop('ventes-1.csv', sales(['H1', 'H2'], '3'));
  await scene.night();
  const [first, second] = await entriesOf(scene);
  await ask(scene, 'a', { act: 'release', documents: [seenDocument(first!)] });
  await ask(scene, 'b', { act: 'set-aside', documents: [seenDocument(second!)] });
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect(await answerTo(scene, 'a')).toMatchObject({
    result: { act: 'release', documents: [{ done: true, is: 'ready' }] },
  });
  expect(await answerTo(scene, 'b')).toMatchObject({ result: { documents: [{ done: true, is: 'invalid' }] } });
  expect(tally(await entriesOf(scene))).toEqual({ authorized: 1, invalid: 1 });
});

test('the same request twice is one decision, with one answer', async () => {
  await using scene = await openScene({ settings: QUICK });
  scene.drop('ventes-1.csv', sales(['H1'], '3'));
  await scene.night();
  const document = seenDocument(await entryOf(scene, 'H1'));
  const decision = { by: 'anna', reason: 'why', at: new Date().toISOString() };
  const request = { id: 'key', act: { act: 'release' as const, documents: [document] }, decision };
  const options = { stop: new AbortController().signal, onEvent: () => {} };
  const answers = await Promise.all([1, 2, 3].map(() => submitAct(scene.instance(), request, options)));
  expect(answers).toEqual(
    [1, 2, 3].map(() => ({ result: { act: 'release', documents: [expect.objectContaining({ done: true })] } })),
  );
  await scene.night();
  expect(await submitAct(scene.instance(), request, options)).toEqual(answers[0]);
  const history = await scene.look((ledger) => ledger.queries.historyOf(document.id));
  expect(history.filter(({ person }) => person === 'anna')).toHaveLength(1);
  expect(tally(await entriesOf(scene))).toEqual({ authorized: 1 });
});

test('a document that changed since the person looked is left as it is', async () => {
  await using scene = await openScene({ settings: QUICK });
  scene.drop('ventes-1.csv', sales(['W1', 'W2'], '2O'));
  await scene.night();
  const [first, second] = (await entriesOf(scene)).map(seenDocument);
  await commandIn(scene, 'fix', 'W1', 'Qte=1O', ...WHY);
  await ask(scene, 'a', { act: 'set-aside', documents: [first!, second!] });
  await ask(scene, 'r', { act: 'reprocess', documents: [first!] });
  const edits = [{ row: 2, column: 'Qte', from: '2O', to: '2' }];
  await ask(scene, 'f', { act: 'fix', documents: [{ ...first!, edits }] });
  await scene.night();
  expect(await answerTo(scene, 'a')).toMatchObject({
    result: { documents: [{ done: false, why: 'changed-meanwhile' }, { done: true }] },
  });
  expect(await answerTo(scene, 'r')).toMatchObject({
    result: { documents: [{ fault: { code: 'fix/changed-meanwhile' } }] },
  });
  expect(await answerTo(scene, 'f')).toMatchObject({
    result: { documents: [{ fault: { code: 'fix/changed-meanwhile' } }] },
  });
  expect((await entryOf(scene, 'W1')).evidence).toBeUndefined();
});

test('cells of a column are replaced in the documents that were seen, and a document that does not fit is named', async () => {
  await using scene = await openScene({ settings: QUICK });
  scene.drop('ventes-1.csv', sales(['W1', 'W2'], '2O'));
  scene.drop('ventes-2.csv', sales(['W3'], '1O'));
  await scene.night();
  const documents = (await entriesOf(scene)).map(seenDocument);
  await ask(scene, 'a', { act: 'replace-cells', documents, column: 'Qte', from: '2O', to: '2' });
  await scene.night();
  expect(await answerTo(scene, 'a')).toMatchObject({
    result: { documents: [{ fault: { code: 'fix/other-value' } }, { state: 'ready' }, { state: 'ready' }] },
  });
});

test.each([
  ['act/not-understood', { act: 'dance' }, 0],
  ['act/program-died', { act: 'resume', service: 'fr' }, 3],
  ['select/no-such-document', { act: 'set-file-aside', file: 'none' }, 0],
  ['act/failed', 'a cell with NUL', 0],
] as const)('%s is the answer, and the night goes on', async (code, given, tries) => {
  await using scene = await openScene({ settings: QUICK });
  scene.drop('ventes-1.csv', sales(['W1'], '2O'));
  await scene.night();
  const edits = [{ row: 2, column: 'Qte', from: '2O', to: '2\0' }];
  const [entry] = await entriesOf(scene);
  const act = typeof given === 'string' ? { act: 'fix', documents: [{ ...seenDocument(entry!), edits }] } : given;
  await ask(scene, 'key', act, tries);
  scene.drop('ventes-2.csv', sales(['F2']));
  await scene.night();
  expect(await answerTo(scene, 'key')).toMatchObject({ error: { code } });
  expect(await statesOf(scene)).toEqual({ W1: 'invalid', F2: 'authorized' });
});

/** Requests of an instance are served while the test looks. */
async function whileServed(scene: Scene, look: (failures: readonly unknown[]) => Promise<void>): Promise<void> {
  const instance = scene.instance();
  await using ledger = await openLedgerOf(instance);
  const told: string[] = [];
  const onEvent = ({ what }: { readonly what: string }) => void told.push(what);
  await using work = await openRun(instance, ledger, { onEvent, stop: new AbortController().signal });
  const failures: unknown[] = [];
  const failed = (error: unknown) => failures.push(error);
  {
    await using _ = serveRequests(work, { turn: createTurns(), done: () => {}, failed, tries: 3 });
    await look(failures);
  }
  expect([failures, told.filter((what) => what === 'requests-unreadable')]).toEqual([[], []]);
}

test('a queue that another program writes to for long is waited for, and nothing else stands still', async () => {
  await using scene = await openScene({
    settings: QUICK,
    sandbox: { script: [{ match: { act: 'submit' }, answer: { drop: 'after' } }] },
  });
  scene.drop('ventes-1.csv', sales(['F1']));
  scene.drop('ventes-2.csv', sales(['W1'], '2O'));
  await scene.night();
  const [doubtful, wrong] = [await entryOf(scene, 'F1'), await entryOf(scene, 'W1')];
  await ask(scene, 'before', { act: 'resume', service: 'sv' });
  await whileServed(scene, async () => {
    await until(async () => (await answerTo(scene, 'before')) !== undefined);
    await ask(scene, 'asked', { act: 'consult', documents: [seenDocument(doubtful)] });
    await ask(scene, 'aside', { act: 'set-aside', documents: [seenDocument(wrong)] });
    const other = new DatabaseSync(join(scene.root, 'state/requests.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    let longestMs = 0;
    for (let n = 0; n < 20; n++) {
      const startedMs = performance.now();
      await setTimeout(25);
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    }
    other.exec('COMMIT');
    other.close();
    expect(longestMs).toBeLessThan(2000);
    for (const id of ['asked', 'aside']) await until(async () => (await answerTo(scene, id)) !== undefined);
  });
  expect(await answerTo(scene, 'aside')).toMatchObject({ result: { act: 'set-aside' } });
  expect((await entryOf(scene, 'F1')).attempts.filter(({ act }) => act === 'consult')).toHaveLength(1);
});

test('an act that no other person approves ends when its time is over, though no one asks for anything', async () => {
  await using scene = await openScene({ settings: QUICK });
  scene.drop('ventes-1.csv', sales(['H1'], '3'));
  await scene.night();
  const held = await entryOf(scene, 'H1');
  const act = JSON.stringify({ act: 'release', documents: [seenDocument(held)] });
  {
    await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
    const expires = new Date(Date.now() + 1500).toISOString();
    await queue.add({
      ...{ id: 'late', at: new Date().toISOString(), person: 'anna', reason: 'why', act },
      approval: { about: '[]', expires },
    });
  }
  await whileServed(scene, async () => {
    expect(await answerTo(scene, 'late')).toBeUndefined();
    await until(async () => (await answerTo(scene, 'late')) !== undefined);
  });
  expect(await answerTo(scene, 'late')).toMatchObject({ error: { code: 'approval/expired' } });
});

test('a queue that is no database costs the night nothing', async () => {
  await using scene = await openScene({ settings: QUICK });
  writeFileSync(
    join(scene.root, 'state/requests.sqlite'),
    'no database, but as long as the header of one would be'.repeat(99),
  );
  scene.drop('ventes-1.csv', sales(['F1']));
  const { told } = await scene.night();
  expect(told.filter(({ what }) => what === 'requests-unreadable')).toHaveLength(1);
  expect(await statesOf(scene)).toEqual({ F1: 'authorized' });
});

test.each(['act', 'upkeep'] as const)(
  'a run waits for an %s that holds the lock, and ends with 6 for another run, which it names',
  async (work) => {
    await using scene = await openScene({ settings: QUICK });
    const lock = join(scene.root, 'state/lock.sqlite');
    scene.drop('ventes-1.csv', sales(['F1']));
    const act = lockInstance(lock, work, new Date());
    const { child, ended } = startIn(scene, 'run');
    await new Promise((resolve) => child.stderr!.once('data', resolve));
    act();
    const waited = await ended;
    expect(waited).toMatchObject({ code: 0, err: expect.stringContaining(`process ${process.pid}`) });
    expect(await statesOf(scene)).toEqual({ F1: 'authorized' });
    const run = lockInstance(lock, 'run', new Date());
    expect(await runIn(scene, 'run')).toMatchObject({
      code: 6,
      err: expect.stringMatching(new RegExp(`ledger/locked: A run .*process ${process.pid}`)),
    });
    run();
  },
);

test('a ledger that may not send refuses what waits, keeps what has begun, and is accepted after an act at work', async () => {
  await using scene = await openScene({ settings: QUICK });
  const ledger = join(scene.root, 'state/ledger.sqlite');
  scene.drop('ventes-1.csv', sales(['H1'], '3'));
  await scene.night();
  copyFileSync(ledger, `${ledger}.before`);
  scene.drop('ventes-2.csv', sales(['F2']));
  await scene.night();
  renameSync(`${ledger}.before`, ledger);
  const act: PersonAct = { act: 'release', documents: [seenDocument(await entryOf(scene, 'H1'))] };
  await ask(scene, 'begun', act, 1);
  await ask(scene, 'of a run', act);
  expect(await commandIn(scene, 'run')).toMatchObject({ code: 2, err: expect.stringContaining('ledger/older') });
  expect(await answerTo(scene, 'of a run')).toMatchObject({ error: { code: 'ledger/older' } });
  await ask(scene, 'of another act', act);
  expect(await commandIn(scene, 'release', 'H1', ...WHY)).toMatchObject({
    code: 2,
    err: expect.stringContaining('ledger/older'),
  });
  expect(await answerTo(scene, 'of another act')).toMatchObject({ error: { code: 'ledger/older' } });
  expect(await answerTo(scene, 'begun')).toBeUndefined();
  const afterAct = async (...words: string[]) => {
    const unlock = lockInstance(join(scene.root, 'state/lock.sqlite'), 'act', new Date());
    const { child, ended } = startIn(scene, ...words);
    await new Promise((resolve) => child.stderr!.once('data', resolve));
    unlock();
    const { code, err } = await ended;
    expect(err).toContain(`process ${process.pid}`);
    return code;
  };
  expect(await afterAct('doctor', '--offline', '--accept-ledger', 'the only one')).toBe(0);
  expect(await afterAct('ledger', 'end-quarantine', 'compared')).toBe(0);
  expect(await afterAct('ledger', 'receipts')).toBe(0);
  const copy = join(scene.root, 'copy.sqlite');
  expect((await commandIn(scene, 'backup', copy)).code).toBe(0);
  expect(await afterAct('ledger', 'restore', copy)).toBe(0);
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
  await scene.night();
  expect(await answerTo(scene, 'begun')).toMatchObject({ result: { documents: [{ done: true }] } });
});

test('a note of a holder that is gone counts for nothing', async () => {
  await using scene = await openScene({ settings: QUICK });
  const note = join(scene.root, 'state/lock.json');
  const lock = join(scene.root, 'state/lock.sqlite');
  const held = lockInstance(lock, 'act', new Date());
  const gone = { ...JSON.parse(readFileSync(note, 'utf8')), pid: 2 ** 22 + 7 };
  writeFileSync(note, JSON.stringify(gone));
  expect(() => lockInstance(lock, 'run', new Date())).toThrow(expect.objectContaining({ holder: undefined }));
  held();
});

test('an act during work that does not answer is accepted, and a signal ends the waiting alone', async () => {
  await using scene = await openScene({ settings: QUICK });
  scene.drop('ventes-1.csv', sales(['H1'], '3'));
  await scene.night();
  const unlock = lockInstance(join(scene.root, 'state/lock.sqlite'), 'upkeep', new Date());
  const { child, ended } = startIn(scene, 'release', 'H1', ...WHY);
  const told = new Promise((resolve) => child.stderr!.once('data', resolve));
  await told;
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 143, out: '' });
  unlock();
  await scene.night();
  await scene.night();
  expect(await statesOf(scene)).toEqual({ H1: 'authorized' });
});

test.each(['restore', 'rebuild', 'accept'])(
  'what waits before a %s is refused, because it may have been done before',
  async (how) => {
    await using scene = await openScene({ settings: QUICK });
    const copy = join(scene.root, 'copy.sqlite');
    scene.drop('ventes-1.csv', sales(['S1-X4ONCE']));
    await scene.night();
    if (how === 'restore') await commandIn(scene, 'backup', copy);
    if (how === 'accept') cpSync(join(scene.root, 'state'), join(scene.root, 'former'), { recursive: true });
    const entry = await entryOf(scene, 'S1-X4ONCE');
    expect(entry.state).toBe('failed');
    if (how === 'accept') {
      scene.drop('ventes-2.csv', sales(['F1']));
      await scene.night();
      rmSync(join(scene.root, 'state'), { recursive: true });
      renameSync(join(scene.root, 'former'), join(scene.root, 'state'));
    }
    await ask(scene, 'again', { act: 'retry', documents: [seenDocument(entry)] });
    const words = {
      restore: ['ledger', 'restore', copy],
      rebuild: ['ledger', 'rebuild'],
      accept: ['doctor', '--accept-ledger', 'put back'],
    }[how]!;
    for (const name of how === 'rebuild' ? ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm'] : [])
      rmSync(join(scene.root, 'state', name), { force: true });
    await commandIn(scene, ...words);
    expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
    const before = scene.sandbox.requests().fr.submit;
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(before);
    expect(await answerTo(scene, 'again')).toMatchObject({ error: { code: 'act/quarantine' } });
  },
);

test('what waits before a restore is refused, also where the restore ends as soon as the ledger is replaced', async () => {
  await using scene = await openScene({ settings: QUICK });
  const copy = join(scene.root, 'copy.sqlite');
  scene.drop('ventes-1.csv', sales(['S1-X4ONCE']));
  await scene.night();
  await commandIn(scene, 'backup', copy);
  await ask(scene, 'again', { act: 'retry', documents: [seenDocument(await entryOf(scene, 'S1-X4ONCE'))] });
  // The first step after the replacement fails.
  const processing = join(scene.root, 'processing');
  rmSync(processing, { recursive: true });
  writeFileSync(processing, '');
  const restored = restoreLedgerOf(scene.instance(), copy, { by: 'anna', now: new Date() });
  await expect(restored).rejects.toMatchObject({ code: 'config/folder-unusable' });
  rmSync(processing);
  mkdirSync(processing);
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(1);
  expect(await answerTo(scene, 'again')).toMatchObject({ error: { code: 'act/quarantine' } });
});

test('a consultation that goes on in a second turn names no other run: none is at work', async () => {
  await using scene = await openScene({ settings: { run: { 'consult-per-minute': 1 } } });
  scene.drop('ventes.csv', sales(['F1-XDROP', 'F2-XDROP']));
  await scene.night();
  const documents = (await entriesOf(scene)).map(seenDocument);
  const waits: unknown[] = [];
  const decision = { by: 'anna', reason: '', at: new Date().toISOString() };
  const stop = AbortSignal.timeout(22_000);
  const options = { stop, onEvent: () => {}, onWait: (says: unknown) => waits.push(says) };
  await submitAct(scene.instance(), { id: 'asked', act: { act: 'consult', documents }, decision }, options);
  expect(waits).toEqual([]);
});
