/**
 * Opens the ledger of an instance, on either engine, with its witnesses: state/installation.json and those outside.
 *
 * `initLedger` makes it once; afterwards it is only opened, and a missing one is never replaced by a new one. A ledger of
 * another installation opens in no-send mode; one that is damaged or cannot be reached does not open.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Driver, Statements } from '../database/database-driver.ts';
import { readMetaValues, writeMetaValues } from '../database/meta-values.ts';
import { SCHEMA_VERSION } from '../database/migrations.ts';
import { makeDurableFolder } from '../files/fsync-directory.ts';
import { INSTANCE_LOCK, LEDGER_FILE, LEDGER_HOLD } from '../i18n/messages/ledger-messages.ts';
import { SEND_GUARD } from '../i18n/messages/send-guard-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Hold } from '../model/document.ts';
import { OperatorError } from '../model/fault.ts';
import { PROGRAM_BUILD } from '../model/program.ts';
import { holdOf } from '../model/recorded-words.ts';
import { escapeControls } from '../text/printable.ts';
import { sha256Hex } from '../text/sha256.ts';
import { chooseEngine, stateOf } from './choose-engine.ts';
import type { Quarantine } from './contract/intake-store.ts';
import type { Ledger, SendGuard } from './contract/ledger.ts';
import { insertDecision } from './contract/ledger-context.ts';
import type { NewWorker, WorkerSetup } from './contract/worker-store.ts';
import { withUnlock } from './engine/ledger-driver.ts';
import type { LedgerEdit, LedgerEngine } from './engine/ledger-engine.ts';
import { openExternalWitnesses, requireWitnessFolder } from './installation/external-witness.ts';
import { LockedError } from './installation/instance-lock.ts';
import type { HolderWork } from './installation/lock-holder.ts';
import { evaluateSendGuard, type LedgerFacts, latestGeneration } from './installation/send-guard.ts';
import { START_KEY } from './installation/server-claim.ts';
import { markWitnesses, type StateFolder, witnessFolderMeta } from './installation/state-folder.ts';
import { bindingMeta, readLedgerFacts } from './ledger-facts.ts';
import type { LedgerPlace } from './ledger-place.ts';
import { createSqlLedger } from './sql-ledger.ts';
import { holdQueued } from './submission/hold-queued.ts';
import type { Membership } from './workers/join-ledger.ts';

export type OpenOptions = LedgerPlace & {
  /** First number of a sequence; 1 by default. */
  readonly sequences?: { readonly [name: string]: number };
  /** To read only, also during a run that has the lock. */
  readonly readOnly?: boolean;
  /** What others read about the holder of the lock; a decision by default. */
  readonly work?: HolderWork;
  /** Gets the milliseconds until each commit is durable. */
  readonly onCommit?: (ms: number) => void;
  /** Settings and mappings by their hashes, for other workers of the same ledger. */
  readonly setup?: WorkerSetup;
  /** Wraps the database engine, for tests that make it fail. */
  readonly through?: (driver: Driver) => Driver;
};

/** Makes the ledger of a new installation. Refuses if there is, or was, one. */
export async function initLedger(options: LedgerPlace): Promise<void> {
  const { folder, binding, now, onWait } = options;
  const state = stateOf(options);
  const engine = await chooseEngine(options);
  requireWitnessFolder(state.outside);
  engine.refusePlace();
  makeDurableFolder(state.folder);
  const unlock = await engine.lock('act', now(), onWait);
  try {
    const isThere = await engine.exists();
    const isHalfMade = isThere && !existsSync(state.witness) && (await isWithoutInstallation(engine));
    if (!isHalfMade && (isThere || existsSync(state.witness))) {
      const folder = isThere && engine.name === 'postgres' ? engine.shownPlace : state.folder;
      throw new OperatorError('ledger/exists', LEDGER_FILE.exists({ folder }), { hint: LEDGER_FILE.existsHint() });
    }
    refuseUsedInstance(folder);
    const made = isHalfMade ? await engine.edit() : await engine.create();
    const installation = randomUUID();
    const place = await engine.findPlace();
    const meta = { installation, generation: '0', place, ...witnessFolderMeta(state), ...bindingMeta(binding) };
    await made.write((sql) => writeMetaValues(sql, meta));
    markWitnesses(state, { installation, generation: 0 }, true);
    await made.close();
  } finally {
    await unlock();
  }
}

