/** The top of a draft: what could not be decided, how the file is read, the types of the columns that are used. */

import { parse } from 'node:path';
import { type Message, format as worded } from '../../i18n/message.ts';
import { DRAFT_COMMENT, SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { describeMost } from '../analysis/column-profile.ts';
import type { ColumnRole } from '../analysis/column-roles.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { markName, type NumberMarks, type NumberProof } from '../analysis/number-evidence.ts';
import type { CsvSource, FixedSource, TableSource, XlsxSource, XmlSource } from '../sample/sample-source.ts';
import type { SampleSkipRule } from '../sample/sample-table.ts';
import { codesWithoutZero, holdsSirets } from './draft-parties.ts';
import { scalar, type YamlWriter } from './yaml-writer.ts';

const NUMBERS =
  /^(?:total|line(?:Net|Tax|Gross|Amount)|quantity|price|discount|vatRate|termDays|paymentAmount|noteTotal)/;
const DATES = ['date', 'due', 'originalDate', 'deliveryDate', 'paymentDate', 'invoiceDate', 'noteDate'];

/** Writes the comments above the mapping, with the questions in order, and its head: name, target, accepted files. */
export function writeTop(yaml: YamlWriter, analysis: DraftAnalysis): void {
  const rows = SAMPLE_COUNTS.rows({ count: analysis.table.rows.length });
  const documents = SAMPLE_COUNTS.documents({ count: analysis.grouping.groups.length });
  yaml.comment(0, DRAFT_COMMENT.made({ target: analysis.target.name, file: analysis.file, rows, documents }));
  const questions = analysis.notes.questions();
  yaml.comment(0, questions.length === 0 ? DRAFT_COMMENT.allDecided() : DRAFT_COMMENT.openQuestions());
  for (const [at, { says }] of questions.entries())
    yaml.comment(0, `${String(at + 1).padStart(2)}. ${worded(says, analysis.language)}`);
  yaml.put(0, `mapping: ${scalar(analysis.id)}`);
  yaml.put(0, 'version: 1');
  yaml.put(0, `target: ${analysis.target.name}`);
  const files = `files: ${JSON.stringify(namePattern(analysis.file))}`;
  yaml.put(0, `accepts: { ${[files, ...distinctiveColumns(analysis)].join(', ')} }`, DRAFT_COMMENT.fileName());
  yaml.blank();
}

/** Concepts whose columns distinguish this export from others, the best first. */
const DISTINCTIVE = [
  'number',
  'noteNumber',
  'paymentDate',
  'quantity',
  'paymentAmount',
  'description',
  'vatCode',
  'vatRate',
];

/** The entry `columns` of `accepts`, with at most three names; empty where the file has no names. */
function distinctiveColumns({ source, roles }: DraftAnalysis): readonly string[] {
  if (source.format === 'xml' || source.format === 'fixed' || source['column-names'] || source['record-types'])
    return [];
  const names = new Set(DISTINCTIVE.flatMap((concept) => roles.get(concept)?.column.name ?? []));
  if (names.size === 0) return [];
  return [`columns: [${[...names].slice(0, 3).map(scalar).join(', ')}]`];
}

/** FAC_0905.csv -> FAC_*.csv; a name without digits stays open after its stem. */
export function namePattern(file: string): string {
  const { name: stem, ext } = parse(file);
  const [, letters = stem, separator = ''] = /^(.*?[^\d\s._-][^\d]*?)([\s._-]?)[\s._-]*\d.*$/s.exec(stem) ?? [];
  return `${letters}${separator}*${ext}`;
}

/** Writes the block `source`: how the file is read, and the types of the columns in use. */
export function writeSource(yaml: YamlWriter, analysis: DraftAnalysis): void {
  const { notes, source } = analysis;
  yaml.put(0, 'source:');
  yaml.put(2, `format: ${source.format}`, notes.evidenceAt('source.format'));
  if (source.format !== 'xlsx') yaml.put(2, `encoding: ${source.encoding}`, notes.evidenceAt('source.encoding'));
  if (source.format === 'csv') writeCsv(yaml, source, analysis);
  else if (source.format === 'xlsx') writeXlsx(yaml, source, analysis);
  else if (source.format === 'fixed') writeFixed(yaml, source, analysis);
  else writeXml(yaml, source, analysis);
  yaml.put(2, `numbers: ${numberFormat(analysis.marks)}`, notes.evidenceAt('source.numbers'));
  if (analysis.dates !== undefined) yaml.put(2, `dates: ${scalar(analysis.dates)}`, notes.evidenceAt('source.dates'));
  const patterns = [analysis.dates, ...[...analysis.roles.values()].map(({ column }) => analysis.patternOf(column))];
  if (patterns.some((pattern) => pattern !== undefined && /(?<!y)yy(?!y)/.test(pattern)))
    yaml.put(2, 'two-digit-years-until: 69', DRAFT_COMMENT.twoDigitYears());
  writeTypes(yaml, analysis);
  yaml.blank();
}

/** The marks of numbers, as `numbers` of the source and the type of a column with marks of its own write them. */
function numberFormat({ decimal, thousands, sign }: NumberMarks): string {
  const entries = definedItems([
    `decimal: ${JSON.stringify(decimal)}`,
    thousands.length > 0 ? `thousands: [${thousands.map(markName).join(', ')}]` : undefined,
    sign && `currency-sign: ${JSON.stringify(sign)}`,
  ]);
  return `{ ${entries.join(', ')} }`;
}

function writeCsv(yaml: YamlWriter, source: CsvSource, analysis: DraftAnalysis): void {
  const { notes } = analysis;
  const delimiter = source.delimiter === '\t' ? 'tab' : JSON.stringify(source.delimiter);
  yaml.put(2, `delimiter: ${delimiter}`, notes.evidenceAt('source.delimiter'));
  if (source.quote !== '"') yaml.put(2, `quote: ${scalar(source.quote)}`, notes.evidenceAt('source.quote'));
  writeTable(yaml, source, analysis);
  writeFinalLineEnd(yaml, source, analysis);
}

function writeFinalLineEnd(yaml: YamlWriter, source: CsvSource | FixedSource, { notes }: DraftAnalysis): void {
  if (source['final-line-end'] === 'optional')
    yaml.put(2, 'final-line-end: optional', notes.evidenceAt('source.final-line-end'));
}

/** Record types, names of columns, or the row of the header. */
function writeXlsx(yaml: YamlWriter, source: XlsxSource, analysis: DraftAnalysis): void {
  const { notes } = analysis;
  if (source.sheet !== undefined) yaml.put(2, `sheet: ${scalar(source.sheet)}`, notes.evidenceAt('source.sheet'));
  writeTable(yaml, source, analysis);
}

function writeTable(yaml: YamlWriter, source: TableSource, analysis: DraftAnalysis): void {
  const { notes } = analysis;
  writeRecords(yaml, source, analysis);
  writeLeaveOut(yaml, source, analysis);
  writeControls(yaml, analysis);
  const { 'fill-down': fillDown = [] } = source;
  if (fillDown.length > 0)
    yaml.put(2, `fill-down: [${fillDown.map(scalar).join(', ')}]`, notes.evidenceAt('source.fill-down'));
}

function writeRecords(yaml: YamlWriter, source: TableSource, analysis: DraftAnalysis): void {
  const { notes } = analysis;
  const { 'record-types': types, 'column-names': names, 'skip-rows': above = 0 } = source;
  if (types) {
    yaml.put(2, 'record-types:', notes.evidenceAt('source.record-types'));
    yaml.put(4, `column: ${types.column}`);
    yaml.put(4, 'levels:');
    for (const { value, columns } of types.levels)
      yaml.put(6, `- { value: ${JSON.stringify(value)}, columns: [${columns.map(scalar).join(', ')}] }`);
    writeLists(yaml, analysis);
  } else if (names) {
    const top = above > 0 ? `skip-rows: ${above}` : 'header-row: none';
    yaml.put(2, top, notes.evidenceAt('source.header-row'));
    yaml.put(2, `column-names: [${names.map(scalar).join(', ')}]`);
  } else yaml.put(2, `header-row: ${source['header-row']}`, notes.evidenceAt('source.header-row'));
}

function writeLists(yaml: YamlWriter, { lists }: DraftAnalysis): void {
  if (lists.length === 0) return;
  yaml.put(4, 'lists:', DRAFT_COMMENT.lists());
  for (const { name, value, columns, says } of lists) {
    const cells = columns.map((column) => (column === '' ? '""' : scalar(column))).join(', ');
    yaml.put(6, `${name}: { value: ${JSON.stringify(value)}, columns: [${cells}] }`, says);
  }
}

function writeControls(yaml: YamlWriter, { controls }: DraftAnalysis): void {
  if (controls.length === 0) return;
  yaml.put(2, 'controls:', DRAFT_COMMENT.controls());
  for (const { rule, value, what, says } of controls) {
    const against =
      'count-of' in what
        ? `count-of: ${what['count-of']}`
        : `sum-of: ${scalar(what['sum-of'])}, once-per: ${what['once-per']}`;
    yaml.put(4, `- { where: ${skipRule(rule)}, value: ${cellOf(value)}, ${against} }`, says);
  }
}

/** A rule of `leave-out`, or the `where` of a control. */
function skipRule(rule: SampleSkipRule): string {
  const column = `column: ${cellOf(rule.column)}`;
  if ('equals' in rule) return `{ ${column}, equals: ${JSON.stringify(rule.equals)} }`;
  return `{ ${column}, starts-with: ${JSON.stringify(rule['starts-with'])} }`;
}

function cellOf(column: string | number): string {
  return typeof column === 'number' ? String(column) : scalar(column);
}

/** Without the rows whose totals are checked, and the records that a list takes. */
function writeLeaveOut(yaml: YamlWriter, source: TableSource, { notes, controls, lists }: DraftAnalysis): void {
  const evidence = notes.evidenceAt;
  const isTaken = (rule: TableSource['leave-out'][number]) =>
    controls.some((one) => one.rule === rule) || ('equals' in rule && lists.some(({ value }) => value === rule.equals));
  const leaveOut = source['leave-out'].filter((rule) => !isTaken(rule));
  if (leaveOut.length === 0) return;
  yaml.put(2, 'leave-out:', DRAFT_COMMENT.leaveOut());
  for (const rule of leaveOut) {
    if ('blank' in rule) yaml.put(4, '- { blank: true }', evidence('source.leave-out.blank'));
    else {
      const text = 'equals' in rule ? rule.equals : rule['starts-with'];
      yaml.put(4, `- ${skipRule(rule)}`, evidence(`source.leave-out.${text}`));
    }
  }
}

function writeXml(yaml: YamlWriter, source: XmlSource, { notes, roles, grouping }: DraftAnalysis): void {
  const namespaces = Object.entries(source.namespaces);
  if (namespaces.length > 0) yaml.put(2, 'namespaces:', DRAFT_COMMENT.namespaces());
  for (const [prefix, address] of namespaces) yaml.put(4, `${prefix}: ${JSON.stringify(address)}`);
  if (source.document !== undefined) yaml.put(2, `document: ${source.document}`, notes.evidenceAt('source.document'));
  yaml.put(2, `row: ${source.row}`, notes.evidenceAt('source.row'));
  yaml.put(2, 'columns:', DRAFT_COMMENT.paths());
  const used = new Set([...[...roles.values()].map(({ column }) => column.name), grouping.key?.name]);
  const paths = Object.entries(source.columns);
  for (const [name, path] of paths) if (used.has(name)) yaml.put(4, `${scalar(name)}: ${JSON.stringify(path)}`);
  const columns = paths.filter(([name]) => !used.has(name)).map(([name, path]) => `${name} (${path})`);
  if (columns.length > 0) yaml.comment(4, DRAFT_COMMENT.notUsed({ columns }));
}

/** All columns: text at a position that none of them has would be a warning. */
function writeFixed(yaml: YamlWriter, source: FixedSource, analysis: DraftAnalysis): void {
  const { evidenceAt } = analysis.notes;
  const { 'line-length': length, 'skip-rows': above, 'leave-out': leaveOut } = source;
  if (length !== undefined) yaml.put(2, `line-length: ${length}`, evidenceAt('source.line-length'));
  if (source['trailing-blanks'] === 'cut') yaml.put(2, 'trailing-blanks: cut', SOURCE_EVIDENCE.shorterLines());
  if (above > 0) yaml.put(2, `skip-rows: ${above}`, evidenceAt('source.header-row'));
  if (leaveOut.length > 0) yaml.put(2, 'leave-out:', DRAFT_COMMENT.leaveOut());
  for (const { at, 'starts-with': word } of leaveOut)
    yaml.put(4, `- { at: ${at}, starts-with: ${JSON.stringify(word)} }`);
  yaml.put(2, 'columns:', evidenceAt('source.columns'));
  for (const [name, at] of Object.entries(source.columns)) yaml.put(4, `${scalar(name)}: ${at}`);
  writeFinalLineEnd(yaml, source, analysis);
}

function writeTypes(yaml: YamlWriter, analysis: DraftAnalysis): void {
  const types = new Map<string, { readonly type: string; readonly says: readonly Message[] }>();
  for (const [concept, role] of analysis.roles) {
    const type = typeOf(concept, role, analysis);
    if (type !== undefined && !types.has(role.column.name))
      types.set(role.column.name, { type, says: typeEvidence(role, type) });
  }
  for (const { numbers, name } of analysis.lists)
    for (const field of numbers) types.set(`${name}.${field}`, { type: 'number', says: [] });
  for (const { what } of analysis.controls)
    if ('sum-of' in what && !types.has(what['sum-of']))
      types.set(what['sum-of'], { type: 'number', says: [SOURCE_EVIDENCE.forControl()] });
  if (types.size === 0) return;
  const { format } = analysis.source;
  yaml.put(2, format === 'xml' || format === 'fixed' ? 'types:' : 'columns:', DRAFT_COMMENT.columns());
  for (const [name, { type, says }] of types) yaml.put(4, `${scalar(name)}: ${type}`, says);
}

function typeOf(concept: string, { column, profile }: ColumnRole, analysis: DraftAnalysis): string | undefined {
  const pattern = analysis.patternOf(column);
  if (DATES.includes(concept) && pattern !== undefined) {
    const word = /H/.test(pattern) ? 'date-time' : 'date';
    return pattern === analysis.dates ? word : `{ ${word}: ${scalar(pattern)} }`;
  }
  const counted = NUMBERS.test(concept) || (concept === 'lineNo' && analysis.target.hasLineNumbers);
  if (counted && profile.number) return numberType(profile.number, analysis.decimalOf(column), analysis.marks);
  const form = /\.(siren|siret|vat)$/.exec(concept)?.[1];
  if (form === 'siren' && holdsSirets({ profile })) return undefined;
  if (form !== undefined) return `{ text: ${form} }`;
  if (!concept.endsWith('.zip')) return undefined;
  const country = analysis.roles.get(concept.replace(/zip$/, 'country'));
  return codesWithoutZero({ profile }, country).length > 0
    ? '{ text: 4-5 digits }'
    : digitsType([...profile.values.keys()]);
}

/** `number` where the column has the marks of the file, else with its own. */
function numberType({ sign, thousands }: NumberProof, decimal: NumberMarks['decimal'], marks: NumberMarks): string {
  if (decimal === marks.decimal && (sign === undefined || sign === marks.sign)) return 'number';
  const own = { decimal, thousands: [...thousands].filter((mark) => mark !== decimal), sign };
  return `{ number: ${numberFormat(own)} }`;
}

/** Postal codes of digits have one length, and would lose their zeros as numbers. */
function digitsType(values: readonly string[]): string | undefined {
  const [length, ...others] = new Set(values.map((value) => value.length));
  if (length === undefined || others.length > 0 || !values.every((value) => /^\d+$/.test(value))) return undefined;
  return `{ text: ${length} digits }`;
}

function typeEvidence({ profile }: ColumnRole, type: string): readonly Message[] {
  const { number, date, identifier, zeros, damaged, odd, filled } = profile;
  const most = odd.length > 0 ? [describeMost(profile)] : [];
  const hurt = damaged.slice(0, 1).map((cell) => SOURCE_EVIDENCE.spreadsheetCell(cell));
  if (date) return [date.says, ...most];
  if (type.includes('number') && number) return [...numberEvidence(number, filled), ...most, ...hurt];
  if (identifier) {
    return [SOURCE_EVIDENCE.checkDigits({ right: identifier.right, total: identifier.of }), ...hurt];
  }
  if (!zeros) return hurt;
  return [SOURCE_EVIDENCE.leadingZeros({ rows: zeros.rows, filled: SAMPLE_COUNTS.rows({ count: filled }) })];
}

function numberEvidence({ comma, point, unclear, cells }: NumberProof, filled: number): readonly Message[] {
  const rows = SAMPLE_COUNTS.rows({ count: filled });
  const isComma = comma.length >= point.length;
  const proofs = isComma ? comma : point;
  const [cell] = proofs;
  const [open] = unclear;
  if (cell === undefined) {
    return [
      open === undefined ? SOURCE_EVIDENCE.wholeNumbers({ rows }) : SOURCE_EVIDENCE.thousandsOrDecimals({ cell: open }),
    ];
  }
  const decimals = isComma ? SOURCE_EVIDENCE.decimalComma : SOURCE_EVIDENCE.decimalPoint;
  const whole = cells - comma.length - point.length - unclear.length;
  return definedItems([
    decimals({ cell, count: proofs.length, rows }),
    whole > 0 ? SOURCE_EVIDENCE.someWhole({ count: whole }) : undefined,
    open === undefined ? undefined : SOURCE_EVIDENCE.readAlike({ count: unclear.length, cell: open }),
  ]);
}
