/** Which morning reports and notices a purge of one counterparty removes: those with its name, and no other ones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, type Scene, sales } from '../night.ts';
import { webReceiver } from '../notices/receivers.ts';
import { commandIn } from '../program.ts';

const NAME = 'Jeanne Élan';
const NOTIFY = [{ webhook: { url: { file: 'hook-url' }, secret: { file: 'hook-secret' } }, details: 'full' }];

async function purge(scene: Scene, subject: string) {
  const words = ['--json', 'purge', '--subject', subject, '--reason', 'asked for'];
  const { reports, notices } = JSON.parse((await commandIn(scene, ...words)).out);
  return { reports: reports.length, notices };
}

/** A report, and a notice with all of it, in which a cell of a document without counterparty has the name. */
async function night(scene: Scene, url: string): Promise<void> {
  writeFileSync(join(scene.root, 'hook-url'), url, { mode: 0o600 });
  writeFileSync(join(scene.root, 'hook-secret'), `whsec_${Buffer.alloc(32, 7).toString('base64')}`, { mode: 0o600 });
  scene.drop('ventes_0921.csv', sales(['F1'], 'Jeanne ÉLAN'));
  expect((await commandIn(scene, 'run')).code).toBe(3);
}

// Words of the program and of the settings, parts of words, names of files.
test.each(['ventes', 'sales', 'Support', 'Able', 'ort', 'fr', 'csv', 'attention', 'outcome', 'Jeann'])(
  'a counterparty "%s" that no document has removes no report',
  async (subject) => {
    await using hook = await webReceiver();
    await using scene = await openScene({ settings: { notify: NOTIFY } });
    await night(scene, hook.url);
    const { reports, notices } = await purge(scene, subject);
    expect(reports).toBe(0);
    if (['Able', 'ort', 'Jeann'].includes(subject)) expect(notices).toBe(0);
  },
);

test('a report with the name in a sentence goes, whatever its letters, and the notice with it', async () => {
  await using hook = await webReceiver();
  await using scene = await openScene({ settings: { notify: NOTIFY } });
  await night(scene, hook.url);
  const shown = await commandIn(scene, 'purge', '--subject', NAME.toLowerCase(), '--dry-run');
  expect(shown.out).toMatch(/^ {4}\d{4}-\d\d-\d\d\/\S+$/m);
  expect(await purge(scene, 'jeanne elan')).toEqual({ reports: 1, notices: 1 });
});

test('a look at what a purge would remove needs no lock: a run at work keeps on, and none is kept from beginning', async () => {
  await using scene = await openScene({ settings: { keep: { notices: '1d' } } });
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  for (const words of [[], ['--subject', 'Client F1']]) {
    const looked = await scene.desk(() => commandIn(scene, 'purge', '--dry-run', ...words));
    expect([words, looked.code, looked.err]).toEqual([words, 0, '']);
  }
});
