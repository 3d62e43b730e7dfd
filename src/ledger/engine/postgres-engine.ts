/**
 * A ledger in a schema of a PostgreSQL server. Each step has connections of its own. A missing ledger, and a schema with other
 * tables, are OperatorErrors `ledger/*`, as is a server that a ledger is not safe on; only `create` makes anything.
 */

import { closeOnce } from '../../database/close-once.ts';
import type { Driver, Statements } from '../../database/database-driver.ts';
import { findIdentityRowDamage } from '../../database/identity-index.ts';
import { writeMetaValues } from '../../database/meta-values.ts';
import { createDatabase, openDatabase } from '../../database/open-database.ts';
import { askPostgres } from '../../database/postgres/ask-postgres.ts';
import { expectClock, type OpenPostgres, openPostgres } from '../../database/postgres/open-postgres.ts';
import { postgresCode } from '../../database/postgres/postgres-codes.ts';
import { NOW_MS, postgresDriver } from '../../database/postgres/postgres-driver.ts';
import { toPostgresError } from '../../database/postgres/postgres-errors.ts';
import { RENUMBERED, requestsFrom } from '../../database/postgres/postgres-parts.ts';
import type { PostgresPlace } from '../../database/postgres/postgres-place.ts';
import { createPostgresSchema, migratePostgres } from '../../database/postgres/postgres-schema.ts';
import { LEDGER_MOVE } from '../../i18n/messages/send-guard-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { SHORT_COMMITS } from '../contract/worker-store.ts';
import { openExternalWitnesses } from '../installation/external-witness.ts';
import { openWitness } from '../installation/installation-file.ts';
import { LockedError } from '../installation/instance-lock.ts';
import { openRoleWitnesses } from '../installation/role-witnesses.ts';
import { claimServer } from '../installation/server-claim.ts';
import { markWitnesses, type StateFolder } from '../installation/state-folder.ts';
import { expectSameFolder, markFolder } from '../workers/folder-marks.ts';
import { joinLedger, type Membership } from '../workers/join-ledger.ts';
import { copyExactly, listTables } from './copy-tables.ts';
import type { JoiningWorker, LedgerEdit, LedgerEngine, WorkerDriver, WriterPlace } from './ledger-engine.ts';
import { findLiving, isPostgresLocked, lockPostgres } from './postgres-lock.ts';
import { editSqlite } from './sqlite-engine.ts';

/** The part of a lease for which a commit waits until others have ended theirs: all of them wait behind it meanwhile. */
const PATIENCE = 6;
/** A table of years is written once more, after those who read it have ended: within a day. */
const ERASING_MS = 86_400_000;
/** Of a name of PostgreSQL, with room for what follows it. */
const MOST_NAME = 40;

type Server = { readonly place: PostgresPlace; readonly state: StateFolder };

