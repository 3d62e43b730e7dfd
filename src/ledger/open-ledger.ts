/**
 * The ledger of one machine, in `<instance>/state/`: ledger.sqlite, lock.sqlite, installation.json and ballast.
 *
 * Made once, by `initLedger`; opened ever after, and never taken for new. What is not the ledger of this installation
 * opens in no-send mode; what is no ledger at all does not open.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fdatasync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { makeDurableFolder } from '../files/fsync-directory.ts';
import { format, type Language } from '../i18n/message.ts';
import { LEDGER_HOLD } from '../i18n/messages/ledger-messages.ts';
import { SEND_GUARD } from '../i18n/messages/send-guard-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Hold } from '../model/document.ts';
import { OperatorError } from '../model/fault.ts';
import { escapeControls } from '../text/printable.ts';
import type { Quarantine } from './contract/intake-store.ts';
import type { Binding, Ledger, SendGuard } from './contract/ledger.ts';
import { damaged } from './database/damaged-ledger.ts';
import type { Driver } from './database/database-driver.ts';
import { groupCommit, MOST_FLUSHES } from './database/group-commit.ts';
import { identityTrouble } from './database/identity-index.ts';
import { SCHEMA_VERSION } from './database/migrations.ts';
import { createDatabase, migrate, openDatabase, readMeta, writeMeta } from './database/open-database.ts';
import { isFull, troubleOf } from './database/storage-errors.ts';
import { type Outside, openOutside, readOutside, requireFolder } from './installation/external-witness.ts';
import { openWitness, readWitness } from './installation/installation-file.ts';
import { installationPlace, refuseNetworkFolder } from './installation/installation-place.ts';
import { lock } from './installation/instance-lock.ts';
import { noteStamp, stampFile, stampsOf } from './installation/ledger-file-stamp.ts';
import { evaluateSendGuard, type Found, reachedBy } from './installation/send-guard.ts';
import { knownFrom, markWitnesses, type StateFolder, stateFolder } from './installation/state-folder.ts';
import { type Lying, strangerIn } from './installation/unknown-outputs.ts';
import { createSqlLedger } from './sql-ledger.ts';
import { holdQueued } from './submission/hold-queued.ts';

/** Given back to the disk when it is full, so that answers of requests under way can still be stored. */
const BALLAST_BYTES = 512 * 1024;
const datasync = promisify(fdatasync);

export type LedgerPlace = {
  /** The instance folder. */
  readonly folder: string;
  readonly binding: Binding;
  readonly now: () => Date;
  /** Instead of the machine id, where that changes without a move (containers). */
  readonly machine?: string;
  /** Absolute; where a witness is kept beside that of the instance (external-witness.ts). */
  readonly witnessFolder?: string;
  /** The newest files of the instance, for finding what the ledger does not know of them. */
  readonly lying?: () => Lying;
  /** In which faults and holds are written down; English where nothing is said. */
  readonly language?: Language;
};

export type OpenOptions = LedgerPlace & {
  /** First number of a sequence; 1 where nothing is said. */
  readonly sequences?: { readonly [name: string]: number };
  /** To look only, beside a run that has the lock. */
  readonly readOnly?: boolean;
  /** Lies between the ledger and the engine, for tests that let it fail. */
  readonly through?: (driver: Driver) => Driver;
};

/** Makes the ledger of a new installation. Refused where there is, or was, one. */
export function initLedger({ folder, binding, machine, witnessFolder }: LedgerPlace): void {
  const state = stateFolder(folder, witnessFolder);
  requireFolder(state.outside);
  makeDurableFolder(state.folder);
  refuseNetworkFolder(state.folder);
  const unlock = lock(state.lock);
  try {
    if (existsSync(state.ledger) || existsSync(state.witness)) {
      throw new OperatorError('ledger/exists', `${state.folder} has, or had, a ledger already.`, {
        hint: 'It is used by every command as it is. If it was lost, put a backup back with "nightpost ledger restore FILE": a new one would send documents twice.',
      });
    }
    refuseWhereItHasWorked(folder);
    const db = createDatabase(state.ledger);
    const installation = randomUUID();
    const place = installationPlace(state.folder, state.ledger, machine);
    writeMeta(db, { installation, generation: '0', place, ...knownFrom(state), ...boundTo(binding) });
    markWitnesses(state, { installation, generation: 0 }, true);
    db.close();
  } finally {
    unlock();
  }
}

