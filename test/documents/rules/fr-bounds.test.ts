/** Rules of French invoices at their bounds: what is just allowed and what is just not, and each field that they name. */
import { describe, expect, test } from 'vitest';
import { everyFieldIsBroken, type Row, saidBy, table } from './alone.ts';

const NUMBER = '/document/identifier';
const DUE = '/document/date-due';
const RECEIVER = '/receiver/identifiers/0/value';
const ROUTING = '/receiver/e-addresses/0/value';
const TYPE = '/document/document-type';

const period = (...dates: readonly (readonly [type: string, value: string])[]) => [
  { 'additional-dates': dates.map(([type, value]) => ({ type, value })) },
];
const terms = (...days: readonly string[]) => [{ type: 'payment', terms: days.map((day) => ({ 'date-due': day })) }];
const frame = (value: string) => ({
  '/document/additional-info': [
    { key: 'note', value: 'x' },
    { key: 'frame', value },
  ],
});
const INFO = '/document/additional-info';
const info = (...entries: readonly (readonly [key: string, value: string])[]) => ({
  [INFO]: entries.map(([key, value]) => ({ key, value })),
});
/** Totals stated next to the final amount. */
const stated = (amounts: { readonly [key: string]: string }) => ({
  '/totals/additional-info': Object.entries(amounts).map(([key, value]) => ({ key, value })),
});
const further = (type: string, value: string) => ({
  '/additional-parties': [
    { name: 'Affacturage' },
    {
      name: 'Agence',
      identifiers: [
        { type: 'gln', value: '1' },
        { type, value },
      ],
    },
  ],
});
const furtherBoth = (type: string, value: string) => ({
  '/additional-parties': [
    {},
    {
      identifiers: [
        { type: 'siren', value: '404833048' },
        { type, value },
      ],
    },
  ],
});
const FURTHER = '/additional-parties/1/identifiers/1/value';
const abroad = (...identifiers: readonly object[]) => ({
  '/receiver/address/country': 'BE',
  '/receiver/identifiers': identifiers,
});
const treated = (content: string) => ({ '/notes/4': { tag: 'BAR', content } });

describe('number', () => {
  table([
    ['FR-NUM-2', 'every character that is allowed', { [NUMBER]: 'AZaz09+-_/' }, []],
    ['FR-NUM-2', 'a blank in front', { [NUMBER]: ' F12' }, [NUMBER]],
    ['FR-NUM-2', 'a blank behind', { [NUMBER]: 'F12 ' }, [NUMBER]],
    ['FR-NUM-2', 'a line break behind', { [NUMBER]: 'F12\n' }, [NUMBER]],
    ['FR-NUM-2', 'an accent', { [NUMBER]: 'É12' }, [NUMBER]],
    ['FR-NUM-2b', 'a number of blanks', { [NUMBER]: '  ' }, [NUMBER]],
    ['FR-NUM-2b', 'no date', { '/document/date': null }, ['/document/date']],
    ...['FR-NUM-1', 'FR-NUM-1b', 'FR-NUM-2', 'FR-NUM-2b', 'FR-NUM-3'].map(
      (id): Row => [id, 'a number still to come', { '/document/series': 'A', [NUMBER]: '\0'.repeat(40) }, []],
    ),
    ['FR-NUM-3', 'no series', { [NUMBER]: 'F 12' }, []],
    ['FR-NUM-3', 'series and number of 35', { '/document/series': 'A'.repeat(25), [NUMBER]: 'F'.repeat(10) }, []],
    [
      'FR-NUM-3',
      'series and number of 36',
      { '/document/series': 'A'.repeat(26), [NUMBER]: 'F'.repeat(10) },
      ['/document/series'],
    ],
    ['FR-NUM-3', 'a number that is wrong by itself', { '/document/series': 'A', [NUMBER]: 'F 12' }, []],
    ['FR-NUM-3', 'a series without a number', { '/document/series': 'A', [NUMBER]: null }, []],
  ]);
});

describe('dates', () => {
  const at = {
    '/document/date': (day: string) => ({ '/document/date': day }),
    '/document/date-due': (day: string) => ({ [DUE]: day }),
    '/document/date-taxes': (day: string) => ({ '/document/date-taxes': day }),
    '/references/0/date': (day: string) => ({ '/references/0/date': day }),
    '/logistics/1/date': (day: string) => ({ '/logistics': [{}, { type: 'delivery', date: day }] }),
    '/logistics/0/additional-dates/1/value': (day: string) => ({
      '/logistics': period(['a', '2026-01-01'], ['b', day]),
    }),
    '/lines/2/additional-dates/0/value': (day: string) => ({
      '/lines/2/additional-dates': [{ type: 'delivery', value: day }],
    }),
    '/agreements/0/terms/1/date-due': (day: string) => ({ '/agreements': terms('2026-12-05', day) }),
  };

  table(
    Object.entries(at).flatMap(([place, change]): Row[] => [
      ['FR-DAT-1', `1999 at ${place}`, change('1999-12-31'), [place]],
      ['FR-DAT-1', `2000 at ${place}`, change('2000-01-01'), []],
      ['FR-DAT-1', `2099 at ${place}`, change('2099-12-31'), []],
      ['FR-DAT-1', `2100 at ${place}`, change('2100-01-01'), [place]],
    ]),
  );

  table([
    ['FR-DAT-1', 'a further date without a day', { '/logistics': [{ 'additional-dates': [{ type: 'a' }] }] }, []],
  ]);

  const TERM = '/agreements/0/terms/0/date-due';
  const EARLY = { [DUE]: '2026-11-04' };
  const undated = (...terms: readonly object[]) => ({ [DUE]: null, '/agreements': [{ type: 'payment', terms }] });

  table([
    ['FR-DAT-3', 'a term on the day of the document', { '/agreements': terms('2026-11-05') }, []],
    ['FR-DAT-3', 'a term the day before', { '/agreements': terms('2026-11-04') }, [TERM]],
    ['FR-DAT-3', 'without a date of the document', { ...EARLY, '/document/date': null }, []],
    ['FR-DAT-3', 'without a due date', { [DUE]: null }, []],
    ...['386', '500', '503'].map((type): Row => ['FR-DAT-3', `an advance, ${type}`, { ...EARLY, [TYPE]: type }, []]),
    ...['380', '389', '501'].map((type): Row => ['FR-DAT-3', `no advance, ${type}`, { ...EARLY, [TYPE]: type }, [DUE]]),
    ...['B2', 'S2', 'M2', ' S2 '].map(
      (value): Row => ['FR-DAT-3', `paid already, ${value}`, { ...EARLY, ...frame(value) }, []],
    ),
    ...['B1', 'S4', 'S20'].map(
      (value): Row => ['FR-DAT-3', `not paid yet, ${value}`, { ...EARLY, ...frame(value) }, [DUE]],
    ),
    ['FR-DAT-4', 'a corrective', { [DUE]: null }, [DUE], { class: 'corrective' }],
    ['FR-DAT-4', 'a credit note', { [DUE]: null }, [], { class: 'credit-note' }],
    ['FR-DAT-4', 'nothing to pay', { [DUE]: null, '/totals/final-amount': 0 }, []],
    ['FR-DAT-4', 'a cent to pay', { [DUE]: null, '/totals/final-amount': 0.01 }, [DUE]],
    ['FR-DAT-4', 'a cent to get back', { [DUE]: null, '/totals/final-amount': -0.01 }, []],
    ['FR-DAT-4', 'an amount that is not there', { [DUE]: null, '/totals/final-amount': null }, []],
    ['FR-DAT-4', 'paid in full', { [DUE]: null, ...stated({ 'payable-amount': '0' }) }, []],
    [
      'FR-DAT-4',
      'paid in full, of which only the advance is said',
      { [DUE]: null, ...stated({ 'prepaid-amount': '222.59' }) },
      [],
    ],
    ['FR-DAT-4', 'paid but for a cent', { [DUE]: null, ...stated({ 'prepaid-amount': '222.58' }) }, [DUE]],
    [
      'FR-DAT-4',
      'rounded up from nothing',
      { [DUE]: null, ...stated({ 'prepaid-amount': '222.59', 'rounding-amount': '0.01' }) },
      [DUE],
    ],
    ['FR-DAT-4', 'an advance that is no number', { [DUE]: null, ...stated({ 'prepaid-amount': 'x' }) }, []],
    [
      'FR-DAT-4',
      'something to pay of nothing',
      { [DUE]: null, '/totals/final-amount': 0, ...stated({ 'payable-amount': '5' }) },
      [DUE],
    ],
    ['FR-DAT-4', 'paid already', { [DUE]: null, ...frame('B2') }, []],
    ['FR-DAT-4', 'terms in words', { [DUE]: null, '/agreements': [{}, { description: 'à 30 jours' }] }, []],
    ...[{}, { type: 'due-period' }, { type: 'due-period', amount: 5 }, { duration: { unit: 'days' } }].map(
      (term): Row => ['FR-DAT-4', `a term without its day: ${JSON.stringify(term)}`, undated(term), [DUE]],
    ),
    ...[{ 'date-due': '2026-12-05' }, { description: '30 jours' }, { duration: { value: 30, unit: 'days' } }].map(
      (term): Row => ['FR-DAT-4', `a term: ${JSON.stringify(term)}`, undated({}, term), []],
    ),
    ['FR-DAT-4', 'an agreement without terms', { [DUE]: null, '/agreements': [{ type: 'payment', terms: [] }] }, [DUE]],
  ]);
});

