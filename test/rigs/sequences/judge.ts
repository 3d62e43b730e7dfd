/**
 * The judge of a walk: knows from outside what arrived at the service, what the service said, and what people decided about
 * what they had seen. Each complaint is a broken promise.
 */
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import type { State } from '../../../src/model/state.ts';
import { type Fate, hasIt } from '../fate.ts';
import { isOverLimit, type Said } from './step.ts';

export type Arrival = {
  readonly text: number;
  /** Place in the order of everything that happens in a walk. */
  readonly at: number;
  /** `interrupted`: the program ended before the answer. */
  said?: Said | 'interrupted';
  fate?: Fate | undefined;
  /** When its answer was recorded, if another program had put it in doubt before. */
  cameLate?: number;
};

export type Question = {
  readonly asked: number;
  /** On the clock of the walk, as that of its record. */
  readonly askedMs: number;
  /** The code of a trustworthy answer, and when it came: a program that stands still records it long after. */
  answer?: { readonly code: number; readonly at: number };
  /** When its answer was recorded: in the order of the walk, and on its clock. */
  recorded?: { readonly at: number; readonly ms: number };
};

/** What a person had before them when they decided. */
export type Seen = { readonly text: number; readonly revision: number; readonly state: State; readonly ended: number };

export type Decision = {
  readonly act: string;
  readonly as: State;
  readonly seen: Seen;
  readonly at: number;
  isTakenBack?: true | undefined;
};

/** All that is known of a document. */
export type Dossier = {
  readonly arrivals: Arrival[];
  readonly questions: Question[];
  readonly decisions: Decision[];
};

function isAbout({ act, seen, isTakenBack }: Decision, index: number): boolean {
  const isResend = act === 'retry' || (act === 'release' && seen.state === 'held');
  return !isTakenBack && (isResend || act === 'resolve') && seen.ended > index;
}

const CODES: { readonly [said in Said]?: number } = { authorized: 2, contingency: 8, invalidated: 11 };

/** Recorded answers by which the service has what this submission brought, and nothing later. */
function foundBy(index: number, { arrivals, questions }: Dossier) {
  const [from = 0, to = Infinity] = [arrivals[index]?.at, arrivals[index + 1]?.at];
  const { said, cameLate } = arrivals[index] ?? {};
  const code = said && CODES[said as Said];
  const late = cameLate !== undefined && hasIt(code) ? [{ code, at: cameLate }] : [];
  const asked = questions.flatMap(({ asked, answer, recorded }) =>
    recorded && asked > from && asked < to && hasIt(answer?.code) ? [{ code: answer?.code, at: recorded.at }] : [],
  );
  return [...late, ...asked];
}

const HOUR_MS = 3_600_000;
/** The clock of a walk moves at each look, between an answer and its record too. */
const LOOKS_MS = 1000;
const NOT_PROCESSED: ReadonlySet<string | undefined> = new Set<Said>([
  'rejected',
  'returned',
  'refused',
  'token',
  'later',
]);

/** Whether the service processed it, or may have: nothing that was asked after it says otherwise. */
function mayBeProcessed(index: number, dossier: Dossier): boolean {
  const { said, at = 0 } = dossier.arrivals[index] ?? {};
  const isRejected = dossier.questions.some(
    ({ asked, answer, recorded }) => asked > at && answer?.code === 6 && recorded !== undefined,
  );
  if (isRejected) return false;
  return !NOT_PROCESSED.has(said) || foundBy(index, dossier).length > 0;
}

/** The first of the submissions `before` another one that may be processed, and about which no person decided since. */
function undecided(dossier: Dossier, before: number): number {
  // A person who decided before the service said that it has the document did not know that.
  const isDecided = (index: number) => {
    const found = foundBy(index, dossier);
    const knew = ({ at, seen }: Decision) =>
      found.every((one) => at > one.at || (one.code === 8 && seen.state === 'contingency'));
    return dossier.decisions.some((one) => isAbout(one, index) && knew(one));
  };
  return dossier.arrivals.slice(0, before).findIndex((_, index) => mayBeProcessed(index, dossier) && !isDecided(index));
}

/** Complaints about the submission that arrived last. */
export function judgeArrival(dossier: Dossier): readonly string[] {
  const { arrivals, decisions } = dossier;
  const complaints: string[] = [];
  const last = arrivals.length - 1;
  const open = undecided(dossier, last);
  if (open >= 0) {
    const { said = 'no answer yet' } = arrivals[open] ?? {};
    const isTakenBack = decisions.some((one) => one.isTakenBack && isAbout({ ...one, isTakenBack: undefined }, open));
    const decided = isTakenBack ? 'after the decision was taken back' : 'without a decision';
    complaints.push(`submission ${last + 1} ${decided}: submission ${open + 1} may be processed (${said})`);
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
    const why = whyNotRepeated(dossier, decision.at);
    if (why !== undefined || !proof) complaints.push(`retry was allowed although ${why ?? 'no proof was given'}`);
  }
  return complaints;
}

/**
 * A document in doubt goes out again if two answers, an hour apart and after its last submission, do not know it. `before`: when
 * the person decided. A watch may have sent because of it before the judge is asked, and no answer is later than that submission.
 */
function whyNotRepeated({ arrivals, questions }: Dossier, before: number): string | undefined {
  const since = arrivals.findLast(({ at }) => at < before)?.at ?? 0;
  const answers = questions.flatMap(({ asked, askedMs, answer, recorded }) =>
    answer && recorded && asked > since ? [{ asked, askedMs, answer, recorded }] : [],
  );
  const known = answers.filter(({ answer }) => answer.code !== 18);
  const knownAt = Math.max(0, ...known.map(({ answer }) => answer.at));
  const last = answers.filter(({ asked, answer }) => answer.code === 18 && asked > knownAt);
  if (last.length < 2 && known.length > 0) return `the service knew the document since (code ${known[0]?.answer.code})`;
  if (last.length < 2) return `${last.length} answers since the last submission do not know it`;
  const apartMs = Math.max(spanOf(last.map(({ recorded }) => recorded.ms)), spanOf(last.map(({ askedMs }) => askedMs)));
  return apartMs + LOOKS_MS < HOUR_MS ? 'the answers that do not know it are not an hour apart' : undefined;
}

function spanOf(times: readonly number[]): number {
  return Math.max(...times) - Math.min(...times);
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
