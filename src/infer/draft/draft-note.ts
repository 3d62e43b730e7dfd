/** The draft of a Salvadoran remission note, part by part in the order of the target. */

import { DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { CHECK_TEXT } from '../../i18n/messages/infer-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
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
  FILL_IN,
  type MappingDraft,
  tableKeys,
  writeTable,
} from './draft-values.ts';
import { columnName, formula, scalar, type YamlWriter } from './yaml-writer.ts';

const DOCUMENT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(?:nit|36)$/i, '36'],
  [/^(?:dui|13)$/i, '13'],
  [/^(?:pas|pasaporte|passport|03)$/i, '03'],
  [/^(?:carnet|res|residente|02)$/i, '02'],
  [/^(?:otro|37)$/i, '37'],
];

export function draftRemissionNote(yaml: YamlWriter, analysis: DraftAnalysis): void {
  const parts = createDraftColumns(analysis);
  const draft: MappingDraft = { yaml, analysis, parts };
  const names = {
    year: parts.free('year'),
    amount: parts.free('amount'),
    taxed: parts.free('taxed'),
    exempt: parts.free('exempt'),
  };
  const internal = parts.has('destination') && !parts.has('receiverName');
  writeTables(draft, internal);
  const priced = parts.has('quantity') && parts.has('price');
  if (!priced) analysis.notes.addQuestion(60, 'output.cuerpoDocumento', DRAFT_QUESTION.noPrices());
  const valued = priced || parts.has('lineAmount');
  yaml.put(0, 'calculated-columns:', DRAFT_COMMENT.perRow());
  yaml.put(
    2,
    `${names.year}: ${parts.has('noteDate') ? formula(`YEAR(${parts.column('noteDate')})`) : formula('YEAR(TODAY())')}`,
  );
  if (valued) writeAmounts(draft, names, priced);
  yaml.blank();
  writeDocuments(draft);
  yaml.put(0, 'output:');
  writeIssuer(draft);
  writeReceiver(draft, internal);
  writeLines(draft, valued);
  writeSummary(draft, names, valued);
  writeRest(draft, names.year);
  if (parts.has('noteTotal')) {
    yaml.put(0, 'checks:');
    yaml.put(
      2,
      draftCheck(
        `ABS(@resumen.montoTotalOperacion - ${parts.column('noteTotal')}) <= 0.01`,
        'error',
        CHECK_TEXT.noteDiffers({ column: parts.requireRole('noteTotal').column.name }),
        analysis,
      ),
    );
    yaml.blank();
  } else analysis.notes.addQuestion(46, 'checks', DRAFT_QUESTION.noNoteTotal());
}

type Names = { readonly amount: string; readonly taxed: string; readonly exempt: string };

function writeAmounts(draft: MappingDraft, names: Names, priced: boolean): void {
  const { yaml, analysis, parts } = draft;
  const discount = parts.has('discountAmount') ? ` - IFEMPTY(${parts.column('discountAmount')}, 0)` : '';
  const product = () => formula(`ROUND(${parts.column('quantity')} * ${parts.column('price')}${discount}, 8)`);
  yaml.put(2, `${names.amount}: ${priced ? product() : parts.cell('lineAmount')}`, DRAFT_COMMENT.withoutVat());
  const yes = taxedCode(analysis, parts);
  yaml.put(
    2,
    `${names.taxed}: ${yes ? formula(`IF(${parts.column('taxedFlag')} = "${yes}", $${names.amount}, 0)`) : formula(`$${names.amount}`)}`,
    yes ? undefined : DRAFT_COMMENT.allTaxed(),
  );
  yaml.put(
    2,
    `${names.exempt}: ${yes ? formula(`IF(${parts.column('taxedFlag')} = "${yes}", 0, $${names.amount})`) : '0'}`,
  );
  if (!yes && priced) analysis.notes.addQuestion(66, 'output.resumen', DRAFT_QUESTION.allTaxed());
}

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

