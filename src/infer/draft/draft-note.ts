/** The draft of a Salvadoran remission note, part by part in the order of the target. */

import { CHECK_TEXT } from '../../i18n/messages/infer-messages.ts';
import { likelyUnitOf } from '../../model/units.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { writeBranch, writeEmisor } from './draft-note-issuer.ts';
import {
  type DraftEntry,
  draftCheck,
  evidenceNote,
  FILL_IN,
  keysOf,
  type Parts,
  partsOf,
  writeTable,
} from './draft-values.ts';
import { columnName, formula, type Page, scalar } from './yaml-writer.ts';

const PLACES = ['establishment', 'destination'] as const;
const DOCUMENT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(?:nit|36)$/i, '36'],
  [/^(?:dui|13)$/i, '13'],
  [/^(?:pas|pasaporte|passport|03)$/i, '03'],
  [/^(?:carnet|res|residente|02)$/i, '02'],
  [/^(?:otro|37)$/i, '37'],
];

export function draftRemissionNote(page: Page, u: DraftAnalysis): void {
  const parts = partsOf(u);
  const names = {
    year: parts.free('year'),
    amount: parts.free('amount'),
    taxed: parts.free('taxed'),
    exempt: parts.free('exempt'),
  };
  const internal = parts.has('destination') && !parts.has('receiverName');
  writeTables(page, u, parts, internal);
  const priced = parts.has('quantity') && parts.has('price');
  if (!priced)
    u.notes.ask(
      60,
      'output.cuerpoDocumento',
      'No prices: every amount of the note is 0, which is right for goods moved between own places.',
    );
  const valued = priced || parts.has('lineAmount');
  page.put(0, 'calculated-columns:', 'one value per row');
  page.put(
    2,
    `${names.year}: ${parts.has('noteDate') ? formula(`YEAR(${parts.column('noteDate')})`) : formula('YEAR(TODAY())')}`,
  );
  if (valued) writeAmounts(page, u, parts, names, priced);
  page.blank();
  writeDocuments(page, u, parts);
  page.put(0, 'output:');
  writeIssuer(page, u, parts);
  writeReceiver(page, u, parts, internal);
  writeLines(page, u, parts, valued);
  writeSummary(page, u, parts, names, valued);
  writeRest(page, u, parts, names.year);
  if (parts.has('noteTotal')) {
    page.put(0, 'checks:');
    page.put(
      2,
      draftCheck(
        `ABS(@resumen.montoTotalOperacion - ${parts.column('noteTotal')}) <= 0.01`,
        'error',
        CHECK_TEXT.noteDiffers({ column: parts.role('noteTotal')!.column.name }),
        u,
      ),
    );
    page.blank();
  } else u.notes.ask(46, 'checks', 'No total in the file can be compared with what is sent.');
}

type Names = { readonly amount: string; readonly taxed: string; readonly exempt: string };

function writeAmounts(page: Page, u: DraftAnalysis, parts: Parts, names: Names, priced: boolean): void {
  const discount = parts.has('discountAmount') ? ` - IFEMPTY(${parts.column('discountAmount')}, 0)` : '';
  const product = () => formula(`ROUND(${parts.column('quantity')} * ${parts.column('price')}${discount}, 8)`);
  page.put(2, `${names.amount}: ${priced ? product() : parts.cell('lineAmount')}`, 'amounts exclude VAT');
  const yes = taxedCode(u, parts);
  page.put(
    2,
    `${names.taxed}: ${yes ? formula(`IF(${parts.column('taxedFlag')} = "${yes}", $${names.amount}, 0)`) : formula(`$${names.amount}`)}`,
    yes ? undefined : 'no column tells taxed from exempt goods: all taxed?',
  );
  page.put(
    2,
    `${names.exempt}: ${yes ? formula(`IF(${parts.column('taxedFlag')} = "${yes}", 0, $${names.amount})`) : '0'}`,
  );
  if (!yes && priced)
    u.notes.ask(
      66,
      'output.resumen',
      'No column tells taxed from exempt goods: all are taken as taxed (ventaGravada).',
    );
}

