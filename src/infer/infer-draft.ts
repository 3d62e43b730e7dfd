/**
 * A sample export alone to a draft mapping with its evidence: bytes in, YAML text and findings out; nothing is read or
 * written besides.
 *
 * What the sample proves is written as it is; what it leaves open gets the likeliest value and a question at the top.
 */
import type { Language } from '../i18n/message.ts';
import { normalizeEncoding } from '../readers/encoding/code-pages.ts';
import { amountsWith, strayTotals } from './analysis/amount-evidence.ts';
import { fittingValues, type IdentifierTests, inMostRows, type Profile, profileOf } from './analysis/column-profile.ts';
import { assignRoles, NUMBER_CONCEPT } from './analysis/column-roles.ts';
import { proposeControls } from './analysis/control-total-evidence.ts';
import { looksLikeSerials } from './analysis/date-evidence.ts';
import { findGrouping, type GroupingCandidate } from './analysis/document-grouping.ts';
import type { DraftAnalysis } from './analysis/draft-analysis.ts';
import { type Marks, marksOf } from './analysis/number-evidence.ts';
import { addRolesByValues } from './analysis/roles-by-value.ts';
import { understandSiblings } from './analysis/sibling-records.ts';
import { addUnclearDate } from './analysis/unclear-dates.ts';
import { understandVat } from './analysis/vat-evidence.ts';
import { writeInvoice } from './draft/draft-invoice.ts';
import { draftRemissionNote } from './draft/draft-note.ts';
import { writeReport } from './draft/draft-report.ts';
import { writeSource, writeTop } from './draft/draft-source.ts';
import { newPage } from './draft/yaml-writer.ts';
import { type DraftEvidence, type Notes, type Question, takeNotes } from './findings/draft-findings.ts';
import { readSheet } from './sample/csv-sample.ts';
import { type DecodedSample, decodeAs, decodeSample } from './sample/detect-encoding.ts';
import { fixedWidthAdvice } from './sample/fixed-width-sample.ts';
import type { SampleColumn, SampleTable } from './sample/sample-table.ts';
import { readTree } from './sample/xml-sample.ts';
import { shippedFor } from './shipped-mappings.ts';
import { conceptsOf } from './vocabulary/column-dictionary.ts';

export type InferenceInput = {
  readonly bytes: Uint8Array;
  /** Name of the sample, without folder. */
  readonly file: string;
  /** Of the mapping to be. */
  readonly id: string;
  readonly target: string;
  /** Of the sentences in the checks; English where it is not given. */
  readonly language?: Language;
  readonly tests: IdentifierTests;
};

export type Inference = {
  /** The draft, without tests. */
  readonly mapping: string;
  readonly evidence: readonly DraftEvidence[];
  /** Most important first. */
  readonly questions: readonly Question[];
  /** Whether a column of totals stands behind the amounts of the documents. */
  readonly proven: boolean;
  /** The sample with these rows only, in its own form and encoding. */
  readonly cut: (rows: readonly number[]) => Uint8Array;
};

const WRITERS: { readonly [target: string]: typeof writeInvoice } = {
  'fr-invoice': writeInvoice,
  'fr-report': writeReport,
  'sv-remission-note': draftRemissionNote,
};

/** YAML takes no key of more than 1,024 characters, and no ERP gives a column such a name. */
const LONGEST_NAME = 500;

/** Targets a draft can be written for. */
export const INFERABLE = Object.keys(WRITERS);

/** `problem` where the sample is no text of rows, or, with `fixedWidth`, where its columns have no delimiter. */
export function infer(input: InferenceInput): Inference | { readonly problem: string; readonly fixedWidth?: boolean } {
  const notes = takeNotes();
  const foreign = notAnExport(input.bytes);
  if (foreign !== undefined) return { problem: foreign };
  const guesses = takeNotes();
  const sample = decodeSample(input.bytes, guesses);
  const isXml = /^\s*</.test(sample.text);
  const advice = isXml ? undefined : fixedWidthAdvice(sample.text);
  if (advice !== undefined) return { problem: advice, fixedWidth: true };
  const declared = isXml ? declaredEncoding(input.bytes, sample, notes) : sample;
  // What an XML file declares needs no guess beside it.
  if (declared === sample) carryOver(guesses, notes);
  const read = isXml ? readTree(declared.text, input.target, notes) : readSheet(sample.text, notes);
  if ('problem' in read) return read;
  if (read.table.rows.length === 0) return { problem: 'the sample has no row of data' };
  const long = read.table.columns.find(({ name }) => name.length > LONGEST_NAME);
  if (long) return { problem: `a column has a name of ${long.name.length} characters: it is no header of an export` };
  const root = 'root' in read ? read.root : undefined;
  const names = read.table.columns.map(({ name }) => name);
  const shipped = input.target === 'fr-invoice' ? shippedFor(root, names) : undefined;
  if (shipped !== undefined) notes.ask(103, 'mapping', shipped);
  const understanding = understand(input, declared.encoding, read.source, read.table, notes);
  const body = newPage();
  WRITERS[input.target]!(body, understanding);
  const top = newPage();
  const source = newPage();
  writeSource(source, understanding);
  writeTop(top, understanding);
  return {
    mapping: top.text() + source.text() + body.text().replace(/\n+$/, '\n'),
    evidence: notes.evidence,
    questions: notes.questions(),
    proven: ['totalGross', 'lineGross', 'noteTotal'].some((concept) => understanding.roles.has(concept)),
    cut: (rows) => declared.encode(read.table.cut(rows)),
  };
}

