/**
 * The block `answers` of a draft: what the ERP gets back, in the delimiter, encoding and date pattern of its own export. The
 * analysis of the sample comes in, YAML lines go out. The names of the columns are the first thing that a person changes.
 */
import { parse } from 'node:path';
import { DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { textPage } from '../../readers/encoding/encoder.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import type { SampleColumn } from '../sample/sample-table.ts';
import { columnReference, formula, scalar, value, type YamlWriter } from './yaml-writer.ts';

/** Forms of answer files. */
export const ANSWER_FORMS = ['csv', 'xml', 'fixed'] as const;
export type AnswerForm = (typeof ANSWER_FORMS)[number];

const TABLE = 'answer-states';
/** The letters of the shipped table (mappings/tables/answer-states.yaml). */
const LETTERS = {
  A: ['authorized'],
  R: ['invalid', 'conflict', 'rejected', 'refused', 'returned', 'failed'],
  X: ['invalidated'],
  W: ['held', 'ready', 'contingency'],
  D: ['in-doubt'],
} as const;
const ENDING = { csv: '.csv', xml: '.xml', fixed: '.txt' } as const;
const ISO = 'yyyy-MM-dd';
const COMPACT = 'yyyyMMdd';
/** Patterns that the function TEXT writes as an export has them. */
const PATTERN = /^(?:dd?|MM?|yyyy|yy|HH?|mm|ss|[/.\-: ])+$/;
const ELEMENT = /^[\p{L}_][\p{L}\p{N}._-]*$/u;
const WIDTHS = { state: 1, code: 3, tracking: 36, message: 80 } as const;

/** The text of the draft with the table of letters among its tables, and the block at its end. */
export function withAnswers(body: string, analysis: DraftAnalysis, form: AnswerForm, yaml: YamlWriter): string {
  writeBlock(yaml, analysis, form);
  const letters = Object.entries(LETTERS).flatMap(([letter, states]) => states.map((state) => `${state}: ${letter}`));
  const table = `  ${TABLE}: { ${letters.join(', ')} }\n`;
  const head = /^tables:.*\n/m;
  const tabled = head.test(body) ? body.replace(head, (line) => line + table) : `tables:\n${table}\n${body}`;
  return `${tabled.trimEnd()}\n\n${yaml.text()}`;
}

function writeBlock(yaml: YamlWriter, analysis: DraftAnalysis, form: AnswerForm): void {
  const { file, source } = analysis;
  const ending = form === source.format ? parse(file).ext || ENDING[form] : ENDING[form];
  yaml.comment(0, DRAFT_COMMENT.answers());
  yaml.put(0, 'answers:');
  yaml.put(2, `- file: ${JSON.stringify(`RET_{file.stem}_{n:6}${ending}`)}`, DRAFT_COMMENT.answersName());
  yaml.put(4, `format: { ${form}: { ${formOptions(analysis, form).join(', ')} } }`);
  yaml.put(4, 'row:', DRAFT_COMMENT.answersRow());
  for (const [name, text, layout] of fields(analysis, form)) {
    yaml.put(6, `${scalar(name)}: ${form === 'fixed' ? `{ value: ${text}, ${layout} }` : text}`);
  }
}

/** Where the encoding of the export can be written; a workbook has none. */
function formOptions({ source }: DraftAnalysis, form: AnswerForm): readonly string[] {
  const encoding = source.format === 'xlsx' ? 'utf-8' : source.encoding;
  const own = form === 'xml' || textPage(encoding) === undefined ? 'utf-8' : encoding;
  const isUnicode = own.startsWith('utf-');
  const csv = source.format === 'csv' ? source : undefined;
  return definedItems([
    `encoding: ${own}`,
    form === 'csv' ? `delimiter: ${delimiterText(csv?.delimiter ?? ';')}` : undefined,
    form === 'csv' && csv && csv['column-names'] ? 'header: no' : undefined,
    isUnicode ? undefined : 'replace: "?"',
  ]);
}

function delimiterText(delimiter: string): string {
  if (delimiter === '\t') return 'tab';
  return JSON.stringify(/^[^"\r\n]$/.test(delimiter) ? delimiter : ';');
}

type Field = readonly [name: string, text: string, layout: string];

/** The columns that identify the document in the export, then what became of it. */
function fields(analysis: DraftAnalysis, form: AnswerForm): readonly Field[] {
  const { roles, target, grouping, dates } = analysis;
  const number = grouping.key ?? (target.rows === 'payments' ? undefined : roles.get(target.number)?.column);
  const company = roles.get('company')?.column;
  const keys = [...new Set(definedItems([company, number]))].map((column): Field => {
    const name = form !== 'xml' || ELEMENT.test(column.name) ? column.name : elementName(column);
    return [name, value(columnReference(column.name)), `width: ${widthOf(column)}`];
  });
  const own: Field = ['NUMBER', '"@document.identifier"', 'width: 20'];
  const pattern = form === 'fixed' ? COMPACT : likeExport(dates);
  const { state, code, tracking, message } = WIDTHS;
  const answer: readonly Field[] = [
    ['STATUS', `{ from: "@answer.state", table: ${TABLE} }`, `width: ${state}`],
    ['CODE', '"@answer.code"', `width: ${code}, align: right, fill: "0"`],
    ['TRACKING', '"@answer.tracking-id"', `width: ${tracking}`],
    ['DATE', formula(`TEXT(@answer.at, "${pattern}")`), `width: ${pattern.length}`],
    ['MESSAGE', formula(`LEFT(@answer.message, ${message})`), `width: ${message}`],
  ];
  const taken = new Set<string>();
  return [...(keys.length > 0 ? keys : [own]), ...answer].map(([name, ...more]): Field => {
    let free = name;
    while (taken.has(free)) free += '_';
    taken.add(free);
    return [free, ...more];
  });
}

function likeExport(dates: string | undefined): string {
  return dates !== undefined && PATTERN.test(dates) ? dates : ISO;
}

function elementName({ name }: SampleColumn): string {
  const made = name.replace(/[^\p{L}\p{N}._-]+/gu, '_');
  return ELEMENT.test(made) ? made : `_${made}`;
}

/** Room for longer values than the sample has: a value that is wider than its field would be left empty. */
function widthOf({ cells }: SampleColumn): number {
  const longest = cells.reduce((most, cell) => Math.max(most, [...cell.trim()].length), 1);
  return Math.min(1000, Math.ceil((longest * 1.5) / 5) * 5);
}