describe('currencies and type', () => {
  const chf = { '/document/currency': 'CHF', '/totals/currency': 'CHF', '/document/currency-taxes': 'EUR' };
  const tax = (type: string, amount?: number) => ({
    subtotals: [{ type, ...(amount === undefined ? {} : { amount }) }],
  });
  const also = (...totals: readonly object[]) => ({ ...chf, '/alternate-totals': totals });

  table([
    ['FR-CUR-1', 'in the totals alone', { '/document/currency': null }, []],
    ['FR-CUR-1', 'in neither', { '/document/currency': null, '/totals/currency': null }, ['/document/currency']],
    ['FR-CUR-1', 'wrong in the head', { '/document/currency': 'EURO' }, ['/document/currency']],
    ['FR-CUR-1', 'wrong in the totals', { '/totals/currency': 'eur' }, ['/totals/currency']],
    [
      'FR-CUR-1',
      'the same wrong one in both is told once',
      { '/document/currency': '€', '/totals/currency': '€' },
      ['/document/currency'],
    ],
    ['FR-CUR-1', 'wrong for the taxes', { '/document/currency-taxes': 'EU' }, ['/document/currency-taxes']],
    [
      'FR-CUR-1',
      'wrong in another total',
      { '/alternate-totals': [{ currency: 'CHF' }, {}, { currency: 'SFR' }] },
      ['/alternate-totals/2/currency'],
    ],
    ['FR-CUR-1b', 'no currency in the head', { '/document/currency': null }, []],
    ['FR-CUR-1b', 'no currency in the totals', { '/totals/currency': null }, []],
    ['FR-CUR-2', 'in euro', {}, []],
    [
      'FR-CUR-2',
      'taxes in a third currency',
      { ...chf, '/document/currency-taxes': 'USD' },
      ['/document/currency-taxes'],
    ],
    ['FR-CUR-2', 'a currency that is none', { '/document/currency': 'SFR' }, []],
    ['FR-CUR-2', 'in none', { '/document/currency': null, '/totals/currency': null }, []],
    ['FR-CUR-2b', 'in euro', {}, []],
    ['FR-CUR-2b', 'the VAT of another currency', also({ currency: 'USD', ...tax('tax', 3) }), ['/alternate-totals']],
    [
      'FR-CUR-2b',
      'in euro, but not the VAT',
      also({ currency: 'EUR', ...tax('lines-net-amount', 3) }),
      ['/alternate-totals'],
    ],
    ['FR-CUR-2b', 'VAT without its amount', also({ currency: 'EUR', ...tax('tax') }), ['/alternate-totals']],
    [
      'FR-CUR-2b',
      'one amount is enough',
      also({ currency: 'EUR', ...tax('tax') }, { currency: 'EUR', ...tax('tax', 0) }),
      [],
    ],
    ['FR-CUR-2c', 'taxes in the currency of the document', { '/document/currency-taxes': 'EUR' }, []],
    [
      'FR-CUR-2c',
      'no currency of the document',
      { '/document/currency': null, '/totals/currency': null, '/document/currency-taxes': 'USD' },
      [],
    ],
    [
      'FR-CUR-2c',
      'the VAT in a third currency',
      { '/document/currency-taxes': 'CHF', '/alternate-totals': [{ currency: 'USD', ...tax('tax', 3) }] },
      ['/alternate-totals'],
    ],
    [
      'FR-CUR-2c',
      'VAT without its amount',
      { '/document/currency-taxes': 'CHF', '/alternate-totals': [{ currency: 'CHF', ...tax('tax') }] },
      ['/alternate-totals'],
    ],
    [
      'FR-CUR-2c',
      'VAT of 0',
      { '/document/currency-taxes': 'CHF', '/alternate-totals': [{ currency: 'CHF', ...tax('tax', 0) }] },
      [],
    ],
    ['FR-CUR-2c', 'a document in Swiss francs', also({ currency: 'USD', ...tax('tax', 3) }), ['/alternate-totals']],
  ]);

  const TYPES = {
    invoice: ['380', '386', '389', '393', '500', '501'],
    'credit-note': ['261', '262', '381', '396', '502', '503'],
    corrective: ['384', '471', '472', '473'],
  };
  const ALL = Object.values(TYPES).flat();

  test.each(Object.entries(TYPES))('the types of the class %s', (documentClass, types) => {
    const taken = ALL.filter(
      (type) => saidBy('FR-TYP-1', { set: { [TYPE]: type }, class: documentClass }).length === 0,
    );
    expect(taken.sort()).toEqual(types);
  });

  table([
    ['FR-TYP-1', 'a code that is of no class', { [TYPE]: '999' }, []],
    ['FR-TYP-1', 'blanks around', { [TYPE]: ' 380 ' }, []],
    ['FR-TYP-1', 'a code under a key of additional-info', info(['type-code', '381']), [`${INFO}/0/value`]],
    ['FR-TYP-1', 'the word of another class', { [TYPE]: 'credit-note' }, [TYPE]],
    ['FR-TYP-1', 'the word of its class', { [TYPE]: 'invoice' }, []],
    ['FR-TYP-1', 'a word of the program', { [TYPE]: 'avoir' }, []],
    ['FR-TYP-1b', 'a code of three digits that is none', { [TYPE]: '999' }, [TYPE]],
    ['FR-TYP-1b', 'two digits', { [TYPE]: '38' }, [TYPE]],
    ['FR-TYP-1b', 'four digits', { [TYPE]: '3810' }, [TYPE]],
    ['FR-TYP-1b', 'a word behind', { [TYPE]: '381 avoir' }, []],
    ['FR-TYP-1b', 'a word in front', { [TYPE]: 'avoir 381' }, []],
    ['FR-TYP-1b', 'no code under the key of one', info(['note', '325'], ['type-code', 'FA']), [`${INFO}/1/value`]],
    ['FR-TYP-1b', 'digits under another key', info(['accounting-cost', '325']), []],
    ['FR-TYP-1b', 'an empty entry', info(['type-code', ' ']), []],
    ...['Type-Code', 'BT-3', 'InvoiceTypeCode', 'credit_note_type_code', 'document-type', 'UNTDID 1001'].map(
      (key): Row => ['FR-TYP-1b', `the key ${key}`, info([key, '325']), [`${INFO}/0/value`]],
    ),
    ['FR-TYP-1c', 'one code twice', { [TYPE]: '389', ...info(['type-code', ' 389 ']) }, []],
    ['FR-TYP-1c', 'two codes of one class', { [TYPE]: '380', ...info(['type-code', '389']) }, [`${INFO}/0/value`]],
  ]);
});

describe('parties', () => {
  const PARTIES = ['issuer', 'receiver'] as const;
  const ADDRESS = ['street', 'street-additional', 'city', 'postal-code', 'region'];

  table(
    PARTIES.flatMap((party): Row[] => [
      ['FR-PTY-1', `the ${party} without a name`, { [`/${party}/name`]: null }, [`/${party}/name`]],
      ['FR-PTY-1', `the ${party} without an address`, { [`/${party}/address`]: null }, [`/${party}/address`]],
      [
        'FR-PTY-1',
        `the ${party} with a blank address`,
        { [`/${party}/address`]: { city: ' ' } },
        [`/${party}/address`],
      ],
      ['FR-PTY-1', `the ${party} with its country alone`, { [`/${party}/address`]: { country: 'FR' } }, []],
      ...ADDRESS.map((name): Row => {
        const address = { [`/${party}/address`]: { [name]: 'x' } };
        return ['FR-PTY-1', `the ${party} with ${name} alone`, address, [`/${party}/address/country`]];
      }),
    ]),
  );

  table([
    ['FR-PTY-1b', 'of the issuer', { '/issuer/address/country': 'UK' }, ['/issuer/address/country']],
    ['FR-PTY-1b', 'of the receiver', { '/receiver/address/country': 'fr' }, ['/receiver/address/country']],
    [
      'FR-PTY-1b',
      'of a further party',
      { '/additional-parties': [{}, { address: { country: 'FRA' } }] },
      ['/additional-parties/1/address/country'],
    ],
    [
      'FR-PTY-1b',
      'of a delivery',
      { '/logistics': [{}, { address: { country: 'Suisse' } }] },
      ['/logistics/1/address/country'],
    ],
    ['FR-PTY-1b', 'Northern Ireland', { '/receiver/address/country': 'XI' }, []],
    ['FR-PTY-2', 'eight digits', { '/issuer/identifiers/0/value': '73282932' }, ['/issuer/identifiers/0/value']],
    ['FR-PTY-2', 'ten digits', { '/issuer/identifiers/0/value': '7328293200' }, ['/issuer/identifiers/0/value']],
    ['FR-PTY-2', 'blanks around', { '/issuer/identifiers/0/value': ' 732829320 ' }, []],
    ['FR-PTY-2', 'no identifier', { '/issuer/identifiers': null }, ['/issuer/identifiers']],
    ['FR-PTY-2', 'a SIRET alone', { '/issuer/identifiers/0': { type: 'siret', value: '73282932000074' } }, []],
    [
      'FR-PTY-2',
      'a SIRET alone that has thirteen digits',
      { '/issuer/identifiers/0': { type: 'siret', value: '7328293200007' } },
      ['/issuer/identifiers'],
    ],
    [
      'FR-PTY-2',
      'a SIRET alone that has fifteen digits',
      { '/issuer/identifiers/0': { type: 'siret', value: '732829320000741' } },
      ['/issuer/identifiers'],
    ],
    [
      'FR-PTY-2',
      'a SIREN that is none beside a SIRET',
      {
        '/issuer/identifiers': [
          { type: 'siret', value: '73282932000074' },
          { type: 'vat', value: '12' },
          { type: 'siren', value: '12' },
        ],
      },
      ['/issuer/identifiers/2/value'],
    ],
    [
      'FR-PTY-2',
      'a blank SIREN before another',
      {
        '/issuer/identifiers': [
          { type: 'siren', value: ' ' },
          { type: 'siren', value: '732829320' },
        ],
      },
      [],
    ],
    [
      'FR-PTY-2b',
      'the receiver',
      { '/receiver/identifiers/0': { type: 'siret', value: '40483304800022' } },
      ['/receiver/identifiers'],
    ],
    ['FR-PTY-2b', 'a receiver abroad', abroad({ type: 'siret', value: '40483304800022' }), []],
    ['FR-PTY-2b', 'neither of the two', { '/issuer/identifiers': null }, []],
    ['FR-PTY-3', 'eight digits', { [RECEIVER]: '40483304' }, [RECEIVER]],
    ['FR-PTY-3', 'no identifier', { '/receiver/identifiers': null }, ['/receiver/identifiers']],
    [
      'FR-PTY-3',
      'without a country',
      { '/receiver/address/country': null, '/receiver/identifiers': null },
      ['/receiver/identifiers'],
    ],
    [
      'FR-PTY-3',
      'the country in words',
      { '/receiver/address/country': 'France', '/receiver/identifiers': null },
      ['/receiver/identifiers'],
    ],
    ['FR-PTY-3', 'a note says it is between businesses', { ...abroad(), ...treated('b2b') }, ['/receiver/identifiers']],
    ...['B2BINT', 'B2C', 'B2CINT', 'OUTOFSCOPE', 'ARCHIVEONLY'].map(
      (said): Row => ['FR-PTY-3', `a note says ${said}`, { '/receiver/identifiers': null, ...treated(said) }, []],
    ),
    [
      'FR-PTY-3',
      'a note says something else',
      { '/receiver/identifiers': null, ...treated('constructor') },
      ['/receiver/identifiers'],
    ],
    ['FR-FLOW-1', 'at home', {}, []],
    ['FR-FLOW-1', 'a note says abroad', treated('B2BINT'), ['/receiver/address/country']],
    ['FR-FLOW-1', 'a note says a consumer', { '/notes/4': { tag: 'bar', content: ' b2c ' } }, ['/receiver']],
    ['FR-FLOW-1', 'a note says a consumer abroad', treated('B2CINT'), ['/receiver']],
    ['FR-FLOW-1', 'a note says neither', { '/receiver/address/country': 'BE', ...treated('OUTOFSCOPE') }, []],
    ['FR-FLOW-1', 'the note of another tag', { '/notes/4': { tag: 'BARR', content: 'B2C' } }, []],
    [
      'FR-FLOW-1',
      'Greece by the letters of its VAT numbers',
      { '/receiver/address/country': 'EL' },
      ['/receiver/address/country'],
    ],
    ['FR-FLOW-1', 'Monaco', { '/receiver/address/country': 'MC' }, []],
  ]);
});

