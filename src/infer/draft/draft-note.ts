/**
 * The draft of a Salvadoran remission note, part by part in the order of the target. Without a name of the receiver, a column
 * of destinations makes it a note between branches of the issuer.
 */

import { DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { CHECK_TEXT } from '../../i18n/messages/infer-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { FILL_IN } from '../../model/draft.ts';
import { likelyUnitOf } from '../../model/units.ts';
import type { ColumnRole } from '../analysis/column-roles.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { writeBranch, writeEmisor } from './draft-note-issuer.ts';
import {
  createDraftColumns,
  type DraftColumns,
  type DraftEntry,
  draftCheck,
  evidenceNote,
  lookupValue,
  type MappingDraft,
  tableKeys,
  UNKNOWN,
  writeTable,
} from './draft-values.ts';
import { columnName, formula, scalar, type YamlWriter } from './yaml-writer.ts';

/** What ERPs write for a type of document, and its code as YAML (CAT-022 of the Ministerio de Hacienda). */
const DOCUMENT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(?:nit|36)$/i, '"36"'],
  [/^(?:dui|13)$/i, '"13"'],
  [/^(?:pas|pasaporte|passport|03)$/i, '"03"'],
  [/^(?:carnet|res|residente|02)$/i, '"02"'],
  [/^(?:otro|37)$/i, '"37"'],
];
/** The form of a DUI; a NIT has 14 digits, with or without hyphens. */
const DUI = /^\d{8}-\d$/;

type NoteDraft = MappingDraft & {
  /** Between branches of the issuer. */
  readonly isInternal: boolean;
  /** The lines have a quantity and a price. */
  readonly isPriced: boolean;
  /** The lines have amounts. */
  readonly isValued: boolean;
};

/** Names of the calculated columns. */
type Names = { readonly year: string; readonly amount: string; readonly taxed: string; readonly exempt: string };

/** Writes the mapping from `tables` to `checks`, and adds a question for each part that no column has. */
export function draftRemissionNote(yaml: YamlWriter, analysis: DraftAnalysis): void {
  const parts = createDraftColumns(analysis);
  const isPriced = parts.has('quantity') && parts.has('price');
  const isInternal = parts.has('destination') && !parts.has('receiverName');
  const isValued = isPriced || parts.has('lineAmount');
  const draft: NoteDraft = { yaml, analysis, parts, isInternal, isPriced, isValued };
  const [year, amount, taxed, exempt] = [
    parts.free('year'),
    parts.free('amount'),
    parts.free('taxed'),
    parts.free('exempt'),
  ];
  const names: Names = { year, amount, taxed, exempt };
  writeTables(draft);
  if (!isPriced) analysis.notes.addQuestion(60, 'output.cuerpoDocumento', DRAFT_QUESTION.noPrices());
  yaml.put(0, 'calculated-columns:', DRAFT_COMMENT.perRow());
  yaml.put(2, `${year}: ${parts.has('noteDate') ? formula(`YEAR(${parts.column('noteDate')})`) : UNKNOWN.year}`);
  if (isValued) writeAmounts(draft, names);
  yaml.blank();
  writeDocuments(draft);
  yaml.put(0, 'output:');
  writeIssuer(draft);
  writeReceiver(draft);
  writeLines(draft);
  writeSummary(draft, names);
  writeRest(draft, year);
  writeTotalCheck(draft);
}

function writeTotalCheck({ yaml, analysis, parts }: NoteDraft): void {
  const total = parts.role('noteTotal');
  if (!total) {
    analysis.notes.addQuestion(46, 'checks', DRAFT_QUESTION.noNoteTotal());
    return;
  }
  const that = `ABS(@resumen.montoTotalOperacion - ${parts.column('noteTotal')}) <= 0.01`;
  yaml.put(0, 'checks:');
  yaml.put(2, draftCheck(that, 'error', CHECK_TEXT.noteDiffers({ column: total.column.name }), analysis));
  yaml.blank();
}

