/** The draft of a French invoice, credit note or corrective, part by part in the order of the target. */

import { DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { FILL_IN } from '../../model/draft.ts';
import { likelyUnitOf } from '../../model/units.ts';
import { proposeFrame } from '../analysis/billing-frame.ts';
import { GOODS } from '../analysis/column-roles.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { classifyDocuments, type DocumentClass } from './document-class.ts';
import { writeDraftChecks } from './draft-checks.ts';
import { chooseNetFormula, PRICE_BASE, writeDiscounts, writeNet } from './draft-net-amount.ts';
import { writeIssuer, writeReceiver } from './draft-parties.ts';
import {
  createDraftColumns,
  type DraftColumns,
  type DraftEntry,
  dateValue,
  evidenceNote,
  lookupValue,
  type MappingDraft,
  tableKeys,
  UNKNOWN,
  writePlaceholderIssuer,
  writeTable,
} from './draft-values.ts';
import { rateName, writeRate, writeVatTable } from './draft-vat.ts';
import { allOf, columnName, formula, scalar, type YamlWriter } from './yaml-writer.ts';

/** Writes the mapping from `tables` to `checks`, and adds a question for each part that no column has. */
export function draftInvoice(yaml: YamlWriter, analysis: DraftAnalysis): void {
  const parts = createDraftColumns(analysis);
  const draft: MappingDraft = { yaml, analysis, parts };
  const kind = classifyDocuments(analysis);
  const names = { net: parts.free('net'), rate: rateName(analysis, parts) };
  const units = unitEntries(analysis, parts);
  writeTables(draft, kind, units);
  yaml.put(0, 'calculated-columns:', DRAFT_COMMENT.calculated());
  writeNet(draft, kind, names);
  if (names.rate !== undefined) writeRate(draft, names.rate);
  yaml.blank();
  writeDocuments(draft, kind);
  const rate = names.rate === undefined ? parts.cell('vatRate') : `$${names.rate}`;
  yaml.put(0, 'output:');
  writeHead(draft, units);
  writeIssuer(draft);
  writeReceiver(draft);
  writeReferences(draft, kind);
  writeLines(draft, kind, { net: `$${names.net}`, rate, units: units !== undefined });
  yaml.put(2, `totals: { standard: { net: $${names.net}, rate: ${rate} } }`, DRAFT_COMMENT.totals());
  writeNotes(yaml, parts, kind);
  yaml.blank();
  writeDraftChecks(draft, kind, { net: `$${names.net}`, rate });
}

function unitEntries(analysis: DraftAnalysis, parts: DraftColumns): readonly DraftEntry[] | undefined {
  const role = parts.role('unit');
  if (!role) return undefined;
  const entries = [...role.profile.values].map(([code, rows]): DraftEntry => {
    const known = likelyUnitOf(code);
    return {
      code,
      rows,
      value: known?.rec20 ?? scalar(code),
      says: known ? undefined : DRAFT_COMMENT.unknownUnit(),
    };
  });
  const unknown = entries.filter(({ says }) => says !== undefined).map(({ code }) => code);
  if (unknown.length > 0)
    analysis.notes.addQuestion(28, 'tables.units', DRAFT_QUESTION.unknownUnits({ codes: unknown }));
  return entries;
}

function writeTables(draft: MappingDraft, kind: DocumentClass, units: readonly DraftEntry[] | undefined): void {
  const { yaml, analysis, parts } = draft;
  const company = parts.role('company');
  if (!company && analysis.vat.kind !== 'table' && !units && kind.entries.length === 0) return;
  yaml.put(0, 'tables:');
  if (kind.entries.length > 0)
    writeTable(yaml, 'class', {
      column: parts.requireRole('docType').column.name,
      entries: kind.entries,
      empty: 'invoice',
    });
  if (analysis.vat.kind === 'table') writeVatTable(yaml, analysis.vat);
  if (units) writeTable(yaml, 'units', { column: parts.requireRole('unit').column.name, entries: units, empty: 'C62' });
  if (company && !parts.has('issuer.siren') && !parts.has('issuer.vat')) {
    yaml.put(2, 'companies:', DRAFT_COMMENT.companies({ column: company.column.name }));
    for (const code of tableKeys(company)) {
      yaml.put(4, `${JSON.stringify(code)}:`);
      writePlaceholderIssuer(yaml, 6);
    }
  }
  yaml.blank();
}

function writeDocuments(draft: MappingDraft, kind: DocumentClass): void {
  const { yaml, analysis, parts } = draft;
  const { key, scope } = analysis.grouping;
  const columns = ['company', 'docType'].flatMap((concept) => parts.role(concept)?.column ?? []);
  const names = [...new Set(definedItems([scope, ...columns, key]))].map(({ name }) => columnName(name));
  yaml.put(0, 'documents:');
  yaml.put(2, key ? `one-per: [${names.join(', ')}]` : 'one-per: row', analysis.notes.evidenceAt('documents.one-per'));
  if (!analysis.grouping.adjacent) yaml.put(2, 'rows: anywhere', analysis.notes.evidenceAt('documents.rows'));
  yaml.put(2, `class: ${kind.value}`, kind.says);
  if (key) yaml.put(2, `never-twice: [${names.join(', ')}]`, DRAFT_COMMENT.neverTwice());
  const amount = statedTotal(draft, kind);
  if (amount !== undefined) yaml.put(2, `amount: ${amount}`, DRAFT_COMMENT.statedTotal());
  writeStatus(draft);
  yaml.blank();
}

/** The total with VAT that the export has, without the minus of a credit note: what a document counts for that cannot be made. */
function statedTotal({ parts }: MappingDraft, { flips }: DocumentClass): string | undefined {
  if (parts.has('totalGross')) return flips ? formula(`ABS(${parts.column('totalGross')})`) : parts.cell('totalGross');
  if (!parts.has('lineGross')) return undefined;
  const sum = `SUM(${parts.column('lineGross')})`;
  return formula(flips ? `ABS(${sum})` : sum);
}

/** Leaves out headings, and documents whose state is not a final one; the question lists all states with their rows. */
function writeStatus(draft: MappingDraft): void {
  const { yaml, analysis, parts } = draft;
  const goods = parts.has('lineKind') ? `${parts.column('lineKind')} = "${GOODS}"` : undefined;
  const role = parts.role('status');
  if (!role || role.profile.values.size < 2) {
    if (goods) yaml.put(2, `keep: ${formula(goods)}`, DRAFT_COMMENT.noHeadings());
    return;
  }
  const good = [...role.profile.values.keys()].find((one) =>
    /^(?:valid|ok|confirm|comptab|post|definit|final|emis|emit|f$|v$)/i.test(
      one.normalize('NFD').replace(/\p{M}/gu, ''),
    ),
  );
  const codes = [...role.profile.values].map(([code, count]) =>
    SAMPLE_COUNTS.codeRows({ code, rows: SAMPLE_COUNTS.rows({ count }) }),
  );
  const { name } = role.column;
  analysis.notes.addQuestion(
    82,
    'documents.keep',
    good === undefined
      ? DRAFT_QUESTION.statesAll({ name, codes })
      : DRAFT_QUESTION.statesKept({ name, codes, kept: good }),
  );
  if (good === undefined) yaml.comment(2, DRAFT_COMMENT.keepStates({ column: parts.column('status'), codes }));
  const conditions = definedItems([
    good === undefined ? undefined : `${parts.column('status')} = "${good.replaceAll('"', '""')}"`,
    goods || undefined,
  ]);
  if (conditions.length > 0) yaml.put(2, `keep: ${formula(allOf(conditions))}`, SAMPLE_COUNTS.list({ items: codes }));
}

function writeHead(draft: MappingDraft, units: readonly DraftEntry[] | undefined): void {
  const { yaml, analysis, parts } = draft;
  yaml.put(2, 'document:');
  if (parts.has('number'))
    yaml.put(4, `identifier: ${parts.cell('number')}`, evidenceNote(parts.requireRole('number')));
  else yaml.put(4, `identifier: ${UNKNOWN.number}`, DRAFT_COMMENT.noNumber());
  if (parts.has('series')) yaml.comment(4, DRAFT_COMMENT.series({ cell: parts.cell('series') }));
  if (parts.has('date')) yaml.put(4, `date: ${dateValue(parts, 'date')}`, evidenceNote(parts.requireRole('date')));
  else {
    yaml.put(4, `date: ${UNKNOWN.date}`, DRAFT_COMMENT.noDate());
    analysis.notes.addQuestion(94, 'output.document.date', DRAFT_QUESTION.noDate());
  }
  writeDue(draft);
  writeCurrency(draft);
  yaml.put(4, 'language: fr');
  writeFrame(yaml, analysis, units);
}

function writeFrame(yaml: YamlWriter, analysis: DraftAnalysis, units: readonly DraftEntry[] | undefined): void {
  const known = (units ?? []).map(({ code }) => likelyUnitOf(code)?.rec20);
  const frame = proposeFrame(known);
  yaml.put(4, 'additional-info:');
  yaml.put(6, `- { key: business-process, value: ${frame.code} }`, DRAFT_COMMENT.frame({ reason: frame.reason }));
  analysis.notes.addQuestion(46, 'output.document.additional-info', DRAFT_QUESTION.frame(frame));
}

/** The due date from a column, or from the days of the terms; a comment and a question without both. */
function writeDue(draft: MappingDraft): void {
  const { yaml, analysis, parts } = draft;
  if (parts.has('due')) yaml.put(4, `date-due: ${dateValue(parts, 'due')}`, evidenceNote(parts.requireRole('due')));
  else if (parts.has('termDays') && parts.requireRole('termDays').profile.number && parts.has('date')) {
    yaml.put(
      4,
      `date-due: ${formula(`DUE-DATE(${parts.column('date')}, ${parts.column('termDays')}, "days")`)}`,
      DRAFT_COMMENT.dueInDays(),
    );
    analysis.notes.addQuestion(52, 'output.document.date-due', DRAFT_QUESTION.dueInDays());
  } else {
    yaml.comment(4, DRAFT_COMMENT.dueMissing());
    analysis.notes.addQuestion(48, 'output.document.date-due', DRAFT_QUESTION.noDue());
  }
}

function writeCurrency(draft: MappingDraft): void {
  const { yaml, analysis, parts } = draft;
  const role = parts.role('currency');
  if (!role) {
    yaml.put(4, 'currency: EUR', DRAFT_COMMENT.allEuros());
    analysis.notes.addQuestion(25, 'output.document.currency', DRAFT_QUESTION.noCurrency());
  } else if (role.profile.filled < analysis.table.rows.length) {
    yaml.put(
      4,
      `currency: ${formula(`IFEMPTY(${parts.column('currency')}, "EUR")`)}`,
      DRAFT_COMMENT.emptyEuros({
        rows: SAMPLE_COUNTS.rows({ count: analysis.table.rows.length - role.profile.filled }),
      }),
    );
  } else yaml.put(4, `currency: ${parts.cell('currency')}`, [...role.profile.values.keys()].slice(0, 5).join(', '));
}

function writeReferences(draft: MappingDraft, kind: DocumentClass): void {
  const { yaml, analysis, parts } = draft;
  const entries = definedItems([
    parts.has('orderRef') ? `- { type: buyer-reference, identifier: ${parts.cell('orderRef')} }` : undefined,
    parts.has('originalNumber')
      ? `- { type: original-invoice, identifier: ${parts.cell('originalNumber')}${parts.has('originalDate') ? `, date: ${dateValue(parts, 'originalDate')}` : ''} }`
      : undefined,
  ]);
  if (kind.corrects && !parts.has('originalNumber'))
    analysis.notes.addQuestion(87, 'output.references', DRAFT_QUESTION.noOriginal());
  else if (kind.corrects && !parts.has('originalDate'))
    analysis.notes.addQuestion(78, 'output.references', DRAFT_QUESTION.noOriginalDate());
  if (entries.length === 0) return;
  yaml.put(2, 'references:', DRAFT_COMMENT.emptyEntry());
  for (const entry of entries) yaml.put(4, entry);
}

function writeLines(
  draft: MappingDraft,
  kind: DocumentClass,
  given: { readonly net: string; readonly rate: string; readonly units: boolean },
): void {
  const { yaml, analysis, parts } = draft;
  const put = (field: string, text: string, concept?: string) =>
    yaml.put(6, `${field}: ${text}`, concept ? evidenceNote(parts.requireRole(concept)) : undefined);
  yaml.put(2, 'lines:');
  yaml.put(4, 'each: row');
  yaml.put(4, 'make:');
  if (parts.has('lineNo')) put('number', parts.cell('lineNo'), 'lineNo');
  else
    yaml.put(
      6,
      `number: ${formula('ROW-NUMBER()')}`,
      analysis.grouping.proven ? DRAFT_COMMENT.noLineNumber() : DRAFT_COMMENT.oneLineEach(),
    );
  if (parts.has('article')) put('identifier', parts.cell('article'), 'article');
  if (parts.has('description')) put('description', parts.cell('description'), 'description');
  else {
    yaml.put(6, `description: ${FILL_IN}`, DRAFT_COMMENT.noDescription());
    analysis.notes.addQuestion(68, 'output.lines.description', DRAFT_QUESTION.noDescription());
  }
  const hasQuantity = parts.has('quantity');
  put('quantity', hasQuantity ? signedQuantity(parts, kind) : '1', hasQuantity ? 'quantity' : undefined);
  if (given.units) put('unit', lookupValue(parts, 'unit', 'units'));
  else yaml.put(6, 'unit: C62', DRAFT_COMMENT.pieces());
  const price = unitPrice(draft, given.net);
  put('unit-price', price, parts.has('price') && price === parts.cell('price') ? 'price' : undefined);
  yaml.put(6, `net-amount: ${given.net}`);
  const rateColumn = parts.has('vatRate') && !given.rate.startsWith('$') ? parts.column('vatRate') : given.rate;
  yaml.put(6, 'taxes:');
  yaml.put(
    8,
    `- { type: vat, subtype: standard, percent: ${given.rate}, amount: ${formula(`ROUND(${given.net} * ${rateColumn} / 100, 2)`)} }`,
  );
  writeDiscounts(draft);
}

function signedQuantity(parts: DraftColumns, kind: DocumentClass): string {
  const quantity = kind.signed(parts.column('quantity'));
  return quantity.startsWith('$') ? parts.cell('quantity') : formula(quantity);
}

/** The column of prices, calculated where the price is of several units, or the net of one unit. */
function unitPrice({ analysis, parts }: MappingDraft, net: string): string {
  if (parts.has('quantity') && parts.has('price') && parts.has('priceBase'))
    return formula(`ROUND(${parts.column('price')} / ${parts.column('priceBase')}, 6)`);
  const per = PRICE_BASE[chooseNetFormula(analysis).formula ?? 'line-net'];
  if (per) return formula(`ROUND(${parts.column('price')} / ${per}, 6)`);
  if (parts.has('price')) return parts.cell('price');
  return parts.has('quantity')
    ? formula(`ROUND(ABS(${net} / ${parts.column('quantity')}), 6)`)
    : formula(`ABS(${net})`);
}

function writeNotes(yaml: YamlWriter, parts: DraftColumns, kind: DocumentClass): void {
  const notes = definedItems([
    parts.has('comment') ? `- { content: ${parts.cell('comment')} }` : undefined,
    parts.has('reason') && kind.corrects
      ? `- { tag: credit-note-reason, content: ${parts.cell('reason')} }`
      : undefined,
  ]);
  const says = DRAFT_COMMENT.mentions();
  if (notes.length === 0) yaml.put(2, 'notes: { standard: {} }', says);
  else {
    yaml.put(2, 'notes:');
    for (const note of notes) yaml.put(4, note);
    yaml.put(4, '- standard: {}', says);
  }
}
