/**
 * Sheets of .xlsx workbooks: bytes in, batches of rows out. The file is held whole, at most 64 MiB, because a zip has
 * its directory at the end; rows come step by step. A cell whose value cannot be read breaks its row; damage to the file
 * throws UnreadableFileError (xlsx/..., file/empty). What is read, and still has to be seen, is a warning of the file.
 */
import type { Batch } from '../../model/row.ts';
import { compileOnce } from '../compile-once.ts';
import type { Reader, ReadOptions } from '../reader.ts';
import { xlsxOptions } from './xlsx-options.ts';
import { createXlsxRows } from './xlsx-rows.ts';
import { hasCells, readSheet } from './xlsx-sheet.ts';
import { createXlsxWarnings } from './xlsx-warnings.ts';
import { chooseSheet, openWorkbook } from './xlsx-workbook.ts';

/** Format `xlsx`: one sheet of a workbook of Excel, LibreOffice or any program that writes Office Open XML. */
export const xlsxReader: Reader = { format: 'xlsx', options: xlsxOptions, read };

const parseOptions = compileOnce((source) => xlsxOptions.parse(source));

async function* read(
  bytes: AsyncIterable<Uint8Array>,
  { file, source, chunkBytes, bounds }: ReadOptions,
): AsyncGenerator<Batch> {
  const options = parseOptions(source ?? {});
  const workbook = await openWorkbook(bytes, file);
  const sheet = chooseSheet(workbook, options.sheet);
  const warnings = createXlsxWarnings(file);
  const rows = createXlsxRows(file, options, warnings, bounds);

  for await (const step of readSheet(workbook, sheet, warnings.notes, chunkBytes)) {
    for (const row of step) rows.take(row);
    const batch = rows.drain();
    if (batch && batch.rows.length + batch.leftOut.length > 0) yield batch;
  }
  rows.finish();
  const last = rows.drain();
  if (!last) return;
  const others: string[] = [];
  for (const one of workbook.sheets) if (one !== sheet && (await hasCells(workbook, one))) others.push(one.name);
  const found = warnings.found({ columns: last.table.columns, headerRow: rows.headerRow(), others });
  yield found.length > 0 ? { ...last, warnings: found } : last;
}
