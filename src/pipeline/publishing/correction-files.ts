/**
 * Correction files: the rows of documents that a person may correct, cut out of the archived source. Written again when
 * a document of the file changes, removed when none is left to correct. Within a run it is kept while the failed
 * documents stay the same, so that a large source is not read for each accepted one. A cut that fails is an event; a
 * full disk throws.
 */
import type { Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { readerOf } from '../../catalogue.ts';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { CORRECTION, CORRECTION_FILE_MISSING } from '../../i18n/messages/pipeline-messages.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { docMark, type FailedRow, type FailedRows, type Overlay } from '../../model/correction.ts';
import { DOCUMENT_TOO_LARGE, OperatorError, withMessage } from '../../model/fault.ts';
import { type Corrected, isClosed, isNoDocument, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { isMistake } from '../../model/ledger-unavailable.ts';
import { allows, stateInfo } from '../../model/state.ts';
import {
  type CorrectionSource,
  type TakeRow,
  writeCorrectionCsv,
} from '../../readers/correction-file/write-correction-csv.ts';
import { writeCorrectionWorkbook } from '../../readers/correction-file/write-correction-workbook.ts';
import { writeCorrectionXml } from '../../readers/correction-file/write-correction-xml.ts';
import { type Reader, UnreadableFileError } from '../../readers/reader.ts';
import {
  cellFaults,
  errorCell,
  removeCorrectionFile,
  writeCorrectionFile,
} from '../../receipts/write-correction-file.ts';
import { beginSha256 } from '../../text/sha256.ts';
import type { RunContext } from '../context/run-context.ts';
import { pairRoleOf } from '../sources/file-pairs.ts';
import { collectWorkbook, MOST_ROWS } from './collect-workbook.ts';

/** The most failed documents in memory; if there are more, the ledger is asked again. */
const FEW = 2000;

/** By ledger and file: the failed documents that its correction file was written for, as a hash. */
const known = new WeakMap<Ledger, Map<string, string>>();

/**
 * `through` passes the documents of the file on and notes the failed ones; `settle` then writes or removes the file.
 */
export function toFixOf(context: RunContext, file: SourceFile) {
  let hash: Hash | undefined;
  let few: LedgerEntry[] | undefined = [];
  async function* through(
    places: AsyncIterable<LedgerEntry | Corrected> | Iterable<LedgerEntry | Corrected>,
  ): AsyncGenerator<LedgerEntry | Corrected> {
    for await (const place of places) {
      if (isFailed(place)) {
        hash ??= beginSha256();
        hash.update(JSON.stringify([place.id, place.revision, place.state, place.since]));
        few?.push(place);
        if (few && few.length > FEW) few = undefined;
      }
      yield place;
    }
  }
  return { through, settle: async () => await settle(context, file, hash?.digest('hex'), few) };
}

function isFailed(place: LedgerEntry | Corrected): place is LedgerEntry {
  if ('correctedBy' in place || isClosed(place) || isNoDocument(place)) return false;
  if (place.faults.some(({ code }) => code === DOCUMENT_TOO_LARGE)) return false;
  return stateInfo(place.state).folder === 'error' && allows(place.state, 'fix');
}

async function settle(
  context: RunContext,
  file: SourceFile,
  failed: string | undefined,
  few: readonly LedgerEntry[] | undefined,
): Promise<void> {
  const { ledger, instance } = context;
  const before = known.get(ledger) ?? new Map<string, string>();
  known.set(ledger, before);
  if (failed !== undefined && before.get(file.id) === failed) return;
  before.delete(file.id);
  const source = failed === undefined ? undefined : archivedSourceOf(context, file);
  if (!source || failed === undefined) return await removeCorrectionFile(instance.folder, file);
  try {
    await writeFiles(context, file, source, few);
    before.set(file.id, failed);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const why = format(reason, instance.settings.rules.language);
    // Its content may no longer be true. A file that is in use cannot be removed either.
    if (!(error instanceof OperatorError)) await removeCorrectionFile(instance.folder, file).catch(() => undefined);
    context.emit({ what: 'no-to-fix', file: file.name, why });
  }
}

/** XML has one form; rows of cells are written as a workbook, as CSV, or both. */
async function writeFiles(
  context: RunContext,
  file: SourceFile,
  source: ArchivedSource,
  few: readonly LedgerEntry[] | undefined,
): Promise<void> {
  const { ledger, instance } = context;
  const { settings, folder } = instance;
  const { language } = settings.rules;
  const isXml = source.reader.format === 'xml';
  const overlay = await overlayOf(ledger.queries, file);
  // Opened before anything is read of it: a stream that fails without a listener would end the program.
  await using handle = await open(file.path);
  const bounds = { ...instance.limits.document, key: source.mapping.key };
  const { mapping: _, ...read } = source;
  const pieces = (takeRow?: TakeRow): AsyncIterable<Buffer> => {
    const bytes = handle.createReadStream({ autoClose: false, start: 0 });
    const failed = failedRows(few ?? ledger.queries.entriesOf(file.id), language);
    const cut: CorrectionSource = { bytes, file: file.name, ...read, bounds, failed, overlay, takeRow };
    return whole(isXml ? writeCorrectionXml(cut, language) : writeCorrectionCsv(cut), failed, file, isXml);
  };
  if (isXml) {
    await writeCorrectionFile(folder, file, 'xml', pieces());
    return await removeCorrectionFile(folder, file, ['xlsx']);
  }
  const { files } = settings.corrections;
  const collected = files.includes('xlsx') ? collectWorkbook(language) : undefined;
  const isCsvAsked = files.includes('csv');
  if (isCsvAsked) await writeCorrectionFile(folder, file, 'csv', pieces(collected?.take));
  else for await (const _piece of pieces(collected?.take));
  const workbook = collected?.workbook();
  if (workbook) {
    await writeCorrectionFile(folder, file, 'xlsx', writeCorrectionWorkbook(workbook));
    if (!isCsvAsked) await removeCorrectionFile(folder, file, ['csv']);
    return;
  }
  if (collected) context.emit({ what: 'no-workbook', file: file.name, most: MOST_ROWS });
  // Of rows that are too many for a workbook, the CSV has all.
  if (!isCsvAsked) await writeCorrectionFile(folder, file, 'csv', pieces());
  await removeCorrectionFile(folder, file, ['xlsx']);
}

/** How to read an archived file now. `options`: the format's part of the mapping, for half of a pair its own. */
export type ArchivedSource = { readonly mapping: Mapping; readonly reader: Reader; readonly options: unknown };

/** Undefined if the mapping is gone, or if its source has no cells to correct. */
export function archivedSourceOf(
  { instance }: Pick<RunContext, 'instance'>,
  file: SourceFile,
): ArchivedSource | undefined {
  const mapping = instance.mappings.find(({ id }) => id === file.mapping?.id);
  if (!mapping || mapping.source.format === 'file') return undefined;
  const reader = readerOf(mapping.source.format);
  const isLines = pairRoleOf([mapping], file.name)?.role === 'lines';
  return { mapping, reader, options: (isLines ? mapping.join : mapping.source)?.options };
}

/** The reason for the event if the run can continue without the correction file; undefined for any other error. */
function reasonOf(error: unknown): Message | undefined {
  if (error instanceof UnreadableFileError) return CORRECTION_FILE_MISSING.unreadable({ problem: error.message });
  // A spreadsheet that has the older one open keeps it from being replaced on Windows.
  if (error instanceof OperatorError && error.code === 'receipts/no-access')
    return CORRECTION_FILE_MISSING.closeIt({ problem: error.texts.message });
  if (error instanceof OperatorError && error.code === 'receipts/in-the-way')
    return CORRECTION_FILE_MISSING.moveAway({ problem: error.texts.message });
  // Nothing that is sent depends on the file: a defect at its rows must not end each run.
  if (isMistake(error)) return CORRECTION_FILE_MISSING.mistake({ problem: `${error.name}: ${error.message}` });
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'EBUSY' ? CORRECTION_FILE_MISSING.inUse() : undefined;
}

/**
 * A mapping that has changed may find other rows, or none: nothing is written that lacks a row of a document. Of XML,
 * an element without any row inside is no row of the file to be cut out, and its document is corrected in the ERP.
 */
async function* whole(
  pieces: AsyncIterable<Buffer>,
  rows: Counted,
  { name }: SourceFile,
  isXml: boolean,
): AsyncGenerator<Buffer> {
  yield* pieces;
  const missing = await rows.missing();
  if (missing === 0 || (isXml && rows.found() > 0)) return;
  const words = withMessage(CORRECTION.rowsGone({ missing }));
  throw new UnreadableFileError([
    { code: 'correction/row-missing', level: 'error', ...words, origin: { file: name, row: 0 } },
  ]);
}

type Counted = FailedRows & { readonly missing: () => Promise<number>; readonly found: () => number };

/** Documents come in the order of their first rows: only those that have begun are kept in hand. */
function failedRows(documents: AsyncIterable<LedgerEntry> | readonly LedgerEntry[], language: Language): Counted {
  const entries = inOrder(documents);
  const begun = new Map<number, FailedRow>();
  let next: LedgerEntry | undefined;
  let ended = false;
  let count = 0;
  const pull = async () => {
    const { done, value } = await entries.next();
    ended = done === true;
    next = ended ? undefined : value;
  };
  const begin = (entry: LedgerEntry) => {
    for (const row of entry.rows) begun.set(row, failedRow(entry, row, language));
  };
  const at = async (row: number) => {
    for (;;) {
      if (!next && !ended) await pull();
      if (!next || firstRowOf(next) > row) break;
      if (isFailed(next)) begin(next);
      next = undefined;
    }
    const found = begun.get(row);
    if (begun.delete(row)) count++;
    return found;
  };
  const missing = async () => {
    for (; next || !ended; next = undefined) {
      if (!next) await pull();
      if (next && isFailed(next)) begin(next);
    }
    return begun.size;
  };
  return {
    at: (row) => {
      const isNear = begun.has(row) || (next ? firstRowOf(next) <= row : !ended);
      return isNear ? at(row) : undefined;
    },
    missing,
    found: () => count,
  };
}

function failedRow(entry: LedgerEntry, row: number, language: Language): FailedRow {
  return { doc: docMark(entry), row, error: errorCell(entry, row, language), faults: cellFaults(entry, row) };
}

function firstRowOf({ rows }: LedgerEntry): number {
  return rows[0] ?? 0;
}

async function* inOrder(documents: AsyncIterable<LedgerEntry> | readonly LedgerEntry[]): AsyncGenerator<LedgerEntry> {
  yield* documents;
}

/** The corrected cells of a file so far, by row and column; the latest correction of a cell counts. */
export async function overlayOf(ledger: QueryStore, { id }: Pick<SourceFile, 'id'>): Promise<Overlay> {
  const overlay = new Map<number, Map<string, string>>();
  for (const { row, column, to } of await ledger.correctionsOf(id)) {
    const cells = overlay.get(row) ?? new Map<string, string>();
    overlay.set(row, cells.set(column, to));
  }
  return overlay;
}
