/**
 * The rule of all judges: may an earlier submission be processed, and has no person decided about it since? They know from outside
 * what arrived at the service under one number, what it answered, and what people decided about what they had seen.
 */

/** What a service makes of a document that it takes in, by the codes of its table. */
export type Fate = 2 | 4 | 6 | 8 | 11;
/** What the program got: a code, a status of HTTP, or no answer. */
export type Said = number | 'cut';

export type Arrival = {
  /** Place in the order of everything that happens. */
  readonly at: number;
  /** Absent while the program waits for it. */
  said?: Said;
  /** When its answer was recorded, if another program had put it in doubt before. */
  cameLate?: number;
};

export type Question = {
  readonly asked: number;
  /** On the clock of the program, as that of its record. */
  readonly askedMs: number;
  /** The code of a trustworthy answer, and when it came: a paused program records it long after. */
  answer?: { readonly code: number; readonly at: number };
  /** When its answer was recorded: in the order of everything, and on the clock. */
  recorded?: { readonly at: number; readonly ms: number };
};

export type Decision = {
  readonly act: string;
  /** The outcome that the person recorded, where it is known. */
  readonly as?: string;
  readonly at: number;
  /** What the person had before them; `ended`: so many submissions. */
  readonly seen: { readonly state: string; readonly ended: number };
  isTakenBack?: true | undefined;
};

/** All that is known of a document. */
export type Dossier<Arrived = Arrival, Decided = Decision> = {
  readonly arrivals: Arrived[];
  readonly questions: Question[];
  readonly decisions: Decided[];
};

const HAS_IT: ReadonlySet<unknown> = new Set<Fate>([2, 8, 11]);
const [REJECTED, CONTINGENCY, RETURNED, NOT_FOUND] = [6, 8, 15, 18];

/** Recorded answers about this submission, and about none after it. */
function answersAbout(index: number, { arrivals, questions }: Dossier) {
  const [from = 0, to = Infinity] = [arrivals[index]?.at, arrivals[index + 1]?.at];
  return questions.flatMap(({ asked, answer, recorded }) =>
    answer && recorded && asked > from && asked < to ? [{ code: answer.code, at: recorded.at }] : [],
  );
}

/** Those by which the service has what it brought. */
function foundBy(index: number, dossier: Dossier) {
  const { said, cameLate } = dossier.arrivals[index] ?? {};
  const late = cameLate === undefined ? [] : [{ code: Number(said), at: cameLate }];
  return [...late, ...answersAbout(index, dossier)].filter(({ code }) => HAS_IT.has(code));
}

/** The service has said that it did not process it: rejected, returned, refused by a status. An error of its own proves nothing. */
function isRefusal(said: Said | undefined): boolean {
  return said === REJECTED || said === RETURNED || (Number(said) >= 400 && Number(said) < 500);
}

/** Whether the service processed it, or may have: nothing that was asked about it says otherwise. */
export function mayBeProcessed(index: number, dossier: Dossier): boolean {
  if (answersAbout(index, dossier).some(({ code }) => code === REJECTED)) return false;
  return !isRefusal(dossier.arrivals[index]?.said) || foundBy(index, dossier).length > 0;
}

/** What a person records of a document that the service has: nothing more of it is sent because of that. */
const SAID_TO_BE_THERE: ReadonlySet<unknown> = new Set(['authorized', 'invalidated', 'contingency']);

function isAbout({ act, as, seen, isTakenBack }: Decision, index: number): boolean {
  const isResend = act === 'retry' || (act === 'release' && seen.state === 'held');
  const isRecorded = act === 'resolve' && !SAID_TO_BE_THERE.has(as);
  return !isTakenBack && (isResend || isRecorded) && seen.ended > index;
}

/** Whether a person knew what was found; one who decided before the service said that it has the document did not. */
function knew({ at, seen }: Decision, found: ReturnType<typeof foundBy>): boolean {
  return found.every((one) => at > one.at || (one.code === CONTINGENCY && seen.state === 'contingency'));
}

/** Whether a submission may be processed, and no person decided about it since. */
function isOpen(index: number, dossier: Dossier): boolean {
  const found = foundBy(index, dossier);
  const isDecided = dossier.decisions.some((one) => isAbout(one, index) && knew(one, found));
  return mayBeProcessed(index, dossier) && !isDecided;
}

/** The first of the submissions `before` another one that may be processed, and about which no person decided since. */
export function undecided(dossier: Dossier, before: number): number {
  return dossier.arrivals.slice(0, before).findIndex((_, index) => isOpen(index, dossier));
}

/** The same of the submissions of another document that are meant, where `released` are those who let this one go although they saw why not. */
export function undecidedOf(
  dossier: Dossier,
  isMeant: (index: number) => boolean,
  released: readonly Decision[],
): number {
  const isReleased = (index: number) => {
    const found = foundBy(index, dossier);
    return released.some((one) => !one.isTakenBack && found.every(({ at }) => one.at > at));
  };
  return dossier.arrivals.findIndex((_, index) => isMeant(index) && isOpen(index, dossier) && !isReleased(index));
}

const HOUR_MS = 3_600_000;
/** A clock moves between an act of the program and what the judge sees of it. */
const LOOKS_MS = 1000;

/**
 * Two answers, an hour apart and after its last submission, do not know it, and no other came after them. `before`: when a person decided.
 * A watch may have sent because of it before the judge is asked. `dayOf`: they have to be on two days as well.
 */
export function isProvenMissing(
  { arrivals, questions }: Omit<Dossier, 'decisions'>,
  before: number,
  dayOf: (ms: number) => number = (ms) => ms,
): boolean {
  const since = arrivals.findLast(({ at }) => at < before)?.at ?? 0;
  const answers = questions.flatMap(({ asked, askedMs, answer, recorded }) =>
    answer && recorded && asked > since ? [{ asked, askedMs, answer, recorded }] : [],
  );
  const known = answers.filter(({ answer }) => answer.code !== NOT_FOUND);
  const knownAt = Math.max(0, ...known.map(({ answer }) => answer.at));
  const missing = answers.filter(({ asked, answer }) => answer.code === NOT_FOUND && asked > knownAt);
  const areApart = (times: readonly number[]) => {
    const [first, last] = [Math.min(...times) - LOOKS_MS, Math.max(...times)];
    return last - first >= HOUR_MS && dayOf(first) !== dayOf(last);
  };
  return areApart(missing.map(({ recorded }) => recorded.ms)) || areApart(missing.map(({ askedMs }) => askedMs));
}
