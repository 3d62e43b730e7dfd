/** The draft of a French report of payments: with consumers, one amount per day and rate; abroad, one per invoice. */

import { AMOUNT_EVIDENCE, DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { CHECK_TEXT, SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { FILL_IN } from '../../model/draft.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import {
  createDraftColumns,
  type DraftColumns,
  dateValue,
  draftCheck,
  type MappingDraft,
  tableKeys,
  UNKNOWN,
} from './draft-values.ts';
import { rateName, writeRate, writeVatTable } from './draft-vat.ts';
import { allOf, columnName, formula, groupName, scalar, value, type YamlWriter } from './yaml-writer.ts';

/** Writes the mapping from `tables` to `checks`, and adds a question for each part that no column has. */
export function draftReport(yaml: YamlWriter, analysis: DraftAnalysis): void {
  const parts = createDraftColumns(analysis);
  const draft: MappingDraft = { yaml, analysis, parts };
  const kind = isAbroad(analysis, parts) ? INTERNATIONAL : CONSUMER;
  const names = {
    day: parts.free('day'),
    month: parts.free('month'),
    unknownDate: parts.free('date'),
    unknownAmount: parts.free('amount'),
    rate: rateName(analysis, parts),
  };
  const rate = names.rate === undefined ? parts.cell('vatRate') : `$${names.rate}`;
  writeTables(draft);
  if (!parts.has('paymentDate')) analysis.notes.addQuestion(97, 'output.document.date', DRAFT_QUESTION.noPaymentDate());
  const date = parts.column('paymentDate', `$${names.unknownDate}`);
  yaml.put(0, 'calculated-columns:', DRAFT_COMMENT.perRow());
  if (!parts.has('paymentDate')) yaml.put(2, `${names.unknownDate}: ${UNKNOWN.date}`);
  if (!parts.has('paymentAmount')) yaml.put(2, `${names.unknownAmount}: ${UNKNOWN.amount}`);
  yaml.put(2, `${names.month}: ${formula(`TEXT(${date}, "yyyy-MM")`)}`, DRAFT_COMMENT.reportMonth());
  yaml.put(2, `${names.day}: ${formula(`TEXT(${date}, "yyyy-MM-dd")`)}`);
  if (names.rate !== undefined) writeRate(draft, names.rate);
  yaml.blank();
  writeDocuments(draft, kind, names.month);
  writeOutput(draft, kind, { ...names, date, rate });
  yaml.put(0, 'checks:');
  yaml.put(2, draftCheck(`MIN(${kind.checked(amountOf(parts))}) >= 0`, 'error', kind.refusal(), analysis));
  yaml.blank();
}

/** A report of payments by consumers, one amount per day and rate. */
const CONSUMER = {
  list: 'consumer',
  mark: 'B2C',
  description: 'Encaissements des particuliers',
  each: (day: string, rate: string) => value(`rows by ${day}, ${rate}`),
  grouping: DRAFT_COMMENT.byDayAndRate,
  amount: (column: string) => formula(`SUM(${column})`),
  checked: () => '@operations.consumer.payments.amount',
  refusal: CHECK_TEXT.paidBack,
} as const;

/** A report of payments from abroad, one per invoice. */
const INTERNATIONAL = {
  list: 'international',
  mark: 'INT',
  description: 'Encaissements internationaux',
  each: () => 'row',
  grouping: DRAFT_COMMENT.byInvoice,
  amount: value,
  checked: (column: string) => column,
  refusal: CHECK_TEXT.paymentNegative,
} as const;

type ReportKind = typeof CONSUMER | typeof INTERNATIONAL;

function writeTables({ yaml, analysis, parts }: MappingDraft): void {
  const company = parts.role('company');
  analysis.notes.addQuestion(100, 'output.issuer', DRAFT_QUESTION.noReporter());
  if (!company && analysis.vat.kind !== 'table') return;
  yaml.put(0, 'tables:');
  if (analysis.vat.kind === 'table') writeVatTable(yaml, analysis.vat);
  if (company) {
    yaml.put(2, 'reporters:', DRAFT_COMMENT.reporters({ column: company.column.name }));
    for (const code of tableKeys(company)) {
      yaml.put(4, `${JSON.stringify(code)}:`);
      writeReporter(yaml, 6);
    }
  }
  yaml.blank();
}

/** Receipts per invoice of customers in other countries, or the till. */
function isAbroad(analysis: DraftAnalysis, parts: DraftColumns): boolean {
  const countries = parts.role('payerCountry')?.profile.values;
  const foreign = [...(countries?.keys() ?? [])].some((code) => code !== 'FR');
  const ticket = parts.has('ticket') || parts.has('till');
  const abroad = foreign || (parts.has('invoiceRef') && !ticket);
  const evidence = () => {
    if (foreign) return AMOUNT_EVIDENCE.foreignCountries();
    if (abroad) return AMOUNT_EVIDENCE.namesInvoice();
    return ticket ? AMOUNT_EVIDENCE.tickets() : AMOUNT_EVIDENCE.noInvoiceNoCountry();
  };
  const reason = evidence();
  analysis.notes.addEvidence('output.operations', reason);
  const question = abroad ? DRAFT_QUESTION.fromAbroad : DRAFT_QUESTION.ofConsumers;
  analysis.notes.addQuestion(76, 'output.operations', question({ reason }));
  const domestic = countries?.get('FR');
  if (foreign && domestic !== undefined) {
    const rows = SAMPLE_COUNTS.rows({ count: domestic });
    analysis.notes.addQuestion(83, 'documents.keep', DRAFT_QUESTION.domesticRows({ rows }));
  }
  return abroad;
}

function amountOf(parts: DraftColumns): string {
  return parts.column('paymentAmount', `$${parts.free('amount')}`);
}

function writeReporter(yaml: YamlWriter, indent: number): void {
  yaml.put(indent, 'identifier: "000000000"', `${FILL_IN}: SIREN`);
  yaml.put(indent, 'identifier-type: siren');
  yaml.put(indent, `name: ${FILL_IN} - legal name of who reports`);
  yaml.put(indent, 'type: SE', DRAFT_COMMENT.asSeller());
  yaml.put(indent, 'address: { country: FR }');
  yaml.put(indent, 'e-addresses: [{ type: routing-address, value: "000000000" }]', FILL_IN);
}

function writeDocuments(draft: MappingDraft, { list }: ReportKind, month: string): void {
  const { yaml, analysis, parts } = draft;
  const company = parts.role('company');
  const names = definedItems([company && scalar(company.column.name), month]);
  yaml.put(0, 'documents:');
  yaml.put(2, `one-per: [${names.join(', ')}]`, DRAFT_COMMENT.onePerMonth());
  yaml.put(2, 'rows: anywhere', DRAFT_COMMENT.anyOrder());
  yaml.put(2, 'class: report');
  const identity = formula(`"${list} " & $${month}`);
  yaml.put(2, `never-twice: [${[...names.slice(0, -1), identity].join(', ')}]`);
  const status = parts.role('status');
  if (status && status.profile.values.size > 1) {
    const cancelled = [...status.profile.values.keys()].filter((code) =>
      /^(?:annul|cancel|void|abandon|ko\b|x$)/i.test(code),
    );
    const codes = [...status.profile.values].map(([code, rows]) => `${code} (${rows})`).join(', ');
    const { name } = status.column;
    analysis.notes.addQuestion(
      82,
      'documents.keep',
      cancelled.length > 0
        ? DRAFT_QUESTION.statesCancelled({ name, codes, cancelled })
        : DRAFT_QUESTION.statesReported({ name, codes }),
    );
    const keep = cancelled.map((code) => `${parts.column('status')} <> "${code.replaceAll('"', '""')}"`);
    if (keep.length > 0) yaml.put(2, `keep: ${formula(allOf(keep))}`, codes);
  }
  yaml.blank();
}

type Names = { readonly month: string; readonly day: string; readonly date: string; readonly rate: string };

function writeOutput(draft: MappingDraft, kind: ReportKind, names: Names): void {
  const { yaml, analysis, parts } = draft;
  yaml.put(0, 'output:');
  yaml.put(2, 'document:');
  yaml.put(4, `identifier: ${formula(`"ENC-${kind.mark}-" & $${names.month}`)}`, DRAFT_COMMENT.periodNumber());
  yaml.put(4, `description: ${formula(`"${kind.description} " & $${names.month}`)}`);
  yaml.put(4, `date: ${formula('TODAY() & "T00:00:00"')}`);
  yaml.put(
    4,
    `period: { standard: { regime: month, date: ${formula(`MIN(${names.date})`)} } }`,
    DRAFT_COMMENT.otherPeriods(),
  );
  const company = parts.role('company');
  if (company) yaml.put(2, `issuer: { from: ${columnName(company.column.name)}, table: reporters }`);
  else {
    yaml.put(2, 'issuer:', DRAFT_COMMENT.notInFile());
    writeReporter(yaml, 4);
  }
  yaml.put(2, 'operations:', analysis.notes.evidenceAt('output.operations'));
  yaml.put(4, `${kind.list}:`);
  yaml.put(6, 'payments:');
  // A calculated column is written bare, $rate; any other reference is a column of the file, in its own name.
  const isBare = /^\$[^[]/.test(names.rate);
  const rate = isBare ? names.rate.slice(1) : groupName(parts.requireRole('vatRate').column.name);
  yaml.put(8, `each: ${kind.each(names.day, rate)}`, kind.grouping());
  yaml.put(8, 'make:');
  yaml.put(10, 'type: payment');
  yaml.put(10, `date: ${formula(`$${names.day} & "T00:00:00"`)}`);
  if (!parts.has('paymentAmount'))
    analysis.notes.addQuestion(98, 'output.payments.amount', DRAFT_QUESTION.noPaymentAmount());
  yaml.put(10, `amount: ${kind.amount(amountOf(parts))}`, DRAFT_COMMENT.withVat());
  yaml.put(10, `currency: ${parts.cell('paymentCurrency', 'EUR')}`);
  yaml.put(10, `percent: ${names.rate}`, analysis.notes.evidenceAt('rate'));
  if (kind !== INTERNATIONAL || !parts.has('invoiceRef')) return;
  const date = parts.has('invoiceDate') ? `, date: ${dateValue(parts, 'invoiceDate')}` : '';
  yaml.put(10, `references: [{ type: invoice, identifier: ${parts.cell('invoiceRef')}${date} }]`);
  if (!parts.has('invoiceDate'))
    analysis.notes.addQuestion(44, 'output.payments.references', DRAFT_QUESTION.noInvoiceDate());
}
