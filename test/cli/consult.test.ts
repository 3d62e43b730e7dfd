/** `consult` prints what the service answered, and when the next document is due. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lookIntoLedgerOf } from '../../src/runs/open-run.ts';
import { openScene, sales, tally } from '../night.ts';
import { commandIn, startIn } from '../program.ts';

test('what the service answered of a document that it does not know, the first and the second time; and nothing due yet', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-XDROP']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 1 });
  const json = async (...args: string[]) => JSON.parse((await commandIn(scene, '--json', ...args)).out);
  const [nothing] = (await json('consult')).asked;
  expect(nothing).toMatchObject({ service: 'fr', documents: [], nextAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  const minutes = (Date.parse(nothing.nextAt) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(1);
  expect(minutes).toBeLessThanOrEqual(5);
  expect((await commandIn(scene, 'consult')).out).toMatch(/fr: nothing is due before \d{4}-\d\d-\d\d \d\d:\d\d/);
  const [first] = (await json('consult', 'F1-XDROP')).asked;
  expect(first.documents).toMatchObject([{ number: 'F1-XDROP', state: 'in-doubt', notFound: 1 }]);
  expect(first.documents[0].says).toContain('code 18');
  const { out } = await commandIn(scene, 'consult', 'F1-XDROP');
  expect(out).toContain('code 18');
  expect(out).not.toContain('first of two');
});

test('a signal ends a consultation that waits for its rate, and what was answered is printed', async () => {
  await using scene = await openScene({ settings: { run: { 'consult-per-minute': 1 } } });
  scene.drop('ventes.csv', sales(['F1-XDROP', 'F2-XDROP']));
  await scene.night();
  const { child, ended } = startIn(scene, '--json', 'consult', 'F1-XDROP', 'F2-XDROP');
  const isConsulted = async () => {
    await using ledger = await lookIntoLedgerOf(scene.instance());
    for await (const { attempts } of ledger.queries.find({}))
      if (attempts.some(({ act }) => act === 'consult')) return true;
    return false;
  };
  while (!(await isConsulted())) await wait(50);
  child.kill('SIGTERM');
  const { code, out } = await ended;
  expect(code).toBe(143);
  expect(JSON.parse(out).asked).toMatchObject([{ service: 'fr', documents: [{ state: 'in-doubt', code: 18 }] }]);
});
