/**
 * Matches the rows of a correction file with documents by `_doc` and `_row`, never by the name of the file. Rows and the
 * ledger in; documents out, each with the faults (correction/...) that its rows have whatever is in their cells.
 */
import { CORRECTION } from '../../i18n/messages/pipeline-messages.ts';
import { readDocMark } from '../../model/correction.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type DataFault, type Fault, isOnlyInErp } from '../../model/fault.ts';
import type { Correction, LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { Origin } from '../../model/origin.ts';
import { allows } from '../../model/state.ts';
import { appendAll } from '../../text/long-lists.ts';
import { findEntry } from '../context/find-entry.ts';
import { correctionFault, onlyInErp, unknownDocument } from './correction-faults.ts';
import type { RowRule } from './correction-results.ts';
import type { DamagedCell } from './diff-correction.ts';
import type { FaultOf } from './group-correction-faults.ts';
import type { CorrectionLine } from './parse-correction-file.ts';
import type { ReprocessContext } from './reconvert-source.ts';

/** The correction file, as the ledger has it or as a preview finds it. */
export type CorrectionRecord = Pick<SourceFile, 'name' | 'path' | 'size' | 'claimedAt' | 'owner'>;

/** A cell that the file changes, and the value that the document keeps. `row`: in the source. */
export type IgnoredChange = {
  readonly row: number;
  readonly column: string;
  readonly kept: string;
  readonly given: string;
};

/** One document of the file, until its result is known. */
export type CorrectedDocument = {
  readonly entry: LedgerEntry;
  /** As its rows name it in `_doc`, and the revision that they were written from. */
  readonly mark: string;
  readonly revision: number;
  /** Its rows in the file; never empty. */
  readonly lines: readonly CorrectionLine[];
  readonly faults: Fault[];
  /**
   * `late`: its content can no longer change. `outdated`: another correction came first, and a newer file may correct it.
   * Nothing is taken of these two: the file is compared with the values that the document has now.
   */
  readonly standing: 'open' | 'late' | 'outdated';
  rule: RowRule | undefined;
  corrections: readonly Correction[];
  /** Changes that come too late: the document keeps the value of another correction. */
  ignored: readonly IgnoredChange[];
  /** Cells that a spreadsheet changed. Refused ones forbid the corrections of the document. */
  damaged: readonly DamagedCell[];
};

const NO_CHANGES = { corrections: [], ignored: [], damaged: [] } as const;

/** `faults`: of rows that name no document. */
export type MatchedDocuments = { readonly docs: readonly CorrectedDocument[]; readonly faults: readonly FaultOf[] };

/** `isDone`: this file has corrected the document before a stop. */
type DocumentLines = {
  readonly lines: readonly CorrectionLine[];
  readonly isDone: (entry: LedgerEntry) => Promise<boolean>;
};

/** The documents that the rows name; each name that is not a document is a fault. */
export async function matchDocuments(
  context: ReprocessContext,
  file: CorrectionRecord,
  { lines, isDone }: DocumentLines,
): Promise<MatchedDocuments> {
  const docs: CorrectedDocument[] = [];
  const faults: FaultOf[] = [];
  for (const [mark, own] of Map.groupBy(lines, ({ doc }) => doc)) {
    const named = readDocMark(mark);
    const entry = named ? await findEntry(context.ledger.queries, named.id) : undefined;
    if (!entry || !named) {
      const fault = unknownDocument(mark, placeOfLine(file, must(own[0], 'a row of the document'), '_doc'), own.length);
      faults.push({ document: mark.slice(0, LONGEST_MARK), fault });
      continue;
    }
    const isDoneAlready = await isDone(entry);
    const { revision } = named;
    const standing = isDoneAlready ? 'open' : standingOf(entry, revision);
    const doc: CorrectedDocument = {
      ...{ entry, mark, revision, lines: own, faults: [], standing, rule: undefined },
      ...NO_CHANGES,
    };
    docs.push(doc);
    if (isDoneAlready) doc.rule = 'corrected';
    else if (standing === 'open') appendAll(doc.faults, matchFaults(file, doc));
  }
  return { docs, faults };
}

const LONGEST_MARK = 60;

function standingOf(entry: LedgerEntry, revision: number): CorrectedDocument['standing'] {
  if (!allows(entry.state, 'fix')) return 'late';
  return entry.revision === revision ? 'open' : 'outdated';
}

/** The place of a row of the file. */
export function placeOfLine(
  file: CorrectionRecord,
  { line, inFile }: Pick<CorrectionLine, 'line' | 'inFile'>,
  column?: string,
): Origin {
  return definedOnly({ file: file.name, row: line, line: inFile, column });
}

/** The place of the first row of the document in the file. */
export function placeOfDocument(file: CorrectionRecord, { lines }: CorrectedDocument, column?: string): Origin {
  return placeOfLine(file, must(lines[0], 'a row of the document'), column);
}

/** Why the rows cannot be corrections of the document, whatever is in their cells. */
function matchFaults(file: CorrectionRecord, doc: CorrectedDocument): readonly Fault[] {
  const { entry } = doc;
  if (entry.faults.some(isOnlyInErp)) return [onlyInErp(entry, placeOfDocument(file, doc, '_doc'))];
  const faults: Fault[] = [];
  const seen = new Set<number>();
  const unknown: CorrectionLine[] = [];
  const own = new Set(entry.rows);
  for (const line of doc.lines) {
    const row = rowNumber(line.row, own);
    if (row === undefined) unknown.push(line);
    else if (seen.has(row)) faults.push(rowTwice(file, entry, line, row));
    else seen.add(row);
  }
  const missing = entry.rows.filter((row) => !seen.has(row));
  // If rows of another document are in the place of its own, that is one mistake: a changed _doc or _row.
  if (unknown.length > 0) faults.push(rowsUnknown(file, entry, unknown));
  else if (missing.length > 0) faults.push(rowsMissing(file, doc, missing));
  return faults;
}

/** Numbers of rows that a message names. */
const MOST_ROWS_NAMED = 20;

function rowTwice(file: CorrectionRecord, { facts }: LedgerEntry, line: CorrectionLine, row: number): DataFault {
  const message = CORRECTION.rowTwice({ row, document: facts.identifier });
  return correctionFault('correction/row-twice', message, placeOfLine(file, line, '_row'));
}

/** correction/row-missing: `missing` are numbers of the source. */
export function rowsMissing(file: CorrectionRecord, doc: CorrectedDocument, missing: readonly number[]): DataFault {
  const rows = missing.slice(0, MOST_ROWS_NAMED).map(String);
  const document = doc.entry.facts.identifier;
  const message = CORRECTION.rowsMissing({ count: missing.length, document, rows });
  return correctionFault('correction/row-missing', message, placeOfDocument(file, doc, '_row'));
}

/** correction/row-unknown: `lines`, at least one, have numbers that the document does not have. */
export function rowsUnknown(
  file: CorrectionRecord,
  { facts, rows }: LedgerEntry,
  lines: readonly CorrectionLine[],
): DataFault {
  const which = [...new Set(lines.map(({ row }) => `"${row}"`))];
  const message = CORRECTION.noRows({
    count: which.length,
    rows: which.slice(0, MOST_ROWS_NAMED),
    document: facts.identifier,
    own: rows.slice(0, MOST_ROWS_NAMED).map(String),
  });
  const origin = placeOfLine(file, must(lines[0], 'an unknown row'), '_row');
  return correctionFault('correction/row-unknown', message, origin);
}

const PLAIN = /^(\d{1,9})(?:[.,]0+)?$/;
const IN_THOUSANDS = /^(\d{1,3}(?:([.,'’\s])\d{3})(?:\2\d{3})?)(?:[.,]0+)?$/;

/** A spreadsheet may show 12 as 12,00, and 2000 as 2,000: which of both it is, the rows of the document say. */
export function rowNumber(text: string, own: ReadonlySet<number>): number | undefined {
  const shown = [IN_THOUSANDS, PLAIN].map((pattern) => pattern.exec(text)?.[1]?.replace(/\D/g, ''));
  return shown.map(Number).find((row) => own.has(row));
}
