/** A backup that was made while an export was read: its private copy is in the archive since, and it is read again from there. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { reprocess } from '../../src/pipeline/reprocessing/reprocess-documents.ts';
import { beforeEachStatement, openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

/** A driver that copies the ledger before the commit that admits an export. */
function backupWhileReading(scene: Scene, copy: string) {
  let isMade = false;
  return beforeEachStatement((sql) => {
    if (isMade || !sql.startsWith('UPDATE source_file SET state')) return;
    isMade = true;
    using ledger = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'), { readOnly: true });
    ledger.prepare('VACUUM INTO ?').run(copy);
  });
}

const LOST: Readonly<Record<string, (path: string) => boolean>> = {
  'its summary': (path) => path.endsWith('.summary.json'),
  'its summary and a receipt': (path) => path.endsWith('.summary.json') || path.includes('/C1.'),
  'a receipt': (path) => path.includes('/C1.'),
  everything: () => true,
};

test('its bytes are lost too: a person says that it was not sent', async () => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  scene.drop('ventes.csv', sales(['C1']));
  await scene.night({ through: backupWhileReading(scene, copy) });
  for (const folder of ['outbox', 'pending', 'error', 'archive'])
    for (const path of scene.files(folder)) rmSync(join(scene.root, path));
  expect(await commandIn(scene, 'ledger', 'restore', copy)).toMatchObject({ code: 0 });
  await scene.night();
  expect(await scene.look((ledger) => ledger.queries.files({}))).toMatchObject([{ state: 'refused' }]);
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 2 });
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared', '--unread')).toMatchObject({ code: 0 });
});

test.each(Object.keys(LOST))('lost: %s', async (lost) => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  scene.drop('ventes.csv', sales(['C1', 'C2']));
  await scene.night({ through: backupWhileReading(scene, copy) });
  const written = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  for (const path of written.filter(LOST[lost]!)) rmSync(join(scene.root, path));
  expect(await commandIn(scene, 'ledger', 'restore', copy)).toMatchObject({ code: 0 });
  await scene.night();
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  expect(await scene.look((ledger) => ledger.queries.files({}))).toMatchObject([
    { name: 'ventes.csv', state: 'admitted' },
  ]);
  scene.drop('ventes-2.csv', sales(['C1', 'C2'], '3'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});

test('a correction that a person was making when the backup was made waits after the quarantine', async () => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  const then = join(scene.root, 'then');
  scene.drop('ventes.csv', sales(['C1'], '2O'));
  await scene.night();
  const folders = ['outbox', 'pending', 'error'];
  for (const folder of folders) cpSync(join(scene.root, folder), join(then, folder), { recursive: true });
  const by = { by: 'anna', at: new Date().toISOString(), reason: 'typo' };
  await scene.desk(
    async (work) => {
      const entries: LedgerEntry[] = [];
      for await (const entry of work.ledger.queries.find({})) entries.push(entry);
      const corrections = entries[0]!.rows.map((row) => ({ row, column: 'Qte', from: '2O', to: '2', ...by }));
      await reprocess(work, entries, { ...by, corrections });
    },
    backupWhileReading(scene, copy),
  );
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(1);
  for (const folder of folders) {
    rmSync(join(scene.root, folder), { recursive: true });
    cpSync(join(then, folder), join(scene.root, folder), { recursive: true });
  }
  expect(await commandIn(scene, 'ledger', 'restore', copy)).toMatchObject({ code: 0 });
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  await scene.night();
  expect(await scene.entries()).toMatchObject([{ state: 'held', hold: { rule: 'restored' } }]);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});
