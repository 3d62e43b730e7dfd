/**
 * Salvadoran remission note (remission-note 2), the document that travels with goods: its fields, identity and facts.
 * Amounts exclude VAT. The contract does not show the keys of `extension` and the entries of `Adjuntos`: both may be
 * empty and hold any JSON.
 */
import type { DocumentKind } from '../../model/document.ts';
import type { JsonObject } from '../../model/draft.ts';
import { factsFrom, plainName } from '../content/document-facts.ts';
import { identifiedBy } from '../content/document-identity.ts';
import { dayAt, decimalAt, numberAt, textAt } from '../content/json-pointer.ts';
import { svRemissionNoteRules } from '../rules/sv/sv-remission-note-rules.ts';
import { schemaOf } from '../schema/json-schema.ts';
import { part } from '../schema/schema-parts.ts';

/** Codes of CAT-012 and CAT-013. */
const direccion = part.object('address', {
  departamento: part.text('code of the department'),
  municipio: part.text('code of the municipality'),
  complemento: part.text('rest of the address'),
});

const emisor = part.object('issuer', {
  tipoEstablecimiento: part.text('type of establishment'),
  nombreComercial: part.text('trade name'),
  codEstableMH: part.text('code of the establishment at the tax authority'),
  codEstable: part.text('own code of the establishment'),
  codPuntoVentaMH: part.text('code of the point of sale at the tax authority'),
  codPuntoVenta: part.text('own code of the point of sale'),
  nit: part.text('tax number (NIT)'),
  nrc: part.text('registration number (NRC)'),
  nombre: part.text('name'),
  codActividad: part.text('code of the activity'),
  descActividad: part.text('description of the activity'),
  telefono: part.text('telephone number'),
  correo: part.text('e-mail address'),
  direccion,
});

const receptor = part.object('receiver', {
  tipoDocumento: part.text('type of the identity document'),
  numDocumento: part.text('number of the identity document'),
  bienTitulo: part.text('title under which the goods travel'),
  nrc: part.text('registration number (NRC)'),
  nombre: part.text('name'),
  codActividad: part.text('code of the activity'),
  descActividad: part.text('description of the activity'),
  correo: part.text('e-mail address'),
  direccion,
});

const item = part.object('goods line', {
  numItem: part.whole('number of the line'),
  codigo: part.text('code of the goods'),
  tipoItem: part.whole('type of the line'),
  descripcion: part.text('description of the goods'),
  cantidad: part.amount('quantity'),
  uniMedida: part.whole('code of the unit of measure'),
  precioUni: part.amount('price of one unit'),
  montoDescu: part.amount('discount'),
  ventaNoSuj: part.amount('amount not subject to tax'),
  ventaExenta: part.amount('exempt amount'),
  ventaGravada: part.amount('taxed amount'),
  tributos: part.list('tax codes', part.text('tax code')),
});

const tributo = part.object('tax of the summary', {
  codigo: part.text('tax code'),
  descripcion: part.text('name of the tax'),
  valor: part.amount('amount of the tax'),
});

/** Totals of the lines, discounts and taxes. */
const resumen = part.object('summary and totals', {
  porcentajeDescuento: part.amount('discount in percent'),
  totalNoSuj: part.amount('total not subject to tax'),
  totalExenta: part.amount('exempt total'),
  totalGravada: part.amount('taxed total'),
  subTotalVentas: part.amount('sum of the three totals'),
  descuNoSuj: part.amount('discount on amounts not subject to tax'),
  descuExenta: part.amount('discount on exempt amounts'),
  descuGravada: part.amount('discount on taxed amounts'),
  totalDescu: part.amount('total of the discounts'),
  subTotal: part.amount('total less discounts'),
  montoTotalOperacion: part.amount('total amount of the operation'),
  tributos: part.list('taxes', tributo),
  totalLetras: part.text('total amount in words'),
});

/** The contract shows no fields; those that the authority's schema (NR v3) has are texts. */
const extension = part.open('extension data, may be empty', {
  nombEntrega: part.text('who hands over'),
  docuEntrega: part.text('identity document of who hands over'),
  nombRecibe: part.text('who receives'),
  docuRecibe: part.text('identity document of who receives'),
  observaciones: part.text('remarks'),
});

const shape = part.object('Salvadoran remission note', {
  emisor,
  receptor,
  cuerpoDocumento: part.list('goods lines', item),
  resumen,
  extension,
  FechaGeneracion: part.localMoment('date and time of generation, without zone'),
  NumeroSecuencial: part.whole('sequential number of the document'),
  tipoMoneda: part.text('currency code'),
  Adjuntos: part.list('attachments, may be empty', part.any('attachment')),
});

/** Numbers run per establishment and till: by the codes of the tax authority if given, else by those of the issuer. */
function tillOf(payload: JsonObject): string {
  const establishment = textAt(payload, 'emisor', 'codEstableMH') ?? textAt(payload, 'emisor', 'codEstable') ?? '';
  const till = textAt(payload, 'emisor', 'codPuntoVentaMH') ?? textAt(payload, 'emisor', 'codPuntoVenta') ?? '';
  return `${encodeURIComponent(establishment.toWellFormed())}/${encodeURIComponent(till.toWellFormed())}`;
}

/** Identity: NIT of the issuer, establishment and till, number, and year of generation. */
export const svRemissionNote: DocumentKind = {
  name: 'sv-remission-note',
  service: 'sv',
  classes: ['remission-note'],
  shape,
  schema: schemaOf(shape),
  rules: svRemissionNoteRules,
  acceptsFile: false,
  // The sequence restarts on 1 January, El Salvador time: FechaGeneracion is local already.
  ...identifiedBy({
    issuer: { at: '/emisor/nit', find: (payload) => textAt(payload, 'emisor', 'nit')?.replace(/[\s-]/g, '') },
    number: { at: '/NumeroSecuencial', find: (payload) => numberAt(payload, 'NumeroSecuencial') },
    date: { at: '/FechaGeneracion', find: (payload) => dayAt(payload, 'FechaGeneracion') },
    series: tillOf,
  }),
  factsOf: (draft) =>
    factsFrom(draft, {
      identifier: numberAt(draft.payload, 'NumeroSecuencial'),
      date: textAt(draft.payload, 'FechaGeneracion')?.slice(0, 10),
      currency: textAt(draft.payload, 'tipoMoneda'),
      amount: decimalAt(draft.payload, 'resumen', 'montoTotalOperacion'),
      counterparty: textAt(draft.payload, 'receptor', 'nombre'),
      receiver:
        textAt(draft.payload, 'receptor', 'numDocumento') ?? plainName(textAt(draft.payload, 'receptor', 'nombre')),
      issuer: textAt(draft.payload, 'emisor', 'nombre'),
    }),
};
