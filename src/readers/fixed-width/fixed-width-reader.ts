/**
 * Files of lines with columns by position: bytes in, batches of rows out, one batch per step. One character too few
 * moves all columns after it, so a line with an unexpected length becomes a broken row (fixed/line-too-short,
 * fixed/line-too-long, fixed/tab, fixed/sign-at-start). Damage to the file throws UnreadableFileError (fixed/..., text/...).
 */
import type { FoundControl } from '../../model/control-total.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { DataFault } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import type { Batch, Row, SkippedRow, Table } from '../../model/row.ts';
import { greatestOf } from '../../text/long-lists.ts';
import { compileOnce } from '../compile-once.ts';
import { createRecordTypeMaker } from '../csv/csv-record-types.ts';
import { readText } from '../encoding/read-text.ts';
import type { Reader, ReadOptions } from '../reader.ts';
import { lengthFault, missingLastLineEnd, noLines, signFault, tabFault } from './fixed-faults.ts';
import { type GapWatch, gapFault, watchGaps } from './fixed-gaps.ts';
import { createLineSplitter } from './fixed-lines.ts';
import {
  type FieldSpan,
  type FixedColumns,
  type FixedOptions,
  fieldEnd,
  fixedOptions,
  type LineRule,
  spanText,
} from './fixed-options.ts';

/** Format `fixed`: columns by position, any known encoding, one kind of line or record types. */
export const fixedReader: Reader = { format: 'fixed', options: fixedOptions, read };

const parseOptions = compileOnce((source) => fixedOptions.parse(source));

async function* read(
  bytes: AsyncIterable<Uint8Array>,
  { file, source, chunkBytes }: ReadOptions,
): AsyncGenerator<Batch> {
  const options = parseOptions(source);
  const noLineEnds = options['line-ends'] === 'none';
  const lines = createLineSplitter(file, noLineEnds ? options['line-length'] : undefined);
  const sheet = createFixedSheet(file, options);
  let encoding = '';
  let yielded = false;
  let row = 0;
  const give = function* (always: boolean) {
    const batch = sheet.drain(encoding);
    if (!always && batch.rows.length + batch.leftOut.length === 0) return;
    yielded = true;
    yield batch;
  };

  for await (const piece of readText(bytes, { file, encoding: options.encoding, chunkBytes })) {
    encoding = piece.encoding;
    for (const line of lines.take(piece.data)) sheet.take(line, ++row);
    yield* give(false);
  }
  for (const line of lines.take()) sheet.take(line, ++row);
  const rest = lines.rest();
  if (rest !== '') {
    // Some programs write one line end at the end of a file of records without line ends: it is not a record.
    const isEnd = noLineEnds && rest.trim() === '';
    if (!isEnd && (noLineEnds || options['final-line-end'] === 'required')) {
      throw missingLastLineEnd(file, row + 1, noLineEnds);
    }
    if (!isEnd) sheet.take(rest, ++row);
  }
  if (row <= options['skip-rows']) throw noLines(file, row);
  sheet.finish();
  const warning = sheet.warning();
  if (warning) yield { ...sheet.drain(encoding), warnings: [warning] };
  else yield* give(!yielded);
}

type Sheet = {
  readonly take: (line: string, row: number) => void;
  readonly finish: () => void;
  readonly drain: (encoding: string) => Batch;
  /** The warning about the whole file; complete after its last line. */
  readonly warning: () => DataFault | undefined;
};

/** A line by characters, so that a character beyond the basic plane counts as one position. */
type Line = { readonly length: number; readonly cut: (span: FieldSpan) => string };

