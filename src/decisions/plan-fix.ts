/**
 * The edits of cells that a person asks for, for one document or many: COLUMN=VALUE, or what the faults suggest. Entries
 * and their cells come in, edits come out; a wrong request is an OperatorError `fix/*`, thrown if it concerns all of them.
 */
import { FIX } from '../i18n/messages/pipeline-messages.ts';
import { readCellCause } from '../model/cause.ts';
import { definedOnly } from '../model/defined-only.ts';
import { type Fault, isOnlyInErp, MESSAGE, OperatorError } from '../model/fault.ts';
import { documentName, type LedgerEntry, type Selector } from '../model/ledger-entry.ts';
import { must } from '../model/must.ts';
import { stateInfo } from '../model/state.ts';
import { readCellsOf } from '../pipeline/reprocessing/document-cells.ts';
import { type Cells, isCorrectable, type ReprocessContext } from '../pipeline/reprocessing/reconvert-source.ts';
import { suggest } from '../text/suggest.ts';
import type { ActOf } from './act.ts';
import { type CellEdit, editOf, indexOf, variesAcrossRows } from './cell-edits.ts';

/** What to write into which cells. */
export type FixRequest = {
  /** COLUMN=VALUE or COLUMN@ROW=VALUE. */
  readonly cells: readonly string[];
  /** Also what the faults suggest. */
  readonly suggested?: boolean;
  /** All cells are of this column; suggestions for others are left. */
  readonly column?: string;
  /** Only cells with this text: exactly, or without the blanks around it. */
  readonly former?: { readonly text: string; readonly exactly: boolean };
};

/** The edits of one document, before a person and a reason make them corrections. */
export type PlannedFix = {
  readonly entry: LedgerEntry;
  readonly edits: readonly CellEdit[];
  /** Whether it was set aside when the person saw it; as the entry has it by default. */
  readonly wasAside?: boolean;
};

export type FixPlan = {
  readonly documents: readonly PlannedFix[];
  /** Of several documents those that the request does not fit, each with its reason. */
  readonly leftOut: readonly { readonly entry: LedgerEntry; readonly error: OperatorError }[];
};

/** Reads each source once. Throws the reason of the first document if none can be corrected like this. */
export async function planFix(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
  request: FixRequest,
): Promise<FixPlan> {
  const isOne = entries.length === 1;
  const open = isOne ? entries : entries.filter(isCorrectable);
  const leftOut = entries.filter((entry) => !open.includes(entry)).map((entry) => ({ entry, error: tooLate(entry) }));
  const cells = await readCellsOf(context, open);
  const documents: PlannedFix[] = [];
  for (const entry of open) {
    try {
      const found = must(cells.get(entry.id), 'the cells of a document');
      if ('error' in found) throw found.error;
      documents.push({ entry, edits: editsFor(entry, found.rows, request) });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      leftOut.push({ entry, error });
    }
  }
  const [first] = leftOut;
  if (documents.length === 0 && first) throw first.error;
  return { documents, leftOut };
}

/** The cells of a column that have the text `from`, exactly; without `to`, what the faults suggest for them. */
export function replacement({ column, from, to }: Pick<ActOf<'replace-cells'>, 'column' | 'from' | 'to'>): FixRequest {
  const former = from === undefined ? undefined : { text: from, exactly: true };
  const cells = to === undefined ? [] : [`${column}=${to}`];
  return definedOnly({ cells, suggested: to === undefined, column, former });
}

/**
 * The request for a selection: the former value is its own, else that of the cause. Documents that a filter selects may have
 * any value in the cell: throws `fix/no-former` without one.
 */
export function withFormer(request: FixRequest, { ids, cause }: Selector): FixRequest {
  const { cells, column, former } = request;
  const cell = cause === undefined ? undefined : readCellCause(cause);
  const isOfCause =
    cell?.value !== undefined &&
    (column === undefined || column === cell.column) &&
    cells.every((text) => text.startsWith(`${cell.column}=`));
  const ofCause = isOfCause ? { text: cell.value ?? '', exactly: false } : undefined;
  const known = former ?? ofCause;
  if (ids === undefined && cells.length > 0 && known === undefined) {
    throw new OperatorError('fix/no-former', FIX.formerMissing(), { hint: FIX.nameFormer() });
  }
  return definedOnly({ ...request, column: column ?? (isOfCause ? cell.column : undefined), former: known });
}

