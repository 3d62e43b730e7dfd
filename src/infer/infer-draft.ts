/**
 * A sample export alone to a draft mapping with its evidence: bytes in, YAML text and findings out; nothing is read or
 * written besides.
 *
 * What the sample proves is written as it is; what it leaves open gets the likeliest value and a question at the top.
 */

import { format, type Language, type Message } from '../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../i18n/messages/infer-evidence-messages.ts';
import { INFER_PROBLEM } from '../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../i18n/messages/infer-questions-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import { KIND_NAMES, type KindName } from '../model/document.ts';
import type { Fault } from '../model/fault.ts';
import { must } from '../model/must.ts';
import { isEncryptedWorkbook } from '../readers/file-kind.ts';
import { UnreadableFileError } from '../readers/reader.ts';
import { readXlsxTable } from '../readers/xlsx/read-xlsx-table.ts';
import { createAmounts, strayTotals } from './analysis/amount-evidence.ts';
import { describeMost, type IdentifierTests, type Profile, profileColumn } from './analysis/column-profile.ts';
import { assignRoles } from './analysis/column-roles.ts';
import { proposeControls } from './analysis/control-total-evidence.ts';
import { findDatePatterns } from './analysis/date-patterns.ts';
import { findGrouping, type GroupingCandidate } from './analysis/document-grouping.ts';
import type { DraftAnalysis } from './analysis/draft-analysis.ts';
import { commonMarks, type NumberMarks, type NumberProof } from './analysis/number-evidence.ts';
import { addRolesByValues } from './analysis/roles-by-value.ts';
import { analyzeSiblings } from './analysis/sibling-records.ts';
import { addUnclearDate } from './analysis/unclear-dates.ts';
import { analyzeVat } from './analysis/vat-evidence.ts';
import { type AnswerForm, withAnswers } from './draft/draft-answers.ts';
import { draftInvoice } from './draft/draft-invoice.ts';
import { draftRemissionNote } from './draft/draft-note.ts';
import { draftReport } from './draft/draft-report.ts';
import { writeSource, writeTop } from './draft/draft-source.ts';
import { LONGEST_KEY } from './draft/draft-values.ts';
import { createYamlWriter } from './draft/yaml-writer.ts';
import {
  copyNotes,
  createNotes,
  type DraftEvidence,
  type DraftNotes,
  type DraftQuestion,
} from './findings/draft-findings.ts';
import { detectCsv } from './sample/detect-csv.ts';
import { detectFixedWidth, noteImpliedDecimals } from './sample/detect-fixed-width.ts';
import { detectXlsx } from './sample/detect-xlsx.ts';
import { detectXml } from './sample/detect-xml.ts';
import { readDetected } from './sample/read-detected.ts';
import type { Detected } from './sample/sample-source.ts';
import type { SampleColumn, SampleTable } from './sample/sample-table.ts';
import { isXmlSample, readRowsText, readXmlText } from './sample/sample-text.ts';
import type { XmlElement } from './sample/xml-tree.ts';
import { findShippedMapping } from './shipped-mappings.ts';
import { matchColumnName } from './vocabulary/column-dictionary.ts';
import { DRAFT_TARGETS, type DraftTarget } from './vocabulary/draft-targets.ts';

export { UNKNOWN } from './draft/draft-values.ts';

export type InferenceInput = {
  readonly bytes: Uint8Array;
  /** Name of the sample, without folder. */
  readonly file: string;
  /** Of the mapping to be. */
  readonly id: string;
  readonly target: string;
  /** Of the comments, the questions and the checks; English where it is not given. */
  readonly language?: Language;
  /** Proposes answers to the ERP in this form. */
  readonly answers?: AnswerForm;
  readonly tests: IdentifierTests;
};

type Drafting = Omit<InferenceInput, 'target'> & { readonly target: DraftTarget };

/** A draft with its evidence and questions, worded in the language of the input. */
export type Inference = {
  /** The draft, without tests. */
  readonly mapping: string;
  readonly evidence: readonly DraftEvidence<string>[];
  /** Most important first. */
  readonly questions: readonly DraftQuestion<string>[];
  /** Whether a column of totals proves the amounts of the documents. */
  readonly proven: boolean;
  /** The sample with these rows only, in its own form and encoding. */
  readonly cut: (rows: readonly number[]) => Promise<Uint8Array>;
};

const WRITERS: { readonly [kind in KindName]: typeof draftInvoice } = {
  'fr-invoice': draftInvoice,
  'fr-report': draftReport,
  'sv-remission-note': draftRemissionNote,
};

