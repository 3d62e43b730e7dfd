/**
 * The ledger of one machine, in `<instance>/state/`: ledger.sqlite, lock.sqlite, installation.json and ballast.
 *
 * `initLedger` makes it once; afterwards it is only opened, and a missing one is never replaced by a new one. A ledger of
 * another installation opens in no-send mode; a file that is not a ledger does not open.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeDurableFolder } from '../files/fsync-directory.ts';
import type { Language } from '../i18n/message.ts';
import { LEDGER_FILE, LEDGER_HOLD } from '../i18n/messages/ledger-messages.ts';
import { SEND_GUARD } from '../i18n/messages/send-guard-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Hold } from '../model/document.ts';
import { OperatorError } from '../model/fault.ts';
import { holdOf } from '../model/recorded-words.ts';
import { escapeControls } from '../text/printable.ts';
import type { Quarantine } from './contract/intake-store.ts';
import type { Binding, Ledger, SendGuard } from './contract/ledger.ts';
import { insertDecision } from './contract/ledger-context.ts';
import { damagedLedger } from './database/damaged-ledger.ts';
import type { Driver } from './database/database-driver.ts';
import { findIdentityDamage } from './database/identity-index.ts';
import { SCHEMA_VERSION } from './database/migrations.ts';
import { createDatabase, migrate, openDatabase, readMeta, writeMeta } from './database/open-database.ts';
import { toStorageError } from './database/storage-errors.ts';
import {
  openExternalWitnesses,
  readExternalWitnesses,
  requireWitnessFolder,
  type WitnessPlaces,
} from './installation/external-witness.ts';
import { readWitness } from './installation/installation-file.ts';
import { installationPlace, refuseNetworkFolder } from './installation/installation-place.ts';
import { lockInstance } from './installation/instance-lock.ts';
import { readStamps, recordStamp, stampFile } from './installation/ledger-file-stamp.ts';
import type { HolderWork } from './installation/lock-holder.ts';
import { evaluateSendGuard, type LedgerFacts, latestGeneration } from './installation/send-guard.ts';
import { markWitnesses, type StateFolder, stateFolder, witnessFolderMeta } from './installation/state-folder.ts';
import { findUnknownOutput, type NewestOutputs } from './installation/unknown-outputs.ts';
import { openReader, openWriter } from './ledger-driver.ts';
import { createSqlLedger } from './sql-ledger.ts';
import { holdQueued } from './submission/hold-queued.ts';

export type LedgerPlace = {
  /** The instance folder. */
  readonly folder: string;
  readonly binding: Binding;
  readonly now: () => Date;
  /** Replaces the machine id, if that changes without a move (containers). */
  readonly machine?: string;
  /** Absolute path of the folder for a second witness, in addition to that of the instance (external-witness.ts). */
  readonly witnessFolder?: string;
  /** The newest files of the instance, to find those that the ledger does not know. */
  readonly newestOutputs?: () => NewestOutputs;
  /** The language in which faults and holds are recorded; English by default. */
  readonly language?: Language;
};

export type OpenOptions = LedgerPlace & {
  /** First number of a sequence; 1 by default. */
  readonly sequences?: { readonly [name: string]: number };
  /** To read only, also during a run that has the lock. */
  readonly readOnly?: boolean;
  /** What others read about the holder of the lock; a decision by default. */
  readonly work?: HolderWork;
  /** Gets the milliseconds until each commit is durable. */
  readonly onCommit?: (ms: number) => void;
  /** Wraps the database engine, for tests that make it fail. */
  readonly through?: (driver: Driver) => Driver;
};

/** Makes the ledger of a new installation. Refuses if there is, or was, one. */
export function initLedger({ folder, binding, now, machine, witnessFolder }: LedgerPlace): void {
  const state = stateFolder(folder, witnessFolder);
  requireWitnessFolder(state.outside);
  makeDurableFolder(state.folder);
  refuseNetworkFolder(state.folder);
  const unlock = lockInstance(state.lock, 'act', now());
  try {
    if (existsSync(state.ledger) || existsSync(state.witness)) {
      throw new OperatorError('ledger/exists', LEDGER_FILE.exists({ folder: state.folder }), {
        hint: LEDGER_FILE.existsHint(),
      });
    }
    refuseUsedInstance(folder);
    const db = createDatabase(state.ledger);
    const installation = randomUUID();
    const place = installationPlace(state.folder, state.ledger, machine);
    writeMeta(db, { installation, generation: '0', place, ...witnessFolderMeta(state), ...bindingMeta(binding) });
    markWitnesses(state, { installation, generation: 0 }, true);
    db.close();
  } finally {
    unlock();
  }
}

