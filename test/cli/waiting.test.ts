/** What earlier runs left to people, as later runs and `status` tell it. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localDay } from '../../src/runs/open-run.ts';
import { machineZone } from '../../src/text/local-time.ts';
import { openScene, sales } from '../night.ts';
import { commandIn, startIn } from '../program.ts';

const CUT = sales(['F1']).slice(0, -1);

test('refused files wait until they are replaced or set aside', async () => {
  await using scene = await openScene();
  const again = async () => {
    const { code, out } = await commandIn(scene, 'run');
    return { code, says: out.trimEnd().split('\n').at(-1) };
  };
  scene.drop('ventes-1.csv', CUT);
  expect(await again()).toMatchObject({ code: 3 });
  expect(await again()).toEqual({
    code: 0,
    says: expect.stringContaining('  nothing new needs action; 1 file from earlier runs still does: nightpost errors'),
  });
  expect((await commandIn(scene, 'status')).out).toContain('  1 refused file needs action: nightpost errors\n');
  scene.drop('ventes-2.csv', CUT.replaceAll('F1', 'F2'));
  scene.drop('ventes-3.csv', sales(['F3']).replace(';1;2;10,50', ';1;2O;10,50'));
  await again();
  expect((await again()).says).toContain(
    'nothing new needs action; 1 document and 2 files from earlier runs still do: nightpost errors',
  );
  expect(JSON.parse((await commandIn(scene, '--json', 'run')).out)).toMatchObject({ waiting: 1, waitingFiles: 2 });
  expect(JSON.parse((await commandIn(scene, '--json', 'status')).out)).toMatchObject({ filesRefused: 2 });
  expect((await commandIn(scene, 'reject', 'F3', '--reason', 'not ours')).code).toBe(0);
  expect((await again()).says).toContain('nothing new needs action; 2 files from earlier runs still do');
  expect((await commandIn(scene, 'reject', 'ventes-2.csv', '--reason', 'not ours')).code).toBe(0);
  scene.drop('ventes-1.csv', sales(['F1']));
  expect(await again()).toEqual({ code: 0, says: expect.stringContaining('no action needed') });
  expect(await again()).toEqual({ code: 0, says: expect.stringContaining('no action needed') });
  expect((await commandIn(scene, 'status')).out).not.toContain('refused');
});

test('the next complete run reports once what a killed run left', async () => {
  let killed = () => {};
  await using scene = await openScene({
    sandbox: {
      log: ({ event, act, number }) => event === 'received' && act === 'submit' && number === 'F3' && killed(),
    },
    services: { fr: { concurrency: 1 } },
  });
  scene.drop('ventes-1.csv', CUT);
  scene.drop('ventes-2.csv', sales(['F1-X6', 'F2', 'F3']));
  const { child, ended } = startIn(scene, 'run');
  killed = () => child.kill('SIGKILL');
  expect(await ended).toMatchObject({ code: 'SIGKILL', out: '' });
  killed = () => {};
  const next = await commandIn(scene, 'run');
  expect(next.code).toBe(3);
  expect(next.out).toMatch(/ventes-1\.csv +refused/);
  expect(next.out).toMatch(/ventes-2\.csv +3 +1 +1 +1 /);
  expect(next.out).toMatch(/ 1 to correct, 1 to verify, 1 file refused\n/);
  expect(next.out).toContain('Includes events since ');
  expect(await commandIn(scene, 'run')).toMatchObject({
    code: 0,
    out: expect.stringContaining('nothing new needs action; 2 documents and 1 file from earlier runs still do'),
  });
});

test('the next run reports what a run left that could not write its receipts', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-X6', 'F2']));
  // The folder of the day cannot be made.
  const day = join(scene.root, 'outbox', localDay(new Date(), machineZone()));
  writeFileSync(day, '');
  expect(await commandIn(scene, 'run')).toMatchObject({ code: 5, out: '' });
  rmSync(day);
  const next = await commandIn(scene, '--json', 'run');
  expect(next.code).toBe(3);
  expect(JSON.parse(next.out)).toMatchObject({
    untoldSince: expect.any(String),
    files: [{ file: 'ventes.csv', counts: { authorized: 1, rejected: 1 } }],
  });
  expect(JSON.parse((await commandIn(scene, '--json', 'run')).out)).toMatchObject({ files: [], waiting: 1 });
});
