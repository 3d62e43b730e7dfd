/**
 * The judge of a life: what must be true of an instance, calculated from the bytes of the exports, from what the service received
 * and from what people decided, with nothing of the program. Read it before you believe a green simulation.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Decision, type Dossier, isProvenMissing, undecided } from '../rigs/sent-again.ts';
import { judgeAttached } from './attached.ts';
import {
  centsOf,
  complete,
  firstName,
  identityOf,
  isExport,
  isNote,
  isOfPair,
  priceIn,
  readExport,
  states,
  totalOf,
} from './exports.ts';
import { ENDED_BY_SIGNAL, type Ended, type Export, type History, type Ran } from './history.ts';
import { LIMIT } from './house-files.ts';
import type { Arrival } from './service.ts';
import type { Causes, Documents, Listed, Receipt, Report, Status, Summary, Views, Waiting } from './shapes.ts';

/** `about`: rows and arrivals may never be wrong; a figure is a sum or a sentence that contradicts what happened. */
export type Complaint = {
  readonly about: 'arrivals' | 'rows' | 'answers' | 'program' | 'figures';
  readonly says: string;
};

/** Decisions by which a person states where a document is, or that it is over. */
const SAYS = new Set(['resolve', 'set-aside', 'reject']);
/** Holds that say of a document, whatever its state, that it may have been sent. */
const MAY_BE_OUT = new Set(['restored', 'ledger-accepted', 'outcome-arrived', 'rows-issued']);
/** States in which the service has the document, or may have it. */
const MAY_BE_THERE = new Set(['authorized', 'contingency', 'invalidated', 'in-doubt', 'returned', 'held', 'conflict']);

/** States in which the program asks the service by itself what became of a document. */
const ASKED_ABOUT = new Set(['in-doubt', 'contingency', 'returned']);

// ---- Nothing is sent twice without a decision

export function judgeArrivals(history: History): readonly Complaint[] {
  const { service } = history;
  const complaints: Complaint[] = [];
  const say = (says: string) => void complaints.push({ about: 'arrivals', says });
  const stated = statedAmounts(history);
  for (const [number, arrivals] of Map.groupBy(service.arrivals, (one) => one.number)) {
    for (const [nth, arrival] of arrivals.entries()) {
      const allowed = stated.get(number);
      if (allowed && !allowed.has(centsIn(arrival.amount)))
        say(`${number} was sent with ${arrival.amount}, which no export states`);
      const dossier = dossierOf(history, arrival);
      const isReleased = dossier.decisions.some(({ act }) => act === 'release' || act === 'retry');
      if (totalOf(number, centsIn(arrival.amount)) > LIMIT * 100 && !isReleased)
        say(`${number} was sent with ${arrival.amount}, and no person released it`);
      const open = dossier.arrivals[undecided(dossier, nth)];
      if (open)
        say(`${number} was sent as submission ${nth + 1}, undecided: an earlier one may be processed (${open.said})`);
    }
  }
  return [...complaints, ...judgeAttached(history)];
}

const DAY_MS = 86_400_000;
/** The day in El Salvador. */
const dayOfNote = (ms: number) => Math.floor((ms - DAY_MS / 4) / DAY_MS);

/** What is known of a number until one of its submissions. A decision to send what is in doubt again needs its proof, and none counts that was undone. */
function dossierOf({ service, decisions }: History, { number, at: end }: Arrival): Dossier {
  const arrivals = service.arrivals.filter((one) => one.number === number && one.at < end);
  const questions = service.questions.filter((one) => one.number === number && one.asked < end);
  const standing: Decision[] = [];
  for (const { act, at, until = at, isSure } of decisions.filter((one) => one.number === number && one.at < end)) {
    const sent = arrivals.filter((one) => one.at < at);
    const last = sent.at(-1);
    const asked = questions.filter((one) => one.asked > (last?.at ?? 0) && one.asked < until);
    const hasFailed = [last?.said, ...asked.map(({ answer }) => answer?.code)].includes(4);
    const mayRetry = () =>
      hasFailed || isProvenMissing({ arrivals, questions: asked }, at, isNote(number) ? dayOfNote : undefined);
    if (act === 'undo' && isSure) standing.pop();
    else if (act !== 'retry' || mayRetry())
      standing.push({ act, at: until, seen: { state: 'held', ended: sent.length } });
  }
  return { arrivals, questions, decisions: standing };
}

