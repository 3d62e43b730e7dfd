/**
 * The pure half of the pipeline: bytes of one file -> rows -> groups -> drafts -> documents or faults. No network,
 * clock, log or shared state: the same file and mapping give the same bytes. Small steps, with turns of the event loop
 * between them. Throws UnreadableFileError for the whole file, ReappearedKeysError if it has to be read once more.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { checkDocument, localizeOutcome, refused } from '../../documents/check-document.ts';
import type { Language } from '../../i18n/message.ts';
import {
  type DocumentLimits,
  type Grouper,
  LIMITS,
  NOTHING_AGAIN,
  type ReappearedKeys,
} from '../../mapping/compose/group-rows.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import type { Facts } from '../../mapping/runtime/value.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type DocumentKind, type DocumentOutcome, detailsOf } from '../../model/document.ts';
import type { Draft } from '../../model/draft.ts';
import { type Fault, localize } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import {
  type Batch,
  documentOrigin,
  headerRows,
  partOrigin,
  type RowGroup,
  type SkippedRow,
  skippedByRow,
  sourceRows,
  textOf,
} from '../../model/row.ts';
import { detectHeaderEncoding } from '../../readers/encoding/header-encoding.ts';
import { type CellValues, type Joined, type JoinedHeaders, joinRows } from '../../readers/join-files.ts';
import { type Reader, UnreadableFileError } from '../../readers/reader.ts';

/**
 * Rows composed before the event loop gets a turn, some milliseconds of work: fewer at first, because code that is not
 * compiled yet takes ten times as long.
 */
const SLICE = { first: 120, later: 300 };
/** Rows composed after which most of the code is compiled. */
const COMPILED = 15_000;
/** The work for a document in addition to its rows, in rows. */
const ROWS_OF_DOCUMENT = 3;
/** Bytes of content after which documents are handed on, however few they are. */
const MUCH_CONTENT = 4 * 1024 * 1024;

/** Everything that a conversion depends on. */
export type ConversionInput = {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Name of the source file, without folder. */
  readonly file: string;
  /** The header file, if `bytes` are the lines of a pair. */
  readonly headers?: { readonly file: string; readonly bytes: () => AsyncIterable<Uint8Array> };
  readonly mapping: Mapping;
  readonly reader: Reader;
  readonly kind: DocumentKind;
  /** From an earlier ReappearedKeysError of the same file. */
  readonly reappeared?: ReappearedKeys;
  readonly repeats?: DocumentOutcome['repeats'];
  /** The most that one document may have. */
  readonly limits?: DocumentLimits;
  /** What formulas may ask for: the date of admission in the service's time zone, the file itself. */
  readonly facts: Facts;
  /** The language of the faults, English by default. Nothing is decided by these words. */
  readonly language?: Language;
  /** A trial on no particular day: no date of a document is in the future. */
  readonly isTrial?: boolean;
  /** `decided` gets the outcome of the document that asked for files since the last call. */
  readonly attachments?: { readonly decided: (admitted: boolean) => void; readonly isHeavy: () => boolean };
  /**
   * Changes what the reader gives before the mapping sees it: of the file, where two are joined of the join, and of the
   * header file.
   */
  readonly transformBatch?: { readonly file: TransformBatch | undefined; readonly headers: TransformBatch | undefined };
  /** Only documents with one of these rows, of the file or of the header file. Control totals are not checked then. */
  readonly only?: { readonly rows: ReadonlySet<number>; readonly of: 'file' | 'headers' };
};

/** Rows in, rows out: never more of them, and each with its own number. */
export type TransformBatch = ((batch: Batch) => Batch) & { readonly valuesOf: CellValues };

/** The documents and the account of some rows of one file. */
export type ConversionStep = {
  readonly outcomes: readonly DocumentOutcome[];
  readonly leftOut: readonly SkippedRow[];
  /** Rows read in this step, those left out included. */
  readonly rows: number;
  readonly encoding?: string;
  /** Of the file as a whole. */
  readonly warnings?: readonly Fault[];
};

/** `headers` is the account of the header file, in the last step, where the rows come from two files. */
export type Converted = ConversionStep & { readonly headers?: ConversionStep };

