/**
 * `fix`: corrects cells of one document, records who and why, and converts it again at once. Output: cells and results.
 * Exit code 3 if the document still needs a person; a wrong cell throws OperatorError `fix/*` and changes nothing.
 */
import type { Command } from 'commander';
import { FIX, NOTHING_CHANGED } from '../../i18n/messages/cli-decisions-messages.ts';
import { type Fault, isOnlyInErp, OperatorError } from '../../model/fault.ts';
import type { Correction, LedgerEntry } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { reprocessDocuments } from '../../pipeline/decisions/decide.ts';
import { lookIntoLedgerOf, systemClock } from '../../pipeline/open-run.ts';
import { readDocumentCells } from '../../pipeline/preview/document-cells.ts';
import type { Cells } from '../../pipeline/reprocessing/reconvert-source.ts';
import { foresee } from '../../pipeline/reprocessing/reprocess-documents.ts';
import { escapeControls } from '../../text/printable.ts';
import { suggest } from '../../text/suggest.ts';
import { becomingLines, becomingObject, documentName, needsPeople } from '../output/reprocess-result.ts';
import { type CellEdit, editOf, indexOf, variesAcrossRows } from '../session/cell-edits.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { selectDocuments } from '../session/document-selection.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import {
  type DecisionOptions,
  decisionOf,
  type OperatorDecision,
  withInstanceLock,
} from '../session/operator-decision.ts';
import { refusePrintedValue } from '../session/printed-placeholders.ts';

export const fixCommand: CommandModule = { run: fixCells };

type Options = DecisionOptions & { readonly suggested?: boolean };

/** Reads the cells from the archived export before the lock: a typing error never waits for a run. */
async function fixCells(name: string, cells: string[], given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  const { instance } = session;
  const decision = decisionOf(given);
  await using ledger = await lookIntoLedgerOf(instance);
  const [selected] = await selectDocuments(ledger, { ids: [name] }, 'fix');
  const entry = must(selected, 'the selected document');
  const context = { instance, ledger, clock: systemClock };
  const rows = await readDocumentCells(context, entry);
  const corrections = correctionsFor(entry, rows, { cells, ...given }, decision);
  const results = given.dryRun
    ? await foresee(context, [entry], { at: decision.at, corrections })
    : await withInstanceLock(session, (work) => reprocessDocuments(work, [entry.id], { ...decision, corrections }));
  show(session, { entry, corrections, results }, { dryRun: given.dryRun === true });
  process.exitCode = exitCodeIf(results.some(needsPeople), 3);
}

/** The corrections with the results of the conversion. */
type Fixed = {
  readonly entry: LedgerEntry;
  readonly corrections: readonly Correction[];
  readonly results: Awaited<ReturnType<typeof foresee>>;
};

function show(
  { options, terminal, language, say }: Session,
  { entry, corrections, results }: Fixed,
  { dryRun }: { readonly dryRun: boolean },
): void {
  if (options.json) {
    terminal.out(JSON.stringify({ dryRun, corrections, documents: results.map(becomingObject) }, null, 2));
    return;
  }
  for (const { row, column, from, to } of corrections) {
    terminal.out(`  ${escapeControls(say(FIX.cell({ number: documentName(entry), row, column, from, to })))}`);
  }
  for (const line of results.flatMap((result) => becomingLines(result, dryRun, language))) {
    terminal.out(escapeControls(line));
  }
  const isUnchanged = results.every((result) => 'fault' in result || result.state === 'unchanged');
  if (dryRun) terminal.talk(`  ${say(NOTHING_CHANGED.dryRun())}`);
  else if (isUnchanged) terminal.talk(`  ${say(NOTHING_CHANGED.plain())}`);
}

/** Typed cells win over suggestions for the same cell. Throws `fix/nothing-given` or `fix/nothing-changes`. */
function correctionsFor(
  entry: LedgerEntry,
  rows: readonly Cells[],
  { cells, suggested }: { readonly cells: readonly string[]; readonly suggested?: boolean },
  { by, at, reason }: OperatorDecision,
): readonly Correction[] {
  refuseBrokenRows(entry, rows);
  if (cells.length === 0 && !suggested) {
    throw new OperatorError('fix/nothing-given', FIX.nothingGiven(), { hint: FIX.giveCell() });
  }
  const typed = cells.flatMap((text) => typedEdits(entry, rows, text));
  const added = (suggested ? suggestedEdits(entry, rows) : []).filter(
    (one) => !typed.some((own) => sameCell(own, one)),
  );
  const edits = [...typed, ...added].filter(({ from, to }) => from !== to);
  if (edits.length > 0) return edits.map((edit) => ({ ...edit, by, at, reason }));
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
      hint: FIX.correctInErp(),
    });
  }
  if (recorded.length > 0) {
    const hint = FIX.correctNeighbor({ document });
    throw new OperatorError('fix/only-in-erp', FIX.neighborBroken({ document }), { faults: recorded, hint });
  }
}

/** COLUMN=VALUE or COLUMN@ROW=VALUE; names of columns may contain both signs, so the columns of the file decide. */
function typedEdits(entry: LedgerEntry, rows: readonly Cells[], text: string): readonly CellEdit[] {
  const signs = [...text.matchAll(/=/g)].map(({ index }) => index);
  if (signs.length === 0) {
    throw new OperatorError('fix/not-a-cell', FIX.notACell({ text }), { hint: FIX.writeCell() });
  }
  for (const at of signs) {
    const [left, to] = [text.slice(0, at), text.slice(at + 1)];
    refusePrintedValue(to);
    if (hasColumn(rows, left)) return ofEveryRow(entry, rows, left, to);
    const [, column, row] = /^(.*)@(\d+)$/.exec(left) ?? [];
    if (column !== undefined && hasColumn(rows, column))
      return [ofOneRow(entry, rows, { column, row: Number(row), to })];
  }
  throw noSuchColumn(rows, text.slice(0, signs[0]).replace(/@\d+$/, ''));
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
function suggestedEdits(entry: LedgerEntry, rows: readonly Cells[]): readonly CellEdit[] {
  const edits = entry.faults.flatMap((fault) => editsOfFault(fault, rows));
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