function writeAmounts({ yaml, analysis, parts, isPriced }: NoteDraft, { amount, taxed, exempt }: Names): void {
  const discount = parts.has('discountAmount') ? ` - IFEMPTY(${parts.column('discountAmount')}, 0)` : '';
  const product = () => formula(`ROUND(${parts.column('quantity')} * ${parts.column('price')}${discount}, 8)`);
  yaml.put(2, `${amount}: ${isPriced ? product() : parts.cell('lineAmount')}`, DRAFT_COMMENT.withoutVat());
  const yes = taxedCode(analysis, parts);
  if (yes === undefined) {
    yaml.put(2, `${taxed}: ${formula(`$${amount}`)}`, DRAFT_COMMENT.allTaxed());
    yaml.put(2, `${exempt}: 0`);
    if (isPriced) analysis.notes.addQuestion(66, 'output.resumen', DRAFT_QUESTION.allTaxed());
    return;
  }
  const isTaxed = `${parts.column('taxedFlag')} = "${yes}"`;
  yaml.put(2, `${taxed}: ${formula(`IF(${isTaxed}, $${amount}, 0)`)}`);
  yaml.put(2, `${exempt}: ${formula(`IF(${isTaxed}, 0, $${amount})`)}`);
}

/** The code of taxed lines, the likeliest one with a question; undefined without a column of such codes. */
function taxedCode({ notes }: DraftAnalysis, parts: DraftColumns): string | undefined {
  const role = parts.role('taxedFlag');
  if (!role) return undefined;
  const codes = [...role.profile.values.keys()];
  const yes = codes.find((code) => /^(?:s|si|sí|y|1|x|g|v)$/i.test(code)) ?? codes[0];
  const others = codes.filter((code) => code !== yes);
  const exempt = others.length > 0 ? others : DRAFT_QUESTION.anythingElse();
  const question = DRAFT_QUESTION.taxedCodes({ name: role.column.name, taxed: yes ?? '', exempt });
  notes.addQuestion(54, 'calculated-columns.taxed', question);
  return yes;
}

function writeTables({ yaml, analysis, parts, isInternal }: NoteDraft): void {
  const issuers = parts.role('establishment');
  const unit = parts.role('unit');
  const types = parts.role('receiverDocType');
  if (issuers || isInternal || unit || types) yaml.put(0, 'tables:');
  analysis.notes.addQuestion(100, 'output.emisor', DRAFT_QUESTION.noNoteIssuer());
  if (issuers) writePlaces(yaml, 'establishments', issuers, writeEmisor);
  if (isInternal) {
    writePlaces(yaml, 'branches', parts.requireRole('destination'), writeBranch);
    analysis.notes.addQuestion(89, 'output.receptor', DRAFT_QUESTION.ownBranch());
  }
  if (unit) writeUnits(yaml, unit, analysis);
  if (types) {
    const entries = [...types.profile.values].map(([code, rows]): DraftEntry => {
      const value = DOCUMENT_TYPES.find(([form]) => form.test(code))?.[1];
      return { code, rows, value, says: undefined };
    });
    writeTable(yaml, 'document-types', { column: types.column.name, entries, empty: '"36"' });
  }
  if (issuers || isInternal || unit || types) yaml.blank();
}

/** Units of CAT-014; 99 is any other one. */
function writeUnits(yaml: YamlWriter, unit: ColumnRole, { notes }: DraftAnalysis): void {
  const entries = [...unit.profile.values].map(([code, rows]): DraftEntry => {
    const known = likelyUnitOf(code);
    const says = known ? undefined : DRAFT_COMMENT.otherUnit();
    return { code, rows, value: String(known?.cat014 ?? 99), says };
  });
  writeTable(yaml, 'units', { column: unit.column.name, entries, empty: '99' });
  const unknown = entries.filter(({ says }) => says !== undefined).map(({ code }) => code);
  if (unknown.length > 0) notes.addQuestion(50, 'tables.units', DRAFT_QUESTION.otherUnits({ codes: unknown }));
}

