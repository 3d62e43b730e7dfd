/** The draft of a French invoice, credit note or corrective, part by part in the order of the target. */
import { likelyUnitOf } from '../../model/units.ts';
import { frameQuestion, proposedFrame } from '../analysis/billing-frame.ts';
import { GOODS } from '../analysis/column-roles.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { count } from '../findings/draft-findings.ts';
import { type DocumentClass, understandClass } from './document-class.ts';
import { writeDraftChecks } from './draft-checks.ts';
import { netOf, PRICE_BASE, rateName, writeDiscounts, writeNet } from './draft-net-amount.ts';
import { writeIssuer, writeReceiver } from './draft-parties.ts';
import {
  type DraftEntry,
  day,
  evidenceNote,
  FILL_IN,
  keysOf,
  lookUp,
  type Parts,
  partsOf,
  writePlaceholderIssuer,
  writeTable,
} from './draft-values.ts';
import { writeRate, writeVatTable } from './draft-vat.ts';
import { columnName, formula, type Page, scalar } from './yaml-writer.ts';

export function writeInvoice(page: Page, u: DraftAnalysis): void {
  const parts = partsOf(u);
  const kind = understandClass(u);
  const names = { net: parts.free('net'), rate: rateName(u, parts) };
  const units = unitEntries(u, parts);
  writeTables(page, u, parts, kind, units);
  page.put(0, 'calculated-columns:', 'one value per row, like a calculated column in a spreadsheet');
  writeNet(page, u, parts, kind, names);
  if (names.rate !== undefined) writeRate(page, u, parts, names.rate);
  page.blank();
  writeDocuments(page, u, parts, kind);
  const rate = names.rate === undefined ? parts.cell('vatRate') : `$${names.rate}`;
  page.put(0, 'output:');
  writeHead(page, u, parts, units);
  writeIssuer(page, u, parts);
  writeReceiver(page, u, parts);
  writeReferences(page, u, parts, kind);
  writeLines(page, u, parts, kind, { net: `$${names.net}`, rate, units: units !== undefined });
  page.put(
    2,
    `totals: { standard: { net: $${names.net}, rate: ${rate} } }`,
    'net of the lines, VAT per rate, final amount',
  );
  writeNotes(page, parts, kind);
  page.blank();
  writeDraftChecks(page, u, parts, kind, { net: `$${names.net}`, rate });
}

function unitEntries(u: DraftAnalysis, parts: Parts): readonly DraftEntry[] | undefined {
  const role = parts.role('unit');
  if (!role) return undefined;
  const entries = [...role.profile.values].map(([code, rows]): DraftEntry => {
    const known = likelyUnitOf(code);
    return {
      code,
      rows,
      value: known?.rec20 ?? scalar(code),
      says: known ? '' : `${FILL_IN}: not known here, passed on as it is`,
    };
  });
  const unknown = entries.filter(({ says }) => says !== '').map(({ code }) => code);
  if (unknown.length > 0)
    u.notes.ask(
      28,
      'tables.units',
      `Units that are not known: ${unknown.join(', ')}. They are passed on as they are; put the UN/ECE code.`,
    );
  return entries;
}

function writeTables(
  page: Page,
  u: DraftAnalysis,
  parts: Parts,
  kind: DocumentClass,
  units: readonly DraftEntry[] | undefined,
): void {
  const company = parts.role('company');
  if (!company && u.vat.kind !== 'table' && !units && kind.entries.length === 0) return;
  page.put(0, 'tables:');
  if (kind.entries.length > 0) writeTable(page, 'class', parts.role('docType')!.column.name, kind.entries, 'invoice');
  if (u.vat.kind === 'table') writeVatTable(page, u.vat);
  if (units) writeTable(page, 'units', parts.role('unit')!.column.name, units, 'C62');
  if (company && !parts.has('issuer.siren') && !parts.has('issuer.vat')) {
    page.put(2, 'companies:', `who issues, for each code of column "${company.column.name}"`);
    for (const code of keysOf(company)) {
      page.put(4, `${JSON.stringify(code)}:`);
      writePlaceholderIssuer(page, 6);
    }
  }
  page.blank();
}

function writeDocuments(page: Page, u: DraftAnalysis, parts: Parts, kind: DocumentClass): void {
  const { key } = u.grouping;
  const columns = ['company', 'docType'].flatMap((concept) => parts.role(concept)?.column ?? []);
  const names = [...columns, ...(key ? [key] : [])].map(({ name }) => columnName(name));
  page.put(0, 'documents:');
  page.put(2, key ? `one-per: [${names.join(', ')}]` : 'one-per: row', u.notes.of('documents.one-per'));
  if (!u.grouping.adjacent) page.put(2, 'rows: anywhere', u.notes.of('documents.rows'));
  page.put(2, `class: ${kind.value}`, kind.says);
  if (key) page.put(2, `never-twice: [${names.join(', ')}]`, 'what identifies a document for ever');
  writeStatus(page, u, parts);
  page.blank();
}

