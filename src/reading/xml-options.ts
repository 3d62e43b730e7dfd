/**
 * The part of a mapping's `source` block that belongs to `format: xml`.
 *
 * Paths: `a/b`, `@x`, `../a`, `../../@x`, `a[@type='1']/b`, `a[type='1']/b`, `.` for the row element's own text,
 * `/Root/Header/a`. A filter looks at an attribute, or without its @ at a child element, as segments of an IDoc need it.
 * A step without prefix matches elements in no namespace, or in the one declared as `default`.
 */
import { z } from 'zod';
import { checkControl, controlFields } from './controls.ts';
import { encodingSetting } from './text.ts';
import { compilePaths, PathProblem } from './xml-paths.ts';

const control = z
  .strictObject({ value: z.string().describe('Path from the root of the element or attribute'), ...controlFields })
  .superRefine(checkControl);

/** Options of the XML reader; strict, with defaults. */
export const xmlOptions = z
  .strictObject({
    encoding: encodingSetting,
    namespaces: z
      .record(z.string().regex(/^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u), z.string().min(1))
      .default({})
      .describe('Prefixes used in the paths below; `default` is meant by names without prefix'),
    document: z.string().optional().describe('Path of the element that holds one document; its rows come out together'),
    row: z.string().describe('Path of the repeated element that makes a row; absolute, or relative to document'),
    columns: z.record(z.string().min(1), z.string()).describe('Names of the columns and the paths of their values'),
    controls: z
      .array(control)
      .default([])
      .describe('Totals that stand beside the documents and that the file must keep'),
    'rows-optional': z
      .boolean()
      .default(false)
      .describe('A document element without any row becomes one row with empty cells, instead of a fault'),
  })
  .superRefine((options, context) => {
    try {
      compilePaths(options);
    } catch (problem) {
      if (!(problem instanceof PathProblem)) throw problem;
      context.addIssue({ code: 'custom', path: [...problem.path], message: problem.message });
    }
  });