function tooLate(entry: LedgerEntry): OperatorError {
  const { inSentence } = stateInfo(entry.state);
  return new OperatorError('fix/too-late', FIX.tooLate({ document: documentName(entry), state: inSentence }));
}

/** Typed cells win over suggestions for the same cell. Throws `fix/nothing-given` or `fix/nothing-changes`. */
function editsFor(entry: LedgerEntry, rows: readonly Cells[], request: FixRequest): readonly CellEdit[] {
  refuseBrokenRows(entry, rows);
  if (request.cells.length === 0 && !request.suggested) {
    throw new OperatorError('fix/nothing-given', FIX.nothingGiven(), { hint: FIX.giveCell() });
  }
  const typed = request.cells.flatMap((text) => typedEdits(entry, rows, { ...request, text }));
  const added = (request.suggested ? suggestedEdits(entry, rows, request) : []).filter(
    (one) => !typed.some((own) => sameCell(own, one)),
  );
  const edits = [...typed, ...added].filter(({ from, to }) => from !== to);
  if (edits.length > 0) return edits;
  const document = documentName(entry);
  throw new OperatorError('fix/nothing-changes', FIX.nothingChanges({ document }), {
    hint: FIX.reprocess({ document }),
  });
}

/** Throws `fix/row-unreadable` or `fix/only-in-erp`: rows without separable cells can be corrected only in the ERP. */
function refuseBrokenRows(entry: LedgerEntry, rows: readonly Cells[]): void {
  const document = documentName(entry);
  // Recorded faults are in the language of the settings.
  const recorded = entry.faults.filter(isOnlyInErp);
  const broken = rows.find((row) => row.broken)?.broken;
  if (broken) {
    const faults = recorded.length > 0 ? recorded : [broken];
    throw new OperatorError('fix/row-unreadable', FIX.rowUnreadable({ document }), {
      faults,
      hint: (faults.some(isOnlyInErp) ? undefined : broken[MESSAGE]?.hint) ?? FIX.correctInErp(),
    });
  }
  if (recorded.length > 0) {
    const hint = FIX.correctNeighbor({ document });
    throw new OperatorError('fix/only-in-erp', FIX.neighborBroken({ document }), { faults: recorded, hint });
  }
}

type Typed = Pick<FixRequest, 'column' | 'former'> & { readonly text: string };

/** COLUMN=VALUE or COLUMN@ROW=VALUE; names of columns may contain both signs, so the columns of the file decide. */
function typedEdits(entry: LedgerEntry, rows: readonly Cells[], request: Typed): readonly CellEdit[] {
  const { text, former } = request;
  const signs = [...text.matchAll(/=/g)].map(({ index }) => index);
  if (signs.length === 0) {
    throw new OperatorError('fix/not-a-cell', FIX.notACell({ text }), { hint: FIX.writeCell() });
  }
  for (const at of signs) {
    const [left, to] = [text.slice(0, at), text.slice(at + 1)];
    if (hasColumn(rows, left)) {
      refuseOtherColumn(request, left);
      return former ? ofFormer(entry, rows, { column: left, former, to }) : ofEveryRow(entry, rows, left, to);
    }
    const [, column, row] = /^(.*)@(\d+)$/.exec(left) ?? [];
    if (column === undefined || !hasColumn(rows, column)) continue;
    refuseOtherColumn(request, column);
    const edit = ofOneRow(entry, rows, { column, row: Number(row), to });
    if (former && !isFormer(edit.from, former)) throw otherValue(entry, column, former);
    return [edit];
  }
  throw noSuchColumn(rows, text.slice(0, signs[0]).replace(/@\d+$/, ''));
}

/** Throws `fix/other-column` for a cell of another column than --column. */
function refuseOtherColumn({ text, column: wanted }: Typed, column: string): void {
  if (wanted === undefined || wanted === column) return;
  throw new OperatorError('fix/other-column', FIX.otherColumn({ cell: text, column: wanted }), {
    hint: FIX.sameColumn(),
  });
}

type Former = NonNullable<FixRequest['former']>;

