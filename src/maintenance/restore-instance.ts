/**
 * A ledger that replaces another one recovers documents and identities from the receipts, payloads and summaries in the
 * folders. Files that cannot be read are listed, and nothing is changed if an operation throws.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Statements } from '../database/database-driver.ts';
import { writeMetaValues } from '../database/meta-values.ts';
import { createIdSource } from '../database/uuid-v7.ts';
import { refuseFormerRequests } from '../decisions/requests/refuse-requests.ts';
import { LEDGER_COMMAND } from '../i18n/messages/cli-maintenance-messages.ts';
import { type Instance, makeFolders, SETTINGS_FILE } from '../instance/instance.ts';
import { ledgerSiteOf } from '../instance/ledger-site-of.ts';
import { importAttachments } from '../ledger/intake/attachment-records.ts';
import { claimedBefore, readPairsAgain, readUnaccountedAgain } from '../ledger/intake/read-unknown-again.ts';
import { importCorrections } from '../ledger/intake/record-corrections.ts';
import { purgeAgain, writeAgain } from '../ledger/intake/write-again.ts';
import { eraseFreed } from '../ledger/ledger-health.ts';
import { acceptLedger } from '../ledger/open-ledger.ts';
import {
  areOfAnother,
  importEntry,
  importFile,
  importFirst,
  importFormers,
  importReading,
  touchNewerSummary,
} from '../ledger/records/import-outputs.ts';
import {
  type BackupFile,
  backupLedger,
  endQuarantine,
  type ReplacedLedger,
  rebuildLedger,
  restoreLedger,
} from '../ledger/replace-ledger.ts';
import { type KnownSequence, type NextNumber, readSequences, setNextNumber } from '../ledger/sequence-admin.ts';
import type { Hold } from '../model/document.ts';
import { OperatorError } from '../model/fault.ts';
import { must } from '../model/must.ts';
import { PURGED_IDENTITIES, readPurgedIdentities } from '../pipeline/context/purged-identities.ts';
import { StopRequestedError, yieldingBetween } from '../pipeline/context/yield-to-others.ts';
import { readReceipts, readSummaries, type StoredSummary } from '../receipts/read-receipts.ts';
import { ledgerPlaceOf, lookIntoLedgerOf, type OnWait, openLedgerOf, ownLedgerPlace } from '../runs/open-run.ts';
import { createFormerReadings } from './former-readings.ts';
import { entryOfReceipt, fileOfSummary, isImported } from './recorded-outputs.ts';
import { recoverAnswers } from './restore-answers.ts';
import { createAttachmentFinder } from './restore-attachments.ts';
import { createKnownExports } from './restore-known-exports.ts';
import {
  archived,
  firstOfReading,
  recoverPartner,
  recoverRefusal,
  rowsOf,
  withoutSummary,
} from './restore-lost-summary.ts';
import { recoverReports } from './restore-reports.ts';
import { recoverSharedExports, sharingMappings } from './restore-shared-exports.ts';
import { recoverUnknownExports } from './restore-unknown-exports.ts';
import { damagedNumbersShown, readNumbersShown, SHOWN_NUMBERS, writeNumbersShown } from './shown-numbers.ts';
import { copyFinder, requireAllRead, unreadExports } from './unread-exports.ts';

const DAY_MS = 86_400_000;

/** The result for the operator. */
export type RecoveredLedger = ReplacedLedger & {
  /** Documents recovered from receipts. */
  readonly learnt: number;
  /** Receipts, payloads and summaries that cannot be read, or that are older than identities in receipts. */
  readonly unreadable: readonly string[];
  /** Names of exports that were under way: the next run reads them again. */
  readonly unread: readonly string[];
};

type By = { readonly by: string; readonly now: Date };
/**
 * `stopping` is called once the backup is checked, which nothing interrupts and which writes nothing. If its signal
 * aborts, StopRequestedError is thrown and nothing has changed.
 */
type Stopping = By & { readonly stopping?: () => AbortSignal; readonly onWait?: OnWait };

/** Replaces the ledger by the backup `file`; the current ledger is kept under another name. */
export async function restoreLedgerOf(instance: Instance, file: string, by: Stopping): Promise<RecoveredLedger> {
  return await taking(instance, by, 'restored', async (how) => await restoreLedger(file, how));
}

