/**
 * A correction file from the inbox: its changed cells become corrections of the archived source, and the documents are
 * read again, matched by `_doc` and `_row`, never by the name of the file. Faults (correction/...) concern one document
 * each, and its summary accounts for every row. Done twice it changes nothing: a document that has changed since is
 * left.
 */

import { readFile } from 'node:fs/promises';
import { format, type Language, languagesFrom, type Message } from '../../i18n/message.ts';
import { CORRECTION, CORRECTION_TEXT, ROW_RULE } from '../../i18n/messages/pipeline-messages.ts';
import { readDocMark } from '../../model/correction.ts';
import { type DataFault, type Fault, isError, isOnlyInErp } from '../../model/fault.ts';
import type { Correction, LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { SkippedRow } from '../../model/row.ts';
import { allows } from '../../model/state.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { refuse } from '../admission/admit-file.ts';
import { findEntry } from '../context/find-entry.ts';
import type { RunContext } from '../context/run-context.ts';
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
  restoredCells,
  rowNotTaken,
  unknownDocument,
  unmarked,
} from './correction-faults.ts';
import { correctionTally, isCorrectionRecord, type RowRule } from './correction-results.ts';
import {
  type Compared,
  type CorrectionDiff,
  comparisonOf,
  type DamagedCell,
  type GivenRow,
} from './diff-correction.ts';
import { type CorrectionContent, type CorrectionLine, type ReadLine, readCorrection } from './parse-correction-file.ts';
import { type ReprocessResult, reprocess } from './reprocess-documents.ts';

/** The whole file is in memory; no person corrects more by hand. */
const MAX_BYTES = 64 * 1024 * 1024;

