/** The top of a draft: what could not be decided, how the file is read, the types of the columns that are used. */

import { inMostRows } from '../analysis/column-profile.ts';
import type { ColumnRole } from '../analysis/column-roles.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { markName } from '../analysis/number-evidence.ts';
import { count } from '../findings/draft-findings.ts';
import type { CsvSource } from '../sample/csv-sample.ts';
import type { XmlSource } from '../sample/xml-sample.ts';
import { isMixed } from './draft-parties.ts';
import { type Page, scalar } from './yaml-writer.ts';

const NUMBERS =
  /^(?:total|line(?:Net|Tax|Gross|Amount)|quantity|price|discount|vatRate|termDays|paymentAmount|noteTotal)/;
const DATES = ['date', 'due', 'originalDate', 'deliveryDate', 'paymentDate', 'invoiceDate', 'noteDate'];

export function writeTop(page: Page, u: DraftAnalysis): void {
  const rows = `${count(u.table.rows.length, 'row')}, ${count(u.grouping.groups.length, 'document')}`;
  page.comment(
    0,
    `Draft for ${u.target}, made from ${u.file} (${rows}). Comments say what in the sample a line stands on.`,
  );
  const questions = u.notes.questions();
  page.comment(
    0,
    questions.length === 0
      ? 'Everything could be decided from the sample.'
      : 'Could not be decided from the sample, most important first:',
  );
  for (const [at, { says }] of questions.entries()) page.comment(0, `${String(at + 1).padStart(2)}. ${says}`);
  page.put(0, `mapping: ${u.id}`);
  page.put(0, 'version: 1');
  page.put(0, `target: ${u.target}`);
  const distinctive = [
    'number',
    'noteNumber',
    'paymentDate',
    'quantity',
    'paymentAmount',
    'description',
    'vatCode',
    'vatRate',
  ].flatMap((concept) => u.roles.get(concept)?.column ?? []);
  const known =
    u.source.format === 'csv' && u.source.headerRow !== 'none'
      ? [...new Set(distinctive.map(({ name }) => name))].slice(0, 3)
      : [];
  const columns = known.length > 0 ? `, columns: [${known.map(scalar).join(', ')}]` : '';
  page.put(
    0,
    `accepts: { files: ${JSON.stringify(namePattern(u.file))}${columns} }`,
    'the name of the sample, digits left open',
  );
  page.blank();
}

/** FAC_0905.csv -> FAC_*.csv; a name without digits stays open behind its stem. */
export function namePattern(file: string): string {
  const dot = file.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [file.slice(0, dot), file.slice(dot)] : [file, ''];
  const letters = /^(.*?[^\d\s._-][^\d]*?)[\s._-]*\d.*$/s.exec(stem)?.[1];
  const separator = letters === undefined ? '' : (/^[\s._-]/.exec(stem.slice(letters.length))?.[0] ?? '');
  return `${letters ?? stem}${separator}*${extension}`;
}

export function writeSource(page: Page, u: DraftAnalysis): void {
  const { notes, source } = u;
  page.put(0, 'source:');
  page.put(2, `format: ${source.format}`, notes.of('source.format'));
  page.put(2, `encoding: ${u.encoding}`, notes.of('source.encoding'));
  if (source.format === 'csv') writeCsv(page, source, u);
  else writeXml(page, source, u);
  const thousands = u.marks.thousands.length > 0 ? `, thousands: [${u.marks.thousands.map(markName).join(', ')}]` : '';
  const sign = u.marks.sign === undefined ? '' : `, currency-sign: ${JSON.stringify(u.marks.sign)}`;
  page.put(
    2,
    `numbers: { decimal: ${JSON.stringify(u.marks.decimal)}${thousands}${sign} }`,
    notes.of('source.numbers'),
  );
  if (u.dates !== undefined) page.put(2, `dates: ${scalar(u.dates)}`, notes.of('source.dates'));
  const patterns = [u.dates, ...[...u.roles.values()].map(({ column }) => u.patternOf(column))];
  if (patterns.some((pattern) => pattern !== undefined && /(?<!y)yy(?!y)/.test(pattern)))
    page.put(2, 'two-digit-years-until: 69', 'years 70 to 99 belong to the century before');
  writeTypes(page, u);
  page.blank();
}

