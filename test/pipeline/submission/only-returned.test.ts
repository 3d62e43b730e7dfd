/**
 * A number that another instance has sent with other content: the service returns ours (code 15), and a consultation
 * finds the other document. A person decides; where a submission of ours was in doubt the consultation decides.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLedgerOf } from '../../../src/runs/open-run.ts';
import { openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

const CONSULTATION = {
  method: 'GET',
  path: '/documents/{identifier}',
  answer: {
    code: '/result/status/code',
    name: '/result/status/name',
    message: '/result/status/message',
    'tracking-id': '/result/content/document/tracking-id',
    identifier: '/result/content/document/identifier',
    date: '/result/content/document/document-type',
  },
};

async function sentByAnother(number: string): Promise<Scene> {
  const scene = await openScene({
    sandbox: { refuseDuplicates: true },
    services: { fr: { consultation: CONSULTATION } },
  });
  scene.drop('ventes.csv', sales([number]));
  await scene.night();
  return scene;
}

/** As another instance: nothing of what this one did is there. */
async function startAfresh(scene: Scene): Promise<void> {
  for (const name of ['state', 'outbox', 'processing', 'pending', 'error', 'archive', 'logs', 'reports']) {
    rmSync(join(scene.root, name), { recursive: true, force: true });
  }
  await createLedgerOf(scene.instance());
}

test.each(['by hand', 'by a later run'])(
  'asked %s: it stays to verify, and the person sees what was found',
  async (by) => {
    await using scene = await sentByAnother('K1');
    const other = (await scene.entries())[0]!.answer!.trackingId!;
    await startAfresh(scene);
    scene.drop('ventes.csv', sales(['K1'], '3'));
    await scene.night();
    expect(tally(await scene.entries())).toEqual({ returned: 1 });
    if (by === 'by hand') expect((await commandIn(scene, 'consult', 'K1')).code).toBe(3);
    else {
      const { systemClock } = await import('../../../src/runs/open-run.ts');
      await scene.night({ clock: { ...systemClock, now: () => new Date(Date.now() + 6 * 60_000) } });
    }
    const [entry] = await scene.entries();
    expect(entry).toMatchObject({ state: 'returned', answer: { code: 15 } });
    const asked = entry!.attempts.filter(({ act }) => act === 'consult');
    expect(asked).toMatchObject([{ code: 2, outcome: 'returned' }]);
    expect(asked[0]!.reason).toContain(other);
    expect(asked[0]!.reason).toContain('date invoice, amount -');
    const [receipt] = scene.files('error').filter((path) => path.endsWith('.receipt.json'));
    expect(JSON.parse(scene.read(receipt!)).attempts.at(-1).reason).toBe(asked[0]!.reason);
    expect((await commandIn(scene, 'show', 'K1')).out).toContain(other);
    expect((await commandIn(scene, 'verify')).code).toBe(0);
    expect((await commandIn(scene, 'resolve', 'K1', '--as', 'authorized', '--reason', 'compared')).code).toBe(0);
    expect(tally(await scene.entries())).toEqual({ authorized: 1 });
    expect((await commandIn(scene, 'verify')).code).toBe(0);
  },
);
