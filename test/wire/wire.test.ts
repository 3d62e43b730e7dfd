/** The bodies beside this file and the tables below are copied by hand from the contracts: shapes have to match both. */
import { describe, expect, test } from 'vitest';
import { checkDocument } from '../../src/documents/check-document.ts';
import { frInvoice } from '../../src/documents/fr/fr-invoice.ts';
import { frReport } from '../../src/documents/fr/fr-report.ts';
import { svRemissionNote } from '../../src/documents/sv/sv-remission-note.ts';
import { Decimal } from '../../src/model/decimal.ts';
import type { DocumentKind, Schema } from '../../src/model/document.ts';
import type { Json, JsonObject } from '../../src/model/draft.ts';
import { type Wire, wireDraft, wireText } from '../make.ts';

const WIRES: readonly [Wire, DocumentKind][] = [
  ['invoice', frInvoice],
  ['credit-note', frInvoice],
  ['corrective', frInvoice],
  ['report', frReport],
  ['remission-note', svRemissionNote],
];

/** Place in the document -> its fields with their types: t text, n number, i integer, b boolean, d date, m date-time. */
const FIELDS: readonly [DocumentKind, { readonly [place: string]: string }][] = [
  [
    frInvoice,
    {
      '': 'document issuer receiver additional-parties references logistics lines totals alternate-totals agreements notes attachments extensions',
      document:
        'series:t identifier:t date:d date-due:d date-taxes:d currency:t currency-taxes:t language:t additional-info document-type:t',
      'document.additional-info': 'key:t value:t',
      issuer: 'identifiers name:t trade-name:t e-addresses address contacts additional-info',
      'issuer.identifiers': 'type:t value:t tag:t note:t',
      'issuer.e-addresses': 'type:t value:t',
      'issuer.address': 'street:t street-additional:t city:t postal-code:t region:t country:t',
      'issuer.contacts': 'type:t name:t email:t phone:t',
      receiver: 'identifiers name:t trade-name:t e-addresses address contacts additional-info',
      'additional-parties': 'identifiers name:t trade-name:t e-addresses address contacts additional-info',
      references: 'type:t identifier:t date:d tracking-id:t tag:t additional-info',
      logistics: 'type:t date:d additional-dates address additional-identifiers objects instructions:t additional-info',
      'logistics.additional-dates': 'type:t value:d tag:t note:t',
      'logistics.additional-identifiers': 'type:t value:t tag:t note:t',
      'logistics.objects': 'type:t identifiers names additional-info tag:t',
      'logistics.objects.names': 'type:t value:t',
      lines:
        'number:t identifier:t description:t quantity:n unit:t unit-price:n net-amount:n additional-dates additional-identifiers taxes discounts charges alternate-measures additional-info',
      'lines.additional-dates': 'type:t value:d tag:t note:t',
      'lines.taxes': 'type:t subtype:t percent:n amount:n',
      'lines.discounts': 'amount:n percent:n reason',
      'lines.charges': 'amount:n percent:n reason',
      'lines.charges.reason': 'identifier:t description:t',
      'lines.alternate-measures': 'unit:t quantity:n unit-price:n net-amount:n conversion-factor:n tag:t',
      totals: 'final-amount:n currency:t subtotals additional-info',
      'totals.subtotals':
        'type:t class:t subtype:t percent:n taxable-amount:n amount:n sign:t before-taxes:b reason subtotals tag:t',
      'totals.subtotals.subtotals':
        'type:t class:t subtype:t percent:n taxable-amount:n amount:n sign:t before-taxes:b reason subtotals tag:t',
      'totals.subtotals.reason': 'identifier:t description:t',
      'alternate-totals': 'final-amount:n currency:t subtotals additional-info',
      agreements:
        'type:t class:t identifier:t name:t description:t amount:n currency:t additional-identifiers means terms references additional-info',
      'agreements.means': 'type:t objects',
      'agreements.means.objects': 'type:t identifiers names additional-info tag:t',
      'agreements.terms': 'type:t duration percent:n amount:n description:t date-due:d',
      'agreements.terms.duration': 'value:n unit:t',
      'agreements.references': 'type:t identifier:t date:d tracking-id:t tag:t additional-info',
      notes: 'content:t tag:t',
      attachments: 'type:t filename:t mime-type:t format:t content:t',
      extensions: 'tag:t format:t content:t',
    },
  ],
  [
    frReport,
    {
      '': 'document issuer operations',
      document: 'identifier:t description:t date:m period additional-identifiers additional-types',
      'document.period': 'start-date:m end-date:m',
      'document.additional-identifiers': 'type:t value:t',
      'document.additional-types': 'type:t value:t',
      issuer:
        'identifier:t identifier-type:t name:t type:t address e-addresses additional-identifiers additional-types',
      'issuer.address': 'country:t',
      'issuer.e-addresses': 'type:t value:t',
      operations: 'international consumer',
      'operations.international': 'payments',
      'operations.consumer': 'payments',
      'operations.international.payments': 'type:t date:m amount:n currency:t percent:n references',
      'operations.consumer.payments': 'type:t date:m amount:n currency:t percent:n references',
      'operations.international.payments.references': 'type:t identifier:t date:d',
    },
  ],
  [
    svRemissionNote,
    {
      '': 'emisor receptor cuerpoDocumento resumen extension FechaGeneracion:m NumeroSecuencial:i tipoMoneda:t Adjuntos',
      emisor:
        'tipoEstablecimiento:t nombreComercial:t codEstableMH:t codEstable:t codPuntoVentaMH:t codPuntoVenta:t nit:t nrc:t nombre:t codActividad:t descActividad:t telefono:t correo:t direccion',
      'emisor.direccion': 'departamento:t municipio:t complemento:t',
      receptor:
        'tipoDocumento:t numDocumento:t bienTitulo:t nrc:t nombre:t codActividad:t descActividad:t correo:t direccion',
      'receptor.direccion': 'departamento:t municipio:t complemento:t',
      cuerpoDocumento:
        'numItem:i codigo:t tipoItem:i descripcion:t cantidad:n uniMedida:i precioUni:n montoDescu:n ventaNoSuj:n ventaExenta:n ventaGravada:n tributos',
      resumen:
        'porcentajeDescuento:n totalNoSuj:n totalExenta:n totalGravada:n subTotalVentas:n descuNoSuj:n descuExenta:n descuGravada:n totalDescu:n subTotal:n montoTotalOperacion:n tributos totalLetras:t',
      'resumen.tributos': 'codigo:t descripcion:t valor:n',
    },
  ],
];