/** A table with a block for each code of the column. */
function writePlaces(
  yaml: YamlWriter,
  table: string,
  role: ColumnRole,
  write: (yaml: YamlWriter, indent: number, code: string) => void,
): void {
  yaml.put(2, `${table}:`, DRAFT_COMMENT.eachCode({ column: role.column.name }));
  for (const code of tableKeys(role)) {
    yaml.put(4, `${JSON.stringify(code)}:`);
    write(yaml, 6, code);
  }
}

function writeDocuments({ yaml, analysis, parts }: NoteDraft): void {
  const { key, scope, adjacent } = analysis.grouping;
  const name = key && definedItems([scope, key].map((column) => column && columnName(column.name))).join(', ');
  yaml.put(0, 'documents:');
  const onePer = name === undefined ? 'row' : `[${name}]`;
  yaml.put(2, `one-per: ${onePer}`, analysis.notes.evidenceAt('documents.one-per'));
  if (!adjacent) yaml.put(2, 'rows: anywhere', analysis.notes.evidenceAt('documents.rows'));
  yaml.put(2, `never-twice: [${name ?? JSON.stringify('= FILE-STEM()')}]`, DRAFT_COMMENT.ownNumber());
  const status = parts.role('status');
  if (status && status.profile.values.size > 1) {
    const states = { name: status.column.name, codes: [...status.profile.values.keys()] };
    analysis.notes.addQuestion(82, 'documents.keep', DRAFT_QUESTION.statesSent(states));
  }
  yaml.blank();
}

function writeIssuer({ yaml, analysis, parts }: NoteDraft): void {
  if (parts.has('establishment')) {
    yaml.put(2, `emisor: ${lookupValue(parts, 'establishment', 'establishments')}`);
    return;
  }
  analysis.notes.addQuestion(74, 'output.emisor', DRAFT_QUESTION.noEstablishment());
  yaml.put(2, 'emisor:');
  writeEmisor(yaml, 4, FILL_IN);
}

function writeReceiver(draft: NoteDraft): void {
  const { yaml, parts, isInternal } = draft;
  if (isInternal) {
    yaml.put(2, `receptor: ${lookupValue(parts, 'destination', 'branches')}`);
    return;
  }
  yaml.put(2, 'receptor:');
  const numbers = parts.role('receiverDocNumber')?.profile.values.keys() ?? [];
  const duis = [...numbers].filter((value) => DUI.test(value)).length;
  const nit = nitCondition(parts);
  writeDocumentType(draft, duis);
  writeDocumentNumber(draft, duis, nit);
  writeTitle(draft);
  if (parts.has('nrc')) {
    const digits = `DIGITS(${parts.column('nrc')})`;
    yaml.put(4, `nrc: ${formula(nit ? `IF(${nit}, ${digits}, "")` : digits)}`, DRAFT_COMMENT.onlyNit());
  }
  writeReceiverField(draft, 'nombre', 'receiverName', FILL_IN);
  writeReceiverField(draft, 'codActividad', 'activityCode', FILL_IN);
  writeReceiverField(draft, 'descActividad', 'activityName', FILL_IN);
  writeReceiverField(draft, 'correo', 'receiverEmail', 'fill-in@example.invalid');
  writeAddress(draft);
}

/** A field of the receiver; without a column `otherwise`, with a question. */
function writeReceiverField(draft: NoteDraft, field: string, concept: string, otherwise: string): void {
  const { yaml, analysis, parts } = draft;
  const role = parts.role(concept);
  if (role) {
    yaml.put(4, `${field}: ${parts.cell(concept)}`, evidenceNote(role));
    return;
  }
  yaml.put(4, `${field}: ${otherwise}`, FILL_IN);
  analysis.notes.addQuestion(64, `output.receptor.${field}`, DRAFT_QUESTION.noReceiverField({ field }));
}

