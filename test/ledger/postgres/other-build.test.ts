/** Two builds with one version text: the program as it is published, and its sources, which have no build. */
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { PROGRAM_BUILD } from '../../../src/model/program.ts';
import { ledgerPlaceOf, openLedgerOf, openRun } from '../../../src/runs/open-run.ts';
import { watch } from '../../../src/runs/watch.ts';
import build from '../../built-program.ts';
import { endWithTest } from '../../end-with-test.ts';
import { sales } from '../../night.ts';
import { startIn } from '../../program.ts';
import { openPostgresScene } from './scene.ts';

const until = async (fact: () => Promise<boolean> | boolean) => {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 50));
};

test('a watch of another build takes no file, although version, settings and mappings are the same', {
  timeout: 120_000,
}, async () => {
  const scene = await openPostgresScene({ settings: { inbox: { settle: '1ms', scan: '200ms' } } });
  await build();
  onTestFinished(() => void delete process.env.BUILT_PROGRAM);
  const published = startIn(scene, 'watch', '-q');
  onTestFinished(() => void published.child.kill('SIGKILL'));
  await using look = await openLedger({ ...ledgerPlaceOf(scene.instance()), readOnly: true });
  const leads = async () => (await look.workers.list()).find(({ roles }) => roles.includes('receipts'));
  await until(async () => (await leads())?.pid === published.child.pid);
  const stop = new AbortController();
  const told: string[] = [];
  const instance = scene.instance();
  const ledger = await openLedgerOf(instance, 'watch');
  onTestFinished(() => ledger[Symbol.asyncDispose]());
  const onEvent = (happening: object) => void told.push(JSON.stringify(happening));
  const work = await openRun(instance, ledger, { stop: stop.signal, onEvent });
  onTestFinished(() => work[Symbol.asyncDispose]());
  const workers = await ledger.workers.list();
  const [own, other] = [process.pid, published.child.pid].map((id) => workers.find(({ pid }) => pid === id));
  // The worker has the name of its build, which begins with the version that both have.
  expect(own?.version).toBe(PROGRAM_BUILD);
  expect(other?.version).toMatch(/^[\d.]+\+[0-9a-f]{12}$/);
  expect(other?.version.split('+')[0]).toBe(own?.version.split('+')[0]);
  expect(other?.settingsSha256).toBe(own?.settingsSha256);
  const over = watch(work);
  endWithTest(stop, [over]);
  scene.drop('ventes.csv', sales(['F1']));
  await until(() => scene.files('archive').length > 0);
  await until(() => told.some((line) => line.includes('conversion-waits')));
  const differs = { version: true, settings: false, mappings: [] };
  expect(told.filter((line) => line.includes('conversion-waits'))).toEqual([
    expect.stringContaining(JSON.stringify(differs).slice(1)),
  ]);
  expect(told.some((line) => line.includes('file-claimed'))).toBe(false);
  stop.abort();
  await over;
});
