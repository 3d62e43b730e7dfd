/**
 * The part of a mapping's `source` block that belongs to `format: xlsx`: a strict zod shape with defaults, with the words
 * of `format: csv` for the same things. Options that contradict each other are reported at their key.
 */
import { z } from 'zod';
import { addProblem } from '../../model/shape-issue.ts';
import { columnSetting, csvOptions, findCsvProblems } from '../csv/csv-options.ts';

const { shape } = csvOptions;

/** Options of the reader of workbooks. Their descriptions become the table in docs/reference/sources.md. */
export const xlsxOptions = z
  .strictObject({
    sheet: z.string().min(1).optional().describe('Name of the sheet; the first one that is not hidden by default'),
    'header-row': shape['header-row'].describe(
      'Row of the column names; the rows above are left out. The first row that is not empty, or none if column-names are given',
    ),
    'column-names': shape['column-names'].describe('Names of the columns of a sheet without a header row, from A on'),
    'skip-rows': shape['skip-rows'].describe('Rows to leave out at the top of a sheet without a header row'),
    'leave-out': shape['leave-out'],
    controls: shape.controls,
    'fill-down': shape['fill-down'],
    'ignored-columns': z
      .array(columnSetting)
      .default([])
      .describe('Columns that are not read: their cells come out empty, so that an error value in them does not count'),
  })
  .superRefine((options, context) => {
    const plain = { ...options, delimiter: ';', quote: 'none' };
    for (const { problem, path } of findCsvProblems(plain)) addProblem(context, problem, path);
  });

/** The options after parsing: each default is in place. */
export type XlsxOptions = z.output<typeof xlsxOptions>;
