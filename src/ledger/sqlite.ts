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
import type { Hold } from '../model/document.ts';
import { SetupError } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { makeDurableFolder } from '../model/sync-folder.ts';
import { inLanguage, type Language } from '../model/words.ts';
import { createDatabase, migrate, openDatabase, readMeta, writeMeta } from './database.ts';
import { type Driver, LedgerUnavailable } from './driver.ts';
import { FULL, groupCommit, MOST_FLUSHES, primaryCode } from './group-commit.ts';
import { type Found, guardOf } from './guard.ts';
import { LEDGER_HOLD } from './hold-sentences.ts';
import type { Binding, Guard, Ledger, Quarantine } from './ledger.ts';
import { lock } from './lock.ts';
import { placeOf, refuseNetworkFolder } from './place.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { ledgerOver } from './sql.ts';
import { openWitness, readWitness } from './witness.ts';

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
export function initLedger({ folder, binding, machine }: LedgerPlace): void {
  const state = stateFolder(folder);
  makeDurableFolder(state.folder);
  refuseNetworkFolder(state.folder);
  const unlock = lock(state.lock);
  try {
    if (existsSync(state.ledger) || existsSync(state.witness)) {
      throw new SetupError('ledger/exists', `${state.folder} has, or had, a ledger already.`, {
        hint: 'It is used by every command as it is. If it was lost, restore its backup: a new one would send documents twice.',
      });
    }
    refuseWhereItHasWorked(folder);
    const db = createDatabase(state.ledger);
    const installation = randomUUID();
    const place = placeOf(state.folder, state.ledger, machine);
    writeMeta(db, { installation, generation: '0', place, ...boundTo(binding) });
    openWitness(state.witness, installation, 0, true).close();
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
    throw new SetupError(
      'ledger/lost',
      `${name}/ holds ${printable(found)}: this instance has worked before, its ledger is lost.`,
      {
        hint: 'Restore state/ from its backup. A new ledger would send documents twice; start in a new folder if nothing of this one counts.',
      },
    );
  }
}

export async function openLedger(options: OpenOptions): Promise<Ledger> {
  const {
    folder,
    binding,
    now,
    machine,
    sequences = {},
    language = 'en',
    readOnly = false,
    through = (driver) => driver,
  } = options;
  const state = stateFolder(folder);
  if (readOnly) return await lookAt(state, options);
  if (!existsSync(state.folder)) openDatabase(state.ledger);
  refuseNetworkFolder(state.folder);
  const unlock = lock(state.lock);
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(state.ledger);
    const found = foundIn(db, state, machine);
    const guard = guardOf(found, SCHEMA_VERSION, binding);
    if (guard.send) {
      migrate(db, found.schema);
      db.exec('BEGIN IMMEDIATE');
      writeMeta(db, { ...boundTo(binding), generation: String(found.generation + 1) });
      db.exec('COMMIT');
    } else db.exec('PRAGMA query_only = ON');
    const driver = through(guard.send ? writing(db, state, found, unlock) : looking(db, unlock));
    return await ledgerOver({ driver, guard, now, sequences, language });
  } catch (error) {
    if (db?.isOpen) db.close();
    unlock();
    throw primaryCode(error) === FULL ? new LedgerUnavailable('ledger/disk-full', error) : error;
  }
}

