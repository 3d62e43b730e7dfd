/** What can be wrong with a line of a fixed-width file, or with the file, in plain words. */
import type { Fault } from '../model/fault.ts';
import { Unreadable } from './reader.ts';

export function lengthFault(file: string, row: number, text: string, found: number, expected: number): Fault {
  const short = found < expected;
  const bytes = Buffer.byteLength(text);
  return {
    code: short ? 'fixed/line-too-short' : 'fixed/line-too-long',
    level: 'error',
    message: `The line has ${found} characters where ${expected} are expected`,
    origin: { file, row },
    given: text.slice(0, 200),
    hint:
      bytes === expected && short
        ? 'The export counts bytes and writes accents in two: have it written in one byte each, for example windows-1252'
        : short
          ? 'A character is missing, so that columns have moved; if only blanks were cut off the end, set `trailing-blanks: cut`'
          : 'A character too many moves the columns; if lines may be longer, correct `line-length`',
  };
}

export function tabFault(file: string, row: number): Fault {
  return {
    code: 'fixed/tab',
    level: 'error',
    message: 'A tab stands in the line, so that nobody can tell at which position its text is',
    origin: { file, row },
    hint: 'An editor turned blanks into tabs: take the file as the export wrote it',
  };
}

/** The last line may have been cut; with `records`, the last record surely was. */
export function withoutLastLineEnd(file: string, row: number, records: boolean): Unreadable {
  return new Unreadable([
    {
      code: records ? 'fixed/last-record-cut' : 'fixed/no-final-line-end',
      level: 'error',
      message: records
        ? 'The last record is shorter than the others: the file was cut, or `line-length` is another'
        : 'The last line has no line end: the file may have been cut',
      origin: { file, row },
      hint: records
        ? 'Run the export again; if the file is whole, correct `line-length`'
        : 'Finish the export; if the ERP never writes the last line end, set `final-line-end: optional`',
    },
  ]);
}

export function withoutAnyLine(file: string, row: number): Unreadable {
  return new Unreadable([
    {
      code: 'fixed/no-lines',
      level: 'error',
      message: `The file ends on line ${row}, before any line that could hold data`,
      origin: { file, row },
      hint: 'Correct `skip-rows` in the mapping, or run the export again',
    },
  ]);
}