/** Replaces a lost ledger by a new one that knows only what the folders contain. */
export async function rebuildLedgerOf(instance: Instance, by: Stopping): Promise<RecoveredLedger> {
  return await taking(instance, by, 'rebuilt', rebuildLedger);
}

/** The recovered documents, if the accepted ledger may not be the latest: then it is in quarantine. */
type Accepted = Awaited<ReturnType<typeof acceptLedger>> & Pick<RecoveredLedger, 'learnt' | 'unreadable' | 'unread'>;

/** A person confirms that this is the ledger to continue with; queued documents are held if they may have been sent. */
export async function acceptLedgerOf(
  instance: Instance,
  { now, ...decision }: By & { readonly reason: string; readonly hold: boolean },
  onWait?: OnWait,
): Promise<Accepted> {
  const { steps, found, erase } = learning(instance, now);
  const importOutputs = async (sql: Statements, hold: Hold) => {
    for await (const _ of steps(sql, hold));
    // Before the ledger counts: a stop after that leaves none of them.
    await refuseFormerRequests(instance, now);
  };
  const accepted = await acceptLedger({ ...ownLedgerPlace(instance, onWait), ...decision, importOutputs });
  if (accepted.quarantine) await refuseFormerRequests(instance, now);
  await linkDecision(instance);
  await erase();
  return { ...accepted, ...found(), unread: await unreadExports(instance) };
}

/**
 * Ends the quarantine by a person's decision; false if there is none. Throws `ledger/unread-exports`, unless the person decides that
 * what could not be read again was not sent.
 */
export async function endQuarantineOf(
  instance: Instance,
  { unread = false, ...decision }: { by: string; reason: string; unread?: boolean },
  onWait?: OnWait,
): Promise<boolean> {
  if (!unread) await requireAllRead(instance);
  const isEnded = await endQuarantine(ownLedgerPlace(instance, onWait), decision);
  await linkDecision(instance);
  return isEnded;
}

/** Throws `ledger/unknown-sequence`: a number of a name typed wrongly would be of no use, and look like one that counts. */
export async function setNextNumberOf(instance: Instance, decision: NextNumber, onWait?: OnWait): Promise<void> {
  const used = instance.mappings.flatMap(({ sequences }) => sequences);
  const known = [...new Set([...Object.keys(instance.settings.sequences), ...used])].sort();
  if (!known.includes(decision.sequence)) {
    throw new OperatorError('ledger/unknown-sequence', LEDGER_COMMAND.unknownSequence({ name: decision.sequence }), {
      hint: known.length > 0 ? LEDGER_COMMAND.knownSequences({ names: known }) : LEDGER_COMMAND.noSequenceUsed(),
    });
  }
  await setNextNumber(ownLedgerPlace(instance, onWait), decision);
  await linkDecision(instance);
}

/**
 * A ledger links its events to the chain when it closes. The decision is recorded already: if the ledger does not open now,
 * for instance because a run has begun, the next writer links it.
 */
async function linkDecision(instance: Instance): Promise<void> {
  try {
    await using _ = await openLedgerOf(instance);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
  }
}

export async function sequencesOf(instance: Instance): Promise<readonly KnownSequence[]> {
  // Brings the ledger of an older version up to date.
  await using _ = await lookIntoLedgerOf(instance);
  return await readSequences(ledgerPlaceOf(instance));
}

/** Writes the ledger to `target` with the files that a new machine needs; secrets are not among them. */
export async function backupOf(instance: Instance, target: string, more: readonly BackupFile[] = []): Promise<void> {
  const paths = [
    SETTINGS_FILE,
    'state/installation.json',
    ...filesBelow(join(instance.folder, 'mappings'), instance.folder),
  ];
  const carried = paths
    .filter((path) => existsSync(join(instance.folder, path)))
    .map((path) => ({ path, content: readFileSync(join(instance.folder, path)) }));
  await backupLedger(ledgerPlaceOf(instance), target, [...carried, ...more]);
}

function filesBelow(folder: string, root: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}

