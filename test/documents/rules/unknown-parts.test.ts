/**
 * Amounts that nobody compares: whatever is left out of a document or given twice, wrong sums are refused. A sum with an
 * unknown part is a fault, never silence.
 */
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { showFault } from '../../../src/model/fault.ts';
import type { Example, ProfileName } from '../../../src/model/rule.ts';
import { changed, MODELS, type Model, told } from './models.ts';

const [INVOICE, , NOTE] = MODELS as unknown as readonly [Model, Model, Model];
const VAT = { type: 'tax', class: 'vat', subtype: 'standard', percent: 20 };

function isBlock(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !(value instanceof Decimal);
}

/** Everything in the document that may go, from its leaves up to its lists. */
function placesOf(value: unknown, at = ''): readonly string[] {
  if (!isBlock(value)) return [at];
  const inner = Object.entries(value).flatMap(([name, one]) => placesOf(one, `${at}/${name}`));
  return at === '' ? inner : [...inner, at];
}

/** The entries of its lists. */
function entriesOf(value: unknown, at = ''): readonly { readonly list: string; readonly entry: unknown }[] {
  if (!isBlock(value)) return [];
  const own = Array.isArray(value) ? value.map((entry) => ({ list: `${at}/${value.length}`, entry })) : [];
  return [...own, ...Object.entries(value).flatMap(([name, one]) => entriesOf(one, `${at}/${name}`))];
}

const WHOLE: Example['set'] = {};
const DISCOUNTED: Example['set'] = {
  '/totals/subtotals/2': {
    ...{ type: 'discount', class: 'net', 'before-taxes': true, sign: 'negative', amount: 10 },
    ...{ reason: { description: 'Remise' }, subtotals: [VAT] },
  },
  '/totals/subtotals/1/subtotals/0/taxable-amount': 154.97,
  '/totals/subtotals/1/subtotals/0/amount': 30.99,
  '/totals/subtotals/1/amount': 32.27,
  '/totals/final-amount': 210.59,
};
/** As `totals: { standard: { discount: ... } }` makes it: 8.76 and 1.24 of the 10.00. */
const SHARED: Example['set'] = {
  '/totals/subtotals/2': {
    ...{ type: 'discount', 'before-taxes': true, sign: 'negative', amount: 10, reason: { description: 'Remise' } },
  },
  '/totals/subtotals/1/subtotals/0/taxable-amount': 156.21,
  '/totals/subtotals/1/subtotals/0/amount': 31.24,
  '/totals/subtotals/1/subtotals/1/taxable-amount': 22.11,
  '/totals/subtotals/1/subtotals/1/amount': 1.22,
  '/totals/subtotals/1/amount': 32.46,
  '/totals/final-amount': 210.78,
};
/** A discount of everything: each rate is there, with nothing to tax. */
const FREE: Example['set'] = {
  '/totals/subtotals/2': {
    ...{ type: 'discount', 'before-taxes': true, sign: 'negative', amount: 188.32, reason: { description: 'Geste' } },
  },
  ...Object.fromEntries(
    [0, 1].flatMap((n) =>
      ['taxable-amount', 'amount'].map((name) => [`/totals/subtotals/1/subtotals/${n}/${name}`, 0]),
    ),
  ),
  '/totals/subtotals/1/amount': 0,
  '/totals/final-amount': 0,
};
const DEPOSIT: Example['set'] = {
  '/totals/subtotals/2': { type: 'deposit', 'before-taxes': false, sign: 'negative', amount: 50 },
};
const EXEMPT = { subtype: 'exempt', reason: { identifier: 'VATEX-FR-FRANCHISE', description: 'Art. 293 B du CGI' } };
const UNTAXED: Example['set'] = {
  ...Object.fromEntries([0, 1, 2].map((n) => [`/lines/${n}/taxes`, [{ type: 'vat', subtype: 'exempt', percent: 0 }]])),
  '/totals/subtotals/1/subtotals': [
    { type: 'tax', class: 'vat', ...EXEMPT, percent: 0, 'taxable-amount': 188.32, amount: 0 },
  ],
  '/totals/subtotals/1/amount': 0,
  '/totals/final-amount': 188.32,
};
const ECO: Example['set'] = { '/lines/0/taxes/1': { type: 'eco', amount: 0.1 } };