function createFixedSheet(file: string, options: FixedOptions): Sheet {
  let rows: Row[] = [];
  let leftOut: SkippedRow[] = [];
  let controls: FoundControl[] = [];
  const maker = createLineMaker(file, options, (row) => void rows.push(row));
  const drops = options['leave-out'].map((rule) => ({
    rule: describeRule(rule),
    test: compileCondition(rule),
    label: rule.label ? rule.at : undefined,
  }));
  const asks = options.controls.map(({ where, value }) => ({
    rule: `control total: ${describeRule(where)}`,
    test: compileCondition(where),
    label: 'equals' in where ? where.at : undefined,
    value,
  }));

  const take = (text: string, row: number) => {
    const line = toLine(text);
    const by = ruleFor(text, line, row);
    if (by === undefined) return maker.take(text, line, row);
    leftOut.push({ row, rule: by.rule });
    if (row > options['skip-rows']) maker.pass(line, row, by);
  };
  const ruleFor = (text: string, line: Line, row: number): LineLeftOutBy | undefined => {
    let by: LineLeftOutBy | undefined;
    for (const [control, ask] of asks.entries()) {
      if (!ask.test(line)) continue;
      by ??= ask;
      controls.push({ control, text: line.cut(ask.value).trim(), row, column: spanText(ask.value) });
    }
    if (by !== undefined) return by;
    if (row <= options['skip-rows']) return { rule: 'preamble', label: undefined };
    return text.trim() === '' ? { rule: 'blank line', label: undefined } : drops.find(({ test }) => test(line));
  };
  const drain = (encoding: string): Batch => {
    const batch = definedOnly({
      table: maker.table,
      rows,
      leftOut,
      encoding,
      controls: controls.length > 0 ? controls : undefined,
    });
    rows = [];
    leftOut = [];
    controls = [];
    return batch;
  };
  const warning = () =>
    gapFault(
      file,
      maker.gaps.flatMap((gaps) => gaps.found()),
    );
  return { take, finish: maker.finish, drain, warning };
}

/** As LeftOutBy of csv-skip-rules.ts; `label` is a position. */
type LineLeftOutBy = { readonly rule: string; readonly label: FieldSpan | undefined };

type LineMaker = {
  /** One watch for each kind of line. */
  readonly gaps: readonly GapWatch[];
  readonly table: Table;
  readonly take: (text: string, line: Line, row: number) => void;
  /** A line that a rule leaves out. */
  readonly pass: (line: Line, row: number, by: LineLeftOutBy) => void;
  readonly finish: () => void;
};

/** One kind of line: each line is a row, and a broken one keeps the cells that its positions give. */
function createLineMaker(file: string, options: FixedOptions, push: (row: Row) => void): LineMaker {
  const { 'record-types': types } = options;
  if (types) return createRecordMaker(file, options, types, push);
  const columns = must(options.columns, '`columns` of a file without record types');
  const shape = lineShape(columns, options['line-length']);
  const table = { file, columns: Object.keys(columns) };
  const gaps = watchGaps(columns);
  const take = (text: string, line: Line, row: number) => {
    const broken = checkLine(file, text, line, row, shape, options);
    if (!broken) gaps.see(line, row);
    const cells = shape.spans.map(line.cut);
    push(broken ? { cells, row, broken } : { cells, row });
  };
  return { table, take, pass: () => undefined, finish: () => undefined, gaps: [gaps] };
}

const CODES = {
  headerWithoutLines: 'fixed/header-without-lines',
  lineWithoutHeader: 'fixed/line-without-header',
  unknownType: 'fixed/unknown-record-type',
  documentTooLarge: 'fixed/document-too-large',
};

/**
 * Record types: each line becomes a record with its marker as the first cell, as in csv-record-types.ts, which then
 * makes the rows for both formats.
 */
