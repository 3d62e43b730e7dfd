/**
 * A model document for each kind, clean under every profile. The examples of the rules are changes to it; docs/reference/rules.md
 * and the tests run them.
 */
import { checkDocument } from '../../../src/documents/check-document.ts';
import { frInvoice } from '../../../src/documents/fr/fr-invoice.ts';
import { frReport } from '../../../src/documents/fr/fr-report.ts';
import { svRemissionNote } from '../../../src/documents/sv/sv-remission-note.ts';
import type { Language } from '../../../src/i18n/message.ts';
import type { DocumentKind } from '../../../src/model/document.ts';
import type { JsonObject } from '../../../src/model/draft.ts';
import { type Fault, localize } from '../../../src/model/fault.ts';
import type { Example, ProfileName, RulePack, Terms } from '../../../src/model/rule.ts';
import { exactJson } from '../../make.ts';

export const TODAY = '2026-11-20';

const PARTY = (name: string, siren: string, vat: string, street: string, city: string, postalCode: string) => ({
  name,
  identifiers: [
    { type: 'siren', value: siren },
    { type: 'vat', value: vat },
  ],
  'e-addresses': [{ type: 'routing-address', value: siren }],
  address: { street, city, 'postal-code': postalCode, country: 'FR' },
});

const TAX = (percent: number, amount: number) => [{ type: 'vat', subtype: 'standard', percent, amount }];
const PER_RATE = (percent: number, taxable: number, amount: number) => ({
  ...{ type: 'tax', class: 'vat', subtype: 'standard', percent, 'taxable-amount': taxable, amount },
  ...{ 'before-taxes': false, sign: 'positive' },
});

const INVOICE = {
  document: {
    identifier: 'F2026-00412',
    date: '2026-11-05',
    'date-due': '2026-12-05',
    currency: 'EUR',
    language: 'fr',
    'additional-info': [{ key: 'business-process', value: 'B1' }],
  },
  issuer: PARTY('Câbleries du Levant SAS', '732829320', 'FR44732829320', '4 quai du Port', 'Marseille', '13002'),
  receiver: PARTY('Société Élan & Fils', '404833048', 'FR83404833048', '12 rue de l’Œuvre', 'Bourg-en-Bresse', '01000'),
  references: [{ type: 'original-invoice', identifier: 'F2026-00001', date: '2026-01-15' }],
  lines: [
    {
      ...{ number: '1', identifier: 'C-10', description: 'Câble acier', quantity: 12.5, unit: 'MTR' },
      ...{ 'unit-price': 8.4, 'net-amount': 105, taxes: TAX(20, 21) },
    },
    {
      ...{ number: '2', identifier: 'P-77', description: 'Poulie', quantity: 3, unit: 'C62' },
      ...{ 'unit-price': 19.99, 'net-amount': 59.97, taxes: TAX(20, 11.99) },
    },
    {
      ...{ number: '3', identifier: 'L-02', description: 'Livret d’usage', quantity: 7, unit: 'C62' },
      ...{ 'unit-price': 3.335, 'net-amount': 23.35, taxes: TAX(5.5, 1.28) },
    },
  ],
  totals: {
    'final-amount': 222.59,
    currency: 'EUR',
    subtotals: [
      { type: 'lines-net-amount', class: 'net', 'before-taxes': true, sign: 'positive', amount: 188.32 },
      {
        ...{ type: 'tax', class: 'vat', 'before-taxes': false, sign: 'positive', amount: 34.27 },
        subtotals: [PER_RATE(20, 164.97, 32.99), PER_RATE(5.5, 23.35, 1.28)],
      },
    ],
  },
  notes: [
    {
      tag: 'fixed-recovery-fee',
      content: 'Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement : 40 EUR',
    },
    { tag: 'late-payment-penalty', content: 'Pénalités de retard : trois fois le taux d’intérêt légal' },
    { tag: 'no-early-payment-discount', content: 'Pas d’escompte pour paiement anticipé' },
    { tag: 'credit-note-reason', content: 'Retour de marchandise' },
  ],
};

const REPORT = {
  document: {
    identifier: 'ER-2026-10',
    date: '2026-11-05T08:00:00Z',
    period: { 'start-date': '2026-10-01T00:00:00', 'end-date': '2026-10-31T23:59:59' },
  },
  issuer: {
    ...{ identifier: '732829320', 'identifier-type': 'siren', name: 'Câbleries du Levant SAS' },
    address: { country: 'FR' },
    'additional-types': [{ type: 'role', value: 'SE' }],
  },
  operations: {
    consumer: {
      payments: [
        { type: 'payment', date: '2026-10-03T10:00:00Z', amount: 120, currency: 'EUR', percent: 20 },
        { type: 'payment', date: '2026-10-03T10:00:00Z', amount: 55.5, currency: 'EUR', percent: 5.5 },
      ],
    },
  },
};