/** By number: what its exports state (NaN: no number), and what a person has made of it; empty where an export was cut. */
export function statedAmounts({ runs, dropped, decisions }: History): ReadonlyMap<string, Set<number>> {
  const amounts = new Map<string, Set<number>>();
  const fixed = new Set(decisions.filter(({ act }) => act === 'fix' || act === 'fix-held').map(({ number }) => number));
  // Half an export states what its other half completes; half a file of a pair, nothing.
  const isHalf = (one: Export) => isExport(one) && !isOfPair(one) && readExport(one) === undefined;
  if (runs.some(({ taken }) => taken.some(isHalf))) return amounts;
  for (const one of dropped.filter(isExport)) {
    for (const { number, cents } of readExport(one) ?? []) {
      const known = amounts.get(number) ?? new Set<number>();
      known.add(cents ?? Number.NaN);
      amounts.set(number, known);
    }
    if (fixed.size > 0)
      for (const number of fixed) amounts.get(number)?.add(centsOf('2', priceIn(one, number) ?? '0') * 2);
  }
  return amounts;
}

// ---- Each row is in one place, and what is known is known truly

function jsonFiles<T>(root: string, ending: string): readonly T[] {
  return globSync(join(root, `{outbox,pending,error}/2*/*${ending}`)).map((path) =>
    JSON.parse(readFileSync(path, 'utf8')),
  );
}

/** At the end of a life, when nothing is under way any more. */
export function judgeRows({ root, runs, dropped, service, decisions, purged }: History): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const say = (says: string) => void complaints.push({ about: 'rows', says });
  const receipts = jsonFiles<Receipt>(root, '.receipt.json');
  const summaries = jsonFiles<Summary>(root, '.summary.json');
  // A run that can write no receipts leaves everything as it is, night after night.
  const refused = /^nightpost: [a-z]+\/[a-z-]+: .*/m.exec(runs.at(-1)?.ended.err ?? '');
  if (refused) say(`the last run: ${refused[0]}`);
  const taken = runs.filter(({ to }) => to > purged).map((run) => run.taken);
  for (const one of taken.flat().filter(isExport)) {
    const sha256 = createHash('sha256').update(one.text).digest('hex');
    // What a stop left half read returns to the inbox, under another name where its own is taken: that of a later run, or of this one.
    const isOwn = (name: string) => firstName(name) === firstName(one.name);
    const own = summaries.filter(({ file }) => isOwn(file.name) && file.sha256 === sha256);
    // A half that a stop returned to the inbox is written over by its whole.
    const isOver = readExport(one) === undefined && dropped.some(({ name }) => name === one.name);
    if (own.length === 0 && !isOver) say(`${one.name} has no summary`);
    for (const { rows } of own) {
      if (rows.unaccounted.count > 0) say(`${rows.unaccounted.count} rows of ${one.name} are in no place`);
      if (rows.twice.count > 0) say(`${rows.twice.count} rows of ${one.name} are in two places`);
    }
  }
  for (const one of taken.flatMap(complete)) {
    for (const { number } of readExport(one) ?? []) {
      // A duplicate of what was purged is in its summary alone.
      const isPurged = purged > 0 && dropped.some((other) => other.name !== one.name && states(other, number));
      if (!isPurged && !receipts.some(({ document }) => document.identifier === number))
        say(`${number} of ${one.name} has no receipt`);
    }
  }
  for (const number of new Set(service.arrivals.map((one) => one.number))) {
    const ofNumber = receipts.filter(({ document }) => document.identifier === number);
    const states = ofNumber.map(({ state }) => state);
    if (purged > 0) continue;
    const isThere = [2, 8].includes(service.truthOf(number));
    const isSaid = decisions.some((one) => SAYS.has(one.act) && one.number === number);
    const isMarked = ofNumber.some(({ hold }) => hold && MAY_BE_OUT.has(hold.rule));
    if (isThere && !isSaid && !isMarked && !states.some((state) => MAY_BE_THERE.has(state)))
      say(`the service has ${number}, and its receipts say ${states.join(', ') || 'nothing'}`);
    const last = service.arrivals.findLast((one) => one.number === number);
    const isAsked = service.questions.some((one) => one.number === number && one.asked > (last?.at ?? 0));
    if (!isSaid && states.some((state) => ASKED_ABOUT.has(state)) && !isAsked)
      say(`${number} is ${states.join(', ')}, and the service was never asked about it`);
    if (states.filter((state) => state === 'authorized').length > 1) say(`${number} is authorized twice`);
    if (!isThere && !isSaid && states.includes('authorized'))
      say(`${number} is authorized, and the service never took it in`);
  }
  return complaints;
}

