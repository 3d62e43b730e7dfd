/** Backups, and ledgers that take the place of another: nothing is issued twice, and what is not known is held. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Driver } from '../../src/database/database-driver.ts';
import { backupOf, endQuarantineOf } from '../../src/maintenance/restore-instance.ts';
import { openLedgerOf } from '../../src/runs/open-run.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';
import { runs } from '../seed.ts';

const numbers = (count: number, prefix = 'F') => Array.from({ length: count }, (_, n) => `${prefix}${1000 + n}`);
const backup = (scene: Scene) => join(scene.root, 'copy.sqlite');
const accepted = (scene: Scene) => {
  const acceptances = scene.sandbox.acceptances();
  expect(new Set(acceptances.map(({ identity }) => identity)).size, 'accepted twice').toBe(acceptances.length);
  expect(acceptances.filter(({ requests }) => requests > 1)).toEqual([]);
  return acceptances.length;
};
const refusal = (code: string) => ({ code: 2, err: expect.stringContaining(code) });

test('a copy that is made while a run works is whole, private, and carries settings and mappings', async () => {
  await using scene = await openScene({ sandbox: { latencyMs: 5 } });
  scene.drop('ventes.csv', sales(numbers(60)));
  let copied: ReturnType<typeof commandIn> | undefined;
  let seen = 0;
  await scene.night({
    onEvent: ({ what }) => {
      if (what === 'document' && ++seen === 10) copied = commandIn(scene, 'backup', backup(scene));
    },
  });
  expect((await copied)?.code).toBe(0);
  using db = new DatabaseSync(backup(scene), { readOnly: true });
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(db.prepare('SELECT count(*) AS n FROM entry').get()).toEqual({ n: 60 });
  const paths = db.prepare('SELECT path FROM backup_file ORDER BY path').all();
  expect(paths.map(({ path }) => path)).toEqual(['mappings/sales.yaml', 'nightpost.yaml', 'state/installation.json']);
  expect(await commandIn(scene, 'backup', backup(scene))).toMatchObject(refusal('backup/exists'));
  const nowhere = join(scene.root, 'unmounted', 'ledger.sqlite');
  expect(await commandIn(scene, 'backup', nowhere)).toMatchObject(refusal('backup/not-written'));
});

test('of several backups to one file at the same time one is made, and the others are refused', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(numbers(20)));
  await scene.night();
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => backupOf(scene.instance(), backup(scene))));
  const codes = results.map((one) => (one.status === 'rejected' ? one.reason.code : 'made'));
  expect(codes.sort()).toEqual(['backup/exists', 'backup/exists', 'backup/exists', 'made']);
  using db = new DatabaseSync(backup(scene), { readOnly: true });
  expect(db.prepare('SELECT count(*) AS n FROM backup_file').get()).toEqual({ n: 3 });
  expect(readdirSync(scene.root).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite']);
});

test('without a name backups lie in backups/, and only the last ones stay', async () => {
  await using scene = await openScene();
  for (const second of ['01', '02', '03']) {
    const path = join(scene.root, 'backups', `ledger-20260101T0000${second}Z.sqlite`);
    if (second === '01') await commandIn(scene, 'backup');
    writeFileSync(path, 'old');
  }
  writeFileSync(join(scene.root, 'backups', 'mine.sqlite'), 'kept');
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const made = await commandIn(scene, 'backup', '--keep', '2');
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/archive\/.*outbox\/.*pending\/.*error\//) });
  const left = readdirSync(join(scene.root, 'backups')).sort();
  expect(left).toHaveLength(3);
  expect(left.slice(-1)).toEqual(['mine.sqlite']);
  expect(left.filter((name) => name.startsWith('ledger-20260101'))).toEqual([]);
  rmSync(join(scene.root, 'state/ledger.sqlite'));
  const refused = await commandIn(scene, 'run');
  expect(refused).toMatchObject(refusal('ledger/missing'));
  expect(refused.err).toContain(join('backups', left[1]!));
});

test('a backup never removes itself: copies of a clock that was ahead go first', async () => {
  await using scene = await openScene();
  const folder = join(scene.root, 'backups');
  const ahead = ['01', '02'].map((day) => `ledger-203701${day}T000000Z.sqlite`);
  mkdirSync(folder);
  for (const name of ahead) writeFileSync(join(folder, name), 'old');
  const made = JSON.parse((await commandIn(scene, 'backup', '--keep', '1', '--json')).out);
  expect(existsSync(made.file)).toBe(true);
  expect(made.removed).toEqual(ahead);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a restored backup learns from receipts what was sent since, and sends nothing of what it does not know', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1', 'F2-XLOST']));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['F3']));
  await scene.night({ stop: AbortSignal.abort() });
  await commandIn(scene, 'run', '--take-in-only');
  await commandIn(scene, 'backup', backup(scene));
  // Since then: the queued one went out, others came and went, one was rejected.
  scene.drop('ventes-4.csv', sales(['F4', 'F5', 'F6-X6']));
  await scene.night();
  const before = accepted(scene);
  const ended = await commandIn(scene, 'ledger', 'restore', backup(scene));
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.out).toMatch(/4 documents recovered from receipts, 1 held, 0 in doubt/);
  expect(readdirSync(join(scene.root, 'state')).filter((name) => name.startsWith('before-'))).toHaveLength(1);
  expect(tally(await scene.entries())).toEqual({ authorized: 4, 'in-doubt': 1, rejected: 1 });
  // Every export once more, changed so that the bytes are others, and a new one.
  scene.drop('ventes-again.csv', sales(['F1', 'F2-XLOST', 'F3', 'F4', 'F5', 'F6-X6']).replaceAll('\n', '\r\n'));
  scene.drop('ventes-new.csv', sales(['F7']));
  await scene.night();
  expect(accepted(scene)).toBe(before);
  const held = (await scene.entries()).filter(({ state }) => state === 'held');
  expect(held.map(({ facts, hold }) => [facts.identifier, hold?.rule])).toEqual([['F7', 'restored']]);
  expect((await commandIn(scene, 'status')).out).toContain('IN QUARANTINE: the ledger was restored');
  expect((await commandIn(scene, 'doctor', '--offline')).out).toContain('end-quarantine');
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'looked it up')).code).toBe(0);
  expect((await commandIn(scene, 'status')).out).not.toContain('QUARANTINE');
  scene.drop('ventes-8.csv', sales(['F8']));
  await scene.night();
  expect(accepted(scene)).toBe(before + 1);
});

test('what was under way when a backup was made is in doubt after it is restored, with its request', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await commandIn(scene, 'run', '--take-in-only');
  await commandIn(scene, 'backup', backup(scene));
  const intent = { requestId: 'r-1', at: '2026-11-20T22:30:00.000Z', run: 'run-1' };
  {
    using db = new DatabaseSync(backup(scene));
    const begin = `UPDATE entry SET state = 'sending', submits = 1, receipt_due = 0, due_at = NULL, request_id = ?,
      begun_at = ?, begun_run = ?`;
    db.prepare(begin).run(intent.requestId, intent.at, intent.run);
  }
  expect((await commandIn(scene, 'ledger', 'restore', backup(scene))).out).toContain('1 in doubt');
  const [entry] = await scene.entries();
  expect(entry).toMatchObject({ state: 'in-doubt', attempts: [{ n: 1, act: 'submit', ...intent }] });
  expect(entry?.attempts).toHaveLength(1);
});

test('a backup put in place by hand also imports receipts, once it is accepted', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  await commandIn(scene, 'backup', backup(scene));
  scene.drop('ventes-2.csv', sales(['F2', 'F3-X6', 'F4-XLOST']));
  await scene.night();
  const before = accepted(scene);
  for (const name of ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm']) {
    rmSync(join(scene.root, 'state', name), { force: true });
  }
  copyFileSync(backup(scene), join(scene.root, 'state/ledger.sqlite'));
  expect((await commandIn(scene, 'run')).err).toContain('ledger/older');
  const ended = await commandIn(scene, 'doctor', '--offline', '--accept-ledger', 'there is no other one');
  expect(ended.err).toMatch(/\b3 documents\b.*IN QUARANTINE/);
  expect(tally(await scene.entries())).toEqual({ authorized: 2, rejected: 1, 'in-doubt': 1 });
  scene.drop('ventes-again.csv', sales(['F1', 'F2', 'F4-XLOST', 'F5']).replaceAll('\n', '\r\n'));
  await scene.night();
  expect(accepted(scene)).toBe(before);
  expect(tally(await scene.entries())).toMatchObject({ authorized: 2, held: 1, duplicate: 3 });
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'looked it up')).code).toBe(0);
});

/** Ways in which an administrator puts back a ledger that is older than the receipts. */
const WAYS_BACK = {
  'ledger restore': async (scene: Scene) =>
    expect((await commandIn(scene, 'ledger', 'restore', backup(scene))).code).toBe(0),
  'ledger restore, after state/ was lost': async (scene: Scene) => {
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect((await commandIn(scene, 'ledger', 'restore', backup(scene))).code).toBe(0);
  },
  'a copy by hand, then accepted': async (scene: Scene) => {
    for (const name of ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm']) {
      rmSync(join(scene.root, 'state', name), { force: true });
    }
    copyFileSync(backup(scene), join(scene.root, 'state/ledger.sqlite'));
    const ended = await commandIn(scene, 'doctor', '--offline', '--accept-ledger', 'there is no other one');
    expect(ended.err).toContain('IN QUARANTINE');
  },
};