/**
 * A key of `rows: adjacent` came back later in the file, or rows turned out to belong to no document. The caller drops
 * the documents made so far and converts again with `reappeared`, so that the incomplete ones are refused.
 */
export class ReappearedKeysError extends Error {
  readonly reappeared: ReappearedKeys;

  constructor(reappeared: ReappearedKeys) {
    super('documents that were made may lack rows');
    this.reappeared = reappeared;
  }
}

/**
 * Throws UnreadableFileError if no document may be made of the file, ReappearedKeysError if it has to be read again.
 */
export async function* convert(input: ConversionInput): AsyncIterable<Converted> {
  // Attachments inside of an export: a few large documents are as much to hold as many small ones.
  let held = 0;
  const isHeavy = () => held > MUCH_CONTENT || input.attachments?.isHeavy() === true;
  const make: Make<DocumentOutcome> = (bound, group, grouper) => {
    const outcome = judged(input, bound.compose(group, input.facts), group);
    if (group.isDoubtful && !('document' in outcome)) grouper.refused(group);
    input.attachments?.decided('document' in outcome);
    if ('document' in outcome) held += outcome.document.content.length;
    return {
      ...outcome,
      repeats: input.repeats,
      datedByReading: input.mapping.asks.has('today') && detailsOf(outcome).facts.date === input.facts.today,
      sourceRows: () => sourceRows(input.mapping.id, group),
      asksForName: input.mapping.asks.has('file'),
      headerRows: input.headers && (() => headerRows(group)),
    };
  };
  for await (const { made, ...step } of throughGroups(input, make, isHeavy)) {
    held = 0;
    const { headers, ...own } = step;
    yield definedOnly({
      ...own,
      outcomes: made,
      headers: headers ? { ...headers, outcomes: headers.made } : undefined,
    });
  }
}

/** As `convert`, with the draft of each outcome, for a preview. `warn` gets the warnings about the whole file. */
export async function* previewDrafts(
  input: ConversionInput,
  warn: (faults: readonly Fault[]) => void = () => undefined,
): AsyncIterable<Previewed> {
  const { facts } = input;
  for await (const { made, headers, warnings } of throughGroups(input, (bound, group) => {
    const composed = bound.compose(group, facts);
    const { draft } = composed;
    return definedOnly({ group, draft, partial: partOf(composed), outcome: judged(input, composed, group) });
  })) {
    if (warnings) warn(warnings);
    yield* made;
    if (headers) yield* headers.made;
  }
}

/**
 * The result of a first reading that comes too late for it. An unreadable file gives nothing: the second reading shows
 * how far it comes.
 */
export async function readAhead(input: ConversionInput): Promise<ReappearedKeys> {
  const onlyDoubtful: Make<void> = (bound, group, grouper) => {
    if (group.isDoubtful && isRefused(input, bound, group)) grouper.refused(group);
  };
  try {
    for await (const _ of throughGroups(input, onlyDoubtful));
  } catch (error) {
    if (error instanceof ReappearedKeysError) return error.reappeared;
    if (!(error instanceof UnreadableFileError)) throw error;
  }
  return NOTHING_AGAIN;
}

function partOf({ known }: ReturnType<Bound['compose']>): Draft | undefined {
  if (!known?.trace) return undefined;
  const { kind = '', trace } = known;
  return { ...known, kind, trace };
}

/**
 * The rows of a document, its draft if one could be composed, and its outcome. `partial`: without a draft, what could be
 * composed; each value that could not is null.
 */
export type Previewed = {
  readonly group: RowGroup;
  readonly draft?: Draft;
  readonly partial?: Draft;
  readonly outcome: DocumentOutcome;
};

type Make<T> = (bound: Bound, group: RowGroup, grouper: Pick<Grouper, 'refused'>) => T;
type Bound = Exclude<ReturnType<Mapping['bind']>, { faults: readonly Fault[] }>;
type Made<T> = Omit<ConversionStep, 'outcomes'> & { readonly made: readonly T[] };
type Step<T> = Made<T> & { readonly headers?: Made<T> };

