/**
 * Stages a file that is reprocessed for some of its entries: each outcome becomes the next revision of the entry whose
 * rows it was made of, also if its identity could not be read before, or is another one now.
 */

import { selectKeys } from '../../database/identity-index.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import type { Document, Hold } from '../../model/document.ts';
import type { Fault } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { isReplaceable, mayBeOut } from '../../model/state.ts';
import { type LedgerContext, text } from '../contract/ledger-context.ts';
import type { PlannedRevision, ReprocessStore, RevisionBasis } from '../contract/reprocess-store.ts';
import { combineHolds } from '../records/combine-holds.ts';
import {
  assignedNumber,
  assignNumber,
  findNumberObstacle,
  fixedKeys,
  recordNumber,
  withNumber,
  withoutNumber,
} from '../records/number-sequences.ts';
import { hasUnknown } from '../records/sent-contents.ts';
import { expectLoading } from '../records/source-files.ts';
import { decideRevision, type ExistingEntry, type RevisionDecision, sendableInSameFile } from './decide-outcome.ts';
import {
  findExistingEntries,
  findOccupant,
  isForgotten,
  type StagingContext,
  toExistingEntry,
} from './existing-entries.ts';
import { findNumberInOtherClass } from './number-in-other-class.ts';
import { findOtherSpellings, type OtherSpelling, spellingHold } from './number-spelling.ts';
import { holdStaged, isNumberStillTwice, numberTwiceHold } from './number-twice.ts';
import { isShown } from './seen-index.ts';
import { holdOtherSpellings, putRevision, type StagedItem } from './staging.ts';

export function createRevisionStaging(context: LedgerContext) {
  return {
    planRevisions: (bases) =>
      context.read(async (sql) => {
        const staging = { sql, context, file: '', fileName: '', looks: true as const };
        const plans: PlannedRevision[] = [];
        for (const basis of bases) {
          const evaluated = await evaluateRevision(staging, basis, { assignsNumbers: false });
          plans.push(evaluated?.plan ?? movedOn(basis));
        }
        return plans;
      }),
    stageRevisions: (id, bases) =>
      context.write(async (sql) => {
        const file = await expectLoading(sql, context, id);
        const staging = { sql, context, file: id, fileName: text(file, 'name') };
        const plans: PlannedRevision[] = [];
        const held = new Set<string>();
        for (const basis of bases) {
          const evaluated = await evaluateRevision(staging, basis, { assignsNumbers: true });
          plans.push(evaluated?.plan ?? movedOn(basis));
          if (!evaluated) continue;
          for (const entry of await stageRevision(staging, evaluated, basis.absorbs)) held.add(entry);
        }
        return plans.map((plan) => (held.has(plan.entry) ? { ...plan, state: 'held' } : plan));
      }),
  } satisfies Partial<ReprocessStore>;
}

/** An entry that is reprocessed. */
type Subject = {
  readonly staging: StagingContext;
  readonly own: ExistingEntry;
  /** Entries whose rows are part of it now. */
  readonly absorbs: readonly string[];
  readonly absorbed: readonly ExistingEntry[];
};

type EvaluatedRevision = {
  readonly own: ExistingEntry;
  readonly item: StagedItem;
  readonly decision: RevisionDecision;
  /** No other entry has one of its identities. */
  readonly isAlone: boolean;
  /** Entries of the same reading with one of its identities. */
  readonly holds: readonly string[];
  readonly spellings: readonly OtherSpelling[];
  readonly plan: PlannedRevision;
};

/** Stages the revision and holds the entries that it collides with in the same reading; resolves to the entries held. */
async function stageRevision(
  staging: StagingContext,
  { own, item, decision, isAlone, holds, spellings }: EvaluatedRevision,
  absorbs: readonly string[] = [],
): Promise<readonly string[]> {
  await holdStaged(staging, holds);
  await holdOtherSpellings(staging, item, spellings);
  if (decision.state === 'unchanged') return [];
  for (const absorbed of absorbs) await absorbEntry(staging, absorbed, own.entry);
  await putRevision(staging, item, {
    entry: own.entry,
    revision: own.revision + 1,
    state: decision.state,
    first: decision.first ?? null,
    takesKeys: isAlone,
    released: own.released,
  });
  return [...holds, ...spellings.filter(({ isStaged }) => isStaged).map(({ entry }) => entry)];
}

function movedOn({ entry }: RevisionBasis): PlannedRevision {
  return { entry, state: 'moved-on' };
}

/**
 * What the new outcome of an entry is to the ledger; undefined if it may not be corrected any more. `assignsNumbers`: a document that
 * waits for a number gets one.
 */
async function evaluateRevision(
  staging: StagingContext,
  { entry, revision, outcome, absorbs = [] }: RevisionBasis,
  { assignsNumbers }: { readonly assignsNumbers: boolean },
): Promise<EvaluatedRevision | undefined> {
  const own = await findOwnEntry(staging, entry);
  const others = await Promise.all(absorbs.map((absorbed) => findOwnEntry(staging, absorbed)));
  const absorbed = definedItems(others);
  if (!own || absorbed.length < others.length) return undefined;
  if (revision !== undefined && own.revision !== revision) return undefined;
  const subject: Subject = { staging, own, absorbs, absorbed };
  if (!('document' in outcome)) {
    // A key that still waits for a number would equal that of every other document that waits for one.
    const keys = outcome.keys.filter((key) => !key.includes('\0'));
    return await evaluateItem(subject, { ...outcome, keys, content: undefined }, { isValid: false });
  }
  const { document, hold, datedByReading } = outcome;
  const fixed = fixedKeys(document);
  const number = await findNumber(subject, document, fixed, assignsNumbers);
  if (typeof number === 'object') {
    return await evaluateItem(subject, withoutNumber(document, number, staging.fileName), { isValid: false });
  }
  const numbered = withNumber(document, number);
  const keys = [...new Set([...fixed, ...numbered.keys])];
  const faults = [...document.warnings, ...(await findNumberInOtherClass(staging.sql, document, keys, entry))];
  return await evaluateItem(
    subject,
    {
      ...document,
      ...numbered,
      ...(hold && { hold }),
      keys,
      faults,
      datedByReading: datedByReading && !document.numbering,
    },
    { isValid: true },
  );
}