const ADDRESS = (municipio: string) => ({ departamento: '06', municipio, complemento: 'Colonia Escalón, calle 3, 12' });

/** A transfer without sale: its value stands among the amounts that are not subject to tax. */
const NOTE = {
  emisor: {
    ...{ tipoEstablecimiento: '02', nombreComercial: 'Cafetales', codEstableMH: 'M001', codEstable: 'M001' },
    ...{ codPuntoVentaMH: 'P001', codPuntoVenta: 'P001', nit: '06140507071048', nrc: '1234567' },
    ...{
      nombre: 'Cafetales del Sur, S.A. de C.V.',
      codActividad: '46301',
      descActividad: 'Venta de café al por mayor',
    },
    ...{ telefono: '2222-3344', correo: 'facturas@example.com', direccion: ADDRESS('23') },
  },
  receptor: {
    ...{ tipoDocumento: '36', numDocumento: '06140512861294', bienTitulo: '04', nrc: '7654321' },
    ...{ nombre: 'Tostadora Izalco, S.A. de C.V.', codActividad: '10612', descActividad: 'Tostado y molido de café' },
    ...{ correo: 'recepcion@example.com', direccion: ADDRESS('23') },
  },
  cuerpoDocumento: [
    {
      ...{ numItem: 1, codigo: 'CAF-01', tipoItem: 1, descripcion: 'Café molido 500 g', cantidad: 12, uniMedida: 59 },
      ...{ precioUni: 1.25, montoDescu: 0, ventaNoSuj: 15, ventaExenta: 0, ventaGravada: 0 },
    },
    {
      ...{ numItem: 2, codigo: 'CAF-02', tipoItem: 1, descripcion: 'Café en grano, quintal', cantidad: 2.5 },
      ...{ uniMedida: 36, precioUni: 3.3333, montoDescu: 0.1, ventaNoSuj: 8.23325, ventaExenta: 0, ventaGravada: 0 },
    },
  ],
  resumen: {
    ...{ porcentajeDescuento: 0, totalNoSuj: 23.23, totalExenta: 0, totalGravada: 0, subTotalVentas: 23.23 },
    ...{ descuNoSuj: 0, descuExenta: 0, descuGravada: 0, totalDescu: 0.1, subTotal: 23.23, montoTotalOperacion: 23.23 },
    totalLetras: 'VEINTITRÉS 23/100 DÓLARES DE LOS ESTADOS UNIDOS DE AMÉRICA',
  },
  extension: {},
  FechaGeneracion: `${TODAY}T08:30:00`,
  NumeroSecuencial: 412,
  tipoMoneda: 'USD',
};

export const MODELS: readonly { readonly kind: DocumentKind; readonly class: string; readonly payload: object }[] = [
  { kind: frInvoice, class: 'invoice', payload: INVOICE },
  { kind: frReport, class: 'report', payload: REPORT },
  { kind: svRemissionNote, class: 'remission-note', payload: NOTE },
];

export type Model = (typeof MODELS)[number];

/** What the check says about the model document with the changes of an example. */
export function told(model: Model, example: Example, terms: Terms, language: Language = 'en'): readonly Fault[] {
  return toldBy(model.kind.rules.under(terms), model, example, language);
}

/** The same, by rules that are under their terms already. */
export function toldBy(rules: RulePack, model: Model, example: Example, language: Language = 'en'): readonly Fault[] {
  const payload = changed(model.payload, example.set);
  const draft = {
    ...{ kind: model.kind.name, class: example.class ?? model.class, payload, rows: [2], neverTwice: ['1'] },
    trace: () => new Map(),
  };
  const outcome = checkDocument(draft, { ...model.kind, rules }, { today: example.today ?? TODAY });
  return localize('document' in outcome ? outcome.document.warnings : outcome.faults, language);
}

/** Whether the pointer is one of those that the pattern of a rule stands for. */
export function isAt(pointer: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll('*', '[^/]+')}$`).test(pointer);
}

/** The profile that an example is run under: the first of its rule. */
export function termsOf(rule: { readonly profiles: readonly ProfileName[] }): Terms {
  return { profile: rule.profiles[0]! };
}

export function changed(payload: object, changes: Example['set']): JsonObject {
  const body = structuredClone(payload) as { [key: string]: unknown };
  for (const [pointer, value] of Object.entries(changes)) {
    const steps = pointer.split('/').slice(1);
    const last = steps.pop()!;
    let here = body;
    for (const step of steps) {
      here[step] ??= {};
      here = here[step] as { [key: string]: unknown };
    }
    if (value !== null) here[last] = value;
    else if (Array.isArray(here)) here.splice(Number(last), 1);
    else delete here[last];
  }
  return exactJson(JSON.stringify(body)) as JsonObject;
}