function writeTables(draft: MappingDraft, internal: boolean): void {
  const { yaml, analysis, parts } = draft;
  yaml.put(0, 'tables:');
  const issuers = parts.role('establishment');
  analysis.notes.addQuestion(100, 'output.emisor', DRAFT_QUESTION.noNoteIssuer());
  if (issuers) writePlaces(yaml, 'establishments', issuers, writeEmisor);
  const branches = internal ? parts.role('destination') : undefined;
  if (branches) writePlaces(yaml, 'branches', branches, writeBranch);
  if (internal) analysis.notes.addQuestion(89, 'output.receptor', DRAFT_QUESTION.ownBranch());
  const unit = parts.role('unit');
  const units =
    unit &&
    [...unit.profile.values].map(([code, rows]): DraftEntry => {
      const known = likelyUnitOf(code);
      return { code, rows, value: String(known?.cat014 ?? 99), says: known ? undefined : DRAFT_COMMENT.otherUnit() };
    });
  if (unit && units) writeTable(yaml, 'units', { column: unit.column.name, entries: units, empty: '99' });
  const unknown = units?.filter(({ says }) => says !== undefined).map(({ code }) => code) ?? [];
  if (unknown.length > 0) analysis.notes.addQuestion(50, 'tables.units', DRAFT_QUESTION.otherUnits({ codes: unknown }));
  const types = parts.role('receiverDocType');
  if (types)
    writeTable(yaml, 'document-types', {
      column: types.column.name,
      entries: [...types.profile.values].map(([code, rows]) => ({
        code,
        rows,
        value: quoted(DOCUMENT_TYPES.find(([form]) => form.test(code))?.[1]),
        says: undefined,
      })),
      empty: '"36"',
    });
  if (!issuers && !unit && !types) yaml.put(2, 'unused: {}');
  yaml.blank();
}

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

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}

function writeDocuments(draft: MappingDraft): void {
  const { yaml, analysis, parts } = draft;
  const { key } = analysis.grouping;
  yaml.put(0, 'documents:');
  yaml.put(
    2,
    key ? `one-per: [${columnName(key.name)}]` : 'one-per: row',
    analysis.notes.evidenceAt('documents.one-per'),
  );
  if (!analysis.grouping.adjacent) yaml.put(2, 'rows: anywhere', analysis.notes.evidenceAt('documents.rows'));
  yaml.put(
    2,
    `never-twice: [${key ? columnName(key.name) : JSON.stringify('= FILE-STEM()')}]`,
    DRAFT_COMMENT.ownNumber(),
  );
  const status = parts.role('status');
  if (status && status.profile.values.size > 1)
    analysis.notes.addQuestion(
      82,
      'documents.keep',
      DRAFT_QUESTION.statesSent({ name: status.column.name, codes: [...status.profile.values.keys()] }),
    );
  yaml.blank();
}

function writeIssuer(draft: MappingDraft): void {
  const { yaml, analysis, parts } = draft;
  if (parts.has('establishment')) {
    yaml.put(
      2,
      `emisor: { from: ${columnName(parts.requireRole('establishment').column.name)}, table: establishments }`,
    );
    return;
  }
  analysis.notes.addQuestion(74, 'output.emisor', DRAFT_QUESTION.noEstablishment());
  yaml.put(2, 'emisor:');
  writeEmisor(yaml, 4, FILL_IN);
}

