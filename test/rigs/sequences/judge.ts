/**
 * The judge of a walk: knows from outside what arrived at the service, what the service said, and what people decided about
 * what they had seen. Each complaint is a broken promise.
 */
import type { State } from '../../../src/model/state.ts';
import { type Fate, isOverLimit, type Said } from './step.ts';

export type Arrival = {
  readonly text: number;
  /** Place in the order of everything that happens in a walk. */
  readonly at: number;
  /** `interrupted`: the program ended before the answer. */
  said?: Said | 'interrupted';
  fate?: Fate | undefined;
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
  return !isTakenBack && (act === 'retry' || act === 'resolve') && seen.ended > index;
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
function mayBeProcessed({ said, at }: Arrival, { questions }: Dossier): boolean {
  if (NOT_PROCESSED.has(said)) return false;
  return !questions.some(({ asked, answer, recorded }) => asked > at && answer?.code === 6 && recorded !== undefined);
}

/** The first of the submissions `before` another one that may be processed, and about which no person decided since. */
function undecided(dossier: Dossier, before: number): number {
  const isDecided = (index: number) => dossier.decisions.some((one) => isAbout(one, index));
  return dossier.arrivals.slice(0, before).findIndex((one, index) => mayBeProcessed(one, dossier) && !isDecided(index));
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
  return complaints;
}

/** Complaints about a decision that the ledger has just recorded. `revision`: of the document now. */
export function judgeDecision(
  dossier: Dossier,
  decision: Decision,
  revision: number,
  proof: boolean,
): readonly string[] {
  const { act, seen } = decision;
  const complaints: string[] = [];
  if (revision !== seen.revision)
    complaints.push(`${act} of revision ${revision}, and the person saw revision ${seen.revision}`);
  if (act === 'retry' && (seen.state === 'in-doubt' || seen.state === 'returned')) {
    const why = whyNotRepeated(dossier);
    if (why !== undefined || !proof) complaints.push(`retry was allowed although ${why ?? 'no proof was given'}`);
  }
  return complaints;
}

/** A document in doubt goes out again if two answers, an hour apart and after its last submission, do not know it. */
function whyNotRepeated({ arrivals, questions }: Dossier): string | undefined {
  const since = arrivals.at(-1)?.at ?? 0;
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

/** Complaints about how a document ends: what may be processed is to be seen, if no person said otherwise. */
export function judgeEnd(dossier: Dossier, state: State): readonly string[] {
  const open = undecided(dossier, dossier.arrivals.length);
  if (open < 0 || VISIBLE.has(state)) return [];
  return [`${state} at the end, and submission ${open + 1} may be processed`];
}
