/** Connections that wait. A proxy or a firewall cuts those that are silent for a minute, and one of them has the lock of the ledger. */
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { isPostgresLocked, lockPostgres } from '../../../src/ledger/engine/postgres-lock.ts';
import { connectPostgres } from '../../../src/ledger/postgres/postgres-session.ts';
import { temporaryFolder } from '../folder.ts';
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
