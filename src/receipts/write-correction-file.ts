/**
 * Correction files as a projection of the ledger: their place, their durable writing and removal, and what stands in the
 * column `_error`. The rows themselves come from the source, as pieces.
 */
import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { diskTrouble, ensureFolder, writeDurable } from '../files/write-durable.ts';
import { format, type Language } from '../i18n/message.ts';
import { CORRECTION_ROW } from '../i18n/messages/receipts-messages.ts';
import { type Fault, isError, isInRow } from '../model/fault.ts';
import type { LedgerEntry, SourceFile } from '../model/ledger-entry.ts';
import { escapeControls } from '../text/printable.ts';
import { safeName } from '../text/safe-file-name.ts';

export type CorrectionFileFormat = 'csv' | 'xml';
export const FORMATS: readonly CorrectionFileFormat[] = ['csv', 'xml'];
/** A spreadsheet shows no more of a cell, and nobody reads it. */
const MAX_ERROR = 1000;

/**
 * Of two files of one name the later one is the newer by its time: that of the run (20261120-0130-7f3a) that took the
 * export, or read it again. The id keeps them apart, as with summaries.
 */
export function correctionFileName(
  { id, name, run }: Pick<SourceFile, 'id' | 'name' | 'run'>,
  format: CorrectionFileFormat,
): string {
  const [, time] = /^\d{8}-(\d{4})-/.exec(run) ?? [];
  return `${safeName(name, 150)}.${time === undefined ? '' : `${time}-`}${id.slice(-8)}.to-fix.${format}`;
}

/** Durable when it resolves; lies beside the receipts of the file in error/. */
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

/** Nothing of the file is left to correct. */
export async function removeCorrectionFile(root: string, file: SourceFile): Promise<void> {
  const folder = join(root, 'error', file.day);
  const paths = FORMATS.map((format) => join(folder, correctionFileName(file, format))).filter((path) =>
    existsSync(path),
  );
  for (const path of paths) {
    await unlink(path).catch((error: unknown) => {
      throw diskTrouble(error, path);
    });
  }
  if (paths.length > 0) await syncFolder(folder);
}

/** The text of `_error` in one row: its own faults; in the first row of a document also those of no row, and the answer. */
export function errorCell(entry: LedgerEntry, row: number, language: Language): string {
  const isFirst = entry.rows[0] === row;
  const isOf = ({ origin }: Fault) =>
    origin !== undefined && origin.file === entry.file.name && entry.rows.includes(origin.row);
  const faults = entry.faults
    .filter(isError)
    .filter((fault) => (isOf(fault) ? isInRow(fault, row) : isFirst))
    .map(
      (fault) => `${faultPlace(fault, isOf(fault), language)}${fault.message}${fault.hint ? ` (${fault.hint})` : ''}`,
    );
  const text = [...(isFirst ? answerTexts(entry, language) : []), ...faults].join(' | ');
  return escapeControls(text.replace(/\s+/g, ' ')).slice(0, MAX_ERROR);
}

function faultPlace({ origin, at }: Fault, ofThisRow: boolean, language: Language): string {
  const colon = language === 'fr' ? ' : ' : ': ';
  if (!origin) return at === undefined ? '' : `${at}${colon}`;
  const { file, row } = origin;
  const elsewhere = ofThisRow ? '' : `${format(CORRECTION_ROW.elsewhere({ file, row }), language)} `;
  const place = `${elsewhere}${origin.path ?? origin.column ?? ''}`.trim();
  return place === '' ? '' : `${place}${colon}`;
}

function answerTexts({ answer, state, evidence, first }: LedgerEntry, language: Language): readonly string[] {
  if (state === 'invalid' && evidence?.as === 'invalid') {
    return [format(CORRECTION_ROW.setAside({ by: evidence.by, reason: evidence.reason }), language)];
  }
  if (state === 'conflict' && first) return [format(CORRECTION_ROW.numberTaken({ name: first.name }), language)];
  if (!answer || state !== 'rejected') return [];
  const says = [answer.message ?? answer.name ?? '', ...(answer.statuses ?? []).map(({ message }) => message ?? '')];
  return [`${answer.code} ${[...new Set(says.filter((one) => one !== ''))].join('; ')}`.trim()];
}