export { ANSWER_FORMS, type AnswerForm } from './draft/draft-answers.ts';

/** Targets a draft can be written for. */
export const INFERABLE: readonly string[] = KIND_NAMES;

/**
 * `fixedWidth`: the columns have no delimiter, and blanks do not show them. `faults`: of the reader, which refuses the
 * sample. Else the sample is not a text of rows.
 */
type Refusal = { readonly problem: Message; readonly fixedWidth?: boolean; readonly faults?: readonly Fault[] };

/** The draft of the sample for `target`, which is one of INFERABLE, or why there is none. */
export async function inferDraft(input: InferenceInput): Promise<Inference | Refusal> {
  try {
    return await draftOf(input);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { problem: INFER_PROBLEM.refused(), faults: error.faults };
  }
}

async function draftOf(asked: InferenceInput): Promise<Inference | Refusal> {
  const notes = createNotes();
  const target = must(
    Object.values(DRAFT_TARGETS).find(({ name }) => name === asked.target),
    `the target ${asked.target}`,
  );
  const input: Drafting = { ...asked, target };
  const { language = 'en' } = input;
  const read = await readSample(input, notes);
  if ('problem' in read) return read;
  const { cut, table, root } = read;
  if (table.rows.length === 0) return { problem: INFER_PROBLEM.noRows() };
  const names = table.columns.map(({ name }) => name);
  const long = names.find((name) => name.length > LONGEST_KEY);
  if (long !== undefined) return { problem: INFER_PROBLEM.longName({ length: long.length }) };
  const shipped = target.isInvoice ? findShippedMapping(root, names) : undefined;
  if (shipped !== undefined) notes.addQuestion(103, 'mapping', shipped);
  const analysis = analyzeSample(input, read, notes);
  const [top, source, body] = [createYamlWriter(language), createYamlWriter(language), createYamlWriter(language)];
  // The top lists the questions, which the other parts ask.
  WRITERS[target.name](body, analysis);
  writeSource(source, analysis);
  writeTop(top, analysis);
  const { answers } = input;
  const drafted = body.text().replace(/\n+$/, '\n');
  const whole = answers ? withAnswers(drafted, analysis, answers, createYamlWriter(language)) : drafted;
  return {
    mapping: top.text() + source.text() + whole,
    evidence: notes.evidence.map((one) => ({ ...one, says: format(one.says, language) })),
    questions: notes.questions().map((one) => ({ ...one, says: format(one.says, language) })),
    proven: ['totalGross', 'lineGross', 'noteTotal'].some((concept) => analysis.roles.has(concept)),
    cut,
  };
}

/** A sample as columns and rows. `root` is that of an XML sample. */
type ReadSample = {
  /** The sample with these rows only, in its own form. */
  readonly cut: (rows: readonly number[]) => Promise<Uint8Array>;
  readonly source: DraftAnalysis['source'];
  readonly table: SampleTable;
  readonly root?: XmlElement;
};

async function readSample(input: Drafting, notes: DraftNotes): Promise<ReadSample | Refusal> {
  const found = await detect(input, notes);
  if ('problem' in found) return found;
  const { detected, root, encode } = found;
  const table = await readDetected(detected, input);
  if (detected.source.format === 'fixed') noteImpliedDecimals(table.columns, notes);
  const cut = async (rows: readonly number[]) => {
    const kept = await detected.cut(rows);
    return typeof kept === 'string' ? encode(kept) : kept;
  };
  return definedOnly({ source: detected.source, table, root, cut });
}

type Found = {
  readonly detected: Detected;
  readonly encode: (text: string) => Uint8Array;
  readonly root?: XmlElement;
};