/** An instance with receipts or archived exports has sent documents: a new ledger would send them a second time. */
function refuseUsedInstance(instance: string): void {
  for (const name of ['outbox', 'error', 'pending', 'archive', 'processing']) {
    const folder = join(instance, name);
    const found = existsSync(folder) ? readdirSync(folder).find((entry) => !entry.startsWith('.')) : undefined;
    if (found === undefined) continue;
    throw new OperatorError('ledger/lost', LEDGER_FILE.lost({ folder: name, file: escapeControls(found) }), {
      hint: LEDGER_FILE.lostHint(),
    });
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
  if (readOnly) {
    if (isOlderSchema(state)) await bringUpToDate(state, options);
    return await openReadOnly(state, options);
  }
  if (!existsSync(state.folder)) openDatabase(state.ledger);
  refuseNetworkFolder(state.folder);
  requireWitnessFolder(state.outside);
  const unlock = lockInstance(state.lock, options.work ?? 'act', now());
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(state.ledger, { readOnly: true });
    const facts = readLedgerFacts(db, state, options);
    const guard = evaluateSendGuard(facts, SCHEMA_VERSION, binding);
    // A ledger that may not send stays unchanged: a connection that may write copies the log into the file when it closes.
    if (guard.send) {
      db.close();
      db = openDatabase(state.ledger, { checked: true });
      migrate(db, facts.schema);
      const damage = findIdentityDamage(db);
      if (damage !== undefined) throw damagedLedger(state.ledger, damage);
      // Before the ledger records its witnesses: a stop between the two must not look like a lost witness.
      openExternalWitnesses(state.outside, facts).close();
      db.exec('BEGIN IMMEDIATE');
      writeMeta(db, { ...bindingMeta(binding), ...witnessFolderMeta(state), generation: String(facts.generation + 1) });
      stampFile(db, facts.generation + 1);
      db.exec('COMMIT');
      recordStamp(db);
    }
    const driver = through(
      guard.send ? openWriter(db, { state, facts, unlock, onCommit: options.onCommit }) : openReader(db, unlock),
    );
    return await createSqlLedger({ driver, guard, now, sequences, language });
  } catch (error) {
    if (db?.isOpen) db.close();
    unlock();
    throw toStorageError(error, state.ledger);
  }
}

/** A person confirms that this ledger, in this place and with these settings, is the one to continue with. */
export function acceptLedger(
  options: LedgerPlace & {
    readonly by: string;
    readonly reason: string;
    /**
     * Documents may have been sent from elsewhere: queued ones are held. Always the case if the ledger may not be the
     * latest.
     */
    readonly hold: boolean;
    /** As after the restore of a backup: a ledger that may not be the latest imports the documents of the folders. */
    readonly importOutputs: (db: DatabaseSync, hold: Hold) => void;
  },
): { readonly was: SendGuard; readonly held: number; readonly quarantine: boolean } {
  const { folder, binding, now, by, reason, importOutputs, language = 'en' } = options;
  const hold = holdOf('ledger-accepted', LEDGER_HOLD.accepted(), language);
  const state = stateFolder(folder, options.witnessFolder);
  requireWitnessFolder(state.outside);
  const unlock = lockInstance(state.lock, 'act', now());
  try {
    const { facts, guard: was } = evaluateLedger(state, options);
    const db = openDatabase(state.ledger, { checked: true });
    if (!was.send && was.code === 'ledger/newer-schema') throw new OperatorError(was.code, was.reason);
    migrate(db, facts.schema);
    const generation = latestGeneration(facts) + 1;
    const quarantine = !was.send && NOT_THE_LATEST.has(was.code);
    db.exec('BEGIN IMMEDIATE');
    writeMeta(
      db,
      definedOnly({
        ...bindingMeta(binding),
        ...witnessFolderMeta(state),
        generation: String(generation),
        place: facts.here,
        learned: quarantine ? String(now().getTime()) : undefined,
      }),
    );
    const held = options.hold || quarantine ? holdQueued(db, now().getTime(), hold) : 0;
    if (quarantine) {
      importOutputs(db, hold);
      const since: Quarantine = { at: now().toISOString(), by, why: 'accepted' };
      writeMeta(db, { quarantine: JSON.stringify(since) });
    }
    insertDecision(db, { at: now(), what: 'ledger-accepted', person: by, detail: { was, reason, held } });
    db.exec('COMMIT');
    markWitnesses(state, { installation: facts.installation, generation }, true);
    db.close();
    return { was, held, quarantine };
  } finally {
    unlock();
  }
}

/**
 * One commit outside of a run, for a decision of a person about the ledger as a whole: counted like any other, so that an
 * older copy of the ledger is recognized. Refuses if the ledger may not send: then it is only read.
 */
export function decideInLedger<T>(place: LedgerPlace, act: (db: DatabaseSync) => T): T {
  const state = stateFolder(place.folder, place.witnessFolder);
  requireWitnessFolder(state.outside);
  const unlock = lockInstance(state.lock, 'act', place.now());
  let db: DatabaseSync | undefined;
  try {
    const { facts, guard } = evaluateLedger(state, place);
    if (!guard.send) throw new OperatorError(guard.code, guard.reason, { hint: SEND_GUARD.nothingChanged() });
    db = openDatabase(state.ledger, { checked: true });
    const generation = facts.generation + 1;
    db.exec('BEGIN IMMEDIATE');
    const result = act(db);
    writeMeta(db, { generation: String(generation) });
    db.exec('COMMIT');
    markWitnesses(state, { installation: facts.installation, generation });
    return result;
  } finally {
    db?.close();
    unlock();
  }
}

