/**
 * Admitted documents become what the current mapping and the corrections make of them: the next revision of the same
 * entry. Other rows of their files stay. The result is calculated first; one commit then records corrections and
 * reading as a `loading` file, which is staged and admitted like any other, so the next run completes it after a crash.
 */

import { isOpen } from '../../documents/content/pending-number.ts';
import type { CorrectedRows } from '../../ledger/contract/close-file.ts';
import type { PlannedRevision, RevisionBasis } from '../../ledger/contract/reprocess-store.ts';
import type { ReappearedKeys } from '../../mapping/compose/group-rows.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import { type DocumentOutcome, detailsOf, faultsOfOutcome } from '../../model/document.ts';
import { type Correction, firstFileOf, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { type SkippedRow, type SourceRow, sourceRowsSha256 } from '../../model/row.ts';
import { isOfCell, withoutAside } from '../../model/set-aside-rows.ts';
import { archiveMapping } from '../../receipts/archive-mapping.ts';
import { appendAll } from '../../text/long-lists.ts';
import { refuse, refusingMistakes } from '../admission/admit-file.ts';
import { holdRules } from '../admission/hold-rules.ts';
import { readInTurn } from '../admission/stage-in-turn.ts';
import { findEntries } from '../context/find-entry.ts';
import type { RunContext } from '../context/run-context.ts';
import { inShortCommits } from '../context/short-commits.ts';
import { attachmentsOfReading, whileGrowing } from '../sources/attachments-of.ts';
import { keepAttachments, moveAttachmentsOf } from '../sources/move-attachments.ts';
import { ownersAmong } from './document-owners.ts';
import {
  asideOf,
  heldBy,
  isCorrectable,
  type Reconversion,
  type ReconvertSource,
  type ReprocessContext,
  reconvert,
  reconvertSourceOf,
  survey,
} from './reconvert-source.ts';
import {
  admittedNow,
  asItIs,
  movedOn,
  notCorrectable,
  type ReprocessOutcome,
  type ReprocessResult,
} from './reread-result.ts';

/** The person, the reason and the time (ISO 8601) of a reprocessing. */
export type ReprocessDecision = { readonly by: string; readonly reason: string; readonly at: string };

/** `patient`: throws AttachmentGrowingError for an attachment that is not at rest. */
type ForeseeOptions = {
  readonly at: string;
  readonly corrections?: readonly Correction[];
  readonly patient?: boolean;
};

/** The results without the reprocessing: nothing is written. */
export async function foresee(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
  { at, corrections = [], patient = false }: ForeseeOptions,
): Promise<readonly ReprocessResult[]> {
  return (await plan(context, entries, { at, corrections, by: '', reason: '', patient })).flatMap(
    ({ becomes }) => becomes,
  );
}

/** Does it: each document that can be read again has its next revision when the promise resolves. */
export async function reprocess(
  context: RunContext,
  entries: readonly LedgerEntry[],
  { by, reason, at, corrections = [] }: ReprocessDecision & { readonly corrections?: readonly Correction[] },
): Promise<readonly ReprocessResult[]> {
  const plans = await whileGrowing(context, (patient) =>
    plan(context, entries, { at, corrections, by, reason, patient }),
  );
  const stay = new Map<string, ReprocessResult>();
  for (const { source, becomes, reappeared, corrections: newOnes = [] } of plans) {
    const ids = becomes.flatMap((one) => ('state' in one && one.state !== 'unchanged' ? [one.entry.id] : []));
    if (!source || ids.length === 0) continue;
    const { day, run } = context;
    const decision = { entries: ids, corrections: newOnes, by, reason, claimedAt: at, day, run };
    const file = await context.ledger.corrections.openReprocess(source.file.id, decision);
    context.emit({ what: 'file-claimed', file: file.name, bytes: file.size });
    const own = becomes.filter(({ entry }) => ids.includes(entry.id));
    const about = { source, becomes: own, reappeared };
    let left: ReadonlySet<string> | undefined;
    const fault = await refusingMistakes(context, file, async () => {
      left = await readInTurn(context, file.id, () => stageAndAdmit(context, file, about));
    });
    const now = await admittedNow(context, file, ids);
    for (const one of own) {
      const { entry } = one;
      if (fault) stay.set(entry.id, { entry, fault });
      else if (left?.has(entry.id)) stay.set(entry.id, await movedOn(context, entry));
      else if (now) stay.set(entry.id, asItIs(one, now, file));
    }
  }
  return plans.flatMap(({ becomes }) => becomes).map((one) => stay.get(one.entry.id) ?? one);
}

/** Completes a reading that a stop has cut off, as it was decided then. */
export async function resumeReprocess(context: RunContext, file: SourceFile): Promise<void> {
  const { ledger } = context;
  const entries = await findEntries(ledger.queries, await ledger.corrections.entriesToReprocess(file.id));
  const corrections = await ledger.queries.correctionsOf(file.id);
  const decided = { at: file.claimedAt, by: '', reason: '' };
  const plans = await whileGrowing(context, (patient) =>
    plan(context, entries, { ...decided, corrections, whole: true, patient }),
  );
  const found = plans.find(({ source }) => source?.file.id === file.rereads);
  const possible = found?.becomes.filter((one) => 'state' in one && one.state !== 'unchanged') ?? [];
  if (found?.source && possible.length > 0) {
    const { source, reappeared } = found;
    await readInTurn(context, file.id, () => stageAndAdmit(context, file, { source, becomes: possible, reappeared }));
    return;
  }
  const faults = plans.flatMap(({ becomes }) => becomes).flatMap((one) => ('fault' in one ? [one.fault] : []));
  await refuse(context, file, { faults, rows: 0, leftOut: [] });
}

type Plan = {
  readonly source?: ReconvertSource;
  readonly becomes: readonly ReprocessResult[];
  readonly reappeared?: ReappearedKeys | undefined;
  /** New ones of this file. */
  readonly corrections?: readonly Correction[];
};

/** `corrections` are new ones, or with `whole` all that count. */
type Asked = ReprocessDecision & {
  readonly corrections: readonly Correction[];
  readonly whole?: true;
  readonly patient?: boolean;
};

/** By the file that was read first. */
async function plan(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
  { corrections: given, whole, patient = false, ...decided }: Asked,
): Promise<readonly Plan[]> {
  const plans: Plan[] = [];
  const fixed = entries.filter((entry) => !isCorrectable(entry));
  if (fixed.length > 0) plans.push({ becomes: fixed.map((entry) => ({ entry, fault: notCorrectable(entry) })) });
  const groups = Map.groupBy(entries.filter(isCorrectable), firstFileOf);
  for (const [id, own] of groups) {
    const file = must(await context.ledger.queries.sourceFile(id), 'the file of an entry');
    const source = await reconvertSourceOf(context, file);
    if ('fault' in source) {
      plans.push({ becomes: own.map((entry) => ({ entry, fault: source.fault })) });
      continue;
    }
    if (whole) {
      const reading = { source, claimedAt: decided.at, corrections: given, patient };
      plans.push({ source, ...(await planReading(context, own, reading)) });
      continue;
    }
    const known = await context.ledger.queries.correctionsOf(id);
    const aside = await asideOf(context, source.file, own);
    const without = withoutAside({ own, aside, known, corrections: given, ...decided });
    const corrections = [...without.corrections, ...given];
    const all = [...without.entries, ...(await heldBy(context, source.file, without.entries))];
    const reading = { source, claimedAt: decided.at, corrections: [...known, ...corrections], patient };
    plans.push({ source, corrections, ...(await planReading(context, all, reading)) });
  }
  return plans.map((one) => withoutJoined(one, plans));
}

/** Without headers that waited alone, where the lines of their pair are read again too and have them now. */
function withoutJoined(one: Plan, all: readonly Plan[]): Plan {
  if (one.source?.of !== 'headers') return one;
  const others = all.filter((other) => other !== one && other.source).flatMap(({ becomes }) => becomes);
  const joined = new Set(others.flatMap((other) => ('state' in other ? [other.entry.id] : [])));
  return { ...one, becomes: one.becomes.filter(({ entry }) => !joined.has(entry.id)) };
}

/** The results for the documents of one file. Nothing is written. */
async function planReading(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
  reading: Omit<Reconversion, 'rows'> & { readonly patient: boolean },
): Promise<Omit<Plan, 'source'>> {
  const planned = new Map<string, { readonly revision: PlannedRevision; readonly outcome: ReprocessOutcome }>();
  const key = (entry: LedgerEntry, row: number) => `${entry.id} ${row}`;
  const hold = holdRules(context, context.instance.stampOf(reading.source.mapping));
  const onOutcome = async (entry: LedgerEntry, found: DocumentOutcome, absorbs: readonly string[]) => {
    const [outcome = found] = await hold([found]);
    const [revision] = await context.ledger.corrections.planRevisions([basisOf(entry, outcome, absorbs)]);
    planned.set(key(entry, must(detailsOf(outcome).rows[0], 'the first row of a document')), {
      revision: must(revision, 'the planned revision'),
      outcome: reprocessOutcome(outcome),
    });
  };
  const { found, reappeared } = await survey(context, entries, reading, onOutcome);
  const ofEntry = ({ entry, firstRows: [row = 0] }: (typeof found)[number]) =>
    must(planned.get(key(entry, row)), 'the plan of an entry');
  const result = async (one: (typeof found)[number]): Promise<ReprocessResult> => {
    const { entry, firstRows, fault, into } = one;
    if (fault) return { entry, fault };
    if (into !== undefined) {
      const main = found.find((other) => other.entry.id === into);
      const { revision, outcome } = ofEntry(must(main, 'the entry that takes the rows'));
      if (revision.state === 'moved-on') return await movedOn(context, entry);
      const state = revision.state === 'unchanged' ? 'unchanged' : 'duplicate';
      return { entry, state, first: into, outcome, more: 0, amounts: [outcome], absorbed: revision.state };
    }
    const { revision, outcome } = ofEntry(one);
    const { state, first } = revision;
    const amounts = definedItems(firstRows.map((row) => planned.get(key(entry, row))?.outcome));
    if (state === 'moved-on') return { ...(await movedOn(context, entry)), would: amounts };
    return definedOnly({ entry, state, first, outcome, more: firstRows.length - 1, amounts });
  };
  return { becomes: await Promise.all(found.map(result)), reappeared };
}

function basisOf({ id, revision }: LedgerEntry, outcome: DocumentOutcome, absorbs: readonly string[]): RevisionBasis {
  return { entry: id, revision, outcome, absorbs };
}

/**
 * Stages and admits the documents of these entries; other rows of the file do not belong to this reading. Resolves to the ids of
 * entries that have moved on, which stay as they are.
 */
async function stageAndAdmit(
  context: RunContext,
  file: SourceFile,
  { source, becomes, reappeared }: Pick<Plan, 'becomes' | 'reappeared'> & { readonly source: ReconvertSource },
): Promise<ReadonlySet<string>> {
  const { ledger, instance } = context;
  const { rows, of } = ownersAmong(source, becomes);
  const corrections = await ledger.queries.correctionsOf(file.id);
  await archiveMapping(instance.folder, source.mapping);
  const attachments = await attachmentsOfReading(context, source.file, { corrections });
  const mapping = instance.stampOf(source.mapping);
  const hold = holdRules(context, mapping);
  const leftOut: SkippedRow[] = [];
  const staged = new Set<string>();
  const left = new Set<string>();
  const texts = new Map<number, SourceRow>();
  let documents = 0;
  let encoding: string | undefined;
  const about = definedOnly({ source, claimedAt: file.claimedAt, corrections, rows, reappeared });
  for await (const step of reconvert(context, about, attachments)) {
    keepRows(texts, step.outcomes);
    const revisions = [];
    const more = [];
    for (const outcome of await hold(step.outcomes, file)) {
      const { own, headers } = of(outcome);
      must(detailsOf(outcome).rows.every((row) => rows.has(row)) || undefined, 'the entry of a row');
      const touched = [...own, ...headers];
      const owner = must(
        touched.find((one) => !('absorbed' in one)),
        'the entry of a document',
      );
      const { entry } = owner;
      const absorbs = touched.filter((one) => one !== owner).map((one) => one.entry.id);
      const isOwn = !staged.has(entry.id) && isMain(owner, outcome);
      if (isOwn) revisions.push(basisOf(entry, outcome, absorbs));
      else more.push(outcome);
      if (isOwn) staged.add(entry.id);
    }
    await inShortCommits(context, revisions, async (some) => {
      for (const { entry, state } of await ledger.corrections.stageRevisions(file.id, some))
        if (state === 'moved-on') left.add(entry);
    });
    await inShortCommits(context, more, (some) => ledger.intake.stage(file.id, some));
    documents += step.outcomes.length;
    appendAll(leftOut, step.leftOut);
    encoding ??= step.encoding;
    // Decided and recorded: the next run goes on with it.
    if (context.stop.aborted) return left;
  }
  const read = becomes.filter(({ entry }) => !left.has(entry.id) && firstFileOf(entry) === source.file.id);
  const corrected = read.flatMap(({ entry }) => correctedRows(entry, corrections, texts));
  const facts = {
    mapping,
    encoding,
    rows: rows.size,
    leftOut,
    faults: [],
    attachments: attachments.taken(),
    corrected,
  };
  await keepAttachments(context, file, facts.attachments);
  await ledger.intake.admit(file.id, definedOnly(facts));
  context.emit({ what: 'file-admitted', id: file.id, file: file.name, documents, rows: rows.size, faults: [] });
  const due = facts.attachments.filter(({ place }) => place === 'due');
  await moveAttachmentsOf(context, file, due);
  return left;
}

function keepRows(texts: Map<number, SourceRow>, outcomes: readonly DocumentOutcome[]): void {
  for (const one of outcomes.flatMap(({ sourceRows }) => sourceRows?.() ?? [])) texts.set(one.row, one);
}

/** Of the rows that the entry had so far: what a copy of its export has again. None if no cell of them was corrected. */
function correctedRows(
  { id: entry, rows }: LedgerEntry,
  corrections: readonly Correction[],
  texts: ReadonlyMap<number, SourceRow>,
): readonly CorrectedRows[] {
  const own = corrections.filter((one) => isOfCell(one) && rows.includes(one.row));
  const source = definedItems(rows.map((row) => texts.get(row)));
  if (own.length === 0 || source.length < rows.length) return [];
  const cells = Map.groupBy(own, ({ row, column }) => JSON.stringify([row, column]));
  const changed = [...cells.values()].find((cell) => cell[0]?.from !== cell.at(-1)?.to);
  return [{ entry, sha256: sourceRowsSha256(source), row: changed?.[0]?.row }];
}

/** If the rows of an entry make several documents, the one that keeps its number is the entry's own. */
function isMain(one: ReprocessResult, outcome: DocumentOutcome): boolean {
  return 'outcome' in one && (one.more === 0 || one.outcome.identifier === reprocessOutcome(outcome).identifier);
}

function reprocessOutcome(outcome: DocumentOutcome): ReprocessOutcome {
  const { facts } = detailsOf(outcome);
  return definedOnly({
    // A number that its sequence gives is not known before the document is admitted.
    identifier: isOpen(facts.identifier) ? '' : facts.identifier,
    amount: facts.amount,
    currency: facts.currency,
    faults: faultsOfOutcome(outcome),
    hold: 'document' in outcome && outcome.hold ? outcome.hold.says : undefined,
  });
}
