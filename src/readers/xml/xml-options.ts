/**
 * The part of a mapping's `source` block that belongs to `format: xml`; a path that cannot be used is an issue at its
 * key. Paths: `a/b`, `@x`, `../a`, `../../@x`, `a[@type='1']/b`, `a[type='1']/b`, `.` for the row element's own text,
 * `/Root/Header/a`. A filter looks at an attribute, or without @ at a child element, as segments of an IDoc need it. A
 * step without prefix matches elements in no namespace, or in the one declared as `default`.
 */

import { z } from 'zod';
import { XML_PATH_PROBLEM } from '../../i18n/messages/readers-messages.ts';
import { addProblem, expecting } from '../../model/shape-issue.ts';
import { encodingSetting } from '../encoding/read-text.ts';
import { listName } from '../list-name.ts';
import { checkControl, controlFields } from '../read-control-totals.ts';
import { compileCurrency } from './xml-currency.ts';
import { PathProblem } from './xml-path-problem.ts';
import { compilePaths, type XmlPaths } from './xml-paths.ts';
import { compileRecords, type Records } from './xml-record-kinds.ts';
import { compileUnmapped } from './xml-unmapped-elements.ts';

const control = z
  .strictObject({ value: z.string().describe('Path from the root of the element or attribute'), ...controlFields })
  .superRefine(checkControl);

const oneOrMore = z.union([z.string(), z.array(z.string()).min(1)]);
const columnPaths = z
  .record(z.string().min(1), oneOrMore)
  .describe('Names of the columns and the paths of their values');

const lists = z
  .record(
    listName,
    z.strictObject({
      each: oneOrMore.describe('Path of the repeated element, inside the row or around it'),
      columns: columnPaths.describe('What each item holds, by paths below its element'),
    }),
  )
  .optional()
  .describe('Repeated elements that make no rows: `each: item of name` brings them up');

const plainPaths = z.array(z.string()).default([]);

const record = z.strictObject({
  name: z.string().min(1).describe('What the record-column says on its rows'),
  document: z.string().describe('Path of the element that holds one document of this kind'),
  row: z
    .string()
    .optional()
    .describe('Path of its repeated element, relative to document; the document itself if absent'),
  columns: columnPaths,
  lists,
});

/** Options of the XML reader. Their descriptions become the table in docs/reference/sources.md. */
export const xmlOptions = z
  .strictObject({
    encoding: encodingSetting,
    namespaces: z
      .record(
        z.string().regex(/^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u, expecting(XML_PATH_PROBLEM.namespacePrefix())),
        z.string().min(1),
      )
      .default({})
      .describe('Prefixes used in the paths below; `default` is meant by names without prefix'),
    document: z.string().optional().describe('Path of the element that holds one document; its rows come out together'),
    row: z
      .string()
      .optional()
      .describe('Path of the repeated element that makes a row; absolute, or relative to document'),
    columns: columnPaths.optional(),
    lists,
    records: z.array(record).optional().describe('Several kinds of documents in one file, instead of row and columns'),
    'record-column': z.string().min(1).default('Record').describe('The column that holds the name of the record'),
    controls: z.array(control).default([]).describe('Totals next to the documents that the file must agree with'),
    'rows-optional': z
      .boolean()
      .default(false)
      .describe('A document element without any row becomes one row with empty cells, instead of a fault'),
    'paths-optional': z
      .boolean()
      .default(false)
      .describe(
        'A path that matches nothing in a whole file is not a warning: most elements of the format are optional',
      ),
    unmapped: z
      .enum(['warn', 'refuse', 'ignore'])
      .default('ignore')
      .describe(
        'Elements of a document that hold something and that no path reads: a warning of it, a fault, or nothing',
      ),
    currency: z
      .strictObject({
        attribute: z.string().min(1).describe('Name of the attribute, such as currencyID'),
        column: z.string().min(1).describe('The column with the currency of the document'),
      })
      .optional()
      .describe('Amounts that name their own currency: a document is refused in which one differs from the column'),
    'ignored-paths': plainPaths.describe('Elements that unmapped does not speak of, with all that is in them'),
    'refused-paths': plainPaths.describe('Elements that no document may be made without, whatever unmapped says'),
  })
  .superRefine((options, context) => {
    try {
      compileXmlSource(options);
    } catch (problem) {
      if (!(problem instanceof PathProblem)) throw problem;
      addProblem(context, problem.problem, problem.path);
    }
  });

type XmlOptions = z.output<typeof xmlOptions>;

/**
 * The compiled paths of one kind of rows, or of several (`records`). Throws PathProblem with the key of the first
 * option that cannot be used.
 */
export function compileXmlSource(options: Omit<XmlOptions, 'encoding' | 'rows-optional'>): XmlPaths | Records {
  const { records, row, columns, document, lists: own } = options;
  if (records) {
    const alone = Object.entries({ row, columns, document, lists: own }).find(([, value]) => value !== undefined);
    if (alone) throw new PathProblem([alone[0]], XML_PATH_PROBLEM.inEachRecord());
    if (records.length === 0) throw new PathProblem(['records'], XML_PATH_PROBLEM.noRecord());
    return compileRecords(records, options);
  }
  if (row === undefined) throw new PathProblem(['row'], XML_PATH_PROBLEM.rowMissing());
  if (columns === undefined) throw new PathProblem(['columns'], XML_PATH_PROBLEM.columnsMissing());
  const written = { ...options, row, columns };
  const paths = compilePaths(written);
  const currency = options.currency && compileCurrency(paths, options.currency);
  if (options.currency && !currency) {
    throw new PathProblem(['currency', 'column'], XML_PATH_PROBLEM.noColumn({ name: options.currency.column }));
  }
  return { ...paths, unmapped: compileUnmapped(written), currency };
}
