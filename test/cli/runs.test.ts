/** The record that each run leaves: an empty night, a stop, a failure, a kill; and what monitoring programs read of it. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { format, type Message } from '../../src/i18n/message.ts';
import { STATUS_CHECK } from '../../src/i18n/messages/cli-views-messages.ts';
import type { RunRecord } from '../../src/ledger/contract/run-record.ts';
import type { State } from '../../src/model/state.ts';
import { localDay, lookIntoLedgerOf } from '../../src/runs/open-run.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { machineZone } from '../../src/text/local-time.ts';
import { inUseFor, openScene, type Scene, sales } from '../night.ts';
import { commandIn, runIn, start, startIn } from '../program.ts';
import { onTerminal } from './on-terminal.ts';

async function runsOf(scene: Scene): Promise<readonly RunRecord[]> {
  return JSON.parse((await commandIn(scene, 'runs', '--json')).out) as readonly RunRecord[];
}

async function checkOf(scene: Scene, ...options: string[]) {
  const { out, code } = await commandIn(scene, 'status', '--check', ...options);
  return { level: /^NIGHTPOST (\w+) - /.exec(out)?.[1], code, out: out.trim() };
}

/** Waits for a document in this state, next to the run that works. */
async function until(scene: Scene, state: State): Promise<void> {
  for (;;) {
    await using ledger = await lookIntoLedgerOf(scene.instance());
    if ((await ledger.queries.counts())[state] !== undefined) return;
    await setTimeout(50);
  }
}

const settledBy = { by: '00:00', on: 'daily' } as const;

test('an empty night leaves a record, in the ledger and in the log', async () => {
  await using scene = await openScene();
  expect(await runsOf(scene)).toEqual([]);
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const [record, ...others] = await runsOf(scene);
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    kind: 'run',
    outcome: 'completed',
    exit: 0,
    pid: process.pid,
    totals: { files: 0, documents: {}, authorized: {}, queued: 0, waiting: 0 },
  });
  const log = scene.files('logs').map((path) => scene.read(path).trim().split('\n'));
  const lines = log.flat().map((line) => JSON.parse(line) as { run: string; what: string; exit?: number });
  expect(lines.map(({ run, what }) => [run, what])).toEqual([
    [record!.id, 'run-started'],
    [record!.id, 'run-ended'],
  ]);
  const status = JSON.parse((await commandIn(scene, 'status', '--json')).out);
  expect(status.lastRun).toEqual(record);
});

test('a night with work records its documents, exact amounts and exit code', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  scene.drop('ventes2.csv', sales(['F3', 'F4']).replace('F4;05/09/2026', 'F4;05/13/2026'));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  const [record] = await runsOf(scene);
  expect(record).toMatchObject({
    outcome: 'completed',
    exit: 3,
    totals: {
      files: 2,
      filesRefused: 0,
      documents: { authorized: 3, invalid: 1 },
      authorized: { EUR: '151.20' },
      waiting: 1,
    },
  });
  expect(await checkOf(scene)).toMatchObject({ level: 'WARNING', code: 1 });
});

test('a run whose error ends it records the code of the error', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  // Receipts cannot be written where a file has the name of their folder.
  writeFileSync(join(scene.root, 'outbox', localDay(new Date(), machineZone())), 'in the way');
  const { code } = await commandIn(scene, 'run');
  const [record] = await runsOf(scene);
  expect(record).toMatchObject({ outcome: 'failed', exit: code });
  expect(record!.error).toMatch(/^\w+\/[\w-]+$/);
  expect(await checkOf(scene)).toMatchObject({ level: 'CRITICAL', code: 2 });
});

test('a killed run has no end: the next one marks it as died', async () => {
  await using scene = await openScene({ sandbox: { latencyMs: 60_000 } });
  scene.drop('ventes.csv', sales(['F1']));
  const { child, ended } = startIn(scene, 'run');
  await until(scene, 'sending');
  const [atWork] = JSON.parse((await runIn(scene, 'runs', '--json')).out);
  expect(atWork).toMatchObject({ outcome: 'running', pid: child.pid });
  child.kill('SIGKILL');
  await ended;
  expect(await runsOf(scene)).toMatchObject([{ outcome: 'died' }]);
  expect(await checkOf(scene)).toMatchObject({ level: 'CRITICAL', code: 2 });
  await commandIn(scene, 'run');
  expect(await runsOf(scene)).toMatchObject([{ outcome: 'completed' }, { outcome: 'died' }]);
});