/** Documents that are right, with the class they have. */
const RIGHT: readonly (readonly [what: string, set: Example['set'], documentClass: string])[] = [
  ['an invoice', WHOLE, 'invoice'],
  ['a credit note', { '/document/document-type': '381' }, 'credit-note'],
  ['a corrective', { '/document/document-type': '384' }, 'corrective'],
  ['a discount on the document', DISCOUNTED, 'invoice'],
  ['a discount that is shared over the rates', SHARED, 'invoice'],
  ['a deposit that the final amount leaves out', DEPOSIT, 'invoice'],
  ['a deposit that the final amount takes off', { ...DEPOSIT, '/totals/final-amount': 172.59 }, 'invoice'],
  ['no tax at all', UNTAXED, 'invoice'],
  ['an eco-tax', ECO, 'invoice'],
];

const FINAL = '/totals/final-amount';
const [NET, TAX] = ['/totals/subtotals/0/amount', '/totals/subtotals/1/amount'];
const NESTED = '/totals/subtotals/1/subtotals';

/** One amount is wrong, and all that is calculated from it goes along, so that one comparison is all that finds it. */
const WRONG: readonly (readonly [what: string, set: Example['set']])[] = [
  ['the final amount', { [FINAL]: 9999 }],
  ['the total of VAT', { [TAX]: 9999, [FINAL]: 10187.32 }],
  ['the VAT of a rate', { [`${NESTED}/0/amount`]: 9999, [TAX]: 10000.28, [FINAL]: 10188.6 }],
  [
    'the base of a rate',
    { [`${NESTED}/0/taxable-amount`]: 1000, [`${NESTED}/0/amount`]: 200, [TAX]: 201.28, [FINAL]: 389.6 },
  ],
  [
    'the base of the last rate',
    { [`${NESTED}/1/taxable-amount`]: 1000, [`${NESTED}/1/amount`]: 55, [TAX]: 87.99, [FINAL]: 276.31 },
  ],
  ['the net amount', { [NET]: 1000, [FINAL]: 1034.27 }],
];

function errorsOf(model: Model, set: Example['set'], profile: ProfileName, documentClass = model.class) {
  return told(model, { set: structuredClone(set), class: documentClass }, { profile }).filter(
    ({ level }) => level === 'error',
  );
}

describe.each(RIGHT)('%s', (_what, right, documentClass) => {
  const model: Model = { ...INVOICE, class: documentClass };
  const payload = changed(INVOICE.payload, right);
  // The rest of the document is the same in all of them.
  const isSum = (at: string) => right === WHOLE || at.startsWith('/totals') || at.startsWith('/lines/0');

  test('is accepted', () => {
    expect(errorsOf(model, right, 'fr-2026').map(showFault)).toEqual([]);
  });

  test.each(WRONG)('%s is wrong: refused, whatever else is left out or given twice', (_wrong, wrong) => {
    const accepted: string[] = [];
    const see = (what: string, set: Example['set']) => {
      if (errorsOf(model, { ...right, ...wrong, ...set }, 'fr-2026').length === 0) accepted.push(what);
    };
    see('nothing', {});
    for (const at of placesOf(payload).filter(isSum)) see(`without ${at}`, { [at]: null });
    for (const { list, entry } of entriesOf(payload)) if (isSum(list)) see(`${list} again`, { [list]: entry });
    expect(accepted).toEqual([]);
  });
});

const SUMS = ['totalNoSuj', 'totalExenta', 'totalGravada', 'subTotalVentas', 'subTotal', 'montoTotalOperacion'];

test.each(['sv-nr-v3', 'sv-nr-v4'] as const)(
  'a Salvadoran note under %s with a wrong sum is refused, whatever is left out',
  (profile) => {
    const accepted: string[] = [];
    for (const sum of SUMS) {
      for (const at of placesOf(NOTE.payload)) {
        const set = { [`/resumen/${sum}`]: 999.5, [at]: null };
        if (at !== `/resumen/${sum}` && errorsOf(NOTE, set, profile).length === 0)
          accepted.push(`${sum} without ${at}`);
      }
    }
    expect(accepted).toEqual([]);
  },
);

