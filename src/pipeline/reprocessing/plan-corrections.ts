/**
 * What a correction file would change, without changing it: its rows matched with documents by `_doc` and `_row`, and
 * its cells compared with the archived source. The file and the ledger in, documents with corrections or faults
 * (correction/...) out. A preview and a run share it.
 */
import { readFile } from 'node:fs/promises';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { CORRECTION, CORRECTION_TEXT } from '../../i18n/messages/pipeline-messages.ts';
import { readDocMark } from '../../model/correction.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type DataFault, type Fault, isError, isOnlyInErp } from '../../model/fault.ts';
import type { Correction, LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { allows } from '../../model/state.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { findEntry } from '../context/find-entry.ts';
import { type ArchivedSource, archivedSourceOf, overlayOf } from '../publishing/correction-files.ts';
import { UNKNOWN_OWNER } from '../sources/file-owner.ts';
import { firstReading } from '../sources/first-reading.ts';
import { bytesOf } from '../sources/open-file-stream.ts';
import {
  correctionFault,
  damagedCells,
  documentChangedSince,
  notOpen,
  onlyInErp,
  otherSheets,
  restoredCells,
  rowNotTaken,
  unknownDocument,
  unmarked,
} from './correction-faults.ts';
import type { RowRule } from './correction-results.ts';
import {
  type Compared,
  type CorrectionDiff,
  comparisonOf,
  type DamagedCell,
  type GivenRow,
} from './diff-correction.ts';
import { type CorrectionContent, type CorrectionLine, type ReadLine, readCorrection } from './parse-correction-file.ts';
import type { ReprocessContext } from './reconvert-source.ts';
import type { ReprocessResult } from './reprocess-documents.ts';

/** The whole file is in memory; no person corrects more by hand. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The correction file, as the ledger has it or as a preview finds it. */
export type CorrectionRecord = Pick<SourceFile, 'name' | 'path' | 'size' | 'claimedAt' | 'owner'>;

/** The file as far as it can be read without its sources, or the faults for which nothing of it is taken. */
export async function openCorrection(
  file: CorrectionRecord,
): Promise<{ readonly content: CorrectionContent } | { readonly faults: readonly Fault[] }> {
  if (file.size > MAX_BYTES) {
    return { faults: [correctionFault('correction/too-large', CORRECTION.tooLarge(), { file: file.name, row: 0 })] };
  }
  try {
    const content = await readCorrection(file, await readFile(file.path));
    const lost = content?.lost.filter((name) => name !== '_error') ?? [];
    return content && lost.length === 0 ? { content } : { faults: [withoutHelpers(file, lost)] };
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { faults: error.faults };
  }
}

function withoutHelpers({ name }: CorrectionRecord, lost: readonly string[]): DataFault {
  const [first, ...others] = lost;
  const names = others.reduce<string | Message>((one, other) => CORRECTION.both({ one, other }), first ?? '');
  const message = lost.length > 0 ? CORRECTION.columnLost({ names }) : CORRECTION.noTable();
  return correctionFault('correction/columns', message, { file: name, row: 1 });
}

/** The reason that is recorded for each corrected cell. */
export function reasonFor({ name }: Pick<SourceFile, 'name'>, language: Language): string {
  return format(CORRECTION_TEXT.byFile({ file: name }), language);
}

/** One document of the file, until its result is known. */
export type CorrectedDocument = {
  readonly entry: LedgerEntry;
  /** As its rows name it in `_doc`. */
  readonly mark: string;
  readonly lines: readonly CorrectionLine[];
  /** Of its first row in the file. */
  readonly line: number;
  readonly faults: Fault[];
  /** It can no longer be corrected: the file is only compared with the content that was accepted. */
  readonly isLate: boolean;
  rule: RowRule | undefined;
  corrections: readonly Correction[];
  /** Cells that a spreadsheet changed. Refused ones forbid the corrections of the document. */
  damaged: readonly DamagedCell[];
};

const NO_CHANGES = { corrections: [], damaged: [] } as const;

export type MatchedDocuments = { readonly docs: readonly CorrectedDocument[]; readonly faults: readonly Fault[] };

/** `isDone`: this file has corrected the document before a stop. */
type DocumentLines = {
  readonly lines: readonly CorrectionLine[];
  readonly isDone: (entry: LedgerEntry) => Promise<boolean>;
};

/** The documents that the rows name; each name that is not a document is a fault. */
export async function documentsOf(
  work: ReprocessContext,
  file: CorrectionRecord,
  { lines, isDone }: DocumentLines,
): Promise<MatchedDocuments> {
  const docs: CorrectedDocument[] = [];
  const faults: Fault[] = [];
  for (const [mark, own] of Map.groupBy(lines, ({ doc }) => doc)) {
    const { line } = must(own[0], 'a row of the document');
    const named = readDocMark(mark);
    const entry = named ? await findEntry(work.ledger, named.id) : undefined;
    if (!entry || !named) {
      faults.push(unknownDocument(mark, { file: file.name, row: line, column: '_doc' }, own.length));
      continue;
    }
    const isDoneAlready = await isDone(entry);
    const isOpen = allows(entry.state, 'correct');
    const isLate = !isDoneAlready && !isOpen;
    const doc: CorrectedDocument = {
      entry,
      mark,
      lines: own,
      line,
      faults: [],
      isLate,
      rule: undefined,
      ...NO_CHANGES,
    };
    docs.push(doc);
    if (isDoneAlready) doc.rule = 'corrected';
    else if (isOpen) doc.faults.push(...matchFaults(file, doc, named.revision));
  }
  return { docs, faults };
}

/** Why the rows cannot be corrections of the document, whatever is in their cells. */
function matchFaults(
  file: CorrectionRecord,
  { entry, lines, line }: CorrectedDocument,
  revision: number,
): readonly Fault[] {
  const origin = { file: file.name, row: line, column: '_doc' };
  if (entry.revision !== revision) return [documentChangedSince(entry, origin)];
  if (entry.faults.some(isOnlyInErp)) return [onlyInErp(entry, origin)];
  return rowFaults(file, entry, lines);
}

function rowFaults(file: CorrectionRecord, entry: LedgerEntry, lines: readonly CorrectionLine[]): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<number>();
  const unknown: CorrectionLine[] = [];
  for (const one of lines) {
    const { line, row } = one;
    const at = { file: file.name, row: line, column: '_row' };
    const number = rowNumber(row);
    if (number === undefined || !entry.rows.includes(number)) unknown.push(one);
    else if (seen.has(number))
      faults.push(
        correctionFault(
          'correction/row-twice',
          CORRECTION.rowTwice({ row: number, document: entry.facts.identifier }),
          at,
        ),
      );
    else seen.add(number);
  }
  const missing = entry.rows.filter((row) => !seen.has(row));
  // If rows of another document are in the place of its own, that is one mistake: a changed _doc or _row.
  if (unknown.length > 0) faults.push(rowsUnknown(file, entry, unknown));
  else if (missing.length > 0) faults.push(rowsMissing(file, entry, missing, lines));
  return faults;
}