/** A folder with receipts or archived exports has sent documents: a new ledger would send them once more. */
function refuseWhereItHasWorked(instance: string): void {
  for (const name of ['outbox', 'error', 'pending', 'archive', 'processing']) {
    const folder = join(instance, name);
    const found = existsSync(folder) ? readdirSync(folder).find((entry) => !entry.startsWith('.')) : undefined;
    if (found === undefined) continue;
    throw new OperatorError(
      'ledger/lost',
      `${name}/ holds ${escapeControls(found)}: this instance has worked before, its ledger is lost.`,
      {
        hint: 'Put a backup back with "nightpost ledger restore FILE", or make the ledger again with "nightpost ledger rebuild". A new one would send documents twice; start in a new folder if nothing of this one counts.',
      },
    );
  }
}

export async function openLedger(options: OpenOptions): Promise<Ledger> {
  const {
    folder,
    binding,
    now,
    sequences = {},
    language = 'en',
    readOnly = false,
    through = (driver) => driver,
  } = options;
  const state = stateFolder(folder, options.witnessFolder);
  if (readOnly) return await lookAt(state, options);
  if (!existsSync(state.folder)) openDatabase(state.ledger);
  refuseNetworkFolder(state.folder);
  requireFolder(state.outside);
  const unlock = lock(state.lock);
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(state.ledger, { readOnly: true });
    const found = foundIn(db, state, options);
    const guard = evaluateSendGuard(found, SCHEMA_VERSION, binding);
    // One that may not send stays as it is found: a connection that may write puts the log into the file when it closes.
    if (guard.send) {
      db.close();
      db = openDatabase(state.ledger, { checked: true });
      migrate(db, found.schema);
      const trouble = identityTrouble(db);
      if (trouble !== undefined) throw damaged(state.ledger, trouble);
      // Before the ledger says that there is one: a stop between the two must not look like a lost one.
      openOutside(state.outside, found).close();
      db.exec('BEGIN IMMEDIATE');
      writeMeta(db, { ...boundTo(binding), ...knownFrom(state), generation: String(found.generation + 1) });
      stampFile(db, found.generation + 1);
      db.exec('COMMIT');
      noteStamp(db);
    }
    const driver = through(guard.send ? writing(db, state, found, unlock) : looking(db, unlock));
    return await createSqlLedger({ driver, guard, now, sequences, language });
  } catch (error) {
    if (db?.isOpen) db.close();
    unlock();
    throw troubleOf(error, state.ledger);
  }
}

/** A person confirms that this ledger, here and with these settings, is the one to go on with. */
export function acceptLedger(
  options: LedgerPlace & {
    readonly by: string;
    readonly reason: string;
    /** Something may have been sent from elsewhere: what is queued is held. Always so where the ledger may not be the latest. */
    readonly hold: boolean;
    /** As where a backup is restored: a ledger that may not be the latest learns from what lies in the folders. */
    readonly importOutputs: (db: DatabaseSync, hold: Hold) => void;
  },
): { readonly was: SendGuard; readonly held: number; readonly quarantine: boolean } {
  const { folder, binding, now, by, reason, importOutputs, language = 'en' } = options;
  const hold: Hold = { rule: 'ledger-accepted', says: format(LEDGER_HOLD.accepted(), language) };
  const state = stateFolder(folder, options.witnessFolder);
  requireFolder(state.outside);
  const unlock = lock(state.lock);
  try {
    const { found, guard: was } = judge(state, options);
    const db = openDatabase(state.ledger, { checked: true });
    if (!was.send && was.code === 'ledger/newer-schema') throw new OperatorError(was.code, was.reason);
    migrate(db, found.schema);
    const generation = reachedBy(found) + 1;
    const quarantine = !was.send && NOT_THE_LATEST.has(was.code);
    db.exec('BEGIN IMMEDIATE');
    writeMeta(
      db,
      definedOnly({
        ...boundTo(binding),
        ...knownFrom(state),
        generation: String(generation),
        place: found.here,
        learned: quarantine ? String(now().getTime()) : undefined,
      }),
    );
    const held = options.hold || quarantine ? holdQueued(db, now().getTime(), hold) : 0;
    if (quarantine) {
      importOutputs(db, hold);
      const since: Quarantine = { at: now().toISOString(), by, why: 'accepted' };
      writeMeta(db, { quarantine: JSON.stringify(since) });
    }
    db.prepare('INSERT INTO event (id, at, what, person, detail) VALUES (?, ?, ?, ?, ?)').run(
      ...[randomUUID(), now().toISOString(), 'ledger-accepted', by, JSON.stringify({ was, reason, held })],
    );
    db.exec('COMMIT');
    markWitnesses(state, { installation: found.installation, generation }, true);
    db.close();
    return { was, held, quarantine };
  } finally {
    unlock();
  }
}

