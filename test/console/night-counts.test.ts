/** The home page counts a night once: its bar has the documents of its control totals, whatever became of them since. */
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { ask, openConsoleOf, signInAs } from './console.ts';

test('a document that was corrected stays in the bar of its night, as in its totals', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']).replaceAll(/(?<=F2;.*;\d;)2(?=;)/g, '2O'));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  await commandIn(scene, 'fix', 'F2', 'Qte=2', '--yes', '--reason', 'typing error');
  expect((await commandIn(scene, 'run')).code).toBe(0);
  await using open = await openConsoleOf(scene);
  const { cookie } = await signInAs(scene, open, 'operator');
  const { body } = await ask(open, `${open.base}/`, { headers: { cookie } });
  const [verdict = ''] = /<section class="card verdict".*?<\/section>/s.exec(body) ?? [];
  const [totals = ''] = /<section[^>]*"totals".*?<\/section>/s.exec(body) ?? [];
  const bar = [...verdict.matchAll(/<strong>(\d+)<\/strong>/g)].map(([, count]) => Number(count));
  const [, read] = /<th[^>]*><[^>]*>Documents<\/span><\/th>\s*<td[^>]*>(\d+)</.exec(totals) ?? [];
  expect([bar, read]).toEqual([[3], '3']);
});

test('a credit note subtracts in the list of a cause, as in the sum above it', async () => {
  const mapping = SALES_MAPPING.replace('class: invoice', 'class: credit-note');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes.csv', sales(['C1-X6', 'C2-X6']));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  await using open = await openConsoleOf(scene);
  const { cookie } = await signInAs(scene, open, 'operator');
  const { body } = await ask(open, `${open.base}/work?cause=fr:6`, { headers: { cookie } });
  const amounts = [...body.matchAll(/(-?\d+\.\d\d) EUR/g)].map(([, amount]) => amount);
  expect(amounts).toEqual(['-100.80', '-50.40', '-50.40']);
});
