/**
 * The part of a mapping's `source` block that belongs to `format: fixed`: columns by position in the line, as a strict
 * zod shape with defaults. Options that contradict each other, and columns that overlap, are reported at their key.
 * Positions count characters from 1, after decoding: `1-10`, a single `5`, or { start: 1, length: 10 }.
 */
import { z } from 'zod';
import { format, type Message } from '../../i18n/message.ts';
import { FIXED_WIDTH, READER_OPTION } from '../../i18n/messages/readers-messages.ts';
import { addProblem, expecting, refusedWith, type ShapeProblem } from '../../model/shape-issue.ts';
import { encodingSetting } from '../encoding/read-text.ts';
import { listName } from '../list-name.ts';
import { checkControl, controlFields } from '../read-control-totals.ts';

const MAX_LENGTH = 32_760;
const position = z.int().min(1).max(MAX_LENGTH);

const FORMS = { text: '1-10', block: '{ start: 1, length: 10 }' };

/** Options are parsed twice, so the output of each form is one of the accepted forms. */
const span = z
  .union(
    [
      position.transform((start) => ({ start, length: 1 })),
      z
        .string()
        .regex(/^\s*\d{1,5}\s*-\s*\d{1,5}\s*$/, expecting(READER_OPTION.positions(FORMS)))
        .transform(parseSpan)
        .pipe(z.strictObject({ start: position, length: position })),
      z.strictObject({ start: position, length: position }),
    ],
    expecting(READER_OPTION.positions(FORMS)),
  )
  .describe('First and last character of the line, from 1: 1-10; or { start: 1, length: 10 }');

function parseSpan(text: string): { start: number; length: number } {
  const [start, end] = text.split('-').map(Number) as [number, number];
  return { start, length: end - start + 1 };
}

const columns = z
  .record(z.string().min(1), span)
  .refine((given) => Object.keys(given).length > 0, refusedWith(READER_OPTION.noColumn()));

const place = [
  z.strictObject({ at: span, equals: z.string() }),
  z.strictObject({ at: span, 'starts-with': z.string().min(1) }),
  z.strictObject({ at: span, contains: z.string().min(1) }),
] as const;

const label = z
  .literal(true)
  .optional()
  .describe('The text is a word such as TOTAL, not the mark of a header: the document goes on below the line');
const [byEquals, byStart, byPart] = place;

const leaveOutRule = z
  .union([
    byEquals.extend({ label }),
    byStart.extend({ label }),
    byPart.extend({ label }),
    z.strictObject({ at: span, empty: z.literal(true), label }),
  ])
  .describe('Lines that hold no data: totals, page headings. They are counted and listed, never silently gone');

const recordLevel = z.strictObject({
  value: z.union([z.string(), z.array(z.string()).min(1)]).describe('Text that marks this kind of record'),
  columns,
  'line-length': position.optional().describe('Where records of this kind are longer or shorter than the others'),
});

const recordTypes = z.strictObject({
  at: span.describe('Position of the marker with the type of a record'),
  levels: z.array(recordLevel).min(2).describe('From outer to inner: header, then line. Each line becomes one row'),
  'lines-optional': z.boolean().default(false).describe('A header without lines becomes a row with empty line cells'),
  lists: z
    .record(listName, recordLevel)
    .optional()
    .describe('Records next to the lines, such as the VAT per rate: `each: item of name` brings them up'),
});

const control = z
  .strictObject({ where: z.union(place), value: span.describe('Position of the number'), ...controlFields })
  .superRefine(checkControl);

/** Options of the reader of fixed-width lines. Their descriptions become the table in docs/reference/sources.md. */
export const fixedOptions = z
  .strictObject({
    encoding: encodingSetting,
    'line-length': position
      .optional()
      .describe('Characters of every line, the line end not counted; others are refused'),
    'trailing-blanks': z
      .enum(['kept', 'cut'])
      .default('kept')
      .describe('cut: the export, or the transfer, takes blanks off the end of lines, so that they may be shorter'),
    'line-ends': z
      .enum(['any', 'none'])
      .default('any')
      .describe('none: records of line-length characters follow one another without line ends'),
    'skip-rows': z.int().min(0).default(0).describe('Lines to leave out at the top of the file'),
    'leave-out': z.array(leaveOutRule).default([]),
    columns: columns.optional().describe('Names of the columns and their positions'),
    'record-types': recordTypes.optional(),
    controls: z.array(control).default([]).describe('Totals in a trailer or preamble line that the file must keep'),
    'final-line-end': z
      .enum(['required', 'optional'])
      .default('required')
      .describe('A file that was cut often ends without a line end; optional if the ERP never writes one'),
  })
  .superRefine((options, context) => {
    for (const { problem, path } of findProblems(options)) addProblem(context, problem, path);
  });