function writeCsv(page: Page, source: CsvSource, u: DraftAnalysis): void {
  const { notes, table } = u;
  page.put(
    2,
    `delimiter: ${source.delimiter === '\t' ? 'tab' : JSON.stringify(source.delimiter)}`,
    notes.of('source.delimiter'),
  );
  if (source.quote !== '"')
    page.put(2, `quote: ${source.quote === 'none' ? 'none' : JSON.stringify(source.quote)}`, notes.of('source.quote'));
  if (source.recordTypes.length > 0) {
    page.put(2, 'record-types:', notes.of('source.record-types'));
    page.put(4, 'column: 1');
    page.put(4, 'levels:');
    for (const { value, columns } of source.recordTypes)
      page.put(6, `- { value: ${JSON.stringify(value)}, columns: [${columns.map(scalar).join(', ')}] }`);
    writeLists(page, u);
  } else if (source.headerRow === 'none') {
    if (source.skipRows > 0) page.put(2, `skip-rows: ${source.skipRows}`, notes.of('source.header-row'));
    else page.put(2, 'header-row: none', notes.of('source.header-row'));
    page.put(2, `column-names: [${table.columns.map(({ name }) => scalar(name)).join(', ')}]`);
  } else page.put(2, `header-row: ${source.headerRow}`, notes.of('source.header-row'));
  writeLeaveOut(page, source, u);
  writeControls(page, u);
  if (source.fillDown.length > 0)
    page.put(2, `fill-down: [${source.fillDown.map(scalar).join(', ')}]`, notes.of('source.fill-down'));
  if (!source.finalLineEnd) page.put(2, 'final-line-end: optional', notes.of('source.final-line-end'));
}

function writeLists(page: Page, { lists }: DraftAnalysis): void {
  if (lists.length === 0) return;
  page.put(4, 'lists:', 'records next to the lines: the checks compare them with their document');
  for (const { name, value, columns, says } of lists) {
    const cells = columns.map((column) => (column === '' ? '""' : scalar(column))).join(', ');
    page.put(6, `${name}: { value: ${JSON.stringify(value)}, columns: [${cells}] }`, says);
  }
}

function writeControls(page: Page, { controls }: DraftAnalysis): void {
  if (controls.length === 0) return;
  page.put(2, 'controls:', 'a file that does not agree with them is held whole');
  for (const { rule, value, what, says } of controls) {
    const where = `{ column: ${cellOf(rule.column)}, ${'equals' in rule ? `equals: ${JSON.stringify(rule.equals)}` : `starts-with: ${JSON.stringify(rule['starts-with'])}`} }`;
    const against =
      'count-of' in what
        ? `count-of: ${what['count-of']}`
        : `sum-of: ${scalar(what['sum-of'])}, once-per: ${what['once-per']}`;
    page.put(4, `- { where: ${where}, value: ${cellOf(value)}, ${against} }`, says);
  }
}

function cellOf(column: string | number): string {
  return typeof column === 'number' ? String(column) : scalar(column);
}

function writeLeaveOut(page: Page, source: CsvSource, { notes, controls, strayRecords }: DraftAnalysis): void {
  const evidence = notes.of;
  const stray = strayRecords.map((value) => ({ column: 1, equals: value }));
  const leaveOut = [...source.leaveOut, ...stray].filter((rule) => !controls.some((one) => one.rule === rule));
  if (leaveOut.length === 0) return;
  page.put(2, 'leave-out:', 'rows without data: counted and listed, never silently gone');
  for (const rule of leaveOut) {
    if ('blank' in rule) page.put(4, '- { blank: true }', evidence('source.leave-out.blank'));
    else if ('equals' in rule)
      page.put(
        4,
        `- { column: ${rule.column}, equals: ${JSON.stringify(rule.equals)} }`,
        evidence(`source.leave-out.${rule.equals}`),
      );
    else
      page.put(
        4,
        `- { column: ${cellOf(rule.column)}, starts-with: ${JSON.stringify(rule['starts-with'])} }`,
        evidence(`source.leave-out.${rule['starts-with']}`),
      );
  }
}

function writeXml(page: Page, source: XmlSource, { notes, roles, grouping }: DraftAnalysis): void {
  if (source.namespaces.size > 0) {
    page.put(2, 'namespaces:', 'the addresses count, not the prefixes');
    for (const [prefix, address] of source.namespaces) page.put(4, `${prefix}: ${JSON.stringify(address)}`);
  }
  if (source.document !== undefined) page.put(2, `document: ${source.document}`, notes.of('source.document'));
  page.put(2, `row: ${source.row}`, notes.of('source.row'));
  page.put(2, 'columns:', 'where each value stands, seen from the row');
  const used = new Set([...[...roles.values()].map(({ column }) => column.name), grouping.key?.name]);
  for (const [name, path] of source.paths) if (used.has(name)) page.put(4, `${scalar(name)}: ${JSON.stringify(path)}`);
  const unused = [...source.paths].filter(([name]) => !used.has(name));
  if (unused.length > 0) page.comment(4, `not used: ${unused.map(([name, path]) => `${name} (${path})`).join(', ')}`);
}

