/**
 * Rows that a grouping refuses in, their faults out: no key, cells that cannot be read, a document that cannot be determined or is
 * too large, a key that came back.
 */
import { ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, DOCUMENT_TOO_LARGE, type Localizable, MESSAGE, withMessage } from '../../model/fault.ts';
import { type Cut, originOf, type Row, type Table } from '../../model/row.ts';
import { totalsCell } from '../../text/totals-cell.ts';

/** The most that a document, or all of them together, may have. */
type Most = { readonly rows: number; readonly characters: number };
/** `column`: cell index of the first key column. */
type Keyed = { readonly table: Table; readonly column: number | undefined };

const BESIDE = 'map/beside-broken-row';
const MEBI = 1024 * 1024;

/** No line of any document. */
export function isBlank({ cells }: Row): boolean {
  return cells.every((cell) => cell.trim() === '');
}

export function noKeyFault({ table, column }: Keyed, row: Row): DataFault {
  return { code: 'map/no-key', level: 'error', ...noKeyWords(table, row), origin: originOf(table, row, column) };
}

function noKeyWords({ places }: Table, row: Row): Localizable {
  const about = { row: row.row };
  if (isBlank(row)) return withMessage(ROW_ROWS.blank(about), ROW_ROWS.leaveBlankOut({ rule: '[{ blank: true }]' }));
  return withMessage(ROW_ROWS.noKey(about), places ? ROW_ROWS.fillElementIn() : ROW_ROWS.fillKeyIn());
}

/** The first of the cells that broke the row is its fault; a person corrects all of them at once. */
export function otherBadCells({ badCells = [] }: Row): readonly DataFault[] {
  return badCells.slice(1).map(({ fault }) => fault);
}

/** A row of totals that the mapping leaves out may be broken as well: then the ERP has nothing to correct. */
export function brokenFault(fault: DataFault, row: Row): DataFault {
  const { onlyInErp, ...plain } = fault;
  const { message, hint } = fault[MESSAGE];
  if (!onlyInErp || !hint) return fault;
  return isLost(row) ? { ...fault, ...withMessage(message, ROW_ROWS.exportAgain({ hint })) } : plain;
}

export function isBeside({ code, origin }: DataFault, { row }: Row): boolean {
  return code === BESIDE && origin?.row === row;
}

export function unplacedFault(table: Table, row: Row, where: 'beside' | 'anywhere'): DataFault {
  const { message, exportAgain, correct, first } = UNPLACED[where];
  const about = { row: row.row };
  const fault = { code: BESIDE, level: 'error', origin: originOf(table, row) } as const;
  if (totalsCell(row) !== undefined) return { ...fault, ...withMessage(message(about), ROW_ROWS.totalsBeside()) };
  if (isLost(row)) return { ...fault, ...withMessage(message(about), exportAgain(about)), onlyInErp: true };
  const own = row.badCells ? undefined : row.broken?.[MESSAGE].hint;
  return { ...fault, ...withMessage(message(about), own ? first({ hint: own }) : correct(about)) };
}

/** Words for a row between two documents, and for one that may belong to any document of the file. `first`: no cell of it is wrong. */
const UNPLACED = {
  beside: {
    message: ROW_ROWS.besideBroken,
    exportAgain: ROW_ROWS.exportRow,
    correct: ROW_ROWS.correctRow,
    first: ROW_ROWS.placeRow,
  },
  anywhere: {
    message: ROW_ROWS.mayBelong,
    exportAgain: ROW_ROWS.exportRowOfAny,
    correct: ROW_ROWS.correctRowOfAny,
    first: ROW_ROWS.placeRowOfAny,
  },
} as const;

function isLost(row: Row): boolean {
  return row.broken?.onlyInErp === true && totalsCell(row) === undefined;
}

export function backFault(on: Keyed, row: Row, key: readonly string[], first: number | undefined): DataFault {
  const given = key.join(' ');
  const message =
    first === undefined ? ROW_ROWS.notTogether({ key: given }) : ROW_ROWS.cameBack({ key: given, row: first });
  return {
    code: 'map/key-came-back',
    level: 'error',
    ...withMessage(message, ROW_ROWS.sortExport()),
    given,
    origin: originOf(on.table, row, on.column),
  };
}

export function tooManyRows(on: Keyed, { rows, characters }: Most): DataFault {
  return {
    code: 'map/too-many-rows',
    level: 'error',
    ...withMessage(ROW_ROWS.tooManyAnywhere({ most: rows, mebi: characters / MEBI }), ROW_ROWS.sortOrSplit()),
    origin: { file: on.table.file, row: 0 },
  };
}

/** Nothing in its cells is wrong: the rows are too many for one document. */
export function tooLarge(
  on: Keyed,
  first: Row,
  { count, cut }: { readonly count: number; readonly cut: Cut | undefined },
  { rows, characters }: Most,
): DataFault {
  const most = { count, most: rows, mebi: characters / MEBI };
  const message = cut
    ? ROW_ROWS.tooManyElements({ ...most, elements: cut.elements, mostElements: cut.mostElements })
    : ROW_ROWS.tooLarge(most);
  return {
    code: DOCUMENT_TOO_LARGE,
    level: 'error',
    ...withMessage(message, ROW_ROWS.keyOrSplit()),
    given: String(count),
    origin: originOf(on.table, first, on.column),
    onlyInErp: true,
  };
}