test('a stopped watch records that a signal ended it', async () => {
  await using scene = await openScene({ settings: { inbox: { settle: '1ms', scan: '1s' } } });
  scene.drop('ventes.csv', sales(['F1']));
  const { child, ended } = startIn(scene, 'watch');
  await until(scene, 'authorized');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(143);
  expect(await runsOf(scene)).toMatchObject([
    { kind: 'watch', outcome: 'stopped', exit: 143, totals: { files: 1, documents: { authorized: 1 } } },
  ]);
});

/** A module that Node loads before the program: statements about documents fail in this way. */
const failing = (error: string) =>
  `data:text/javascript,${encodeURIComponent(`import { DatabaseSync } from 'node:sqlite';
const own = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (sql) {
  if (/FROM entry\\b/.test(sql)) throw ${error};
  return own.call(this, sql);
};`)}`;
const sqliteError = (errcode: number) =>
  `Object.assign(new Error('no'), { code: 'ERR_SQLITE_ERROR', errcode: ${errcode}, errstr: 'no' })`;

test.each([
  ['a full disk', sqliteError(13), 'ledger/disk-full: The ledger cannot be written'],
  ['a disk that is read-only', sqliteError(8), 'system/read-only: the ledger'],
  ['a disk with errors', sqliteError(10), 'ledger/device-error: The disk'],
  ['a defect of the program', "new TypeError('of a test')", 'internal: TypeError: of a test'],
])('status --check says one line and UNKNOWN of %s', async (_, error, says) => {
  await using scene = await openScene();
  const { environment } = describeSandbox(scene.sandbox);
  const flags = ['--import', failing(error)];
  const ended = await start(['-C', scene.root, 'status', '--check'], { env: environment, flags }).ended;
  expect([ended.code, ended.out]).toEqual([3, expect.stringMatching(/^NIGHTPOST UNKNOWN - .*\n$/)]);
  expect(ended.out).toContain(says);
});

test('status --check speaks the convention of monitoring plugins', async () => {
  const expected = [{ name: 'cash', files: 'cash*.csv', ...settledBy }];
  await using scene = await openScene({ settings: { expect: expected } });
  await inUseFor(scene, 2);
  expect(await checkOf(scene)).toMatchObject({ level: 'CRITICAL', code: 2 });
  await using calm = await openScene();
  expect(await checkOf(calm)).toMatchObject({ level: 'OK', code: 0 });
  expect(await checkOf(calm, '--max-age', '1h')).toMatchObject({ level: 'CRITICAL', code: 2 });
  await commandIn(calm, 'run');
  const fresh = await checkOf(calm, '--max-age', '1h');
  expect(fresh).toMatchObject({ level: 'OK', code: 0 });
  expect(fresh.out).toMatch(
    /^NIGHTPOST OK - [^|\n]+ \| waiting=0 files_refused=0 exports_missing=0 queued=0 last_run_age=\d+s$/,
  );
  using db = new DatabaseSync(join(calm.root, 'state/ledger.sqlite'));
  db.exec(`UPDATE run SET started_at = '2026-01-01T00:00:00.000Z'`);
  expect(await checkOf(calm, '--max-age', '26h')).toMatchObject({ level: 'CRITICAL', code: 2 });
  // A clock that was ahead: no age is right.
  db.exec(`UPDATE run SET started_at = '2099-01-01T00:00:00.000Z'`);
  const behind = await checkOf(calm, '--max-age', '26h');
  expect(behind).toMatchObject({ level: 'CRITICAL', code: 2 });
  expect(behind.out).toMatch(/the clock of this machine is slow.* last_run_age=0s$/);
  expect((await commandIn(calm, 'status', '--check', '--max-age', 'soon')).code).toBe(2);
  rmSync(join(calm.root, 'state'), { recursive: true });
  mkdirSync(join(calm.root, 'state'));
  expect(await checkOf(calm)).toMatchObject({ level: 'UNKNOWN', code: 3 });
});

test('an inbox that is away, as where a share is not mounted, is in status and critical for monitoring', async () => {
  await using scene = await openScene();
  expect(JSON.parse((await commandIn(scene, '--json', 'status')).out)).toMatchObject({ inbox: 0, inboxAway: false });
  renameSync(join(scene.root, 'inbox'), join(scene.root, 'elsewhere'));
  expect(await checkOf(scene)).toMatchObject({ level: 'CRITICAL', code: 2, out: expect.stringContaining('inbox') });
  expect(JSON.parse((await commandIn(scene, '--json', 'status')).out)).toMatchObject({ inbox: 0, inboxAway: true });
  expect((await commandIn(scene, 'status')).out).toMatch(/The inbox .* cannot be read/);
});