function writeTypes(page: Page, u: DraftAnalysis): void {
  const types = new Map<string, { readonly type: string; readonly says: string | undefined }>();
  for (const [concept, role] of u.roles) {
    const type = typeOf(concept, role, u);
    if (type !== undefined && !types.has(role.column.name))
      types.set(role.column.name, { type, says: typeEvidence(role, type) });
  }
  for (const { numbers, name } of u.lists)
    for (const field of numbers) types.set(`${name}.${field}`, { type: 'number', says: undefined });
  for (const { what } of u.controls)
    if ('sum-of' in what && !types.has(what['sum-of']))
      types.set(what['sum-of'], { type: 'number', says: 'for the control total' });
  if (types.size === 0) return;
  page.put(
    2,
    u.source.format === 'csv' ? 'columns:' : 'types:',
    'a column that is not listed is text and stays as it is, zeros included',
  );
  for (const [name, { type, says }] of types) page.put(4, `${scalar(name)}: ${type}`, says);
}

function typeOf(concept: string, { column, profile }: ColumnRole, u: DraftAnalysis): string | undefined {
  const pattern = u.patternOf(column);
  if (DATES.includes(concept) && pattern !== undefined) {
    const word = /H/.test(pattern) ? 'date-time' : 'date';
    return pattern === u.dates ? word : `{ ${word}: ${scalar(pattern)} }`;
  }
  const counted = NUMBERS.test(concept) || (concept === 'lineNo' && u.target === 'sv-remission-note');
  if (counted && profile.number) {
    const { sign, thousands } = profile.number;
    const isUsual = u.decimalOf(column) === u.marks.decimal && (sign === undefined || sign === u.marks.sign);
    const between = [...thousands].filter((mark) => mark !== u.decimalOf(column)).map(markName);
    const own =
      (between.length > 0 ? `, thousands: [${between.join(', ')}]` : '') +
      (sign === undefined ? '' : `, currency-sign: ${JSON.stringify(sign)}`);
    return isUsual ? 'number' : `{ number: { decimal: ${JSON.stringify(u.decimalOf(column))}${own} } }`;
  }
  const form = /\.(siren|siret|vat)$/.exec(concept)?.[1];
  if (form === 'siren' && isMixed({ profile })) return undefined;
  if (form !== undefined) return `{ text: ${form} }`;
  const lengths = new Set([...profile.values.keys()].map((value) => value.length));
  const digits = [...profile.values.keys()].every((value) => /^\d+$/.test(value));
  return /\.zip$/.test(concept) && digits && lengths.size === 1 ? `{ text: ${[...lengths][0]} digits }` : undefined;
}

function typeEvidence({ profile }: ColumnRole, type: string): string | undefined {
  const { number, date, identifier, zeros, damaged, filled } = profile;
  const most = profile.odd.length > 0 ? `; ${inMostRows(profile)}` : '';
  const hurt =
    damaged.length > 0 ? `; "${damaged[0]!.cell}" on row ${damaged[0]!.row} was changed by a spreadsheet` : '';
  if (date) return `${date.says}${most}`;
  if (type.includes('number') && number) return `${numberEvidence(number, filled)}${most}${hurt}`;
  if (identifier) return `${identifier.right} of ${identifier.of} different values pass their check digit${hurt}`;
  if (zeros) return `${zeros.rows} of ${count(filled, 'row')} begin with a zero that a number would lose`;
  return hurt === '' ? undefined : hurt.slice(2);
}

function numberEvidence(number: NonNullable<ColumnRole['profile']['number']>, filled: number): string {
  const [cells, word] = number.comma.length >= number.point.length ? [number.comma, 'comma'] : [number.point, 'point'];
  const whole = number.cells - number.comma.length - number.point.length - number.unclear.length;
  if (cells.length === 0)
    return number.unclear.length > 0
      ? `"${number.unclear[0]}" could be thousands or decimals`
      : `whole numbers on ${count(filled, 'row')}`;
  const unclear =
    number.unclear.length > 0 ? `, ${number.unclear.length} like "${number.unclear[0]}" read the same way` : '';
  return `"${cells[0]}": decimal ${word} on ${cells.length} of ${count(filled, 'row')}${whole > 0 ? `, ${whole} whole` : ''}${unclear}`;
}
