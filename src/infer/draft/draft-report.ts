/** The draft of a French report of payments: with consumers, one amount per day and rate; abroad, one per invoice. */

import { CHECK_TEXT } from '../../i18n/messages/infer-messages.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { count } from '../findings/draft-findings.ts';
import { day, draftCheck, FILL_IN, keysOf, type Parts, partsOf } from './draft-values.ts';
import { hasPlainRates, writeRate, writeVatTable } from './draft-vat.ts';
import { columnName, formula, groupName, type Page, scalar, value } from './yaml-writer.ts';

export function writeReport(page: Page, u: DraftAnalysis): void {
  const parts = partsOf(u);
  const abroad = isAbroad(u, parts);
  const names = {
    day: parts.free('day'),
    month: parts.free('month'),
    rate: hasPlainRates(u) ? undefined : parts.free('rate'),
  };
  const rate = names.rate === undefined ? parts.cell('vatRate') : `$${names.rate}`;
  const company = parts.role('company');
  if (company || u.vat.kind === 'table') page.put(0, 'tables:');
  if (u.vat.kind === 'table') writeVatTable(page, u.vat);
  if (company) {
    page.put(2, 'reporters:', `who reports, for each code of column "${company.column.name}"`);
    for (const code of keysOf(company)) {
      page.put(4, `${JSON.stringify(code)}:`);
      writeReporter(page, 6);
    }
  }
  u.notes.ask(
    100,
    'output.issuer',
    `Issuer: the file does not say who reports. Replace every "${FILL_IN}": name, SIREN, role.`,
  );
  if (company || u.vat.kind === 'table') page.blank();
  const date = dateOf(u, parts);
  page.put(0, 'calculated-columns:', 'one value per row');
  page.put(
    2,
    `${names.month}: ${formula(`TEXT(${date}, "yyyy-MM")`)}`,
    'one report per month: is the reporting period another?',
  );
  page.put(2, `${names.day}: ${formula(`TEXT(${date}, "yyyy-MM-dd")`)}`);
  if (names.rate !== undefined) writeRate(page, u, parts, names.rate);
  page.blank();
  writeDocuments(page, u, parts, abroad, names.month);
  writeOutput(page, u, parts, abroad, { ...names, date, rate });
  page.put(0, 'checks:');
  if (abroad) page.put(2, draftCheck(`MIN(${amountOf(parts)}) >= 0`, 'error', CHECK_TEXT.paymentNegative(), u));
  else page.put(2, draftCheck('MIN(@operations.consumer.payments.amount) >= 0', 'error', CHECK_TEXT.paidBack(), u));
  page.blank();
}

/** Receipts per invoice of customers in other countries, or the till. */
function isAbroad(u: DraftAnalysis, parts: Parts): boolean {
  const country = parts.role('payerCountry');
  const foreign = country ? [...country.profile.values.keys()].filter((code) => code !== 'FR').length > 0 : false;
  const ticket = parts.has('ticket') || parts.has('till');
  const abroad = foreign || (parts.has('invoiceRef') && !ticket);
  const evidence = () => {
    if (foreign) return 'countries other than FR are in the file';
    if (abroad) return 'each payment names its invoice';
    return ticket ? 'the rows are tickets' : 'no invoice and no country';
  };
  const says = evidence();
  u.notes.found('output.operations', says);
  u.notes.ask(
    76,
    'output.operations',
    `Operations: taken as payments ${abroad ? 'from abroad (international)' : 'of consumers'}, because ${says}. Is that so?`,
  );
  if (foreign && country!.profile.values.has('FR'))
    u.notes.ask(
      83,
      'documents.keep',
      `${count(country!.profile.values.get('FR')!, 'row')} with country FR stand among payments from abroad: they do not belong into this report.`,
    );
  return abroad;
}

function dateOf(u: DraftAnalysis, parts: Parts): string {
  if (parts.has('paymentDate')) return parts.column('paymentDate');
  u.notes.ask(97, 'output.document.date', 'No column holds the date of the payment: the day of the run is taken.');
  return 'TODAY()';
}

function amountOf(parts: Parts): string {
  return parts.has('paymentAmount') ? parts.column('paymentAmount') : '0';
}

function writeReporter(page: Page, indent: number): void {
  page.put(indent, 'identifier: "000000000"', `${FILL_IN}: SIREN`);
  page.put(indent, 'identifier-type: siren');
  page.put(indent, `name: ${FILL_IN} - legal name of who reports`);
  page.put(indent, 'type: SE', 'reports as the seller');
  page.put(indent, 'address: { country: FR }');
  page.put(indent, 'e-addresses: [{ type: routing-address, value: "000000000" }]', FILL_IN);
}

