/**
 * A column with one value per document is on each of its rows, and damaged on each of them: one fault, at the first
 * row. It keeps the numbers of the other rows for correction files, which go through cells row by row.
 *
 * A cell from which several values are made (a SIREN and the routing address) has one fault as well.
 */

import { ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, MESSAGE, withMessage } from '../../model/fault.ts';
import type { Origin } from '../../model/origin.ts';

/** The faults in their order, each repetition merged into the first one. */
export function mergeRepeatedFaults(faults: readonly DataFault[]): readonly DataFault[] {
  if (faults.length < 2) return faults;
  return onePerRow(oncePerCell(faults));
}

function oncePerCell(faults: readonly DataFault[]): readonly DataFault[] {
  const known = new Set<string>();
  return faults.filter(({ code, level, message, given, origin }) => {
    if (given === undefined || origin?.column === undefined) return true;
    const { file, row, column, path } = origin;
    // A function for the SIREN and one for the VAT number have different words for the same fault of a cell.
    const words = code === 'map/not-an-identifier' ? '' : message;
    const key = JSON.stringify([code, level, words, given, file, row, column, path]);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function onePerRow(faults: readonly DataFault[]): readonly DataFault[] {
  const byCause = new Map<string, [DataFault, ...DataFault[]]>();
  for (const fault of faults) {
    const key = causeOf(fault) ?? `${byCause.size}`;
    const same = byCause.get(key);
    if (same) same.push(fault);
    else byCause.set(key, [fault]);
  }
  return byCause.size === faults.length ? faults : [...byCause.values()].map(merged);
}

/** The same text in the same column for one value of the document; undefined for the value of a line, which has a place of its own. */
function causeOf({ code, level, at, message, given, origin }: DataFault): string | undefined {
  if (at === undefined || origin?.column === undefined) return undefined;
  return JSON.stringify([code, level, at, message, given, origin.file, origin.column]);
}

function merged([first, ...others]: readonly [DataFault, ...DataFault[]]): DataFault {
  const moreRows = others.flatMap(({ origin }) => origin?.row ?? []);
  const [row] = moreRows;
  if (row === undefined) return first;
  const { path, line }: Partial<Origin> = first.origin ?? {};
  // One element of an XML is around all rows of its document: the file has it once.
  if (path !== undefined && others.every(({ origin }) => origin?.path === path && origin.line === line)) {
    return { ...first, moreRows };
  }
  const { message, hint } = first[MESSAGE];
  const count = moreRows.length;
  const words = count === 1 ? ROW_ROWS.andOneRow({ message, row }) : ROW_ROWS.andMoreRows({ message, count });
  return { ...first, ...withMessage(words, hint), moreRows };
}
