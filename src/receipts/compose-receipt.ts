/**
 * Composes the receipt of an entry of the ledger. Pure and repeatable: the same entry gives the same bytes, so receipts
 * can be written again from the ledger at any time. No clock, no headers, no secrets: only what is listed here.
 */
import { type Words, wordsOf } from '../i18n/message.ts';
import type { Answer, Attempt } from '../model/answer.ts';
import { definedOnly } from '../model/defined-only.ts';
import {
  type Correction,
  type Evidence,
  isSetAside,
  type LedgerEntry,
  type MappingStamp,
} from '../model/ledger-entry.ts';
import { CLOSED_WORD, mayBeOut, mayResolve, SET_ASIDE_INFO, type State, stateInfo } from '../model/state.ts';
import { stripTerminalControls } from '../text/printable.ts';
import { nextAction, nextAnswered, nextClosed, nextCompared, nextSetAside } from './next-action.ts';
import { RECEIPT_ENDING } from './output-folders.ts';
import type { Receipt } from './receipt-schema.ts';
import { rowRanges } from './row-set.ts';

/** What a receipt shows beyond the entry: `previous` is the hash of the link before it in the chain (SHA-256, hex). */
export type ReceiptExtra = {
  readonly environment: string;
  readonly corrections?: readonly Correction[];
  readonly previous?: string;
};

/**
 * Has every key of receipt-schema.ts, null if it does not apply. Copies lists, so a later change of the entry has no
 * effect.
 */
export function composeReceipt(entry: LedgerEntry, extra: ReceiptExtra): Receipt {
  const { facts, file, identity, state } = entry;
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
    answer: nullable(entry.answer, toAnswer),
    notFound: nullable(entry.notFound, ({ times, lastAt }) => ({ times, lastAt })),
    source: { file: file.name, sha256: file.sha256, ...toRows(entry.rows), encoding: file.encoding ?? null },
    mapping: nullable(file.mapping, toMappingStamp),
    payload: nullable(entry.contentSha256, (sha256) => ({ file: payloadName(entry.name), sha256 })),
    first: nullable(entry.first, ({ id, name }) => ({ id, name })),
    identity: {
      keys: [...identity.keys],
      digest: identity.digest,
      receiver: identity.receiver ?? null,
      ...(identity.former && { former: [...identity.former] }),
      ...(identity.numbers && {
        numbers: identity.numbers.map(({ scope, ...one }) => ({ ...one, scope: [...scope] })),
      }),
    },
    hold: nullable(entry.hold, ({ rule, says }) => ({ rule, says })),
    faults: entry.faults.map(({ moreRows, ...fault }) => ({
      ...fault,
      ...(moreRows && { moreRows: [...moreRows] }),
    })),
    corrections: (extra.corrections ?? []).map((one) => ({ ...one })),
    attempts: entry.attempts.map(toReceiptAttempt),
    evidence: nullable(entry.evidence, toEvidence),
    ...(entry.closed && { closed: { ...entry.closed } }),
    previous: extra.previous ?? null,
  };
}

/**
 * The word of the state for people and the next action. A document that is set aside shows the decision instead of its state.
 */
function stateWords({ state, evidence, hold, closed }: LedgerEntry): Pick<Receipt, 'words' | 'next'> {
  if (closed) return { words: wordsOf(CLOSED_WORD[closed.as]()), next: wordsOf(nextClosed(closed)) };
  if (evidence && isSetAside({ state, evidence })) {
    return { words: wordsOf(SET_ASIDE_INFO.words), next: wordsOf(nextSetAside(evidence)) };
  }
  const { words, next, compared } = stateTexts(state);
  if (state === 'held' && mayResolve(state, hold?.rule)) return { words: { ...words }, next: wordsOf(nextAnswered()) };
  return { words: { ...words }, next: { ...(state === 'held' && mayBeOut(hold?.rule) ? compared : next) } };
}

type Texts = { readonly words: Words; readonly next: Words; readonly compared: Words };
const texts = new Map<State, Texts>();

/** The texts of a state are the same in each receipt: they are composed once. */
function stateTexts(state: State): Texts {
  const written = texts.get(state);
  if (written) return written;
  const { words } = stateInfo(state);
  const made = { words: wordsOf(words), next: wordsOf(nextAction(state)), compared: wordsOf(nextCompared()) };
  texts.set(state, made);
  return made;
}

/** The bytes of the file: two spaces of indent, one line end at the end, nothing that a terminal would obey. */
export function receiptText(receipt: Receipt): string {
  return stripTerminalControls(`${JSON.stringify(receipt, undefined, 2)}\n`);
}

/** The file name of a receipt; `name` is the name of the entry, unique in the ledger. */
export function receiptFileName(name: string): string {
  return name + RECEIPT_ENDING;
}

/** The file name of the content that was or will be sent, next to the receipt. */
export function payloadName(name: string): string {
  return `${name}.payload.json`;
}

function toAnswer(answer: Answer): NonNullable<Receipt['answer']> {
  return {
    code: answer.code,
    name: answer.name ?? null,
    message: answer.message ?? null,
    trackingId: answer.trackingId ?? null,
    documentType: answer.documentType ?? null,
    contentInto: answer.contentInto ?? null,
    file: nullable(answer.file, ({ format = null, filename = null, transport = null }) => ({
      format,
      filename,
      transport,
    })),
    pagination: nullable(answer.pagination, toPagination),
    statuses: (answer.statuses ?? []).map(({ source, code, name, message, date }) =>
      definedOnly({ source, code, name, message, date }),
    ),
  };
}

/** Receipts name four keys of the pagination, each null if the service does not send it. */
function toPagination(pagination: NonNullable<Answer['pagination']>) {
  const { page = null, pageSize = null, totalRecords = null, totalPages = null } = pagination;
  return { page, pageSize, totalRecords, totalPages };
}

function toMappingStamp({ id, file, version, sha256, program }: MappingStamp): NonNullable<Receipt['mapping']> {
  return { id, file, version, sha256, program };
}

function toReceiptAttempt(attempt: Attempt): Receipt['attempts'][number] {
  return {
    n: attempt.n,
    act: attempt.act,
    ...(attempt.revision !== undefined && { revision: attempt.revision }),
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

function toEvidence(evidence: Evidence): NonNullable<Receipt['evidence']> {
  const { as, by, at, reason, file = null, sha256 = null, approvedBy, approvedAt } = evidence;
  return { as, by, at, reason, file, sha256, ...definedOnly({ approvedBy, approvedAt }) };
}

/**
 * Receipts have every key: a value that is absent in the ledger, or null in an answer read back from a receipt, is
 * null.
 */
export function nullable<T, R>(value: T | null | undefined, convert: (value: T) => R): R | null {
  return value === undefined || value === null ? null : convert(value);
}

/** Up to 50,000 rows one by one; of more the first thousand, and all of them as ranges in `allRows`. */
function toRows(rows: readonly number[]): { readonly rows: number[]; readonly allRows?: string } {
  if (rows.length <= MANY_ROWS) return { rows: [...rows] };
  return { rows: rows.slice(0, 1000), allRows: rowRanges(rows) };
}

const MANY_ROWS = 50_000;