describe('identifiers', () => {
  const vat = (value: string) => ({ '/receiver/identifiers/1/value': value });
  const VAT = '/receiver/identifiers/1/value';
  const untaxed = { '/lines/0/taxes/0/percent': 0, '/lines/1/taxes/0/percent': 0, '/lines/2/taxes/0/percent': 0 };
  const NO_VAT = { '/issuer/identifiers/1': null };
  const GROUP = { '/issuer/identifiers/2': { type: '0231', value: '1' } };
  const note = (tag: string, content: string) => ({ '/notes/4': { tag, content } });
  const OTHER_VAT = { '/issuer/identifiers/1/value': 'FR83404833048' };

  table([
    ['FR-PTY-4', 'of the issuer', { '/issuer/identifiers/0/value': '732829321' }, ['/issuer/identifiers/0/value']],
    ['FR-PTY-4', 'of the receiver', { [RECEIVER]: '404833049' }, [RECEIVER]],
    ['FR-PTY-4', 'of a further party', further('siren', '732829321'), [FURTHER]],
    ['FR-PTY-4', 'of a further party, of eight digits', further('siren', '73282932'), [FURTHER]],
    ['FR-PTY-4', 'of a further party, blank', further('siren', ' '), []],
    ['FR-PTY-4', 'of the issuer, of eight digits: told elsewhere', { '/issuer/identifiers/0/value': '73282932' }, []],
    ['FR-PTY-4', 'of the receiver, of eight digits: told elsewhere', { [RECEIVER]: '40483304' }, []],
    ['FR-PTY-4', 'of the receiver, of ten digits: told elsewhere', { [RECEIVER]: '4048330490' }, []],
    ['FR-PTY-4', 'of a receiver abroad, of eight digits', abroad({ type: 'siren', value: '40483304' }), [RECEIVER]],
    ['FR-PTY-4', 'of another type', further('gln', '732829321'), []],
    ['FR-PTY-5', 'thirteen digits', further('siret', '7328293200007'), [FURTHER]],
    ['FR-PTY-5', 'fifteen digits', further('siret', '732829320000741'), [FURTHER]],
    ['FR-PTY-5', 'fourteen digits', further('siret', '73282932000074'), []],
    ['FR-PTY-5', 'a letter', further('siret', '7328293200007A'), [FURTHER]],
    [
      'FR-PTY-5',
      'of the receiver',
      { '/receiver/identifiers/2': { type: 'siret', value: '1' } },
      ['/receiver/identifiers/2/value'],
    ],
    [
      'FR-PTY-5b',
      'of the receiver',
      { '/receiver/identifiers/2': { type: 'siret', value: '73282932000074' } },
      ['/receiver/identifiers/2/value'],
    ],
    ['FR-PTY-5b', 'of a further party', furtherBoth('siret', '73282932000074'), [FURTHER]],
    ['FR-PTY-5b', 'a SIRET alone', further('siret', '73282932000074'), []],
    [
      'FR-PTY-5b',
      'a SIRET of thirteen digits',
      { '/receiver/identifiers/2': { type: 'siret', value: '7328293200007' } },
      [],
    ],
    [
      'FR-PTY-5b',
      'a SIRET of fifteen digits',
      { '/receiver/identifiers/2': { type: 'siret', value: '732829320000741' } },
      [],
    ],
    [
      'FR-PTY-5b',
      'a SIREN of ten digits',
      {
        '/receiver/identifiers/0/value': '4048330480',
        '/receiver/identifiers/2': { type: 'siret', value: '73282932000074' },
      },
      [],
    ],
    [
      'FR-PTY-5b',
      'a SIREN of eight digits',
      {
        '/receiver/identifiers/0/value': '40483304',
        '/receiver/identifiers/2': { type: 'siret', value: '73282932000074' },
      },
      [],
    ],
    [
      'FR-PTY-6',
      'of the receiver',
      { '/receiver/identifiers/2': { type: 'siret', value: '40483304800023' } },
      ['/receiver/identifiers/2/value'],
    ],
    [
      'FR-PTY-6',
      'of the issuer',
      { '/issuer/identifiers/1': { type: 'siret', value: '73282932000015' } },
      ['/issuer/identifiers/1/value'],
    ],
    ['FR-PTY-6', 'of a further party', further('siret', '73282932000015'), [FURTHER]],
    ['FR-PTY-6', 'of thirteen digits: told elsewhere', further('siret', '7328293200007'), []],
    ['FR-PTY-6', 'of fifteen digits: told elsewhere', further('siret', '732829320000741'), []],
    ['FR-PTY-6', 'a post office whose digits make no multiple of five', further('siret', '35600000049838'), [FURTHER]],
    ['FR-PTY-7', 'of Belgium', vat('BE0403170701'), []],
    ['FR-PTY-7', 'of Ireland, with a sign', vat('IE8+12345A'), []],
    ['FR-PTY-7', 'of two characters behind the country', vat('ZZ12'), []],
    ['FR-PTY-7', 'of one character behind the country', vat('ZZ1'), [VAT]],
    ['FR-PTY-7', 'a letter for the country', vat('B0403170701'), [VAT]],
    ['FR-PTY-7', 'something in front of the country', vat('1BE0403170701'), [VAT]],
    ['FR-PTY-7', 'a blank in the number of another country', vat('BE 0403170701'), [VAT]],
    ['FR-PTY-7', 'a sign behind', vat('BE0403170701#'), [VAT]],
    ['FR-PTY-7', 'small letters', vat('fr83404833048'), [VAT]],
    ['FR-PTY-7', 'a French one of eight digits', vat('FR8340483304'), [VAT]],
    ['FR-PTY-7', 'a French one of ten digits', vat('FR834048330480'), [VAT]],
    ['FR-PTY-7', 'of the issuer', { '/issuer/identifiers/1/value': '12' }, ['/issuer/identifiers/1/value']],
    ['FR-PTY-7', 'of a further party', further('vat', '12'), [FURTHER]],
    ['FR-PTY-7b', 'of the receiver', vat('FR84404833048'), [VAT]],
    ['FR-PTY-7b', 'of a further party', further('vat', 'FR84404833048'), [FURTHER]],
    ['FR-PTY-7b', 'of another country', vat('BE0403170701'), []],
    ['FR-PTY-7b', 'a French one of ten digits: told elsewhere', vat('FR844048330480'), []],
    ['FR-PTY-7b', 'something in front: told elsewhere', vat('xFR84404833048'), []],
    ['FR-PTY-8', 'of the receiver', vat('FR44732829320'), [VAT]],
    [
      'FR-PTY-8',
      'of the receiver, whose note says a group',
      { ...vat('FR44732829320'), ...note('TXD', ' MEMBRE_ASSUJETTI_UNIQUE ') },
      [],
    ],
    [
      'FR-PTY-8',
      'a note of another tag',
      { ...OTHER_VAT, ...note('TXT', 'MEMBRE_ASSUJETTI_UNIQUE') },
      ['/issuer/identifiers/1/value'],
    ],
    [
      'FR-PTY-8',
      'a note that says something else',
      { ...OTHER_VAT, ...note('TXD', 'MEMBRE') },
      ['/issuer/identifiers/1/value'],
    ],
    ['FR-PTY-8', 'of a further party', furtherBoth('vat', 'FR44732829320'), [FURTHER]],
    ['FR-PTY-8', 'another party is in a group', { ...vat('FR44732829320'), ...GROUP }, [VAT]],
    ['FR-PTY-8', 'of another country', vat('BE0403170701'), []],
    ['FR-PTY-8', 'no SIREN beside it', { ...vat('FR44732829320'), '/receiver/identifiers/0/value': '12' }, []],
    [
      'FR-PTY-8',
      'the SIREN of a SIRET',
      { ...vat('FR44732829320'), '/receiver/identifiers/0': { type: 'siret', value: '40483304800022' } },
      [VAT],
    ],
    ['FR-PTY-8', 'something in front: told elsewhere', vat('xFR44732829320'), []],
    ['FR-PTY-8', 'of ten digits: told elsewhere', vat('FR447328293200'), []],
    ['FR-PTY-8b', 'no group', {}, []],
    ['FR-PTY-8b', 'the receiver is in a group', { '/receiver/identifiers/2': { type: '0231', value: '1' } }, []],
    ['FR-PTY-8c', 'no group', {}, []],
    ['FR-PTY-8c', 'the receiver is in a group', { '/receiver/identifiers/2': { type: '0231', value: '1' } }, []],
    ...(
      [
        ['of another role', 'payee', 'vat', 'FR1', ['/additional-parties']],
        ['without a VAT number', 'tax-representative', 'siren', '1', ['/additional-parties']],
        ['with a blank VAT number', 'tax-representative', 'vat', ' ', ['/additional-parties']],
        ['whole', 'tax-representative', 'vat', 'FR1', []],
      ] as const
    ).map(([what, role, type, value, at]): Row => {
      const party = { identifiers: [{ type, value }], 'additional-info': [{ key: 'role', value: role }] };
      return ['FR-PTY-8c', `a party ${what}`, { ...GROUP, '/additional-parties': [{}, party] }, at];
    }),
    ['FR-PTY-8b', 'the note of another tag', { ...GROUP, ...note('ACC', 'MEMBRE_ASSUJETTI_UNIQUE') }, ['/notes']],
    [
      'FR-PTY-9',
      'one of the lines has a rate',
      { ...untaxed, '/lines/1/taxes/0/percent': 20, ...NO_VAT },
      ['/issuer/identifiers'],
    ],
    [
      'FR-PTY-9',
      'one of the taxes of a line has a rate',
      { ...untaxed, '/lines/1/taxes/1': { percent: 0.1 }, ...NO_VAT },
      ['/issuer/identifiers'],
    ],
    ['FR-PTY-9', 'every rate is 0', { ...untaxed, ...NO_VAT }, []],
    ['FR-PTY-9', 'a rate is not there', { '/lines': [{ taxes: [{}] }], ...NO_VAT }, []],
    ['FR-PTY-9c', 'one of the rates is not 0', { ...untaxed, '/lines/1/taxes/0/percent': 20, ...NO_VAT }, []],
    [
      'FR-PTY-9c',
      'a single line at 0',
      { '/lines': [{ taxes: [{ percent: 0 }] }], ...NO_VAT },
      ['/issuer/identifiers'],
    ],
    ['FR-PTY-9c', 'a tax registration', { ...untaxed, '/issuer/identifiers/1/type': 'tax-registration' }, []],
    [
      'FR-PTY-9c',
      'a blank tax registration',
      { ...untaxed, '/issuer/identifiers/1': { type: 'tax-registration', value: ' ' } },
      ['/issuer/identifiers'],
    ],
    ['FR-PTY-9c', 'no line is taxed', { '/lines': [{ number: '1' }], ...NO_VAT }, []],
    ['FR-PTY-9c', 'a rate is not there', { ...untaxed, '/lines/1/taxes/0/percent': null, ...NO_VAT }, []],
    ...['intra-community', 'K', 'export', 'G'].map(
      (subtype): Row => [
        'FR-PTY-9d',
        `${subtype} without a VAT number`,
        { ...NO_VAT, '/lines/2/taxes/0/subtype': subtype },
        ['/issuer/identifiers'],
      ],
    ),
    ['FR-PTY-9d', 'another treatment', { ...NO_VAT, '/lines/2/taxes/0/subtype': 'reverse-charge' }, []],
    [
      'FR-PTY-9d',
      'the VAT number of a representative',
      {
        ...{ ...NO_VAT, '/lines/2/taxes/0/subtype': 'export' },
        '/additional-parties': [
          {
            identifiers: [{ type: 'vat', value: 'FR83404833048' }],
            'additional-info': [{ key: 'role', value: 'tax-representative' }],
          },
        ],
      },
      [],
    ],
    [
      'FR-PTY-9d',
      'the VAT number of a payee',
      {
        ...{ ...NO_VAT, '/lines/2/taxes/0/subtype': 'export' },
        '/additional-parties': [
          {
            identifiers: [{ type: 'vat', value: 'FR83404833048' }],
            'additional-info': [{ key: 'role', value: 'payee' }],
          },
        ],
      },
      ['/issuer/identifiers'],
    ],
    [
      'FR-PTY-9e',
      'no VAT number abroad',
      { ...abroad({ type: 'registration', value: 'DE811128135' }), '/lines/2/taxes/0/subtype': 'K' },
      ['/receiver/identifiers'],
    ],
    [
      'FR-PTY-9e',
      'a VAT number abroad',
      { ...abroad({ type: 'vat', value: 'DE811128135' }), '/lines/2/taxes/0/subtype': 'K' },
      [],
    ],
    ['FR-PTY-9e', 'an export', { ...abroad({ type: '0227', value: 'CH1' }), '/lines/2/taxes/0/subtype': 'export' }, []],
    ...(
      [
        ['siren', []],
        ['0223', []],
        ['vat', []],
        ['gln', ['/receiver/identifiers']],
        ['local', ['/receiver/identifiers']],
      ] as const
    ).map(
      ([type, at]): Row => [
        'FR-PTY-9f',
        `an identifier of type ${type}`,
        { ...abroad({ type, value: 'DE811128135' }), '/lines/2/taxes/0/subtype': 'AE' },
        at,
      ],
    ),
    ...['AE', 'reverse-charge', 'E', 'exempt', 'Z', 'zero'].map(
      (subtype): Row => [
        'FR-PTY-9g',
        `${subtype} without a number of the issuer`,
        { ...NO_VAT, '/lines/2/taxes/0/subtype': subtype },
        ['/issuer/identifiers'],
      ],
    ),
    ['FR-PTY-9g', 'outside the scope', { ...NO_VAT, '/lines/2/taxes/0/subtype': 'outside-scope' }, []],
    ['FR-PTY-9g', 'a standard rate', { ...NO_VAT, '/lines/2/taxes/0/subtype': 'standard' }, []],
    [
      'FR-PTY-9g',
      'the VAT number of a representative',
      {
        ...{ ...NO_VAT, '/lines/2/taxes/0/subtype': 'AE' },
        '/additional-parties': [
          {
            identifiers: [{ type: 'vat', value: 'FR83404833048' }],
            'additional-info': [{ key: 'role', value: 'tax-representative' }],
          },
        ],
      },
      [],
    ],
    ['FR-PTY-9b', 'a receiver abroad', abroad({ type: 'siren', value: '404833048' }), []],
    ['FR-PTY-9b', 'neither SIREN nor VAT number', { '/receiver/identifiers': null }, []],
    [
      'FR-PTY-9b',
      'the SIREN of a SIRET',
      { '/receiver/identifiers': [{ type: 'siret', value: '40483304800022' }] },
      ['/receiver/identifiers'],
    ],
  ]);
});