function createRecordMaker(
  file: string,
  options: FixedOptions,
  types: NonNullable<FixedOptions['record-types']>,
  push: (row: Row) => void,
): LineMaker {
  const named = ({ value, columns }: (typeof types.levels)[number]) => ({
    value,
    columns: ['', ...Object.keys(columns)],
  });
  const levels = types.levels.map(named);
  const lists = Object.fromEntries(Object.entries(types.lists ?? {}).map(([name, list]) => [name, named(list)]));
  const records = { file, types: { ...types, column: 1, levels, lists }, codes: CODES };
  const { table, take, pass, finish } = createRecordTypeMaker(records, push);
  const shapes = new Map(
    [...types.levels, ...Object.values(types.lists ?? {})].flatMap((level) => {
      const shape = {
        ...lineShape(level.columns, level['line-length'] ?? options['line-length']),
        gaps: watchGaps(level.columns, types.at),
      };
      return [level.value].flat().map((value) => [value, shape] as const);
    }),
  );
  const typeOf = (line: Line) => line.cut(types.at).trim();
  const recordOf = (line: Line) => {
    const type = typeOf(line);
    return [type, ...(shapes.get(type)?.spans.map(line.cut) ?? [])];
  };
  return {
    table,
    finish,
    gaps: [...new Set([...shapes.values()].map(({ gaps }) => gaps))],
    take: (text, line, row) => {
      const shape = shapes.get(typeOf(line));
      const fault = shape && checkLine(file, text, line, row, shape, options);
      if (!fault) shape?.gaps.see(line, row);
      take(recordOf(line), row, fault);
    },
    pass: (line, row, { rule, label }) => {
      const holds = (span: FieldSpan) => label && span.start <= fieldEnd(label) && label.start <= fieldEnd(span);
      // Where no column is, it is the marker, or nothing that the mapping reads.
      const cell = (shapes.get(typeOf(line))?.spans.findIndex(holds) ?? -1) + 1;
      const record = shapes.has(typeOf(line))
        ? recordOf(line)
        : [typeOf(line), line.cut({ start: 1, length: line.length })];
      pass(record, row, { rule, label: label && cell });
    },
  };
}

/**
 * Where the columns of a kind of line are. `exact`: the mapping gives the length, else it is the end of the last
 * column.
 */
type Shape = { readonly spans: readonly FieldSpan[]; readonly length: number; readonly exact: boolean };

function lineShape(columns: FixedColumns, length: number | undefined): Shape {
  const spans = Object.values(columns);
  return { spans, length: length ?? greatestOf(spans.map(fieldEnd)), exact: length !== undefined };
}

/** A page break of a printer, the mark of a file that was joined to another: no column begins with one. */
const SIGN_AT_START = /^[\p{Cc}\ufeff]/u;

/** The fault of a line, if any. Blanks after the last column are accepted unless the mapping gives the length. */
function checkLine(
  file: string,
  text: string,
  line: Line,
  row: number,
  { spans, length, exact }: Shape,
  options: FixedOptions,
): DataFault | undefined {
  if (text.includes('\t')) return tabFault(file, row);
  const found = line.length;
  if (SIGN_AT_START.test(text)) {
    // A line of the exact length has the sign in a position of its own: the one for the printer, if no column is there.
    const isKept = exact && found === length && options['trailing-blanks'] === 'kept';
    if (!isKept || spans.some(({ start }) => start === 1)) return signFault(file, row);
  }
  if (found < length && options['trailing-blanks'] === 'kept') return lengthFault(file, row, text, found, length);
  if (found > length && (exact || line.cut({ start: length + 1, length: found }).trim() !== '')) {
    return lengthFault(file, row, text, found, length);
  }
  return undefined;
}

/** Most lines have no surrogates: they are sliced as they are, without an array of characters. */
function toLine(text: string): Line {
  if (!/[\ud800-\udfff]/.test(text)) {
    return { length: text.length, cut: ({ start, length }) => text.slice(start - 1, start - 1 + length) };
  }
  const characters = Array.from(text);
  const cut = ({ start, length }: FieldSpan) => characters.slice(start - 1, start - 1 + length).join('');
  return { length: characters.length, cut };
}

function compileCondition(rule: LineRule): (line: Line) => boolean {
  const cell = (line: Line) => line.cut(rule.at).trim();
  if ('equals' in rule) return (line) => cell(line) === rule.equals;
  if ('starts-with' in rule) return (line) => cell(line).startsWith(rule['starts-with']);
  if ('contains' in rule) return (line) => cell(line).includes(rule.contains);
  return (line) => cell(line) === '';
}

function describeRule(rule: LineRule): string {
  const place = spanText(rule.at);
  if ('equals' in rule) return `${place} is "${rule.equals}"`;
  if ('starts-with' in rule) return `${place} starts with "${rule['starts-with']}"`;
  if ('contains' in rule) return `${place} contains "${rule.contains}"`;
  return `${place} is empty`;
}
