/**
 * Outcomes of a file that is being read enter the ledger a few hundred at a time, and count all at once or never.
 *
 * Staging decides what each of them is (new, correction, duplicate, conflict), against everything that counts and against
 * the same file; two files that share an identity are therefore admitted one after the other.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { proveNew, takeIdentity } from '../../database/identity-index.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Document, type DocumentFacts, type DocumentOutcome, detailsOf, type Hold } from '../../model/document.ts';
import { type DataFault, type Fault, storedFaults } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { storedHold } from '../../model/recorded-words.ts';
import { mayBeOut, type State } from '../../model/state.ts';
import { sha256Hex } from '../../text/sha256.ts';
import type { Admission, FileClosing } from '../contract/close-file.ts';
import type { IntakeStore } from '../contract/intake-store.ts';
import { leaseLost } from '../contract/lease-lost.ts';
import { appendEvent, type LedgerContext, text } from '../contract/ledger-context.ts';
import { purgedBefore } from '../contract/purged-rows.ts';
import { combineHolds } from '../records/combine-holds.ts';
import { finishStagedFile, finishStagedStep, STEP } from '../records/finish-staging.ts';
import { insertEntry, type NewEntry } from '../records/insert-entry.ts';
import {
  assignedNumber,
  assignNumber,
  findNumberObstacle,
  fixedKeys,
  withNumber,
  withoutNumber,
} from '../records/number-sequences.ts';
import { closeFile, expectLoading, markDuplicate, refuseFile } from '../records/source-files.ts';
import { touchSummary } from '../records/touch-summary.ts';
import { recordAttachments } from './attachment-records.ts';
import { findCorrectedCopy, recordCorrectedRows } from './corrected-rows.ts';
import { type AdmissionDecision, decideOutcome } from './decide-outcome.ts';
import { busyIdentity, findExistingEntries, isForgotten, isPartOf, type StagingContext } from './existing-entries.ts';
import { findNumberInOtherClass } from './number-in-other-class.ts';
import { findOtherSpellings, type OtherSpelling, spellingHold } from './number-spelling.ts';
import { holdStaged } from './number-twice.ts';
import { type AgainContext, isOfLater, isRecovered, recoveredRows } from './recovered-rows.ts';
import { decideRepeated } from './repeated-rows.ts';
import { createSeenCache, isShown, type SeenCache } from './seen-index.ts';

/** An outcome as it is stored: one shape for documents and for what could not become one. */
export type StagedItem = {
  readonly kind: string;
  readonly service: string;
  readonly class: string;
  readonly keys: readonly string[];
  readonly digest: string;
  readonly facts: DocumentFacts;
  readonly faults: readonly Fault[];
  readonly rows: readonly number[];
  /** JSON text in UTF-8. */
  readonly content: Buffer | undefined;
  readonly hold?: Hold;
  /** See DocumentOutcome; false where a sequence gives the number. */
  readonly datedByReading?: boolean | undefined;
};

export function createStaging(context: LedgerContext) {
  return {
    stage: (id, outcomes) => context.write((sql) => stageAll(sql, context, id, outcomes)),
    admit: async (id, facts, stop) => {
      await context.write((sql) => admitFile(sql, context, id, facts));
      await finishStagedFile(context, id, stop);
    },
    closeFiles: (files) =>
      context.write(async (sql) => {
        const known = createSeenCache(sql);
        for (const file of files) await closeOne(sql, context, file, known);
      }),
  } satisfies Partial<IntakeStore>;
}

async function stageAll(
  sql: Statements,
  context: LedgerContext,
  id: string,
  outcomes: readonly DocumentOutcome[],
): Promise<void> {
  const file = await expectLoading(sql, context, id);
  const readsAgain = file.rereads !== null;
  const staging = { sql, context, file: id, fileName: text(file, 'name'), ...(readsAgain && { readsAgain }) };
  const known = await recoveredRows(sql, id, text(file, 'claimed_at'));
  for (const outcome of outcomes) {
    if (!known) await stageOne(staging, outcome);
    else if (!(await isRecovered(staging, outcome, known)) && !(await stagePurged(staging, outcome, file)))
      await stageOne({ ...staging, wasRead: true }, outcome);
  }
}

