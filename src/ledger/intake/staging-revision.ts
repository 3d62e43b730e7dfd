/**
 * A file that is read once more for some of its entries: each outcome becomes the next revision of the entry whose rows
 * it was made of, also where its identity could not be read before, or is another one now.
 */
import { definedOnly } from '../../model/defined-only.ts';
import type { Document } from '../../model/document.ts';
import type { Fault } from '../../model/fault.ts';
import { isReplaceable } from '../../model/state.ts';
import { type LedgerContext, text } from '../contract/ledger-context.ts';
import type { PlannedRevision, ReprocessStore, RevisionBasis } from '../contract/reprocess-store.ts';
import { selectKeys } from '../database/identity-index.ts';
import {
  assignedNumber,
  assignNumber,
  findNumberObstacle,
  fixedKeys,
  recordNumber,
  withNumber,
  withoutNumber,
} from '../records/number-sequences.ts';
import { expectLoading } from '../records/source-files.ts';
import { decideRevision, type ExistingEntry, type RevisionDecision, sendableInSameFile } from './decide-outcome.ts';
import { findNumberInOtherClass } from './number-in-other-class.ts';
import { findOtherSpellings, type OtherSpelling, spellingHold } from './number-spelling.ts';
import { combineHolds, holdStaged, isNumberStillTwice, numberTwiceHold } from './number-twice.ts';
import {
  findExistingEntries,
  findOccupant,
  holdOtherSpellings,
  putRevision,
  type StagedItem,
  type StagingContext,
  toExistingEntry,
} from './staging.ts';

export function createRevisionStaging(context: LedgerContext) {
  return {
    planRevisions: (again) =>
      context.read(async (sql) => {
        const here = { sql, context, file: '', fileName: '' };
        const seen: PlannedRevision[] = [];
        for (const one of again) seen.push((await evaluateRevision(here, one, false)).seen);
        return seen;
      }),
    stageRevisions: (id, again) =>
      context.write(async (sql) => {
        const file = await expectLoading(sql, id);
        const here = { sql, context, file: id, fileName: text(file, 'name') };
        const staged: PlannedRevision[] = [];
        const waiting = new Set<string>();
        for (const one of again) {
          const { own, item, decision, alone, holds, spelled, seen } = await evaluateRevision(here, one, true);
          staged.push(seen);
          await holdStaged(here, holds);
          await holdOtherSpellings(here, item, spelled);
          if (decision.state === 'unchanged') continue;
          for (const absorbed of one.absorbs ?? []) await absorbEntry(here, absorbed, own.entry);
          await putRevision(here, item, {
            entry: own.entry,
            revision: own.revision + 1,
            state: decision.state,
            first: decision.first ?? null,
            takesKeys: alone,
            released: own.released,
          });
          const stopped = spelled.filter(({ isStaged }) => isStaged).map(({ entry }) => entry);
          for (const id of [...holds, ...stopped]) waiting.add(id);
        }
        return staged.map((one) => (waiting.has(one.entry) ? { ...one, state: 'held' } : one));
      }),
  } satisfies Partial<ReprocessStore>;
}

type EvaluatedRevision = {
  readonly own: ExistingEntry;
  readonly item: StagedItem;
  readonly decision: RevisionDecision;
  /** No other entry has one of its identities. */
  readonly alone: boolean;
  /** Of the same reading, with one of its identities. */
  readonly holds: readonly string[];
  /** Others that have one of them in another spelling. */
  readonly spelled: readonly OtherSpelling[];
  readonly seen: PlannedRevision;
};

function addHolds(
  { context }: StagingContext,
  item: StagedItem,
  twice: boolean,
  spelled: readonly OtherSpelling[],
): StagedItem {
  const spelling = spellingHold(context, spelled);
  const first = spelling ? combineHolds(context, spelling, item.hold) : item.hold;
  const hold = twice ? numberTwiceHold(context, first) : first;
  return hold ? { ...item, hold } : item;
}