function rowsMissing(
  file: CorrectionRecord,
  { facts }: LedgerEntry,
  missing: readonly number[],
  lines: readonly CorrectionLine[],
): DataFault {
  const rows = missing.slice(0, 20).map(String);
  const message = CORRECTION.rowsMissing({ count: missing.length, document: facts.identifier, rows });
  return correctionFault('correction/row-missing', message, {
    file: file.name,
    row: lines[0]?.line ?? 0,
    column: '_row',
  });
}

function rowsUnknown(
  file: CorrectionRecord,
  { facts, rows }: LedgerEntry,
  lines: readonly CorrectionLine[],
): DataFault {
  const which = [...new Set(lines.map(({ row }) => `"${row}"`))];
  const message = CORRECTION.noRows({
    count: which.length,
    rows: which.slice(0, 20),
    document: facts.identifier,
    own: rows.slice(0, 20).map(String),
  });
  return correctionFault('correction/row-unknown', message, {
    file: file.name,
    row: lines[0]?.line ?? 0,
    column: '_row',
  });
}

/** A spreadsheet may show 12 as 12,00. */
function rowNumber(text: string): number | undefined {
  const found = /^(\d{1,9})(?:[.,]0+)?$/.exec(text);
  return found ? Number(found[1]) : undefined;
}