test.each(Object.keys(WAYS_BACK) as (keyof typeof WAYS_BACK)[])(
  'a document that was consulted since the backup keeps its consultation, and verify finds nothing: %s',
  async (way) => {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales(['F1-X15', 'F2']));
    await scene.night();
    await commandIn(scene, 'backup', backup(scene));
    await commandIn(scene, 'consult', 'F1-X15');
    const consults = async () =>
      (await scene.entries()).flatMap(({ attempts }) => attempts.filter(({ act }) => act === 'consult'));
    const before = await consults();
    expect(before).toHaveLength(1);
    const tallied = tally(await scene.entries());
    const posts = scene.sandbox.requests().fr.submit;
    await WAYS_BACK[way](scene);
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
    const { exchange: _, ...known } = before[0] as (typeof before)[0] & { exchange?: unknown };
    expect(await consults()).toMatchObject([{ n: known.n, at: known.at, code: known.code, outcome: known.outcome }]);
    expect(tally(await scene.entries())).toEqual(tallied);
    await scene.night();
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
    const [path] = scene
      .files('error')
      .concat(scene.files('pending'))
      .filter((one) => one.endsWith('F1-X15.receipt.json'));
    expect(JSON.parse(scene.read(path!)).attempts).toHaveLength(2);
    expect(scene.sandbox.requests().fr.submit).toBe(posts);
    expect((await commandIn(scene, '--json', 'status')).out).toContain('quarantine');
  },
);

