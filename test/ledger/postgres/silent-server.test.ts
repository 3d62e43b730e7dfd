/** A server that falls silent: no error and no end of the connection, only nothing. A watch ends, others go on. And one that is away. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sales } from '../../night.ts';
import { commandIn, startIn } from '../../program.ts';
import { openLink } from '../../rigs/tcp-link.ts';
import { openPostgresScene, postgresSettings } from './scene.ts';

test('a watch that gets no answer from its server ends by itself, with the reason', async () => {
  const postgres = postgresSettings();
  await using link = await openLink(Number(postgres.port));
  const connection = { 'headers-timeout': '500ms', 'body-timeout': '500ms', 'total-timeout': '500ms' };
  const scene = await openPostgresScene(
    { services: { fr: { connection }, sv: { connection } }, settings: { inbox: { settle: '1ms', scan: '500ms' } } },
    { ...postgres, host: '127.0.0.1', port: link.port, lease: '2s' },
  );
  let watching = startIn(scene, 'watch', '-q');
  onTestFinished(() => void watching.child.kill('SIGKILL'));
  scene.drop('ventes-1.csv', sales(['F1']));
  while (scene.sandbox.acceptances().length === 0) {
    // As a service manager does: on a loaded machine it may lose its lease before.
    if (watching.child.exitCode !== null) watching = startIn(scene, 'watch', '-q');
    await wait(50);
  }
  link.set('silent');
  const { code, err } = await watching.ended;
  expect([code, err]).toEqual([5, expect.stringContaining('ledger/lease-lost')]);
});

test('doctor names the backup of the server, and without the server does not judge backups', async () => {
  const postgres = postgresSettings();
  const link = await openLink(Number(postgres.port));
  const scene = await openPostgresScene({}, { ...postgres, host: '127.0.0.1', port: link.port });
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  const doctor = async () => (await commandIn(scene, 'doctor', '--offline')).out;
  expect(await doctor()).toMatch(/warning +backup .*ignore this if the PostgreSQL server itself is backed up/);
  await link[Symbol.asyncDispose]();
  const away = await doctor();
  expect(away).toContain('ledger/postgres-unreachable');
  expect(away).not.toMatch(/(ok|warning) +backup/);
});