describe('routing addresses', () => {
  const ISSUER = '/issuer/e-addresses/0/value';
  const mail = (party: string) => ({ [`/${party}/e-addresses`]: [{ type: 'email', value: 'a@b.example' }] });
  const SELF_BILLED = ['389', '501', '500', '471', '473', '261', '502'];

  table([
    ['FR-ADR-1', 'the issuer', { '/issuer/e-addresses': null }, ['/issuer/e-addresses']],
    ['FR-ADR-1', 'a mail address alone', mail('receiver'), []],
    ...['0002', '0009', '0088', 'EM'].map(
      (type): Row => ['FR-ADR-1', `an address of scheme ${type}`, { '/receiver/e-addresses/0/type': type }, []],
    ),
    ['FR-ADR-1', 'an address without a scheme', { '/receiver/e-addresses/0/type': null }, ['/receiver/e-addresses']],
    ['FR-ADR-1', 'a blank address', { [ROUTING]: ' ' }, ['/receiver/e-addresses']],
    [
      'FR-ADR-1',
      'an issuer whose receiver is abroad',
      { ...abroad(), '/issuer/e-addresses': [], '/receiver/e-addresses': [] },
      ['/issuer/e-addresses'],
    ],
    ['FR-ADR-1b', 'no note', mail('receiver'), []],
    ['FR-ADR-1b', 'a note that says B2B', { ...treated('B2B'), ...mail('receiver') }, ['/receiver/e-addresses']],
    ['FR-ADR-1b', 'a note that says another flow', { ...treated('B2BINT'), ...mail('receiver') }, []],
    ['FR-ADR-1b', 'the address of the issuer', { ...treated('B2B'), ...mail('issuer') }, []],
    [
      'FR-ADR-1b',
      'the address of an issuer whose buyer bills himself',
      { ...treated('B2B'), ...mail('issuer'), [TYPE]: '389' },
      ['/issuer/e-addresses'],
    ],
    ['FR-ADR-1b', 'both addresses of the directory', treated('B2B'), []],
    ['FR-ADR-1c', 'a mail address alone', mail('receiver'), ['/receiver/e-addresses']],
    ['FR-ADR-1c', 'a mail address of the issuer', mail('issuer'), []],
    [
      'FR-ADR-1c',
      'of an issuer whose buyer bills himself',
      { ...mail('issuer'), [TYPE]: '389' },
      ['/issuer/e-addresses'],
    ],
    ['FR-ADR-1c', 'a receiver abroad', { ...abroad(), ...mail('receiver') }, []],
    [
      'FR-ADR-4',
      'the SIREN of the party, which has its own rule',
      { [RECEIVER]: '404833049', [ROUTING]: '404833049' },
      [],
    ],
    ['FR-ADR-4', 'with a suffix', { [ROUTING]: '404833049_ACHATS' }, [ROUTING]],
    ['FR-ADR-4', 'of a receiver without SIREN', { '/receiver/identifiers': null, [ROUTING]: '404833049' }, [ROUTING]],
    ['FR-ADR-4', 'of the issuer', { [ISSUER]: '732829321' }, [ISSUER]],
    ['FR-ADR-4', 'of an office of La Poste', { [ROUTING]: '356000000_35600000049837' }, []],
    ['FR-ADR-4', 'of an office of La Poste, with a wrong digit', { [ROUTING]: '356000000_35600000049838' }, [ROUTING]],
    ['FR-ADR-4', 'eight digits', { [ROUTING]: '40483304_A' }, []],
    ['FR-ADR-4', 'fourteen digits of which no SIREN stands in front', { [ROUTING]: 'A_40483304800023' }, [ROUTING]],
    ['FR-ADR-4', 'another scheme', { '/receiver/e-addresses': [{ type: '0009', value: '404833049' }] }, []],
    ['FR-ADR-2', 'every character that is allowed', { [ROUTING]: 'AZaz09+-_.' }, []],
    ['FR-ADR-2', '125 characters', { [ROUTING]: '4'.repeat(125) }, []],
    ['FR-ADR-2', '126 characters', { [ROUTING]: '4'.repeat(126) }, [ROUTING]],
    ['FR-ADR-2', 'a sign in front', { [ROUTING]: '#404833048' }, [ROUTING]],
    ['FR-ADR-2', 'a sign behind', { [ROUTING]: '404833048#' }, [ROUTING]],
    ['FR-ADR-2', 'of the issuer', { [ISSUER]: '732 829 320' }, [ISSUER]],
    ['FR-ADR-2', 'a mail address', mail('receiver'), []],
    ['FR-ADR-2', 'of a receiver abroad', { ...abroad(), [ROUTING]: '9925:BE0403170701' }, []],
    ['FR-ADR-3', 'the SIREN alone', {}, []],
    ['FR-ADR-3', 'SIREN and SIRET', { [ROUTING]: '404833048_40483304800022' }, []],
    ['FR-ADR-3', 'SIREN, SIRET and code', { [ROUTING]: '404833048_40483304800022_ACHATS' }, []],
    ['FR-ADR-3', 'another SIREN', { [ROUTING]: '732829320' }, [ROUTING]],
    ['FR-ADR-3', 'the SIREN with something before the _', { [ROUTING]: '4048330481_A' }, [ROUTING]],
    ['FR-ADR-3', 'a suffix of thirteen digits', { [ROUTING]: '404833048_7328293200007' }, []],
    ['FR-ADR-3', 'a suffix of fifteen digits', { [ROUTING]: '404833048_732829320000741' }, []],
    ['FR-ADR-3', 'a suffix of letters and fourteen digits', { [ROUTING]: '404833048_A73282932000074' }, []],
    ['FR-ADR-3', 'one that is wrong by itself', { [ROUTING]: '732829320/1' }, []],
    ['FR-ADR-3', 'one of 126 characters', { [ROUTING]: '7'.repeat(126) }, []],
    [
      'FR-ADR-3',
      'the second of two',
      { '/receiver/e-addresses/1': { type: 'routing-address', value: '732829320' } },
      ['/receiver/e-addresses/1/value'],
    ],
    [
      'FR-ADR-3',
      'an address of another kind',
      { '/receiver/e-addresses/1': { type: 'email', value: '732829320' } },
      [],
    ],
    ['FR-ADR-3', 'no SIREN', { '/receiver/identifiers': null, [ROUTING]: 'ACHATS' }, []],
    ['FR-ADR-3', 'a receiver abroad', { '/receiver/address/country': 'BE', [ROUTING]: 'ACHATS' }, []],
    ['FR-ADR-3', 'of the issuer', { [ISSUER]: 'VENTES' }, []],
    ...SELF_BILLED.flatMap((type): Row[] => [
      ['FR-ADR-3', `self-billed, ${type}, of the issuer`, { [TYPE]: type, [ISSUER]: 'VENTES' }, [ISSUER]],
      ['FR-ADR-3', `self-billed, ${type}, of the receiver`, { [TYPE]: type, [ROUTING]: 'ACHATS' }, []],
    ]),
    ['FR-ADR-3', 'not self-billed', { [TYPE]: '380', [ROUTING]: 'ACHATS' }, [ROUTING]],
    ['FR-ADR-3b', 'self-billed: told as an error', { [TYPE]: '389', [ISSUER]: 'VENTES' }, []],
    ['FR-ADR-3b', 'of the receiver', { [ROUTING]: 'ACHATS' }, []],
  ]);
});

