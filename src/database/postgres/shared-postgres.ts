/**
 * Connections that everything in this process shares that looks at a ledger on PostgreSQL, or puts requests into it, without
 * working with it: opened when the first one asks, closed with the last one. A lost connection is opened again by the next
 * question, and a question that only reads is asked again at once.
 */
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import type { Driver } from '../database-driver.ts';
import { openPostgres } from './open-postgres.ts';
import { postgresDriver } from './postgres-driver.ts';
import type { PostgresPlace } from './postgres-place.ts';

/** As a driver. `close` gives this use back; a second time it does nothing. */
export type SharedPostgres = Pick<Driver, 'read' | 'write' | 'close'>;

type Shared = { users: number; opening: Promise<Driver> | undefined };

const open = new Map<string, Shared>();

export function sharePostgres(place: PostgresPlace): SharedPostgres {
  const { host, port, database, user, schema } = place;
  const key = JSON.stringify([host, port, database, user, schema]);
  const shared: Shared = open.get(key) ?? { users: 0, opening: undefined };
  open.set(key, shared);
  shared.users++;
  let isOpen = true;
  const askOpen = async <T>(question: (driver: Driver) => Promise<T>): Promise<T> => {
    // The next user would open connections of its own, and no one closes these.
    if (!isOpen) throw new Error('this use of the connections has ended');
    return await ask(shared, place, question);
  };
  return {
    read: async (body) => {
      try {
        return await askOpen((driver) => driver.read(body));
      } catch (error) {
        if (!(error instanceof LedgerUnavailable)) throw error;
        return await askOpen((driver) => driver.read(body));
      }
    },
    write: async (body) => await askOpen((driver) => driver.write(body)),
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      shared.users--;
      if (shared.users > 0) return;
      open.delete(key);
      await closeNow(shared);
    },
  };
}

async function ask<T>(shared: Shared, place: PostgresPlace, question: (driver: Driver) => Promise<T>): Promise<T> {
  shared.opening ??= openPostgres(place).then((sessions) => postgresDriver(sessions));
  const { opening } = shared;
  try {
    return await question(await opening);
  } catch (error) {
    // What could not be opened, and what is lost, is opened again.
    const isLost =
      error instanceof LedgerUnavailable ||
      (await opening.then(
        () => false,
        () => true,
      ));
    if (isLost && shared.opening === opening) await closeNow(shared);
    throw error;
  }
}

async function closeNow(shared: Shared): Promise<void> {
  const { opening } = shared;
  shared.opening = undefined;
  const driver = await opening?.catch(() => undefined);
  await driver?.close().catch(() => undefined);
}