/** The documents that are still to be compared, by their archived source. */
export function groupsOf(docs: readonly CorrectedDocument[]): readonly (readonly CorrectedDocument[])[] {
  const open = docs.filter(({ rule }) => rule === undefined);
  return [...Map.groupBy(open, ({ entry }) => entry.file.rereads ?? entry.file.id).values()];
}

/** All faults of the file, damaged cells once for each column. */
export function faultsOf(
  { name }: CorrectionRecord,
  { ignored }: CorrectionContent,
  { docs, faults }: MatchedDocuments,
): readonly Fault[] {
  const damaged = docs.flatMap((doc) => doc.damaged.map((cell) => ({ document: doc.entry.facts.identifier, cell })));
  const restored = docs.flatMap(({ rule, damaged: cells }) => (rule === undefined ? [] : cells));
  const ownFaults = docs.flatMap((doc) => doc.faults);
  const unread = ignored ? [otherSheets(name, ignored.sheet, ignored.others)] : [];
  return [...unread, ...faults, ...ownFaults, ...damagedCells(name, damaged), ...restoredCells(name, restored)];
}

/** Compares the documents of one archived source with it: sets their corrections, or the faults that forbid them. */
export async function planGroup(
  work: ReprocessContext,
  file: CorrectionRecord,
  docs: readonly CorrectedDocument[],
  content: CorrectionContent,
): Promise<void> {
  const { ledger } = work;
  const firstDoc = must(docs[0], 'a document of the source');
  const { file: latest } = firstDoc.entry;
  const first = await firstReading(ledger, latest);
  const source = archivedSourceOf(work, first);
  const fail = (fault: Fault) => {
    for (const doc of docs) doc.faults.push(fault);
  };
  if (!source) {
    const gone = CORRECTION.mappingGone({ mapping: first.mapping?.id ?? '', file: first.name });
    return fail(correctionFault('correction/no-mapping', gone, { file: file.name, row: firstDoc.line }));
  }
  try {
    const readings = await content.readings(source, first);
    const best = await compare(work, file, first, { source, docs, readings, asInSource: content.asInSource });
    if (best.lost.size > 0) fail(lostColumns(file, [...best.lost]));
    for (const [mark, lines] of Map.groupBy(best.astray, ({ doc }) => doc)) {
      const doc = docs.find((one) => one.mark === mark);
      if (!doc) firstDoc.faults.push(...lines.map(({ line }) => unmarked({ file: file.name, row: line })));
      else if (!doc.isLate && !doc.faults.some(isError)) doc.faults.push(rowsUnknown(file, doc.entry, lines));
    }
    for (const doc of docs) decideDocument(work, file, doc, best);
  } catch (error) {
    if (error instanceof UnreadableFileError) return error.faults.forEach(fail);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return fail(
      correctionFault('correction/no-source', CORRECTION.sourceGone({ path: first.path }), { file: file.name, row: 0 }),
    );
  }
}

type ToHold = {
  readonly source: ArchivedSource;
  readonly docs: readonly CorrectedDocument[];
  readonly readings: readonly (readonly ReadLine[])[];
  readonly asInSource: boolean;
};

/** Compares every reading of the file with the source in one pass; the one with the fewest differences is right. */
async function compare(
  work: ReprocessContext,
  file: CorrectionRecord,
  first: SourceFile,
  { source: { mapping, reader, options }, docs, readings, asInSource }: ToHold,
): Promise<CorrectionDiff> {
  const overlay = await overlayOf(work.ledger, first);
  const fillDown = (options as { readonly 'fill-down'?: readonly (string | number)[] })['fill-down'] ?? [];
  const restores = work.instance.settings.corrections.damage === 'restore';
  const about = { name: file.name, file: first, kindOf: mapping.kindOf, fillDown, overlay, asInSource, restores };
  const byMark = new Map(docs.map((doc) => [doc.mark, doc.entry]));
  const comparisons = readings.map((lines) => comparisonOf({ ...about, ...rowsOf(lines, byMark) }));
  for await (const { table, rows } of reader.read(bytesOf(first.path), {
    file: first.name,
    source: options,
  })) {
    for (const row of rows) for (const one of comparisons) one.see(table, row);
  }
  const seen = ({ documents }: CorrectionDiff) => [...documents.values()].reduce((sum, one) => sum + one.seen.size, 0);
  const results = comparisons.map((one) => one.result());
  const [best] = results.sort(
    (a, b) => seen(b) - seen(a) || a.lost.size - b.lost.size || a.differences - b.differences,
  );
  return must(best, 'a reading of the correction file');
}