/** The exports and reports that a replaced ledger has purged are no more. */
export function judgeVerify({ recovered }: History, { code, out, err }: Ended): readonly Complaint[] {
  const found = new Set(out.match(/verify\/[a-z-]+/g));
  const isOfBefore =
    recovered > 0 && found.size > 0 && [...found].every((one) => /\/(?:source|report)-missing$/.test(one));
  return code === 0 || isOfBefore ? [] : [{ about: 'rows', says: `verify: ${out}${err}` }];
}

/** Long after a life and its last purge: only exports are left of which a document still waits. */
export function judgeForgotten({ root }: History, errors: string): readonly Complaint[] {
  const receipts = jsonFiles<Receipt>(root, '.receipt.json');
  const isOpen = new Set((JSON.parse(errors) as Waiting).documents.map(({ facts }) => facts.identifier));
  const open = receipts.filter(({ document }) => isOpen.has(document.identifier)).map(({ source }) => source.file);
  return receipts
    .filter(({ source }) => !open.includes(source.file))
    .map(({ document, source, state }) => ({
      about: 'rows',
      says: `${document.identifier} of ${source.file}, ${state}, is kept though nothing of it waits`,
    }));
}

/** An act that the console refused has changed nothing, nor has a second click. */
export function judgeRefusals({ refusals }: Pick<History, 'refusals'>): readonly Complaint[] {
  const changing = refusals.filter(({ before, after }) => before !== after);
  return changing.map(({ says, before, after }) => ({ about: 'rows', says: `${says}: ${before} became ${after}` }));
}

// ---- Figures

/** The report of one run that ended by itself. `before`: the runs before it; of those that were stopped it may finish the exports. */
export function judgeReport(
  run: Ran,
  before: readonly Ran[],
  { service, recovered, attached }: Pick<History, 'service' | 'recovered' | 'attached'>,
): readonly Complaint[] {
  const isRecovered = recovered > 0 && recovered < run.to;
  const complaints: Complaint[] = [];
  const say = (says: string) => void complaints.push({ about: 'figures', says });
  const report = run.report as Report | undefined;
  if (!report || run.ended.code === undefined) return [];
  const { documents } = report.balance;
  const parts = documents.sent + documents.waiting + documents.setAside + documents.skipped + documents.difference;
  if (parts !== documents.read) say(`a report reads ${documents.read} documents and accounts for ${parts}`);
  const seen = new Set(before.flatMap(({ taken }) => complete(taken).map(identityOf)));
  const exports = complete(run.taken);
  const fresh = exports.filter((one) => !seen.has(identityOf(one)) && seen.add(identityOf(one)));
  // Bytes that were read before are not read again, unless other attachments have come since.
  const isReadAgain = attached.length > 0 && fresh.length < exports.length;
  const texts = fresh.map(readExport);
  const isWhole = texts.every((one) => one !== undefined);
  const isSimple = !isRecovered && !isReadAgain && isWhole && before.every(({ ended }) => ended.code !== undefined);
  const stated = texts.flatMap((one) => one ?? []);
  // A number that a second export states again is one document with the first, if that one waits to be corrected.
  const least = new Set(stated.map(({ number }) => number)).size;
  const isRead = documents.read >= least && documents.read <= stated.length;
  if (isSimple && stated.length > 0 && !isRead && documents.read !== 0)
    say(`a report reads ${documents.read} documents, and the exports state ${stated.length}`);
  const readCents = report.balance.currencies.reduce((all, { read }) => all + centsIn(read), 0);
  const statedCents = stated.reduce((all, { total }) => all + total, 0);
  if (isSimple && documents.read === stated.length && readCents !== statedCents)
    say(`a report reads ${readCents} cents, and the exports state ${statedCents}`);
  const during = service.arrivals.filter(({ at }) => at > run.from && at <= run.to);
  // A run after one that was stopped, or after a watch that was asked to end, reports for both.
  if (![undefined, ENDED_BY_SIGNAL].includes(before.at(-1)?.ended.code) || before.length === 0) {
    const sent = documents.sent + (report.settled?.documents.sent ?? 0);
    const reported = authorizedDuring(run, before, service);
    if (!isRecovered && sent !== reported.size)
      say(`a report counts ${sent} sent, the service authorized ${reported.size}`);
    const sums = [...report.balance.currencies, ...(report.settled?.currencies ?? [])];
    const cents = sums.reduce((all, one) => all + centsIn(one.sent), 0);
    const received = [...reported].reduce((all, number) => all + totalOf(number, centsOfLast(number, run, service)), 0);
    if (!isRecovered && sent === reported.size && cents !== received)
      say(`a report sends ${cents} cents, the service authorized ${received}`);
  }
  if (/no document/i.test(report.verdict.sentence.en) && (stated.length > 0 || during.length > 0))
    say(`"${report.verdict.sentence.en}", after ${stated.length} documents were read and ${during.length} sent`);
  return complaints;
}