test('receipts and summaries that were rewritten with the same facts since the backup raise no alarm', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2-X6']));
  await scene.night();
  await commandIn(scene, 'backup', backup(scene));
  await scene.look(async (ledger) => {
    const entries = [];
    const files = new Set<string>();
    for await (const entry of ledger.queries.find({})) {
      entries.push(entry.id);
      files.add(entry.file.id);
    }
    await ledger.receipts.requestRewrite({ entries, files: [...files] });
  });
  await scene.night();
  expect((await commandIn(scene, 'ledger', 'restore', backup(scene))).code).toBe(0);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  await scene.night();
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});

test('a receipt that was edited is not imported as a newer one: verify reports it after a restore', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2-X15']));
  await scene.night();
  await commandIn(scene, 'backup', backup(scene));
  const path = ['error', 'pending']
    .flatMap((one) => scene.files(one))
    .find((one) => one.endsWith('F2-X15.receipt.json'))!;
  const receipt = JSON.parse(scene.read(path));
  receipt.attempts.push({ ...receipt.attempts[0], act: 'consult', n: 1, code: 2, outcome: 'returned' });
  writeFileSync(join(scene.root, path), JSON.stringify(receipt));
  expect((await commandIn(scene, 'ledger', 'restore', backup(scene))).code).toBe(0);
  const proof = await commandIn(scene, 'verify');
  expect(proof).toMatchObject({ code: 3, out: expect.stringContaining('verify/receipt-changed') });
  const entry = (await scene.entries()).find(({ facts }) => facts.identifier === 'F2-X15')!;
  expect(entry.attempts).toHaveLength(1);
});

test('a damaged or foreign backup is reported before anything changes', async () => {
  await using scene = await openScene();
  await using other = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  await commandIn(other, 'backup', join(other.root, 'copy.sqlite'));
  const restore = async (path: string) => await commandIn(scene, 'ledger', 'restore', path);
  expect(await restore(join(other.root, 'copy.sqlite'))).toMatchObject(refusal('backup/foreign'));
  expect(await restore(join(scene.root, 'nowhere'))).toMatchObject(refusal('backup/missing'));
  expect(await restore(join(scene.root, 'nightpost.yaml'))).toMatchObject(refusal('ledger/damaged'));
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject(refusal('ledger/exists'));
  expect(await commandIn(scene, 'ledger', 'end-quarantine', ' ')).toMatchObject(refusal('ledger/no-reason'));
  {
    // A run: for an act it would wait.
    await using _run = await openLedgerOf(scene.instance(), 'run');
    expect(await commandIn(scene, 'ledger', 'restore', backup(scene))).toMatchObject({ code: 6 });
  }
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect(readdirSync(join(scene.root, 'state')).filter((name) => name.startsWith('before-'))).toEqual([]);
});

