/** Connections that wait. A proxy or a firewall cuts those that are silent for a minute, and one of them has the lock of the ledger. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { connectPostgres } from '../../../src/database/postgres/postgres-session.ts';
import { postgresEngine } from '../../../src/ledger/engine/postgres-engine.ts';
import { isPostgresLocked, lockPostgres } from '../../../src/ledger/engine/postgres-lock.ts';
import { stateFolder } from '../../../src/ledger/installation/state-folder.ts';
import { temporaryFolder } from '../../ledger/folder.ts';
import { relayTo } from './relay.ts';
import { placeOf } from './server.ts';

const place = () => ({ ...placeOf(inject('postgres'), `silent_${process.pid}`), leaseMs: 400 });

test('the connection that has the lock of the ledger sends a statement now and then', async () => {
  const seen: string[] = [];
  const through = await relayTo(place(), ({ type, sql }) => {
    if (type === 'Q' || type === 'E') seen.push(sql);
    return 'passes';
  });
  const unlock = await lockPostgres({ place: through, note: join(temporaryFolder(), 'lock') }, 'run', new Date());
  onTestFinished(() => unlock());
  const asked = seen.length;
  await expect.poll(() => seen.length).toBeGreaterThan(asked + 1);
  expect(await isPostgresLocked(place())).toBe(true);
});

test('a transaction whose program does nothing is not kept: the server ends it', async () => {
  const session = await connectPostgres(place(), { stillMs: 1000 });
  await session.ask('BEGIN');
  await expect.poll(() => session.isLost()).toBe(true);
});

test('a purge waits for its erasing longer than for any other statement', async () => {
  const own = { ...place(), schema: `erased_${process.pid}` };
  const session = await connectPostgres(own, { stillMs: 60_000 });
  onTestFinished(() => session.end());
  await session.ask(`CREATE SCHEMA "${own.schema}"`);
  await session.ask(`CREATE TABLE "${own.schema}".meta (key TEXT)`);
  // What gives up after ten minutes gives up after half a second.
  const hasten = (message: Buffer) =>
    Buffer.from(
      message.toString('latin1').replace('\0statement_timeout\x00600000\0', '\0statement_timeout\x00000500\0'),
      'latin1',
    );
  const through = await relayTo(own, undefined, undefined, hasten);
  const engine = postgresEngine({ place: through, state: stateFolder(temporaryFolder()) });
  await session.ask('BEGIN');
  await session.ask(`LOCK TABLE "${own.schema}".meta IN ACCESS SHARE MODE`);
  const erased = engine.eraseFreed();
  erased.catch(() => {});
  await sleep(1500);
  await session.ask('COMMIT');
  await erased;
});