/** The options after parsing, with all defaults. */
export type FixedOptions = z.output<typeof fixedOptions>;
/** A position in the line: `start` counts characters from 1. */
export type FieldSpan = z.output<typeof span>;
/** Column name to position, at least one. */
export type FixedColumns = z.output<typeof columns>;
/** One rule of `leave-out`: a test on the trimmed text at a position. */
export type LineRule = FixedOptions['leave-out'][number];

/** Number of its last character, from 1. */
export function fieldEnd({ start, length }: FieldSpan): number {
  return start + length - 1;
}

/** "position 5" or "positions 1 to 10", in the language of the reader of the message. */
export function spanMessage(span: FieldSpan): Message {
  const { start } = span;
  return span.length === 1 ? FIXED_WIDTH.position({ start }) : FIXED_WIDTH.positions({ start, end: fieldEnd(span) });
}

/** The same in English, for names of rules and columns that receipts keep. */
export function spanText(span: FieldSpan): string {
  return format(spanMessage(span), 'en');
}

type Parsed = {
  readonly 'line-length'?: number | undefined;
  readonly 'line-ends': string;
  readonly columns?: FixedColumns | undefined;
  readonly 'record-types'?: z.output<typeof recordTypes> | undefined;
};

function* findProblems(options: Parsed): Generator<ShapeProblem> {
  const { columns: own, 'record-types': types, 'line-length': length } = options;
  if (own && types) yield { path: ['columns'], problem: READER_OPTION.ownColumns() };
  if (!own && !types) yield { path: ['columns'], problem: READER_OPTION.givePositions() };
  if (options['line-ends'] === 'none' && length === undefined) {
    yield { path: ['line-length'], problem: READER_OPTION.needsLength() };
  }
  if (own) yield* findColumnsBeyond(own, length, ['columns']);
  if (own) yield* findOverlaps(own, ['columns']);
  if (types) yield* findRecordTypeProblems(types, options);
}

function* findRecordTypeProblems(types: z.output<typeof recordTypes>, options: Parsed): Generator<ShapeProblem> {
  const names = new Set<string>();
  const values = new Set<string>();
  const lists = Object.entries(types.lists ?? {});
  for (const [name, level] of lists) yield* findLevelProblems(level, ['record-types', 'lists', name], options, values);
  for (const [n, level] of types.levels.entries()) {
    const path = ['record-types', 'levels', n];
    yield* findLevelProblems(level, path, options, values);
    for (const name of Object.keys(level.columns)) {
      if (names.has(name)) yield { path, problem: READER_OPTION.nameTwice({ name }) };
      names.add(name);
    }
  }
  for (const [name] of lists) {
    if (names.has(name)) yield { path: ['record-types', 'lists', name], problem: READER_OPTION.nameOfColumn({ name }) };
  }
}

/** Checks one kind of record; `values` has the markers of the kinds before it and gets those of this one. */
function* findLevelProblems(
  level: z.output<typeof recordLevel>,
  path: (string | number)[],
  options: Parsed,
  values: Set<string>,
): Generator<ShapeProblem> {
  yield* findColumnsBeyond(level.columns, level['line-length'] ?? options['line-length'], [...path, 'columns']);
  yield* findOverlaps(level.columns, [...path, 'columns']);
  if (level['line-length'] !== undefined && options['line-ends'] === 'none') {
    yield { path: [...path, 'line-length'], problem: READER_OPTION.oneLength() };
  }
  for (const value of [level.value].flat()) {
    if (values.has(value)) yield { path, problem: READER_OPTION.valueTwice({ value }) };
    values.add(value);
  }
}

function* findColumnsBeyond(
  columns: FixedColumns,
  length: number | undefined,
  path: (string | number)[],
): Generator<ShapeProblem> {
  if (length === undefined) return;
  for (const [name, span] of Object.entries(columns)) {
    if (fieldEnd(span) > length) {
      const problem = READER_OPTION.beyondLine({ name, end: fieldEnd(span), length });
      yield { path: [...path, name], problem };
    }
  }
}

/** A character belongs to one column: if two columns share one, one of them is off. */
function* findOverlaps(columns: FixedColumns, path: (string | number)[]): Generator<ShapeProblem> {
  const inOrder = Object.entries(columns).sort(([, a], [, b]) => a.start - b.start || a.length - b.length);
  const [first, ...others] = inOrder;
  if (!first) return;
  let [other, reach] = first;
  for (const [name, span] of others) {
    if (span.start <= fieldEnd(reach)) {
      const problem = READER_OPTION.overlap({ name, span: spanMessage(span), other, reach: spanMessage(reach) });
      yield { path: [...path, name], problem };
    }
    if (fieldEnd(span) > fieldEnd(reach)) [other, reach] = [name, span];
  }
}
