/**
 * The judge of a walk: knows from outside what arrived at the service, what the service said, and what people decided about
 * what they had seen. Each complaint is a broken promise.
 */
import type { HoldRule } from '../../../src/model/document.ts';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { mayBeOut, type State } from '../../../src/model/state.ts';
import type * as sentAgain from '../sent-again.ts';
import { isProvenMissing, mayBeProcessed, undecided, undecidedOf } from '../sent-again.ts';
import { isOverLimit } from './step.ts';

/** `rows`: of the export that it was made of. */
export type Arrival = sentAgain.Arrival & {
  readonly text: number;
  readonly rows?: { readonly of: string; readonly numbers: readonly number[] };
  fate?: sentAgain.Fate | undefined;
};

/** What a person had before them when they decided. */
export type Seen = {
  readonly text: number;
  readonly revision: number;
  readonly state: State;
  readonly ended: number;
  readonly hold?: HoldRule | undefined;
};

export type Decision = sentAgain.Decision & { readonly as: State; readonly seen: Seen };

export type Dossier = sentAgain.Dossier<Arrival, Decision>;

/** Complaints about the submission that arrived last. */
export function judgeArrival(dossier: Dossier): readonly string[] {
  const { arrivals, decisions } = dossier;
  const complaints: string[] = [];
  const last = arrivals.length - 1;
  const open = undecided(dossier, last);
  if (open >= 0) {
    const { said = 'no answer yet' } = arrivals[open] ?? {};
    complaints.push(`submission ${last + 1} without a decision: submission ${open + 1} may be processed (${said})`);
  }
  const { text = 0 } = arrivals[last] ?? {};
  const isReleased = decisions.some((one) => !one.isTakenBack && one.as === 'ready' && one.seen.text === text);
  if (isOverLimit(text) && !isReleased)
    complaints.push(`text ${text} was sent, and the person who released saw another`);
  const before = arrivals.slice(0, last).findLastIndex((one) => one.text === text);
  const isBack = before >= 0 && before < last - 1 && arrivals[last - 1]?.text !== text;
  const asked = decisions.some((one) => !one.isTakenBack && one.as === 'ready' && one.at > (arrivals[before]?.at ?? 0));
  if (isBack && !asked)
    complaints.push(`text ${text} was sent by submission ${before + 1}, and came back without a decision`);
  return complaints;
}

/** Complaints about the submission that arrived last, which has rows that were in another document before. */
export function judgeRows(dossier: Dossier, others: readonly Dossier[]): readonly string[] {
  const { rows } = dossier.arrivals.at(-1) ?? {};
  if (!rows) return [];
  // The hold said that the rows may be out; and one who released the other document so has seen this one too.
  const isRelease = ({ as, seen: { hold } }: Decision) => as === 'ready' && hold !== undefined && mayBeOut(hold);
  return others.flatMap((other) => {
    const isMeant = (index: number) => {
      const sent = other.arrivals[index]?.rows;
      return sent?.of === rows.of && sent.numbers.some((row) => rows.numbers.includes(row));
    };
    const open = undecidedOf(other, isMeant, [...dossier.decisions, ...other.decisions].filter(isRelease));
    return open < 0 ? [] : [`rows of it are in submission ${open + 1} of another document, which may be processed`];
  });
}

/** What a person says that the service has. */
const SAID_TO_BE_THERE: ReadonlySet<State> = new Set(['authorized', 'invalidated', 'contingency']);

/** Complaints about a decision that the ledger has just recorded. `now`: the document after it. */
export function judgeDecision(
  dossier: Dossier,
  decision: Decision,
  { revision, text }: Pick<Seen, 'revision' | 'text'>,
  proof: boolean,
): readonly string[] {
  const { act, as, seen } = decision;
  const complaints: string[] = [];
  const wasSent = dossier.arrivals.some((arrival) => arrival.text === text);
  const isThere = act === 'resolve' && SAID_TO_BE_THERE.has(as);
  if (isThere && seen.state === 'held' && !wasSent)
    complaints.push(`${as} is recorded about text ${text}, which was never sent`);
  const of = (isText: boolean) =>
    dossier.arrivals.some((arrival, n) => (arrival.text === text) === isText && mayBeProcessed(n, dossier));
  if (isThere && seen.state === 'held' && wasSent && !of(true) && of(false))
    complaints.push(`${as} is recorded about text ${text}, which was not issued`);
  // What was sent takes the place of a correction that was not.
  const isRecalled = isThere && text !== seen.text && revision === seen.revision + 1;
  if (revision !== seen.revision && !isRecalled)
    complaints.push(`${act} of revision ${revision}, and the person saw revision ${seen.revision}`);
  if (act === 'retry' && (seen.state === 'in-doubt' || seen.state === 'returned')) {
    if (!proof) complaints.push('retry was allowed without proof');
    if (!isProvenMissing(dossier, decision.at))
      complaints.push('retry was allowed, and no two answers an hour apart do not know it');
  }
  return complaints;
}

/** A decision that was taken back counts no longer, and nothing may have been sent because of it. */
export function judgeUndo(dossier: Dossier): readonly string[] {
  const decision = dossier.decisions.findLast(({ isTakenBack }) => !isTakenBack);
  if (!decision) return ['a decision was taken back that was never made'];
  decision.isTakenBack = true;
  const isUsed = dossier.arrivals.some(({ at }) => at > decision.at);
  return isUsed ? [`${decision.act} was taken back after a submission`] : [];
}

const VISIBLE: ReadonlySet<State> = new Set([
  'in-doubt',
  'contingency',
  'authorized',
  'invalidated',
  'failed',
  'returned',
]);

const NOT_AT_REST: ReadonlySet<State> = new Set(['ready', 'sending', 'contingency']);

/** Complaints about how a document ends: what may be processed is to be seen, if no person said otherwise, and was asked about. */
export function judgeEnd(dossier: Dossier, { state, hold }: Pick<LedgerEntry, 'state' | 'hold'>): readonly string[] {
  const complaints: string[] = [];
  // Nothing ever arrived, so that no answer ends a contingency that a person has recorded.
  const neverEnds = state === 'contingency' && dossier.arrivals.length === 0;
  if (NOT_AT_REST.has(state) && !neverEnds) complaints.push(`${state} at the end, and nothing more is due`);
  const since = dossier.arrivals.at(-1)?.at ?? 0;
  const isAsked = dossier.questions.some(({ asked }) => asked > since);
  if (state === 'in-doubt' && !isAsked) complaints.push('in doubt at the end, and the service was not asked');
  const open = undecided(dossier, dossier.arrivals.length);
  if (open >= 0 && !VISIBLE.has(state) && hold?.rule !== 'outcome-arrived')
    complaints.push(`${state} at the end, and submission ${open + 1} may be processed`);
  return complaints;
}
