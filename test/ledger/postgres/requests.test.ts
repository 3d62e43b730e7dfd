import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readAnswer } from '../../../src/decisions/act-result.ts';
import { ledgerSiteOf } from '../../../src/instance/ledger-site-of.ts';
import { openRequestQueue } from '../../../src/ledger/requests/open-request-queue.ts';
import { requestQueueContract } from '../../contracts/request-queue.ts';
import { openDriver, temporarySchema } from '../../database/postgres/schema.ts';
import { sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { openPostgresScene } from './scene.ts';

requestQueueContract('PostgreSQL', async () => {
  const place = await temporarySchema();
  const site = { folder: '/none', postgres: async () => place };
  const queue = await openRequestQueue(site, 'asks');
  onTestFinished(() => queue[Symbol.asyncDispose]());
  return { queue, again: () => openRequestQueue(site, 'holds') };
});

const ASKED = { id: 'a', at: '2026-11-23T01:00:00.000Z', person: 'anna', reason: 'why', act: '{"act":"resume"}' };

test('a request has a number of its own after logical replication, which copies no counter', async () => {
  const scene = await openPostgresScene();
  const site = ledgerSiteOf(scene.instance());
  await using queue = await openRequestQueue(site, 'asks');
  for (const id of ['a', 'b', 'c', 'd', 'e']) await queue.add({ ...ASKED, id });
  const driver = await openDriver(await site.postgres!());
  await driver.write(async (sql) => void (await sql.run('ALTER TABLE request ALTER COLUMN n RESTART')));
  await scene.night();
  await queue.add({ ...ASKED, id: 'f' });
  expect(await queue.find('f')).toMatchObject({ id: 'f' });
});

test('a restore loses nothing that people asked for: it refuses that, because the lost ledger may have done it', async () => {
  const scene = await openPostgresScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  expect((await commandIn(scene, 'backup')).code).toBe(0);
  const [copy] = scene.files('backups').filter((path) => path.endsWith('.sqlite'));
  const site = ledgerSiteOf(scene.instance());
  await using queue = await openRequestQueue(site, 'asks');
  await queue.add({ ...ASKED, approval: { about: '[]', expires: '9999' } });
  const restored = await commandIn(scene, 'ledger', 'restore', join(scene.root, copy!));
  expect(restored.code, restored.err).toBe(0);
  await using after = await openRequestQueue(site, 'asks');
  expect(await after.find('a')).toMatchObject({ id: 'a' });
  expect(readAnswer((await after.answerOf('a')) ?? '')).toMatchObject({ error: { code: 'act/quarantine' } });
});