async function evaluateItem(
  subject: Subject,
  item: StagedItem,
  { isValid }: { readonly isValid: boolean },
): Promise<EvaluatedRevision> {
  const { staging, own, absorbs, absorbed } = subject;
  const { entry } = own;
  const others = await findOthers(subject, item.keys);
  const decision = decideRevision(isValid, item.digest, own, others);
  const { state, first } = decision;
  const isSendable = state === 'ready' && own.released !== item.digest;
  const spellings = isSendable ? await findOtherSpellings(staging, item, [entry, ...absorbs]) : [];
  const hold = isSendable ? await findHold(subject, item, spellings) : item.hold;
  return {
    own,
    item: { ...item, ...(hold && { hold }) },
    decision,
    isAlone: others.length === 0,
    holds: state === 'conflict' || state === 'invalid' ? sendableInSameFile(others) : [],
    spellings,
    plan: definedOnly({
      entry,
      state: isSendable && (hold || [own, ...absorbed].some(isMarked)) ? 'held' : state,
      first,
    }),
  };
}

/**
 * It was set aside while it may have been sent, an outcome came late, its correction is taken back, or a content that was sent is not
 * known: the next one waits for a person.
 */
function isMarked({ state, hold, sentBefore }: ExistingEntry): boolean {
  return hasUnknown(sentBefore) || (hold !== undefined && (mayBeOut(hold) || state === 'invalid'));
}

/** Why a document that would be sent waits for a person, if there is a reason. */
async function findHold(
  { staging: { sql, context }, own, absorbs }: Subject,
  item: StagedItem,
  spellings: readonly OtherSpelling[],
): Promise<Hold | undefined> {
  const spelling = spellingHold(context, spellings);
  const hold = spelling ? combineHolds(context, spelling, item.hold) : item.hold;
  return (await isNumberStillTwice(sql, own, absorbs)) ? numberTwiceHold(context, hold) : hold;
}

async function findOthers({ staging, own, absorbs }: Subject, keys: readonly string[]) {
  const all = await findExistingEntries(staging, keys);
  return all.filter(({ entry }) => entry !== own.entry && !absorbs.includes(entry));
}

async function findOwnEntry(staging: StagingContext, entry: string): Promise<ExistingEntry | undefined> {
  const row = await findOccupant(staging, 'id', entry);
  if (!row) throw new Error(`no entry ${entry} in the ledger`);
  const own = toExistingEntry(row);
  if (own.inThisFile) throw new Error(`entry ${entry} is staged already`);
  return isReplaceable(own.state, own.hold) ? own : undefined;
}

/** An entry whose rows are part of another document now: its former revision keeps what it was. */
async function absorbEntry(staging: StagingContext, entry: string, into: string): Promise<void> {
  const { sql, file } = staging;
  const { revision } = must(await findOwnEntry(staging, entry), 'an entry that is absorbed');
  await sql.run(
    `INSERT INTO revision (entry, revision, file, first_row, source_rows, kind, class, outcome, first, digest,
     content_sha256, facts, faults, content)
     SELECT entry, revision + 1, ?, first_row, '[]', kind, class, 'duplicate', ?, digest, NULL, facts, '[]', NULL
     FROM revision WHERE entry = ? AND revision = ?`,
    ...[file, into, entry, revision],
  );
  await sql.run('INSERT INTO staged (entry, revision, file) VALUES (?, ?, ?)', entry, revision + 1, file);
}

/** The number of its identity, else the former one of the entry, else the next if it may have one; or why there is none. */
async function findNumber(
  subject: Subject,
  document: Document,
  fixed: readonly string[],
  assigns: boolean,
): Promise<number | Fault | undefined> {
  const { numbering } = document;
  if (!numbering) return undefined;
  const { staging, own } = subject;
  const { sql } = staging;
  const assigned = await assignedNumber(sql, fixed, numbering);
  if (assigned !== undefined) return assigned;
  const isFree = decideRevision(true, document.digest, own, await findOthers(subject, fixed)).state === 'ready';
  const former = await assignedNumber(sql, await selectKeys(sql, own.entry), numbering);
  if (former !== undefined) {
    if (isFree && assigns) await recordNumber(sql, fixed, numbering, former);
    return former;
  }
  if (!isFree) return undefined;
  const obstacle = await findNumberObstacle(sql, numbering);
  if (obstacle || !assigns) return obstacle;
  const isTaken = async (value: number) => {
    const { keys: all, facts } = withNumber(document, value);
    if (await isShown(staging, facts.identifier)) return true;
    const keys = all.filter((key) => !fixed.includes(key));
    return (await findOthers(subject, keys)).length > 0 || (await isForgotten(staging, keys));
  };
  return await assignNumber(staging, fixed, numbering, isTaken);
}