/**
 * One commit beside the runs, for what a person says of the ledger as a whole: counted like any other, so that a ledger
 * of before it is told from the latest. Refused where the ledger may not send: it is only looked at.
 */
export function decideInLedger<T>(place: LedgerPlace, act: (db: DatabaseSync) => T): T {
  const state = stateFolder(place.folder, place.witnessFolder);
  requireFolder(state.outside);
  const unlock = lock(state.lock);
  let db: DatabaseSync | undefined;
  try {
    const { found, guard } = judge(state, place);
    if (!guard.send) throw new OperatorError(guard.code, guard.reason, { hint: SEND_GUARD.nothingChanged() });
    db = openDatabase(state.ledger, { checked: true });
    const generation = found.generation + 1;
    db.exec('BEGIN IMMEDIATE');
    const result = act(db);
    writeMeta(db, { generation: String(generation) });
    db.exec('COMMIT');
    markWitnesses(state, { installation: found.installation, generation });
    return result;
  } finally {
    db?.close();
    unlock();
  }
}

/** Codes of a guard under which documents may have been sent that the ledger does not know. */
const NOT_THE_LATEST = new Set(['ledger/older', 'ledger/foreign', 'ledger/copied', 'ledger/witness-missing']);

export function boundTo({ environment, services }: Binding): { readonly [key: string]: string } {
  const bound = Object.entries(services).map(([name, address]) => [`service ${name}`, address]);
  return { environment, ...Object.fromEntries(bound) };
}

function judge(state: StateFolder, place: LedgerPlace): { readonly found: Found; readonly guard: SendGuard } {
  const db = openDatabase(state.ledger, { readOnly: true });
  try {
    const found = foundIn(db, state, place);
    return { found, guard: evaluateSendGuard(found, SCHEMA_VERSION, place.binding) };
  } finally {
    db.close();
  }
}

function foundIn(db: DatabaseSync, state: StateFolder, { machine, lying }: LedgerPlace): Found {
  // What lies outside comes first: a run may commit between two looks, and its ledger must not seem behind.
  const own = readMeta(db).get('installation') ?? '';
  const [witness, outside, newest] = [readWitness(state.witness), readOutside(state.outside, own), lying?.()];
  const meta = readMeta(db);
  const services = [...meta].filter(([key]) => key.startsWith('service '));
  return {
    schema: Number(meta.get('schema')),
    installation: meta.get('installation') ?? '',
    generation: Number(meta.get('generation')),
    place: meta.get('place') ?? '',
    environment: meta.get('environment') ?? '',
    services: Object.fromEntries(services.map(([key, address]) => [key.slice('service '.length), address])),
    witness,
    outside,
    used: usedFor(db),
    ...missing(state.outside, meta.get('witness-folder'), outside),
    ...stampsOf(state.ledger, meta),
    stranger: newest && strangerIn(db, newest, Number(meta.get('learned') ?? 0)),
    here: installationPlace(state.folder, state.ledger, machine),
  };
}