function rowsOf(lines: readonly ReadLine[], byMark: ReadonlyMap<string, LedgerEntry>) {
  const rows = new Map<number, { readonly entry: LedgerEntry; readonly given: GivenRow }>();
  const astray: CorrectionLine[] = [];
  for (const { line, doc, row, cell, kindAt } of lines) {
    const entry = byMark.get(doc);
    const number = rowNumber(row);
    if (entry && number !== undefined && entry.rows.includes(number))
      rows.set(number, { entry, given: definedOnly({ line, row: number, cell, kindAt }) });
    else if (doc === '' || entry) astray.push({ line, doc, row });
  }
  return { rows, astray };
}

/** Sets the corrections of the document, or the reason why it stays as it is. */
function decideDocument(
  { instance }: ReprocessContext,
  file: CorrectionRecord,
  doc: CorrectedDocument,
  { documents }: CorrectionDiff,
): void {
  const compared = documents.get(doc.entry.id);
  if (doc.isLate) {
    const at = { file: file.name, row: doc.line, column: '_doc' };
    const [change] = compared?.changes ?? [];
    if (change) doc.faults.push(rowNotTaken(doc.entry, change, at));
    else {
      doc.rule = 'late';
      doc.faults.push(notOpen(doc.entry, at));
    }
    return;
  }
  doc.damaged = compared?.damaged ?? [];
  const isDamaged = doc.damaged.some(({ refused }) => refused);
  if (!isDamaged && !doc.faults.some(isError)) doc.faults.push(...unseen(file, doc, compared));
  if (isDamaged || doc.faults.some(isError)) return;
  if (!compared || compared.changes.length === 0) {
    doc.rule = 'unchanged';
    return;
  }
  const reason = reasonFor(file, instance.settings.rules.language);
  const decided = { by: file.owner ?? UNKNOWN_OWNER, at: file.claimedAt, reason };
  doc.corrections = compared.changes.map((change) => ({ ...change, ...decided }));
}

/** Rows that the elements of an XML file do not have, whatever its comments claim. */
function unseen(
  file: CorrectionRecord,
  { entry, lines }: CorrectedDocument,
  compared: Compared | undefined,
): readonly Fault[] {
  const missing = entry.rows.filter((row) => !compared?.seen.has(row));
  return missing.length > 0 ? [rowsMissing(file, entry, missing, lines)] : [];
}

/** The result of reading the corrected document once more, or of foreseeing that. */
export function settleDocument(file: CorrectionRecord, doc: CorrectedDocument, becomes: ReprocessResult): void {
  const origin = { file: file.name, row: doc.line };
  if ('fault' in becomes) doc.faults.push({ ...becomes.fault, origin });
  else if (becomes.state === 'unchanged') {
    doc.faults.push(
      correctionFault(
        'correction/same-content',
        CORRECTION.sameContent({ document: doc.entry.facts.identifier }),
        origin,
      ),
    );
  } else doc.rule = RULE_OF_STATE[becomes.state] ?? 'stillWrong';
}

const RULE_OF_STATE: { readonly [state: string]: RowRule } = { ready: 'corrected', held: 'held' };

function lostColumns({ name }: CorrectionRecord, lost: readonly string[]): DataFault {
  const names = lost.map((one) => `"${one}"`);
  return correctionFault('correction/columns', CORRECTION.exportColumns({ count: lost.length, names }), {
    file: name,
    row: 1,
  });
}