/** Numbers that an answer of the service authorized for the first time during a run. An answer to a run that was stopped may be known to no one. */
function authorizedDuring(
  { from, to }: Ran,
  earlier: readonly Ran[],
  { arrivals, questions }: History['service'],
): ReadonlySet<string> {
  const stopped = earlier.filter(({ ended }) => ended.code === undefined);
  const isLost = (at: number) => stopped.some((one) => at > one.from && at <= one.to);
  const answers = [
    ...arrivals.flatMap(({ number, said, at }) => (said === 2 ? [{ number, at }] : [])),
    ...questions.flatMap(({ number, answer }) => (answer?.code === 2 ? [{ number, at: answer.at }] : [])),
  ];
  const before = new Set(answers.flatMap(({ number, at }) => (at <= from && !isLost(at) ? [number] : [])));
  return new Set(answers.flatMap(({ number, at }) => (at > from && at <= to && !before.has(number) ? [number] : [])));
}

/** What the service last took in of it until the end of the run. */
function centsOfLast(number: string, { to }: Ran, { arrivals }: History['service']): number {
  return centsIn(arrivals.findLast((one) => one.number === number && one.at <= to && one.fate !== undefined)?.amount);
}

/** `status`, `errors`, `list`, receipts, metrics, console: the same question has the same answer everywhere. */
export function judgeViews({ root, service, decisions, purged }: History, views: Views): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const say = (says: string) => void complaints.push({ about: 'figures', says });
  const status = JSON.parse(views.status) as Status;
  for (const { says } of status.answers?.delays ?? []) complaints.push({ about: 'answers', says });
  const errors = (JSON.parse(views.errors) as Documents).documents;
  const list = (JSON.parse(views.list) as Documents).documents;
  const statesOf = (all: readonly { readonly state: string }[]) => counted(all.map(({ state }) => [state, 1]));
  const isDuplicate = ({ state }: { readonly state: string }) => state === 'duplicate';
  const inStatus = counted(Object.entries(status.documents));
  if (statesOf(list) !== inStatus) say(`status counts ${inStatus}, list ${statesOf(list)}`);
  // A duplicate is in the summary of its export alone.
  const receipts = jsonFiles<Receipt>(root, '.receipt.json').filter((one) => !isDuplicate(one));
  const filed = statesOf(list.filter((one) => !isDuplicate(one)));
  if (purged === 0 && statesOf(receipts) !== filed) say(`receipts are ${statesOf(receipts)}, list ${filed}`);
  for (const { state } of errors)
    if (!(state in status.documents)) say(`errors lists a document ${state}, status none`);
  // Without those that a person has closed, which the metrics count apart.
  const open = counted(
    Object.entries(status.documents).map(([state, count]) => [state, count - (status.closed[state] ?? 0)]),
  );
  const measured = [...views.metrics.matchAll(/^nightpost_documents\{[^}]*state="([\w-]+)"[^}]*\} (\d+)/gm)];
  const inMetrics = counted(measured.map(([, state = '', count]) => [state, Number(count)]));
  if (measured.length > 0 && inMetrics !== open) say(`metrics count ${inMetrics}, status ${open}`);
  const said = new Set(decisions.filter(({ act }) => act === 'resolve').map(({ number }) => number));
  for (const { number, state, amount } of list) {
    if (state !== 'authorized' || said.has(number) || purged > 0) continue;
    const arrival = service.arrivals.findLast((one) => one.number === number && one.fate !== undefined);
    if (centsIn(amount) !== totalOf(number, centsIn(arrival?.amount)))
      say(`${number} is listed with ${amount}, and the service received ${arrival?.amount} before tax`);
  }
  for (const says of views.console ? consoleDiffers(views.console, { status, errors, list }) : []) say(says);
  return complaints;
}

