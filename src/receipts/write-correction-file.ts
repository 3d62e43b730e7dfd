/**
 * Writes and removes correction files (`*.to-fix.xlsx`, `*.to-fix.csv`, `*.to-fix.xml`) and composes their texts.
 * Input: a source file of the ledger, and the rows as pieces of bytes. Output: a durable file in error/<day>/. A
 * refusal of the disk throws the OperatorError of `writeDurable`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { ensureFolder, writeDurable } from '../files/write-durable.ts';
import { format, type Language } from '../i18n/message.ts';
import { CORRECTION_ROW } from '../i18n/messages/receipts-messages.ts';
import type { CellFault } from '../model/correction.ts';
import { type Fault, isError, isInRow } from '../model/fault.ts';
import type { LedgerEntry, SourceFile } from '../model/ledger-entry.ts';
import { escapeControls } from '../text/printable.ts';
import { nameForExport, removeOutput } from './output-folders.ts';

/** The format of the rows; it is also the end of the file name. */
export type CorrectionFileFormat = 'xlsx' | 'csv' | 'xml';
/** Every format that a correction file may have; of two for one export, the better one for a person first. */
export const FORMATS: readonly CorrectionFileFormat[] = ['xlsx', 'csv', 'xml'];
/** Characters of `_error`: a spreadsheet shows no more of a cell. */
const MAX_ERROR = 1000;

/**
 * The name has the time of the run (20261120-0130-7f3a) that imported the export or read it again: of two files of one
 * name, the later time is the newer file. The id keeps them apart, as with summaries.
 */
export function correctionFileName(
  { id, name, run }: Pick<SourceFile, 'id' | 'name' | 'run'>,
  format: CorrectionFileFormat,
): string {
  const [, time = ''] = /^\d{8}-(\d{4}-)/.exec(run) ?? [];
  return nameForExport({ id, name }, `.to-fix.${format}`, time);
}

/** Resolves when the file is durable, next to the receipts of its export in error/<day>/. */
export async function writeCorrectionFile(
  root: string,
  file: SourceFile,
  format: CorrectionFileFormat,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const folder = join(root, 'error', file.day);
  await ensureFolder(folder);
  await writeDurable(join(folder, correctionFileName(file, format)), pieces);
  await syncFolder(folder);
}

/** Removes the correction files of an export that has no document left to correct, or those of `formats`. */
export async function removeCorrectionFile(
  root: string,
  file: SourceFile,
  formats: readonly CorrectionFileFormat[] = FORMATS,
): Promise<void> {
  const folder = join(root, 'error', file.day);
  const paths = formats
    .map((format) => join(folder, correctionFileName(file, format)))
    .filter((path) => existsSync(path));
  for (const path of paths) await removeOutput(path);
  if (paths.length > 0) await syncFolder(folder);
}

/**
 * The text of `_error` in one row: the faults of that row; in the first row of a document also its faults without a row
 * and the answer of the service. One line, without control characters.
 */
export function errorCell(entry: LedgerEntry, row: number, language: Language): string {
  const isFirst = entry.rows[0] === row;
  const answers = isFirst ? answerTexts(entry, language) : [];
  const faults = entry.faults.filter(isError).flatMap((fault) => {
    const isOwn = isInRows(fault, entry);
    const isShown = isOwn ? isInRow(fault, row) : isFirst;
    if (!isShown) return [];
    const hint = fault.hint === undefined ? '' : ` (${fault.hint})`;
    return [[...faultPlace(fault, isOwn, language), `${fault.message}${hint}`].join(language === 'fr' ? ' : ' : ': ')];
  });
  const text = [...answers, ...faults].join(' | ');
  return escapeControls(text.replace(/\s+/g, ' ')).slice(0, MAX_ERROR);
}

/** The faults of the cells of a row, warnings too: the message and what to do. */
export function cellFaults(entry: LedgerEntry, row: number): readonly CellFault[] {
  return entry.faults.flatMap((fault) => {
    const { origin, level, message, hint } = fault;
    if (origin?.column === undefined || !isInRows(fault, entry) || !isInRow(fault, row)) return [];
    const text = hint === undefined ? message : `${message}\n${hint}`;
    return [{ column: origin.column, level, text: text.slice(0, MAX_ERROR) }];
  });
}

/** Whether the place of the fault is in the export of the document and in one of its rows. */
function isInRows({ origin }: Fault, { file, rows }: LedgerEntry): boolean {
  return origin !== undefined && origin.file === file.name && rows.includes(origin.row);
}

/**
 * Where the fault is: the column, with file and row if it is outside the document; else the field; empty without a
 * place.
 */
function faultPlace({ origin, at }: Fault, isOwn: boolean, language: Language): readonly string[] {
  if (!origin) return at === undefined ? [] : [at];
  const { file, row } = origin;
  const elsewhere = isOwn ? '' : format(CORRECTION_ROW.elsewhere({ file, row }), language);
  const place = `${elsewhere} ${origin.path ?? origin.column ?? ''}`.trim();
  return place === '' ? [] : [place];
}

/**
 * Why a person or the service does not accept the document: set aside, number taken, or the rejection with its texts.
 */
function answerTexts({ answer, state, evidence, first }: LedgerEntry, language: Language): readonly string[] {
  if (state === 'invalid' && evidence?.as === 'invalid') {
    return [format(CORRECTION_ROW.setAside({ by: evidence.by, reason: evidence.reason }), language)];
  }
  if (state === 'conflict' && first) return [format(CORRECTION_ROW.numberTaken({ name: first.name }), language)];
  if (!answer || state !== 'rejected') return [];
  const texts = [answer.message ?? answer.name, ...(answer.statuses ?? []).map(({ message }) => message)];
  return [`${answer.code} ${[...new Set(texts.filter(Boolean))].join('; ')}`.trim()];
}