async function taking(
  instance: Instance,
  { by, now, stopping, onWait }: Stopping,
  why: Parameters<typeof rebuildLedger>[0]['why'],
  take: (how: Parameters<typeof rebuildLedger>[0]) => Promise<ReplacedLedger>,
): Promise<RecoveredLedger> {
  const { steps, found, erase } = learning(instance, now);
  const importOutputs = async (sql: Statements, hold: Hold) => {
    for await (const _ of yieldingBetween(steps(sql, hold), stop));
    await goOn();
    // A stop after the ledger counts leaves none of them. On a server they are in the tables of the ledger that is replaced.
    if (!ledgerPlaceOf(instance).postgres) await refuseFormerRequests(instance, now);
  };
  let stop: AbortSignal | undefined;
  const goOn = async () => {
    stop ??= stopping?.();
    await turn();
    if (stop?.aborted) throw new StopRequestedError();
  };
  const taken = await take({
    ...ownLedgerPlace(instance, onWait),
    now: () => now,
    by,
    why,
    importOutputs,
    throwIfStopped: goOn,
  });
  // On a new machine only some folders are there, and the next command looks into the others.
  makeFolders(instance.paths);
  await refuseFormerRequests(instance, now);
  await erase();
  return { ...taken, ...found(), unread: await unreadExports(instance) };
}

function learning(instance: Instance, now: Date) {
  let unreadable: string[] = [];
  let [learnt, hasPurged] = [0, false];
  return {
    // A transaction may run a second time from its start.
    steps: async function* (sql: Statements, hold: Hold): AsyncGenerator<void> {
      unreadable = [];
      const note = (path: string) => void unreadable.push(relative(instance.folder, path));
      hasPurged = false;
      const purges = () => {
        hasPurged = true;
      };
      learnt = yield* recoverAll(instance, sql, { hold, now, unreadable: note, purges });
    },
    /** Once the ledger counts: rows that have become shorter leave their old bytes in the file. */
    erase: async () => {
      if (hasPurged) await eraseFreed(ledgerSiteOf(instance));
    },
    found: (): Pick<RecoveredLedger, 'learnt' | 'unreadable'> => ({ learnt, unreadable }),
  };
}

type Recovering = {
  readonly hold: Hold;
  readonly now: Date;
  readonly unreadable: (path: string) => void;
  /** Called where a document of before a purge goes once more. */
  readonly purges: () => void;
};

