/**
 * The part of a mapping's `source` block that belongs to `format: csv`: a strict zod shape with defaults, which reports
 * options that contradict each other at their key. A column is named by its header or by its number from 1; rows are
 * numbered from 1 as a spreadsheet does.
 */
import { z } from 'zod';
import { READER_OPTION } from '../../i18n/messages/readers-messages.ts';
import { addProblem, refusedWith, type ShapeProblem } from '../../model/shape-issue.ts';
import { encodingSetting } from '../encoding/read-text.ts';
import { listName } from '../list-name.ts';
import { checkControl, controlFields } from '../read-control-totals.ts';

/** A column by its header or by its number from 1. */
export const columnSetting = z.union([z.int().min(1), z.string().min(1)]);
const columnNames = z.array(z.string()).min(1);

const byText = [
  z.strictObject({ column: columnSetting, equals: z.string() }),
  z.strictObject({ column: columnSetting, 'starts-with': z.string().min(1) }),
  z.strictObject({ column: columnSetting, contains: z.string().min(1) }),
] as const;
const label = z
  .literal(true)
  .optional()
  .describe(
    'The text is a word such as TOTAL, not a value of its fill-down column and not the mark of a header: the document goes on below the row',
  );
const [byEquals, byStart, byPart] = byText;

const leaveOutRule = z
  .union([
    byEquals.extend({ label }),
    byStart.extend({ label }),
    byPart.extend({ label }),
    z.strictObject({ column: columnSetting, empty: z.literal(true), label }),
    z.strictObject({ blank: z.literal(true) }),
  ])
  .describe('Rows that hold no data: totals, trailers. They are counted and listed, never silently gone');

const control = z
  .strictObject({
    where: z.union(byText).describe('The preamble or trailer row; above the header row, columns are given by number'),
    value: columnSetting.describe('The column of the number'),
    ...controlFields,
  })
  .superRefine(checkControl);

const recordLevel = z.strictObject({
  value: z
    .union([z.string(), z.array(z.string()).min(1)])
    .describe('Text of the type column that marks this kind of record'),
  columns: columnNames.describe('Names of its cells from left to right; "" for a cell that is not used'),
});

const recordTypes = z.strictObject({
  column: z.int().min(1).default(1).describe('Number of the column with the type of a record'),
  levels: z.array(recordLevel).min(2).describe('From outer to inner: header, then line. Each line becomes one row'),
  'lines-optional': z.boolean().default(false).describe('A header without lines becomes a row with empty line cells'),
  lists: z
    .record(listName, recordLevel)
    .optional()
    .describe('Records next to the lines, such as the VAT per rate: `each: item of name` brings them up'),
});