export function postgresEngine({ place, state }: Server): LedgerEngine {
  const { host, port, database, schema } = place;
  let systemId: string | undefined;
  const connect = async () => {
    const open = await openPostgres(place);
    systemId = open.server.systemId;
    return open;
  };
  const tablesIn = async () => {
    const sessions = await connect();
    const driver = postgresDriver(sessions);
    return { sessions, driver, tables: await driver.read((sql) => ledgerTables(sql, schema)) };
  };
  const there = async () => {
    const { sessions, driver, tables } = await tablesIn();
    if (tables === 'ledger') return { sessions, driver };
    await driver.close();
    throw tables === 'none' ? missing(place) : otherTables(place);
  };
  return {
    name: 'postgres',
    shownPlace: `${host}:${port}/${database} (${schema})`,
    refusePlace: () => {},
    lock: async (work, now, onWait) => await lockPostgres({ place, note: state.lock }, work, now, onWait),
    isBusy: async () => await isPostgresLocked(place),
    exists: async () => {
      const { driver, tables } = await tablesIn();
      await driver.close();
      if (tables === 'others') throw otherTables(place);
      return tables === 'ledger';
    },
    create: async () => {
      const open = await connect();
      const made = editPostgres(open, { place, state });
      try {
        await made.write(async (sql) => {
          await createPostgresSchema(sql, schema);
          await migratePostgres(sql, 0);
        });
      } catch (error) {
        await made.close();
        throw toPostgresError(error, place);
      }
      return made;
    },
    look: async () => (await there()).driver,
    edit: async (clock) => {
      const { sessions, driver } = await there();
      if (clock) {
        try {
          expectClock(place, { there: sessions.server.nowMs(), here: clock.getTime() });
        } catch (error) {
          await driver.close();
          throw error;
        }
      }
      return editPostgres(sessions, { place, state });
    },
    findPlace: async () => {
      if (systemId === undefined) await postgresDriver(await connect()).close();
      return sha256Hex(['postgres', must(systemId, 'the id of the server'), database, schema].join('/')).slice(0, 32);
    },
    copyInto: async (file) => {
      const { driver: look } = await there();
      const copy = editSqlite(createDatabase(file), state);
      try {
        const tables = await copy.read(listTables);
        await look.read(async (rows) => await copy.write((sql) => copyExactly(rows, sql, tables)));
      } finally {
        await copy.close();
        await look.close();
      }
    },
    replaceBy: async (made, at) => {
      const aside = `${schema.slice(0, MOST_NAME)}_before_${at.toISOString().replace(/\D/g, '').slice(0, 14)}`;
      const source = editSqlite(openDatabase(made, { checked: true }), state);
      const driver = postgresDriver(await connect());
      try {
        const tables = await source.read(listTables);
        return await driver.write(async (sql) => {
          const before = await ledgerTables(sql, schema);
          if (before === 'others') throw otherTables(place);
          if (before === 'ledger') await sql.run(`ALTER SCHEMA "${schema}" RENAME TO "${aside}"`);
          await createPostgresSchema(sql, schema);
          await migratePostgres(sql, 0);
          if (before === 'ledger') await sql.run(requestsFrom(aside));
          await source.read(async (rows) => await copyExactly(rows, sql, tables));
          return before === 'ledger' ? aside : undefined;
        });
      } finally {
        await source.close();
        await driver.close();
      }
    },
    // The pages of the server are checked apart (check-pages.ts).
    findProblems: async () => {
      const { driver: look } = await there();
      try {
        const damage = await look.read(findIdentityRowDamage);
        return damage ? [damage] : [];
      } finally {
        await look.close();
      }
    },
    // A server restores its log itself; a part of it alone cannot be put back.
    readStamps: () => ({ inFile: 0, known: 0 }),
    toError: (error) => toPostgresError(error, place),
    eraseFreed: async () =>
      await askPostgres(
        place,
        async ({ ask }) => {
          const { rows } = await ask(`SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`);
          for (const { tablename } of rows) await ask(`VACUUM (FULL) "${schema}"."${tablename}"`);
        },
        { answerMs: ERASING_MS },
      ),
  };
}

/** A ledger, no table at all, or others. */
async function ledgerTables(sql: Statements, schema: string): Promise<'ledger' | 'none' | 'others'> {
  const rows = await sql.all('SELECT tablename FROM pg_tables WHERE schemaname = ?', schema);
  if (rows.length === 0) return 'none';
  const has = (name: string) => rows.some(({ tablename }) => tablename === name);
  return ['meta', 'entry', 'identity', 'attempt', 'event'].every(has) ? 'ledger' : 'others';
}

function missing({ host, port, database, schema }: PostgresPlace): OperatorError {
  return new OperatorError('ledger/missing', LEDGER_MOVE.noLedger({ place: `${host}:${port}`, database, schema }), {
    hint: LEDGER_MOVE.noLedgerHint(),
  });
}

function otherTables({ database, schema }: PostgresPlace): OperatorError {
  return new OperatorError('ledger/postgres-schema', LEDGER_MOVE.otherTables({ database, schema }), {
    hint: LEDGER_MOVE.otherTablesHint(),
  });
}

function editPostgres(sessions: OpenPostgres, { place: server, state }: Server): LedgerEdit {
  const driver = postgresDriver(sessions);
  return {
    ...driver,
    migrate: async (from) => await driver.write((sql) => migratePostgres(sql, from)),
    // The server checks its own pages; each row is proven where it is found.
    findDamage: async () => undefined,
    start: async (_generation, body) =>
      void (await driver.write(async (sql) => {
        // A watch that lost its lock while it began may have registered since this program took the lock.
        const living = await findLiving(sql, server);
        if (living) throw new LockedError(living.holder, undefined);
        for (const statement of RENUMBERED) await sql.run(statement);
        await body(sql);
      })),
    writer: async (place) => await openPostgresWriter(sessions, driver, { ...place, state }),
    join: async (place, joining) => await joinPostgres(sessions, { place: server, state }, { ...place, ...joining }),
  };
}

