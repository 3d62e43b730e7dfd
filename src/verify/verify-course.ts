/**
 * The course of a document: each stored answer is judged again, and the state and the answer of the ledger must follow from
 * attempts and decisions. Reads only; differences are breaks.
 */

import { isDeepStrictEqual } from 'node:util';
import { boundedAnswer } from '../delivery/answer-bounds.ts';
import type { Destination, Ours } from '../delivery/service.ts';
import type { Message } from '../i18n/message.ts';
import { COURSE, FOUND } from '../i18n/messages/pipeline-messages.ts';
import type { QueryStore, RecordedAttempt } from '../ledger/contract/query-store.ts';
import { type Answer, type Exchange, isOfNumberOnly, STATE_BY_CODE, type Verdict } from '../model/answer.ts';
import type { LedgerEntry } from '../model/ledger-entry.ts';
import { allows, mayBeOut, type State } from '../model/state.ts';
import { numberInContent } from '../pipeline/submission/send-due.ts';
import { appendAll } from '../text/long-lists.ts';
import { aboutOf, type Break, broken } from './verify-findings.ts';
import type { VerifyContext } from './verify-source.ts';

/** What the ledger has of an entry: its content, its attempts and the state in which it was admitted. */
type Recorded = {
  readonly content: string | undefined;
  readonly tried: readonly RecordedAttempt[];
  readonly first: State;
  readonly late: LateAnswers;
};

export type LateAnswers = {
  /** What came too late to change anything. */
  readonly verdicts: readonly LateVerdict[];
  /** What counted for a submission in doubt, after so many consultations and decisions. */
  readonly ends: readonly LateEnd[];
};

type LateEnd = { readonly n: number; readonly after: { readonly consults: number; readonly resolves: number } };

/** As the history has it: the attempt of a submission keeps the outcome from before its answer. */
export type LateVerdict = Pick<Verdict, 'state' | 'answer'> & {
  readonly act: RecordedAttempt['act'];
  readonly n: number;
};

type Course = { state: State; answer: Answer | undefined; tries: number; rateLimited: number };

/** The result for the course of one document. */
export type CourseFound = {
  /** Stored answers that were judged again. */
  readonly judged: number;
  /** Answers known only from receipts, because the ledger was rebuilt from them. */
  readonly hearsay: number;
  readonly breaks: readonly Break[];
};

/** Walks through everything that was tried, in its order, and says where it ends elsewhere than the ledger. */
export function judgedAgain(
  { instance }: VerifyContext,
  entry: LedgerEntry,
  { content, tried, first, late }: Recorded,
): CourseFound {
  const destination = instance.destinations.find(({ name }) => name === entry.service);
  const differs = (says: Message) => broken('verify/answer-differs', says, aboutOf(entry));
  const breaks: Break[] = [];
  const none = { answer: undefined, tries: 0, rateLimited: 0 };
  const course: Course = { state: first, ...none };
  let revision = 0;
  for (const { one, part } of inOrderOfEnds(tried, late.ends)) {
    const isLatest = one.revision === entry.revision;
    if (one.revision !== revision) Object.assign(course, { state: isLatest ? first : 'ready', ...none });
    revision = one.revision;
    const verdicts = late.verdicts.filter(({ act, n }) => act === one.act && n === one.n);
    if (part !== 'ends')
      appendAll(breaks, otherMeaning(destination, entry, one, { course, late: verdicts, content }).map(differs));
    if (part === 'begins') goOn(course, { ...one, outcome: 'in-doubt', answer: undefined });
    else if (one.act !== 'consult' || verdicts.length === 0) goOn(course, one);
  }
  if (revision !== entry.revision) Object.assign(course, { state: first, answer: undefined });
  const hearsay = tried.filter(isHearsay).length;
  const judged = destination ? tried.filter(isJudged).length : 0;
  return { judged, hearsay, breaks: [...breaks, ...courseBreaks(entry, course, hearsay > 0)] };
}

/** `part`: of a submission that was in doubt for a time. */
type Step = { readonly one: RecordedAttempt; readonly part?: 'begins' | 'ends' };

function inOrderOfEnds(tried: readonly RecordedAttempt[], ends: readonly LateEnd[]): readonly Step[] {
  const steps: Step[] = [];
  let open: { readonly end: LateEnd; readonly one: RecordedAttempt } | undefined;
  for (const one of tried) {
    if (open && isBefore(open.end, one)) {
      steps.push({ one: open.one, part: 'ends' });
      open = undefined;
    }
    const end = one.act === 'submit' ? ends.findLast(({ n }) => n === one.n) : undefined;
    steps.push({ one, ...(end && { part: 'begins' }) });
    if (end) open = { end, one };
  }
  return open ? [...steps, { one: open.one, part: 'ends' }] : steps;
}