test('a lost ledger is made again from receipts: every identity is known, what waited is held, 0 POST', async () => {
  await using scene = await openScene({ services: { fr: { concurrency: 16 } } });
  const many = Math.min(10_000, runs(200));
  scene.drop('ventes-1.csv', sales([...numbers(many), 'L1-X8', 'L2-X6', 'L3-XLOST']));
  scene.drop('ventes-bad.csv', sales(['B1']).replace(';2;10,50', ';x;10,50'));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['Q1']));
  await commandIn(scene, 'run', '--take-in-only');
  const before = {
    tally: tally(await scene.entries()),
    accepted: accepted(scene),
    sent: scene.sandbox.requests().fr.submit,
  };
  for (const name of ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm', 'installation.json']) {
    rmSync(join(scene.root, 'state', name), { force: true });
  }
  const ended = await commandIn(scene, 'ledger', 'rebuild');
  expect(ended).toMatchObject({ code: 0 });
  const { ready, ...others } = before.tally;
  expect(tally(await scene.entries())).toEqual({ ...others, held: ready });
  // Everything once more, in another file.
  const again = [...numbers(many), 'L1-X8', 'L2-X6', 'L3-XLOST', 'Q1'];
  scene.drop('ventes-again.csv', sales(again).replaceAll('\n', '\r\n'));
  await endQuarantineOf(scene.instance(), { by: 'anna', reason: 'test' });
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(before.sent);
  expect(accepted(scene)).toBe(before.accepted);
  expect(tally(await scene.entries())).toEqual({ ...others, held: ready, duplicate: many + 4 });
  // The same bytes are known as a file, too; and what is wrong with its rows can still be corrected.
  const archived = scene.files('archive').find((path) => path.includes('ventes-1.csv'))!;
  scene.drop('ventes-same.csv', scene.read(archived));
  const { told } = await scene.night();
  expect(told.some(({ what }) => what === 'file-duplicate')).toBe(true);
  scene.drop('ventes-corrected.csv', sales(['L2-X6'], '3'));
  await scene.night();
  expect((await scene.entries()).find(({ facts }) => facts.identifier === 'L2-X6')).toMatchObject({ revision: 2 });
}, 120_000);

test('a damaged receipt is reported by its path, and a file without a summary is restored from its documents', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  const [one] = scene.files('outbox').filter((path) => path.endsWith('F1.receipt.json'));
  writeFileSync(join(scene.root, one!), '{"receipt": 1');
  rmSync(join(scene.root, scene.files('outbox').find((path) => path.endsWith('.summary.json'))!));
  renameSync(join(scene.root, 'state/ledger.sqlite'), join(scene.root, 'state/lost'));
  const ended = await commandIn(scene, 'ledger', 'rebuild');
  expect(ended.code).toBe(3);
  expect(ended.out).toContain(`cannot be read: ${one}`);
  expect((await scene.entries()).map(({ facts, file }) => [facts.identifier, file.name])).toEqual([
    ['F2', 'ventes.csv'],
  ]);
  // The export is read again from the archive: its other document is held, and the same in other bytes is a duplicate.
  scene.drop('ventes-again.csv', sales(['F1', 'F2']).replaceAll('\n', '\r\n'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, duplicate: 2, held: 1 });
  expect(scene.files('state').filter((path) => path.includes('ledger.new'))).toEqual([]);
});

test('a restored backup of any instant of a night sends no document twice', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  let made = 0;
  let busy: Promise<unknown> = Promise.resolve();
  const copy = (n: number) => join(scene.root, `copy-${n}.sqlite`);
  // One behind each commit, while the file is being read, admitted, settled and sent.
  const through = (driver: Driver): Driver => ({
    ...driver,
    write: async (work) => {
      const done = await driver.write(work);
      const before = busy;
      busy = before.then(() => commandIn(scene, 'backup', copy(made++)));
      await busy;
      return done;
    },
  });
  await scene.night({ through });
  expect(made).toBeGreaterThan(8);
  expect(accepted(scene)).toBe(2);
  for (let n = 0; n < made; n++) {
    expect((await commandIn(scene, 'ledger', 'restore', copy(n))).code, `backup ${n}`).toBe(0);
    scene.drop(`ventes-${n + 2}.csv`, sales(['F1', 'F2']) + '\n'.repeat(n + 1));
    await commandIn(scene, 'run');
    expect(accepted(scene), `backup ${n}`).toBe(2);
  }
});