function writeDocumentType({ yaml, parts }: NoteDraft, duis: number): void {
  const put = (text: string, comment?: Parameters<YamlWriter['put']>[2]) =>
    yaml.put(4, `tipoDocumento: ${text}`, comment);
  if (parts.has('receiverDocType')) put(lookupValue(parts, 'receiverDocType', 'document-types'));
  else if (!parts.has('receiverDocNumber')) put(FILL_IN);
  else if (duis === 0) put('"36"', DRAFT_COMMENT.allNit());
  else put(formula(`IF(${hasFormOfDui(parts)}, "13", "36")`), DRAFT_COMMENT.duiForms({ count: duis }));
}

/** A NIT is sent as digits alone, a DUI with its hyphen. */
function writeDocumentNumber(draft: NoteDraft, duis: number, nit: string | undefined): void {
  const { yaml, parts } = draft;
  if (!parts.has('receiverDocNumber')) {
    writeReceiverField(draft, 'numDocumento', 'receiverDocNumber', '"00000000000000"');
    return;
  }
  const number = parts.column('receiverDocNumber');
  const digits = `DIGITS(${number})`;
  const put = (text: string, comment: Parameters<YamlWriter['put']>[2]) =>
    yaml.put(4, `numDocumento: ${formula(text)}`, comment);
  if (nit) put(`IF(${nit}, ${digits}, ${number})`, DRAFT_COMMENT.nitAndDui());
  else if (duis > 0) put(`IF(${hasFormOfDui(parts)}, ${number}, ${digits})`, DRAFT_COMMENT.nitAndDui());
  else put(digits, DRAFT_COMMENT.nitDigits());
}

function hasFormOfDui(parts: DraftColumns): string {
  return `LEN(${parts.column('receiverDocNumber')}) = 10`;
}

/** The condition in a formula that the row has a NIT; undefined where no column of types has a code for it. */
function nitCondition(parts: DraftColumns): string | undefined {
  const codes = parts.role('receiverDocType')?.profile.values.keys() ?? [];
  const code = [...codes].find((one) => /^(?:nit|36)$/i.test(one));
  return code === undefined ? undefined : `${parts.column('receiverDocType')} = "${code}"`;
}

/** In what capacity the receiver has the goods: 01 to 05 (CAT-025). Codes of the ERP's own become a question. */
function writeTitle({ yaml, analysis, parts }: NoteDraft): void {
  const role = parts.role('title');
  const codes = [...(role?.profile.values.keys() ?? [])];
  if (role && codes.every((value) => /^0[1-5]$/.test(value))) {
    yaml.put(4, `bienTitulo: ${parts.cell('title')}`, DRAFT_COMMENT.titleCodes());
    return;
  }
  yaml.put(4, `bienTitulo: ${FILL_IN}`, DRAFT_COMMENT.titles());
  const own = role && DRAFT_QUESTION.ownTitles({ name: role.column.name, codes: codes.slice(0, 5) });
  analysis.notes.addQuestion(81, 'output.receptor.bienTitulo', own ?? DRAFT_QUESTION.noTitle());
}

const ADDRESS = [
  ['departamento', 'department'],
  ['municipio', 'municipality'],
  ['complemento', 'receiverStreet'],
] as const;

function writeAddress({ yaml, analysis, parts }: NoteDraft): void {
  const fields = ADDRESS.map(([field, concept]) => `${field}: ${parts.cell(concept, FILL_IN)}`);
  const missing = ADDRESS.filter(([, concept]) => !parts.has(concept));
  yaml.put(4, `direccion: { ${fields.join(', ')} }`, missing.length > 0 ? FILL_IN : undefined);
  for (const [field] of missing)
    analysis.notes.addQuestion(64, `output.receptor.${field}`, DRAFT_QUESTION.noReceiverField({ field }));
}