test.each([
  ['two rates on a line', { '/lines/0/taxes/1': { type: 'vat', percent: 5.5 } }, ['FR-VAT-7']],
  ['two rates of which one has no kind', { '/lines/0/taxes/1': { percent: 5.5 } }, ['FR-VAT-7']],
  [
    'two taxes, neither of which is VAT',
    { '/lines/0/taxes': [{ type: 'a', percent: 20 }, { type: 'b' }] },
    ['FR-VAT-7'],
  ],
  ['an eco-tax, and totals of another rate', { ...ECO, [`${NESTED}/0/percent`]: 10 }, ['FR-TOT-7b']],
  [
    'a discount that one rate has alone, and does not say so',
    { ...DISCOUNTED, '/totals/subtotals/2/subtotals': null },
    ['FR-TOT-18'],
  ],
  [
    'a discount of everything, and VAT that no entry per rate says',
    { ...FREE, [NESTED]: [], [TAX]: 34.27, [FINAL]: 34.27 },
    ['FR-TOT-18'],
  ],
  ['two net totals', { '/totals/subtotals/2': { type: 'lines-net-amount', amount: 188.32 } }, ['FR-TOT-14']],
  ['two totals of tax', { '/totals/subtotals/2': { type: 'tax', amount: 34.27 } }, ['FR-TOT-15']],
] as const)('%s: refused', (_what, set, rules) => {
  expect([...new Set(errorsOf(INVOICE, set, 'fr-2026').map(({ rule }) => rule))].sort()).toEqual(rules);
});

test('VAT that was rounded on each line is within a cent of each amount, also under a shared discount', () => {
  const rounded = (vat: number, total: number, final: number) => ({
    ...SHARED,
    ...{ [`${NESTED}/0/amount`]: vat, [TAX]: total, [FINAL]: final },
  });
  // Two lines and the discount are taxed at 20 %.
  expect(errorsOf(INVOICE, rounded(31.27, 32.49, 210.81), 'fr-2026')).toEqual([]);
  expect(errorsOf(INVOICE, rounded(31.28, 32.5, 210.82), 'fr-2026').map(({ rule }) => rule)).toEqual(['FR-TOT-3']);
});

test('a discount of everything leaves each rate with nothing to tax: accepted', () => {
  expect(errorsOf(INVOICE, FREE, 'fr-2026')).toEqual([]);
});

const CHF = {
  ...{ currency: 'CHF', 'final-amount': 211.46 },
  subtotals: [
    { type: 'lines-net-amount', amount: 178.9 },
    {
      ...{ type: 'tax', amount: 32.56 },
      subtotals: [
        { ...VAT, 'taxable-amount': 156.72, amount: 31.34 },
        { ...VAT, percent: 5.5, 'taxable-amount': 22.18, amount: 1.22 },
      ],
    },
  ],
};
/** Amounts that the document may give once more, all right. */
const MORE: Example['set'] = {
  '/alternate-totals': [CHF],
  '/agreements': [{ type: 'payment', amount: 222.59, terms: [{ amount: 100 }, { amount: 122.59 }] }],
};

test('amounts that are given once more are compared: each is refused if it is another one', () => {
  const payload = changed(INVOICE.payload, MORE);
  expect(errorsOf(INVOICE, MORE, 'fr-2026').map(showFault)).toEqual([]);
  const amounts = placesOf(payload).filter((at) => /amount$/.test(at));
  const accepted = amounts.flatMap((at) =>
    [9999, 0.5, -9999]
      .filter(
        (wrong) =>
          told(INVOICE, { set: structuredClone({ ...MORE, [at]: wrong }) }, { profile: 'fr-2026' }).length === 0,
      )
      .map((wrong) => `${at} ${wrong}`),
  );
  expect(amounts.length).toBeGreaterThan(20);
  expect(accepted).toEqual([]);
});

test.each([
  ['standard', 'S', 20],
  ['exempt', 'E', 0],
  ['Z', 'zero-rated', 0],
])('%s on a line, %s in the totals: one treatment', (line, total, percent) => {
  const [at, own] = [`${NESTED}/1`, '/lines/2/taxes/0'];
  const amount = percent === 0 ? 0 : 4.67;
  const set = {
    ...{ [`${own}/subtype`]: line, [`${own}/percent`]: percent, [`${own}/amount`]: amount },
    ...(percent === 0
      ? { [`${at}/subtype`]: total, [`${at}/percent`]: 0, [`${at}/amount`]: 0, [TAX]: 32.99, [FINAL]: 221.31 }
      : { [`${NESTED}/0/subtype`]: total, [`${own}/percent`]: 5.5, [`${own}/amount`]: 1.28, [`${at}/subtype`]: total }),
    ...(total === 'E' ? { [`${at}/reason`]: EXEMPT.reason } : {}),
  };
  expect(errorsOf(INVOICE, set, 'fr-2026').map(showFault)).toEqual([]);
});

test('a credit note of two invoices names both: refused where one has no number', () => {
  const set = { '/references/1': { type: 'original-invoice', date: '2026-01-16' } };
  const model: Model = { ...INVOICE, class: 'credit-note' };
  expect(errorsOf(model, set, 'fr-2026').map(({ rule, at }) => [rule, at])).toEqual([
    ['FR-REF-2c', '/references/1/identifier'],
  ]);
});