async function detect(input: Drafting, notes: DraftNotes): Promise<Found | Refusal> {
  const { bytes, file, target } = input;
  if (isZip(bytes)) {
    const detected = detectXlsx(await readXlsxTable(bytes, { file }), notes);
    return 'problem' in detected ? detected : { detected, encode: (text) => Buffer.from(text) };
  }
  const problem = findForeignFormat(bytes);
  if (problem !== undefined) return { problem };
  if (isXmlSample(input)) {
    const { encode, ...xml } = await readXmlText(input, notes);
    const detected = await detectXml({ ...xml, bytes, file }, target, notes);
    return 'problem' in detected ? detected : { detected, encode, root: detected.root };
  }
  const guesses = createNotes();
  const { text, encoding, encode } = await readRowsText(input, guesses);
  const fixed = detectFixedWidth(text, encoding, notes);
  if (fixed && 'problem' in fixed) return { ...fixed, fixedWidth: true };
  copyNotes(guesses, notes);
  return { detected: fixed ?? detectCsv(text, encoding, notes), encode };
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** Why the bytes are not a text of rows, by the first of them; undefined for text. */
function findForeignFormat(bytes: Uint8Array): Message | undefined {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (bytes.length === 0) return INFER_PROBLEM.empty();
  if (head.startsWith('%PDF')) return INFER_PROBLEM.pdf();
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0')) {
    return isEncryptedWorkbook(bytes) ? INFER_PROBLEM.encryptedWorkbook() : INFER_PROBLEM.oldWorkbook();
  }
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  // UTF-16 has zero bytes too, one in every pair; programs and images have zeros and other signs in a row.
  const zeros = start.split('\0').length - 1;
  const utf16 = /^(?:\xff\xfe|\xfe\xff)/.test(start) || (zeros > 0.3 * start.length && !start.includes('\0\0'));
  const signs = start.match(/[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]/g)?.length ?? 0;
  if ((zeros > 0 && !utf16) || signs > 0.02 * start.length) return INFER_PROBLEM.controlCharacters();
  return /^\s*[{[]/.test(head) ? INFER_PROBLEM.json() : undefined;
}

function analyzeSample(input: Drafting, sample: ReadSample, notes: DraftNotes): DraftAnalysis {
  const { target, file, id, language = 'en' } = input;
  const { source, table } = sample;
  const candidates = table.columns.map(
    (column): GroupingCandidate => ({
      column,
      profile: profileColumn(column, table, input.tests),
      match: column.known ? matchColumnName(column.path) : { concepts: [], strength: 0, party: undefined },
    }),
  );
  const grouping =
    target.rows === 'payments' ? groupReportRows(table) : findGrouping(table, candidates, target.number, notes);
  const marks = findMarks(candidates, notes);
  const decimals = new Map(
    candidates.map(({ column, profile: { number } }) => [column, number && commonMarks([number])?.decimal]),
  );
  const decimalOf = (column: SampleColumn) => decimals.get(column) ?? marks.decimal;
  const amounts = createAmounts(decimalOf);
  const named = assignRoles(target, candidates, grouping, notes);
  const dated = addUnclearDate(named, { target, candidates, grouping, notes });
  const all = addRolesByValues(dated, { target, candidates, grouping, amounts, notes });
  const roles = target.isInvoice ? withoutStrayTotals(all, amounts, grouping, notes) : all;
  noteOddCells(roles, notes);
  if (!target.hasVat) noteNegatives(roles, notes);
  const { dates, patternOf } = findDatePatterns(roles, notes);
  const vat = !target.hasVat ? NO_VAT : analyzeVat(roles, amounts, grouping, notes);
  noteUnused(candidates, roles, target, notes);
  const controls = proposeControls({ table, candidates, grouping, amounts, marks, notes });
  const lists = analyzeSiblings({ target, table, roles, amounts, grouping, marks, notes });
  return {
    file,
    id,
    target,
    language,
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
    notes,
  };
}

function withoutStrayTotals(
  roles: DraftAnalysis['roles'],
  amounts: DraftAnalysis['amounts'],
  grouping: DraftAnalysis['grouping'],
  notes: DraftNotes,
): DraftAnalysis['roles'] {
  const { rateOf } = analyzeVat(roles, amounts, grouping, createNotes());
  const stray = strayTotals({ roles, rateOf, amounts, grouping });
  for (const name of stray) notes.addQuestion(67, 'checks', SAMPLE_QUESTION.strayTotal({ name }));
  return new Map([...roles].filter(([, { column }]) => !stray.includes(column.name)));
}

/** A remission note has no VAT of its own. */
const NO_VAT = { kind: 'fixed', rate: '0', says: undefined, rateOf: () => undefined } as const;

/** A report is one per period: rows are payments, nothing has to be grouped to understand them. */
function groupReportRows(table: SampleTable): DraftAnalysis['grouping'] {
  return {
    key: undefined,
    groups: table.rows.map((_, at) => [at]),
    adjacent: true,
    constant: () => true,
    sparse: () => false,
    proven: false,
  };
}

/** The marks of the file, which most columns of numbers prove; else the likelier decimal mark, with a question. */
function findMarks(candidates: readonly GroupingCandidate[], notes: DraftNotes): NumberMarks {
  const proofs = candidates.flatMap(({ profile }) =>
    profile.number && !profile.identifier && !profile.date ? [profile.number] : [],
  );
  const marks = commonMarks(proofs);
  if (marks) {
    noteMarks(marks, candidates, proofs, notes);
    return marks;
  }
  const [unclear] = proofs.flatMap((one) => one.unclear);
  if (unclear === undefined) {
    notes.addEvidence('source.numbers', SOURCE_EVIDENCE.noDecimals());
    return { decimal: '.', thousands: [], sign: proofs.find(({ sign }) => sign !== undefined)?.sign };
  }
  const decimal = unclear.includes(',') ? ',' : '.';
  notes.addQuestion(92, 'source.numbers', SAMPLE_QUESTION.unclearNumbers({ cell: unclear }));
  return { decimal, thousands: [] };
}

function noteMarks(
  { decimal }: NumberMarks,
  candidates: readonly GroupingCandidate[],
  proofs: readonly NumberProof[],
  notes: DraftNotes,
): void {
  const [commas, points] = [proofs.flatMap((one) => one.comma), proofs.flatMap((one) => one.point)];
  const [cells, others] = decimal === ',' ? [commas, points] : [points, commas];
  const hasThousands = candidates.some(({ profile }) => (profile.number?.thousands.size ?? 0) > 0);
  const grouped = hasThousands
    ? proofs.flatMap((one) => [...one.comma, ...one.point]).find((cell) => /\d[^\d.,-]\d{3}|\d[.,]\d{3}[.,]/.test(cell))
    : undefined;
  const most = { count: cells.length, cell: cells[0] ?? '' };
  notes.addEvidence(
    'source.numbers',
    grouped === undefined ? SOURCE_EVIDENCE.numbers(most) : SOURCE_EVIDENCE.numbersGrouped({ ...most, grouped }),
  );
  const [other] = others;
  if (other !== undefined)
    notes.addEvidence('source.numbers', SOURCE_EVIDENCE.numbersOther({ count: others.length, cell: other }));
}

/** Cells that differ from the form of a column that the draft uses, and those that a spreadsheet has damaged. */
function noteOddCells(roles: DraftAnalysis['roles'], notes: DraftNotes): void {
  for (const { column, profile } of new Set(roles.values())) {
    if (profile.odd.length > 0)
      notes.addQuestion(34, `source.columns.${column.name}`, describeOddCells(column, profile));
    const hurt = profile.damaged[0];
    if (hurt) {
      const question = SAMPLE_QUESTION.spreadsheetCell({ name: column.name, ...hurt });
      notes.addQuestion(77, `source.columns.${column.name}`, question);
    }
  }
}

function describeOddCells({ name }: SampleColumn, profile: Profile): Message {
  const cells = profile.odd
    .slice(0, 5)
    .map(({ cell, row }) => SAMPLE_QUESTION.oddCell({ row, cell: cell.slice(0, 30) }));
  const more = profile.odd.length - cells.length;
  const most = describeMost(profile);
  return SAMPLE_QUESTION.oddCells({ name, most, cells: more > 0 ? SAMPLE_QUESTION.andMore({ cells, more }) : cells });
}

/** Goods that come back are another document: a remission note has no negative lines. */
function noteNegatives(roles: DraftAnalysis['roles'], notes: DraftNotes): void {
  for (const concept of ['quantity', 'price', 'lineAmount', 'noteTotal']) {
    const role = roles.get(concept);
    if (!role) continue;
    const { name } = role.column;
    const cell = [...role.profile.values.keys()].find((value) => /^-.*[1-9]|[1-9].*-$/.test(value));
    if (cell !== undefined) notes.addQuestion(91, `source.columns.${name}`, SAMPLE_QUESTION.negatives({ name, cell }));
  }
}

/** Columns with data that the draft does not use, and empty ones; at most 40 names of each. */
function noteUnused(
  candidates: readonly GroupingCandidate[],
  roles: DraftAnalysis['roles'],
  target: DraftTarget,
  notes: DraftNotes,
): void {
  const used = new Set([...roles.values()].map(({ column }) => column));
  const left = candidates.filter(
    ({ column, profile, match }) =>
      column.known && !used.has(column) && profile.filled > 0 && match.concepts[0] !== 'ignored',
  );
  const empty = candidates
    .filter(({ column, profile }) => column.known && profile.filled === 0)
    .map(({ column }) => column.name);
  const unused = left.map(({ column }) => column.name).slice(0, 40);
  if (unused.length > 0)
    notes.addQuestion(22, 'output', SAMPLE_QUESTION.unused({ target: target.name, names: unused }));
  if (empty.length > 0) notes.addQuestion(12, 'output', SAMPLE_QUESTION.emptyColumns({ names: empty.slice(0, 40) }));
}