function writeReceiver(draft: MappingDraft, internal: boolean): void {
  const { yaml, analysis, parts } = draft;
  if (internal) {
    yaml.put(2, `receptor: { from: ${columnName(parts.requireRole('destination').column.name)}, table: branches }`);
    return;
  }
  const { has, cell, column } = parts;
  yaml.put(2, 'receptor:');
  const put = (field: string, concept: string, otherwise: string) => {
    if (has(concept)) {
      yaml.put(4, `${field}: ${cell(concept)}`, evidenceNote(parts.requireRole(concept)));
      return;
    }
    yaml.put(4, `${field}: ${otherwise}`, FILL_IN);
    analysis.notes.addQuestion(64, `output.receptor.${field}`, DRAFT_QUESTION.noReceiverField({ field }));
  };
  const numbers = parts.role('receiverDocNumber')?.profile;
  const duis = [...(numbers?.values.keys() ?? [])].filter((value) => /^\d{8}-\d$/.test(value)).length;
  const type = parts.role('receiverDocType');
  if (type) yaml.put(4, `tipoDocumento: { from: ${columnName(type.column.name)}, table: document-types }`);
  else if (!has('receiverDocNumber')) yaml.put(4, 'tipoDocumento: "36"', FILL_IN);
  else if (duis > 0)
    yaml.put(
      4,
      `tipoDocumento: ${formula(`IF(LEN(${column('receiverDocNumber')}) = 10, "13", "36")`)}`,
      DRAFT_COMMENT.duiForms({ count: duis }),
    );
  else yaml.put(4, 'tipoDocumento: "36"', DRAFT_COMMENT.allNit());
  const nit = type ? nitCondition(parts, type) : undefined;
  const digits = `DIGITS(${has('receiverDocNumber') ? column('receiverDocNumber') : '""'})`;
  if (!has('receiverDocNumber')) put('numDocumento', 'receiverDocNumber', '"00000000000000"');
  else if (nit)
    yaml.put(
      4,
      `numDocumento: ${formula(`IF(${nit}, ${digits}, ${column('receiverDocNumber')})`)}`,
      DRAFT_COMMENT.nitAndDui(),
    );
  else if (duis > 0)
    yaml.put(
      4,
      `numDocumento: ${formula(`IF(LEN(${column('receiverDocNumber')}) = 10, ${column('receiverDocNumber')}, ${digits})`)}`,
      DRAFT_COMMENT.nitAndDui(),
    );
  else yaml.put(4, `numDocumento: ${formula(digits)}`, DRAFT_COMMENT.nitDigits());
  const titles = parts.role('title');
  const official = titles && [...titles.profile.values.keys()].every((value) => /^0[1-5]$/.test(value));
  if (official) yaml.put(4, `bienTitulo: ${cell('title')}`, DRAFT_COMMENT.titleCodes());
  else {
    yaml.put(4, `bienTitulo: ${FILL_IN}`, DRAFT_COMMENT.titles());
    const codes = titles ? [...titles.profile.values.keys()].slice(0, 5) : [];
    const question = titles ? DRAFT_QUESTION.ownTitles({ name: titles.column.name, codes }) : DRAFT_QUESTION.noTitle();
    analysis.notes.addQuestion(81, 'output.receptor.bienTitulo', question);
  }
  if (has('nrc'))
    yaml.put(
      4,
      `nrc: ${formula(nit ? `IF(${nit}, DIGITS(${column('nrc')}), "")` : `DIGITS(${column('nrc')})`)}`,
      DRAFT_COMMENT.onlyNit(),
    );
  put('nombre', 'receiverName', FILL_IN);
  put('codActividad', 'activityCode', FILL_IN);
  put('descActividad', 'activityName', FILL_IN);
  put('correo', 'receiverEmail', 'fill-in@example.invalid');
  const place = [
    ['departamento', 'department', FILL_IN],
    ['municipio', 'municipality', FILL_IN],
    ['complemento', 'receiverStreet', FILL_IN],
  ] as const;
  yaml.put(
    4,
    `direccion: { ${place.map(([field, concept, otherwise]) => `${field}: ${has(concept) ? cell(concept) : otherwise}`).join(', ')} }`,
    place.every(([, concept]) => has(concept)) ? undefined : FILL_IN,
  );
  for (const [field, concept] of place)
    if (!has(concept))
      analysis.notes.addQuestion(64, `output.receptor.${field}`, DRAFT_QUESTION.noReceiverField({ field }));
}

