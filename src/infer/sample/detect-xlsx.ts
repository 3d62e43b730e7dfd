/**
 * A sheet of a workbook to how it is read: where the header is, which rows hold no data, which columns are written once.
 */
import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { INFER_PROBLEM } from '../../i18n/messages/infer-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { XlsxTable } from '../../readers/xlsx/read-xlsx-table.ts';
import { createNotes, type DraftNotes } from '../findings/draft-findings.ts';
import { findRecordTypes } from './detect-record-types.ts';
import type { Detected, XlsxSource } from './sample-source.ts';
import type { SampleRecord } from './sample-table.ts';
import { layOutTable } from './table-layout.ts';
import { writeSampleWorkbook } from './write-sample-workbook.ts';

/** `problem`: the rows are of several kinds, which only CSV can have. */
export function detectXlsx(
  workbook: XlsxTable,
  notes: DraftNotes,
): Detected<XlsxSource> | { readonly problem: Message } {
  const width = workbook.rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const rows = workbook.rows
    .map(({ row, cells }) => ({ row, cells: Array.from({ length: width }, (_, at) => cells[at]?.text ?? '') }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (findRecordTypes(rows, createNotes())) return { problem: INFER_PROBLEM.recordTypes() };
  const { source, header, ...about } = layOutTable(rows, (top) => recordsFrom(rows, top), notes);
  const others = workbook.sheets.filter((name) => name !== workbook.sheet);
  if (others.length > 0) notes.addEvidence('source.sheet', SOURCE_EVIDENCE.otherSheets({ sheets: others }));
  const cut = (kept: readonly number[]) => {
    const above = workbook.rows.filter(({ row }) => row <= header);
    const wanted = workbook.rows.filter(({ row }) => row > header && kept.includes(row));
    return writeSampleWorkbook(workbook.sheet, [
      ...above,
      ...wanted.map((row, n) => ({ ...row, row: header + n + 1 })),
    ]);
  };
  const sheet = others.length > 0 ? workbook.sheet : undefined;
  return { ...about, source: definedOnly({ format: 'xlsx', sheet, ...source }), cut };
}

/** The table is as wide as its header: the reader takes no cell outside of it. */
function recordsFrom(rows: readonly SampleRecord[], header: number): readonly SampleRecord[] {
  if (header === 0) return rows;
  const records = rows.filter(({ row }) => row >= header);
  const width = (records[0]?.cells.findLastIndex((cell) => cell.trim() !== '') ?? -1) + 1;
  return records.map(({ row, cells }) => ({ row, cells: cells.slice(0, width) }));
}