function writeDocuments(page: Page, u: DraftAnalysis, parts: Parts, abroad: boolean, month: string): void {
  const company = parts.role('company');
  const names = [...(company ? [scalar(company.column.name)] : []), month];
  page.put(0, 'documents:');
  page.put(2, `one-per: [${names.join(', ')}]`, 'one report per month');
  page.put(2, 'rows: anywhere', 'payments need not be sorted by month');
  page.put(2, 'class: report');
  const identity = formula(`"${abroad ? 'international' : 'consumer'} " & $${month}`);
  page.put(2, `never-twice: [${[...names.slice(0, -1), identity].join(', ')}]`);
  const status = parts.role('status');
  if (status && status.profile.values.size > 1) {
    const cancelled = [...status.profile.values.keys()].filter((code) =>
      /^(?:annul|cancel|void|abandon|ko\b|x$)/i.test(code),
    );
    const codes = [...status.profile.values].map(([code, rows]) => `${code} (${rows})`).join(', ');
    u.notes.ask(
      82,
      'documents.keep',
      `Column "${status.column.name}" tells states: ${codes}. ${cancelled.length > 0 ? `${cancelled.join(', ')} is left out.` : 'All rows are reported: write keep: if some must not be.'}`,
    );
    const keep = cancelled.map((code) => `${parts.column('status')} <> "${code.replaceAll('"', '""')}"`);
    if (keep.length > 0) page.put(2, `keep: ${formula(keep.length > 1 ? `AND(${keep.join(', ')})` : keep[0]!)}`, codes);
  }
  page.blank();
}

type Names = { readonly month: string; readonly day: string; readonly date: string; readonly rate: string };

function writeOutput(page: Page, u: DraftAnalysis, parts: Parts, abroad: boolean, names: Names): void {
  page.put(0, 'output:');
  page.put(2, 'document:');
  const [mark, words] = abroad ? ['INT', 'Encaissements internationaux'] : ['B2C', 'Encaissements des particuliers'];
  page.put(4, `identifier: ${formula(`"ENC-${mark}-" & $${names.month}`)}`, 'a number of its own for each period');
  page.put(4, `description: ${formula(`"${words} " & $${names.month}`)}`);
  page.put(4, `date: ${formula('TODAY() & "T00:00:00"')}`);
  const inside = names.date === 'TODAY()' ? 'TODAY()' : `MIN(${names.date})`;
  page.put(4, `period: { standard: { regime: month, date: ${formula(inside)} } }`, 'or decade, or two-months');
  const company = parts.role('company');
  if (company) page.put(2, `issuer: { from: ${columnName(company.column.name)}, table: reporters }`);
  else {
    page.put(2, 'issuer:', 'not in the file');
    writeReporter(page, 4);
  }
  page.put(2, 'operations:', u.notes.of('output.operations'));
  page.put(4, abroad ? 'international:' : 'consumer:');
  page.put(6, 'payments:');
  // A calculated column is written bare, $rate; any other reference is a column of the file, in its own name.
  const rateName = /^\$[^[]/.test(names.rate) ? names.rate.slice(1) : groupName(parts.role('vatRate')!.column.name);
  page.put(
    8,
    abroad ? 'each: row' : `each: ${value(`rows by ${names.day}, ${rateName}`)}`,
    abroad ? 'invoice by invoice' : 'one entry per day and rate',
  );
  page.put(8, 'make:');
  page.put(10, 'type: payment');
  page.put(10, `date: ${formula(`$${names.day} & "T00:00:00"`)}`);
  if (!parts.has('paymentAmount'))
    u.notes.ask(98, 'output.payments.amount', 'No column holds the amount of the payments: 0 was written.');
  page.put(10, `amount: ${abroad ? value(amountOf(parts)) : formula(`SUM(${amountOf(parts)})`)}`, 'with VAT: is it?');
  page.put(10, `currency: ${parts.has('paymentCurrency') ? parts.cell('paymentCurrency') : 'EUR'}`);
  page.put(10, `percent: ${names.rate}`, u.notes.of('rate'));
  if (!abroad || !parts.has('invoiceRef')) return;
  const date = parts.has('invoiceDate') ? `, date: ${day(parts, 'invoiceDate')}` : '';
  page.put(10, `references: [{ type: invoice, identifier: ${parts.cell('invoiceRef')}${date} }]`);
  if (!parts.has('invoiceDate'))
    u.notes.ask(44, 'output.payments.references', 'No column holds the date of the invoice that was paid.');
}