describe('references and notes', () => {
  const CREDIT = { class: 'credit-note' };
  const CORRECTIVE = { class: 'corrective' };
  const original = (identifier: string | null, date: string | null) => ({
    type: 'original-invoice',
    ...(identifier === null ? {} : { identifier }),
    ...(date === null ? {} : { date }),
  });
  const refer = (...references: readonly object[]) => ({ '/references': references });
  const BUYER = { type: 'buyer-reference', identifier: 'C 1', date: '2026-12-01' };
  const NUMBER_OF_FIRST = '/references/0/identifier';
  const NUMBER_OF_SECOND = '/references/1/identifier';
  const DATE_OF_FIRST = '/references/0/date';

  table([
    ['FR-WIRE-1', 'an invoice', { '/references': null }, []],
    ['FR-WIRE-1', 'a corrective', { '/references': null }, ['/references'], CORRECTIVE],
    ['FR-WIRE-1', 'another reference', refer(BUYER), ['/references'], CREDIT],
    ['FR-REF-1', 'an invoice', { '/references': null }, []],
    ['FR-REF-1', 'a corrective', { '/references': null }, [], CORRECTIVE],
    ['FR-REF-1', 'no reference', { '/references': null }, ['/references'], CREDIT],
    ['FR-REF-1', 'another reference', refer(BUYER), ['/references'], CREDIT],
    ['FR-REF-1', 'no number', refer(original(null, '2026-01-01')), [NUMBER_OF_FIRST], CREDIT],
    ['FR-REF-1', 'neither', refer(original(null, null)), [NUMBER_OF_FIRST], CREDIT],
    ['FR-REF-1', 'the second is whole', refer(original('1', null), original('2', '2026-01-01')), [], CREDIT],
    [
      'FR-REF-1',
      'none of two is whole',
      refer(original('1', null), original(null, '2026-01-01')),
      [DATE_OF_FIRST],
      CREDIT,
    ],
    ['FR-REF-1', 'behind another reference', refer(BUYER, original('1', null)), ['/references/1/date'], CREDIT],
    ['FR-REF-1', 'a rebate over a period', { '/references': null, [TYPE]: '262' }, [], CREDIT],
    ['FR-REF-1', 'a credit note of another type', { '/references': null, [TYPE]: '261' }, ['/references'], CREDIT],
    ['FR-REF-1b', 'another type', { [TYPE]: '261', '/references': null }, [], CREDIT],
    ['FR-REF-1b', 'neither', { [TYPE]: '262', '/references': null }, ['/references', '/logistics'], CREDIT],
    ...(
      [
        ['a contract without number', [{ type: 'contract' }], ['period-start', 'period-end'], ['/references']],
        ['another reference', [BUYER], ['period-start', 'period-end'], ['/references']],
        ['no end', [{ type: 'contract', identifier: 'C' }], ['period-start'], ['/logistics']],
        ['no start', [{ type: 'contract', identifier: 'C' }], ['period-end', 'other'], ['/logistics']],
        ['whole', [BUYER, { type: 'contract', identifier: 'C' }], ['period-end', 'period-start'], []],
      ] as const
    ).map(([what, references, types, at]): Row => {
      const days = types.map((type) => ({ type, value: '2026-10-31' }));
      const set = { [TYPE]: '262', '/references': [...references], '/logistics': [{}, { 'additional-dates': days }] };
      return ['FR-REF-1b', what, set, at, CREDIT];
    }),
    ['FR-REF-2', 'an invoice', { '/references': null }, []],
    ['FR-REF-2', 'a credit note', { '/references': null }, [], CREDIT],
    ['FR-REF-2', 'no reference', { '/references': null }, ['/references'], CORRECTIVE],
    ['FR-REF-2', 'no date', refer(original('1', null)), [DATE_OF_FIRST], CORRECTIVE],
    ['FR-REF-2', 'neither', refer(original(null, null)), [NUMBER_OF_FIRST], CORRECTIVE],
    ['FR-REF-2b', 'no reference', { '/references': null }, [], CORRECTIVE],
    ['FR-REF-2b', 'two of a credit note', refer(original('1', '2026-01-01'), original('2', '2026-01-01')), [], CREDIT],
    ['FR-REF-2c', 'no reference', { '/references': null }, []],
    ['FR-REF-2c', 'a reference of another type', refer({ type: 'buyer-reference', date: '2026-01-01' }), []],
    ['FR-REF-2c', 'an invoice', refer(original(null, '2026-01-01')), [NUMBER_OF_FIRST]],
    ['FR-REF-2c', 'a number without a date', refer(original('1', null)), []],
    ['FR-REF-2c', 'the second of an invoice', refer(original('1', null), original(null, null)), [NUMBER_OF_SECOND]],
    ['FR-REF-2c', 'the only one of a credit note', refer(original(null, '2026-01-01')), [], CREDIT],
    ['FR-REF-2c', 'the only one of a corrective', refer(original(null, '2026-01-01')), [], CORRECTIVE],
    [
      'FR-REF-2c',
      'next to a whole one',
      refer(original(null, '2026-01-01'), original('2', '2026-01-01')),
      [NUMBER_OF_FIRST],
      CREDIT,
    ],
    [
      'FR-REF-2c',
      'of a rebate over a period',
      { ...refer(original(null, '2026-01-01')), [TYPE]: '262' },
      [NUMBER_OF_FIRST],
      CREDIT,
    ],
    ['FR-REF-3', 'every character that is allowed', refer(original('AZaz09+-_/', null)), []],
    ['FR-REF-3', '35 characters', refer(original('F'.repeat(35), null)), []],
    ['FR-REF-3', '36 characters', refer(original('F'.repeat(36), null)), [NUMBER_OF_FIRST]],
    ['FR-REF-3', 'no number', refer(original(null, null)), []],
    ['FR-REF-3', 'a reference of another type', refer(BUYER), []],
    ['FR-REF-3b', 'the number of the document', refer(original('F2026-00412', '2026-01-01')), [NUMBER_OF_FIRST]],
    ['FR-REF-3b', 'neither has a number', { [NUMBER]: null, ...refer(original(null, '2026-01-01')) }, []],
    ['FR-REF-3b', 'no date in the reference', refer(original('1', null)), []],
    ['FR-REF-3b', 'no date of the document', { '/document/date': null, ...refer(original('1', '2099-01-01')) }, []],
    ['FR-REF-3b', 'a reference of another type', refer({ ...BUYER, identifier: 'F2026-00412' }), []],
  ]);

  const MENTIONS = ['fixed-recovery-fee', 'late-payment-penalty', 'no-early-payment-discount'];
  const FEE = '/notes/0/content';

  table([
    ...MENTIONS.flatMap((tag, i): Row[] => [
      ['FR-NOT-1', `no ${tag}`, { [`/notes/${i}`]: null }, ['/notes']],
      ['FR-NOT-1', `a blank ${tag}`, { [`/notes/${i}/content`]: ' ' }, ['/notes']],
      ['FR-NOT-2', `${tag} twice`, { '/notes/4': { tag, content: 'x' } }, ['/notes/4/tag']],
    ]),
    ['FR-NOT-1', 'towards a consumer', { '/notes': [{ tag: 'BAR', content: 'B2C' }] }, []],
    [
      'FR-NOT-2',
      'TXD twice',
      { '/notes': [{ tag: 'TXD' }, { tag: 'TXD' }, { tag: 'TXD' }] },
      ['/notes/1/tag', '/notes/2/tag'],
    ],
    ['FR-NOT-2', 'no tag twice', { '/notes/4': { content: 'x' }, '/notes/5': { content: 'x' } }, []],
    ['FR-NOT-3', 'towards a consumer', { [FEE]: 'x', ...treated('B2C') }, []],
    ['FR-NOT-3', 'no text', { [FEE]: ' ' }, []],
    ['FR-NOT-3', 'another note', { '/notes/1/content': 'x' }, []],
    ['FR-NOT-3', '40,0 EUR', { [FEE]: '40,0 EUR' }, []],
    ['FR-NOT-3', '40.00 EUR', { [FEE]: '40.00 EUR' }, []],
    ['FR-NOT-3', '40,50 EUR', { [FEE]: '40,50 EUR' }, [FEE]],
    ['FR-NOT-3', '1.40 EUR', { [FEE]: '1.40 EUR' }, [FEE]],
    ['FR-NOT-4', 'an invoice', { '/notes/3': null }, []],
    ['FR-NOT-4', 'a blank reason', { '/notes/3/content': ' ' }, ['/notes'], { class: 'credit-note' }],
    ['FR-NOT-4', 'a corrective', { '/notes/3': null }, [], { class: 'corrective' }],
    ['FR-NOT-5', 'in the middle', { '/notes/2/content': 'suite #AAB#x' }, ['/notes/2/content']],
    ['FR-NOT-5', 'two letters', { '/notes/2/content': '#AB#' }, []],
    ['FR-NOT-5', 'four letters', { '/notes/2/content': '#ABCD#' }, []],
    ['FR-NOT-5', 'small letters', { '/notes/2/content': '#aab#' }, []],
    ['FR-NOT-5', 'a note without text', { '/notes/4': { tag: 'x' } }, []],
  ]);
});