function consoleDiffers(
  { status, list, causes, home, work }: NonNullable<Views['console']>,
  typed: { readonly status: Status; readonly errors: readonly Listed[]; readonly list: readonly Listed[] },
): readonly string[] {
  const { groups } = JSON.parse(causes) as Causes;
  const isWaiting = new Set(typed.errors.map(({ id }) => id));
  const waiting = typed.list.filter(({ id }) => isWaiting.has(id));
  const pairs: { readonly [what: string]: readonly [shown: unknown, typed: unknown] } = {
    status: [JSON.parse(status), typed.status],
    documents: [(JSON.parse(list) as Documents).documents, typed.list],
    'documents by cause': [groups.reduce((all, { count }) => all + count, 0), isWaiting.size],
    'cents that wait': [
      groups.reduce((all, { amounts }) => all + centsIn(amounts.EUR) + centsIn(amounts.USD), 0),
      waiting.reduce((all, { amount }) => all + centsIn(amount), 0),
    ],
    'documents on the home page': [Number(/class="badge" title="(\d+)/.exec(home)?.[1] ?? 0), isWaiting.size],
    'documents to do': [Number(/(\d+) documents? waits? for a/.exec(work)?.[1] ?? 0), isWaiting.size],
  };
  return Object.entries(pairs)
    .filter(([, [shown, own]]) => !isDeepStrictEqual(shown, own))
    .map(
      ([what, [shown, own]]) =>
        `${what} in the console: ${JSON.stringify(shown)}, in the terminal ${JSON.stringify(own)}`,
    );
}

function counted(states: readonly (readonly [state: string, count: number])[]): string {
  const sums = new Map<string, number>();
  for (const [state, count] of states) if (count !== 0) sums.set(state, (sums.get(state) ?? 0) + count);
  return JSON.stringify([...sums].sort());
}

export function centsIn(amount: string | undefined): number {
  return Math.round(Number(amount ?? 0) * 100);
}

// ---- Answers for the ERP

/** No change of a document, by a decision or an export, reaches the ERP twice for one export; the last that it reads of a number is what became of it. */
export function judgeAnswers(
  { root, decisions, dropped, recovered, purged }: History,
  listed: readonly Listed[],
): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const say = (says: string) => void complaints.push({ about: 'answers', says });
  const [last, ofNumber, again] = [new Map<string, string>(), new Map<string, string>(), new Map<string, number>()];
  for (const path of globSync(join(root, 'answers/RET_*.csv')).sort((one, other) => numberIn(one) - numberIn(other))) {
    const [, stem = ''] = /RET_(.*)_\d+\.csv$/.exec(path) ?? [];
    for (const line of readFileSync(path, 'latin1').split(/\r?\n/).slice(1).filter(Boolean)) {
      const [number = '', ...said] = line.split(';');
      const key = `${number} of ${stem}`;
      const stated = dropped.filter((one) => states(one, number)).length;
      const changes = decisions.filter((one) => one.number === number).length + stated - 1;
      if (last.get(key) === said.join(';')) again.set(key, (again.get(key) ?? 0) + 1);
      if ((again.get(key) ?? 0) > changes && recovered === 0) say(`the ERP got "${said.join(';')}" again for ${key}`);
      last.set(key, said.join(';'));
      // An ERP books a document as accepted whose state is that it is a duplicate.
      ofNumber.set(number, said[0] === 'duplicate' ? 'authorized' : (said[0] ?? ''));
    }
  }
  for (const [number, said] of recovered + purged > 0 ? [] : ofNumber) {
    const states = listed.filter((one) => one.number === number && one.state !== 'duplicate').map(({ state }) => state);
    if (states.length === 1 && states[0] !== said)
      say(`the ERP read "${said}" last of ${number}, which is ${states[0]}`);
  }
  return complaints;
}

function numberIn(path: string): number {
  return Number(/_(\d+)\.csv$/.exec(path)?.[1] ?? 0);
}
