/**
 * The answer of a document and its rows in; the lines of an answer file out, as text in the format of the mapping. A
 * value that cannot be made, or does not fit, leaves its field empty and is counted: the ERP still gets its answer.
 */
import type { Row, Table } from '../../model/row.ts';
import { positionsOf } from '../expressions/columns.ts';
import { type EvaluatedRow, startRun, valueText } from '../runtime/composition.ts';
import { FAILED, type Facts, type RunProblem } from '../runtime/value.ts';
import { csvLine, fixedLine, xmlElement, xmlEnd, xmlStart } from './answer-formats.ts';
import type { AnswerRun, AnswerScope } from './answer-scope.ts';
import type { AnswerField, CompiledAnswers } from './compiled-answers.ts';

/** Why a field is not as the mapping means it; `says` is for an author. */
export type AnswerProblem = {
  readonly why: 'no-value' | 'too-wide' | 'letter';
  readonly field: string;
  readonly text?: string;
  readonly code?: string;
};

/** Writes one answer file, in order: `begin`, each document, `end`. */
export type AnswersComposer = {
  readonly begin: (scope: AnswerScope) => string;
  /**
   * `rows`: those of the document as the export has them, under the table that the reader gave. `isPart`: it has others,
   * so that a value of all of them is not known, and its field stays empty.
   */
  readonly document: (scope: AnswerScope, table: Table, rows: readonly Row[], isPart?: boolean) => string;
  readonly end: (scope: AnswerScope) => string;
};

const NO_TABLE: Table = { file: '', columns: [] };

/**
 * `today`: the day of the file. The export that formulas ask for is that of the line: a file may have lines of several.
 * The foot has that of the last line.
 * `problem` is called for each field that stays empty or loses a character.
 */
export function composeAnswers(
  block: CompiledAnswers,
  today: string,
  problem: (one: AnswerProblem) => void,
): AnswersComposer {
  const { csv, xml, fixed } = block.format;
  const line = (fields: readonly AnswerField[], values: readonly string[], element: string) => {
    if (csv) return csvLine(values, csv) + block.lineEnd;
    if (xml) return xmlElement(element, fields, values, block.lineEnd);
    return fixedLine(fields, values, fixed?.width) + block.lineEnd;
  };
  let facts: Facts = { today, file: { name: '', base64: () => '' } };
  const factsOf = ({ file }: AnswerScope) => {
    if (file && file.name !== facts.file.name) facts = { today, file: { ...facts.file, name: file.name } };
    return facts;
  };
  let known: { readonly columns: Table['columns']; readonly positions: readonly number[] } | undefined;
  const part = (fields: readonly AnswerField[], run: AnswerRun, element: string) =>
    line(fields, valuesOf(block, fields, run, problem), element);
  const alone = (fields: readonly AnswerField[], scope: AnswerScope, element: string) =>
    fields.length === 0 ? '' : part(fields, runOf(NO_TABLE, [], [], factsOf(scope), scope, problem), element);
  return {
    begin: (scope) => {
      const names = csv?.header
        ? csvLine(
            block.row.map(({ name }) => name),
            csv,
          ) + block.lineEnd
        : '';
      return (xml ? xmlStart(xml, block.lineEnd) : '') + alone(block.head, scope, 'head') + names;
    },
    document: (scope, table, rows, isPart = false) => {
      if (known?.columns !== table.columns) {
        known = { columns: table.columns, positions: positionsOf(block.columns.slots, table) };
      }
      const run = runOf(table, known.positions, rows, factsOf(scope), scope, problem);
      const { all } = run;
      if (isPart) watchRows(run);
      const element = xml?.element ?? '';
      if (block.each === 'document') {
        run.isOfAll = true;
        return part(block.row, run, element);
      }
      const each = all.map((row) => {
        run.row = row;
        return part(block.row, run, element);
      });
      return each.join('');
    },
    end: (scope) => alone(block.foot, scope, 'foot') + (xml ? xmlEnd(xml, block.lineEnd) : ''),
  };
}

function runOf(
  table: Table,
  positions: readonly number[],
  rows: readonly Row[],
  facts: Facts,
  scope: AnswerScope,
  problem: (one: AnswerProblem) => void,
): AnswerRun {
  // Assigned one by one: `Object.assign` costs a tenth of the line.
  const run = startRun(table, positions, rows, facts) as { -readonly [key in keyof AnswerRun]: AnswerRun[key] };
  run.scope = scope;
  run.row = run.all[0];
  run.report = ({ code }: RunProblem) => {
    run.failed = true;
    problem({ why: 'no-value', field: '', code });
  };
  return run;
}

/** Notes whether a value looks at the rows of the document, and not at its own row alone. */
function watchRows(run: { -readonly [key in keyof AnswerRun]: AnswerRun[key] }): void {
  const get = (rows: AnswerRun['all'], key: string | symbol): unknown => {
    run.lacksRows = true;
    return Reflect.get(rows, key);
  };
  run.all = new Proxy(run.all, { get });
  run.rows = run.all;
  run.isPart = true;
}

function valuesOf(
  block: CompiledAnswers,
  fields: readonly AnswerField[],
  run: AnswerRun,
  problem: (one: AnswerProblem) => void,
): readonly string[] {
  return fields.map((field) => {
    const value = textOfField(field, run);
    if (value === undefined) {
      problem({ why: 'no-value', field: field.name });
      return '';
    }
    return fitted(block, field, value, problem);
  });
}

/** A column alone is the cell as the export has it, whatever its type; undefined where no value can be made. */
function textOfField({ form }: AnswerField, run: AnswerRun): string | undefined {
  const { direct } = form;
  const row = run.row as EvaluatedRow | undefined;
  if (direct && !direct.calculated && direct.list === undefined) {
    const at = run.positions[direct.index] ?? -1;
    return row === undefined || at < 0 ? undefined : (row.cells[at] ?? '').trim();
  }
  // A column that goes over the rows keeps its value, so that a second field would not look at them.
  if (run.isPart && form.overRows !== undefined) return undefined;
  run.lacksRows = false;
  const value = form.read(run);
  return value === FAILED || run.lacksRows ? undefined : valueText(value);
}

/** With the characters of the encoding alone, and within its width. */
function fitted(
  { page, replace, format }: CompiledAnswers,
  { name, width, cut }: AnswerField,
  given: string,
  problem: (one: AnswerProblem) => void,
): string {
  let text = given;
  if (!page.holds(text)) {
    if (replace === undefined) problem({ why: 'letter', field: name, text });
    text = page.fit(text, replace ?? '?');
  }
  if (format.fixed) text = text.replace(/\p{Cc}+/gu, ' ');
  if (width === undefined || text.length <= width) return text;
  const signs = [...text];
  if (signs.length <= width) return text;
  if (cut) return signs.slice(0, width).join('');
  problem({ why: 'too-wide', field: name, text });
  return '';
}