const BLOCKS = FIELDS.flatMap(([kind, places]) =>
  Object.entries(places).map(([place, fields]) => ({ kind, name: kind.name, place, fields: fields.split(' ') })),
);

test.each(BLOCKS)('$name $place has the fields of the contract, and no other', ({ kind, place, fields }) => {
  const { properties = {} } = blockAt(kind.schema, place);
  expect(Object.entries(properties).map(([name, schema]) => name + letterOf(schema))).toEqual(fields);
});

test.each(FIELDS)('every field of %o is described', (kind) => {
  const silent: string[] = [];
  visit(kind.schema, '', (schema, at) => {
    if (!schema.description && !schema.additionalProperties) silent.push(at);
  });
  expect(silent).toEqual([]);
});

describe.each(WIRES)('%s', (name, kind) => {
  test('is a document without warnings', () => {
    const outcome = checkDocument(wireDraft(name), kind);
    expect(outcome).toHaveProperty('document.warnings', []);
  });

  test('is sent digit for digit, keys in order', () => {
    const outcome = checkDocument(wireDraft(name), kind);
    const content = 'document' in outcome ? outcome.document.content.toString() : '';
    const body = JSON.stringify(JSON.parse(wireText(name)));
    expect(content).toBe(kind.acceptsFile ? `{"payload":${body}}` : body);
  });

  test.each(places(wireDraft(name).payload!))('$at of another type is one fault, there', ({ at, value }) => {
    const wrong = value instanceof Decimal ? 'x' : Decimal.one;
    const outcome = checkDocument(wireDraft(name, { payload: replaced(wireDraft(name).payload!, at, wrong) }), kind);
    expect(faultsOf(outcome)).toEqual([{ at, level: 'error', code: expect.stringMatching(/\/not-/) }]);
  });

  test.each(places(wireDraft(name).payload!))('$at as null is one fault, there', ({ at }) => {
    const outcome = checkDocument(wireDraft(name, { payload: replaced(wireDraft(name).payload!, at, null) }), kind);
    expect(faultsOf(outcome)).toEqual([{ at, level: 'error', code: expect.stringMatching(/\/not-/) }]);
  });

  test.each(places(wireDraft(name).payload!).filter(({ at, value }) => isBlock(value) && at !== '/extension'))(
    'an unknown field in $at is one fault, there',
    ({ at, value }) => {
      const more = { ...(value as JsonObject), 'no-such-field': 'x' };
      const outcome = checkDocument(wireDraft(name, { payload: replaced(wireDraft(name).payload!, at, more) }), kind);
      expect(faultsOf(outcome)).toEqual([
        { at: `${at}/no-such-field`, level: 'error', code: `${kind.name}/unknown-field` },
      ]);
    },
  );
});

function faultsOf(outcome: ReturnType<typeof checkDocument>): readonly object[] {
  if ('document' in outcome) return [];
  return outcome.faults.map(({ at, level, code }) => ({ at, level, code }));
}

type Place = { readonly at: string; readonly value: Json };

/** Every value of a body with its pointer, blocks and lists included. */
function places(value: Json, at = ''): readonly Place[] {
  const here = at === '' ? [] : [{ at, value }];
  if (Array.isArray(value)) return [...here, ...value.flatMap((entry, i) => places(entry, `${at}/${i}`))];
  if (!isBlock(value)) return here;
  return [...here, ...Object.entries(value).flatMap(([key, entry]) => places(entry, `${at}/${key}`))];
}

function isBlock(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

function replaced(body: JsonObject, at: string, by: Json): JsonObject {
  const copy = (value: Json, here: string): Json => {
    if (here === at) return by;
    if (Array.isArray(value)) return value.map((entry, i) => copy(entry, `${here}/${i}`));
    if (!isBlock(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, copy(entry, `${here}/${key}`)]));
  };
  return copy(body, '') as JsonObject;
}

function blockAt(schema: Schema, place: string): Schema {
  return place.split('.').reduce((here, key) => block(key === '' ? here : here.properties![key]!), schema);
}

function block(schema: Schema): Schema {
  const inner = schema.items ?? schema;
  return inner.anyOf?.find((branch) => branch.properties) ?? inner;
}

const LETTERS = { string: ':t', number: ':n', integer: ':i', boolean: ':b', object: '', array: '' } as const;

function letterOf({ type, format }: Schema): string {
  return format ? (format === 'date' ? ':d' : ':m') : LETTERS[type!];
}

function visit(schema: Schema, at: string, look: (schema: Schema, at: string) => void): void {
  look(schema, at);
  if (schema.items) visit(schema.items, `${at}[]`, look);
  for (const branch of schema.anyOf ?? []) visit(branch, at, look);
  for (const [key, child] of Object.entries(schema.properties ?? {})) visit(child, `${at}.${key}`, look);
}
