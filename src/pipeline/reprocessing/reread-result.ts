/**
 * What became of each document of a second reading: planned, and as it is once the reading counts. Someone may have changed the
 * document since the plan, or one that takes part with it. Faults are reprocess/not-correctable and fix/changed-meanwhile.
 */
import type { Message } from '../../i18n/message.ts';
import { UNDO } from '../../i18n/messages/cli-decisions-messages.ts';
import { FIX, REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import type { PlannedRevision } from '../../ledger/contract/reprocess-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { DocumentFacts } from '../../model/document.ts';
import { type DataFault, type Fault, withMessage } from '../../model/fault.ts';
import { documentName, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { allows, type State, stateInfo } from '../../model/state.ts';
import { findEntries, findEntry } from '../context/find-entry.ts';
import type { RunContext } from '../context/run-context.ts';
import type { ReprocessContext } from './reconvert-source.ts';

/** The result for one document; `fault` is the reason why it stays as it is. */
export type ReprocessResult = { readonly entry: LedgerEntry } & (
  | {
      readonly fault: Fault;
      /** What its rows would make, where only its state keeps it as it is: an undo changes that first. */
      readonly would?: readonly ReprocessOutcome[];
    }
  | {
      readonly state: Exclude<PlannedRevision['state'], 'moved-on'>;
      readonly first?: string;
      /** Of the document that its rows make today. */
      readonly outcome: ReprocessOutcome;
      /** How many further documents its rows make. */
      readonly more: number;
      /** The amounts of all documents that its rows make. */
      readonly amounts: readonly DocumentAmount[];
      /** Its rows are part of the document of `first` now: the state of that. */
      readonly absorbed?: PlannedRevision['state'];
    }
);

type DocumentAmount = Pick<DocumentFacts, 'amount' | 'currency'>;

export type ReprocessOutcome = DocumentAmount & {
  readonly identifier: string;
  readonly faults: readonly Fault[];
  /** Why a rule holds it. */
  readonly hold?: string;
};

/** The documents after their reading; undefined if the next run goes on with it. */
export async function admittedNow(
  { ledger }: RunContext,
  { id }: SourceFile,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LedgerEntry> | undefined> {
  if ((await ledger.queries.sourceFile(id))?.state !== 'admitted') return undefined;
  return new Map((await findEntries(ledger.queries, ids)).map((entry) => [entry.id, entry]));
}

/** From these the reading itself made the document wait or end; what became of any other one since is the next step of its life. */
const AT_REST: ReadonlySet<State> = new Set(['held', 'invalid', 'conflict', 'duplicate']);

/** With the state that the document has: someone may have changed it, or one that gives it rows, since the plan. */
export function asItIs(
  one: ReprocessResult,
  now: ReadonlyMap<string, LedgerEntry>,
  { id }: SourceFile,
): ReprocessResult {
  if ('fault' in one || one.state === 'unchanged') return one;
  const entry = must(now.get(one.entry.id), 'an entry that was read again');
  if (entry.file.id !== id) return { entry: one.entry, fault: changedMeanwhile(one.entry) };
  if (one.absorbed !== undefined) {
    const taker = now.get(one.first ?? '');
    return taker && AT_REST.has(taker.state) ? { ...one, absorbed: taker.state as PlannedRevision['state'] } : one;
  }
  if (entry.state === one.state || !AT_REST.has(entry.state)) return one;
  const outcome = definedOnly({ ...one.outcome, hold: entry.hold?.says });
  const state = entry.state as (typeof one)['state'];
  return definedOnly({ ...one, state, first: entry.first?.id, outcome });
}

/** Another worker or person has changed it since it was looked at. */
export async function movedOn(
  { ledger }: Pick<ReprocessContext, 'ledger'>,
  { id }: LedgerEntry,
): Promise<{ readonly entry: LedgerEntry; readonly fault: Fault }> {
  const entry = must(await findEntry(ledger.queries, id), 'an entry that was corrected');
  return { entry, fault: notCorrectable(entry) };
}

export function notCorrectable({ state, file, rows, purged }: LedgerEntry): DataFault {
  const says = purged
    ? withMessage(UNDO.purged())
    : withMessage(REPROCESS.notCorrectable({ state, words: stateInfo(state).inSentence }), hintFor(state));
  return {
    code: 'reprocess/not-correctable',
    level: 'error',
    ...says,
    origin: { file: file.name, row: rows[0] ?? 0 },
  };
}

function hintFor(state: State): Message {
  if (allows(state, 'retry')) return REPROCESS.retry();
  if (allows(state, 'consult')) return REPROCESS.consult();
  return REPROCESS.ownDocument();
}

/** `fix/changed-meanwhile`: the document is not the version that the person has seen. */
export function changedMeanwhile(entry: LedgerEntry): DataFault {
  const { file, rows } = entry;
  const document = documentName(entry);
  return {
    code: 'fix/changed-meanwhile',
    level: 'error',
    ...withMessage(FIX.changedMeanwhile({ document }), FIX.lookAgain({ document })),
    origin: { file: file.name, row: rows[0] ?? 0 },
  };
}