describe('deliveries and attachments', () => {
  const WHOLE = { street: '1 rue', city: 'Lyon', 'postal-code': '69000', country: 'FR' };
  const delivered = (address: object, type = 'delivery') => ({ '/logistics': [{}, { type, address }] });
  const union = { '/lines/2/taxes/0/subtype': 'K' };
  const DELIVERED_TO = '/logistics/1/address/country';
  const TOLD = { type: 'delivery', date: '2026-11-04', address: { country: 'DE' } };
  const NESTED = '/totals/subtotals/1/subtotals/1/reason';

  table([
    ['FR-DEL-1', 'a whole address', delivered(WHOLE), []],
    ['FR-DEL-1', 'an empty address', delivered({}), []],
    ...Object.keys(WHOLE).flatMap((name): Row[] => {
      const { [name as keyof typeof WHOLE]: one, ...others } = WHOLE;
      return [
        ['FR-DEL-1', `without ${name}`, delivered(others), ['/logistics/1/address']],
        ['FR-DEL-1', `${name} alone`, delivered({ [name]: one }), name === 'country' ? [] : ['/logistics/1/address']],
        ['FR-DEL-1b', `without ${name}`, delivered(others), name === 'country' ? [DELIVERED_TO] : []],
        ['FR-DEL-1b', `${name} alone`, delivered({ [name]: one }), name === 'country' ? [] : [DELIVERED_TO]],
        ['FR-DEL-1', `a blank ${name}`, delivered({ ...WHOLE, [name]: ' ' }), ['/logistics/1/address']],
      ];
    }),
    ['FR-DEL-1b', 'an empty address', delivered({}), []],
    ['FR-DEL-1b', 'no delivery', delivered({ city: 'Lyon' }, 'pickup'), []],
    ['FR-DEL-1', 'no delivery', delivered({ city: 'Lyon' }, 'pickup'), []],
    ['FR-DEL-2', 'at home', {}, []],
    ...['K', 'intra-community', 'intracommunity', 'intra-community-supply'].map(
      (subtype): Row => ['FR-DEL-2', subtype, { '/lines/1/taxes/0/subtype': subtype }, ['/logistics']],
    ),
    ...['KIT', 'TK', 'not-intra-community', 'intra-community-acquisition', 'AE'].map(
      (subtype): Row => ['FR-DEL-2', subtype, { '/lines/1/taxes/0/subtype': subtype }, []],
    ),
    ['FR-DEL-2', 'one of two taxes', { '/lines/1/taxes/1': { subtype: 'K' } }, ['/logistics']],
    ['FR-DEL-2', 'the reason of the totals', { [NESTED]: { identifier: 'VATEX-EU-IC' } }, ['/logistics']],
    ['FR-DEL-2', 'another reason', { [NESTED]: { identifier: 'VATEX-EU-AE' } }, []],
    ['FR-DEL-2', 'told', { ...union, '/logistics': [{}, TOLD] }, []],
    [
      'FR-DEL-2',
      'without a date',
      { ...union, '/logistics': [{ type: 'delivery', address: TOLD.address }] },
      ['/logistics'],
    ],
    [
      'FR-DEL-2',
      'without a country',
      { ...union, '/logistics': [{ ...TOLD, address: { city: 'Bonn' } }] },
      ['/logistics'],
    ],
    [
      'FR-DEL-2',
      'each in another delivery',
      {
        ...union,
        '/logistics': [
          { type: 'delivery', date: '2026-11-04' },
          { type: 'delivery', address: { country: 'DE' } },
        ],
      },
      ['/logistics'],
    ],
  ]);

  const END = '/logistics/0/additional-dates/1/value';
  const [FIRST, SECOND] = ['2026-10-01', '2026-10-02'];
  const during = (...dates: readonly (readonly [type: string, value: string])[]) => ({
    '/logistics': period(...dates),
  });

  table([
    ['FR-PER-1', 'the day before', during(['period-start', SECOND], ['period-end', FIRST]), [END]],
    [
      'FR-PER-1',
      'the end first',
      during(['period-end', FIRST], ['period-start', FIRST]),
      ['/logistics/0/additional-dates/0/value'],
    ],
    ['FR-PER-1', 'begin and end', during(['BEGIN', FIRST], ['END', FIRST]), [END]],
    ['FR-PER-1', 'from and to', during(['from', FIRST], ['to', FIRST]), [END]],
    ['FR-PER-1', 'of two periods', during(['service-start', SECOND], ['billing-end', FIRST]), []],
    ['FR-PER-1', 'an end alone', during(['period-end', FIRST]), []],
    ['FR-PER-1', 'an end that is no day', during(['period-start', FIRST], ['period-end', ' ']), []],
    ['FR-PER-1', 'a start that is no day', during(['period-start', ' '], ['period-end', FIRST]), []],
    ['FR-PER-1', 'two starts and no end', during(['period-start', SECOND], ['period-start', FIRST]), []],
    ['FR-PER-1', 'a start beside a date without type', during(['start', SECOND], ['', FIRST]), []],
    ['FR-PER-1', 'an end beside a date without type', during(['', SECOND], ['end', FIRST]), []],
    ['FR-PER-1', 'no types', { '/logistics': [{ 'additional-dates': [{ value: SECOND }, { value: FIRST }] }] }, []],
    [
      'FR-PER-1',
      'of a line',
      { '/lines/1/additional-dates': period(['period-start', FIRST], ['period-end', FIRST])[0]!['additional-dates'] },
      ['/lines/1/additional-dates/1/value'],
    ],
  ]);

  const KINDS = [
    ...['RIB', 'LISIBLE', 'FEUILLE_DE_STYLE', 'PJA', 'BORDEREAU_SUIVI', 'DOCUMENT_ANNEXE', 'BON_LIVRAISON'],
    ...['BON_COMMANDE', 'BORDEREAU_SUIVI_VALIDATION', 'ETAT_ACOMPTE', 'FACTURE_PAIEMENT_DIRECT'],
    'RECAPITULATIF_COTRAITANCE',
  ];
  const base64 = (content: string, format = 'base64') => ({ '/attachments': [{}, { format, content }] });
  const CONTENT = '/attachments/1/content';

  table([
    ['FR-ATT-1', 'every kind', { '/attachments': KINDS.map((type) => ({ type })) }, []],
    ['FR-ATT-1', 'no kind', { '/attachments': [{ filename: 'a.pdf' }] }, []],
    ['FR-ATT-1', 'small letters', { '/attachments': [{ type: 'RIB' }, { type: 'rib' }] }, ['/attachments/1/type']],
    [
      'FR-ATT-1b',
      'three',
      { '/attachments': [{ type: 'LISIBLE' }, { type: 'RIB' }, { type: 'LISIBLE' }, { type: 'LISIBLE' }] },
      ['/attachments/2/type', '/attachments/3/type'],
    ],
    ['FR-ATT-2', 'two signs to fill up', base64('QQ=='), []],
    ['FR-ATT-2', 'one sign to fill up', base64('QUI='), []],
    ['FR-ATT-2', 'every character', base64('AZaz09+/'), []],
    ['FR-ATT-2', 'three signs to fill up', base64('Q==='), [CONTENT]],
    ['FR-ATT-2', 'no group of four', base64('QUI'), [CONTENT]],
    ['FR-ATT-2', 'a sign to fill up in the middle', base64('QQ=Q'), [CONTENT]],
    ['FR-ATT-2', 'a sign to fill up in front', base64('=QUI'), [CONTENT]],
    ['FR-ATT-2', 'the format in capitals', base64('QUI', 'BASE64'), [CONTENT]],
    ['FR-ATT-2', 'another format', base64('QUI', 'hex'), []],
    ['FR-ATT-2', 'no content', { '/attachments': [{ format: 'base64' }] }, []],
  ]);
});

describe('billing frames', () => {
  const AT = '/document/additional-info/1/value';
  const totals = (prepaid?: string, payable?: string) => ({
    '/totals/additional-info': [
      ...(prepaid === undefined ? [] : [{ key: 'prepaid-amount', value: prepaid }]),
      ...(payable === undefined ? [] : [{ key: 'payable-amount', value: payable }]),
    ],
  });
  const [FIRST, SECOND] = [0, 1].map((n) => `/totals/additional-info/${n}/value`) as [string, string];
  const ONE_SELLER = ['B1', 'S1', 'M1', 'B2', 'S2', 'M2', 'S3', 'B4', 'S4', 'M4', 'S5', 'S6', 'B7', 'S7'];
  const SEVERAL = ['B8', 'S8', 'M8', 'B9', 'S9', 'M9'];
  const KEYS = ['business-process', 'billing-frame', 'BillingFrame', 'Cadre de facturation', 'ProfileID', 'BT-23'];

  table([
    ...[...ONE_SELLER, ...SEVERAL].flatMap((code): Row[] => [
      ['FR-TYP-2', `${code} under any key`, frame(code), []],
      ['FR-TYP-2b', code, info(['business-process', code]), []],
      ['FR-TYP-2c', code, info(['business-process', code]), SEVERAL.includes(code) ? [`${INFO}/0/value`] : []],
    ]),
    ['FR-TYP-2', 'no entries', { [INFO]: null }, [INFO]],
    ['FR-TYP-2', 'no frame among them', frame('X9'), [INFO]],
    ['FR-TYP-2', 'a wrong one, told elsewhere', info(['business-process', 'X9']), []],
    ['FR-TYP-2', 'a blank one', info(['business-process', ' ']), [INFO]],
    ...KEYS.map((key): Row => ['FR-TYP-2b', `A1 under ${key}`, info([key, 'A1']), [`${INFO}/0/value`]]),
    ...['X9', 'b1', 'B3', 'M3', 'M5', 'M6', 'M7', 'B10', 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'].map(
      (code): Row => ['FR-TYP-2b', code, info(['business-process', code]), [`${INFO}/0/value`]],
    ),
    ['FR-TYP-2b', 'under another key', frame('X9'), []],
    ...['386', '500', '503'].flatMap((type): Row[] => [
      ...['B4', 'S4', 'M4'].map(
        (code): Row => ['FR-TYP-3', `${code}, ${type}`, { ...frame(code), [TYPE]: type }, [AT]],
      ),
      ...['B1', 'S2', 'S5'].map((code): Row => ['FR-TYP-3', `${code}, ${type}`, { ...frame(code), [TYPE]: type }, []]),
    ]),
    ['FR-TYP-3', 'B4 without a type', frame('B4'), []],
    ['FR-TYP-3', 'B4, a type under its key', info(['cadre', 'B4'], ['type-code', '386']), [`${INFO}/0/value`]],
    ...['B2', 'S2', 'M2'].flatMap((code): Row[] => [
      ['FR-TYP-4', `${code}, all paid`, { ...frame(code), ...totals('222.59', '0.00') }, []],
      ['FR-TYP-4', `${code}, a cent not paid`, { ...frame(code), ...totals('222.58', '0') }, [FIRST]],
      ['FR-TYP-4', `${code}, a cent to pay`, { ...frame(code), ...totals('222.59', '0.01') }, [SECOND]],
      ['FR-TYP-4', `${code}, no due date`, { ...frame(code), ...totals('222.59', '0'), [DUE]: null }, [DUE]],
      ['FR-TYP-4', `${code}, nothing stated`, frame(code), []],
      ['FR-TYP-4b', `${code}, nothing stated`, frame(code), ['/totals/additional-info']],
      ['FR-TYP-4b', `${code}, paid`, { ...frame(code), ...totals('222.59') }, []],
    ]),
    ['FR-TYP-4', 'another frame', { ...frame('B1'), ...totals('100', '122.59'), [DUE]: null }, []],
    ['FR-TYP-4b', 'another frame', frame('S4'), []],
  ]);
});

