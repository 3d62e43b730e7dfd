/** `fix`: cells of one document are read as a person says, and the document is made again of them, at once. */
import type { Command } from 'commander';
import { format, type Message } from '../../i18n/message.ts';
import { FIX, NOTHING_CHANGED } from '../../i18n/messages/cli-decisions-messages.ts';
import { isOnlyInErp, OperatorError } from '../../model/fault.ts';
import type { Correction, LedgerEntry } from '../../model/ledger-entry.ts';
import { reprocessDocuments } from '../../pipeline/decide.ts';
import { lookIntoLedgerOf, systemClock } from '../../pipeline/open-run.ts';
import { readDocumentCells } from '../../pipeline/preview/document-cells.ts';
import type { Cells } from '../../pipeline/reprocessing/reconvert-source.ts';
import { foresee } from '../../pipeline/reprocessing/reprocess-documents.ts';
import { escapeControls } from '../../text/printable.ts';
import { suggest } from '../../text/suggest.ts';
import { becomingLines, becomingObject, documentName, needsPeople } from '../output/reprocess-result.ts';
import { indexOf, type Meant, meantIn, variesAcrossRows } from '../session/cell-edits.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession } from '../session/command-session.ts';
import { selectDocuments } from '../session/document-selection.ts';
import {
  type DecisionOptions,
  decisionOf,
  type OperatorDecision,
  withInstanceLock,
} from '../session/operator-decision.ts';
import { refusePrintedValue } from '../session/printed-placeholders.ts';

export const fixCommand: CommandModule = { run: fixCells };

async function fixCells(name: string, cells: string[], given: Options, self: Command): Promise<void> {
  const session = openSession(self);
  const { instance, options, terminal } = session;
  const { language } = instance.settings.rules;
  const say = (phrase: Message) => escapeControls(format(phrase, language));
  const decision = decisionOf(given);
  await using ledger = await lookIntoLedgerOf(instance);
  const entry = (await selectDocuments(ledger, { ids: [name] }, 'fix'))[0]!;
  const hands = { instance, ledger, clock: systemClock };
  const corrections = correctionsFor(entry, await readDocumentCells(hands, entry), { cells, ...given }, decision);
  const became = given.dryRun
    ? await foresee(hands, [entry], { at: decision.at, corrections })
    : await withInstanceLock(session, (work) => reprocessDocuments(work, [entry.id], { ...decision, corrections }));
  const dryRun = given.dryRun === true;
  if (options.json) {
    terminal.out(JSON.stringify({ dryRun, corrections, documents: became.map(becomingObject) }, null, 2));
  } else {
    for (const { row, column, from, to } of corrections) {
      terminal.out(`  ${say(FIX.cell({ number: documentName(entry), row, column, from, to }))}`);
    }
    for (const one of became)
      for (const line of becomingLines(one, dryRun, language)) terminal.out(escapeControls(line));
    const undone = became.every((one) => 'fault' in one || one.state === 'unchanged');
    if (dryRun || undone) terminal.talk(`  ${say(dryRun ? NOTHING_CHANGED.dryRun() : NOTHING_CHANGED.plain())}`);
  }
  process.exitCode = became.some(needsPeople) ? 3 : 0;
}

type Options = DecisionOptions & { readonly suggested?: boolean };

