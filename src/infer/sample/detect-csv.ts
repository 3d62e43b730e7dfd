/** A delimited sample to how it is read: its dialect, then the layout of its table or the kinds of its records. */

import { createRecordSlicer } from '../../readers/csv/csv-record-slicer.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import { findDialect, parseRecords, splitCells, splitSampleLines } from './csv-dialect.ts';
import { findRecordTypes } from './detect-record-types.ts';
import type { CsvSource, Detected } from './sample-source.ts';
import { layOutTable } from './table-layout.ts';

/** Where the quotes are broken, the lines are cut at the delimiter: the reader then says where they are. */
export function detectCsv(text: string, encoding: string, notes: DraftNotes): Detected<CsvSource> {
  const dialect = findDialect(text, notes);
  const body = text.slice(dialect.sepLine.length);
  const rows = splitSampleLines(body).map((line, at) => ({ cells: splitCells(line, dialect.delimiter), row: at + 1 }));
  const recordsFrom = (header: number) => {
    const above = Math.max(header - 1, 0);
    return parseRecords(body.slice(offsetOfLine(body, above)), dialect, above) ?? rows.slice(above);
  };
  const types = findRecordTypes(parseRecords(body, dialect, 0) ?? [], notes);
  const { source, ...about } = types ?? layOutTable(rows, recordsFrom, notes);
  const header = 'header' in about ? about.header : 0;
  const { delimiter, quote, finalLineEnd } = dialect;
  const cut = (wanted: readonly number[]) => {
    const kept = new Set(types ? types.withOthers(wanted) : wanted);
    return dialect.sepLine + cutLines(body, { quote, header }, (row) => row <= header || kept.has(row));
  };
  return {
    ...about,
    source: {
      format: 'csv',
      encoding,
      delimiter,
      quote,
      ...source,
      'final-line-end': finalLineEnd ? 'required' : 'optional',
    },
    cut,
  };
}

/** The records of these rows, as they are in the text. `header`: the last line whose quotes may have no meaning. */
export function cutLines(
  text: string,
  { quote, header }: { readonly quote: string; readonly header: number },
  isKept: (row: number) => boolean,
): string {
  const slicer = createRecordSlicer({ quote, linesAbove: Math.max(header - 1, 0) });
  const records = [...slicer.take(Buffer.from(withoutTrailing(text, '\u001a'))), ...slicer.end()];
  const kept = records.filter(({ row }) => isKept(row)).flatMap(({ bytes, lineEnd }) => [bytes, lineEnd]);
  const cut = Buffer.concat(kept).toString();
  return /[\r\n]$/.test(cut) ? cut : `${cut}\r\n`;
}

/** Index in UTF-16 units after this many lines; 0 for none. */
function offsetOfLine(text: string, lines: number): number {
  const ends = [...text.matchAll(/\r\n|\n|\r/g)];
  const end = ends[lines - 1];
  return end ? end.index + end[0].length : 0;
}
