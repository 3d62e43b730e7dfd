/** What can be wrong with a line of a fixed-width file, or with the file, in plain words. */

import { CSV, FIXED } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';

export function lengthFault(file: string, row: number, text: string, found: number, expected: number): DataFault {
  const short = found < expected;
  const bytes = Buffer.byteLength(text);
  return {
    code: short ? 'fixed/line-too-short' : 'fixed/line-too-long',
    level: 'error',
    ...withMessage(
      FIXED.length({ found, expected }),
      bytes === expected && short ? FIXED.accentsInTwo() : short ? FIXED.short() : FIXED.long(),
    ),
    origin: { file, row },
    onlyInErp: true,
    given: text.slice(0, 200),
  };
}

export function tabFault(file: string, row: number): DataFault {
  return {
    code: 'fixed/tab',
    level: 'error',
    ...withMessage(FIXED.tab(), FIXED.asWritten()),
    origin: { file, row },
    onlyInErp: true,
  };
}

/** The last line may have been cut; with `records`, the last record surely was. */
export function withoutLastLineEnd(file: string, row: number, records: boolean): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: records ? 'fixed/last-record-cut' : 'fixed/no-final-line-end',
      level: 'error',
      ...(records ? withMessage(FIXED.recordCut(), FIXED.runAgain()) : withMessage(FIXED.noLastEnd(), CSV.finish())),
      origin: { file, row },
    },
  ]);
}

export function withoutAnyLine(file: string, row: number): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'fixed/no-lines',
      level: 'error',
      ...withMessage(FIXED.noLines({ row }), FIXED.correctSkip()),
      origin: { file, row },
    },
  ]);
}