function taxedCode({ notes }: DraftAnalysis, parts: Parts): string | undefined {
  const role = parts.role('taxedFlag');
  if (!role) return undefined;
  const codes = [...role.profile.values.keys()];
  const yes = codes.find((code) => /^(?:s|si|sí|y|1|x|g|v)$/i.test(code)) ?? codes[0];
  notes.ask(
    54,
    'calculated-columns.taxed',
    `Column "${role.column.name}": ${yes} is taken as taxed, ${codes.filter((code) => code !== yes).join(', ') || 'anything else'} as exempt.`,
  );
  return yes;
}

function writeTables(page: Page, u: DraftAnalysis, parts: Parts, internal: boolean): void {
  page.put(0, 'tables:');
  const issuers = parts.role('establishment');
  u.notes.ask(
    100,
    'output.emisor',
    `Issuer: the file does not say who sends. Replace every "${FILL_IN}" in the blocks of the issuer: name, NIT, NRC, activity, address, codes of the establishment.`,
  );
  for (const place of PLACES) {
    const role = place === 'establishment' ? issuers : internal ? parts.role('destination') : undefined;
    if (!role) continue;
    page.put(
      2,
      place === 'establishment' ? 'establishments:' : 'branches:',
      `for each code of column "${role.column.name}"`,
    );
    for (const code of keysOf(role)) {
      page.put(4, `${JSON.stringify(code)}:`);
      if (place === 'establishment') writeEmisor(page, 6, code);
      else writeBranch(page, 6);
    }
  }
  if (internal)
    u.notes.ask(
      89,
      'output.receptor',
      `Receiver: goods go to an own place; fill in the blocks of table branches (bienTitulo 04 = between own places).`,
    );
  const unit = parts.role('unit');
  const units =
    unit &&
    [...unit.profile.values].map(([code, rows]): DraftEntry => {
      const known = likelyUnitOf(code);
      return { code, rows, value: String(known?.cat014 ?? 99), says: known ? '' : `${FILL_IN}: not known, 99 = other` };
    });
  if (unit && units) writeTable(page, 'units', unit.column.name, units, '99');
  const unknown = units?.filter(({ says }) => says !== '').map(({ code }) => code) ?? [];
  if (unknown.length > 0)
    u.notes.ask(
      50,
      'tables.units',
      `Units that are not known: ${unknown.join(', ')}. 99 (other) was put; see catalogue CAT-014.`,
    );
  const types = parts.role('receiverDocType');
  if (types)
    writeTable(
      page,
      'document-types',
      types.column.name,
      [...types.profile.values].map(([code, rows]) => ({
        code,
        rows,
        value: quoted(DOCUMENT_TYPES.find(([form]) => form.test(code))?.[1]),
        says: '',
      })),
      '"36"',
    );
  if (!issuers && !unit && !types) page.put(2, 'unused: {}');
  page.blank();
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}

function writeDocuments(page: Page, u: DraftAnalysis, parts: Parts): void {
  const { key } = u.grouping;
  page.put(0, 'documents:');
  page.put(2, key ? `one-per: [${columnName(key.name)}]` : 'one-per: row', u.notes.of('documents.one-per'));
  if (!u.grouping.adjacent) page.put(2, 'rows: anywhere', u.notes.of('documents.rows'));
  page.put(
    2,
    `never-twice: [${key ? columnName(key.name) : JSON.stringify('= FILE-STEM()')}]`,
    "the ERP's own number keeps a note from getting a second official one",
  );
  const status = parts.role('status');
  if (status && status.profile.values.size > 1)
    u.notes.ask(
      82,
      'documents.keep',
      `Column "${status.column.name}" tells states: ${[...status.profile.values.keys()].join(', ')}. All are sent: write keep: if some must not be.`,
    );
  page.blank();
}

function writeIssuer(page: Page, u: DraftAnalysis, parts: Parts): void {
  if (parts.has('establishment')) {
    page.put(2, `emisor: { from: ${columnName(parts.role('establishment')!.column.name)}, table: establishments }`);
    return;
  }
  u.notes.ask(74, 'output.emisor', 'No column tells the establishment: one for all notes was written.');
  page.put(2, 'emisor:');
  writeEmisor(page, 4, FILL_IN);
}

