/** What can be wrong with a line of a fixed-width file, or with the file, in plain words. */

import type { Message } from '../../i18n/message.ts';
import { CSV_FILE, FIXED_WIDTH } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';

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

function shortHint(text: string, expected: number): Message {
  return Buffer.byteLength(text) === expected ? FIXED_WIDTH.accentsInTwo() : FIXED_WIDTH.short();
}

export function tabFault(file: string, row: number): DataFault {
  return {
    code: 'fixed/tab',
    level: 'error',
    ...withMessage(FIXED_WIDTH.tab(), FIXED_WIDTH.asWritten()),
    origin: { file, row },
    onlyInErp: true,
  };
}

/** The last line may have been cut; with `records`, the last record surely was. */
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