describe('places', () => {
  const POSTAL = '/receiver/address/postal-code';
  const delivery = (more: object) => ({ '/logistics': [{}, { type: 'delivery', ...more }] });
  const named = (value: string) => ({ 'additional-info': [{ key: 'name', value }] });
  const siret = (value: string) => ({ 'additional-identifiers': [{ type: 'siret', value }] });
  const ADDRESS = '/logistics/1/address';

  table([
    ['FR-PTY-1c', 'four digits', { [POSTAL]: '1000' }, [POSTAL]],
    ['FR-PTY-1c', 'six digits', { [POSTAL]: '010000' }, [POSTAL]],
    ['FR-PTY-1c', 'with a country in front', { [POSTAL]: 'F-01000' }, [POSTAL]],
    ['FR-PTY-1c', 'blank', { [POSTAL]: ' ' }, [POSTAL]],
    ['FR-PTY-1c', 'blanks around', { [POSTAL]: ' 01000 ' }, []],
    ['FR-PTY-1c', 'abroad', { [POSTAL]: null, '/receiver/address/country': 'BE' }, []],
    ['FR-PTY-1c', 'no address, told elsewhere', { '/receiver/address': null }, []],
    ['FR-DEL-3', 'another name', delivery(named('Entrepôt Sud')), [ADDRESS]],
    ['FR-DEL-3', 'the name of the receiver', delivery(named('Société Élan & Fils')), []],
    ['FR-DEL-3', 'no name', delivery({}), []],
    [
      'FR-DEL-3',
      'another name with an address',
      delivery({ ...named('Entrepôt Sud'), address: { country: 'FR' } }),
      [],
    ],
    [
      'FR-DEL-3',
      'another SIRET',
      { ...delivery(siret('40483304800022')), '/receiver/identifiers/2': { type: 'siret', value: '40483304800014' } },
      [ADDRESS],
    ],
    [
      'FR-DEL-3',
      'the SIRET of the receiver',
      { ...delivery(siret('40483304800014')), '/receiver/identifiers/2': { type: 'siret', value: '40483304800014' } },
      [],
    ],
    ['FR-DEL-3', 'a SIRET, and the receiver has none', delivery(siret('40483304800014')), []],
    ['FR-DEL-3', 'no delivery', { '/logistics': [{ type: 'pickup', ...named('Entrepôt Sud') }] }, []],
  ]);
});

describe('schemes of identifiers', () => {
  const two = (party: string, ...identifiers: readonly object[]) =>
    party.includes('/') ? { '/additional-parties': [{ identifiers }] } : { [`/${party}/identifiers`]: identifiers };
  const SIREN = { type: 'siren', value: '732829320' };
  const at = (party: string, n: number) => `/${party}/identifiers/${n}/value`;

  table(
    ['issuer', 'receiver', 'additional-parties/0'].flatMap((party): Row[] => [
      ['FR-PTY-10', `twice the same, ${party}`, two(party, SIREN, SIREN), [at(party, 1)]],
      ['FR-PTY-10', `three of one scheme, ${party}`, two(party, SIREN, SIREN, SIREN), [at(party, 1), at(party, 2)]],
      ['FR-PTY-10', `two schemes, ${party}`, two(party, SIREN, { type: 'vat', value: 'FR44732829320' }), []],
      ['FR-PTY-10', `a blank one, ${party}`, two(party, SIREN, { type: 'siren', value: ' ' }), []],
      ['FR-PTY-10', `no type, told elsewhere, ${party}`, two(party, { value: '1' }, { value: '2' }), []],
      ['FR-PTY-10b', `no type, ${party}`, two(party, SIREN, { value: '1' }), [at(party, 1)]],
      ['FR-PTY-10b', `neither type nor value, ${party}`, two(party, SIREN, { tag: 'x' }), []],
      ['FR-PTY-11', `100 characters, ${party}`, two(party, { type: '0224', value: 'A'.repeat(100) }), []],
      ['FR-PTY-11', `101 characters, ${party}`, two(party, { type: '0224', value: 'A'.repeat(101) }), [at(party, 0)]],
      ['FR-PTY-11', `a slash, ${party}`, two(party, { type: '0224', value: 'A/1' }), [at(party, 0)]],
      ['FR-PTY-11', `a slash in another scheme, ${party}`, two(party, { type: '0088', value: 'A/1' }), []],
      ['FR-PTY-12', `ten digits, ${party}`, two(party, { type: 'siren', value: '7328293200' }), [at(party, 0)]],
      [
        'FR-PTY-12',
        `a group of eight digits, ${party}`,
        two(party, { type: '0231', value: '73282932' }),
        [at(party, 0)],
      ],
      ['FR-PTY-12', `a group, ${party}`, two(party, { type: '0231', value: '732829320' }), []],
      ['FR-PTY-12', `another scheme, ${party}`, two(party, { type: '0088', value: '73282932' }), []],
    ]),
  );
  table([['FR-PTY-10', 'a party without identifiers', { '/additional-parties': [{}] }, []]]);
});

describe('flows', () => {
  const [CONTENT, TAG] = ['/notes/4/content', '/notes/5/tag'];

  table([
    ...['B2B', 'B2BINT', 'B2C', 'B2CINT', 'OUTOFSCOPE', 'ARCHIVEONLY', ' B2B '].map(
      (content): Row => ['FR-NOT-6', content, treated(content), []],
    ),
    ...['b2b', 'B2', 'B2B B2C', 'business', 'toString'].map(
      (content): Row => ['FR-NOT-6', content, treated(content), [CONTENT]],
    ),
    ['FR-NOT-6', 'another note', { '/notes/4': { tag: 'other', content: 'b2b' } }, []],
    ['FR-NOT-6', 'a note without text', { '/notes/4': { tag: 'BAR' } }, []],
    ['FR-NOT-6b', 'the same twice', { ...treated('B2B'), '/notes/5': { tag: 'BAR', content: 'B2B' } }, [TAG]],
    ['FR-NOT-6b', 'a second without text', { ...treated('B2B'), '/notes/5': { tag: 'BAR' } }, []],
  ]);
});

describe('means of payment', () => {
  const IBAN = 'FR7630006000011234567890189';
  const means = (type: unknown, ...objects: readonly object[]) => ({
    '/agreements': [{}, { means: [{ type: '10' }, { type, objects }] }],
  });
  const AT = '/agreements/1/means/1';
  const account = (type: string, value: string, kind = 'account') => ({ type: kind, identifiers: [{ type, value }] });
  const VALUE = `${AT}/objects/0/identifiers/0/value`;

  table([
    ...['30', '58', ' 58 '].flatMap((type): Row[] => [
      ['FR-PAY-1', `${type} without objects`, means(type), [`${AT}/objects`]],
      ['FR-PAY-1', `${type} with an account`, means(type, account('iban', IBAN)), []],
      ['FR-PAY-1', `${type} with an account of another system`, means(type, account('local', '12-34')), []],
      ['FR-PAY-1', `${type} with a blank account`, means(type, account('iban', ' ')), [`${AT}/objects`]],
      [
        'FR-PAY-1',
        `${type} with the account of the debtor`,
        means(type, account('iban', IBAN, 'debtor-account')),
        [`${AT}/objects`],
      ],
    ]),
    ...['48', '59', '57', 'transfer', undefined].map((type): Row => ['FR-PAY-1', `${type}`, means(type), []]),
    ...['1', '10', '70', '74', '78', '91', '98', 'ZZZ', 'transfer', undefined].map(
      (type): Row => ['FR-PAY-2', `${type}`, means(type), []],
    ),
    ...['0', '71', '73', '79', '90', '99', '030', '300'].map(
      (type): Row => ['FR-PAY-2', type, means(type), [`${AT}/type`]],
    ),
    ...[
      IBAN,
      'FR76 3000 6000 0112 3456 7890 189',
      'DE89370400440532013000',
      'GB29NWBK60161331926819',
      'fr7630006000011234567890189',
      'NO9386011117947',
    ].map((value): Row => ['FR-PAY-3', value, means('30', account('iban', value)), []]),
    ...[
      'FR7630006000011234567890188',
      'FR6730006000011234567890189',
      // The check digits are right, the length is not that of France.
      'FR04300060000112345678901',
      'FRO630006000011234567890189',
      'DE89370400440532013001',
    ].map((value): Row => ['FR-PAY-3', value, means('30', account('iban', value)), [VALUE]]),
    ['FR-PAY-3', 'an account number of another system', means('30', account('iban', '123456789')), []],
    ['FR-PAY-3', 'another type', means('30', account('bic', 'FR7630006000011234567890188')), []],
    [
      'FR-PAY-3',
      'of the debtor',
      means('59', account('IBAN', 'FR7630006000011234567890188', 'debtor-account')),
      [VALUE],
    ],
    ['FR-PAY-4', 'ten characters', means('48', account('card', '123456xxxx')), []],
    ['FR-PAY-4', 'eleven characters', means('48', account('card', '1234567xxxx')), [VALUE]],
    ['FR-PAY-4', 'another type', means('48', account('iban', '1234567xxxx')), []],
  ]);
});

/** What the words and the hint of a fault name beside the fixed text. */
test.each<[id: string, what: string, set: Row[2], named: string, more?: Row[4]]>([
  ['FR-NUM-2', 'each strange character once', { [NUMBER]: 'F° 1 2°' }, 'contains ° " "'],
  ['FR-NUM-3', 'series and number', { '/document/series': 'A B', [NUMBER]: 'F1' }, 'A BF1'],
  ['FR-REF-1', 'what is missing', { '/references': null }, 'original-invoice is missing', { class: 'credit-note' }],
  ['FR-REF-1', 'the number', { '/references/0/identifier': null }, 'identifier is missing', { class: 'credit-note' }],
  ['FR-REF-1', 'the date', { '/references/0/date': null }, 'date is missing', { class: 'credit-note' }],
  ['FR-NOT-1', 'tag and code', { '/notes/0': null }, 'fixed-recovery-fee (PMT)'],
  ['FR-NOT-1', 'tag and code', { '/notes/1': null }, 'late-payment-penalty (PMD)'],
  ['FR-NOT-1', 'tag and code', { '/notes/2': null }, 'no-early-payment-discount (AAB)'],
  [
    'FR-DEL-1',
    'the fields',
    { '/logistics': [{ type: 'delivery', address: { city: 'Lyon' } }] },
    'street, postal-code, country',
  ],
  ['FR-ADR-1', 'the party', { '/receiver/e-addresses': null }, 'the receiver has no electronic address'],
  ['FR-ADR-1', 'the address it may be', { '/receiver/e-addresses': null }, '(404833048)'],
  ['FR-PTY-2', 'the SIREN of the VAT number', { '/issuer/identifiers/0': null }, '(732829320)'],
  ['FR-PTY-9', 'the VAT number of the SIREN', { '/issuer/identifiers/1': null }, '(FR44732829320)'],
  ['FR-PTY-9b', 'the VAT number of the SIREN', { '/receiver/identifiers/1': null }, '(FR83404833048)'],
  ['FR-PTY-1', 'the field', { '/issuer/address/country': null }, 'issuer.address.country'],
])('%s names %s', (id, _what, set, named, more) => {
  const [fault] = saidBy(id, { set, ...more });
  expect(`${fault?.message}; ${fault?.hint}`).toContain(named);
});

