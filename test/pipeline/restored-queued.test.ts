/** What a person has put into the queue after the backup may have been sent, where no receipt of it was written any more. */
import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

const WHY = ['--reason', 'as agreed', '--by', 'anna'];
const FOLDERS = ['outbox', 'pending', 'error'];

/** The folders as they were when the power went: the service has the document, and no receipt says it. */
function copyFolders(from: string, to: string): void {
  for (const folder of FOLDERS) {
    rmSync(join(to, folder), { recursive: true, force: true });
    cpSync(join(from, folder), join(to, folder), { recursive: true });
  }
}

/** Its receipt says that it is in the queue. */
async function queue(scene: Scene, act: 'release' | 'retry'): Promise<void> {
  await commandIn(scene, act, 'C1', ...WHY);
  await commandIn(scene, 'ledger', 'receipts');
}

/** The receipt of C1 in a folder of decisions, and then nowhere: the run that took it was cut off. */
function move(scene: Scene): void {
  const path = scene.files('pending').find((one) => one.endsWith('C1.receipt.json'))!;
  renameSync(join(scene.root, path), join(scene.root, 'pending/release/C1.receipt.json'));
}

const HELD = { quantity: '90', code: undefined };
const QUEUED = {
  'released by a command': { ...HELD, act: (scene: Scene) => queue(scene, 'release') },
  'released by its receipt': { ...HELD, act: move },
  'sent again after a failure': {
    ...{ quantity: '2', code: 4 },
    act: (scene: Scene) => queue(scene, 'retry'),
  },
} as const;

const WAYS = {
  restore: (scene: Scene) => commandIn(scene, 'ledger', 'restore', join(scene.root, 'copy.sqlite')),
  accept: async (scene: Scene) => {
    rmSync(join(scene.root, 'state'), { recursive: true });
    cpSync(join(scene.root, 'old'), join(scene.root, 'state'), { recursive: true });
    await commandIn(scene, 'doctor', '--offline', '--accept-ledger', 'the server is new');
  },
};

test.each(Object.keys(QUEUED).flatMap((how) => Object.keys(WAYS).map((way) => [how, way] as const)))(
  '%s after the backup: other content of its number waits for a person: %s',
  async (how, way) => {
    await using scene = await openScene({ settings: { run: { hold: { over: { EUR: '1000' } } } } });
    const { quantity, code, act } = QUEUED[how as keyof typeof QUEUED];
    if (code) scene.sandbox.script([{ answer: { code }, match: { act: 'submit' } }]);
    scene.drop('ventes.csv', sales(['C1'], quantity));
    await scene.night();
    scene.sandbox.script([]);
    await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
    cpSync(join(scene.root, 'state'), join(scene.root, 'old'), { recursive: true });
    await act(scene);
    copyFolders(scene.root, join(scene.root, 'then'));
    await scene.night();
    const sent = scene.sandbox.requests().fr.submit;
    expect(tally(await scene.entries())).toEqual({ authorized: 1 });
    copyFolders(join(scene.root, 'then'), scene.root);
    rmSync(join(scene.root, 'pending/release/C1.receipt.json'), { force: true });
    await WAYS[way as keyof typeof WAYS](scene);
    await scene.night();
    const rule = way === 'restore' ? 'restored' : 'ledger-accepted';
    expect(await scene.entries()).toMatchObject([{ state: 'held', hold: { rule } }]);
    expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
    scene.drop('ventes-2.csv', sales(['C1'], '3'));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(sent);
    expect(tally(await scene.entries())).toEqual({ held: 1, conflict: 1 });
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  },
);
