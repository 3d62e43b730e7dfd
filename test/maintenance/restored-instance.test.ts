/**
 * A whole instance folder that is put back in place: ledger, receipts and the witness in archive/ are old together, and
 * only the file of the witness shows it. Nothing is sent, and no stop of the program looks like it.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readWitness } from '../../src/ledger/installation/installation-file.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn, startIn } from '../program.ts';

const WITNESS = 'archive/.ledger-witness.json';
const GONE = ['archive', 'outbox', 'error', 'pending', 'logs', 'reports', 'processing', 'inbox'];

const sh = (line: string) => execFileSync('sh', ['-c', line], { stdio: 'ignore' });
const isThere = (name: string) => (process.env.PATH ?? '').split(delimiter).some((one) => existsSync(join(one, name)));

const accepted = (scene: Scene) => {
  const acceptances = scene.sandbox.acceptances();
  expect(acceptances.filter(({ requests }) => requests > 1)).toEqual([]);
  return acceptances.length;
};

/** F1 was sent and F2 is queued when the folder is saved; then F2 and F3 are sent. */
async function lostNight() {
  const scene = await openScene();
  const saved = mkdtempSync(join(tmpdir(), 'nightpost-saved-'));
  onTestFinished(() => rmSync(saved, { recursive: true, force: true }));
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['F2']));
  expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
  sh(`cp -a '${scene.root}/.' '${saved}/'`);
  // As saved an hour ago: rsync compares times by the second.
  sh(`touch -d '1 hour ago' '${saved}/${WITNESS}' '${saved}'/state/*`);
  scene.drop('ventes-3.csv', sales(['F3']));
  await scene.night();
  expect(accepted(scene)).toBe(3);
  return { scene, saved };
}

const WAYS: readonly (readonly [name: string, tool: string, line: (saved: string, root: string) => string])[] = [
  [
    'all but state/ removed, then cp -a',
    'cp',
    (saved, root) => `cd '${root}' && rm -rf ${GONE.join(' ')} && cp -a '${saved}/.' '${root}/'`,
  ],
  [
    'all but state/ removed, then tar',
    'tar',
    (saved, root) =>
      `cd '${root}' && rm -rf ${GONE.join(' ')} && tar -C '${saved}' -cf - ${GONE.join(' ')} | tar -xf - && cp -a '${saved}/state/.' state/`,
  ],
  [
    // The files have the inodes of those that they replace, and are born and changed in the same tick.
    'tar over it, newer files removed',
    'tar',
    (saved, root) =>
      `tar -C '${saved}' -cf '${saved}.tar' . && tar -C '${root}' -xf '${saved}.tar' && rm '${saved}.tar' && cd '${root}' && find . -type f | while read -r one; do [ -e '${saved}'/"$one" ] || rm "$one"; done`,
  ],
  ['rsync -a --delete', 'rsync', (saved, root) => `rsync -a --delete '${saved}/' '${root}/'`],
  [
    'all removed, then cp -a',
    'cp',
    (saved, root) => `cd '${root}' && rm -rf ${GONE.join(' ')} state && cp -a '${saved}/.' '${root}/'`,
  ],
];

describe.each(WAYS.filter(([, tool]) => isThere(tool)))('%s', (_, __, line) => {
  test('nothing is sent; accepted, what was queued waits for a person', async () => {
    const { scene, saved } = await lostNight();
    await using _scene = scene;
    sh(line(saved, scene.root));
    const before = scene.sandbox.requests();
    const { code, err } = await commandIn(scene, 'run');
    expect({ code, why: /ledger\/[a-z-]+/.exec(err)?.[0] }, err).toEqual({ code: 2, why: 'ledger/copied' });
    expect((await commandIn(scene, 'doctor', '--offline')).code).toBe(2);
    expect(scene.sandbox.requests()).toEqual(before);
    await commandIn(scene, 'doctor', '--offline', '--accept-ledger', 'restored from the backup of yesterday');
    scene.drop('ventes-3.csv', sales(['F3']));
    await commandIn(scene, 'run');
    expect(accepted(scene)).toBe(3);
    expect(tally(await scene.entries())).toEqual({ authorized: 1, held: 2 });
    expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
    expect((await commandIn(scene, 'run')).err).not.toContain('ledger/');
  });
});

describe('no false alarm', () => {
  const sends = async (scene: Scene, number: string) => {
    const before = accepted(scene);
    scene.drop(`ventes-${number}.csv`, sales([number]));
    const { code, err } = await commandIn(scene, 'run');
    expect({ code, says: /ledger\/[a-z-]+/.exec(err)?.[0] }, err).toEqual({ code: 0, says: undefined });
    expect(accepted(scene)).toBe(before + 1);
  };

  test('owner, permissions and times change, the folder is renamed, the witness is of before, or gone', async () => {
    await using scene = await openScene();
    await sends(scene, 'F1');
    const witness = join(scene.root, WITNESS);
    expect(readWitness(witness)?.mark).toBeDefined();
    chmodSync(witness, 0o640);
    sh(`chmod -R u+rwX '${scene.root}' && touch -a -d yesterday '${witness}'`);
    utimesSync(witness, new Date(0), new Date(0));
    await sends(scene, 'F2');
    renameSync(join(scene.root, 'archive'), join(scene.root, 'archived'));
    renameSync(join(scene.root, 'archived'), join(scene.root, 'archive'));
    await sends(scene, 'F3');
    // As a version before wrote it.
    const { installation, generation } = JSON.parse(readFileSync(witness, 'utf8'));
    writeFileSync(witness, `${JSON.stringify({ installation, generation })}\n`);
    await sends(scene, 'F4');
    expect(readWitness(witness)?.mark).toBeDefined();
    unlinkSync(witness);
    await sends(scene, 'F5');
    writeFileSync(witness, '');
    await sends(scene, 'F6');
  });

  test('killed at any instant, also while the witness is made: the next run sends', async () => {
    await using scene = await openScene({ sandbox: { latencyMs: 20 } });
    await sends(scene, 'F1');
    const witness = join(scene.root, WITNESS);
    for (let n = 0; n < 12; n++) {
      if (n % 2 === 0) rmSync(witness, { force: true });
      scene.drop(`ventes-k${n}.csv`, sales([`K${n}`]));
      const run = startIn(scene, 'run');
      // Every second one as soon as the witness is there, the others a while later.
      const until = Date.now() + 10_000;
      while (!existsSync(witness) && run.child.exitCode === null && Date.now() < until) await sleep(1);
      await sleep(n % 2 === 0 ? n : n * 40);
      run.child.kill('SIGKILL');
      await run.ended;
      const found = existsSync(witness) ? readWitness(witness) : undefined;
      if (found?.mark !== undefined) expect(found.mark.split('-')[0]).toBe(String(statSync(witness).ino));
      const { err } = await commandIn(scene, 'status');
      expect(err).not.toContain('ledger/');
    }
    expect((await commandIn(scene, 'run')).code).not.toBe(2);
    await sends(scene, 'F2');
    expect(readdirSync(join(scene.root, 'archive')).filter((name) => name.includes('.tmp-np'))).toEqual([]);
    accepted(scene);
  });
});