/** A person confirms that this ledger, here and with these settings, is the one to go on with. */
export function acceptLedger(
  options: LedgerPlace & {
    readonly by: string;
    readonly reason: string;
    /** Something may have been sent from elsewhere: what is queued is held. Always so for an older or foreign ledger. */
    readonly hold: boolean;
    /** As where a backup is restored: an older or foreign ledger learns from what lies in the folders. */
    readonly learn: (db: DatabaseSync, hold: Hold) => void;
  },
): { readonly was: Guard; readonly held: number; readonly quarantine: boolean } {
  const { folder, binding, machine, now, by, reason, learn, language = 'en' } = options;
  const hold: Hold = { rule: 'ledger-accepted', says: inLanguage(LEDGER_HOLD.accepted(), language) };
  const state = stateFolder(folder);
  const unlock = lock(state.lock);
  try {
    const db = openDatabase(state.ledger);
    const found = foundIn(db, state, machine);
    const was = guardOf(found, SCHEMA_VERSION, binding);
    if (!was.send && was.code === 'ledger/newer-schema') throw new SetupError(was.code, was.reason);
    migrate(db, found.schema);
    const generation = Math.max(found.generation, found.witness?.generation ?? 0) + 1;
    const quarantine = !was.send && (was.code === 'ledger/older' || was.code === 'ledger/foreign');
    db.exec('BEGIN IMMEDIATE');
    writeMeta(db, { ...boundTo(binding), generation: String(generation), place: found.here });
    const held = options.hold || quarantine ? holdQueued(db, now().getTime(), hold) : 0;
    if (quarantine) {
      learn(db, hold);
      const since: Quarantine = { at: now().toISOString(), by, why: 'accepted' };
      writeMeta(db, { quarantine: JSON.stringify(since) });
    }
    db.prepare('INSERT INTO event (id, at, what, person, detail) VALUES (?, ?, ?, ?, ?)').run(
      ...[randomUUID(), now().toISOString(), 'ledger-accepted', by, JSON.stringify({ was, reason, held })],
    );
    db.exec('COMMIT');
    openWitness(state.witness, found.installation, generation, true).close();
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
export function decideInLedger<T>({ folder, binding, machine }: LedgerPlace, act: (db: DatabaseSync) => T): T {
  const state = stateFolder(folder);
  const unlock = lock(state.lock);
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(state.ledger);
    const found = foundIn(db, state, machine);
    const guard = guardOf(found, SCHEMA_VERSION, binding);
    if (!guard.send) throw new SetupError(guard.code, guard.reason, { hint: 'nothing was changed' });
    const generation = found.generation + 1;
    db.exec('BEGIN IMMEDIATE');
    const result = act(db);
    writeMeta(db, { generation: String(generation) });
    db.exec('COMMIT');
    openWitness(state.witness, found.installation, generation).close();
    return result;
  } finally {
    db?.close();
    unlock();
  }
}

type StateFolder = ReturnType<typeof stateFolder>;

export function stateFolder(instance: string) {
  const folder = join(instance, 'state');
  const [ledger, lockFile] = [join(folder, 'ledger.sqlite'), join(folder, 'lock.sqlite')];
  return {
    folder,
    ledger,
    lock: lockFile,
    witness: join(folder, 'installation.json'),
    ballast: join(folder, 'ballast'),
  };
}

export function boundTo({ environment, services }: Binding): { readonly [key: string]: string } {
  const bound = Object.entries(services).map(([name, address]) => [`service ${name}`, address]);
  return { environment, ...Object.fromEntries(bound) };
}

function foundIn(db: DatabaseSync, state: StateFolder, machine: string | undefined): Found {
  const meta = readMeta(db);
  const services = [...meta].filter(([key]) => key.startsWith('service '));
  return {
    schema: Number(meta.get('schema')),
    installation: meta.get('installation') ?? '',
    generation: Number(meta.get('generation')),
    place: meta.get('place') ?? '',
    environment: meta.get('environment') ?? '',
    services: Object.fromEntries(services.map(([key, address]) => [key.slice('service '.length), address])),
    witness: readWitness(state.witness),
    here: placeOf(state.folder, state.ledger, machine),
  };
}

/** The driver of the one writer: counts its commits, in the ledger and beside it. */
function writing(db: DatabaseSync, state: StateFolder, found: Found, unlock: () => void): Driver {
  let generation = found.generation + 1;
  const log = openLog(db, `${state.ledger}-wal`);
  const witness = openWitness(state.witness, found.installation, generation);
  layBallast(state.ballast);
  const driver = groupCommit(db, {
    seal: (sql) => {
      generation++;
      void sql.run(`UPDATE meta SET value = ? WHERE key = 'generation'`, String(generation));
      return generation;
    },
    flush: log.flush,
    committed: witness.saw,
    makeRoom: () => {
      const there = existsSync(state.ballast);
      rmSync(state.ballast, { force: true });
      return there;
    },
  });
  const close = async () => {
    await driver.close();
    log.close();
    witness.close();
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
  const { binding, machine, now, through = (driver) => driver } = options;
  const db = openDatabase(state.ledger, { readOnly: true });
  try {
    // First the witness: a run may commit between the two looks, and its ledger must not seem behind.
    const witness = readWitness(state.witness);
    const guard = guardOf({ ...foundIn(db, state, machine), witness }, SCHEMA_VERSION, binding);
    const driver = through(looking(db, () => {}));
    const write = () => Promise.reject(new SetupError('ledger/read-only', 'The ledger was opened for looking only.'));
    return await ledgerOver({ driver: { ...driver, write }, guard, now, readOnly: true });
  } catch (error) {
    db.close();
    throw error;
  }
}

function holdQueued(db: DatabaseSync, nowMs: number, hold: Hold): number {
  const set = `UPDATE entry SET state = 'held', since = ?, due_at = NULL, receipt_due = 1, hold = ? WHERE state = 'ready'`;
  return Number(db.prepare(set).run(nowMs, JSON.stringify(hold)).changes);
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
