/**
 * The judge of a life: what must be true of an instance, calculated from the bytes of the exports, from what the service received
 * and from what people decided, with nothing of the program. Read it before you believe a green simulation, with `sent-again.ts` (may
 * it be sent?) and `exports.ts` (what do the bytes state?). What the program says of all this, `figures.ts` and its neighbors judge.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Decision, type Dossier, isProvenMissing, undecided } from '../rigs/sent-again.ts';
import { judgeAttached } from './attached.ts';
import {
  centsIn,
  centsOf,
  complete,
  firstName,
  isExport,
  isNote,
  isOfPair,
  priceIn,
  readExport,
  states,
  totalOf,
} from './exports.ts';
import type { Ended, Export, History } from './history.ts';
import { LIMIT } from './house-files.ts';
import type { Arrival } from './service.ts';
import type { Listed, Receipt, Summary, Waiting } from './shapes.ts';

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

export function jsonFiles<T>(root: string, ending: string): readonly T[] {
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