/** The cells of one column that have the former text; throws `fix/other-value` if none has. */
function ofFormer(
  entry: LedgerEntry,
  rows: readonly Cells[],
  { column, former, to }: { readonly column: string; readonly former: Former; readonly to: string },
): readonly CellEdit[] {
  const edits = rows.map((row) => editOf(row, column, to)).filter(({ from }) => isFormer(from, former));
  if (edits.length > 0) return edits;
  throw otherValue(entry, column, former);
}

function otherValue(entry: LedgerEntry, column: string, { text: from }: Former): OperatorError {
  const message = FIX.otherValue({ document: documentName(entry), column, from });
  return new OperatorError('fix/other-value', message, { hint: FIX.nameCell() });
}

function isFormer(cell: string, { text, exactly }: Former): boolean {
  return exactly ? cell === text : cell.trim() === text.trim();
}

/** One column of all rows; throws `fix/several-values` if the rows differ, with the row of the fault in the hint. */
function ofEveryRow(entry: LedgerEntry, rows: readonly Cells[], column: string, to: string): readonly CellEdit[] {
  const edits = rows.map((row) => editOf(row, column, to));
  if (!variesAcrossRows(rows, column)) return edits;
  const row = entry.faults.find(({ origin }) => origin?.column === column)?.origin?.row ?? edits[0]?.row;
  const each = edits.map((edit) => FIX.valueOfRow({ row: edit.row, from: edit.from }));
  const hint = FIX.nameRow({ cell: `${column}@${row}=${to}` });
  throw new OperatorError('fix/several-values', FIX.severalValues({ column, document: documentName(entry), each }), {
    hint,
  });
}

/**
 * Every cell with the value of a fault that has a suggestion, each once; throws `fix/nothing-suggested` if none has.
 */
function suggestedEdits(
  entry: LedgerEntry,
  rows: readonly Cells[],
  { column, former }: Pick<FixRequest, 'column' | 'former'>,
): readonly CellEdit[] {
  const faults = entry.faults.filter(({ origin }) => column === undefined || origin?.column === column);
  const edits = faults
    .flatMap((fault) => editsOfFault(fault, rows))
    .filter(({ from }) => former === undefined || isFormer(from, former));
  if (edits.length > 0) return edits.filter((one, n) => edits.findIndex((other) => sameCell(one, other)) === n);
  const document = documentName(entry);
  throw new OperatorError('fix/nothing-suggested', FIX.nothingSuggested({ document }), { hint: FIX.nameCell() });
}

/** All rows with the wrong value, because a header field repeats in each row. */
function editsOfFault({ suggestion, given, origin }: Fault, rows: readonly Cells[]): readonly CellEdit[] {
  const column = origin?.column;
  if (suggestion === undefined || given === undefined || column === undefined) return [];
  return rows
    .filter((row) => hasColumn([row], column))
    .map((row) => editOf(row, column, suggestion))
    .filter(({ from }) => from.trim() === given.trim());
}

function sameCell(one: CellEdit, other: CellEdit): boolean {
  return one.row === other.row && one.column === other.column;
}

/** Throws `fix/no-such-row` with the rows of the document. */
function ofOneRow(
  entry: LedgerEntry,
  rows: readonly Cells[],
  { column, row: wanted, to }: { readonly column: string; readonly row: number; readonly to: string },
): CellEdit {
  const row = rows.find(({ row: own }) => own === wanted);
  if (row) return editOf(row, column, to);
  throw new OperatorError('fix/no-such-row', FIX.noSuchRow({ row: wanted, document: documentName(entry) }), {
    hint: FIX.itsRows({ rows: rows.map(({ row: own }) => String(own)) }),
  });
}

function hasColumn(rows: readonly Cells[], name: string): boolean {
  return rows.some((row) => indexOf(row, name) >= 0);
}

/** Suggests a near column name, else lists the columns. */
function noSuchColumn(rows: readonly Cells[], name: string): OperatorError {
  const columns = rows[0]?.columns ?? [];
  const near = suggest(name, columns);
  return new OperatorError('fix/no-such-column', FIX.noSuchColumn({ column: name }), {
    hint: near === undefined ? FIX.itsColumns({ columns }) : FIX.didYouMean({ near }),
  });
}
