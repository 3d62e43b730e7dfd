/**
 * A sheet of a workbook to columns and rows of data. It is understood as the same table in CSV: where the header is, which
 * rows hold no data, which columns are written once. What is asked and proven about delimiters is left out.
 */
import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { INFER_PROBLEM } from '../../i18n/messages/infer-messages.ts';
import type { XlsxTable } from '../../readers/xlsx/read-xlsx-table.ts';
import { createNotes, type DraftNotes } from '../findings/draft-findings.ts';
import { type CsvSource, readCsvSample } from './csv-sample.ts';
import type { SampleTable } from './sample-table.ts';
import { writeSampleWorkbook } from './write-sample-workbook.ts';

/** `sheet`: the name of the sheet where the workbook has others as well. */
export type XlsxSource = Omit<CsvSource, 'format'> & { readonly format: 'xlsx'; readonly sheet: string | undefined };

export type XlsxSample = {
  readonly source: XlsxSource;
  readonly table: SampleTable;
  /** The sample with these rows only, as a workbook. */
  readonly cut: (rows: readonly number[]) => Promise<Uint8Array>;
};

/** Findings about the form of a text, which a workbook does not have. */
const OF_TEXT = /^source\.(?:format|encoding|delimiter|quote|final-line-end)/;
/** The most rows between two others that are written as empty lines. */
const LARGEST_GAP = 1000;

/** `problem`: the rows are of several kinds, which only CSV can have. */
export function readXlsxSample(workbook: XlsxTable, notes: DraftNotes): XlsxSample | { readonly problem: Message } {
  const own = createNotes();
  const { source, table } = readCsvSample(toCsv(workbook), own);
  if (source.recordTypes.length > 0) return { problem: INFER_PROBLEM.recordTypes() };
  for (const { at, says } of own.evidence) if (!OF_TEXT.test(at)) notes.addEvidence(at, says);
  for (const { weight, at, says } of own.questions()) if (!OF_TEXT.test(at)) notes.addQuestion(weight, at, says);
  const others = workbook.sheets.filter((name) => name !== workbook.sheet);
  if (others.length > 0) notes.addEvidence('source.sheet', SOURCE_EVIDENCE.otherSheets({ sheets: others }));
  const header = source.headerRow === 'none' ? source.skipRows : source.headerRow;
  const cut = (rows: readonly number[]) => {
    const above = workbook.rows.filter(({ row }) => row <= header);
    const wanted = workbook.rows.filter(({ row }) => row > header && rows.includes(row));
    return writeSampleWorkbook(workbook.sheet, [
      ...above,
      ...wanted.map((row, n) => ({ ...row, row: header + n + 1 })),
    ]);
  };
  const sheet = others.length > 0 ? workbook.sheet : undefined;
  return { source: { ...source, format: 'xlsx', sheet }, table, cut };
}

/** A line for each row, so that both have the same numbers, and a first one that names the delimiter. */
function toCsv({ rows }: XlsxTable): string {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const lines: string[] = [];
  for (const { row, cells } of rows) {
    if (row - lines.length > LARGEST_GAP) break;
    while (lines.length < row - 1) lines.push('');
    lines.push(Array.from({ length: width }, (_, at) => quoteCell(cells[at]?.text ?? '')).join(';'));
  }
  return `sep=;\n${lines.map((line) => `${line}\n`).join('')}`;
}

function quoteCell(text: string): string {
  const line = text.replace(/[\r\n\x1a]+/g, ' ');
  return /[;"]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}
