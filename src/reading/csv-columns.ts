/**
 * The header row: names of the columns, and the ways a header shows that the file is not what the mapping expects.
 */
import type { Fault } from '../model/fault.ts';
import { Unreadable } from './reader.ts';

const CANDIDATES = [';', ',', '\t', '|'];

/** Column names from the cells of the header row: trimmed, unique; a nameless column is called by its number, "#5". */
export function columnsOf(header: readonly string[], place: { file: string; row: number }): readonly string[] {
  const names = columnNames(header);
  const faults: Fault[] = [];
  const first = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    else faults.push(duplicate(name, before, at, place));
  }
  if (faults.length > 0) throw new Unreadable(faults);
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
  throw new Unreadable([
    {
      code: 'csv/wrong-delimiter',
      level: 'error',
      message: `Row ${place.row} has no ${shown(delimiter)}, but ${shown(other)}: the file uses another delimiter`,
      origin: place,
      given: cells[0]!.slice(0, 100),
      hint: `Write \`delimiter: ${other === '\t' ? 'tab' : `"${other}"`}\` in the mapping, or export with ${shown(delimiter)}`,
    },
  ]);
}

/** Index of a column given by name or by number from 1; throws where the file does not have it. */
export function columnIndex(column: string | number, columns: readonly string[], place: { file: string; row: number }) {
  const index = typeof column === 'number' ? column - 1 : columns.indexOf(column);
  if (index >= 0 && index < columns.length) return index;
  const which = typeof column === 'number' ? `number ${column}` : `"${column}"`;
  throw new Unreadable([
    {
      code: 'csv/no-such-column',
      level: 'error',
      message: `The file has no column ${which}; it has ${columns.map((name) => `"${name}"`).join(', ')}`,
      origin: place,
      hint: 'Correct the name under fill-down or leave-out in the mapping, or export the file with this column',
    },
  ]);
}

export function shown(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : `"${delimiter}"`;
}

/** "1 cell", "2 cells". */
export function cellCount(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`;
}

function duplicate(name: string, first: number, second: number, place: { file: string; row: number }): Fault {
  return {
    code: 'csv/duplicate-column',
    level: 'error',
    message: `Two columns are named "${name}": column ${first + 1} and column ${second + 1}`,
    origin: { ...place, column: name },
    given: name,
    hint: 'Rename one of them in the export; or leave the header out with skip-rows and give column-names',
  };
}