/** A program that ended between the tables and their first values: nothing was ever taken or sent with it. */
async function isWithoutInstallation(engine: LedgerEngine): Promise<boolean> {
  const driver = await engine.look().catch(() => undefined);
  if (!driver) return false;
  try {
    return await driver.read(async (sql) => {
      if ((await readMetaValues(sql)).has('installation')) return false;
      return (await sql.all('SELECT 1 FROM source_file LIMIT 1')).length === 0;
    });
  } finally {
    await driver.close();
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

/** Of a work that reads exports: dates of documents and the hours of exports are checked against it. */
function clockOf(work: HolderWork, now: () => Date): Date | undefined {
  return work === 'run' || work === 'watch' ? now() : undefined;
}

export async function openLedger(options: OpenOptions): Promise<Ledger> {
  const { binding, now, sequences = {}, language = 'en', readOnly = false, through = (driver) => driver } = options;
  const { isPurged } = options;
  const state = stateOf(options);
  const engine = await chooseEngine(options);
  if (readOnly) return await openReadOnly(engine, state, options);
  if (existsSync(state.folder)) engine.refusePlace();
  requireWitnessFolder(state.outside);
  const work = options.work ?? 'act';
  const unlock = await engine.lock(work, now(), options.onWait);
  let open: Driver | undefined;
  try {
    const look = await engine.look();
    open = look;
    const facts = await readLedgerFacts(look, { engine, state, place: options });
    const guard = evaluateSendGuard(facts, SCHEMA_VERSION, binding);
    let driver = withUnlock(look, unlock);
    let membership: Membership | undefined;
    // A ledger that may not send stays unchanged: a connection that may write copies the log into the file when it closes.
    if (guard.send) {
      await look.close();
      const edit = await engine.edit(clockOf(work, now));
      open = edit;
      if (work === 'watch' && edit.join && (facts.schema < SCHEMA_VERSION || guard.rebinds)) {
        await edit.close();
        await unlock();
        const ledger = await openPrepared(options, { engine, state, guard }).catch((error: unknown) => {
          throw facts.schema < SCHEMA_VERSION ? keptFromUpgrade(error) : error;
        });
        return ledger;
      }
      await edit.migrate(facts.schema);
      const damage = await edit.findDamage();
      if (damage !== undefined) throw damage;
      // Before the ledger records its witnesses: a stop between the two must not look like a lost witness.
      openExternalWitnesses(state.outside, facts).close();
      const generation = facts.generation + 1;
      const start = randomUUID();
      const lookAgain = (again: Driver) => expectStillLatest(again, { engine, state, place: options });
      const place = definedOnly({ facts, unlock, start, lookAgain, onCommit: options.onCommit });
      const meta = { ...bindingMeta(binding), ...witnessFolderMeta(state), [START_KEY]: start };
      if (work === 'watch' && edit.join) {
        const worker = newWorker(work, now(), options.setup);
        ({ driver, membership } = await edit.join(place, { worker, meta, now }));
      } else {
        const counted = { ...meta, generation: String(generation) };
        await edit.start(generation, (sql) => writeMetaValues(sql, counted));
        driver = await edit.writer(place);
      }
    }
    return await createSqlLedger({ driver: through(driver), guard, now, sequences, language, isPurged, membership });
  } catch (error) {
    await open?.close();
    await unlock();
    throw engine.toError(error);
  }
}

/**
 * A second look, after the folder was claimed for this server: a program that works with another one has committed before this
 * look, or sees the claim.
 */
async function expectStillLatest(driver: Driver, found: Parameters<typeof readLedgerFacts>[1]): Promise<void> {
  const { newestOutputs: _, ...place } = found.place;
  const facts = await readLedgerFacts(driver, { ...found, place });
  const guard = evaluateSendGuard(facts, SCHEMA_VERSION, place.binding);
  if (!guard.send) throw new OperatorError(guard.code, guard.reason, { hint: SEND_GUARD.nothingTaken() });
}

/**
 * A watch among others, after a moment alone with the ledger: no worker goes on with the schema, or the services, of before an
 * upgrade or a change of the settings.
 */
async function openPrepared(options: OpenOptions, { engine, state, guard }: Unprepared): Promise<Ledger> {
  try {
    const alone = await openLedger({ ...options, work: 'act' });
    await alone[Symbol.asyncDispose]();
  } catch (error) {
    // Another watch that looked at the same instant may have prepared it, and work by now.
    if (!(error instanceof LockedError) || !(await isPrepared(engine, state, options))) throw error;
  }
  const ledger = await openLedger(options);
  return ledger.guard.send ? { ...ledger, guard } : ledger;
}

type Unprepared = { readonly engine: LedgerEngine; readonly state: StateFolder; readonly guard: SendGuard };

async function isPrepared(engine: LedgerEngine, state: StateFolder, place: LedgerPlace): Promise<boolean> {
  const { facts, guard } = await evaluateLedger(engine, state, place);
  return facts.schema === SCHEMA_VERSION && guard.send && !guard.rebinds;
}

/** A program of the version before may work for weeks: waiting for it is no advice. */
function keptFromUpgrade(error: unknown): unknown {
  if (!(error instanceof LockedError) || !['run', 'watch'].includes(error.holder?.work ?? '')) return error;
  return new LockedError(error.holder, error, INSTANCE_LOCK.upgrade());
}

function newWorker(work: HolderWork, now: Date, setup?: WorkerSetup): NewWorker {
  return {
    ...{ id: randomUUID(), host: hostname(), pid: process.pid, work, version: PROGRAM_BUILD },
    ...{ settingsSha256: setup ? sha256Hex(JSON.stringify(setup)) : '', startedAt: now.toISOString() },
    ...(setup && { setup }),
  };
}

/** A person confirms that this ledger, in this place and with these settings, is the one to continue with. */
export async function acceptLedger(
  options: LedgerPlace & {
    readonly by: string;
    readonly reason: string;
    /**
     * Documents may have been sent from elsewhere: queued ones are held. Always the case if the ledger may not be the
     * latest.
     */
    readonly hold: boolean;
    /** As after the restore of a backup: a ledger that may not be the latest imports the documents of the folders. */
    readonly importOutputs: (sql: Statements, hold: Hold) => Promise<void>;
  },
): Promise<{ readonly was: SendGuard; readonly held: number; readonly quarantine: boolean }> {
  const { binding, now, by, reason, importOutputs, language = 'en' } = options;
  const hold = holdOf('ledger-accepted', LEDGER_HOLD.accepted(), language);
  const state = stateOf(options);
  const engine = await chooseEngine(options);
  requireWitnessFolder(state.outside);
  const unlock = await engine.lock('act', now(), options.onWait);
  let edit: Driver | undefined;
  try {
    const { facts, guard: was } = await evaluateLedger(engine, state, options);
    if (!was.send && NOT_ACCEPTED.has(was.code)) throw new OperatorError(was.code, was.reason);
    const opened = await engine.edit();
    edit = opened;
    await opened.migrate(facts.schema);
    const generation = latestGeneration(facts) + 1;
    const quarantine = !was.send && NOT_THE_LATEST.has(was.code);
    const held = await opened.write(async (sql) => {
      await writeMetaValues(
        sql,
        definedOnly({
          ...bindingMeta(binding),
          ...witnessFolderMeta(state),
          generation: String(generation),
          place: facts.here,
          learned: quarantine ? String(now().getTime()) : undefined,
        }),
      );
      const count = options.hold || quarantine ? await holdQueued(sql, now().getTime(), hold) : 0;
      if (quarantine) {
        await importOutputs(sql, hold);
        const since: Quarantine = { at: now().toISOString(), by, why: 'accepted' };
        await writeMetaValues(sql, { quarantine: JSON.stringify(since) });
      }
      const detail = { was, reason, held: count };
      await insertDecision(sql, { at: now(), what: 'ledger-accepted', person: by, detail });
      return count;
    });
    markWitnesses(state, { installation: facts.installation, generation }, true);
    return { was, held, quarantine };
  } finally {
    await edit?.close();
    await unlock();
  }
}

/**
 * One commit outside of a run, for a decision of a person about the ledger as a whole: counted like any other, so that an
 * older copy of the ledger is recognized. Refuses if the ledger may not send: then it is only read.
 */
export async function decideInLedger<T>(place: LedgerPlace, act: (sql: Statements) => Promise<T>): Promise<T> {
  const state = stateOf(place);
  const engine = await chooseEngine(place);
  requireWitnessFolder(state.outside);
  const unlock = await engine.lock('act', place.now(), place.onWait);
  let edit: LedgerEdit | undefined;
  try {
    const { facts, guard } = await evaluateLedger(engine, state, place);
    if (!guard.send) throw new OperatorError(guard.code, guard.reason, { hint: SEND_GUARD.nothingChanged() });
    edit = await engine.edit();
    await edit.migrate(facts.schema);
    const generation = facts.generation + 1;
    const result = await edit.write(async (sql) => {
      const decided = await act(sql);
      await writeMetaValues(sql, { generation: String(generation) });
      return decided;
    });
    markWitnesses(state, { installation: facts.installation, generation });
    return result;
  } finally {
    await edit?.close();
    await unlock();
  }
}

/** Codes of a guard that no decision of a person overrules. */
const NOT_ACCEPTED = new Set(['ledger/newer-schema', 'ledger/moved', 'ledger/move-unfinished']);

/** Codes of a guard under which documents may have been sent that the ledger does not know. */
const NOT_THE_LATEST = new Set(['ledger/older', 'ledger/foreign', 'ledger/copied', 'ledger/witness-missing']);

async function evaluateLedger(
  engine: LedgerEngine,
  state: StateFolder,
  place: LedgerPlace,
): Promise<{ readonly facts: LedgerFacts; readonly guard: SendGuard }> {
  const look = await engine.look();
  try {
    const facts = await readLedgerFacts(look, { engine, state, place });
    return { facts, guard: evaluateSendGuard(facts, SCHEMA_VERSION, place.binding) };
  } finally {
    await look.close();
  }
}

/** A ledger of an older schema is brought up to date first: after an upgrade of the program, the first look does it. */
async function lookUpToDate(engine: LedgerEngine, options: OpenOptions): Promise<Driver> {
  const look = await engine.look({ checked: true });
  const isOlder = async (driver: Driver) => {
    const meta = await driver.read(readMetaValues);
    return Number(meta.get('schema')) < SCHEMA_VERSION;
  };
  if (!(await isOlder(look))) return look;
  await look.close();
  let locked: LockedError | undefined;
  try {
    const ledger = await openLedger({ ...options, readOnly: false });
    await ledger[Symbol.asyncDispose]();
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    locked = error;
  }
  // Also by the one that has the lock: it may have found the older schema at the same instant.
  const again = await engine.look({ checked: true });
  if (!(await isOlder(again))) return again;
  await again.close();
  if (locked) throw keptFromUpgrade(locked);
  // A ledger that may not send stays as it was found.
  throw new OperatorError('ledger/older-schema', LEDGER_FILE.olderSchema(), { hint: LEDGER_FILE.olderSchemaHint() });
}

/**
 * Has the guard that a run would get; no method writes, even if the guard allows sending. Its pages are not checked: the
 * check reads all of them, and a writer, `doctor` and `backup` do it.
 */
async function openReadOnly(engine: LedgerEngine, state: StateFolder, options: OpenOptions): Promise<Ledger> {
  const { binding, now, through = (driver) => driver } = options;
  const look = await lookUpToDate(engine, options);
  try {
    const facts = await readLedgerFacts(look, { engine, state, place: options });
    const guard = evaluateSendGuard(facts, SCHEMA_VERSION, binding);
    const write = () => Promise.reject(new OperatorError('ledger/read-only', LEDGER_FILE.readOnly()));
    return await createSqlLedger({ driver: { ...through(look), write }, guard, now, readOnly: true });
  } catch (error) {
    await look.close();
    throw engine.toError(error);
  }
}