function nitCondition(parts: DraftColumns, type: NonNullable<ReturnType<DraftColumns['role']>>): string | undefined {
  const code = [...type.profile.values.keys()].find((one) => /^(?:nit|36)$/i.test(one));
  return code === undefined ? undefined : `${parts.column('receiverDocType')} = "${code}"`;
}

function writeLines(draft: MappingDraft, valued: boolean): void {
  const { yaml, analysis, parts } = draft;
  const { has, cell } = parts;
  yaml.put(2, 'cuerpoDocumento:');
  yaml.put(4, 'each: row');
  yaml.put(4, 'make:');
  if (has('lineNo')) yaml.put(6, `numItem: ${cell('lineNo')}`, evidenceNote(parts.requireRole('lineNo')));
  else {
    yaml.put(6, 'numItem: 1', DRAFT_COMMENT.allOnes());
    analysis.notes.addQuestion(67, 'output.cuerpoDocumento.numItem', DRAFT_QUESTION.noLineNumber());
  }
  if (has('article')) yaml.put(6, `codigo: ${cell('article')}`, evidenceNote(parts.requireRole('article')));
  yaml.put(6, 'tipoItem: 1', DRAFT_COMMENT.goods());
  yaml.put(
    6,
    `descripcion: ${has('description') ? cell('description') : FILL_IN}`,
    has('description') ? evidenceNote(parts.requireRole('description')) : DRAFT_COMMENT.noGoods(),
  );
  yaml.put(
    6,
    `cantidad: ${has('quantity') ? cell('quantity') : '1'}`,
    has('quantity') ? evidenceNote(parts.requireRole('quantity')) : FILL_IN,
  );
  if (!has('quantity')) analysis.notes.addQuestion(92, 'output.cuerpoDocumento.cantidad', DRAFT_QUESTION.noQuantity());
  yaml.put(
    6,
    `uniMedida: ${has('unit') ? `{ from: ${columnName(parts.requireRole('unit').column.name)}, table: units }` : '59'}`,
    has('unit') ? undefined : DRAFT_COMMENT.piece59(),
  );
  yaml.put(6, `precioUni: ${has('price') && valued ? cell('price') : '0'}`);
}

/** The amounts of the lines follow from it. */
function writeSummary(draft: MappingDraft, names: Names, valued: boolean): void {
  const { yaml, analysis, parts } = draft;
  const discount = parts.has('discountAmount') ? `, line-discount: ${parts.cell('discountAmount')}` : '';
  const amounts = `variant: taxed, taxed: $${names.taxed}, exempt: $${names.exempt}${discount}`;
  yaml.put(2, `resumen: { standard: { ${valued ? amounts : 'variant: zero'} } }`, DRAFT_COMMENT.summary());
  if (valued) analysis.notes.addQuestion(56, 'output.resumen', DRAFT_QUESTION.variant());
}

function writeRest(draft: MappingDraft, year: string): void {
  const { yaml, analysis, parts } = draft;
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

function generatedAt(analysis: DraftAnalysis, parts: DraftColumns): string {
  if (!parts.has('noteDate')) {
    analysis.notes.addQuestion(94, 'output.FechaGeneracion', DRAFT_QUESTION.noNoteDate());
    return formula('TODAY() & "T00:00:00"');
  }
  if (parts.requireRole('noteDate').profile.date?.timed) return parts.cell('noteDate');
  const times = parts.role('noteTime');
  const seconds = times && [...times.profile.values.keys()].every((value) => /:\d\d:\d\d$/.test(value));
  return formula(
    `${parts.column('noteDate')} & "T${times ? `" & ${parts.column('noteTime')}${seconds ? '' : ' & ":00"'}` : '00:00:00"'}`,
  );
}