/** A document that a purge had removed: its rows are accounted for, and nothing of it comes back. */
async function stagePurged(staging: StagingContext, outcome: DocumentOutcome, file: DatabaseRow): Promise<boolean> {
  const { sql, context } = staging;
  const { isPurged, language } = context;
  const { kind, service, class: of, digest, rows, keys, facts } = detailsOf(outcome);
  const made = { sha256: text(file, 'sha256'), rows, keys };
  const purged = purgedBefore(isPurged, made, { language, at: context.now() });
  if (!purged) return false;
  const said = definedOnly({ identifier: facts.identifier, rules: facts.rules });
  const item = { kind, service, class: of, digest, rows, keys: [], facts: said, faults: [], content: undefined };
  const entry = await insertEntry(sql, context, entryOf(staging, item));
  await sql.run('UPDATE entry SET purged = ? WHERE id = ?', JSON.stringify(purged), entry);
  await putRevision(staging, item, { entry, revision: 1, state: 'duplicate', first: null, takesKeys: false });
  return true;
}

/** Sets the one value that decides whether what was staged of a file counts. */
async function admitFile(sql: Statements, context: LedgerContext, id: string, facts: Admission): Promise<void> {
  if ((await closeFile(sql, context, id, { ...facts, state: 'admitted' })) === 0) {
    const [file] = await sql.all('SELECT state, worker FROM source_file WHERE id = ?', id);
    if (context.worker && file && file.worker !== context.worker.id) throw leaseLost();
    if (file?.state === 'admitted') return;
    throw new Error(`source file ${id} is ${file?.state ?? 'unknown'} and cannot be admitted`);
  }
  await recordAttachments(sql, id, facts.attachments ?? []);
  for (const one of facts.corrected ?? []) await recordCorrectedRows(sql, id, one);
  touchSummary(sql, id);
  await appendEvent(sql, context, { what: 'file-admitted', file: id });
}

/** Closes and finishes a file before the next one begins, so that each decides as if it had come alone. */
async function closeOne(
  sql: Statements,
  context: LedgerContext,
  { id, ...end }: FileClosing,
  known: SeenCache,
): Promise<void> {
  if ('duplicateOf' in end) return await markDuplicate(sql, context, id, end.duplicateOf);
  if ('refusal' in end) return await refuseFile(sql, context, id, end.refusal);
  await stageAll(sql, context, id, await end.holds(end.outcomes, known.hasSeen));
  await admitFile(sql, context, id, end.facts);
  while ((await finishStagedStep(sql, context, id)) === STEP);
  await known.after(id);
}

/** What its file reads again never takes the place of another document, nor does an older export that a replaced ledger reads. */
async function decide(
  staging: AgainContext,
  valid: boolean,
  { digest, keys }: Pick<StagedItem, 'digest' | 'keys'>,
): Promise<AdmissionDecision> {
  const decision = decideOutcome(valid, digest, await findExistingEntries(staging, keys));
  if (decision.what !== 'revision' || !(staging.readsAgain || (await isOfLater(staging, decision.of)))) return decision;
  const what = 'separate';
  return valid ? { what, state: 'conflict', first: decision.of.entry } : { what, state: 'invalid' };
}

async function stageOne(staging: AgainContext, outcome: DocumentOutcome): Promise<void> {
  if ('document' in outcome) return await stageDocument(staging, outcome);
  // A key that still waits for a number would equal that of every other document that waits for one.
  const keys = outcome.keys.filter((key) => !key.includes('\0'));
  const copied = await findCorrectedCopy(staging, outcome);
  if (copied) return await putItem(staging, { ...outcome, keys, content: undefined, ...copied.item }, copied.decision);
  const decision = await decide(staging, false, { digest: outcome.digest, keys });
  await holdOtherSpellings(
    staging,
    { ...outcome, keys },
    await findOtherSpellings(staging, { ...outcome, keys }, revisedEntries(decision)),
  );
  await putItem(staging, { ...outcome, keys, content: undefined }, decision);
}