function writeStatus(page: Page, u: DraftAnalysis, parts: Parts): void {
  const goods = parts.has('lineKind') ? `${parts.column('lineKind')} = "${GOODS}"` : undefined;
  const role = parts.role('status');
  if (!role || role.profile.values.size < 2) {
    if (goods) page.put(2, `keep: ${formula(goods)}`, 'no headings and notes between the lines');
    return;
  }
  const good = [...role.profile.values.keys()].find((one) =>
    /^(?:valid|ok|confirm|comptab|post|definit|final|emis|emit|f$|v$)/i.test(
      one.normalize('NFD').replace(/\p{M}/gu, ''),
    ),
  );
  const codes = [...role.profile.values].map(([code, rows]) => `${code} (${count(rows, 'row')})`).join(', ');
  u.notes.ask(
    82,
    'documents.keep',
    `Column "${role.column.name}" tells states: ${codes}. ${good === undefined ? 'All are sent as the draft stands: write keep: if drafts are among them.' : `Only ${good} is kept.`}`,
  );
  if (good === undefined) page.comment(2, `keep: = ${parts.column('status')} = "..."   states: ${codes}`);
  const conditions = [
    ...(good === undefined ? [] : [`${parts.column('status')} = "${good.replaceAll('"', '""')}"`]),
    ...(goods ? [goods] : []),
  ];
  if (conditions.length > 0)
    page.put(2, `keep: ${formula(conditions.length > 1 ? `AND(${conditions.join(', ')})` : conditions[0]!)}`, codes);
}

function writeHead(page: Page, u: DraftAnalysis, parts: Parts, units: readonly DraftEntry[] | undefined): void {
  page.put(2, 'document:');
  if (parts.has('number')) page.put(4, `identifier: ${parts.cell('number')}`, evidenceNote(parts.role('number')!));
  else page.put(4, `identifier: ${formula('FILE-STEM()')}`, `${FILL_IN}: no column holds the number of the document`);
  if (parts.has('series'))
    page.comment(4, `series: ${parts.cell('series')}   is the series part of the number already?`);
  if (parts.has('date')) page.put(4, `date: ${day(parts, 'date')}`, evidenceNote(parts.role('date')!));
  else {
    page.put(4, `date: ${formula('TODAY()')}`, `${FILL_IN}: no column holds the date of the document`);
    u.notes.ask(94, 'output.document.date', 'No column holds the date of the document: the day of the run is taken.');
  }
  writeDue(page, u, parts);
  writeCurrency(page, u, parts);
  page.put(4, 'language: fr');
  writeFrame(page, u, units);
}

function writeFrame(page: Page, u: DraftAnalysis, units: readonly DraftEntry[] | undefined): void {
  const known = (units ?? []).map(({ code }) => likelyUnitOf(code)?.rec20);
  const frame = proposedFrame(known);
  page.put(4, 'additional-info:');
  page.put(6, `- { key: business-process, value: ${frame.code} }`, `billing frame, proposed: ${frame.because}`);
  u.notes.ask(46, 'output.document.additional-info', frameQuestion(frame));
}

function writeDue(page: Page, u: DraftAnalysis, parts: Parts): void {
  if (parts.has('due')) page.put(4, `date-due: ${day(parts, 'due')}`, evidenceNote(parts.role('due')!));
  else if (parts.has('termDays') && parts.role('termDays')!.profile.number && parts.has('date')) {
    page.put(
      4,
      `date-due: ${formula(`DUE-DATE(${parts.column('date')}, ${parts.column('termDays')}, "days")`)}`,
      'the file has days, no date',
    );
    u.notes.ask(
      52,
      'output.document.date-due',
      'Due date: computed from a number of days. Does "end of month" come on top?',
    );
  } else {
    page.comment(4, `date-due: = DUE-DATE($date, 30, "days")   ${FILL_IN}: the file has no due date`);
    u.notes.ask(
      48,
      'output.document.date-due',
      'No column holds the due date: the field is left out. An invoice to be paid needs it or terms of payment.',
    );
  }
}

function writeCurrency(page: Page, u: DraftAnalysis, parts: Parts): void {
  const role = parts.role('currency');
  if (!role) {
    page.put(4, 'currency: EUR', 'no column of currencies: all in euros?');
    u.notes.ask(25, 'output.document.currency', 'Currency: no column tells it, EUR was written.');
  } else if (role.profile.filled < u.table.rows.length) {
    page.put(
      4,
      `currency: ${formula(`IFEMPTY(${parts.column('currency')}, "EUR")`)}`,
      `empty on ${count(u.table.rows.length - role.profile.filled, 'row')}: taken as euros`,
    );
  } else page.put(4, `currency: ${parts.cell('currency')}`, [...role.profile.values.keys()].slice(0, 5).join(', '));
}