function writeLines({ yaml, analysis, parts, isValued }: NoteDraft): void {
  const put = (field: string, concept: string, otherwise: string, comment: Parameters<YamlWriter['put']>[2]) => {
    const role = parts.role(concept);
    yaml.put(6, `${field}: ${parts.cell(concept, otherwise)}`, role ? evidenceNote(role) : comment);
  };
  yaml.put(2, 'cuerpoDocumento:');
  yaml.put(4, 'each: row');
  yaml.put(4, 'make:');
  put('numItem', 'lineNo', formula('ROW-NUMBER()'), DRAFT_COMMENT.noLineNumber());
  const article = parts.role('article');
  if (article) yaml.put(6, `codigo: ${parts.cell('article')}`, evidenceNote(article));
  yaml.put(6, 'tipoItem: 1', DRAFT_COMMENT.goods());
  put('descripcion', 'description', FILL_IN, DRAFT_COMMENT.noGoods());
  put('cantidad', 'quantity', UNKNOWN.quantity, undefined);
  if (!parts.has('quantity'))
    analysis.notes.addQuestion(92, 'output.cuerpoDocumento.cantidad', DRAFT_QUESTION.noQuantity());
  if (parts.has('unit')) yaml.put(6, `uniMedida: ${lookupValue(parts, 'unit', 'units')}`);
  else yaml.put(6, 'uniMedida: 59', DRAFT_COMMENT.piece59());
  yaml.put(6, `precioUni: ${isValued ? parts.cell('price', '0') : '0'}`);
}

/** The amounts of the lines follow from it. */
function writeSummary({ yaml, analysis, parts, isValued }: NoteDraft, { taxed, exempt }: Names): void {
  const discount = parts.has('discountAmount') ? `, line-discount: ${parts.cell('discountAmount')}` : '';
  const amounts = `variant: taxed, taxed: $${taxed}, exempt: $${exempt}${discount}`;
  yaml.put(2, `resumen: { standard: { ${isValued ? amounts : 'variant: zero'} } }`, DRAFT_COMMENT.summary());
  if (isValued) analysis.notes.addQuestion(56, 'output.resumen', DRAFT_QUESTION.variant());
}

function writeRest({ yaml, analysis, parts }: NoteDraft, year: string): void {
  yaml.put(2, 'extension: {}');
  yaml.put(2, `FechaGeneracion: ${generatedAt(analysis, parts)}`);
  const series = ['establishment', 'till'].flatMap((concept) => parts.role(concept)?.column.name ?? []).map(scalar);
  yaml.put(
    2,
    `NumeroSecuencial: { sequence: remission-notes, per: [${[...series, year].join(', ')}] }`,
    DRAFT_COMMENT.nextNumber(),
  );
  analysis.notes.addQuestion(71, 'output.NumeroSecuencial', DRAFT_QUESTION.officialNumber());
  yaml.put(2, 'tipoMoneda: USD');
  yaml.put(2, 'Adjuntos: []');
  yaml.blank();
}

/** The date with a time of day, as the contract asks for it; midnight where no column has one. */
function generatedAt(analysis: DraftAnalysis, parts: DraftColumns): string {
  const date = parts.role('noteDate');
  if (!date) {
    analysis.notes.addQuestion(94, 'output.FechaGeneracion', DRAFT_QUESTION.noNoteDate());
    return UNKNOWN.date;
  }
  if (date.profile.date?.timed) return parts.cell('noteDate');
  const times = parts.role('noteTime');
  if (!times) return formula(`${parts.column('noteDate')} & "T00:00:00"`);
  const hasSeconds = [...times.profile.values.keys()].every((value) => /:\d\d:\d\d$/.test(value));
  return formula(`${parts.column('noteDate')} & "T" & ${parts.column('noteTime')}${hasSeconds ? '' : ' & ":00"'}`);
}
