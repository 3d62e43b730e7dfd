/** A document of the ledger in; what a line of answers may say of it out, and its digest. Pure functions. */
import type { AnswerOutcome, KnownOutcome } from '../../ledger/contract/answer-store.ts';
import type { AnswerScope, ReportedAnswer } from '../../mapping/answers/answer-scope.ts';
import { localize } from '../../model/fault.ts';
import { type Correction, firstFileOf, isClosed, isSetAside, sourceNumberOf } from '../../model/ledger-entry.ts';
import { type State, stateGroup } from '../../model/state.ts';
import { RECEIPT_ENDING } from '../../receipts/output-folders.ts';
import type { Locale } from '../../text/local-time.ts';
import { sha256Hex } from '../../text/sha256.ts';

/**
 * What became of the document of the number: a duplicate says how its rows were treated, so it has the outcome of the
 * document that it repeats. Without that one it is unknown what the service has.
 */
export function outcomeOf(entry: AnswerOutcome): KnownOutcome {
  if (entry.state !== 'duplicate') return entry;
  return entry.repeats ?? { ...entry, state: 'in-doubt' };
}

/**
 * What the ERP would get to know: equal digests are no change. A revision is one, because a corrected document has an
 * answer of its own. Words of checks do not count: they differ by language and version.
 */
export function answerDigest(entry: AnswerOutcome): string {
  const outcome = outcomeOf(entry);
  const { state, revision, answer, faults } = outcome;
  const fault = answer ? undefined : faults.find(({ level }) => level === 'error')?.code;
  const facts = [
    closing(outcome),
    state,
    revision,
    answer?.code,
    answer?.name,
    answer?.message,
    answer?.trackingId,
    fault,
    ...(outcome === entry ? [] : [outcome.id]),
  ];
  return sha256Hex(JSON.stringify(facts.map((one) => one ?? null))).slice(0, 32);
}

/** It waits for no machine or service, and for a person at most to take note: an invalidated one stays so. */
export function isSettled(entry: AnswerOutcome): boolean {
  const outcome = outcomeOf(entry);
  return isClosed(outcome) || outcome.state === 'invalidated' || stateGroup(outcome.state) === 'done';
}

/** The state that is reported: a document on its way counts as queued. */
export function reportedState({ state }: KnownOutcome): State {
  return state === 'sending' ? 'ready' : state;
}

/** The facts of a document for a line; the scope of the file is added by the caller. */
export function documentScope(
  entry: AnswerOutcome,
  locale: Locale,
  corrections: readonly Correction[],
): Pick<AnswerScope, 'answer' | 'document' | 'receipt' | 'file' | 'corrected'> {
  const { document, file } = entry;
  return {
    answer: reportedAnswer(entry, locale),
    document: document && {
      identifier: document.facts.identifier,
      sourceNumber: sourceNumberOf(document.keys, document.facts.identifier),
      class: document.class,
      kind: document.kind,
      date: document.facts.date,
      amount: document.facts.amount,
      currency: document.facts.currency,
      customer: document.facts.counterparty,
    },
    receipt: document && document.name + RECEIPT_ENDING,
    file: {
      name: file.name,
      id: firstFileOf(entry),
      sha256: file.sha256,
      claimedAt: isoLocal(file.claimedAt, locale.zone),
    },
    corrected:
      corrections.length === 0
        ? undefined
        : (row: number, column: string) => corrections.findLast((one) => one.row === row && one.column === column)?.to,
  };
}

/** The message is that of the service, else of the first error. */
function reportedAnswer(entry: AnswerOutcome, { zone, language }: Locale): ReportedAnswer {
  const outcome = outcomeOf(entry);
  const { answer, faults, since } = outcome;
  const fault = answer ? undefined : faults.find(({ level }) => level === 'error');
  const [worded] = fault ? localize([fault], language) : [];
  return {
    state: reportedState(outcome),
    code: answer?.code,
    name: answer?.name ?? fault?.code,
    message: answer?.message ?? answer?.name ?? worded?.message,
    trackingId: answer?.trackingId,
    at: isoLocal(since, zone),
    final: isSettled(entry),
    closed: closing(outcome),
    repeats: entry.state === 'duplicate',
  };
}

function closing(outcome: KnownOutcome): string | undefined {
  return outcome.closed?.as ?? (isSetAside(outcome) ? 'set-aside' : undefined);
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** The documents of a night have few minutes, and a format takes as long as a line. */
const minutes = new Map<string, string>();
const MOST_MINUTES = 10_000;

/** Local day and time without a zone, as date-time columns of a mapping have them. No zone differs from UTC by seconds. */
function isoLocal(at: string, zone: string): string {
  if (!at.endsWith('Z') || at.length < 20) return formatted(at, zone);
  const key = `${at.slice(0, 16)} ${zone}`;
  let minute = minutes.get(key);
  if (minute === undefined) {
    if (minutes.size >= MOST_MINUTES) minutes.clear();
    minute = formatted(at, zone).slice(0, 16);
    minutes.set(key, minute);
  }
  return minute + at.slice(16, 19);
}

function formatted(at: string, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    // Swedish writes 2026-11-22 02:33:04.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
  }
  return format.format(new Date(at)).replace(' ', 'T');
}
