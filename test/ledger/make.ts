/** Builders for ledger tests: documents, files, answers, and a clock that the test moves. */
import { hash } from 'node:crypto';
import type { NewFile } from '../../src/ledger/contract/intake-store.ts';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import type { Exchange, Verdict } from '../../src/model/answer.ts';
import type { Link } from '../../src/model/chain-link.ts';
import type { Document, DocumentOutcome } from '../../src/model/document.ts';
import type { LedgerEntry, MappingStamp } from '../../src/model/ledger-entry.ts';
import { must } from '../../src/model/must.ts';
import { type State, stateInfo } from '../../src/model/state.ts';

const MAPPING: MappingStamp = {
  id: 'sage-ventes',
  version: '1',
  file: 'mappings/sage.yaml',
  sha256: 'ab'.repeat(32),
  program: '0.1.0',
};
export const ADMITTED = { mapping: MAPPING, rows: 3, leftOut: [], faults: [] };

/** A clock that moves a millisecond at each look, and as the test says. */
export function clock(from = '2026-11-20T22:00:00.000Z') {
  let ms = Date.parse(from);
  return {
    now: () => new Date(ms++),
    pass: (by: number) => {
      ms += by;
    },
    iso: () => new Date(ms).toISOString(),
  };
}

let files = 0;

export function newFile(changes: Partial<NewFile> = {}): NewFile {
  files++;
  return {
    name: `ventes-${files}.csv`,
    sha256: hash('sha256', String(files)),
    size: 100 + files,
    modifiedAt: '2026-11-20T21:59:00+01:00',
    claimedAt: '2026-11-20T22:00:00+01:00',
    day: '2026-11-20',
    run: 'run-1',
    path: `processing/run-1/ventes-${files}.csv`,
    ...changes,
  };
}

export type DocumentWish = {
  readonly number?: string;
  readonly text?: string;
  readonly row?: number;
  readonly keys?: readonly string[];
  readonly service?: string;
  readonly numbering?: Document['numbering'];
  readonly content?: string;
  readonly identifier?: string;
};

/** A valid document; equal number and text make an equal document. */
export function documentOf(wish: DocumentWish = {}): Document {
  const { number = 'F-1', text = 'a', row = 2, service = 'fr', numbering } = wish;
  const content = wish.content ?? JSON.stringify({ payload: { number, text } });
  return {
    kind: 'fr-invoice',
    service,
    class: 'invoice',
    keys: wish.keys ?? [`fr invoice 123456789 ${number}`],
    digest: hash('sha256', content),
    content: Buffer.from(content),
    ...(numbering ? { numbering } : {}),
    facts: { identifier: wish.identifier ?? number, date: '2026-11-20', amount: '120.00', currency: 'EUR' },
    rows: [row],
    warnings: [],
  } as unknown as Document;
}

export function valid(wish: DocumentWish = {}): DocumentOutcome {
  return { document: documentOf(wish) };
}

export function faulty(wish: DocumentWish = {}): DocumentOutcome {
  const { kind, service, class: of, keys, facts, rows, digest } = documentOf(wish);
  const fault = { code: 'map/not-a-number', level: 'error', message: '"x" is not a number', at: '/total' } as const;
  return { faults: [fault], kind, service, class: of, keys, facts, rows, digest };
}

export function answer(code: number, state: State): { exchange: Exchange; verdict: Verdict } {
  const body = JSON.stringify({ result: { status: { code } } });
  return {
    exchange: {
      sent: true,
      status: 200,
      headers: { 'content-type': 'application/json', 'set-cookie': 'canary' },
      body,
    },
    verdict: { state, reason: `code ${code}`, answer: { code, trackingId: `t-${code}` } },
  };
}

/** The next link of a chain, of whatever it may be. */
export async function nextLink(ledger: Ledger, id: string): Promise<Link> {
  const head = await ledger.receipts.chainHead();
  return {
    n: (head?.n ?? 0) + 1,
    what: 'receipt',
    id,
    revision: 1,
    state: 'ready',
    attempts: 0,
    sha256: hash('sha256', id),
    run: 'run-1',
    at: '2026-11-20T22:00:00.000Z',
    ...(head ? { previous: head.hash } : {}),
  };
}

/** A receipt that says what this entry says. */
export function receiptOf(entry: LedgerEntry) {
  const { id, file, revision, state, since, attempts } = entry;
  const place = { folder: must(stateInfo(state).folder, 'the folder of a receipt'), day: file.day };
  const ended = attempts.filter(({ outcome }) => outcome !== undefined).length;
  return { ...place, id, file: file.id, revision, state, since, attempts: attempts.length, ended };
}

export async function recordReceipt(ledger: Ledger, entry: LedgerEntry): Promise<void> {
  await ledger.receipts.recordReceipts([{ ...receiptOf(entry), link: await nextLink(ledger, entry.id) }]);
}

export const NOT_SENT: { exchange: Exchange; verdict: Verdict } = {
  exchange: { sent: false, error: { code: 'ECONNREFUSED', message: 'refused' } },
  verdict: { state: 'ready', reason: 'not sent', resend: { kind: 'not-sent', afterMs: 1000 } },
};
