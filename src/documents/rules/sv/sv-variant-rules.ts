/**
 * Rules of how a remission note shows its amounts, and of the total in words.
 *
 * A note is no sale, and its amounts are shown in four ways that are each accepted somewhere: A taxed, with the tax code on
 * the lines; B the same, with the tax in the summary and in the total; C everything as not subject to tax; D without
 * amounts. No source says which one is right, so only a mix of them is remarked.
 */
import { Decimal } from '../../../model/decimal.ts';
import { lengthRule } from '../field-rules.ts';
import type { Report, Rule } from '../rule-pack.ts';
import type { NoteView } from '../views/note-view.ts';
import { amountInWords } from './parse-amount-words.ts';
import { hasPlaces, isPositive } from './sv-amounts.ts';
import { BOTH } from './sv-profiles.ts';

const PLACES = 2;
const VAT = '20';
const VAT_RATE = Decimal.of(13, 2);

const TAXED = {
  '/cuerpoDocumento/0/ventaNoSuj': 0,
  '/cuerpoDocumento/0/ventaGravada': 15,
  '/cuerpoDocumento/0/tributos': ['20'],
  '/cuerpoDocumento/1/ventaNoSuj': 0,
  '/cuerpoDocumento/1/ventaGravada': 8.23325,
  '/cuerpoDocumento/1/tributos': ['20'],
  '/resumen/totalNoSuj': 0,
  '/resumen/totalGravada': 23.23,
};
const IVA = (valor: number) => ({ codigo: '20', descripcion: 'Impuesto al Valor Agregado 13%', valor });
/** Changes that make the model document one of way B. */
export const WITH_VAT = {
  ...TAXED,
  '/resumen/tributos': [IVA(3.02)],
  '/resumen/montoTotalOperacion': 26.25,
  '/resumen/totalLetras': 'VEINTISÉIS 25/100 DÓLARES',
};

/** Reports a total that differs from the sum of its parts. */
export function differsByVariant(broken: Report, at: string, has: Decimal, expected: Decimal): void {
  if (!has.equals(expected)) broken(at, { expected: expected.toText() }, has.minus(expected));
}

const FOUR_WAYS = 'implementers, who use four ways; none is official';

/** The four ways and their mixes. */
const variants: readonly Rule<NoteView>[] = [
  {
    id: 'SV-SUM-6',
    code: 'sv-remission-note/mixed-amounts',
    severity: 'warning',
    at: ['/resumen/totalGravada'],
    source: FOUR_WAYS,
    profiles: BOTH,
    unless: { document: ['SV-SUM-1', 'SV-SUM-1b'] },
    passes: { set: TAXED },
    fails: {
      set: {
        ...{ '/cuerpoDocumento/0/ventaNoSuj': 0, '/cuerpoDocumento/0/ventaGravada': 15 },
        '/cuerpoDocumento/0/tributos': ['20'],
        ...{ '/resumen/totalNoSuj': 8.23, '/resumen/totalGravada': 15 },
      },
    },
    test: ({ resumen: { amounts } }, broken) => {
      if (isPositive(amounts.totalGravada) && isPositive(amounts.totalNoSuj)) broken('/resumen/totalGravada');
    },
  },
  {
    id: 'SV-SUM-6b',
    code: 'sv-remission-note/tax-amount',
    severity: 'warning',
    at: ['/resumen/tributos/*/valor'],
    formula: 'valor = round2((totalGravada − descuGravada) × 13 %)',
    source: FOUR_WAYS,
    profiles: BOTH,
    unless: { document: ['SV-SUM-1'] },
    passes: { set: WITH_VAT },
    fails: { set: { ...WITH_VAT, '/resumen/tributos': [IVA(3.03)], '/resumen/montoTotalOperacion': 26.26 } },
    test: ({ resumen: { amounts, tributos } }, broken) => {
      const { totalGravada, descuGravada } = amounts;
      if (!totalGravada || !descuGravada) return;
      const expected = totalGravada.minus(descuGravada).times(VAT_RATE).round(PLACES);
      for (const { codigo, valor, at } of tributos) {
        if (codigo === VAT && valor) differsByVariant(broken, `${at}/valor`, valor, expected);
      }
    },
  },
  {
    id: 'SV-SUM-6c',
    code: 'sv-remission-note/tax-without-line',
    severity: 'warning',
    at: ['/resumen/tributos/*/codigo'],
    source: FOUR_WAYS,
    profiles: BOTH,
    passes: { set: WITH_VAT },
    fails: { set: { '/resumen/tributos': [IVA(0)] } },
    test: ({ items, resumen }, broken) => {
      for (const { codigo, at } of resumen.tributos) {
        if (codigo !== undefined && !items.some(({ tributos }) => tributos.includes(codigo))) {
          broken(`${at}/codigo`, { tax: codigo });
        }
      }
    },
  },
  {
    id: 'SV-SUM-6d',
    code: 'sv-remission-note/tax-not-in-summary',
    severity: 'warning',
    at: ['/resumen/tributos'],
    source: FOUR_WAYS,
    profiles: BOTH,
    passes: { set: TAXED },
    fails: { set: { ...WITH_VAT, '/cuerpoDocumento/0/tributos': ['20', 'D1'] } },
    test: ({ items, resumen }, broken) => {
      if (resumen.tributos.length === 0) return;
      const listed = new Set(resumen.tributos.map(({ codigo }) => codigo));
      const missing = new Set(items.flatMap(({ tributos }) => tributos).filter((code) => !listed.has(code)));
      for (const tax of missing) if (tax !== undefined) broken('/resumen/tributos', { tax });
    },
  },
];

