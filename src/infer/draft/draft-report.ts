/** The draft of a French report of payments: with consumers, one amount per day and rate; abroad, one per invoice. */

import { AMOUNT_EVIDENCE, DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { CHECK_TEXT, SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import {
  createDraftColumns,
  type DraftColumns,
  dateValue,
  draftCheck,
  FILL_IN,
  type MappingDraft,
  tableKeys,
} from './draft-values.ts';
import { hasPlainRates, writeRate, writeVatTable } from './draft-vat.ts';
import { allOf, columnName, formula, groupName, scalar, value, type YamlWriter } from './yaml-writer.ts';

export function draftReport(yaml: YamlWriter, analysis: DraftAnalysis): void {
  const parts = createDraftColumns(analysis);
  const draft: MappingDraft = { yaml, analysis, parts };
  const abroad = isAbroad(analysis, parts);
  const names = {
    day: parts.free('day'),
    month: parts.free('month'),
    rate: hasPlainRates(analysis) ? undefined : parts.free('rate'),
  };
  const rate = names.rate === undefined ? parts.cell('vatRate') : `$${names.rate}`;
  const company = parts.role('company');
  if (company || analysis.vat.kind === 'table') yaml.put(0, 'tables:');
  if (analysis.vat.kind === 'table') writeVatTable(yaml, analysis.vat);
  if (company) {
    yaml.put(2, 'reporters:', DRAFT_COMMENT.reporters({ column: company.column.name }));
    for (const code of tableKeys(company)) {
      yaml.put(4, `${JSON.stringify(code)}:`);
      writeReporter(yaml, 6);
    }
  }
  analysis.notes.addQuestion(100, 'output.issuer', DRAFT_QUESTION.noReporter());
  if (company || analysis.vat.kind === 'table') yaml.blank();
  const date = dateOf(analysis, parts);
  yaml.put(0, 'calculated-columns:', DRAFT_COMMENT.perRow());
  yaml.put(2, `${names.month}: ${formula(`TEXT(${date}, "yyyy-MM")`)}`, DRAFT_COMMENT.reportMonth());
  yaml.put(2, `${names.day}: ${formula(`TEXT(${date}, "yyyy-MM-dd")`)}`);
  if (names.rate !== undefined) writeRate(draft, names.rate);
  yaml.blank();
  writeDocuments(draft, abroad, names.month);
  writeOutput(draft, abroad, { ...names, date, rate });
  yaml.put(0, 'checks:');
  if (abroad) yaml.put(2, draftCheck(`MIN(${amountOf(parts)}) >= 0`, 'error', CHECK_TEXT.paymentNegative(), analysis));
  else
    yaml.put(2, draftCheck('MIN(@operations.consumer.payments.amount) >= 0', 'error', CHECK_TEXT.paidBack(), analysis));
  yaml.blank();
}

/** Receipts per invoice of customers in other countries, or the till. */
function isAbroad(analysis: DraftAnalysis, parts: DraftColumns): boolean {
  const country = parts.role('payerCountry');
  const foreign = country ? [...country.profile.values.keys()].filter((code) => code !== 'FR').length > 0 : false;
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
  const domestic = country?.profile.values.get('FR');
  if (foreign && domestic !== undefined) {
    const rows = SAMPLE_COUNTS.rows({ count: domestic });
    analysis.notes.addQuestion(83, 'documents.keep', DRAFT_QUESTION.domesticRows({ rows }));
  }
  return abroad;
}

function dateOf(analysis: DraftAnalysis, parts: DraftColumns): string {
  if (parts.has('paymentDate')) return parts.column('paymentDate');
  analysis.notes.addQuestion(97, 'output.document.date', DRAFT_QUESTION.noPaymentDate());
  return 'TODAY()';
}

function amountOf(parts: DraftColumns): string {
  return parts.has('paymentAmount') ? parts.column('paymentAmount') : '0';
}

function writeReporter(yaml: YamlWriter, indent: number): void {
  yaml.put(indent, 'identifier: "000000000"', `${FILL_IN}: SIREN`);
  yaml.put(indent, 'identifier-type: siren');
  yaml.put(indent, `name: ${FILL_IN} - legal name of who reports`);
  yaml.put(indent, 'type: SE', DRAFT_COMMENT.asSeller());
  yaml.put(indent, 'address: { country: FR }');
  yaml.put(indent, 'e-addresses: [{ type: routing-address, value: "000000000" }]', FILL_IN);
}

function writeDocuments(draft: MappingDraft, abroad: boolean, month: string): void {
  const { yaml, analysis, parts } = draft;
  const company = parts.role('company');
  const names = definedItems([company ? scalar(company.column.name) : undefined, month]);
  yaml.put(0, 'documents:');
  yaml.put(2, `one-per: [${names.join(', ')}]`, DRAFT_COMMENT.onePerMonth());
  yaml.put(2, 'rows: anywhere', DRAFT_COMMENT.anyOrder());
  yaml.put(2, 'class: report');
  const identity = formula(`"${abroad ? 'international' : 'consumer'} " & $${month}`);
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

function writeOutput(draft: MappingDraft, abroad: boolean, names: Names): void {
  const { yaml, analysis, parts } = draft;
  yaml.put(0, 'output:');
  yaml.put(2, 'document:');
  const [mark, words] = abroad ? ['INT', 'Encaissements internationaux'] : ['B2C', 'Encaissements des particuliers'];
  yaml.put(4, `identifier: ${formula(`"ENC-${mark}-" & $${names.month}`)}`, DRAFT_COMMENT.periodNumber());
  yaml.put(4, `description: ${formula(`"${words} " & $${names.month}`)}`);
  yaml.put(4, `date: ${formula('TODAY() & "T00:00:00"')}`);
  const inside = names.date === 'TODAY()' ? 'TODAY()' : `MIN(${names.date})`;
  yaml.put(4, `period: { standard: { regime: month, date: ${formula(inside)} } }`, DRAFT_COMMENT.otherPeriods());
  const company = parts.role('company');
  if (company) yaml.put(2, `issuer: { from: ${columnName(company.column.name)}, table: reporters }`);
  else {
    yaml.put(2, 'issuer:', DRAFT_COMMENT.notInFile());
    writeReporter(yaml, 4);
  }
  yaml.put(2, 'operations:', analysis.notes.evidenceAt('output.operations'));
  yaml.put(4, abroad ? 'international:' : 'consumer:');
  yaml.put(6, 'payments:');
  // A calculated column is written bare, $rate; any other reference is a column of the file, in its own name.
  const rateName = /^\$[^[]/.test(names.rate)
    ? names.rate.slice(1)
    : groupName(parts.requireRole('vatRate').column.name);
  yaml.put(
    8,
    abroad ? 'each: row' : `each: ${value(`rows by ${names.day}, ${rateName}`)}`,
    abroad ? DRAFT_COMMENT.byInvoice() : DRAFT_COMMENT.byDayAndRate(),
  );
  yaml.put(8, 'make:');
  yaml.put(10, 'type: payment');
  yaml.put(10, `date: ${formula(`$${names.day} & "T00:00:00"`)}`);
  if (!parts.has('paymentAmount'))
    analysis.notes.addQuestion(98, 'output.payments.amount', DRAFT_QUESTION.noPaymentAmount());
  yaml.put(
    10,
    `amount: ${abroad ? value(amountOf(parts)) : formula(`SUM(${amountOf(parts)})`)}`,
    DRAFT_COMMENT.withVat(),
  );
  yaml.put(10, `currency: ${parts.has('paymentCurrency') ? parts.cell('paymentCurrency') : 'EUR'}`);
  yaml.put(10, `percent: ${names.rate}`, analysis.notes.evidenceAt('rate'));
  if (!abroad || !parts.has('invoiceRef')) return;
  const date = parts.has('invoiceDate') ? `, date: ${dateValue(parts, 'invoiceDate')}` : '';
  yaml.put(10, `references: [{ type: invoice, identifier: ${parts.cell('invoiceRef')}${date} }]`);
  if (!parts.has('invoiceDate'))
    analysis.notes.addQuestion(44, 'output.payments.references', DRAFT_QUESTION.noInvoiceDate());
}