function writeReferences(page: Page, u: DraftAnalysis, parts: Parts, kind: DocumentClass): void {
  const entries = [
    ...(parts.has('orderRef') ? [`- { type: buyer-reference, identifier: ${parts.cell('orderRef')} }`] : []),
    ...(parts.has('originalNumber')
      ? [
          `- { type: original-invoice, identifier: ${parts.cell('originalNumber')}${parts.has('originalDate') ? `, date: ${day(parts, 'originalDate')}` : ''} }`,
        ]
      : []),
  ];
  if (kind.corrects && !parts.has('originalNumber'))
    u.notes.ask(
      87,
      'output.references',
      'Credit notes and correctives name the invoice they correct, and no column holds its number.',
    );
  else if (kind.corrects && !parts.has('originalDate'))
    u.notes.ask(
      78,
      'output.references',
      'The date of the corrected invoice is asked for in France, and no column holds it.',
    );
  if (entries.length === 0) return;
  page.put(2, 'references:', 'an empty cell leaves its entry out');
  for (const entry of entries) page.put(4, entry);
}

function writeLines(
  page: Page,
  u: DraftAnalysis,
  parts: Parts,
  kind: DocumentClass,
  given: { readonly net: string; readonly rate: string; readonly units: boolean },
): void {
  const put = (field: string, text: string, concept?: string) =>
    page.put(6, `${field}: ${text}`, concept ? evidenceNote(parts.role(concept)!) : undefined);
  page.put(2, 'lines:');
  page.put(4, 'each: row');
  page.put(4, 'make:');
  if (parts.has('lineNo')) put('number', parts.cell('lineNo'), 'lineNo');
  else
    page.put(
      6,
      `number: ${formula('ROW-NUMBER()')}`,
      u.grouping.proven ? 'no column counts the lines' : 'each document of the sample has one line',
    );
  if (parts.has('article')) put('identifier', parts.cell('article'), 'article');
  if (parts.has('description')) put('description', parts.cell('description'), 'description');
  else {
    page.put(6, `description: ${FILL_IN}`, 'no column describes the line');
    u.notes.ask(68, 'output.lines.description', 'No column describes the lines.');
  }
  const priced = parts.has('quantity') && parts.has('price');
  const per = PRICE_BASE[netOf(u).formula ?? 'line-net'];
  const quantity = kind.signed(parts.has('quantity') ? parts.column('quantity') : '1');
  put(
    'quantity',
    parts.has('quantity') ? (quantity.startsWith('$') ? parts.cell('quantity') : formula(quantity)) : '1',
    parts.has('quantity') ? 'quantity' : undefined,
  );
  if (given.units) put('unit', lookUp(parts, 'unit', 'units'));
  else page.put(6, 'unit: C62', 'no column of units: pieces');
  if (priced && parts.has('priceBase'))
    put('unit-price', formula(`ROUND(${parts.column('price')} / ${parts.column('priceBase')}, 6)`));
  else if (per) put('unit-price', formula(`ROUND(${parts.column('price')} / ${per}, 6)`));
  else if (parts.has('price')) put('unit-price', parts.cell('price'), 'price');
  else
    put(
      'unit-price',
      parts.has('quantity')
        ? formula(`ROUND(ABS(${given.net} / ${parts.column('quantity')}), 6)`)
        : formula(`ABS(${given.net})`),
    );
  page.put(6, `net-amount: ${given.net}`);
  const rateColumn = parts.has('vatRate') && !given.rate.startsWith('$') ? parts.column('vatRate') : given.rate;
  page.put(6, 'taxes:');
  page.put(
    8,
    `- { type: vat, subtype: standard, percent: ${given.rate}, amount: ${formula(`ROUND(${given.net} * ${rateColumn} / 100, 2)`)} }`,
  );
  writeDiscounts(page, u, parts);
}

function writeNotes(page: Page, parts: Parts, kind: DocumentClass): void {
  const notes = [
    ...(parts.has('comment') ? [`- { content: ${parts.cell('comment')} }`] : []),
    ...(parts.has('reason') && kind.corrects
      ? [`- { tag: credit-note-reason, content: ${parts.cell('reason')} }`]
      : []),
  ];
  const says = 'the three mentions French law asks for: compare with your terms of sale';
  if (notes.length === 0) page.put(2, 'notes: { standard: {} }', says);
  else {
    page.put(2, 'notes:');
    for (const note of notes) page.put(4, note);
    page.put(4, '- standard: {}', says);
  }
}
