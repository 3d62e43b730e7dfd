/**
 * A column that a document has one value of stands on each of its rows, and is damaged on each of them: told once, at
 * the first row. The fault keeps the other rows, for what looks at cells row by row (files to correct, corrections).
 *
 * One cell that several values of a document are made of (a SIREN and the routing address) is told once as well.
 */

import { ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, MESSAGE, withMessage } from '../../model/fault.ts';

export function toldOnce(faults: readonly DataFault[]): readonly DataFault[] {
  if (faults.length < 2) return faults;
  return onePerRow(oncePerCell(faults));
}

function oncePerCell(faults: readonly DataFault[]): readonly DataFault[] {
  const known = new Set<string>();
  return faults.filter(({ code, level, message, given, origin }) => {
    if (given === undefined || origin?.column === undefined) return true;
    const { file, row, column, path } = origin;
    // A function for the SIREN and one for the VAT number say the same of a cell in other words.
    const says = code === 'map/not-an-identifier' ? '' : message;
    const key = JSON.stringify([code, level, says, given, file, row, column, path]);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function onePerRow(faults: readonly DataFault[]): readonly DataFault[] {
  const byCause = new Map<string, DataFault[]>();
  for (const fault of faults) {
    const key = causeOf(fault) ?? `${byCause.size}`;
    const same = byCause.get(key);
    if (same) same.push(fault);
    else byCause.set(key, [fault]);
  }
  return byCause.size === faults.length ? faults : [...byCause.values()].map(together);
}

/** The same text in the same column, in place of one value of the document: those of lines have a place each. */
function causeOf({ code, level, at, message, given, origin }: DataFault): string | undefined {
  if (at === undefined || origin?.column === undefined) return undefined;
  return JSON.stringify([code, level, at, message, given, origin.file, origin.column]);
}

function together([first, ...others]: readonly DataFault[]): DataFault {
  if (others.length === 0) return first!;
  const { message, hint } = first![MESSAGE];
  const { path, line } = first!.origin!;
  const moreRows = others.map(({ origin }) => origin!.row);
  // One element of an XML is around all rows of its document: it stands in the file once.
  if (path !== undefined && others.every(({ origin }) => origin!.path === path && origin!.line === line)) {
    return { ...first!, moreRows };
  }
  const count = others.length;
  const told =
    count === 1 ? ROW_ROWS.andOneRow({ message, row: moreRows[0]! }) : ROW_ROWS.andMoreRows({ message, count });
  return { ...first!, ...withMessage(told, hint), moreRows };
}