async function* throughGroups<T>(
  input: ConversionInput,
  make: Make<T>,
  isHeavy = input.attachments?.isHeavy,
): AsyncIterable<Step<T>> {
  try {
    yield* stepByStep(input, make, isHeavy);
  } catch (error) {
    throw error instanceof UnreadableFileError ? error.in(input.language ?? 'en') : error;
  }
}

async function* stepByStep<T>(
  input: ConversionInput,
  make: Make<T>,
  isHeavy: (() => boolean) | undefined,
): AsyncIterable<Step<T>> {
  const { mapping, only, language = 'en' } = input;
  const wanted = (groups: readonly RowGroup[], of: 'file' | 'headers') =>
    only ? groups.filter((group) => of === only.of && numbersOf(group).some((row) => only.rows.has(row))) : groups;
  const source = sourceOf(input);
  let reading: Reading | undefined;
  let controls: ReturnType<Bound['controls']>;
  const pace: Pace = { isHeavy, rows: 0 };
  const makeOne =
    ({ bound, grouper }: Reading) =>
    (group: RowGroup) =>
      make(bound, group, grouper);
  // Whether a document can be made of such rows counts for others too, wanted or not.
  const reportRefused = ({ bound, grouper }: Reading, groups: readonly RowGroup[]) => {
    if (input.reappeared !== undefined) return;
    for (const group of groups) if (group.isDoubtful && isRefused(input, bound, group)) grouper.refused(group);
  };
  const lookAgain = () => {
    const reappeared = input.reappeared === undefined ? reading?.grouper.again() : undefined;
    if (reappeared) throw new ReappearedKeysError(reappeared);
  };
  for await (const batch of source.batches) {
    reading ??= beginReading(input, boundTo(mapping, batch));
    const { bound, grouper } = reading;
    if (!only) controls ??= bound.controls(input.facts);
    controls?.see(batch);
    const { groups, leftOut } = grouper.push(batch);
    if (only) reportRefused(reading, groups);
    const step = definedOnly({
      rows: batch.rows.length + batch.leftOut.length,
      leftOut: skippedByRow(batch.leftOut, leftOut),
      encoding: batch.encoding,
      warnings: batch.warnings ? localize(batch.warnings, language) : undefined,
    });
    yield* inSlices(wanted(groups, 'file'), step, makeOne(reading), pace);
  }
  if (reading) {
    const { grouper } = reading;
    const { groups, leftOut } = grouper.end();
    const faults = [...grouper.faults(), ...(controls?.faults() ?? [])];
    if (faults.length > 0) throw new UnreadableFileError(faults);
    const headers = source.headers?.();
    if (headers && !input.reappeared) for (const group of withoutLines(input, headers)) grouper.refused(group);
    // Where the file is read again anyway, these groups are never made: their refusals count for the second reading too.
    if (only || grouper.again()) reportRefused(reading, groups);
    lookAgain();
    yield* inSlices(wanted(groups, 'file'), { rows: 0, leftOut }, makeOne(reading), pace);
    // Under rows: anywhere all documents were made just now.
    lookAgain();
    if (headers) yield headersAlone(input, headers, make, (groups) => wanted(groups, 'headers'));
  }
}

function sourceOf({
  mapping,
  reader,
  file,
  bytes,
  headers,
  transformBatch,
  limits = LIMITS,
}: ConversionInput): Pick<Joined, 'batches'> & Partial<Joined> {
  const { join } = mapping;
  const { options } = mapping.source;
  const bounds = { ...limits, key: mapping.key };
  if (!join || !headers)
    return { batches: transformed(reader.read(bytes, { file, source: options, bounds }), transformBatch?.file) };
  const headerRows = reader.read(headers.bytes(), { file: headers.file, source: options });
  const first = transformed(headerRows, transformBatch?.headers);
  const joined = joinRows(first, reader.read(bytes, { file, source: join.options }), join.key, {
    documentKey: mapping.key,
    ...definedOnly({ valuesOf: transformBatch?.file?.valuesOf }),
  });
  return { ...joined, batches: transformed(joined.batches, transformBatch?.file) };
}

function transformed(batches: AsyncIterable<Batch>, transform: TransformBatch | undefined): AsyncIterable<Batch> {
  return transform ? eachTransformed(batches, transform) : batches;
}

