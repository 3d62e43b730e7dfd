/**
 * The header row: names of the columns, and the ways a header shows that the file is not what the mapping expects.
 */

import type { Message } from '../../i18n/message.ts';
import { CSV } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';

const CANDIDATES = [';', ',', '\t', '|'];

/** Column names from the cells of the header row: trimmed, unique; a nameless column is called by its number, "#5". */
export function columnsOf(header: readonly string[], place: { file: string; row: number }): readonly string[] {
  const names = columnNames(header);
  const faults: DataFault[] = [];
  const first = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    else faults.push(duplicate(name, before, at, place));
  }
  if (faults.length > 0) throw new UnreadableFileError(faults);
  return names;
}

export function columnNames(header: readonly string[]): readonly string[] {
  return header.map((cell, at) => cell.trim() || `#${at + 1}`);
}

/** Refuses a first row that is one wide cell because another delimiter stands in it. */
export function refuseWrongDelimiter(
  cells: readonly string[],
  delimiter: string,
  place: { file: string; row: number },
) {
  const other =
    cells.length === 1 ? CANDIDATES.find((each) => each !== delimiter && cells[0]!.includes(each)) : undefined;
  if (other === undefined) return;
  throw new UnreadableFileError([
    {
      code: 'csv/wrong-delimiter',
      level: 'error',
      ...withMessage(
        CSV.wrongDelimiter({ row: place.row, delimiter: shownDelimiter(delimiter), other: shownDelimiter(other) }),
        CSV.writeDelimiter({
          setting: `\`delimiter: ${other === '\t' ? 'tab' : `"${other}"`}\``,
          delimiter: shownDelimiter(delimiter),
        }),
      ),
      origin: place,
      given: cells[0]!.slice(0, 100),
    },
  ]);
}

/** Index of a column given by name or by number from 1; throws where the file does not have it. */
export function columnIndex(column: string | number, columns: readonly string[], place: { file: string; row: number }) {
  const index = typeof column === 'number' ? column - 1 : columns.indexOf(column);
  if (index >= 0 && index < columns.length) return index;
  const which = typeof column === 'number' ? CSV.numbered({ column }) : `"${column}"`;
  throw new UnreadableFileError([
    {
      code: 'csv/no-such-column',
      level: 'error',
      ...withMessage(CSV.noColumn({ which, names: columns.map((name) => `"${name}"`) }), CSV.correctColumn()),
      origin: place,
    },
  ]);
}

export function shownDelimiter(delimiter: string): string | Message {
  return delimiter === '\t' ? CSV.tab() : `"${delimiter}"`;
}

/** "1 cell", "2 cells". */
export function cellCount(count: number): Message {
  return count === 1 ? CSV.oneCell() : CSV.cells({ count });
}

function duplicate(name: string, first: number, second: number, place: { file: string; row: number }): DataFault {
  return {
    code: 'csv/duplicate-column',
    level: 'error',
    ...withMessage(CSV.duplicate({ name, first: first + 1, second: second + 1 }), CSV.renameColumn()),
    origin: { ...place, column: name },
    given: name,
  };
}
