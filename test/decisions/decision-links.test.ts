/** A decision about the whole ledger is in the chain of links as soon as its command ends, not with the next run. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { acceptLedgerOf, endQuarantineOf, setNextNumberOf } from '../../src/maintenance/restore-instance.ts';
import { lookIntoLedgerOf, openLedgerOf } from '../../src/runs/open-run.ts';
import { openScene, type Scene } from '../night.ts';

const BY = { by: 'anna', reason: 'compared' };

const DECISIONS: readonly [string, (scene: Scene) => Promise<unknown>][] = [
  [
    'ledger next',
    (scene) => setNextNumberOf(scene.instance(), { sequence: 'guias', scope: ['S001'], next: 58, ...BY }),
  ],
  ['ledger end-quarantine', (scene) => endQuarantineOf(scene.instance(), BY)],
  ['doctor --accept-ledger', (scene) => acceptLedgerOf(scene.instance(), { ...BY, now: new Date(), hold: false })],
];

/** Events, and the number of the last one with a link. */
async function linksOf(scene: Scene) {
  await using ledger = await lookIntoLedgerOf(scene.instance());
  let linked = 0;
  for await (const { last } of ledger.receipts.eventSeals()) linked = last;
  return { events: await ledger.receipts.eventCount(), linked };
}

function startQuarantine(scene: Scene): void {
  using db = new DatabaseSync(join(scene.root, 'state', 'ledger.sqlite'));
  db.exec(`INSERT INTO meta (key, value) VALUES ('quarantine', '{"at":"","by":"","why":"restored"}')`);
}

test.each(DECISIONS)('%s: the event has its link at once', async (_, decide) => {
  await using scene = await openScene({ settings: { sequences: { guias: { start: 1 } } } });
  startQuarantine(scene);
  const { events } = await linksOf(scene);
  await decide(scene);
  expect(await linksOf(scene)).toEqual({ events: events + 1, linked: events + 1 });
});

test('a decision next to a program that writes is refused, and records nothing', async () => {
  await using scene = await openScene();
  const { events } = await linksOf(scene);
  await using _ = await openLedgerOf(scene.instance());
  await expect(endQuarantineOf(scene.instance(), BY)).rejects.toMatchObject({ code: 'ledger/locked' });
  expect((await linksOf(scene)).events).toBe(events);
});
