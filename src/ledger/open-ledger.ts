/**
 * The ledger of one machine, in `<instance>/state/`: ledger.sqlite, lock.sqlite, installation.json and ballast.
 *
 * Made once, by `initLedger`; opened ever after, and never taken for new. What is not the ledger of this installation
 * opens in no-send mode; what is no ledger at all does not open.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeDurableFolder } from '../files/fsync-directory.ts';
import { format, type Language } from '../i18n/message.ts';
import { LEDGER_FILE, LEDGER_HOLD } from '../i18n/messages/ledger-messages.ts';
import { SEND_GUARD } from '../i18n/messages/send-guard-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Hold } from '../model/document.ts';
import { OperatorError } from '../model/fault.ts';
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
  /** Instead of the machine id, where that changes without a move (containers). */
  readonly machine?: string;
  /** Absolute; the folder of a witness in addition to that of the instance (external-witness.ts). */
  readonly witnessFolder?: string;
  /** The newest files of the instance, for finding what the ledger does not know of them. */
  readonly newestOutputs?: () => NewestOutputs;
  /** In which faults and holds are written down; English where nothing is said. */
  readonly language?: Language;
};

export type OpenOptions = LedgerPlace & {
  /** First number of a sequence; 1 where nothing is said. */
  readonly sequences?: { readonly [name: string]: number };
  /** To read only, also during a run that has the lock. */
  readonly readOnly?: boolean;
  /** Lies between the ledger and the engine, for tests that let it fail. */
  readonly through?: (driver: Driver) => Driver;
};

/** Makes the ledger of a new installation. Refused where there is, or was, one. */
export function initLedger({ folder, binding, machine, witnessFolder }: LedgerPlace): void {
  const state = stateFolder(folder, witnessFolder);
  requireWitnessFolder(state.outside);
  makeDurableFolder(state.folder);
  refuseNetworkFolder(state.folder);
  const unlock = lockInstance(state.lock);
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

/** A folder with receipts or archived exports has sent documents: a new ledger would send them once more. */
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
  if (readOnly) return await openReadOnly(state, options);
  if (!existsSync(state.folder)) openDatabase(state.ledger);
  refuseNetworkFolder(state.folder);
  requireWitnessFolder(state.outside);
  const unlock = lockInstance(state.lock);
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(state.ledger, { readOnly: true });
    const found = readLedgerFacts(db, state, options);
    const guard = evaluateSendGuard(found, SCHEMA_VERSION, binding);
    // One that may not send stays as it is found: a connection that may write puts the log into the file when it
    // closes.
    if (guard.send) {
      db.close();
      db = openDatabase(state.ledger, { checked: true });
      migrate(db, found.schema);
      const trouble = findIdentityDamage(db);
      if (trouble !== undefined) throw damagedLedger(state.ledger, trouble);
      // Before the ledger says that there is one: a stop between the two must not look like a lost one.
      openExternalWitnesses(state.outside, found).close();
      db.exec('BEGIN IMMEDIATE');
      writeMeta(db, { ...bindingMeta(binding), ...witnessFolderMeta(state), generation: String(found.generation + 1) });
      stampFile(db, found.generation + 1);
      db.exec('COMMIT');
      recordStamp(db);
    }
    const driver = through(guard.send ? openWriter(db, state, found, unlock) : openReader(db, unlock));
    return await createSqlLedger({ driver, guard, now, sequences, language });
  } catch (error) {
    if (db?.isOpen) db.close();
    unlock();
    throw toStorageError(error, state.ledger);
  }
}

/** A person confirms that this ledger, here and with these settings, is the one to go on with. */
export function acceptLedger(
  options: LedgerPlace & {
    readonly by: string;
    readonly reason: string;
    /**
     * Something may have been sent from elsewhere: what is queued is held. Always so where the ledger may not be the
     * latest.
     */
    readonly hold: boolean;
    /** As where a backup is restored: a ledger that may not be the latest learns from what lies in the folders. */
    readonly importOutputs: (db: DatabaseSync, hold: Hold) => void;
  },
): { readonly was: SendGuard; readonly held: number; readonly quarantine: boolean } {
  const { folder, binding, now, by, reason, importOutputs, language = 'en' } = options;
  const hold: Hold = { rule: 'ledger-accepted', says: format(LEDGER_HOLD.accepted(), language) };
  const state = stateFolder(folder, options.witnessFolder);
  requireWitnessFolder(state.outside);
  const unlock = lockInstance(state.lock);
  try {
    const { found, guard: was } = evaluateLedger(state, options);
    const db = openDatabase(state.ledger, { checked: true });
    if (!was.send && was.code === 'ledger/newer-schema') throw new OperatorError(was.code, was.reason);
    migrate(db, found.schema);
    const generation = latestGeneration(found) + 1;
    const quarantine = !was.send && NOT_THE_LATEST.has(was.code);
    db.exec('BEGIN IMMEDIATE');
    writeMeta(
      db,
      definedOnly({
        ...bindingMeta(binding),
        ...witnessFolderMeta(state),
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
    insertDecision(db, { at: now(), what: 'ledger-accepted', person: by, detail: { was, reason, held } });
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
  requireWitnessFolder(state.outside);
  const unlock = lockInstance(state.lock);
  let db: DatabaseSync | undefined;
  try {
    const { found, guard } = evaluateLedger(state, place);
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

export function bindingMeta({ environment, services }: Binding): { readonly [key: string]: string } {
  const bound = Object.entries(services).map(([name, address]) => [`service ${name}`, address]);
  return { environment, ...Object.fromEntries(bound) };
}

function evaluateLedger(
  state: StateFolder,
  place: LedgerPlace,
): { readonly found: LedgerFacts; readonly guard: SendGuard } {
  const db = openDatabase(state.ledger, { readOnly: true });
  try {
    const found = readLedgerFacts(db, state, place);
    return { found, guard: evaluateSendGuard(found, SCHEMA_VERSION, place.binding) };
  } finally {
    db.close();
  }
}

function readLedgerFacts(db: DatabaseSync, state: StateFolder, { machine, newestOutputs }: LedgerPlace): LedgerFacts {
  // The witnesses are read first: a run may commit in between, and its ledger must not seem to be older than they are.
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
    used: readUse(db),
    ...missingWitness(state.outside, meta.get('witness-folder'), outside),
    ...readStamps(state.ledger, meta),
    unknownOutput: newest && findUnknownOutput(db, newest, Number(meta.get('learned') ?? 0)),
    here: installationPlace(state.folder, state.ledger, machine),
  };
}

function readUse(db: DatabaseSync): LedgerFacts['used'] {
  const any = (from: string) => db.prepare(`SELECT 1 FROM ${from} LIMIT 1`).get() !== undefined;
  if (any('attempt') || any('entry WHERE submits > 0')) return 'sent';
  return any('entry') ? 'queued' : 'never';
}

/** The folder of the settings had a witness, and has none now. */
function missingWitness(
  { folder, archived }: WitnessPlaces,
  known: string | undefined,
  there: LedgerFacts['externalWitnesses'],
): Pick<LedgerFacts, 'missingWitness'> {
  const isThere = there.some(({ path }) => path !== archived);
  return folder !== undefined && folder === known && !isThere ? { missingWitness: folder } : {};
}

/** The guard is the one a run would find; whatever it says, nothing can be written through this connection. */
async function openReadOnly(state: StateFolder, options: OpenOptions): Promise<Ledger> {
  const { binding, now, through = (driver) => driver } = options;
  const db = openDatabase(state.ledger, { readOnly: true });
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
