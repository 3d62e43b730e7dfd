/**
 * The rows of a correction file compared with those of the archived source: cells that a person changed, cells that a
 * spreadsheet damaged (correction/damaged-cell), columns that are lost. Pure; one pass, in any order of rows.
 */

import type { Message } from '../../i18n/message.ts';
import { CORRECTION } from '../../i18n/messages/pipeline-messages.ts';
import type { Overlay } from '../../model/correction.ts';
import { type DataFault, type Fault, isError, isInRow, withMessage } from '../../model/fault.ts';
import type { LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import type { Row, Table } from '../../model/row.ts';
import { findDamage, isSameNumber, isSameText } from '../../readers/spreadsheet-damage.ts';
import type { CorrectionLine } from './parse-correction-file.ts';

/** A row of the correction file. `line`: its place in that file; `row`: its number in the source. */
export type GivenRow = {
  /** Its place in the correction file. */
  readonly line: number;
  readonly row: number;
  /** Undefined where the file has no such column. */
  readonly cell: (column: string) => string | undefined;
};

type Change = { readonly row: number; readonly column: string; readonly from: string; readonly to: string };

/** The result for one document; `seen` has its rows that the source has. */
export type Compared = { readonly changes: Change[]; readonly faults: Fault[]; readonly seen: Set<number> };

/** The result of one reading of the file. */
export type CorrectionDiff = {
  /** By entry id. */
  readonly documents: ReadonlyMap<string, Compared>;
  /** Columns of the source that the file no longer has. */
  readonly lost: ReadonlySet<string>;
  /** Cells that are not as stored, whatever the reason. */
  readonly differences: number;
  readonly astray: readonly CorrectionLine[];
};

/** One reading of the file, with the mapping's knowledge of the columns. */
export type ToCompare = {
  /** Name of the correction file. */
  readonly name: string;
  readonly file: SourceFile;
  readonly rows: ReadonlyMap<number, { readonly entry: LedgerEntry; readonly given: GivenRow }>;
  readonly kindOf: (column: string) => string;
  readonly fillDown: readonly (string | number)[];
  readonly overlay: Overlay;
  /** Cells that were corrected earlier may be in the file as the source has them. */
  readonly asInSource: boolean;
  /** Rows that no document of the source has. */
  readonly astray: readonly CorrectionLine[];
};

/** A cell of the source, with its corrections so far. */
type StoredCell = { readonly at: number; readonly column: string; readonly stored: string };
/** The cells of the row above. */
type Filled = readonly { readonly stored: string; readonly given: string }[];

/** `see` gets each row of the source; `result` is complete after the last one. */
export function comparisonOf(about: ToCompare) {
  const documents = new Map<string, Compared>();
  const lost = new Set<string>();
  const before = new Map<string, Filled>();
  let differences = 0;

  const see = (table: Table, row: Row) => {
    const one = about.rows.get(row.row);
    if (!one) return;
    const { entry, given } = one;
    const compared = documents.get(entry.id) ?? { changes: [], faults: [], seen: new Set<number>() };
    documents.set(entry.id, compared);
    compared.seen.add(row.row);
    const corrected = about.overlay.get(row.row);
    const cells = row.cells.map((inSource, at) => {
      const column = table.columns[at] ?? '';
      const stored = corrected?.get(column) ?? inSource;
      return { at, column, inSource, stored, cell: givenCell({ at, column, stored }, given, before.get(entry.id)) };
    });
    for (const { at, column, inSource, stored: text, cell } of cells) {
      if (cell === undefined) {
        lost.add(column);
        continue;
      }
      if (isSameText(text, cell) || (about.asInSource && isSameText(inSource, cell))) continue;
      const atFault = isAtFault(entry, row.row, [column, (row.places ?? table.places)?.[at]]);
      // 12.50 and 12,50 are one number, but if one of them was refused, the other one is the requested change.
      if (!atFault && about.kindOf(column) === 'number' && isSameNumber(text, cell)) continue;
      differences++;
      judge({ row: row.row, column, from: text, to: cell }, atFault, given, compared);
    }
    before.set(
      entry.id,
      cells.map(({ stored, cell }) => ({ stored, given: cell ?? stored })),
    );
  };
  /** A cell of fill-down that is empty goes with the row above, if the source took it from there. */
  const givenCell = ({ at, column, stored }: StoredCell, given: GivenRow, above: Filled = []) => {
    const cell = given.cell(column);
    const isFilled = about.fillDown.includes(column) || about.fillDown.includes(at + 1);
    if (!isFilled || cell === undefined || cell.trim() !== '') return cell;
    const cellAbove = above[at];
    return cellAbove?.stored === stored ? cellAbove.given : stored;
  };
  const judge = (change: Change, atFault: boolean, given: GivenRow, { changes, faults }: Compared) => {
    const { column, from, to } = change;
    const kind = about.kindOf(column);
    const damage = findDamage(from, to, kind === 'number' || kind === 'date' ? kind : 'text');
    if (damage === undefined || atFault) changes.push(change);
    else if (!faults.some((one) => one.origin?.column === column && one.given === to)) {
      // Once for all rows of the document: a spreadsheet converts whole columns.
      faults.push(damaged({ file: about.name, row: given.line, column }, damage, from, to));
    }
  };
  return { see, result: (): CorrectionDiff => ({ documents, lost, differences, astray: about.astray }) };
}

/** A cell with a fault is the one that the person was asked to change, so any new text is accepted. */
function isAtFault({ faults, file }: LedgerEntry, row: number, columns: readonly (string | undefined)[]): boolean {
  return faults.some(
    (fault) =>
      isError(fault) &&
      fault.origin?.file === file.name &&
      isInRow(fault, row) &&
      fault.origin.column !== undefined &&
      columns.includes(fault.origin.column),
  );
}

function damaged(origin: NonNullable<Fault['origin']>, damage: Message, from: string, to: string): DataFault {
  return {
    code: 'correction/damaged-cell',
    level: 'error',
    ...withMessage(CORRECTION.damaged({ to, from, damage }), CORRECTION.putBack({ from, to: JSON.stringify(to) })),
    origin,
    given: to,
  };
}
