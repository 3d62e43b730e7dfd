/**
 * A night of two watches on one ledger: a document in doubt, a decision in the console, a correction, answers for the ERP, mail,
 * webhook and metrics. Everything that leaves comes from the one that writes receipts.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openMetricsWriter } from '../../../src/cli/session/metrics-writer.ts';
import { followNotices } from '../../../src/notices/run-notices.ts';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { openLedgerOf, openRun } from '../../../src/runs/open-run.ts';
import { settleLeftovers } from '../../../src/runs/take-over.ts';
import { watch } from '../../../src/runs/watch.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs } from '../../console/console.ts';
import { endWithTest } from '../../end-with-test.ts';
import { SALES_MAPPING, type Scene, sales } from '../../night.ts';
import { mailServer, webReceiver } from '../../notices/receivers.ts';
import { commandIn } from '../../program.ts';
import { openPostgresScene } from './scene.ts';

const ANSWERS = `
answers:
  - file: "RET_{n:6}.csv"
    format: { csv: { header: no } }
    row: { NUM: $Num, STATE: "@answer.state" }
`;

async function until(fact: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await fact())) await wait(20);
}

/** A watch in this process, and what it emits. Its notices and metrics run when the test says so. */
async function openWatch(scene: Scene, stop: AbortSignal) {
  const instance = scene.instance();
  const ledger = await openLedgerOf(instance, 'watch');
  onTestFinished(() => ledger[Symbol.asyncDispose]());
  const told: PipelineEvent[] = [];
  const work = await openRun(instance, ledger, { stop, onEvent: (happening) => void told.push(happening) });
  onTestFinished(() => work[Symbol.asyncDispose]());
  await settleLeftovers(work);
  let looks = 0;
  const sleep = async () => {
    looks++;
    await wait(20);
  };
  const follow = () => followNotices({ ...work, stop, now: () => new Date(), sleep, zone: 'UTC' });
  const metrics = openMetricsWriter({ instance, terminal: { talk: () => {} }, say: () => '' } as never)!;
  return { work, ledger, told, follow, looks: () => looks, writeMetrics: () => metrics.write(ledger) };
}

test('one of them sends, writes and reports; the decisions of people reach it from another program', async () => {
  await using mail = await mailServer();
  await using hook = await webReceiver();
  const notify = [
    {
      name: 'office',
      mail: { to: ['a@example.org'], from: 'b@example.org', smtp: { host: '127.0.0.1', port: mail.port, tls: 'none' } },
      on: ['attention', 'failed', 'always'],
      at: '00:00',
    },
    {
      name: 'erp',
      webhook: { url: { file: 'hook-url' }, secret: { file: 'hook-secret' }, types: ['document.changed'] },
      at: '00:00',
    },
  ];
  const settings = {
    ...{ inbox: { settle: '1ms', scan: '100ms' }, answers: { every: '200ms' } },
    ...{ notify, metrics: { textfile: 'nightpost.prom' } },
  };
  const scene = await openPostgresScene({ settings, mappings: { 'sales.yaml': SALES_MAPPING + ANSWERS } });
  writeFileSync(join(scene.root, 'hook-url'), hook.url, { mode: 0o600 });
  writeFileSync(join(scene.root, 'hook-secret'), `whsec_${Buffer.alloc(32, 7).toString('base64')}`, { mode: 0o600 });
  const stop = new AbortController();
  const [one, other] = [await openWatch(scene, stop.signal), await openWatch(scene, stop.signal)];
  const over = [watch(one.work), watch(other.work)];
  endWithTest(stop, over);
  const states = async () => await one.ledger.queries.counts();
  scene.drop('ventes1.csv', sales(['F1', 'F2-XLOST']));
  scene.drop('ventes2.csv', sales(['F3'], '2O'));
  await until(async () => {
    const { authorized, invalid, 'in-doubt': inDoubt } = await states();
    return authorized === 1 && invalid === 1 && inDoubt === 1;
  });

  // The one without the role looks again and again, and sends nothing; then the other one does.
  over.push(other.follow());
  await until(() => other.looks() > 3);
  await other.writeMetrics();
  expect([mail.mails.length, hook.received.length, existsSync(join(scene.root, 'nightpost.prom'))]).toEqual([
    0,
    0,
    false,
  ]);
  over.push(one.follow());
  await one.writeMetrics();
  expect(existsSync(join(scene.root, 'nightpost.prom'))).toBe(true);
  await until(() => mail.mails.length > 0);

  // In the console, and by a command: both are carried out by the watch that has the role.
  const open = await openConsoleOf(scene);
  onTestFinished(() => open[Symbol.asyncDispose]());
  const session = await signInAs(scene, open, 'admin');
  const entries: string[] = [];
  for await (const { id } of one.ledger.queries.find({ states: ['in-doubt'] })) entries.push(id);
  const { body } = await ask(open, `${open.base}/work?id=${entries[0]}&act=resolve`, { headers: session });
  const hidden = [...body.slice(body.indexOf('id="act"')).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
  const form = { ...fields, csrf: csrfIn(body), as: 'rejected', reason: 'found at the portal' };
  const posted = await ask(open, `${open.base}/acts`, { headers: { ...session, ...SAME_ORIGIN }, form });
  expect(posted.status).toBe(303);
  const fixed = await commandIn(scene, 'fix', 'F3', 'Qte=2', '--reason', 'typed with the letter O', '--yes');
  expect(fixed.code).toBe(0);
  await until(async () => (await states()).authorized === 2);
  await until(() => hook.received.length >= 2);
  const lines = () => scene.files('answers').flatMap((path) => scene.read(path).trim().split(/\r?\n/));
  await until(() => new Set(lines().map((line) => line.split(/\W/)[0])).size === 3);
  stop.abort();
  await Promise.all(over);

  expect(other.told.filter(({ what }) => what === 'notice' || what === 'answers-written' || what === 'act')).toEqual(
    [],
  );
  expect(one.told.filter(({ what }) => what === 'act')).toHaveLength(2);
  // Each document once for each of its states.
  expect(new Set(lines()).size).toBe(lines().length);
  const ids = hook.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
});
