/**
 * Accounts for the rows and the money of a source file: entries go in one by one; counts, row lists and control totals
 * come out. Every row of the file must be in exactly one place: a row in none or in two is counted, never hidden.
 */

import { Decimal } from '../model/decimal.ts';
import type { Corrected, LedgerEntry, SourceFile } from '../model/ledger-entry.ts';
import { signedAmount } from '../model/signed-sums.ts';
import { type Folder, stateInfo } from '../model/state.ts';
import { RowSet } from './row-set.ts';

/** A number of rows, and the rows as text ("2-14, 17"). */
type Counted = { readonly count: number; readonly rows: string };

/** The block `rows` of a summary. `read` is the sum of all places if nothing is unaccounted or twice. */
export type RowsReport = {
  readonly read: number;
  /** `outbox`, `pending` and `error`: the folder that the state of the document decides. */
  readonly outbox: Counted;
  readonly pending: Counted;
  readonly error: Counted;
  /** A later file has corrected the documents of these rows: they count there. */
  readonly corrected: Counted;
  /** Rows of a file that is refused or a duplicate as a whole: Nightpost made no document of them. */
  readonly withoutDocument: number;
  readonly leftOut: readonly ({ readonly rule: string } & Counted)[];
  /**
   * Must be 0. `rows` are the numbers without a place between the first and the last; blank lines may be among them.
   */
  readonly unaccounted: Counted;
  /** Must be 0: rows in more than one place. */
  readonly twice: Counted;
};

/** The control total of one currency: amounts are exact decimal texts, credit notes subtract. */
export type CurrencyTotal = {
  readonly currency: string;
  readonly read: Total;
  readonly outbox: Total;
  readonly pending: Total;
  readonly error: Total;
};
type Total = { readonly documents: number; readonly amount: string };

type Sum = { documents: number; amount: Decimal };
type Sums = { readonly read: Sum; readonly outbox: Sum; readonly pending: Sum; readonly error: Sum };

/** Takes the entries of one file in any order; `rows`, `documents` and `totals` report what was added so far. */
export class RowAccounting {
  readonly #file: SourceFile;
  readonly #all = new RowSet();
  readonly #twice = new RowSet();
  readonly #places = { outbox: new RowSet(), pending: new RowSet(), error: new RowSet(), corrected: new RowSet() };
  readonly #leftOut = new Map<string, RowSet>();
  readonly #sums = new Map<string, Sums>();
  readonly #documents = { outbox: 0, pending: 0, error: 0, corrected: 0 };
  #withoutAmount = 0;

  constructor(file: SourceFile) {
    this.#file = file;
    for (const { row, rule } of file.leftOut) {
      const rows = this.#leftOut.get(rule) ?? new RowSet();
      this.#leftOut.set(rule, rows);
      this.#place(row, rows);
    }
  }

  /**
   * Counts a document and its rows in the folder of its state. A document without a readable amount counts in
   * `withoutAmount` and in no total; a corrected one counts its rows only.
   */
  add(entry: LedgerEntry | Corrected): void {
    if ('correctedBy' in entry) {
      this.#documents.corrected++;
      for (const row of entry.rows) this.#place(row, this.#places.corrected);
      return;
    }
    const folder = receiptFolder(entry);
    this.#documents[folder]++;
    for (const row of entry.rows) this.#place(row, this.#places[folder]);
    const amount = signedAmount(entry);
    if (!amount) {
      this.#withoutAmount++;
      return;
    }
    const sums = this.#sums.get(entry.facts.currency ?? '') ?? newSums();
    this.#sums.set(entry.facts.currency ?? '', sums);
    for (const sum of [sums.read, sums[folder]]) {
      sum.documents++;
      sum.amount = sum.amount.plus(amount);
    }
  }

  /**
   * Rows without a place of a refused or duplicate file are expected: they are `withoutDocument`, not `unaccounted`.
   */
  rows(): RowsReport {
    const { rows: read, state } = this.#file;
    const missing = Math.max(0, read - this.#all.size);
    const whole = state === 'refused' || state === 'duplicate';
    return {
      read,
      outbox: counted(this.#places.outbox),
      pending: counted(this.#places.pending),
      error: counted(this.#places.error),
      corrected: counted(this.#places.corrected),
      withoutDocument: whole ? missing : 0,
      leftOut: [...this.#leftOut].map(([rule, rows]) => ({ rule, ...counted(rows) })),
      unaccounted: whole || missing === 0 ? { count: 0, rows: '' } : { count: missing, rows: this.#all.gapsToText() },
      twice: counted(this.#twice),
    };
  }

  /** Documents per folder, and those whose amount is absent or unreadable. */
  documents(): { readonly [place in Folder | 'corrected' | 'withoutAmount']: number } {
    return { ...this.#documents, withoutAmount: this.#withoutAmount };
  }

  /** One total per currency, sorted by its code. */
  totals(): readonly CurrencyTotal[] {
    const sorted = [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([currency, sums]) => ({
      currency,
      read: total(sums.read),
      outbox: total(sums.outbox),
      pending: total(sums.pending),
      error: total(sums.error),
    }));
  }

  #place(row: number, rows: RowSet): void {
    rows.add(row);
    if (!this.#all.add(row)) this.#twice.add(row);
  }
}

/**
 * The folder that counts for a state. A document on its way has no receipt folder and needs no person: it counts as
 * pending.
 */
export function receiptFolder(entry: Pick<LedgerEntry, 'state'>): Folder {
  return stateInfo(entry.state).folder ?? 'pending';
}

function newSums(): Sums {
  const zero = (): Sum => ({ documents: 0, amount: Decimal.zero });
  return { read: zero(), outbox: zero(), pending: zero(), error: zero() };
}

function total({ documents, amount }: Sum): Total {
  return { documents, amount: amount.toText(Math.max(amount.scale, 0)) };
}

function counted(rows: RowSet): Counted {
  return { count: rows.size, rows: rows.toText() };
}
