/** `consult` prints what the service answered, and when the next document is due. */
import { expect, test } from 'vitest';
import { openScene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

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