async function* eachTransformed(batches: AsyncIterable<Batch>, transform: TransformBatch): AsyncIterable<Batch> {
  for await (const batch of batches) yield transform(batch);
}

/** Headers without lines are refused in their own file. */
function headersAlone<T>(
  { mapping, facts }: ConversionInput,
  { table, unjoined, rows, leftOut, encoding }: JoinedHeaders,
  make: Make<T>,
  wanted: (groups: readonly RowGroup[]) => readonly RowGroup[],
): Step<T> {
  const own = boundTo(mapping, { table });
  const grouper = own.grouper(facts);
  const groups = [...grouper.push({ table, rows: unjoined, leftOut: [] }).groups, ...grouper.end().groups];
  const made = wanted(groups).map((group) => make(own, group, grouper));
  return {
    rows: 0,
    leftOut: [],
    made: [],
    headers: definedOnly({ rows, leftOut, made, encoding: encoding ? encoding : undefined }),
  };
}

/** A document may be made of several headers: without the lines of one of them it is not whole. */
function withoutLines({ mapping, facts }: ConversionInput, { table, unjoined }: JoinedHeaders): readonly RowGroup[] {
  // The lines of a header that cannot be read say by themselves that they have none.
  const rows = unjoined.filter(({ readable }) => readable);
  if (rows.length === 0) return [];
  const grouper = boundTo(mapping, { table }).grouper(facts);
  return [...grouper.push({ table, rows, leftOut: [] }).groups, ...grouper.end().groups];
}

function boundTo(mapping: Mapping, batch: Pick<Batch, 'table' | 'encoding'> & Partial<Batch>): Bound {
  const bound = mapping.bind(batch.table, batch.rows);
  if ('faults' in bound) {
    const causes = detectHeaderEncoding(batch);
    throw new UnreadableFileError(causes.length > 0 ? causes : bound.faults);
  }
  return bound;
}

/** `rows` composed so far. */
type Pace = { readonly isHeavy: (() => boolean) | undefined; rows: number };

async function* inSlices<T>(
  groups: readonly RowGroup[],
  step: Omit<Step<T>, 'made'>,
  make: (group: RowGroup) => T,
  pace: Pace,
): AsyncIterable<Step<T>> {
  const most = pace.rows > COMPILED ? SLICE.later : SLICE.first;
  let made: T[] = [];
  let work = 0;
  // The reader has just worked on its step of the file: what waits is not to wait for both.
  if (step.rows > most) await turn();
  let about = step;
  for (const group of groups) {
    if (work >= most || pace.isHeavy?.()) {
      yield { ...about, made };
      [made, about, work] = [[], { rows: 0, leftOut: [] }, 0];
      await turn();
    }
    made.push(make(group));
    pace.rows += group.rows.length;
    work += group.rows.length + ROWS_OF_DOCUMENT;
  }
  yield { ...about, made };
}

/** The outcome without the side effects of `make`. */
function isRefused(input: ConversionInput, bound: Bound, group: RowGroup): boolean {
  return !('document' in judged(input, bound.compose(group, input.facts), group));
}

type Reading = { readonly bound: Bound; readonly grouper: ReturnType<Bound['grouper']> };

function beginReading({ facts, reappeared, limits }: ConversionInput, bound: Bound): Reading {
  return { bound, grouper: bound.grouper(facts, definedOnly({ again: reappeared, limits })) };
}

function numbersOf({ rows, numbers }: RowGroup): readonly number[] {
  return numbers ?? rows.map(({ row }) => row);
}

function judged(
  { kind, facts, isTrial, language = 'en' }: ConversionInput,
  composed: ReturnType<Bound['compose']>,
  group: RowGroup,
): DocumentOutcome {
  const { draft, known, faults } = composed;
  if (!draft) return localizeOutcome(refused(faults, kind, known), language);
  const { table, rows } = group;
  const outcome = checkDocument(draft, kind, {
    found: faults,
    source: {
      whole: () => documentOrigin(table, must(rows[0], 'the first row of a document')),
      textOf: (origin) => textOf(table, rows, origin),
      partOf: (origin) => partOrigin(table, rows, origin),
    },
    today: isTrial ? undefined : facts.today,
  });
  return localizeOutcome(outcome, language);
}