async function stageDocument(
  staging: AgainContext,
  outcome: Extract<DocumentOutcome, { document: unknown }>,
): Promise<void> {
  const { document, hold, repeats, datedByReading } = outcome;
  const fixed = fixedKeys(document);
  const decision = await decide(staging, true, { digest: document.digest, keys: fixed });
  const number = await findOrAssignNumber(staging, document, fixed, decision);
  if (typeof number === 'object') {
    return await putItem(staging, withoutNumber(document, number, staging.fileName), { ...decision, state: 'invalid' });
  }
  const numbered = withNumber(document, number);
  const keys = number === undefined ? fixed : [...new Set([...fixed, ...numbered.keys])];
  // The number that this identity had before may now be another document's own: decide again.
  const found = number === undefined ? decision : await decide(staging, true, { digest: document.digest, keys });
  const final = await decideRepeated(staging, { repeats, rows: document.rows, keys }, found);
  const isConflict = final.what === 'separate' && final.state === 'conflict';
  const copied = isConflict ? await findCorrectedCopy(staging, outcome) : undefined;
  if (copied) return await putItem(staging, { ...document, ...numbered, keys, ...copied.item }, copied.decision);
  const faults = [...document.warnings, ...(await findNumberInOtherClass(staging.sql, document, keys))];
  const isDatedByReading = datedByReading && !document.numbering;
  const item = { ...document, ...numbered, ...(hold && { hold }), keys, faults, datedByReading: isDatedByReading };
  await putItem(staging, await holdForSpelling(staging, item, final), final);
}

/** The number that the identity has, else the next one; or why there is none. Undefined: it takes no number. */
async function findOrAssignNumber(
  staging: StagingContext,
  document: Document,
  fixed: readonly string[],
  decision: AdmissionDecision,
): Promise<number | DataFault | undefined> {
  const { numbering } = document;
  if (!numbering) return undefined;
  const number = await assignedNumber(staging.sql, fixed, numbering);
  if (number !== undefined || decision.what === 'separate') return number;
  const obstacle = await findNumberObstacle(staging.sql, numbering);
  if (obstacle) return obstacle;
  const isTaken = async (value: number) => {
    const { keys: all, facts } = withNumber(document, value);
    if (await isShown(staging, facts.identifier)) return true;
    const keys = all.filter((key) => !fixed.includes(key));
    return (await findExistingEntries(staging, keys)).length > 0 || (await isForgotten(staging, keys));
  };
  return await assignNumber(staging, fixed, numbering, isTaken);
}

/** The item, held where another document has its number in another spelling; one of the same file is held with it. */
async function holdForSpelling(
  staging: StagingContext,
  item: StagedItem,
  decision: AdmissionDecision,
): Promise<StagedItem> {
  if (decision.what === 'separate') return item;
  const others = await findOtherSpellings(staging, item, revisedEntries(decision));
  const own = spellingHold(staging.context, others);
  if (!own) return item;
  await holdOtherSpellings(staging, item, others);
  return { ...item, hold: combineHolds(staging.context, own, item.hold) };
}

/** Rows of one document may be in both, so both wait for a person. */
export async function holdOtherSpellings(
  staging: StagingContext,
  { keys, facts }: Pick<StagedItem, 'keys' | 'facts'>,
  others: readonly OtherSpelling[],
): Promise<void> {
  const staged = others.filter(({ isStaged }) => isStaged).map(({ entry }) => entry);
  if (staged.length === 0) return;
  const hold = spellingHold(staging.context, [
    { key: must(keys[0], 'the key of a document'), name: facts.identifier, state: 'held' },
  ]);
  await holdStaged(staging, staged, hold);
}

