/**
 * Faults of a fixed-width file: place in, fault with its words out. Row faults go into the row; the functions that
 * return an UnreadableFileError refuse the file, and the caller throws.
 */

import type { Message } from '../../i18n/message.ts';
import { CSV_FILE, FIXED_WIDTH } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';

/** fixed/line-too-short or fixed/line-too-long. `found` and `expected` count characters without the line end. */
export function lengthFault(file: string, row: number, text: string, found: number, expected: number): DataFault {
  const short = found < expected;
  return {
    code: short ? 'fixed/line-too-short' : 'fixed/line-too-long',
    level: 'error',
    ...withMessage(FIXED_WIDTH.length({ found, expected }), short ? shortHint(text, expected) : FIXED_WIDTH.long()),
    origin: { file, row },
    onlyInErp: true,
    given: text.slice(0, 200),
  };
}

/** A line that has the expected length in UTF-8 bytes: the ERP counts an accented letter as two positions. */
function shortHint(text: string, expected: number): Message {
  return Buffer.byteLength(text) === expected ? FIXED_WIDTH.accentsInTwo() : FIXED_WIDTH.short();
}

/** fixed/tab: the width of a tab is unknown, so the columns after it cannot be found. */
export function tabFault(file: string, row: number): DataFault {
  return {
    code: 'fixed/tab',
    level: 'error',
    ...withMessage(FIXED_WIDTH.tab(), FIXED_WIDTH.asWritten()),
    origin: { file, row },
    onlyInErp: true,
  };
}

/** fixed/sign-at-start: a printer or a joined file put a sign in front of the line that the columns do not count. */
export function signFault(file: string, row: number): DataFault {
  return {
    code: 'fixed/sign-at-start',
    level: 'error',
    ...withMessage(FIXED_WIDTH.signAtStart(), FIXED_WIDTH.dataAlone()),
    origin: { file, row },
    onlyInErp: true,
  };
}

/**
 * fixed/no-final-line-end: the last line may be cut. With `records` (no line ends) fixed/last-record-cut: the last
 * record is certainly cut.
 */
export function missingLastLineEnd(file: string, row: number, records: boolean): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: records ? 'fixed/last-record-cut' : 'fixed/no-final-line-end',
      level: 'error',
      ...(records
        ? withMessage(FIXED_WIDTH.recordCut(), FIXED_WIDTH.runAgain())
        : withMessage(FIXED_WIDTH.noLastEnd(), CSV_FILE.finish())),
      origin: { file, row },
    },
  ]);
}

/** fixed/no-lines: `skip-rows` leaves out all lines of the file. `row`: how many it has. */
export function noLines(file: string, row: number): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'fixed/no-lines',
      level: 'error',
      ...withMessage(FIXED_WIDTH.noLines({ row }), FIXED_WIDTH.correctSkip()),
      origin: { file, row },
    },
  ]);
}