/** The total in words against the total in digits. */
const words: readonly Rule<NoteView>[] = [
  lengthRule({
    id: 'SV-SUM-8',
    code: 'sv-remission-note/text-length',
    at: ['/resumen/totalLetras', '/resumen/tributos/*/descripcion', '/resumen/tributos/*/codigo'],
    formula: 'totalLetras 1 to 200; codigo of a tax 2, descripcion 2 to 150',
    source: 'NR v3, resumen',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/resumen/totalLetras': `VEINTITRÉS 23/100 ${'X'.repeat(200)}` } },
    fields: ({ resumen }, visit) => {
      visit(resumen.totalLetras, 1, 200, () => '/resumen/totalLetras');
      for (const { codigo, descripcion, at } of resumen.tributos) {
        visit(codigo, 2, 2, () => `${at}/codigo`);
        visit(descripcion, 2, 150, () => `${at}/descripcion`);
      }
    },
  }),
  {
    // A warning: the format is free, and a reader of words may fail where a person would not.
    id: 'SV-SUM-8b',
    code: 'sv-remission-note/amount-in-words',
    severity: 'warning',
    at: ['/resumen/totalLetras'],
    formula: 'the number in words, and the cents as 23/100 or in words before "centavos", are montoTotalOperacion',
    source: 'NR v3, resumen.totalLetras; remission-note 2',
    profiles: BOTH,
    unless: { document: ['SV-SUM-5', 'SV-SUM-7'] },
    passes: { set: { '/resumen/totalLetras': 'son: veintitrés dólares con 23/100 USD' } },
    fails: { set: { '/resumen/totalLetras': 'VEINTIDÓS 23/100 DÓLARES' } },
    test: ({ resumen: { totalLetras, amounts } }, broken) => {
      const total = amounts.montoTotalOperacion;
      if (totalLetras === undefined || total === undefined || !hasPlaces(total, PLACES)) return;
      if (!amountInWords(totalLetras)?.equals(total)) broken('/resumen/totalLetras', { total: total.toText(PLACES) });
    },
  },
];

/** Warnings, except the lengths of texts: no authority prescribes a way. */
export const variantRules: readonly Rule<NoteView>[] = [...variants, ...words];