function carryOver(from: Notes, to: Notes): void {
  for (const { at, says } of from.evidence) to.found(at, says);
  for (const { weight, at, says } of from.questions()) to.ask(weight, at, says);
}

function notAnExport(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (bytes.length === 0) return 'the sample is empty';
  if (head.startsWith('PK')) return 'the sample is a workbook or an archive (zip): save the sheet as CSV first';
  if (head.startsWith('%PDF')) return 'the sample is a PDF: there are no rows in it';
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0'))
    return 'the sample is an old Excel workbook: save the sheet as CSV first';
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  // UTF-16 has zero bytes too, one in every pair; programs and images have zeros and other signs in a row.
  const zeros = start.split('\0').length - 1;
  const utf16 = /^(?:\xff\xfe|\xfe\xff)/.test(start) || (zeros > 0.3 * start.length && !start.includes('\0\0'));
  const signs = start.match(/[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]/g)?.length ?? 0;
  if ((zeros > 0 && !utf16) || signs > 0.02 * start.length)
    return 'the sample is no text: it holds control characters, as programs and images do';
  return /^\s*[{[]/.test(head) ? 'the sample looks like JSON: CSV and XML are read' : undefined;
}

/** An XML file says its encoding itself; what it says is taken where it can be read so. */
function declaredEncoding(bytes: Uint8Array, sample: DecodedSample, notes: Notes): DecodedSample {
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/.exec(sample.text)?.[1];
  if (declared === undefined) return sample;
  const marked = sample.encoding.startsWith('utf-') && normalizeEncoding(declared) !== undefined;
  const read = marked ? sample : decodeAs(bytes, declared);
  if (!read) {
    notes.ask(
      80,
      'source.encoding',
      `The XML declaration says ${declared}, which no file is read in, or not every byte can be read so.`,
    );
    return sample;
  }
  notes.found('source.encoding', `the XML declaration says ${declared}, and every byte can be read so`);
  return { ...read, encoding: 'auto' };
}

function understand(
  input: InferenceInput,
  encoding: string,
  source: DraftAnalysis['source'],
  table: SampleTable,
  notes: Notes,
): DraftAnalysis {
  const { target, file, id, language = 'en' } = input;
  const candidates = table.columns.map(
    (column): GroupingCandidate => ({
      column,
      profile: profileOf(column, table, input.tests),
      match: column.known ? conceptsOf(column.path) : { concepts: [], strength: 0, party: undefined },
    }),
  );
  const grouping =
    target === 'fr-report' ? reportGrouping(table) : findGrouping(table, candidates, NUMBER_CONCEPT[target]!, notes);
  const marks = marksIn(candidates, notes);
  const decimals = new Map(
    candidates.map(({ column, profile }) => [
      column,
      profile.number ? (marksOf([profile.number])?.decimal ?? marks.decimal) : marks.decimal,
    ]),
  );
  const decimalOf = (column: SampleColumn) => decimals.get(column) ?? marks.decimal;
  const amounts = amountsWith(decimalOf);
  const named = assignRoles(target, candidates, grouping);
  const dated = addUnclearDate(target, named, candidates, grouping, notes);
  const all = addRolesByValues(target, dated, candidates, grouping, amounts, notes);
  const roles = target === 'fr-invoice' ? withoutStrayTotals(all, amounts, grouping, notes) : all;
  noteOddCells(roles, notes);
  if (target === 'sv-remission-note') noteNegatives(roles, notes);
  const { dates, patternOf } = datesIn(roles, notes);
  const vat = target === 'sv-remission-note' ? NO_VAT : understandVat(roles, amounts, grouping, notes);
  noteUnused(candidates, roles, target, notes);
  const controls = proposeControls({ table, candidates, grouping, amounts, marks, notes });
  const { lists, leaveOut } = understandSiblings({ target, table, roles, amounts, grouping, marks, notes });
  return {
    file,
    id,
    target,
    language,
    encoding,
    source,
    table,
    candidates,
    grouping,
    roles,
    marks,
    decimalOf,
    dates,
    patternOf,
    amounts,
    vat,
    controls,
    lists,
    strayRecords: leaveOut,
    notes,
  };
}

function withoutStrayTotals(
  roles: DraftAnalysis['roles'],
  amounts: DraftAnalysis['amounts'],
  grouping: DraftAnalysis['grouping'],
  notes: Notes,
): DraftAnalysis['roles'] {
  const { rateOf } = understandVat(roles, amounts, grouping, takeNotes());
  const stray = strayTotals(roles, rateOf, amounts, grouping);
  for (const name of stray)
    notes.ask(
      67,
      'checks',
      `Column "${name}" is named like a total, and agrees with no document: no check was made of it. What does it hold?`,
    );
  return new Map([...roles].filter(([, { column }]) => !stray.includes(column.name)));
}

const NO_VAT = { kind: 'fixed', rate: '0', says: '', rateOf: () => undefined } as const;

/** A report is one per period: rows are payments, nothing has to be grouped to understand them. */
function reportGrouping(table: SampleTable): DraftAnalysis['grouping'] {
  return {
    key: undefined,
    groups: table.rows.map((_, at) => [at]),
    adjacent: true,
    constant: () => true,
    sparse: () => false,
    proven: false,
  };
}

function marksIn(candidates: readonly GroupingCandidate[], notes: Notes): Marks {
  const proofs = candidates.flatMap(({ profile }) =>
    profile.number && !profile.identifier && !profile.date ? [profile.number] : [],
  );
  const marks = marksOf(proofs);
  if (marks) {
    const [cells, others] =
      marks.decimal === ','
        ? [proofs.flatMap((one) => one.comma), proofs.flatMap((one) => one.point)]
        : [proofs.flatMap((one) => one.point), proofs.flatMap((one) => one.comma)];
    const thousands = candidates.flatMap(({ profile }) => [...(profile.number?.thousands ?? [])]).length > 0;
    const grouped = thousands
      ? proofs
          .flatMap((one) => [...one.comma, ...one.point])
          .find((cell) => /\d[^\d.,-]\d{3}|\d[.,]\d{3}[.,]/.test(cell))
      : undefined;
    notes.found(
      'source.numbers',
      `${cells.length} cells such as "${cells[0]}"${grouped ? `, thousands as in "${grouped}"` : ''}${others.length > 0 ? `; ${others.length} the other way, such as "${others[0]}"` : ''}`,
    );
    return marks;
  }
  const unclear = proofs.flatMap((one) => one.unclear);
  if (unclear.length === 0) {
    notes.found('source.numbers', 'no number of the sample has decimals');
    return { decimal: '.', thousands: [], sign: proofs.find(({ sign }) => sign !== undefined)?.sign };
  }
  const decimal = unclear[0]!.includes(',') ? ',' : '.';
  notes.ask(
    92,
    'source.numbers',
    `Numbers: "${unclear[0]}" may be thousands or three decimals, and no other number tells. It was read with decimals.`,
  );
  return { decimal, thousands: [] };
}

function datesIn(roles: DraftAnalysis['roles'], notes: Notes): Pick<DraftAnalysis, 'dates' | 'patternOf'> {
  const dated = [...roles].filter(([concept]) => /[dD]ate$|^due$/.test(concept)).map(([, role]) => role);
  const patterns = new Map<SampleColumn, string>();
  const sure = dated.flatMap(({ profile }) => (profile.date?.patterns.length === 1 ? profile.date.patterns : []));
  const likely = dated.flatMap(({ profile }) => profile.date?.likely ?? [])[0];
  const open: string[] = [];
  for (const { column, profile } of dated) {
    if (profile.date) {
      // Another column of the file may tell which of two orders it is.
      const order = (pattern: string) => pattern.slice(0, 5);
      const agreed = profile.date.patterns.find((pattern) => sure.some((one) => order(one) === order(pattern)));
      const hinted = profile.date.patterns.find((pattern) => likely && order(likely.pattern) === order(pattern));
      if (profile.date.patterns.length > 1 && agreed === undefined) open.push(column.name);
      patterns.set(column, agreed ?? hinted ?? profile.date.patterns[0]!);
    } else if (looksLikeSerials(fittingValues(profile))) patterns.set(column, 'excel-serial');
  }
  const commonest = [...Map.groupBy(patterns.values(), (pattern) => pattern)].sort(
    (a, b) => b[1].length - a[1].length,
  )[0]?.[0];
  const proofOf = ({ profile }: (typeof dated)[number]) => (profile.date?.patterns.length === 1 ? 1 : 0);
  const example = dated
    .filter(({ column }) => patterns.get(column) === commonest)
    .sort((a, b) => proofOf(b) - proofOf(a))[0];
  if (commonest !== undefined && example) {
    const says = example.profile.date?.says ?? 'days as a spreadsheet counts them';
    notes.found('source.dates', `"${fittingValues(example.profile)[0]}" in ${example.column.name}: ${says}`);
  }
  const first = dated.find(({ column }) => column.name === open[0]);
  if (first) askOrder(open, first, likely, notes, patterns.get(first.column)!);
  return { dates: commonest, patternOf: (column) => patterns.get(column) };
}

type Dated = DraftAnalysis['roles'] extends ReadonlyMap<string, infer Role> ? Role : never;

function askOrder(
  open: readonly string[],
  { profile }: Dated,
  likely: NonNullable<Dated['profile']['date']>['likely'],
  notes: Notes,
  chosen: string,
): void {
  const clue = likely === undefined ? '' : `, though ${likely.says}`;
  notes.ask(
    99,
    'source.dates',
    `Dates: "${fittingValues(profile)[0]}" in ${open.join(', ')} may be ${profile.date!.patterns.join(' or ')}; no date of ` +
      `the sample proves it${clue}. ${chosen} was written: the wrong order would put wrong dates on documents ` +
      'without any error.',
  );
}

function noteOddCells(roles: DraftAnalysis['roles'], notes: Notes): void {
  for (const { column, profile } of new Set(roles.values())) {
    if (profile.odd.length > 0) notes.ask(34, `source.columns.${column.name}`, oddCells(column, profile));
    const hurt = profile.damaged[0];
    if (hurt)
      notes.ask(
        77,
        `source.columns.${column.name}`,
        `Column "${column.name}": "${hurt.cell}" on row ${hurt.row} was changed by a spreadsheet. Export again without opening the file in it.`,
      );
  }
}

function oddCells({ name }: SampleColumn, profile: Profile): string {
  const rows = profile.odd.slice(0, 5).map(({ cell, row }) => `row ${row} ("${cell.slice(0, 30)}")`);
  const more = profile.odd.length - rows.length;
  return (
    `Column "${name}": ${inMostRows(profile)}; ${rows.join(', ')}${more > 0 ? ` and ${more} more` : ''} ` +
    `${profile.odd.length === 1 ? 'is' : 'are'} not. The documents of these rows are refused: correct the cells in the ERP.`
  );
}

/** Goods that come back are another document: a remission note has no negative lines. */
function noteNegatives(roles: DraftAnalysis['roles'], notes: Notes): void {
  for (const concept of ['quantity', 'price', 'lineAmount', 'noteTotal']) {
    const role = roles.get(concept);
    const cell = role && [...role.profile.values.keys()].find((value) => /^-.*[1-9]|[1-9].*-$/.test(value));
    if (cell !== undefined)
      notes.ask(
        91,
        `source.columns.${role!.column.name}`,
        `Column "${role!.column.name}" has negative values such as ${cell}: are those notes returns? Leave them out with keep: or leave-out:.`,
      );
  }
}

function noteUnused(
  candidates: readonly GroupingCandidate[],
  roles: DraftAnalysis['roles'],
  target: string,
  notes: Notes,
): void {
  const used = new Set([...roles.values()].map(({ column }) => column));
  const left = candidates.filter(
    ({ column, profile, match }) =>
      column.known && !used.has(column) && profile.filled > 0 && match.concepts[0] !== 'ignored',
  );
  const empty = candidates
    .filter(({ column, profile }) => column.known && profile.filled === 0)
    .map(({ column }) => column.name);
  if (left.length > 0)
    notes.ask(
      22,
      'output',
      `Columns that were not used for ${target}: ${left
        .map(({ column }) => column.name)
        .slice(0, 40)
        .join(', ')}.`,
    );
  if (empty.length > 0)
    notes.ask(
      12,
      'output',
      `Columns that are empty in the sample and were not used: ${empty.slice(0, 40).join(', ')}.`,
    );
}