/** `gives`: a document that has no number yet is given one. */
async function evaluateRevision(
  here: StagingContext,
  { entry, outcome, absorbs = [] }: RevisionBasis,
  gives: boolean,
): Promise<EvaluatedRevision> {
  const own = await findOwnEntry(here, entry);
  const others = async (keys: readonly string[]) =>
    (await findExistingEntries(here, keys)).filter(
      (standing) => standing.entry !== entry && !absorbs.includes(standing.entry),
    );
  const judge = async (item: StagedItem, valid: boolean) => {
    const there = await others(item.keys);
    const decision = decideRevision(valid, item.digest, own, there);
    const { first } = decision;
    const mayGo = decision.state === 'ready' && own.released !== item.digest;
    const twice = mayGo && (await isNumberStillTwice(here.sql, own, absorbs));
    const spelled = mayGo ? await findOtherSpellings(here, item.keys, [entry, ...absorbs]) : [];
    const stored = addHolds(here, item, twice, spelled);
    const isHeld = mayGo && stored.hold !== undefined;
    const seen: PlannedRevision = definedOnly({
      entry,
      state: isHeld ? 'held' : decision.state,
      first,
    });
    const stays = decision.state === 'conflict' || decision.state === 'invalid';
    const holds = stays ? sendableInSameFile(there) : [];
    return { own, item: stored, decision, alone: there.length === 0, holds, spelled, seen };
  };
  if (!('document' in outcome)) {
    // A key that still waits for a number would be that of every other document that waits for one.
    const keys = outcome.keys.filter((key) => !key.includes('\0'));
    return await judge({ ...outcome, keys, content: undefined }, false);
  }
  const { document, hold } = outcome;
  const { numbering, warnings } = document;
  const stopped = hold ? { hold } : {};
  const fixed = fixedKeys(document);
  const told = async (keys: readonly string[]) => [
    ...warnings,
    ...(await findNumberInOtherClass(here.sql, document, keys, entry)),
  ];
  if (!numbering) return await judge({ ...document, ...stopped, keys: fixed, faults: await told(fixed) }, true);
  const alone = decideRevision(true, document.digest, own, await others(fixed)).state === 'ready';
  const number = await findNumber(here, entry, document, fixed, alone ? { others, gives } : undefined);
  if (typeof number === 'object') return await judge(withoutNumber(document, number, here.fileName), false);
  const numbered = withNumber(document, number);
  const keys = [...new Set([...fixed, ...numbered.keys])];
  return await judge({ ...document, ...numbered, ...stopped, keys, faults: await told(keys) }, true);
}

async function findOwnEntry(here: StagingContext, entry: string): Promise<ExistingEntry> {
  const row = await findOccupant(here, 'id', entry);
  if (!row) throw new Error(`no entry ${entry} in the ledger`);
  const own = toExistingEntry(row);
  if (own.inThisFile) throw new Error(`entry ${entry} is staged already`);
  if (isReplaceable(own.state, own.hold)) return own;
  throw new Error(`entry ${entry} is ${own.state} and may not be corrected`);
}

/** An entry whose rows are part of another document now: what it was stays in its former revision. */
async function absorbEntry(here: StagingContext, entry: string, into: string): Promise<void> {
  const { sql, file } = here;
  const { revision } = await findOwnEntry(here, entry);
  await sql.run(
    `INSERT INTO revision (entry, revision, file, first_row, source_rows, kind, class, outcome, first, digest,
     content_sha256, facts, faults, content)
     SELECT entry, revision + 1, ?, first_row, '[]', kind, class, 'duplicate', ?, digest, NULL, facts, '[]', NULL
     FROM revision WHERE entry = ? AND revision = ?`,
    ...[file, into, entry, revision],
  );
  await sql.run('INSERT INTO staged (entry, revision, file) VALUES (?, ?, ?)', entry, revision + 1, file);
}

type NumberRequest = {
  readonly others: (keys: readonly string[]) => Promise<readonly ExistingEntry[]>;
  readonly gives: boolean;
};

/** That of its identity, else the one the entry has had, else the next where it is asked for one; or why there is none. */
async function findNumber(
  here: StagingContext,
  entry: string,
  document: Document,
  fixed: readonly string[],
  asking: NumberRequest | undefined,
): Promise<number | Fault | undefined> {
  const { sql, context } = here;
  const numbering = document.numbering!;
  const known = await assignedNumber(sql, fixed, numbering);
  if (known !== undefined) return known;
  const former = await assignedNumber(sql, await selectKeys(sql, entry), numbering);
  if (former !== undefined) {
    if (asking?.gives) await recordNumber(sql, fixed, numbering, former);
    return former;
  }
  if (!asking) return undefined;
  const unknown = await findNumberObstacle(sql, numbering);
  if (unknown || !asking.gives) return unknown;
  const taken = async (value: number) => {
    const keys = withNumber(document, value).keys.filter((key) => !fixed.includes(key));
    return (await asking.others(keys)).length > 0;
  };
  return await assignNumber(sql, context, fixed, numbering, taken);
}
