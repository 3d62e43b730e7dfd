/**
 * Copies of a ledger, and ledgers that replace another one. Neither is known to be the latest, so a replacement starts in
 * quarantine: queued documents are held, those that were being sent are in doubt.
 *
 * The new one is made whole next to the present one and replaces it by one rename; the present one is kept.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Statements } from '../database/database-driver.ts';
import { readMetaValues, writeMetaValues } from '../database/meta-values.ts';
import { MIGRATIONS } from '../database/migrations.ts';
import { createDatabase, migrate, openDatabase, readMeta, selectValue, writeMeta } from '../database/open-database.ts';
import { syncFolder } from '../files/fsync-directory.ts';
import { TEMPORARY, temporaryName } from '../files/write-durable.ts';
import type { Language } from '../i18n/message.ts';
import { LEDGER_COPY, LEDGER_HOLD, QUARANTINE_CAUSE } from '../i18n/messages/ledger-messages.ts';
import { cutOffAt } from '../model/answer.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Hold } from '../model/document.ts';
import { OperatorError } from '../model/fault.ts';
import { must } from '../model/must.ts';
import { holdOf } from '../model/recorded-words.ts';
import { greatestOf } from '../text/long-lists.ts';
import { chooseEngine, stateOf } from './choose-engine.ts';
import type { Quarantine, QuarantineCause } from './contract/intake-store.ts';
import { insertDecision } from './contract/ledger-context.ts';
import type { LedgerSite } from './contract/ledger-site.ts';
import type { LedgerEngine } from './engine/ledger-engine.ts';
import { editSqlite } from './engine/sqlite-engine.ts';
import {
  readExternalWitnesses,
  readWitnessedInstallation,
  requireWitnessFolder,
} from './installation/external-witness.ts';
import { type HighWaterMark, readWitness } from './installation/installation-file.ts';
import { installationPlace } from './installation/installation-place.ts';
import { readMoveMarks } from './installation/move-marks.ts';
import { guardOfMove } from './installation/send-guard.ts';
import { markWitnesses, type StateFolder, witnessFolderMeta } from './installation/state-folder.ts';
import { bindingMeta } from './ledger-facts.ts';
import type { LedgerPlace } from './ledger-place.ts';
import { decideInLedger } from './open-ledger.ts';
import { toAttemptOutcome } from './records/attempts.ts';
import { holdQueued } from './submission/hold-queued.ts';

/** Files that a backup has in addition to the ledger, by their path below the instance folder. */
export type BackupFile = { readonly path: string; readonly content: Uint8Array };

const CARRIED = 'CREATE TABLE backup_file (path TEXT PRIMARY KEY, content BLOB NOT NULL)';

