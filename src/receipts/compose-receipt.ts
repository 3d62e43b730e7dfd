/**
 * An entry of the ledger becomes its receipt. Pure and repeatable: the same entry gives the same bytes, so that
 * receipts can be written again from the ledger at any time. No clock, no headers, no secrets: only what is listed here.
 */
import { type Words, wordsOf } from '../i18n/message.ts';
import type { Answer, Attempt } from '../model/answer.ts';
import { type Correction, type Evidence, isDismissed, type LedgerEntry } from '../model/ledger-entry.ts';
import { DISMISSED, mayBeOut, type State, stateInfo } from '../model/state.ts';
import { stripTerminalControls } from '../text/printable.ts';
import { nextAction, nextCompared, nextSetAside } from './next-action.ts';
import type { Receipt } from './receipt-schema.ts';
import { rowRanges } from './row-set.ts';

/** What the entry itself does not say. */
export type ReceiptExtra = {
  readonly environment: string;
  readonly corrections?: readonly Correction[];
  readonly previous?: string;
};

export function composeReceipt(entry: LedgerEntry, extra: ReceiptExtra): Receipt {
  const { facts, file, state } = entry;
  return {
    receipt: 1,
    id: entry.id,
    revision: entry.revision,
    state,
    since: entry.since,
    ...stateWords(entry),
    service: entry.service,
    kind: entry.kind,
    class: entry.class,
    environment: extra.environment,
    document: {
      identifier: facts.identifier,
      date: facts.date ?? null,
      currency: facts.currency ?? null,
      finalAmount: facts.amount ?? null,
      counterparty: facts.counterparty ?? null,
      issuer: facts.issuer ?? null,
    },
    rules: facts.rules ?? null,
    answer: toAnswer(entry.answer),
    notFound: entry.notFound ? { times: entry.notFound.times, lastAt: entry.notFound.lastAt } : null,
    source: { file: file.name, sha256: file.sha256, ...toRows(entry), encoding: file.encoding ?? null },
    mapping: toMappingStamp(entry),
    payload: entry.contentSha256 ? { file: payloadName(entry.name), sha256: entry.contentSha256 } : null,
    first: entry.first ? { id: entry.first.id, name: entry.first.name } : null,
    identity: {
      keys: [...entry.identity.keys],
      digest: entry.identity.digest,
      receiver: entry.identity.receiver ?? null,
      ...(entry.identity.numbers
        ? { numbers: entry.identity.numbers.map(({ scope, ...one }) => ({ ...one, scope: [...scope] })) }
        : {}),
    },
    hold: entry.hold ? { ...entry.hold } : null,
    faults: entry.faults.map(({ moreRows, ...fault }) => ({
      ...fault,
      ...(moreRows ? { moreRows: [...moreRows] } : {}),
    })),
    corrections: (extra.corrections ?? []).map((one) => ({ ...one })),
    attempts: entry.attempts.map(toReceiptAttempt),
    evidence: toEvidence(entry.evidence),
    previous: extra.previous ?? null,
  };
}

/** The operator's word of the state, and what to do next. */
function stateWords({ state, evidence, hold }: LedgerEntry): Pick<Receipt, 'words' | 'next'> {
  if (evidence && isDismissed({ state, evidence })) {
    return { words: wordsOf(DISMISSED.words), next: wordsOf(nextSetAside(evidence)) };
  }
  const { words, next, compared } = stateTexts(state);
  return { words: { ...words }, next: { ...(state === 'held' && mayBeOut(hold?.rule) ? compared : next) } };
}

type Texts = { readonly words: Words; readonly next: Words; readonly compared: Words };
const texts = new Map<State, Texts>();

/** Of a state they are the same in each receipt of a night: worded once. */
function stateTexts(state: State): Texts {
  const known = texts.get(state);
  if (known) return known;
  const { words } = stateInfo(state);
  const made = { words: wordsOf(words), next: wordsOf(nextAction(state)), compared: wordsOf(nextCompared()) };
  texts.set(state, made);
  return made;
}

/** The bytes of the file: two spaces of indent, one line end at the end, nothing that a terminal would obey. */
export function receiptText(receipt: Receipt): string {
  return stripTerminalControls(`${JSON.stringify(receipt, undefined, 2)}\n`);
}

export function receiptFileName(name: string): string {
  return `${name}.receipt.json`;
}

export function payloadName(name: string): string {
  return `${name}.payload.json`;
}

function toAnswer(answer: Answer | undefined): Receipt['answer'] {
  if (!answer) return null;
  return {
    code: answer.code,
    name: answer.name ?? null,
    message: answer.message ?? null,
    trackingId: answer.trackingId ?? null,
    documentType: answer.documentType ?? null,
    contentInto: answer.contentInto ?? null,
    file: toAnswerFile(answer),
    pagination: toPagination(answer),
    statuses: (answer.statuses ?? []).map(({ source, code, name, message, date }) => ({
      ...(source === undefined ? {} : { source }),
      ...(code === undefined ? {} : { code }),
      ...(name === undefined ? {} : { name }),
      ...(message === undefined ? {} : { message }),
      ...(date === undefined ? {} : { date }),
    })),
  };
}

function toAnswerFile({ file }: Answer): NonNullable<Receipt['answer']>['file'] {
  if (!file) return null;
  return { format: file.format ?? null, filename: file.filename ?? null, transport: file.transport ?? null };
}

function toPagination({ pagination }: Answer): NonNullable<Receipt['answer']>['pagination'] {
  if (!pagination) return null;
  const { page = null, pageSize = null, totalRecords = null, totalPages = null } = pagination;
  return { page, pageSize, totalRecords, totalPages };
}

function toMappingStamp({ file: { mapping } }: LedgerEntry): Receipt['mapping'] {
  if (!mapping) return null;
  const { id, file, version, sha256, program } = mapping;
  return { id, file, version, sha256, program };
}

function toReceiptAttempt(attempt: Attempt): Receipt['attempts'][number] {
  return {
    n: attempt.n,
    act: attempt.act,
    run: attempt.run,
    requestId: attempt.requestId,
    at: attempt.at,
    ms: attempt.ms ?? null,
    http: attempt.http ?? null,
    code: attempt.code ?? null,
    outcome: attempt.outcome ?? null,
    reason: attempt.reason ?? null,
  };
}

function toEvidence(evidence: Evidence | undefined): Receipt['evidence'] {
  if (!evidence) return null;
  const { as, by, at, reason, file, sha256 } = evidence;
  return { as, by, at, reason, file: file ?? null, sha256: sha256 ?? null };
}

/** A list of a million numbers helps no one. */
function toRows({ rows }: LedgerEntry): { readonly rows: number[]; readonly allRows?: string } {
  return rows.length > MANY_ROWS ? { rows: rows.slice(0, 1000), allRows: rowRanges(rows) } : { rows: [...rows] };
}

const MANY_ROWS = 50_000;