/** `late`: of this attempt. */
type Place = {
  readonly course: Course;
  readonly late: readonly LateVerdict[];
  readonly content: string | undefined;
};

function otherMeaning(
  destination: Destination | undefined,
  entry: LedgerEntry,
  one: RecordedAttempt,
  { course, late, content }: Place,
): readonly Message[] {
  if (!destination || !isJudged(one)) return [];
  const number = one.revision === entry.revision ? numberInContent(content, entry.facts.identifier) : {};
  const document = { class: entry.class, ...number };
  // Of one that was late only its own outcome shows in which state it was asked.
  if (one.act === 'consult' && late.length > 0)
    return otherVerdict(destination, one, { ...course, state: one.outcome }, document);
  const said = late.map(({ state, answer }) => {
    const { code: _, answer: __, ...sent } = one;
    return { ...sent, outcome: state, ...(answer && { code: answer.code, answer }) };
  });
  const others = [one, ...said].map((recorded) => otherVerdict(destination, recorded, course, document));
  return others.some((found) => found.length === 0) ? [] : (others[0] ?? []);
}

type Judged = RecordedAttempt & { readonly exchange: Exchange; readonly outcome: State };

function isJudged(one: RecordedAttempt): one is Judged {
  return one.exchange !== undefined && one.outcome !== undefined;
}

/** What the answer means, if no verdict on it is the recorded one. */
function otherVerdict(
  destination: Destination,
  one: Judged,
  before: Course,
  document: Pick<Ours, 'class' | 'identifier'>,
): readonly Message[] {
  const verdicts = verdictsOf(destination, one, before, document);
  if (verdicts.some((verdict) => isRecorded(verdict, one))) return [];
  const [verdict] = verdicts;
  const recorded = outcomeText(one.outcome, one.code);
  const means = outcomeText(verdict.state, verdict.answer?.code);
  return [COURSE.recordedAs({ act: one.act, n: one.n, recorded, again: means })];
}

/** A code that came without anything that could have carried it. */
function isHearsay({ act, code, exchange }: RecordedAttempt): boolean {
  return act !== 'resolve' && code !== undefined && exchange === undefined;
}

/** The history has them, because only the order of the ends shows it. */
export async function lateAnswers(
  ledger: QueryStore,
  entry: LedgerEntry,
  tried: readonly RecordedAttempt[],
): Promise<LateAnswers> {
  if (!tried.some(mayBeLate)) return { verdicts: [], ends: [] };
  const history = await ledger.historyOf(entry.id);
  const verdicts = history.flatMap(({ what, detail }): readonly LateVerdict[] =>
    what === 'late-verdict' ? [{ act: 'submit', ...(detail as Omit<LateVerdict, 'act'>) }] : [],
  );
  const ends = history.flatMap(({ detail }) => (detail && 'after' in detail ? [detail as LateEnd] : []));
  return { verdicts, ends };
}

/** Without one of these no answer came after anything else. */
function mayBeLate({ act, outcome, exchange }: RecordedAttempt): boolean {
  return act !== 'submit' || (outcome === 'in-doubt' && exchange !== undefined);
}

/** Whether this was tried, or decided, after the end. */
function isBefore({ after }: LateEnd, { act, n }: RecordedAttempt): boolean {
  if (act === 'submit') return true;
  return n > (act === 'consult' ? after.consults : after.resolves);
}

/**
 * A verdict also depends on whether the token had been renewed, which is not recorded: both are possible. So is what an older version
 * decided: it counted every try towards the limit of HTTP 429, and kept the state in doubt after code 8.
 */
function verdictsOf(
  destination: Destination,
  { act, exchange, requestId, at, n }: RecordedAttempt & { readonly exchange: Exchange },
  { state, tries, rateLimited }: Course,
  document: Pick<Ours, 'class' | 'identifier'>,
): readonly [Verdict, ...Verdict[]] {
  const ours = { ...document, requestId, now: new Date(at), random: () => 0.5 };
  if (act === 'consult') {
    const asked = { ...ours, tokenRenewed: false, tries: n - 1 };
    // In older versions a consultation also decided about a document that was only returned.
    const judge = (onlyReturned: boolean) => destination.judgeConsultation(exchange, { ...asked, onlyReturned }, state);
    const now = [judge(false), judge(true)] as const;
    return [...now, ...now.flatMap((verdict) => beforeItDecided(verdict, state))];
  }
  const judge = (tokenRenewed: boolean, limited: number) =>
    destination.judge(exchange, { ...ours, tokenRenewed, tries, rateLimited: limited });
  const now = [judge(false, rateLimited), judge(true, rateLimited), judge(false, tries)] as const;
  // The sender of the request, which its answer has to echo, is not recorded: as if it was another one.
  const ofOtherSender = destination.judge(exchange, {
    ...ours,
    tokenRenewed: false,
    tries,
    rateLimited,
    senderId: '',
    country: '',
  });
  return [...now, ofOtherSender, ...otherwiseSet(exchange, now[0])];
}