/** A copy as of one instant, also while a run works; checked, private and durable when it resolves. */
export async function backupLedger(place: LedgerSite, target: string, files: readonly BackupFile[]): Promise<void> {
  const engine = await chooseEngine(place);
  refuseThere(target);
  await refuseMoved(engine);
  const temporary = temporaryName(target);
  try {
    await engine.copyInto(temporary);
  } catch (cause) {
    rmSync(temporary, { force: true });
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(
      'backup/not-written',
      LEDGER_COPY.backupNotWritten({ file: target, problem: (cause as Error).message }),
      {
        hint: LEDGER_COPY.backupNotWrittenHint(),
        cause,
      },
    );
  }
  chmodSync(temporary, 0o600);
  const copy = new DatabaseSync(temporary);
  copy.exec(CARRIED);
  const add = copy.prepare('INSERT INTO backup_file (path, content) VALUES (?, ?)');
  for (const { path, content } of files) add.run(path, content);
  const problem = findDamage(copy);
  copy.close();
  if (problem !== undefined) {
    throw new OperatorError('backup/damaged', LEDGER_COPY.copyDamaged({ problem }), {
      hint: LEDGER_COPY.copyDamagedHint({ file: temporary }),
    });
  }
  flush(temporary);
  try {
    // Another backup may have made it meanwhile.
    refuseThere(target);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

function refuseThere(target: string): void {
  if (!existsSync(target)) return;
  const hint = LEDGER_COPY.backupExistsHint();
  throw new OperatorError('backup/exists', LEDGER_COPY.backupExists({ file: target }), { hint });
}

/** A copy of a ledger that another one continues would pass for a backup of that one. */
async function refuseMoved(engine: LedgerEngine): Promise<void> {
  const look = await engine.look({ checked: true });
  const marks = readMoveMarks(await look.read(readMetaValues));
  await look.close();
  const guard = guardOfMove(marks);
  if (guard && !guard.send) throw new OperatorError(guard.code, guard.reason);
}

/** The start of a replacement ledger, and the person who makes the replacement. */
export type Replacement = LedgerPlace & {
  readonly by: string;
  readonly why: QuarantineCause;
  /** Imports the documents that the folders contain, within one transaction. */
  readonly importOutputs: (sql: Statements, hold: Hold) => Promise<void>;
  /** Throws if a stop was requested: then nothing was changed. */
  readonly throwIfStopped: () => Promise<void>;
};

/** Documents that were held, documents in doubt, and the path of the replaced ledger, if there was one. */
export type ReplacedLedger = { readonly held: number; readonly inDoubt: number; readonly kept?: string };

/** A backup replaces the ledger, which is kept in the same folder. */
export async function restoreLedger(file: string, replacement: Replacement): Promise<ReplacedLedger> {
  const state = stateOf(replacement);
  return await replaceLedger(replacement, async (made) => {
    checkBackup(file, readInstallation(state));
    await replacement.throwIfStopped();
    await copyFile(file, made);
    await replacement.throwIfStopped();
    chmodSync(made, 0o600);
    const db = openDatabase(made);
    db.exec('DROP TABLE IF EXISTS backup_file');
    migrate(db, Number(readMeta(db).get('schema')));
    return db;
  });
}

/** A new ledger in place of a lost one; it imports all that the folders contain. */
export async function rebuildLedger(replacement: Replacement): Promise<ReplacedLedger> {
  const state = stateOf(replacement);
  if (await (await chooseEngine(replacement)).exists()) {
    throw new OperatorError('ledger/exists', LEDGER_COPY.ledgerThere({ folder: state.folder }), {
      hint: LEDGER_COPY.ledgerThereHint(),
    });
  }
  return await replaceLedger(replacement, async (made) => {
    await replacement.throwIfStopped();
    const db = createDatabase(made);
    writeMeta(db, {
      installation: readInstallation(state) ?? randomUUID(),
      generation: '0',
      ...bindingMeta(replacement.binding),
      // From now on the next number of a sequence is known only from a receipt or a person.
      rebuilt: replacement.now().toISOString(),
    });
    return db;
  });
}

/** A person states that no document was sent that this ledger does not know. False if there was no quarantine. */
export async function endQuarantine(
  place: LedgerPlace,
  { by, reason }: { by: string; reason: string },
): Promise<boolean> {
  return await decideInLedger(place, async (sql) => {
    const changes = await sql.run(`DELETE FROM meta WHERE key = 'quarantine'`);
    if (changes > 0) {
      await insertDecision(sql, { at: place.now(), what: 'quarantine-ended', person: by, detail: { reason } });
    }
    return changes > 0;
  });
}

async function replaceLedger(
  replacement: Replacement,
  make: (path: string) => Promise<DatabaseSync>,
): Promise<ReplacedLedger> {
  const { machine, now, throwIfStopped } = replacement;
  const state = stateOf(replacement);
  const engine = await chooseEngine(replacement);
  requireWitnessFolder(state.outside);
  mkdirSync(state.folder, { recursive: true, mode: 0o700 });
  const unlock = await engine.lock('upkeep', now(), replacement.onWait);
  const made = join(state.folder, `ledger.new${TEMPORARY}`);
  let db: DatabaseSync | undefined;
  const dropMade = () => {
    for (const left of ['', '-wal', '-shm', '-journal']) rmSync(made + left, { force: true });
  };
  try {
    dropMade();
    db = await make(made);
    const at = now();
    const place = engine.name === 'sqlite' ? installationPlace(state.folder, made, machine) : await engine.findPlace();
    const { held, inDoubt, mark } = await editSqlite(db, state).write((sql) =>
      startInQuarantine(sql, { replacement, state, place, at }),
    );
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    // From here on the replacement happens, also if a stop is requested.
    await throwIfStopped();
    const kept = await engine.replaceBy(made, at);
    markWitnesses(state, mark, true);
    await syncFolder(state.folder);
    return definedOnly({ held, inDoubt, kept });
  } catch (error) {
    if (db?.isOpen) db.close();
    throw engine.toError(error);
  } finally {
    // Does nothing after a rename: the file has its final name then.
    dropMade();
    await unlock();
  }
}

type QuarantineStart = {
  readonly replacement: Replacement;
  readonly state: StateFolder;
  /** The fingerprint of its place. */
  readonly place: string;
  readonly at: Date;
};

/** The first commit of a ledger that replaces another one: nothing of it is sent before a person has looked. */
async function startInQuarantine(
  sql: Statements,
  { replacement, state, place, at }: QuarantineStart,
): Promise<{ readonly held: number; readonly inDoubt: number; readonly mark: HighWaterMark }> {
  const { by, why, importOutputs, language = 'en' } = replacement;
  const reason = LEDGER_HOLD.taken({ why: QUARANTINE_CAUSE[why](), at: at.toISOString() });
  const hold = holdOf('restored', reason, language);
  const meta = await readMetaValues(sql);
  const installation = must(meta.get('installation'), 'the installation of the ledger');
  const witnesses = [
    readWitness(state.witness) ?? { generation: 0 },
    ...readExternalWitnesses(state.outside, installation),
  ];
  const generation = Math.max(Number(meta.get('generation')), greatestOf(witnesses.map((one) => one.generation))) + 1;
  const held = await holdQueued(sql, at.getTime(), hold);
  await importOutputs(sql, hold);
  // Of those whose outcome is in no receipt.
  const inDoubt = await markSendingInDoubt(sql, at, language);
  const quarantine: Quarantine = { at: at.toISOString(), by, why };
  // A backup of a ledger that moved since is a ledger of its own.
  await sql.run(`DELETE FROM meta WHERE key IN ('moved', 'arriving')`);
  await writeMetaValues(sql, {
    generation: String(generation),
    quarantine: JSON.stringify(quarantine),
    learned: String(at.getTime()),
    ...witnessFolderMeta(state),
    place,
  });
  await insertDecision(sql, { at, what: `ledger-${why}`, person: by, detail: { held, inDoubt } });
  return { held, inDoubt, mark: { installation, generation } };
}

/** If state/ is lost, the witness in archive/ has it. */
function readInstallation({ witness, outside }: StateFolder): string | undefined {
  return readWitness(witness)?.installation ?? readWitnessedInstallation(outside);
}

function checkBackup(file: string, installation: string | undefined): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new OperatorError('backup/missing', LEDGER_COPY.backupMissing({ file }));
  }
  const db = openDatabase(file, { readOnly: true });
  try {
    const problem = findDamage(db);
    const meta = readMeta(db);
    if (problem !== undefined) {
      throw new OperatorError('backup/damaged', LEDGER_COPY.backupDamaged({ file, problem }), {
        hint: LEDGER_COPY.backupDamagedHint(),
      });
    }
    if (Number(meta.get('schema')) > MIGRATIONS.length) {
      throw new OperatorError('ledger/newer-schema', LEDGER_COPY.backupNewer({ file }));
    }
    if (installation !== undefined && meta.get('installation') !== installation) {
      throw new OperatorError('backup/foreign', LEDGER_COPY.backupForeign({ file }), {
        hint: LEDGER_COPY.backupForeignHint(),
      });
    }
  } finally {
    db.close();
  }
}

