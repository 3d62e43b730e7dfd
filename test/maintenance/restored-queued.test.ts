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

test.each([
  ['held', '90'],
  ['invalid', '2O'],
])(
  'a document that a rebuilt ledger has sent under an id of its own holds the one of a backup: %s',
  async (state, quantity) => {
    await using scene = await openScene({ settings: { run: { hold: { over: { EUR: '1000' } } } } });
    scene.drop('ventes.csv', sales(['C1', 'C2'], quantity));
    await scene.night();
    expect(tally(await scene.entries())).toEqual({ [state]: 2 });
    await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
    rmSync(join(scene.root, 'state'), { recursive: true });
    for (const folder of ['pending', 'error'])
      for (const path of scene.files(folder)) if (path.includes('/C1.')) rmSync(join(scene.root, path));
    await commandIn(scene, 'ledger', 'rebuild');
    await scene.night();
    await commandIn(scene, 'ledger', 'end-quarantine', 'compared');
    if (state === 'invalid') await commandIn(scene, 'fix', 'C1', 'Qte=2', ...WHY);
    await commandIn(scene, 'release', 'C1', ...WHY);
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(1);
    expect(await WAYS.restore(scene)).toMatchObject({ code: 0 });
    await commandIn(scene, 'ledger', 'end-quarantine', 'compared');
    scene.drop('ventes-2.csv', sales(['C1'], '3'));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(1);
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
    const summaries = FOLDERS.flatMap((folder) => scene.files(folder)).filter((path) => path.endsWith('.summary.json'));
    expect(new Set(summaries.map((path) => JSON.parse(scene.read(path)).rows.twice.count))).toEqual(new Set([0]));
  },
);