function correctionsFor(
  entry: LedgerEntry,
  rows: readonly Cells[],
  { cells, suggested }: { readonly cells: readonly string[]; readonly suggested?: boolean },
  { by, at, reason }: OperatorDecision,
): readonly Correction[] {
  const broken = rows.find((row) => row.broken)?.broken;
  const told = entry.faults.filter(isOnlyInErp);
  if (broken) {
    // As they were recorded they are in the language of the settings.
    throw new OperatorError('fix/row-unreadable', FIX.rowUnreadable({ document: documentName(entry) }), {
      faults: told.length > 0 ? told : [broken],
      hint: FIX.correctInErp(),
    });
  }
  if (told.length > 0) {
    const document = documentName(entry);
    throw new OperatorError('fix/only-in-erp', FIX.neighborBroken({ document }), {
      faults: told,
      hint: FIX.correctNeighbor({ document }),
    });
  }
  if (cells.length === 0 && !suggested) {
    throw new OperatorError('fix/nothing-given', FIX.nothingGiven(), { hint: FIX.giveCell() });
  }
  const written = cells.flatMap((text) => cellsMeant(entry, rows, text));
  const taken = suggested
    ? suggestedCells(entry, rows).filter((one) => !written.some((own) => sameCell(own, one)))
    : [];
  const corrections = [...written, ...taken].map(({ row, column, from, to }) => ({
    row,
    column,
    from,
    to,
    by,
    at,
    reason,
  }));
  if (corrections.some(({ from, to }) => from !== to)) return corrections.filter(({ from, to }) => from !== to);
  throw new OperatorError('fix/nothing-changes', FIX.nothingChanges({ document: documentName(entry) }), {
    hint: FIX.reprocess({ document: documentName(entry) }),
  });
}

/** COLUMN=VALUE or COLUMN@ROW=VALUE; the names of columns may hold both signs, so those of the file decide. */
function cellsMeant(entry: LedgerEntry, rows: readonly Cells[], text: string): readonly Meant[] {
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

function ofEveryRow(entry: LedgerEntry, rows: readonly Cells[], column: string, to: string): readonly Meant[] {
  const meant = rows.map((row) => meantIn(row, column, to));
  if (!variesAcrossRows(rows, column)) return meant;
  const blamed = entry.faults.find(({ origin }) => origin?.column === column)?.origin?.row ?? meant[0]!.row;
  const each = meant.map(({ row, from }) => FIX.valueOfRow({ row, from }));
  throw new OperatorError('fix/several-values', FIX.severalValues({ column, document: documentName(entry), each }), {
    hint: FIX.nameRow({ cell: `${column}@${blamed}=${to}` }),
  });
}

/** Every cell of the document that holds what a fault found wrong, and for which that fault has a better value. */
function suggestedCells(entry: LedgerEntry, rows: readonly Cells[]): readonly Meant[] {
  const found = entry.faults.flatMap(({ suggestion, given, origin }) =>
    suggestion === undefined || given === undefined || origin?.column === undefined
      ? []
      : rows
          .filter((row) => hasColumn([row], origin.column!))
          .map((row) => meantIn(row, origin.column!, suggestion))
          .filter(({ from }) => from.trim() === given.trim()),
  );
  if (found.length > 0) return found.filter((one, n) => found.findIndex((other) => sameCell(one, other)) === n);
  throw new OperatorError('fix/nothing-suggested', FIX.nothingSuggested({ document: documentName(entry) }), {
    hint: FIX.nameCell(),
  });
}

function sameCell(one: Meant, other: Meant): boolean {
  return one.row === other.row && one.column === other.column;
}

function ofOneRow(
  entry: LedgerEntry,
  rows: readonly Cells[],
  { column, row: wanted, to }: { readonly column: string; readonly row: number; readonly to: string },
): Meant {
  const row = rows.find(({ row: own }) => own === wanted);
  if (row) return meantIn(row, column, to);
  throw new OperatorError('fix/no-such-row', FIX.noSuchRow({ row: wanted, document: documentName(entry) }), {
    hint: FIX.itsRows({ rows: rows.map(({ row: own }) => String(own)) }),
  });
}

function hasColumn(rows: readonly Cells[], name: string): boolean {
  return rows.some((row) => indexOf(row, name) >= 0);
}

function noSuchColumn(rows: readonly Cells[], name: string): OperatorError {
  const columns = rows[0]?.columns ?? [];
  const near = suggest(name, columns);
  return new OperatorError('fix/no-such-column', FIX.noSuchColumn({ column: name }), {
    hint: near === undefined ? FIX.itsColumns({ columns }) : FIX.didYouMean({ near }),
  });
}