function findDamage(db: DatabaseSync): string | undefined {
  const result = selectValue(db, 'PRAGMA integrity_check(1)');
  return result === 'ok' ? undefined : String(result);
}

/** If their answer is stored, the next run judges it. Without an answer the outcome is unknown, and the service is asked for it. */
async function markSendingInDoubt(sql: Statements, at: Date, language: Language): Promise<number> {
  const unanswered = `state = 'sending' AND begun_at IS NOT NULL`;
  const verdict = cutOffAt(at);
  const { state, reason, phrases } = toAttemptOutcome(verdict, language);
  await sql.run(
    `INSERT INTO attempt (entry, act, n, revision, run, request_id, at, outcome, reason, phrases, ended_at, ordinal)
     SELECT id, 'submit', submits, revision, begun_run, request_id, begun_at, ?, ?, ?, ?,
     (SELECT COUNT(*) FROM attempt a WHERE a.entry = entry.id) FROM entry WHERE ${unanswered}`,
    ...[state, reason, phrases ?? null, at.toISOString()],
  );
  const set = `UPDATE entry SET state = 'in-doubt', since = ?, receipt_due = 1, begun_at = NULL, begun_run = NULL, consult_at = ?
    WHERE ${unanswered}`;
  return await sql.run(set, at.getTime(), verdict.consultAt);
}

function flush(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}