describe('places of the UBL and CII mappings', () => {
  const role = (value: string, more: object = {}) => ({
    '/additional-parties': [{ 'additional-info': [{ key: 'role', value }], ...more }],
  });
  const further = '/additional-parties/0';
  const AGENT = { name: 'A', identifiers: [{ type: 'vat', value: 'FR83404833048' }], address: { country: 'FR' } };
  const gln = { type: '0088', value: '3012345678900' };
  const info = (...entries: readonly object[]) => ({ '/document/additional-info': entries });
  const object = (tag?: string) => ({ type: 'invoiced-object', identifier: 'P', tag });
  const mime = (type?: string, more: object = {}) => ({
    '/attachments': [{ type: 'RIB', format: 'base64', content: 'JVBERi0xLjQK', 'mime-type': type, ...more }],
  });
  const MIME = ['/attachments/0/mime-type'];
  const EMPTY = { '/additional-parties': [{}] };
  const PARTIES = ['/issuer', '/receiver', further];

  table([
    ['FR-PTY-13', 'no name', role('payee'), [`${further}/name`]],
    ['FR-PTY-13', 'no name, of another role', role('payer'), []],
    [
      'FR-PTY-13',
      'the trade name of the issuer',
      { '/issuer/trade-name': 'Levant', ...role('payee', { name: 'Levant' }) },
      [`${further}/name`],
    ],
    [
      'FR-PTY-13',
      'an identifier of the issuer',
      {
        '/issuer/identifiers/2': gln,
        ...role('payee', { name: 'B', identifiers: [{ type: 'vat', value: 'X' }, gln] }),
      },
      [`${further}/identifiers/1/value`],
    ],
    [
      'FR-PTY-13',
      'the SIREN of the issuer',
      role('payee', { name: 'B', identifiers: [{ type: 'siren', value: '732829320' }] }),
      [],
    ],
    ['FR-PTY-14', 'all of it', role('tax-representative', AGENT), []],
    [
      'FR-PTY-14',
      'nothing of it',
      role('tax-representative'),
      ['name', 'address', 'identifiers'].map((part) => `${further}/${part}`),
    ],
    ['FR-PTY-14', 'nothing of another role', role('payee'), []],
    ...PARTIES.map(
      (party): Row => [
        'FR-PTY-10c',
        `an identifier without scheme, ${party}`,
        { ...EMPTY, [`${party}/identifiers`]: [gln, { type: 'local', value: 'K-1' }] },
        [`${party}/identifiers/1/value`],
      ],
    ),
    ['FR-PTY-10c', 'no value', { '/receiver/identifiers/2': { type: 'local' } }, []],
    ...PARTIES.flatMap((party): readonly Row[] =>
      (
        [
          ['0002', true],
          ['0248', true],
          ['0001', false],
          ['0249', false],
          ['0092', false],
          ['12345', true],
          ['word', true],
        ] as const
      ).map(([type, isKnown]) => [
        'FR-PTY-15',
        `${type}, ${party}`,
        { ...EMPTY, [`${party}/identifiers`]: [{ type, value: '1' }] },
        isKnown ? [] : [`${party}/identifiers/0/type`],
      ]),
    ),
    ...PARTIES.flatMap((party): readonly Row[] => [
      ...['email', 'EM'].map(
        (type): Row => [
          'FR-ADR-2b',
          `126 characters of ${type}, ${party}`,
          { ...EMPTY, [`${party}/e-addresses`]: [{ type, value: 'a'.repeat(126) }] },
          [`${party}/e-addresses/0/value`],
        ],
      ),
      ...(['0225', 'EM', '9957', 'routing-address'] as const).map(
        (type): Row => [
          'FR-ADR-5',
          `${type}, ${party}`,
          { ...EMPTY, [`${party}/e-addresses`]: [{ type, value: '1' }] },
          [],
        ],
      ),
      ...(['0999', 'XX', 'ZZZZ'] as const).map(
        (type): Row => [
          'FR-ADR-5',
          `${type}, ${party}`,
          { ...EMPTY, [`${party}/e-addresses`]: [{ type, value: '1' }] },
          [`${party}/e-addresses/0/type`],
        ],
      ),
    ]),
    ['FR-DAT-5', 'the day alone', { '/document/date-taxes': '2026-11-05' }, []],
    ...['3', '35', '432', '5', '29', '72'].map(
      (value): Row => ['FR-DAT-5b', value, info({ key: 'tax-point-code', value }), []],
    ),
    ['FR-DAT-5b', '0', info({ key: 'tax-point-code', value: '0' }), ['/document/additional-info/0/value']],
    ['FR-DAT-5b', 'another key', info({ key: 'title', value: '99' }), []],
    ['FR-REF-4', 'no tag', { '/references/1': object() }, []],
    ['FR-REF-4', 'a tag of another reference', { '/references/0/tag': 'QQQ' }, []],
    ['FR-REF-4', 'a code in small letters', { '/references/1': object('afl') }, ['/references/1/tag']],
    ['FR-REF-4b', 'AFL and AVV', { '/references/1': object('AFL'), '/references/2': object('AVV') }, []],
    [
      'FR-REF-4b',
      'AVV twice',
      { '/references/1': object('AVV'), '/references/2': object('AVV') },
      ['/references/2/tag'],
    ],
    ['FR-REF-4b', 'another one twice', { '/references/1': object('MG'), '/references/2': object('MG') }, []],
    [
      'FR-REF-5',
      'of another reference',
      { '/references/0/type': 'contract', '/references/0/additional-info': [{ key: 'type-code', value: '325' }] },
      [],
    ],
    ...['PMT', 'BAR', 'ZZZ', 'credit-note-reason', 'Abc', 'ABCD'].map(
      (tag): Row => ['FR-NOT-7', tag, { '/notes/4': { tag, content: 'x' } }, []],
    ),
    ...['13', '15'].map(
      (digits): Row => [
        'FR-DEL-4',
        `${digits} digits`,
        { '/logistics': [{ 'additional-identifiers': [gln, { type: 'siret', value: '4'.repeat(Number(digits)) }] }] },
        ['/logistics/0/additional-identifiers/1/value'],
      ],
    ),
    ['FR-ATT-3', 'none', mime(), MIME],
    ['FR-ATT-3', 'XML', mime('text/xml'), []],
    ['FR-ATT-3', 'capitals', mime('Image/PNG'), []],
    ['FR-ATT-3', 'a link', mime(undefined, { format: 'url', content: 'https://example.com/a' }), []],
    ['FR-ATT-3', 'no content', mime(undefined, { content: undefined }), []],
  ]);
});

describe('the portal', () => {
  const EARLIER = { '/document/date': '2026-08-31' };
  const means = (type: string) => ({ '/agreements': [{ type: 'payment', means: [{ type }] }] });
  const overseas = (country: string, identifiers: readonly object[]) => ({
    ...{ '/receiver/address/country': country, '/receiver/identifiers': identifiers },
  });
  const RIDET = [{ type: '0228', value: '0123456' }];

  table([
    [
      'FR-TYP-1d',
      '262 in additional-info',
      { '/document/additional-info/1': { key: 'type-code', value: '262' } },
      ['/document/additional-info/1/value'],
      { class: 'credit-note' },
    ],
    ['FR-TYP-1d', 'before the reform', { '/document/document-type': '262', ...EARLIER }, []],
    ...['10', '20', '30', '42', '48', '49', '97', 'word', '99'].map(
      (type): Row => ['FR-PAY-2b', type, means(type), []],
    ),
    ...['58', '59', 'ZZZ'].map((type): Row => ['FR-PAY-2b', type, means(type), ['/agreements/0/means/0/type']]),
    ['FR-PAY-2b', 'before the reform', { ...means('58'), ...EARLIER }, []],
    ...['NC', 'PF', 'BL'].map(
      (country): Row => ['FR-FLOW-1b', country, overseas(country, RIDET), ['/receiver/identifiers']],
    ),
    ['FR-FLOW-1b', 'Germany', overseas('DE', RIDET), []],
    ['FR-FLOW-1b', 'France', overseas('FR', RIDET), []],
    ['FR-FLOW-1b', 'a SIRET', overseas('NC', [{ type: 'siret', value: '40483304800022' }]), []],
    ['FR-FLOW-1b', 'reported', { ...overseas('NC', RIDET), '/notes/4': { tag: 'BAR', content: 'B2BINT' } }, []],
  ]);
});

test.each<[id: string, what: string, set: Row[2]]>([
  ['FR-PTY-9', 'an issuer without nine digits', { '/issuer/identifiers': null }],
  ['FR-PTY-2', 'a VAT number of another country', { '/issuer/identifiers': [{ type: 'vat', value: 'BE0403170701' }] }],
])('%s offers nothing for %s', (id, _what, set) => {
  const [fault] = saidBy(id, { set });
  expect(fault?.hint).not.toMatch(/\(\d|\(FR|\{/);
});

test.each<[id: string, at: string, given: string, offered: string | undefined]>([
  ['FR-PTY-3', RECEIVER, '5480546', '005480546'],
  ['FR-PTY-3', RECEIVER, '12', undefined],
  ['FR-PTY-1c', '/receiver/address/postal-code', '1000', '01000'],
  ['FR-PTY-1c', '/receiver/address/postal-code', '100', undefined],
  ['FR-ADR-2', ROUTING, '0225 : 404 833 048', '404833048'],
  ['FR-ADR-2', ROUTING, '404833048_0225:1', undefined],
  ['FR-ADR-2', ROUTING, `${'4'.repeat(125)} 4`, undefined],
  ['FR-ADR-2', ROUTING, 'a/b', undefined],
  ['FR-PTY-7', '/receiver/identifiers/1/value', '834048330480', undefined],
  ['FR-PTY-7', '/receiver/identifiers/1/value', 'FR 84 404833048', undefined],
  ['FR-PTY-7', '/receiver/identifiers/1/value', '84404833048', undefined],
  ['FR-PTY-7', '/receiver/identifiers/1/value', 'FR83.404.833.048', 'FR83404833048'],
])('%s at %s: "%s" offers %s', (id, at, given, offered) => {
  const [fault] = saidBy(id, { set: { [at]: given } });
  expect(fault).toBeDefined();
  expect(fault?.suggestion).toBe(offered);
});

everyFieldIsBroken(/^FR-(?:NUM|DAT|CUR|TYP|PTY|ADR|FLOW-1|WIRE-1|REF|NOT|DEL|PER|ATT|PAY)/);