function revisedEntries(decision: AdmissionDecision): readonly string[] {
  return decision.what === 'revision' ? [decision.of.entry] : [];
}

function entryOf({ fileName }: StagingContext, { facts, service, class: of, rows }: StagedItem): NewEntry {
  return { service, class: of, identifier: facts.identifier, fileName, row: rows[0] ?? 0 };
}

async function putItem(staging: StagingContext, item: StagedItem, decision: AdmissionDecision): Promise<void> {
  const { sql, context } = staging;
  if (decision.what === 'separate') await holdStaged(staging, decision.holds ?? []);
  const isRevision = decision.what === 'revision';
  await putRevision(staging, item, {
    entry: isRevision ? decision.of.entry : await insertEntry(sql, context, entryOf(staging, item)),
    revision: isRevision ? decision.of.revision + 1 : 1,
    state: decision.state,
    first: decision.what === 'separate' ? (decision.first ?? null) : null,
    takesKeys: decision.what !== 'separate',
    released: isRevision ? decision.of.released : undefined,
  });
}

type RevisionPlace = {
  readonly entry: string;
  readonly revision: number;
  readonly state: State;
  readonly first: string | null;
  readonly takesKeys: boolean;
  /** Digest of the content of this entry that a person has released. */
  readonly released?: string | undefined;
};

export async function putRevision(
  staging: StagingContext,
  item: StagedItem,
  { entry, revision, first, takesKeys, ...placed }: RevisionPlace,
): Promise<void> {
  const { sql, context, file } = staging;
  const sha256 = item.content === undefined ? null : sha256Hex(item.content);
  // A document that a person has released is not held a second time while its content stays the same.
  const hold = placed.state === 'ready' && placed.released !== item.digest ? item.hold : undefined;
  const state = hold ? 'held' : placed.state;
  // What a ledger of before may have sent is held once it is corrected.
  const mark = placed.state === 'invalid' && item.hold && mayBeOut(item.hold.rule) ? item.hold : undefined;
  const kept = hold ?? mark;
  const keys = takesKeys ? await takeIdentities(staging, entry, item) : undefined;
  await sql.run(
    `INSERT INTO revision (entry, revision, file, first_row, source_rows, kind, class, outcome, first, digest,
     content_sha256, facts, faults, content, keys) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[entry, revision, file, item.rows[0] ?? 0, JSON.stringify(item.rows), item.kind, item.class, state],
    ...[
      first,
      item.digest,
      sha256,
      JSON.stringify(item.facts),
      storedFaults(item.faults, context.language),
      item.content?.toString() ?? null,
    ],
    keys ? JSON.stringify(keys) : null,
  );
  await sql.run(
    'INSERT INTO staged (entry, revision, file, hold) VALUES (?, ?, ?, ?)',
    ...[entry, revision, file, kept ? storedHold(kept) : null],
  );
}

/** The identities that the entry has now: one of an entry that is a part of it stays with that entry, for good. */
async function takeIdentities(
  staging: StagingContext,
  entry: string,
  { keys, facts: { identifier } }: Pick<StagedItem, 'keys' | 'facts'>,
): Promise<readonly string[]> {
  const { sql, context, file } = staging;
  const ofParts = new Set<string>();
  const unknown: string[] = [];
  for (const key of keys) {
    const isNew = await takeIdentity(sql, { key, entry, file }, async (owner) => {
      if (!(await isPartOf(sql, owner.entry, entry))) return busyIdentity(staging, owner.file);
      ofParts.add(key);
      return undefined;
    });
    if (isNew) unknown.push(key);
  }
  // On a server, its administrator watches over the pages.
  if (!context.worker) await proveNew(sql, { entry, identifier }, unknown);
  return ofParts.size > 0 ? keys.filter((key) => !ofParts.has(key)) : keys;
}
