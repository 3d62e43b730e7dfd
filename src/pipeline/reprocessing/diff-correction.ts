/**
 * The rows of a correction file compared with those of the archived source: cells that a person changed, cells that a
 * spreadsheet damaged and that keep their stored text, or else refuse their document, and columns that are lost. Pure;
 * one pass, in any order of rows.
 */

import { SPREADSHEET_DAMAGE } from '../../i18n/messages/readers-messages.ts';
import type { Overlay } from '../../model/correction.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isError, isInRow } from '../../model/fault.ts';
import type { LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import type { Row, Table } from '../../model/row.ts';
import { type Damage, findDamage, isSameNumber, isSameText } from '../../readers/spreadsheet-damage.ts';
import { watchExchanges } from './exchanged-columns.ts';
import type { CorrectionLine, KindAt, ReadLine } from './parse-correction-file.ts';

/** A row of the correction file. `line`: its place in that file; `row`: its number in the source. */
export type GivenRow = {
  /** Its place in the correction file. */
  readonly line: number;
  readonly row: number;
  /** Undefined where the file has no such column. */
  readonly cell: (column: string) => string | undefined;
  readonly kindAt?: KindAt;
  /** See ReadLine. */
  readonly isMoved?: ReadLine['isMoved'];
};

type Change = { readonly row: number; readonly column: string; readonly from: string; readonly to: string };

/**
 * A damaged cell. `line`: of its row in the correction file. `refused`: why the stored text cannot be kept. The cell
 * itself was at fault, an equal cell of its column came back undamaged, or the settings ask for it.
 */
export type DamagedCell = Change & {
  readonly line: number;
  readonly damage: Damage;
  /** See GivenRow. */
  readonly isText: boolean;
  readonly refused?: 'at-fault' | 'single' | 'setting';
};

/** The result for one document; `seen` has its rows that the source has, `moved` those whose cells are not compared. */
export type Compared = {
  readonly changes: Change[];
  readonly damaged: DamagedCell[];
  readonly seen: Set<number>;
  readonly moved: GivenRow[];
};

/** The result of one reading of the file. */
export type CorrectionDiff = {
  /** By entry id. */
  readonly documents: ReadonlyMap<string, Compared>;
  /** Columns of the source that the file no longer has. */
  readonly lost: ReadonlySet<string>;
  /** Two columns whose names are exchanged. */
  readonly exchanged?: readonly [string, string];
  /** Cells that are not as stored, whatever the reason. */
  readonly differences: number;
  readonly astray: readonly CorrectionLine[];
};

/** Whatever the archived text is: the file does not hold the value that the cell shows. */
const UNREADABLE: Damage = { what: SPREADSHEET_DAMAGE.unreadable(), isSpelling: false };

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
  /** Damaged cells that were not at fault keep their stored text. */
  readonly restores: boolean;
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
  const intact = new Set<string>();
  const exchanges = watchExchanges();
  let differences = 0;

  const see = (table: Table, row: Row) => {
    const one = about.rows.get(row.row);
    if (!one) return;
    const { entry, given } = one;
    const compared = documents.get(entry.id) ?? { changes: [], damaged: [], seen: new Set<number>(), moved: [] };
    documents.set(entry.id, compared);
    compared.seen.add(row.row);
    if (given.isMoved?.(table.columns)) {
      compared.moved.push(given);
      return;
    }
    const corrected = about.overlay.get(row.row);
    const cells = row.cells.map((inSource, at) => {
      const column = table.columns[at] ?? '';
      const stored = corrected?.get(column) ?? inSource;
      return { at, column, inSource, stored, cell: givenCell({ at, column, stored }, given, before.get(entry.id)) };
    });
    exchanges.see(cells);
    for (const { at, column, inSource, stored: text, cell } of cells) {
      if (cell === undefined) {
        lost.add(column);
        continue;
      }
      if (isSameText(text, cell) || (about.asInSource && isSameText(inSource, cell))) {
        intact.add(shapeIn(column, text));
        continue;
      }
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
  const judge = (change: Change, atFault: boolean, row: GivenRow, { changes, damaged }: Compared) => {
    const { column, from, to } = change;
    const kind = about.kindOf(column);
    const given = findDamage(from, to, kind === 'number' || kind === 'date' ? kind : 'text');
    const damage = row.kindAt?.(column) === 'unreadable' ? (given ?? UNREADABLE) : given;
    // A cell with a fault is the one that the person was asked to change: what was typed as text counts as it is.
    const isText = row.kindAt?.(column) === 'text';
    const isTyped = atFault && (damage?.isSpelling || isText);
    if (damage === undefined || isTyped) changes.push(change);
    else {
      damaged.push(definedOnly({ ...change, line: row.line, damage, isText, refused: refusal(atFault) }));
    }
  };
  const refusal = (atFault: boolean): DamagedCell['refused'] => {
    if (atFault) return 'at-fault';
    return about.restores ? undefined : 'setting';
  };
  /** A spreadsheet damages all cells of a kind, a person changes one: such a change is not restored unseen. */
  const isSingle = ({ refused, damage, column, from }: DamagedCell) =>
    !refused && !damage.isSpelling && intact.has(shapeIn(column, from));
  const withSingles = ({ changes, damaged, ...rest }: Compared): Compared => {
    const [singles, others] = [damaged.filter(isSingle), damaged.filter((one) => !isSingle(one))];
    const [typed, unclear] = [singles.filter((one) => one.isText), singles.filter((one) => !one.isText)];
    return {
      changes: [...changes, ...typed.map(({ row, column, from, to }) => ({ row, column, from, to }))],
      damaged: [...others, ...unclear.map((one): DamagedCell => ({ ...one, refused: 'single' }))],
      ...rest,
    };
  };
  const result = (): CorrectionDiff => {
    const judged = new Map([...documents].map(([id, compared]) => [id, withSingles(compared)]));
    const exchanged = exchanges.found();
    return definedOnly({ documents: judged, lost, exchanged, differences, astray: about.astray });
  };
  return { see, result };
}

/**
 * Texts of one column that a spreadsheet treats alike have one shape: the places of zeros, other digits and letters. Of
 * dates, it matters whether day and month may change places, and whether that is visible.
 */
function shapeIn(column: string, text: string): string {
  const shape = text
    .trim()
    .slice(0, 100)
    .replace(/[1-9]/g, '9')
    .replace(/[a-z]+/gi, 'A')
    .replace(/[\u0080-\uffff]+/g, 'Z');
  const [, day, month] = /^(\d{1,2})[-/.](\d{1,2})[-/.]/.exec(text.trim()) ?? [];
  const isFixed = Math.max(Number(day), Number(month)) > 12;
  return JSON.stringify([column, shape, day === month, isFixed]);
}

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
