/** A correction file of after the backup, of which no receipt and no summary was written any more: its documents may have been sent. */
import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const FOLDERS = ['outbox', 'pending', 'error'];

async function states(scene: Scene): Promise<readonly string[]> {
  return (await scene.entries()).map(({ facts, state, file }) => `${facts.identifier} ${state} ${file.name}`).sort();
}

function filled(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.map((line) => (line.includes('C1;') ? line.replace(';2O;', ';2;') : line)).join('\n');
}

/** What is lost, and what is known then before and after the next run. */
const LOST = {
  'its receipts and summaries': {
    held: 'C1 held ventes.csv',
    later: ['C1 conflict ventes-2.csv', 'C1 held ventes.csv'],
  },
  'its summary': {
    held: 'C1 authorized ventes.csv',
    later: ['C1 authorized ventes.csv', 'C1 conflict ventes-2.csv'],
  },
  everything: { held: 'C1 invalid ventes.csv', later: ['C1 held ventes-2.csv'] },
};

test.each(Object.keys(LOST) as (keyof typeof LOST)[])('lost: %s', async (lost) => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['C1'], '2O'));
  await scene.night();
  await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
  const path = scene.files('error').find((one) => one.endsWith('.to-fix.csv'))!;
  const text = scene.read(path);
  for (const folder of FOLDERS) cpSync(join(scene.root, folder), join(scene.root, 'then', folder), { recursive: true });
  scene.drop(basename(path), filled(text));
  await scene.night();
  expect(await states(scene)).toEqual(['C1 authorized ventes.csv']);
  const summaries = FOLDERS.flatMap((folder) => scene.files(folder)).filter((one) => one.endsWith('.summary.json'));
  if (lost === 'its summary') {
    for (const one of summaries) if (one.includes('.to-fix.')) rmSync(join(scene.root, one));
  } else {
    for (const folder of FOLDERS) {
      rmSync(join(scene.root, folder), { recursive: true });
      if (lost !== 'everything')
        cpSync(join(scene.root, 'then', folder), join(scene.root, folder), { recursive: true });
    }
  }
  if (lost === 'everything') rmSync(join(scene.root, 'state'), { recursive: true });
  const back = lost === 'everything' ? ['rebuild'] : ['restore', join(scene.root, 'copy.sqlite')];
  expect(await commandIn(scene, 'ledger', ...back)).toMatchObject({
    code: 0,
    out: expect.stringContaining('.to-fix.csv'),
  });
  await scene.night();
  expect(await states(scene)).toEqual([LOST[lost].held]);
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  scene.drop('ventes-2.csv', sales(['C1'], '3'));
  await scene.night();
  expect(await states(scene)).toEqual(LOST[lost].later);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});