/**
 * The driver of one worker of several. The count of commits moves on once, in the commit that registers it, so that a program that
 * was alone, and lost its lock, cannot commit any more; then each role has a count of its own.
 */
async function joinPostgres(
  sessions: OpenPostgres,
  { place, state }: Server,
  { facts: { installation }, unlock, start, lookAgain, onCommit, worker, meta, now }: WriterPlace & JoiningWorker,
): Promise<WorkerDriver> {
  const witnesses = openRoleWitnesses(state, installation);
  let expectOurs = () => {};
  const driver = postgresDriver(sessions, {
    aloneWithinMs: place.leaseMs / PATIENCE,
    mostMs: place.leaseMs / SHORT_COMMITS,
    counted: (rows) => {
      expectOurs();
      for (const { name, generation } of rows) {
        witnesses.record({ role: name as string, generation: generation as number });
      }
      expectOurs();
    },
    onCommit,
  });
  let generation = 0;
  const alongside = async (sql: Statements) => {
    for (const statement of RENUMBERED) await sql.run(statement);
    await writeMetaValues(sql, meta);
    const [row] = await sql.all(COUNT_START);
    generation = Number(must(row, 'the count of commits').value);
  };
  const expectToWork = (there: number, here: number) => {
    expectClock(place, { there, here }, true);
    expectOurs();
  };
  const terms = { nowMs: NOW_MS, leaseMs: place.leaseMs, now, expectToWork, alongside };
  const unmark = markFolder(state.folder, worker.id);
  let joined: Membership | undefined;
  // As long as it counts as living, others look for its mark.
  const leave = async () => {
    const isGone = (await joined?.leave()) ?? true;
    if (isGone) unmark();
    return isGone;
  };
  try {
    joined = await joinLedger(driver, worker, terms);
    markWitnesses(state, { installation, generation });
    const { started: server } = sessions.server;
    ({ expectOurs } = await claimServer(state, { installation, generation, start, server }));
    await lookAgain(driver);
    await expectSameFolder(state.folder, worker.id, driver.read);
  } catch (error) {
    await leave();
    throw error;
  }
  const membership = { ...joined, leave };
  const close = closeOnce(async () => {
    await driver.close();
    witnesses.close();
    await unlock();
  });
  return { driver: { ...driver, close }, membership };
}

const COUNT_START = `UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = 'generation' RETURNING value`;

/** Fails where the count is another one: nothing is committed then, also if the end of the transaction is on its way. */
const COUNT_OWN = `WITH counted AS (UPDATE meta SET value = ? WHERE key = 'generation' AND value = ? RETURNING key)
  SELECT 1 / COUNT(*) AS counted FROM counted`;
const DIVISION_BY_ZERO = '22012';

type OwnPlace = WriterPlace & Pick<Server, 'state'>;

/** The driver of the one writer: counts its commits, in the ledger and in its witnesses. */
async function openPostgresWriter(
  sessions: OpenPostgres,
  look: Driver,
  { state, facts: { installation, generation: before }, unlock, start, lookAgain, onCommit }: OwnPlace,
): Promise<Driver> {
  let generation = before + 1;
  const { started: server } = sessions.server;
  const { expectOurs } = await claimServer(state, { installation, generation, start, server });
  await lookAgain(look);
  const witnesses = [
    openWitness(state.witness, installation, generation),
    openExternalWitnesses(state.outside, { installation, generation }),
  ];
  const driver = postgresDriver(sessions, {
    seal: async (sql) => {
      try {
        await sql.all(COUNT_OWN, String(generation + 1), String(generation));
      } catch (error) {
        // Another program has written since, so it holds the ledger now, whatever happened to the lock.
        throw postgresCode(error) === DIVISION_BY_ZERO ? new Error('another program has taken it over') : error;
      }
      return generation + 1;
    },
    committed: (count) => {
      generation = count;
      expectOurs();
      for (const { recordGeneration } of witnesses) recordGeneration(count);
      expectOurs();
    },
    onCommit,
  });
  const close = closeOnce(async () => {
    await driver.close();
    for (const witness of witnesses) witness.close();
    await unlock();
  });
  return { ...driver, close };
}