/** Codes of a guard under which documents may have been sent that the ledger does not know. */
const NOT_THE_LATEST = new Set(['ledger/older', 'ledger/foreign', 'ledger/copied', 'ledger/witness-missing']);

export function bindingMeta({ environment, services }: Binding): { readonly [key: string]: string } {
  const bound = Object.entries(services).map(([name, address]) => [`service ${name}`, address]);
  return { environment, ...Object.fromEntries(bound) };
}

function evaluateLedger(
  state: StateFolder,
  place: LedgerPlace,
): { readonly facts: LedgerFacts; readonly guard: SendGuard } {
  const db = openDatabase(state.ledger, { readOnly: true });
  try {
    const facts = readLedgerFacts(db, state, place);
    return { facts, guard: evaluateSendGuard(facts, SCHEMA_VERSION, place.binding) };
  } finally {
    db.close();
  }
}

function readLedgerFacts(db: DatabaseSync, state: StateFolder, { machine, newestOutputs }: LedgerPlace): LedgerFacts {
  // The witnesses are read first: a run may commit in between, and its ledger must not seem older than they are.
  const own = readMeta(db).get('installation') ?? '';
  const [witness, outside, newest] = [
    readWitness(state.witness),
    readExternalWitnesses(state.outside, own),
    newestOutputs?.(),
  ];
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
    externalWitnesses: outside,
    used: readUse(db, meta),
    ...missingWitness(state.outside, meta.get('witness-folder'), outside),
    ...readStamps(state.ledger, meta),
    unknownOutput: newest && findUnknownOutput(db, newest, Number(meta.get('learned') ?? 0)),
    here: installationPlace(state.folder, state.ledger, machine),
  };
}

/**
 * `never` is a proof: no attempt, no document. A ledger that was restored, rebuilt or accepted proves nothing, because
 * its folders may have lost the receipts of what was sent.
 */
function readUse(db: DatabaseSync, meta: ReadonlyMap<string, string>): LedgerFacts['used'] {
  if (meta.has('learned') || meta.has('rebuilt')) return 'sent';
  const any = (from: string) => db.prepare(`SELECT 1 FROM ${from} LIMIT 1`).get() !== undefined;
  if (any('attempt') || any('entry WHERE submits > 0')) return 'sent';
  return any('entry') ? 'queued' : 'never';
}

/** The folder of the settings, if it had a witness and has none now. */
function missingWitness(
  { folder, archived }: WitnessPlaces,
  recorded: string | undefined,
  witnesses: LedgerFacts['externalWitnesses'],
): Pick<LedgerFacts, 'missingWitness'> {
  const isThere = witnesses.some(({ path }) => path !== archived);
  return folder !== undefined && folder === recorded && !isThere ? { missingWitness: folder } : {};
}

function isOlderSchema(state: StateFolder): boolean {
  if (!existsSync(state.ledger)) return false;
  const db = openDatabase(state.ledger, { readOnly: true, checked: true });
  try {
    return Number(readMeta(db).get('schema')) < SCHEMA_VERSION;
  } finally {
    db.close();
  }
}

/** After an upgrade of the program the first command that looks does what the first run would do. */
async function bringUpToDate(state: StateFolder, options: OpenOptions): Promise<void> {
  const ledger = await openLedger({ ...options, readOnly: false });
  await ledger[Symbol.asyncDispose]();
  if (!isOlderSchema(state)) return;
  // A ledger that may not send stays as it was found.
  throw new OperatorError('ledger/older-schema', LEDGER_FILE.olderSchema(), { hint: LEDGER_FILE.olderSchemaHint() });
}

/**
 * Has the guard that a run would get; no method writes, even if the guard allows sending. Its pages are not checked: the
 * check reads all of them, and a writer, `doctor` and `backup` do it.
 */
async function openReadOnly(state: StateFolder, options: OpenOptions): Promise<Ledger> {
  const { binding, now, through = (driver) => driver } = options;
  const db = openDatabase(state.ledger, { readOnly: true, checked: true });
  try {
    const guard = evaluateSendGuard(readLedgerFacts(db, state, options), SCHEMA_VERSION, binding);
    const driver = through(openReader(db, () => {}));
    const write = () => Promise.reject(new OperatorError('ledger/read-only', LEDGER_FILE.readOnly()));
    return await createSqlLedger({ driver: { ...driver, write }, guard, now, readOnly: true });
  } catch (error) {
    db.close();
    throw toStorageError(error, state.ledger);
  }
}