/** One document of the file, until its result is known. */
type Doc = {
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

/** Closes the file as admitted, duplicate or refused. Corrections are recorded under the owner of the file. */
export async function ingestCorrectionFile(work: RunContext, file: SourceFile): Promise<void> {
  const none = { rows: 0, leftOut: [] };
  const earlier = await work.ledger.fileBySha256(file.sha256);
  // What was refused of it may pass now: a mapping is back, or an archive.
  if (earlier && earlier.id !== file.id && isCorrectionRecord(earlier) && !earlier.faults.some(isError)) {
    await work.ledger.duplicateFile(file.id, earlier.id);
    work.emit({ what: 'file-duplicate', file: file.name, first: earlier.name });
    return;
  }
  if (file.size > MAX_BYTES) {
    return await refuse(work, file, {
      faults: [correctionFault('correction/too-large', CORRECTION.tooLarge(), { file: file.name, row: 0 })],
      ...none,
    });
  }
  let content: CorrectionContent | undefined;
  try {
    content = await readCorrection(file, await readFile(file.path));
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return await refuse(work, file, { faults: error.faults, ...none });
  }
  const lost = content?.lost.filter((name) => name !== '_error') ?? [];
  if (!content || lost.length > 0) return await refuse(work, file, { faults: [withoutHelpers(file, lost)], ...none });
  const { docs, faults } = await documentsOf(work, file, content.lines);
  const groups = Map.groupBy(
    docs.filter(({ rule }) => rule === undefined),
    ({ entry }) => entry.file.rereads ?? entry.file.id,
  );
  for (const group of groups.values()) {
    // The private copy stays in processing/: the next run starts the file over, and finds done what was done.
    if (work.stop.aborted) return;
    await correctGroup(work, file, group, content);
  }
  await account(work, file, content, { docs, faults });
}

const NO_CHANGES = { corrections: [], damaged: [] } as const;

type Found = { readonly docs: readonly Doc[]; readonly faults: readonly Fault[] };

/** The documents that the rows name; each name that is not a document is a fault. */
async function documentsOf(work: RunContext, file: SourceFile, lines: readonly CorrectionLine[]): Promise<Found> {
  const docs: Doc[] = [];
  const faults: Fault[] = [];
  const isDone = correctedBefore(work, file);
  for (const [mark, own] of Map.groupBy(lines, ({ doc }) => doc)) {
    const { line } = must(own[0], 'a row of the document');
    const named = readDocMark(mark);
    const entry = named ? await findEntry(work.ledger, named.id) : undefined;
    const origin = { file: file.name, row: line, column: '_doc' };
    if (!entry || !named) {
      faults.push(unknownDocument(mark, origin, own.length));
      continue;
    }
    const isDoneAlready = await isDone(entry);
    const isOpen = allows(entry.state, 'correct');
    const isLate = !isDoneAlready && !isOpen;
    const doc: Doc = { entry, mark, lines: own, line, faults: [], isLate, rule: undefined, ...NO_CHANGES };
    docs.push(doc);
    if (isDoneAlready) doc.rule = 'corrected';
    else if (isOpen && entry.revision !== named.revision) doc.faults.push(documentChangedSince(entry, origin));
    else if (isOpen && entry.faults.some(isOnlyInErp)) doc.faults.push(onlyInErp(entry, origin));
    else if (isOpen) doc.faults.push(...rowFaults(file, entry, own));
  }
  return { docs, faults };
}

function reasonFor({ name }: SourceFile, language: Language): string {
  return format(CORRECTION_TEXT.byFile({ file: name }), language);
}

/** Rows, by source, that exactly this file corrected before a crash: their documents are read again, or will be. */
function correctedBefore({ ledger, instance }: RunContext, file: SourceFile): (entry: LedgerEntry) => Promise<boolean> {
  // The settings may have another language since.
  const reasons = languagesFrom(instance.settings.rules.language).map((language) => reasonFor(file, language));
  const bySource = new Map<string, Promise<ReadonlySet<number>>>();
  const rowsOf = async (id: string) => {
    const all = await ledger.correctionsOf(id);
    return new Set(
      all.filter(({ at, reason }) => at === file.claimedAt && reasons.includes(reason)).map(({ row }) => row),
    );
  };
  return async ({ file: { id, rereads = id }, rows }) => {
    const ofSource = bySource.get(rereads) ?? rowsOf(rereads);
    bySource.set(rereads, ofSource);
    const corrected = await ofSource;
    return rows.some((row) => corrected.has(row));
  };
}

function rowFaults(file: SourceFile, entry: LedgerEntry, lines: readonly CorrectionLine[]): Fault[] {
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
  file: SourceFile,
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

function rowsUnknown(file: SourceFile, { facts, rows }: LedgerEntry, lines: readonly CorrectionLine[]): DataFault {
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

/** The documents of one archived source. */
async function correctGroup(work: RunContext, file: SourceFile, docs: readonly Doc[], content: CorrectionContent) {
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
  const changed = docs.filter(({ corrections }) => corrections.length > 0);
  if (changed.length === 0) return;
  const becomes = await reprocess(
    work,
    changed.map(({ entry }) => entry),
    {
      by: file.owner ?? UNKNOWN_OWNER,
      reason: reasonFor(file, work.instance.settings.rules.language),
      at: file.claimedAt,
      corrections: changed.flatMap(({ corrections }) => corrections),
    },
  );
  for (const one of becomes) {
    const doc = docs.find(({ entry }) => entry.id === one.entry.id);
    // A document that only waited for a row of another one may not be in the file, or be in it unchanged.
    if (doc && (changed.includes(doc) || 'state' in one)) settle(file, doc, one);
  }
}

type ToHold = {
  readonly source: ArchivedSource;
  readonly docs: readonly Doc[];
  readonly readings: readonly (readonly ReadLine[])[];
  readonly asInSource: boolean;
};

/** Compares every reading of the file with the source in one pass; the one with the fewest differences is right. */
async function compare(
  work: RunContext,
  file: SourceFile,
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
  for (const { line, doc, row, cell } of lines) {
    const entry = byMark.get(doc);
    const number = rowNumber(row);
    if (entry && number !== undefined && entry.rows.includes(number))
      rows.set(number, { entry, given: { line, row: number, cell } });
    else if (doc === '' || entry) astray.push({ line, doc, row });
  }
  return { rows, astray };
}

/** Sets the corrections of the document, or the reason why it stays as it is. */
function decideDocument({ instance }: RunContext, file: SourceFile, doc: Doc, { documents }: CorrectionDiff): void {
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
function unseen(file: SourceFile, { entry, lines }: Doc, compared: Compared | undefined): readonly Fault[] {
  const missing = entry.rows.filter((row) => !compared?.seen.has(row));
  return missing.length > 0 ? [rowsMissing(file, entry, missing, lines)] : [];
}

function settle(file: SourceFile, doc: Doc, becomes: ReprocessResult): void {
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

/** Records one result for each row of the file, for its summary. */
async function account(
  work: RunContext,
  file: SourceFile,
  content: CorrectionContent,
  { docs, faults: unknown }: Found,
) {
  const said = (rule: RowRule) => format(ROW_RULE[rule](), work.instance.settings.rules.language);
  const accounts = new Map<CorrectionLine, Omit<SkippedRow, 'row'>>();
  for (const { entry, lines, rule = 'refused' } of docs) {
    const one = { rule: said(rule), of: { id: entry.id, revision: entry.revision } };
    for (const line of lines) accounts.set(line, one);
  }
  // Several rows of XML may be on one line: then they count by their order.
  const isByLine = new Set(content.lines.map(({ line }) => line)).size === content.lines.length;
  const leftOut: SkippedRow[] = content.lines.map((line, at) => ({
    row: isByLine ? line.line : at + 1,
    ...(accounts.get(line) ?? { rule: said('refused') }),
  }));
  const damaged = docs.flatMap((doc) => doc.damaged.map((cell) => ({ document: doc.entry.facts.identifier, cell })));
  const restored = docs.flatMap(({ rule, damaged: cells }) => (rule === undefined ? [] : cells));
  const faults = [
    ...unknown,
    ...docs.flatMap((doc) => doc.faults),
    ...damagedCells(file.name, damaged),
    ...restoredCells(file.name, restored),
  ];
  await work.ledger.admit(file.id, { encoding: content.encoding, rows: leftOut.length, leftOut, faults });
  work.emit({ what: 'corrections', file: file.name, ...correctionTally({ leftOut, faults }), faults });
}

function withoutHelpers({ name }: SourceFile, lost: readonly string[]): DataFault {
  const [first, ...others] = lost;
  const names = others.reduce<string | Message>((one, other) => CORRECTION.both({ one, other }), first ?? '');
  const message = lost.length > 0 ? CORRECTION.columnLost({ names }) : CORRECTION.noTable();
  return correctionFault('correction/columns', message, { file: name, row: 1 });
}

function lostColumns({ name }: SourceFile, lost: readonly string[]): DataFault {
  const names = lost.map((one) => `"${one}"`);
  return correctionFault('correction/columns', CORRECTION.exportColumns({ count: lost.length, names }), {
    file: name,
    row: 1,
  });
}