/** Yields after each receipt and summary, so that the caller can stop; returns the number of documents recovered. */
async function* recoverAll(
  instance: Instance,
  sql: Statements,
  { hold, now, unreadable, purges }: Recovering,
): AsyncGenerator<void, number> {
  const { folder } = instance;
  const { language } = instance.settings.rules;
  const copyOf = copyFinder(instance);
  const attachmentsIn = createAttachmentFinder(instance);
  await recoverAnswers(instance, sql, { now, unreadable });
  await recoverReports(instance, sql, { now, unreadable });
  const purged = readPurgedIdentities(folder);
  if (purged?.isDamaged) unreadable(join(folder, PURGED_IDENTITIES));
  const nextDay = new Date(now.getTime() + DAY_MS).toISOString();
  const events = { now: () => now, newId: createIdSource(() => now) };
  const [receipts, summaries] = [new Set<string>(), new Set<string>()];
  const fileOf = new Map<string, string>();
  const shown = new Map<string, readonly { readonly id: string; readonly number?: string | undefined }[]>();
  const [firstFiles, lostFirsts] = [new Map<string, string>(), new Map<string, string>()];
  const { note, again, firstOf: firstNamed, formersOf, isOfReading } = createFormerReadings();
  const readings = new Map<string, StoredSummary>();
  const recovery = { folder, sql, copyOf, readings, sharing: sharingMappings(instance) };
  const pairs: StoredSummary[] = [];
  const { knownAs, reading, pairs: otherPairs } = createKnownExports(sql);
  const firstOf = (file: string) => {
    const first = firstNamed(file);
    return first === undefined ? undefined : (lostFirsts.get(first) ?? knownAs(first));
  };
  for (const found of readSummaries(folder, unreadable)) {
    yield;
    const { summary, has } = await reading(found);
    summaries.add(summary.file.id);
    if (!isImported(summary.file.state)) continue;
    for (const id of has) fileOf.set(id, knownAs(summary.file.id));
    const copy = existsSync(archived(folder, summary.day, summary.file)) ? undefined : await copyOf(summary.file);
    await importFile(sql, fileOfSummary(folder, summary, { state: summary.file.state, copy }));
    await importAttachments(sql, summary.file.id, summary.attachments ?? []);
    await touchNewerSummary(sql, summary.file.id, summary.previous ?? null);
    const listed = summary.table.flatMap(({ id, number }) => (id === undefined ? [] : [{ id, number }]));
    for (const { id } of listed) fileOf.set(id, summary.file.id);
    shown.set(summary.file.id, listed);
    note(summary);
    await recoverRefusal(sql, summary);
    if (summary.file.partner) pairs.push({ ...summary, table: [] });
    if (summary.file.rereads !== undefined) readings.set(summary.file.id, { ...summary, table: [] });
    if (summary.file.first) firstFiles.set(summary.file.id, summary.file.first.id);
  }
  for (const summary of await otherPairs(pairs, note)) await recoverPartner(recovery, summary);
  for (const { file, first } of again()) {
    const later = readings.get(file);
    const lost = later && (await firstOfReading(recovery, { first: knownAs(first), reading: later }));
    if (lost !== undefined) lostFirsts.set(first, lost);
    await importReading(sql, file, lost ?? knownAs(first));
  }
  for (const [file, first] of firstFiles) await importFirst(sql, file, knownAs(first));
  let learnt = 0;
  const firsts = new Map<string, string>();
  for (const found of readReceipts(folder, unreadable)) {
    yield;
    receipts.add(found.receipt.id);
    const { identity } = found.receipt;
    if (identity === null || (found.isMoved && !fileOf.has(found.receipt.id))) continue;
    const listed = fileOf.get(found.receipt.id);
    const isOwn = listed !== undefined && isOfReading(listed, found.receipt);
    const made = { id: found.receipt.id, file: listed ?? '', rows: rowsOf(found.receipt.source) };
    const own = isOwn && !(await areOfAnother(sql, made)) ? listed : undefined;
    const lost = own === undefined ? await withoutSummary(recovery, found) : undefined;
    const file = own ?? must(lost, 'a file without a summary').file;
    const isNew = await importEntry(sql, entryOfReceipt(found, identity, file), { hold, nextDay, language });
    if (isNew) {
      learnt++;
      await importFormers(sql, { id: found.receipt.id, formers: formersOf(file, found.receipt) });
    }
    if (lost && found.payload !== undefined) await importAttachments(sql, lost.first, attachmentsIn(found.payload));
    const first = isNew ? (lost?.first ?? firstOf(file)) : undefined;
    if (first !== undefined)
      await importCorrections(sql, { file, first, rows: made.rows, corrections: found.receipt.corrections }, events);
    if (found.receipt.first) firsts.set(found.receipt.id, found.receipt.first.id);
  }
  for await (const _ of recoverUnknownExports(instance, sql, { now, unreadable })) yield;
  await recoverSharedExports(instance, sql, now);
  const before = readNumbersShown(folder);
  if (before === undefined) unreadable(join(folder, SHOWN_NUMBERS));
  for (const path of damagedNumbersShown(folder)) unreadable(path);
  const { lost: unread, numbers } = await readUnaccountedAgain(sql, { shown, before: before ?? new Map() }, existsSync);
  // Before the ledger counts: its first run writes the summaries again.
  await writeNumbersShown(folder, numbers);
  await readPairsAgain(sql, existsSync);
  await claimedBefore(sql, now);
  if (purged && (await purgeAgain(sql, { receipts, isPurged: purged.has, language }, events)) > 0) purges();
  await writeAgain(sql, { receipts, summaries, listed: fileOf, isPurged: purged?.has }, { hold, language });
  await writeMetaValues(sql, { unread: JSON.stringify([...unread]), shown: JSON.stringify([...numbers]) });
  // Only now: the first may be read after its duplicate.
  const set = 'UPDATE entry SET first = ? WHERE id = ? AND EXISTS (SELECT 1 FROM entry o WHERE o.id = ?)';
  for (const [id, first] of firsts) await sql.run(set, first, id, first);
  return learnt;
}