/** Options of the CSV reader. Their descriptions become the table in docs/reference/sources.md. */
export const csvOptions = z
  .strictObject({
    encoding: encodingSetting,
    delimiter: z
      .union([z.literal('tab'), z.string().min(1).max(3)])
      .default(';')
      .transform((text) => (text === 'tab' ? '\t' : text))
      .refine((text) => !/["\r\n\0]/.test(text), refusedWith(READER_OPTION.notDelimiter())),
    quote: z
      .union([z.literal('none'), z.string().length(1)])
      .default('"')
      .describe('The character around cells that hold the delimiter, doubled inside them; none if there is none'),
    'header-row': z
      .union([z.literal('none'), z.int().min(1)])
      .optional()
      .describe('Row of the column names; the rows above are left out. 1, or none if column-names are given'),
    'column-names': columnNames.optional().describe('Names of the columns of a file without a header row'),
    'skip-rows': z.int().min(0).default(0).describe('Rows to leave out at the top of a file without a header row'),
    'leave-out': z.array(leaveOutRule).default([]),
    controls: z.array(control).default([]).describe('Totals in a trailer or preamble row that the file must keep'),
    'fill-down': z
      .array(columnSetting)
      .default([])
      .describe(
        'Columns that are written once, the document number first: an empty cell takes the value from above, until a column listed before it has a new value',
      ),
    'record-types': recordTypes.optional(),
    'final-line-end': z
      .enum(['required', 'optional'])
      .default('required')
      .describe('A file that was cut often ends without a line end; optional if the ERP never writes one'),
  })
  .superRefine((options, context) => {
    for (const { problem, path } of findCsvProblems(options)) addProblem(context, problem, path);
  });

/** The options after parsing: each default is in place, and `delimiter: tab` is the character. */
export type CsvOptions = z.output<typeof csvOptions>;
/** One rule of `leave-out`: a test on one cell, or on all of them. */
export type SkipRule = CsvOptions['leave-out'][number];
/** How records of different kinds are nested, for a file that has a type in each of its records. */
export type RecordTypes = NonNullable<CsvOptions['record-types']>;

type Control = { readonly where: { readonly column: number | string }; readonly value: number | string };

/** What the checks across options need of the parsed shape, which cannot refer to its own type. */
type Parsed = {
  readonly delimiter: string;
  readonly quote: string;
  readonly 'header-row'?: number | 'none' | undefined;
  readonly 'column-names'?: readonly string[] | undefined;
  readonly 'skip-rows': number;
  readonly 'leave-out': readonly (object & {
    readonly column?: number | string;
    readonly equals?: string;
    readonly empty?: boolean;
  })[];
  readonly controls: readonly Control[];
  readonly 'fill-down': readonly (number | string)[];
  readonly 'record-types'?: z.output<typeof recordTypes> | undefined;
};

/** Options of a table that contradict each other, with the key of each. */
export function* findCsvProblems(options: Parsed): Generator<ShapeProblem> {
  const { 'record-types': types, 'column-names': names, 'header-row': header } = options;
  if (options.quote !== 'none' && options.delimiter.includes(options.quote)) {
    yield { path: ['quote'], problem: READER_OPTION.quoteIsDelimiter() };
  }
  if ((types || names) && typeof header === 'number') {
    yield { path: ['header-row'], problem: READER_OPTION.noHeaderRow() };
  }
  if (types && names) yield { path: ['column-names'], problem: READER_OPTION.ownColumns() };
  if (!types && !names && header === 'none') {
    yield { path: ['column-names'], problem: READER_OPTION.needsNames() };
  }
  if (options['skip-rows'] > 0 && !types && !names) {
    yield { path: ['skip-rows'], problem: READER_OPTION.writeHeaderRow() };
  }
  yield* findRulesOfFilled(options);
  if (names) yield* findDuplicates(names, ['column-names']);
  if (types) yield* findRecordTypeProblems(types, options);
}

/** Such a rule would leave out each row that fill-down is for: a line of the document above it. */
function* findRulesOfFilled({ 'leave-out': rules, 'fill-down': filled }: Parsed): Generator<ShapeProblem> {
  for (const [n, { column, equals, empty }] of rules.entries()) {
    if (column === undefined || !filled.includes(column) || !(empty || equals === '')) continue;
    yield { path: ['leave-out', n], problem: READER_OPTION.emptyIsFilled({ column: String(column) }) };
  }
}

function* findRecordTypeProblems(types: RecordTypes, options: Parsed): Generator<ShapeProblem> {
  const path = ['record-types', 'levels'];
  const lists = Object.entries(types.lists ?? {});
  const values = [...types.levels, ...lists.map(([, list]) => list)].flatMap((level) => level.value);
  for (const value of repeatedTexts(values)) yield { path, problem: READER_OPTION.valueTwice({ value }) };
  for (const [name, { columns }] of lists) {
    yield* findDuplicates(columns, ['record-types', 'lists', name, 'columns']);
    if (types.levels.some((level) => level.columns.includes(name)))
      yield { path: ['record-types', 'lists', name], problem: READER_OPTION.nameOfColumn({ name }) };
  }
  // The type column may have one name everywhere; it then holds the type of the line.
  const names = types.levels.flatMap((level) => level.columns.filter((_, at) => at !== types.column - 1));
  yield* findDuplicates(
    [...names, ...new Set(types.levels.map((level) => level.columns[types.column - 1] ?? ''))],
    path,
  );
  if (options['fill-down'].length > 0) {
    yield { path: ['fill-down'], problem: READER_OPTION.alreadyRepeated() };
  }
  if (options['leave-out'].some((rule) => typeof rule.column === 'string')) {
    yield { path: ['leave-out'], problem: READER_OPTION.columnAsNumber() };
  }
  if (options.controls.some(({ where, value }) => typeof where.column === 'string' || typeof value === 'string')) {
    yield { path: ['controls'], problem: READER_OPTION.columnsAsNumbers() };
  }
}

function* findDuplicates(names: readonly string[], path: string[]): Generator<ShapeProblem> {
  for (const name of repeatedTexts(names.filter((each) => each !== ''))) {
    yield { path, problem: READER_OPTION.nameTwice({ name }) };
  }
}

function repeatedTexts(texts: readonly string[]): Set<string> {
  return new Set(texts.filter((text, at) => texts.indexOf(text) !== at));
}