/** The verdicts between which the settings decide, which may have changed since; older versions sent again after code 15 under HTTP 401. */
function otherwiseSet(exchange: Exchange, { answer }: Verdict): readonly Verdict[] {
  const status = 'status' in exchange ? exchange.status : undefined;
  if (answer) return status === 401 && answer.code === 15 ? [{ state: 'ready', reason: '' }] : [];
  if (status !== 401 && status !== 429) return [];
  return [
    { state: 'ready', reason: '' },
    { state: 'refused', reason: '' },
  ];
}

/** The verdict of an older version on the same answer. */
function beforeItDecided(verdict: Verdict, before: State): readonly Verdict[] {
  const { answer, ...rest } = verdict;
  if (answer?.code === 8) return [{ ...verdict, state: before }];
  return answer && answer.code !== 18 && !STATE_BY_CODE.has(answer.code) ? [rest] : [];
}

function isRecorded({ state, answer }: Verdict, one: RecordedAttempt): boolean {
  return state === one.outcome && answer?.code === one.code && isSameAnswer(answer, one.answer);
}

/** What older versions of the program did not keep of an answer. */
const KEPT_LATER = [
  'documentType',
  'contentInto',
  'file',
  'pagination',
  'date',
  'amount',
] as const satisfies readonly (keyof Answer)[];

/** An answer that an older version recorded is compared by what that version kept, and as long as it kept it. */
function isSameAnswer(again: Answer | undefined, recorded: Answer | undefined): boolean {
  const now = plain(again);
  if (isDeepStrictEqual(now, recorded)) return true;
  if (!now || !recorded || KEPT_LATER.some((name) => recorded[name] !== undefined)) return false;
  const then = Object.fromEntries(
    Object.entries(now).filter(([name]) => !(KEPT_LATER as readonly string[]).includes(name)),
  );
  return isDeepStrictEqual(then, boundedAnswer(recorded));
}

/** As the ledger gives it back. */
function plain(answer: Answer | undefined): Answer | undefined {
  return answer && (JSON.parse(JSON.stringify(answer)) as Answer);
}

type Ended = Pick<RecordedAttempt, 'act' | 'http'> & {
  readonly outcome?: State | undefined;
  readonly answer?: Answer | undefined;
};

function goOn(course: Course, { act, outcome, answer, http }: Ended): void {
  if (act === 'submit') {
    course.state = outcome ?? 'sending';
    course.answer = answer;
    if (outcome === 'ready') course.tries++;
    if (outcome === 'ready' && http === 429) course.rateLimited++;
    return;
  }
  if (outcome === undefined) return;
  if (act === 'resolve') {
    course.state = outcome;
    course.tries = 0;
    course.rateLimited = 0;
    return;
  }
  // A consultation changes nothing once a person has recorded the outcome.
  if (!allows(course.state, 'consult')) return;
  course.state = outcome;
  if (answer === undefined || !STATE_BY_CODE.has(answer.code) || isOfNumberOnly(outcome, answer)) return;
  const { trackingId } = course.answer ?? {};
  course.answer = trackingId === undefined ? answer : { trackingId, ...answer };
}

/** From these a document is held without an attempt: by another ledger, or by an outcome that came late. A hold sends nothing. */
const HELD_FROM: ReadonlySet<State> = new Set(['ready', 'held', 'rejected', 'failed']);

function isHold({ state, hold }: LedgerEntry, course: State): boolean {
  if (state === 'ready') return course === 'held';
  if (state !== 'held' || !HELD_FROM.has(course)) return false;
  return course === 'ready' || (hold !== undefined && mayBeOut(hold.rule));
}

function courseBreaks(entry: LedgerEntry, course: Course, hasHearsay: boolean): readonly Break[] {
  if (entry.state === 'sending') return [];
  const breaks: Break[] = [];
  if (entry.state !== course.state && !isHold(entry, course.state)) {
    const says = COURSE.endsIn({ state: entry.state, course: course.state });
    breaks.push(broken('verify/state-differs', says, aboutOf(entry)));
  }
  if (!hasHearsay && !isDeepStrictEqual(entry.answer, course.answer)) {
    const says = COURSE.otherAnswer({ answer: answerText(entry.answer), last: answerText(course.answer) });
    breaks.push(broken('verify/answer-differs', says, aboutOf(entry)));
  }
  return breaks;
}

function outcomeText(state: State, code: number | undefined): Message {
  if (code === undefined) return COURSE.outcome({ state });
  return COURSE.outcomeWithCode({ state, code });
}

function answerText(answer: Answer | undefined): Message {
  if (!answer) return FOUND.none();
  return COURSE.answer({ code: answer.code, message: answer.message ?? answer.name ?? '' });
}
