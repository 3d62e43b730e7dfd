/**
 * The header row: names of the columns, and the signs in it that the file is not the one that the mapping expects.
 * Throws UnreadableFileError (csv/duplicate-column, csv/wrong-delimiter, csv/no-such-column).
 */

import type { Message } from '../../i18n/message.ts';
import { CSV_FILE } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';

/** Delimiters that ERPs write; a first row that is one cell with one of them has another delimiter than the mapping. */
const CANDIDATES = [';', ',', '\t', '|'];

/**
 * Column names from the cells of the header row, trimmed; a column without a name becomes "#5" by its number.
 * Throws csv/duplicate-column with a fault for each name that repeats: a mapping could not say which one it reads.
 */
export function uniqueColumnNames(header: readonly string[], place: { file: string; row: number }): readonly string[] {
  const names = columnNames(header);
  const faults: DataFault[] = [];
  const first = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    else faults.push(duplicateColumn(name, before, at, place));
  }
  if (faults.length > 0) throw new UnreadableFileError(faults);
  return names;
}

/** Column names from the cells of the header row, trimmed; a column without a name becomes "#5". Duplicates stay. */
export function columnNames(header: readonly string[]): readonly string[] {
  return header.map((cell, at) => cell.trim() || `#${at + 1}`);
}

/** Throws csv/wrong-delimiter if the row is one cell that contains another usual delimiter. */
export function refuseWrongDelimiter(
  cells: readonly string[],
  delimiter: string,
  place: { file: string; row: number },
) {
  const [first = '', ...others] = cells;
  const other = CANDIDATES.find((each) => each !== delimiter && first.includes(each));
  if (others.length > 0 || other === undefined) return;
  throw new UnreadableFileError([
    {
      code: 'csv/wrong-delimiter',
      level: 'error',
      ...withMessage(
        CSV_FILE.wrongDelimiter({
          row: place.row,
          delimiter: describeDelimiter(delimiter),
          other: describeDelimiter(other),
        }),
        CSV_FILE.writeDelimiter({
          setting: `\`delimiter: ${other === '\t' ? 'tab' : `"${other}"`}\``,
          delimiter: describeDelimiter(delimiter),
        }),
      ),
      origin: place,
      given: first.slice(0, 100),
    },
  ]);
}

/**
 * Index from 0 of a column given by name or by number from 1. Throws csv/no-such-column if the file does not have it.
 */
export function findColumn(column: string | number, columns: readonly string[], place: { file: string; row: number }) {
  const index = typeof column === 'number' ? column - 1 : columns.indexOf(column);
  if (index >= 0 && index < columns.length) return index;
  const which = typeof column === 'number' ? CSV_FILE.numbered({ column }) : `"${column}"`;
  throw new UnreadableFileError([
    {
      code: 'csv/no-such-column',
      level: 'error',
      ...withMessage(CSV_FILE.noColumn({ which, names: columns.map((name) => `"${name}"`) }), CSV_FILE.correctColumn()),
      origin: place,
    },
  ]);
}

/** The delimiter as messages show it: in quotes, or the word for a tab. */
export function describeDelimiter(delimiter: string): string | Message {
  return delimiter === '\t' ? CSV_FILE.tab() : `"${delimiter}"`;
}

/** "1 cell", "2 cells". */
export function cellCount(count: number): Message {
  return count === 1 ? CSV_FILE.oneCell() : CSV_FILE.cells({ count });
}

function duplicateColumn(name: string, first: number, second: number, place: { file: string; row: number }): DataFault {
  return {
    code: 'csv/duplicate-column',
    level: 'error',
    ...withMessage(CSV_FILE.duplicate({ name, first: first + 1, second: second + 1 }), CSV_FILE.renameColumn()),
    origin: { ...place, column: name },
    given: name,
  };
}