test('a run outlives the reader of its output', async () => {
  await using scene = await openScene();
  const numbers = Array.from({ length: 60 }, (_, at) => `F${at}`);
  // Each file has a row with too many cells: a line on standard error for each.
  for (const number of numbers) scene.drop(`ventes-${number}.csv`, sales([number]));
  for (let at = 0; at < 60; at++) scene.drop(`autre-${at}.csv`, `a;b\n1;${at}\n`);
  const { child, ended } = startIn(scene, 'run');
  child.stdout!.destroy();
  child.stderr!.destroy();
  const [code] = (await once(child, 'exit')) as [number];
  await ended;
  expect(code).toBe(3);
  expect((await scene.entries()).map(({ state }) => state)).toEqual(numbers.map(() => 'authorized'));
  expect(await runsOf(scene)).toMatchObject([{ outcome: 'completed', exit: 3 }]);
});

test('the night of the demo is recorded, and its instance keeps the language of the person', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-demo-'));
  const env = { LANG: 'fr_FR.UTF-8', LC_ALL: '' };
  try {
    const played = await start(['demo', '--keep', folder], { env }).ended;
    expect(played.code).toBe(0);
    expect(readFileSync(join(folder, 'nightpost.yaml'), 'utf8')).toMatch(/^ {2}language: fr$/m);
    const { out } = await start(['-C', folder, 'runs', '--json']).ended;
    expect(JSON.parse(out)).toMatchObject([
      { kind: 'run', outcome: 'completed', totals: { files: 8, filesRefused: 1 } },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('on a screen of 80 columns each run is one line, which begins with its id', async () => {
  await using scene = await openScene();
  await commandIn(scene, 'run');
  const [record] = await runsOf(scene);
  const lines = (await onTerminal(scene, 'runs')).filter(Boolean);
  expect(lines.slice(1).map((line) => line.trim().split(/\s+/)[0])).toEqual([record!.id]);
});

test('status begins with the verdict, which names what waits', async () => {
  await using scene = await openScene();
  const [calm] = (await commandIn(scene, 'status')).out.split('\n');
  scene.drop('ventes.csv', sales(['F1', 'F2']).replace('F2;05/09/2026', 'F2;05/13/2026'));
  await commandIn(scene, 'run');
  const [waits] = (await commandIn(scene, 'status')).out.split('\n');
  const { language } = scene.instance().settings.rules;
  const plain = (message: Message) => format(message, language).toLowerCase();
  expect(stripVTControlCharacters(calm!).trim().toLowerCase()).toBe(plain(STATUS_CHECK.ok()));
  expect(stripVTControlCharacters(waits!).trim().toLowerCase()).toBe(plain(STATUS_CHECK.documents({ count: 1 })));
});

test('a run whose clock was ahead is not the last one once another run has ended', async () => {
  await using scene = await openScene();
  await scene.desk(async ({ ledger }) => {
    const startedAt = new Date(Date.now() + 86_400_000).toISOString();
    await ledger.runs.beginRun({ id: 'ahead', kind: 'run', startedAt, version: '0', host: 'test', pid: process.pid });
    await ledger.runs.endRun('ahead', { outcome: 'completed', endedAt: startedAt, exit: 0 });
  });
  const status = async () => JSON.parse((await commandIn(scene, '--json', 'status')).out);
  expect(await status()).toMatchObject({ lastRun: { id: 'ahead' }, aheadRun: { id: 'ahead' } });
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const { lastRun, aheadRun } = await status();
  expect([lastRun.id === 'ahead', aheadRun.id]).toEqual([false, 'ahead']);
  await scene.desk(async ({ ledger }) => {
    const startedAt = new Date().toISOString();
    await ledger.runs.beginRun({ id: 'now', kind: 'run', startedAt, version: '0', host: 'test', pid: process.pid });
    expect((await status()).lastRun).toMatchObject({ id: 'now', outcome: 'running' });
    await ledger.runs.endRun('now', { outcome: 'completed', endedAt: startedAt, exit: 0 });
  });
  // Which of both clocks is right cannot be known.
  expect((await commandIn(scene, 'status', '--check')).code).toBe(2);
});