function usedFor(db: DatabaseSync): Found['used'] {
  const any = (from: string) => db.prepare(`SELECT 1 FROM ${from} LIMIT 1`).get() !== undefined;
  if (any('attempt') || any('entry WHERE submits > 0')) return 'sent';
  return any('entry') ? 'queued' : 'never';
}

/** The folder of the settings had a witness, and has none now. */
function missing(
  { folder, archived }: Outside,
  known: string | undefined,
  there: Found['outside'],
): Pick<Found, 'missing'> {
  const isThere = there.some(({ path }) => path !== archived);
  return folder !== undefined && folder === known && !isThere ? { missing: folder } : {};
}

/** The driver of the one writer: counts its commits, in the ledger and beside it. */
function writing(db: DatabaseSync, state: StateFolder, found: Found, unlock: () => void): Driver {
  let generation = found.generation + 1;
  const log = openLog(db, `${state.ledger}-wal`);
  const { installation } = found;
  const witnesses = [
    openWitness(state.witness, installation, generation),
    openOutside(state.outside, { installation, generation }),
  ];
  layBallast(state.ballast);
  const driver = groupCommit(db, {
    seal: (sql) => {
      const set = `UPDATE meta SET value = ? WHERE key = 'generation' AND value = ?`;
      // Another program was let in, whatever became of the lock: it has the ledger now.
      if (sql.run(set, String(generation + 1), String(generation)) !== 1) {
        throw new Error('another program has taken it over');
      }
      return generation + 1;
    },
    made: (count) => {
      generation = count;
    },
    flush: log.flush,
    committed: (count) => {
      for (const { recordGeneration } of witnesses) recordGeneration(count);
    },
    isFull: () => isFull(state.ledger),
    makeRoom: () => {
      const there = existsSync(state.ballast);
      rmSync(state.ballast, { force: true });
      return there;
    },
  });
  const close = async () => {
    await driver.close();
    log.close();
    for (const witness of witnesses) witness.close();
    unlock();
  };
  return { ...driver, close: once(close) };
}

/**
 * From here on a COMMIT leaves the flush of SQLite's log to us, so that the thread does not wait for the disk: this alone
 * is what NORMAL leaves out of FULL in a log that is written ahead. Both flush at checkpoints.
 *
 * Each flush has a handle of its own: a system may tell an error of the disk only once to each.
 */
function openLog(db: DatabaseSync, file: string) {
  const handles = Array.from({ length: MOST_FLUSHES }, () => openSync(file, 'r+'));
  const free = [...handles];
  db.exec('PRAGMA synchronous = NORMAL');
  const flush = async () => {
    const handle = free.pop()!;
    try {
      await datasync(handle);
    } finally {
      free.push(handle);
    }
  };
  const close = () => {
    for (const handle of handles) closeSync(handle);
  };
  return { flush, close };
}

function looking(db: DatabaseSync, unlock: () => void): Driver {
  const { read, write, close } = groupCommit(db, { seal: () => 0, committed: () => {}, makeRoom: () => false });
  const end = async () => {
    await close();
    unlock();
  };
  return { read, write, close: once(end) };
}

/** The guard is the one a run would find; whatever it says, nothing can be written through this connection. */
async function lookAt(state: StateFolder, options: OpenOptions): Promise<Ledger> {
  const { binding, now, through = (driver) => driver } = options;
  const db = openDatabase(state.ledger, { readOnly: true });
  try {
    const guard = evaluateSendGuard(foundIn(db, state, options), SCHEMA_VERSION, binding);
    const driver = through(looking(db, () => {}));
    const write = () =>
      Promise.reject(new OperatorError('ledger/read-only', 'The ledger was opened for looking only.'));
    return await createSqlLedger({ driver: { ...driver, write }, guard, now, readOnly: true });
  } catch (error) {
    db.close();
    throw troubleOf(error, state.ledger);
  }
}

/** Without room for it there is none: the ledger works, only without a reserve. */
function layBallast(file: string): void {
  try {
    if (!existsSync(file)) writeFileSync(file, randomBytes(BALLAST_BYTES), { flag: 'wx', mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
  }
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= close();
    return closing;
  };
}
