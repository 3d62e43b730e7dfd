/**
 * Documents that were admitted before become what the mapping of today and the corrections of people make of them: the
 * next revision of the same entry. Other rows of their files are not touched.
 *
 * What would become of each is found out first. Then one commit records the corrections and the reading as a file that
 * is `loading`, and it is staged and admitted as any other: a crash in between is made good by the next run.
 */
import { isOpen } from '../../documents/content/pending-number.ts';
import type { Message } from '../../i18n/message.ts';
import { REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import type { PlannedRevision } from '../../ledger/contract/reprocess-store.ts';
import type { ReappearedKeys } from '../../mapping/compose/group-rows.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type DocumentOutcome, detailsOf, faultsOfOutcome } from '../../model/document.ts';
import { type DataFault, type Fault, withMessage } from '../../model/fault.ts';
import type { Correction, LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import type { SkippedRow } from '../../model/row.ts';
import { withoutAside } from '../../model/set-aside-rows.ts';
import { allows, type State, stateInfo } from '../../model/state.ts';
import { archiveMapping } from '../../receipts/archive-mapping.ts';
import { refuse } from '../admission/admit-file.ts';
import { holdRules } from '../admission/hold-rules.ts';
import { findEntries } from '../context/find-entry.ts';
import type { RunContext } from '../context/run-context.ts';
import { archiveCompanions } from '../sources/open-attachments.ts';
import {
  asideOf,
  companionsAgain,
  heldBy,
  isCorrectable,
  type ReconvertSource,
  reconvertSourceOf,
  reread,
  survey,
} from './reconvert-source.ts';

type Hands = Pick<RunContext, 'instance' | 'ledger' | 'clock'>;

/** What becomes of one document; `fault` says why it stays as it is. */
export type ReprocessResult = { readonly entry: LedgerEntry } & (
  | { readonly fault: Fault }
  | {
      readonly state: PlannedRevision['state'];
      readonly first?: string;
      /** Of the document that its rows make today. */
      readonly outcome: Told;
      /** How many further documents its rows make. */
      readonly more: number;
      /** Its rows are part of the document of `first` now. */
      readonly absorbed?: true;
    }
);

type Told = {
  readonly identifier: string;
  readonly amount?: string;
  readonly faults: readonly Fault[];
  /** Why a rule holds it. */
  readonly hold?: string;
};

export type ReprocessDecision = { readonly by: string; readonly reason: string; readonly at: string };

/** What would become of these entries. Nothing is written. */
export async function foresee(
  hands: Hands,
  entries: readonly LedgerEntry[],
  { at, corrections = [] }: { readonly at: string; readonly corrections?: readonly Correction[] },
): Promise<readonly ReprocessResult[]> {
  return (await plan(hands, entries, { at, corrections, by: '', reason: '' })).flatMap(({ becomes }) => becomes);
}

/** The same, and done: what can be read again is the next revision of its entry when it resolves. */
export async function reprocess(
  work: RunContext,
  entries: readonly LedgerEntry[],
  { by, reason, at, corrections = [] }: ReprocessDecision & { readonly corrections?: readonly Correction[] },
): Promise<readonly ReprocessResult[]> {
  const plans = await plan(work, entries, { at, corrections, by, reason });
  for (const { source, becomes, again, corrections: own = [] } of plans) {
    const ids = becomes.flatMap((one) => ('state' in one && one.state !== 'unchanged' ? [one.entry.id] : []));
    if (!source || ids.length === 0) continue;
    const { day, run } = work;
    const told = { entries: ids, corrections: own, by, reason, claimedAt: at, day, run };
    const file = await work.ledger.openReprocess(source.file.id, told);
    work.tell({ what: 'file-claimed', file: file.name, bytes: file.size });
    await take(
      work,
      file,
      source,
      becomes.filter(({ entry }) => ids.includes(entry.id)),
      again,
    );
  }
  return plans.flatMap(({ becomes }) => becomes);
}

/** A reading that a stop has cut off: what was decided then is done now. */
export async function resumeReread(work: RunContext, file: SourceFile): Promise<void> {
  const { ledger } = work;
  const entries = await findEntries(ledger, await ledger.entriesToReprocess(file.id));
  const corrections = await ledger.correctionsOf(file.id);
  const plans = await plan(work, entries, { at: file.claimedAt, corrections, by: '', reason: '', whole: true });
  const found = plans.find(({ source }) => source?.file.id === file.rereads);
  const possible = found?.becomes.filter((one) => 'state' in one && one.state !== 'unchanged') ?? [];
  if (found?.source && possible.length > 0) return await take(work, file, found.source, possible, found.again);
  const faults = plans.flatMap(({ becomes }) => becomes).flatMap((one) => ('fault' in one ? [one.fault] : []));
  await refuse(work, file, { faults, rows: 0, leftOut: [] });
}

type Plan = {
  readonly source?: ReconvertSource;
  readonly becomes: readonly ReprocessResult[];
  readonly again?: ReappearedKeys | undefined;
  /** New ones of this file. */
  readonly corrections?: readonly Correction[];
};

/** `corrections` are new ones, or with `whole` all that count. */
type Asked = ReprocessDecision & { readonly corrections: readonly Correction[]; readonly whole?: true };

/** By the file that was read first. */
async function plan(
  hands: Hands,
  entries: readonly LedgerEntry[],
  { corrections: given, whole, ...decided }: Asked,
): Promise<readonly Plan[]> {
  const plans: Plan[] = [];
  const fixed = entries.filter((entry) => !isCorrectable(entry));
  if (fixed.length > 0) plans.push({ becomes: fixed.map((entry) => ({ entry, fault: notCorrectable(entry) })) });
  const groups = Map.groupBy(entries.filter(isCorrectable), ({ file }) => file.rereads ?? file.id);
  for (const [id, own] of groups) {
    const file = (await hands.ledger.sourceFile(id))!;
    const source = await reconvertSourceOf(hands, file);
    if ('fault' in source) {
      plans.push({ becomes: own.map((entry) => ({ entry, fault: source.fault })) });
      continue;
    }
    if (whole) {
      plans.push({ source, ...(await weigh(hands, own, source, decided.at, given)) });
      continue;
    }
    const known = await hands.ledger.correctionsOf(id);
    const aside = await asideOf(hands, source.file, own);
    const without = withoutAside({ own, aside, known, corrections: given, ...decided });
    const corrections = [...without.corrections, ...given];
    const all = [...without.entries, ...(await heldBy(hands, source.file, without.entries))];
    plans.push({ source, corrections, ...(await weigh(hands, all, source, decided.at, [...known, ...corrections])) });
  }
  return plans;
}

async function weigh(
  hands: Hands,
  entries: readonly LedgerEntry[],
  source: ReconvertSource,
  claimedAt: string,
  corrections: readonly Correction[],
): Promise<Omit<Plan, 'source'>> {
  const weighed = new Map<string, { readonly seen: PlannedRevision; readonly told: Told }>();
  const key = (entry: LedgerEntry, row: number) => `${entry.id} ${row}`;
  const hold = holdRules(hands, hands.instance.stampOf(source.mapping));
  const hears = async (entry: LedgerEntry, found: DocumentOutcome, absorbs: readonly string[]) => {
    const [outcome = found] = await hold([found]);
    const [seen] = await hands.ledger.planRevisions([{ entry: entry.id, outcome, absorbs }]);
    weighed.set(key(entry, detailsOf(outcome).rows[0]!), { seen: seen!, told: toldOf(outcome) });
  };
  const { found, again } = await survey(hands, entries, { source, claimedAt, corrections }, hears);
  const ofEntry = ({ entry, firstRows }: (typeof found)[number]) => weighed.get(key(entry, firstRows[0]!))!;
  const becomes = found.map((one): ReprocessResult => {
    const { entry, firstRows, fault, into } = one;
    if (fault) return { entry, fault };
    const { seen, told } = ofEntry(into === undefined ? one : found.find((main) => main.entry.id === into)!);
    if (into !== undefined) {
      const state = seen.state === 'unchanged' ? 'unchanged' : 'duplicate';
      return { entry, state, first: into, outcome: told, more: 0, absorbed: true };
    }
    const { state, first } = seen;
    return definedOnly({ entry, state, first, outcome: told, more: firstRows.length - 1 });
  });
  return { becomes, again };
}

/** Stages and admits what the rows of these entries make; the other rows of the file are none of this reading. */
async function take(
  work: RunContext,
  file: SourceFile,
  source: ReconvertSource,
  becomes: readonly ReprocessResult[],
  again: ReappearedKeys | undefined,
): Promise<void> {
  const { ledger, instance } = work;
  const owners = new Map(becomes.flatMap((one) => one.entry.rows.map((row) => [row, one] as const)));
  const rows = new Set(owners.keys());
  const corrections = await ledger.correctionsOf(file.id);
  await archiveMapping(instance.folder, source.mapping);
  const companions = companionsAgain(work);
  const mapping = instance.stampOf(source.mapping);
  const hold = holdRules(work, mapping);
  const leftOut: SkippedRow[] = [];
  const staged = new Set<string>();
  let documents = 0;
  let encoding: string | undefined;
  const about = definedOnly({ source, claimedAt: file.claimedAt, corrections, rows, again });
  for await (const step of reread(work, about, companions)) {
    const again = [];
    const more = [];
    for (const outcome of await hold(step.outcomes)) {
      const touched = [...new Set(detailsOf(outcome).rows.map((row) => owners.get(row)!))];
      const owner = touched.find((one) => !('absorbed' in one))!;
      const { entry } = owner;
      const absorbs = touched.filter((one) => one !== owner).map((one) => one.entry.id);
      const isOwn = !staged.has(entry.id) && isMain(owner, outcome);
      if (isOwn) again.push({ entry: entry.id, outcome, absorbs });
      else more.push(outcome);
      if (isOwn) staged.add(entry.id);
    }
    if (again.length > 0) await ledger.stageRevisions(file.id, again);
    if (more.length > 0) await ledger.stage(file.id, more);
    documents += step.outcomes.length;
    leftOut.push(...step.leftOut);
    encoding ??= step.encoding;
    // Decided and recorded: the next run goes on with it.
    if (work.stop.aborted) return;
  }
  const read = encoding === undefined ? {} : { encoding };
  await ledger.admit(file.id, {
    mapping,
    ...read,
    rows: rows.size,
    leftOut,
    faults: [],
    attachments: companions.taken(),
  });
  work.tell({ what: 'file-admitted', id: file.id, file: file.name, documents, rows: rows.size, faults: [] });
  await archiveCompanions(work, file, companions);
}

/** Of several documents that the rows of an entry make, the one that keeps its number is the entry's own. */
function isMain(one: ReprocessResult, outcome: DocumentOutcome): boolean {
  return 'outcome' in one && (one.more === 0 || one.outcome.identifier === toldOf(outcome).identifier);
}

function notCorrectable({ state, file, rows }: LedgerEntry): DataFault {
  return {
    code: 'reprocess/not-correctable',
    level: 'error',
    ...withMessage(REPROCESS.notCorrectable({ state, words: stateInfo(state).inSentence }), hintFor(state)),
    origin: { file: file.name, row: rows[0] ?? 0 },
  };
}

function hintFor(state: State): Message {
  if (allows(state, 'resend')) return REPROCESS.retry();
  return allows(state, 'consult') ? REPROCESS.consult() : REPROCESS.ownDocument();
}

function toldOf(outcome: DocumentOutcome): Told {
  const { facts } = detailsOf(outcome);
  return definedOnly({
    // A number that its sequence gives is not known before the document is admitted.
    identifier: isOpen(facts.identifier) ? '' : facts.identifier,
    amount: facts.amount,
    faults: faultsOfOutcome(outcome),
    hold: 'document' in outcome && outcome.hold ? outcome.hold.says : undefined,
  });
}
