/**
 * Rows that a person has set aside and that have no document number: they are not a document, and after the decision no
 * other document waits for them. A reading leaves them out from then on, until their own document is reprocessed.
 *
 * A row that a reading left out is stored as a correction of the whole row, so that a proof or a restart reads the same.
 */
import { type Correction, isSetAside, type LedgerEntry, type SourceFile } from './ledger-entry.ts';
import { must } from './must.ts';

/** In place of a column name; every column has a name of at least one character. */
const WHOLE_ROW = '';
const LEFT_OUT = 'set aside';

export function isOfCell({ column }: Pick<Correction, 'column'>): boolean {
  return column !== WHOLE_ROW;
}

/** The last correction of a row counts. */
export function rowsLeftOut(corrections: readonly Correction[]): ReadonlySet<number> {
  const left = new Set<number>();
  for (const { row, column, to } of corrections) {
    if (column !== WHOLE_ROW) continue;
    if (to === LEFT_OUT) left.add(row);
    else left.delete(row);
  }
  return left;
}

/** A purge has emptied their corrections: as the export has them they could belong to another document again. */
export function rowsForgotten(corrections: readonly Correction[]): ReadonlySet<number> {
  return new Set(corrections.filter(({ from, to }) => from === '' && to === '').map(({ row }) => row));
}

export function isAsideRow(entry: LedgerEntry): boolean {
  return isSetAside(entry) && entry.facts.identifier === '';
}

/** Whether the document waits for a row of this file that cannot be assigned to a document. */
export function waitsForRow({ faults }: LedgerEntry, { name }: SourceFile): boolean {
  return faults.some(({ code, origin }) => code === 'map/beside-broken-row' && origin?.file === name);
}

type Reading = {
  readonly own: readonly LedgerEntry[];
  /** Every entry of the file that `isAsideRow`. */
  readonly aside: readonly LedgerEntry[];
  readonly known: readonly Correction[];
  readonly corrections: readonly Correction[];
  readonly by: string;
  readonly at: string;
  readonly reason: string;
};

/** The entries to reprocess without the rows that are set aside, and the corrections of whole rows that leave them out. */
export function withoutAside({ own, aside, known, corrections, by, at, reason }: Reading): {
  readonly entries: readonly LedgerEntry[];
  readonly corrections: readonly Correction[];
} {
  const left = rowsLeftOut(known);
  const touched = new Set(corrections.map(({ row }) => row));
  const isAlone = own.every(isAsideRow);
  const isBack = (entry: LedgerEntry) => isAlone || entry.rows.some((row) => touched.has(row));
  const entries = own.filter((entry) => !isAsideRow(entry) || isBack(entry));
  const back = new Set(entries.filter(isAsideRow).map(({ id }) => id));
  const leave = aside
    .filter(({ id }) => !back.has(id))
    .flatMap(({ rows, evidence }) => {
      const decision = must(evidence, 'the decision to set a row aside');
      const who = { by: decision.by, at: decision.at, reason: decision.reason };
      return rows.filter((row) => !left.has(row)).map((row) => ({ row, from: '', to: LEFT_OUT, ...who }));
    });
  const take = entries.flatMap(({ rows }) =>
    rows.filter((row) => left.has(row)).map((row) => ({ row, from: LEFT_OUT, to: '', by, at, reason })),
  );
  return { entries, corrections: [...take, ...leave].map((one) => ({ ...one, column: WHOLE_ROW })) };
}
