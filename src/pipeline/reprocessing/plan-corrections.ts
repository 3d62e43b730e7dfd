/**
 * What a correction file would change, without changing it: the cells of its documents compared with the archived source.
 * The file and the ledger in, documents with corrections or faults (correction/...) out. A preview and a run share it.
 */
import { readFile } from 'node:fs/promises';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { CORRECTION, CORRECTION_TEXT } from '../../i18n/messages/pipeline-messages.ts';
import type { Overlay } from '../../model/correction.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type DataFault, type Fault, isError } from '../../model/fault.ts';
import { documentName, firstFileOf, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { Origin } from '../../model/origin.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { dictionary } from '../../text/dictionary.ts';
import { appendAll } from '../../text/long-lists.ts';
import { type ArchivedSource, archivedSourceOf, overlayOf } from '../publishing/correction-files.ts';
import { UNKNOWN_OWNER } from '../sources/file-owner.ts';
import { firstReading } from '../sources/first-reading.ts';
import { bytesOf } from '../sources/open-file-stream.ts';
import {
  cellsMoved,
  correctionFault,
  damagedCells,
  exchangedColumns,
  otherSheets,
  restoredCells,
  unmarked,
} from './correction-faults.ts';
import type { RowRule } from './correction-results.ts';
import { type Compared, type CorrectionDiff, comparisonOf, type GivenRow } from './diff-correction.ts';
import { groupFaults } from './group-correction-faults.ts';
import { overlayAsWritten, settleLate } from './late-corrections.ts';
import {
  type CorrectedDocument,
  type CorrectionRecord,
  type MatchedDocuments,
  placeOfDocument,
  placeOfLine,
  rowNumber,
  rowsMissing,
  rowsUnknown,
} from './match-corrections.ts';
import { type CorrectionContent, type CorrectionLine, type ReadLine, readCorrection } from './parse-correction-file.ts';
import type { ReprocessContext } from './reconvert-source.ts';
import type { ReprocessResult } from './reread-result.ts';

/** The whole file is in memory; no person corrects more by hand. */
const MAX_BYTES = 64 * 1024 * 1024;

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

/** The documents that are still to be compared, by their archived source. */
export function groupsOf(docs: readonly CorrectedDocument[]): readonly (readonly CorrectedDocument[])[] {
  const open = docs.filter(({ rule }) => rule === undefined);
  return [...Map.groupBy(open, ({ entry }) => firstFileOf(entry)).values()];
}

/** All faults of the file; the same mistake in many documents is one. */
export function faultsOf(
  { name }: CorrectionRecord,
  { ignored }: CorrectionContent,
  { docs, faults }: MatchedDocuments,
): readonly Fault[] {
  const damaged = docs.flatMap((doc) => doc.damaged.map((cell) => ({ document: documentName(doc.entry), cell })));
  const restored = docs.flatMap(({ rule, damaged: cells }) => (rule === undefined ? [] : cells));
  const own = docs.flatMap((doc) => doc.faults.map((fault) => ({ document: documentName(doc.entry), fault })));
  const unread = ignored ? [otherSheets(name, ignored.sheet, ignored.others)] : [];
  return [
    ...unread,
    ...groupFaults([...faults, ...own]),
    ...damagedCells(name, damaged),
    ...restoredCells(name, restored),
  ];
}

/** Compares the documents of one archived source with it: sets their corrections, or the faults that forbid them. */
export async function planGroup(
  context: ReprocessContext,
  file: CorrectionRecord,
  docs: readonly CorrectedDocument[],
  content: CorrectionContent,
): Promise<void> {
  const { ledger } = context;
  const firstDoc = must(docs[0], 'a document of the source');
  const { file: latest } = firstDoc.entry;
  const first = await firstReading(ledger.queries, latest);
  const source = archivedSourceOf(context, first);
  // In the rows of each document, so that the fault ends for those that another file corrects.
  const fail = (faultAt: (origin: Origin) => Fault) => {
    for (const doc of docs) doc.faults.push(faultAt(placeOfDocument(file, doc)));
  };
  if (!source) {
    const gone = CORRECTION.mappingGone({ mapping: first.mapping?.id ?? '', file: first.name });
    return fail((origin) => correctionFault('correction/no-mapping', gone, origin));
  }
  try {
    const readings = await content.readings(source, first);
    const now = await overlayOf(ledger.queries, first);
    const overlay = await overlayAsWritten(ledger.queries, docs, now);
    const best = await compare(context, file, first, {
      source,
      docs,
      readings,
      overlay,
      asInSource: content.asInSource,
    });
    reportColumns(fail, best);
    reportAstray(file, docs, best);
    for (const doc of docs) {
      const compared = best.documents.get(doc.entry.id);
      const moved = compared?.moved[0];
      if (moved && !doc.faults.some(isError)) doc.faults.push(cellsMoved(doc.entry, moved, placeOfLine(file, moved)));
      if (doc.standing === 'open') decideDocument(context, file, doc, compared);
      else if (best.lost.size === 0 && !moved) settleLate(file, doc, compared, { now, kindOf: source.mapping.kindOf });
    }
  } catch (error) {
    for (const faultAt of readingFaults(error, first)) fail(faultAt);
  }
}

function reportColumns(
  fail: (faultAt: (origin: Origin) => Fault) => void,
  { lost, exchanged }: Pick<CorrectionDiff, 'lost' | 'exchanged'>,
): void {
  if (lost.size > 0) fail((origin) => lostColumns([...lost], origin));
  if (exchanged) fail((origin) => exchangedColumns(exchanged, origin));
}

/** Why the source cannot be compared; throws any other error. */
function readingFaults(error: unknown, { path }: SourceFile): readonly ((origin: Origin) => Fault)[] {
  if (error instanceof UnreadableFileError) return error.faults.map((fault) => () => fault);
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return [(origin) => correctionFault('correction/no-source', CORRECTION.sourceGone({ path }), origin)];
}

/** Rows that are in the file and belong to no document of it, or not to the one that they name. */
function reportAstray(
  file: CorrectionRecord,
  docs: readonly CorrectedDocument[],
  { astray }: Pick<CorrectionDiff, 'astray'>,
): void {
  for (const [mark, lines] of Map.groupBy(astray, ({ doc }) => doc)) {
    const doc = docs.find((one) => one.mark === mark);
    if (!doc) for (const line of lines) docs[0]?.faults.push(unmarked(placeOfLine(file, line)));
    else if (doc.standing === 'open' && !doc.faults.some(isError)) doc.faults.push(rowsUnknown(file, doc.entry, lines));
  }
}

type ToHold = {
  readonly source: ArchivedSource;
  readonly docs: readonly CorrectedDocument[];
  readonly readings: readonly (readonly ReadLine[])[];
  readonly overlay: Overlay;
  readonly asInSource: boolean;
};

/** Compares every reading of the file with the source in one pass; the one with the fewest differences is right. */
async function compare(
  context: ReprocessContext,
  file: CorrectionRecord,
  first: SourceFile,
  { source: { mapping, reader, options }, docs, readings, overlay, asInSource }: ToHold,
): Promise<CorrectionDiff> {
  const fillDown = (options as { readonly 'fill-down'?: readonly (string | number)[] })['fill-down'] ?? [];
  const restores = context.instance.settings.corrections.damage === 'restore';
  const about = { name: file.name, file: first, kindOf: mapping.kindOf, fillDown, overlay, asInSource, restores };
  const byMark = new Map(docs.map((doc) => [doc.mark, doc.entry]));
  const comparisons = readings.map((lines) => comparisonOf({ ...about, ...rowsOf(lines, byMark) }));
  for await (const { table, rows } of reader.read(bytesOf(first.path), {
    file: first.name,
    source: options,
  })) {
    for (const row of rows) for (const one of comparisons) one.see(table, row);
  }
  // A reading with other quotes may see other cells: rows whose cells are certain come first.
  const seen = ({ documents }: CorrectionDiff) =>
    [...documents.values()].reduce((sum, { seen: rows, moved }) => sum + rows.size - moved.length, 0);
  const results = comparisons.map((one) => one.result());
  const [best] = results.sort(
    (a, b) => seen(b) - seen(a) || a.lost.size - b.lost.size || a.differences - b.differences,
  );
  return must(best, 'a reading of the correction file');
}

const NO_ROWS: ReadonlySet<number> = new Set();

function rowsOf(lines: readonly ReadLine[], byMark: ReadonlyMap<string, LedgerEntry>) {
  const rows = new Map<number, { readonly entry: LedgerEntry; readonly given: GivenRow }>();
  const astray: CorrectionLine[] = [];
  const ownRows = new Map([...byMark].map(([mark, entry]) => [mark, new Set(entry.rows)]));
  for (const { line, inFile, doc, row, cell, kindAt, isMoved } of lines) {
    const entry = byMark.get(doc);
    const number = entry && rowNumber(row, ownRows.get(doc) ?? NO_ROWS);
    if (entry && number !== undefined)
      rows.set(number, { entry, given: definedOnly({ line, row: number, cell, kindAt, isMoved }) });
    // A row of a table without a mark is reported with its file; an element of XML only here.
    else if (doc === '' ? inFile !== undefined : entry) astray.push(definedOnly({ line, inFile, doc, row }));
  }
  return { rows, astray };
}

/** Sets the corrections of the document, or the reason why it stays as it is. */
function decideDocument(
  { instance }: ReprocessContext,
  file: CorrectionRecord,
  doc: CorrectedDocument,
  compared: Compared | undefined,
): void {
  doc.damaged = compared?.damaged ?? [];
  const isDamaged = doc.damaged.some(({ refused }) => refused);
  if (!isDamaged && !doc.faults.some(isError)) appendAll(doc.faults, unseen(file, doc, compared));
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
function unseen(file: CorrectionRecord, doc: CorrectedDocument, compared: Compared | undefined): readonly Fault[] {
  const missing = doc.entry.rows.filter((row) => !compared?.seen.has(row));
  return missing.length > 0 ? [rowsMissing(file, doc, missing)] : [];
}

/** The result of reading the corrected document once more, or of foreseeing that. */
export function settleDocument(file: CorrectionRecord, doc: CorrectedDocument, becomes: ReprocessResult): void {
  const origin = placeOfDocument(file, doc);
  if ('fault' in becomes) doc.faults.push({ ...becomes.fault, origin });
  else if (becomes.state === 'unchanged') {
    doc.faults.push(
      correctionFault(
        'correction/same-content',
        CORRECTION.sameContent({ document: doc.entry.facts.identifier }),
        origin,
      ),
    );
  } else doc.rule = RULE_OF_STATE.get(becomes.absorbed ?? becomes.state) ?? 'stillWrong';
}

const RULE_OF_STATE = dictionary<RowRule>({ ready: 'corrected', held: 'held' });

function lostColumns(lost: readonly string[], origin: Origin): DataFault {
  const names = lost.map((one) => `"${one}"`);
  return correctionFault('correction/columns', CORRECTION.exportColumns({ count: lost.length, names }), origin);
}
