/** Servers that never answer: notices end within their deadlines, after the record of the run and its receipts. */
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/ledger/contract/run-record.ts';
import { composeReports } from '../../src/notices/compose-notices.ts';
import { deliverDue, type NoticeTry } from '../../src/notices/deliver-notices.ts';
import { lookIntoLedgerOf } from '../../src/runs/open-run.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn, runIn } from '../program.ts';

/** The latest run, looked up while another has the lock. */
async function runsIn(scene: Scene | undefined): Promise<readonly RunRecord[]> {
  if (!scene) return [];
  await using ledger = await lookIntoLedgerOf(scene.instance());
  return await ledger.runs.list(1);
}

/** Notices of the outbox that are to be sent. */
async function waitingIn(scene: Scene | undefined): Promise<number> {
  if (!scene) return 0;
  await using ledger = await lookIntoLedgerOf(scene.instance());
  return (await ledger.notices.noticeCounts()).waiting;
}

/** Accepts connections; says nothing unless `meet` does something with them. */
async function silentServer(meet: (socket: Socket) => void = () => {}) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    meet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: close };
}

function channels(mails: readonly number[], hook?: number): readonly object[] {
  const mail = (port: number) => ({
    mail: { to: ['a@example.org'], from: 'b@example.org', smtp: { host: '127.0.0.1', port, tls: 'none' } },
  });
  const webhook = { webhook: { url: { file: 'hook-url' }, secret: { file: 'hook-secret' } } };
  return [...mails.map(mail), ...(hook === undefined ? [] : [webhook])];
}

function writeSecrets({ root }: Scene, port: number): void {
  writeFileSync(join(root, 'hook-url'), `http://127.0.0.1:${port}/`, { mode: 0o600 });
  writeFileSync(join(root, 'hook-secret'), `whsec_${Buffer.alloc(32, 7).toString('base64')}`, { mode: 0o600 });
}

test.each([
  ['of each notice', { channelMs: 150, allMs: 60_000 }, '0.15'],
  ['of all notices', { channelMs: 60_000, allMs: 400 }, '0.4'],
])('silence after connecting ends by the deadline %s', async (_, deadlines, seconds) => {
  await using silent = await silentServer();
  await using scene = await openScene({
    settings: { notify: channels([silent.port, silent.port], silent.port) },
  });
  writeSecrets(scene, silent.port);
  const instance = scene.instance();
  const tries: NoticeTry[] = [];
  const now = () => new Date();
  const startMs = performance.now();
  await scene.desk(async ({ ledger }) => {
    const ending = { exit: 1, run: 'r1', error: 'internal-error' };
    await ledger.notices.addNotices(await composeReports({ instance, ledger }, { scope: 'run', now: now(), ending }));
    await deliverDue({ instance, ledger, now, deadlines, tried: (one) => tries.push(one) });
  });
  expect(performance.now() - startMs).toBeLessThan(30_000);
  expect(Object.fromEntries(tries.map(({ channel, result }) => [channel, result]))).toEqual({
    mail: 'waiting',
    'mail-2': 'waiting',
    webhook: 'waiting',
  });
  for (const { problem } of tries) expect(problem).toContain(seconds);
});

test('when a notice is sent, the receipts are there and the run has its end: its duration has no notice in it', async () => {
  const seen: { receipts?: number; runs?: Promise<readonly RunRecord[]>; waiting?: Promise<number> } = {};
  let there: Scene | undefined;
  await using server = await silentServer((socket) => {
    seen.receipts = there?.files('error').filter((path) => path.endsWith('.receipt.json')).length ?? 0;
    seen.waiting = waitingIn(there);
    seen.runs = runsIn(there).finally(() => socket.destroy());
  });
  await using scene = await openScene({ settings: { notify: channels([server.port]) } });
  there = scene;
  scene.drop('ventes.csv', sales(['F1'], 'x'));
  const ended = await commandIn(scene, 'run');
  expect([ended.code, seen.receipts]).toEqual([3, 1]);
  // The outbox has it before a byte is sent, and keeps it.
  expect([await seen.waiting, await waitingIn(scene)]).toEqual([1, 1]);
  expect(await seen.runs).toEqual(await scene.look((ledger) => ledger.runs.list(1)));
  expect(await seen.runs).toMatchObject([{ outcome: 'completed', exit: 3, endedAt: expect.any(String) }]);
});

/** It waits for the whole deadline: `.ci/run` sets TORTURE. */
test.skipIf(!process.env.TORTURE)(
  'a mail server that never answers, against none: the run has ended before it, and the process ends by the deadline',
  async () => {
    const heardMs: number[] = [];
    await using server = await silentServer(() => void heardMs.push(Date.now()));
    const night = async (notify: readonly object[]) => {
      await using scene = await openScene({ settings: { notify } });
      scene.drop('ventes.csv', sales(['F1'], 'x'));
      const { code } = await runIn(scene, 'run');
      const endedMs = Date.now();
      const [run] = await scene.look((ledger) => ledger.runs.list(1));
      return { code, endedMs, recordedMs: Date.parse(run?.endedAt ?? ''), waiting: await waitingIn(scene) };
    };
    const [none, silent] = [await night([]), await night(channels([server.port]))];
    expect([none.code, silent.code, silent.waiting]).toEqual([3, 3, 1]);
    // The run has ended before the server hears anything: no part of its duration is the mail.
    expect(heardMs.every((at) => at >= silent.recordedMs)).toBe(true);
    expect(heardMs).toHaveLength(1);
    // Eight seconds for the greeting, within the ten of a notice.
    const [afterNone, afterSilent] = [none, silent].map(({ endedMs, recordedMs }) => (endedMs - recordedMs) / 1000);
    expect(afterNone).toBeLessThan(afterSilent ?? 0);
    expect(afterSilent).toBeGreaterThan(7.9);
    expect(afterSilent).toBeLessThan(30);
  },
);