function writeReceiver(page: Page, u: DraftAnalysis, parts: Parts, internal: boolean): void {
  if (internal) {
    page.put(2, `receptor: { from: ${columnName(parts.role('destination')!.column.name)}, table: branches }`);
    return;
  }
  const { has, cell, column } = parts;
  page.put(2, 'receptor:');
  const put = (field: string, concept: string, otherwise: string) => {
    if (has(concept)) {
      page.put(4, `${field}: ${cell(concept)}`, evidenceNote(parts.role(concept)!));
      return;
    }
    page.put(4, `${field}: ${otherwise}`, FILL_IN);
    u.notes.ask(64, `output.receptor.${field}`, `Receiver: no column holds ${field}.`);
  };
  const numbers = parts.role('receiverDocNumber')?.profile;
  const duis = [...(numbers?.values.keys() ?? [])].filter((value) => /^\d{8}-\d$/.test(value)).length;
  const type = parts.role('receiverDocType');
  if (type) page.put(4, `tipoDocumento: { from: ${columnName(type.column.name)}, table: document-types }`);
  else if (!has('receiverDocNumber')) page.put(4, 'tipoDocumento: "36"', FILL_IN);
  else if (duis > 0)
    page.put(
      4,
      `tipoDocumento: ${formula(`IF(LEN(${column('receiverDocNumber')}) = 10, "13", "36")`)}`,
      `${duis} numbers have the form of a DUI`,
    );
  else page.put(4, 'tipoDocumento: "36"', '36 = NIT: all numbers have its form');
  const nit = type ? nitCondition(parts, type) : undefined;
  const digits = `DIGITS(${has('receiverDocNumber') ? column('receiverDocNumber') : '""'})`;
  if (!has('receiverDocNumber')) put('numDocumento', 'receiverDocNumber', '"00000000000000"');
  else if (nit)
    page.put(
      4,
      `numDocumento: ${formula(`IF(${nit}, ${digits}, ${column('receiverDocNumber')})`)}`,
      'NIT without hyphens, DUI with its hyphen',
    );
  else if (duis > 0)
    page.put(
      4,
      `numDocumento: ${formula(`IF(LEN(${column('receiverDocNumber')}) = 10, ${column('receiverDocNumber')}, ${digits})`)}`,
      'NIT without hyphens, DUI with its hyphen',
    );
  else page.put(4, `numDocumento: ${formula(digits)}`, 'NIT without hyphens');
  const titles = parts.role('title');
  const official = titles && [...titles.profile.values.keys()].every((value) => /^0[1-5]$/.test(value));
  if (official) page.put(4, `bienTitulo: ${cell('title')}`, 'codes 01 to 05 as the authority has them');
  else {
    page.put(4, `bienTitulo: ${FILL_IN}`, `01 deposit, 02 property, 03 consignment, 04 transfer, 05 other`);
    u.notes.ask(
      81,
      'output.receptor.bienTitulo',
      titles
        ? `Title of the goods: column "${titles.column.name}" has its own codes (${[...titles.profile.values.keys()].slice(0, 5).join(', ')}); a table to 01-05 is needed.`
        : 'Title of the goods: no column tells it.',
    );
  }
  if (has('nrc'))
    page.put(
      4,
      `nrc: ${formula(nit ? `IF(${nit}, DIGITS(${column('nrc')}), "")` : `DIGITS(${column('nrc')})`)}`,
      'only for taxpayers with a NIT',
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
  page.put(
    4,
    `direccion: { ${place.map(([field, concept, otherwise]) => `${field}: ${has(concept) ? cell(concept) : otherwise}`).join(', ')} }`,
    place.every(([, concept]) => has(concept)) ? undefined : FILL_IN,
  );
  for (const [field, concept] of place)
    if (!has(concept)) u.notes.ask(64, `output.receptor.${field}`, `Receiver: no column holds ${field}.`);
}

function nitCondition(parts: Parts, type: NonNullable<ReturnType<Parts['role']>>): string | undefined {
  const code = [...type.profile.values.keys()].find((one) => /^(?:nit|36)$/i.test(one));
  return code === undefined ? undefined : `${parts.column('receiverDocType')} = "${code}"`;
}

function writeLines(page: Page, u: DraftAnalysis, parts: Parts, valued: boolean): void {
  const { has, cell } = parts;
  page.put(2, 'cuerpoDocumento:');
  page.put(4, 'each: row');
  page.put(4, 'make:');
  if (has('lineNo')) page.put(6, `numItem: ${cell('lineNo')}`, evidenceNote(parts.role('lineNo')!));
  else {
    page.put(6, 'numItem: 1', `${FILL_IN}: no column counts the lines`);
    u.notes.ask(67, 'output.cuerpoDocumento.numItem', 'No column counts the lines: all have the number 1.');
  }
  if (has('article')) page.put(6, `codigo: ${cell('article')}`, evidenceNote(parts.role('article')!));
  page.put(6, 'tipoItem: 1', 'goods');
  page.put(
    6,
    `descripcion: ${has('description') ? cell('description') : FILL_IN}`,
    has('description') ? evidenceNote(parts.role('description')!) : 'no column describes the goods',
  );
  page.put(
    6,
    `cantidad: ${has('quantity') ? cell('quantity') : '1'}`,
    has('quantity') ? evidenceNote(parts.role('quantity')!) : FILL_IN,
  );
  if (!has('quantity'))
    u.notes.ask(92, 'output.cuerpoDocumento.cantidad', 'No column holds the quantity: 1 was written.');
  page.put(
    6,
    `uniMedida: ${has('unit') ? `{ from: ${columnName(parts.role('unit')!.column.name)}, table: units }` : '59'}`,
    has('unit') ? undefined : 'no column of units: 59 = piece',
  );
  page.put(6, `precioUni: ${has('price') && valued ? cell('price') : '0'}`);
}

/** The amounts of the lines follow from it. */
function writeSummary(page: Page, u: DraftAnalysis, parts: Parts, names: Names, valued: boolean): void {
  const discount = parts.has('discountAmount') ? `, line-discount: ${parts.cell('discountAmount')}` : '';
  const amounts = `variant: taxed, taxed: $${names.taxed}, exempt: $${names.exempt}${discount}`;
  page.put(2, `resumen: { standard: { ${valued ? amounts : 'variant: zero'} } }`, 'sums, amounts of the lines, words');
  if (valued)
    u.notes.ask(
      56,
      'output.resumen',
      'Summary: amounts by their kind and tax code 20 on taxed lines, without VAT in the total (variant taxed). Which of taxed, taxed-with-vat, not-subject and zero does your provider forward?',
    );
}

function writeRest(page: Page, u: DraftAnalysis, parts: Parts, year: string): void {
  page.put(2, 'extension: {}');
  page.put(2, `FechaGeneracion: ${generatedAt(u, parts)}`);
  const series = ['establishment', 'till'].flatMap((concept) => parts.role(concept)?.column.name ?? []).map(scalar);
  page.put(
    2,
    `NumeroSecuencial: { sequence: remission-notes, per: [${[...series, year].join(', ')}] }`,
    'the next number of its series, given once',
  );
  u.notes.ask(
    71,
    'output.NumeroSecuencial',
    'Official number: the next one of a series is taken. Has the series been used elsewhere this year?',
  );
  page.put(2, 'tipoMoneda: USD');
  page.put(2, 'Adjuntos: []');
  page.blank();
}

function generatedAt(u: DraftAnalysis, parts: Parts): string {
  if (!parts.has('noteDate')) {
    u.notes.ask(94, 'output.FechaGeneracion', 'No column holds the date of the note: the day of the run is taken.');
    return formula('TODAY() & "T00:00:00"');
  }
  if (parts.role('noteDate')!.profile.date?.timed) return parts.cell('noteDate');
  const times = parts.role('noteTime');
  const seconds = times && [...times.profile.values.keys()].every((value) => /:\d\d:\d\d$/.test(value));
  return formula(
    `${parts.column('noteDate')} & "T${times ? `" & ${parts.column('noteTime')}${seconds ? '' : ' & ":00"'}` : '00:00:00"'}`,
  );
}
