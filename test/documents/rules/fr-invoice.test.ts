/** French invoices as they are in practice: what must not be held against them, boundaries, and what is offered. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, Numbering } from '../../../src/model/draft.ts';
import { showFault } from '../../../src/model/fault.ts';
import { frenchVatOf, isSiren } from '../../../src/model/identifiers.ts';
import type { Example } from '../../../src/model/rule.ts';
import { changed, MODELS, TODAY, told } from './models.ts';

const INVOICE = MODELS[0]!;

function broken(example: Example): readonly string[] {
  return told(INVOICE, example, { profile: 'fr-2026' }).map(({ rule, level, code }) => `${rule ?? code} ${level}`);
}

const SIRET_ONLY = [
  { type: 'siret', value: '73282932000074' },
  { type: 'vat', value: 'FR44732829320' },
];
const GROUP_NOTE = { tag: 'TXD', content: 'MEMBRE_ASSUJETTI_UNIQUE' };
const BELGIAN = {
  '/receiver/address/country': 'BE',
  '/receiver/identifiers': [{ type: 'vat', value: 'BE0403170701' }],
};

test.each<[what: string, example: Example, rules: readonly string[]]>([
  ['the SIREN of the issuer stands in its SIRET', { set: { '/issuer/identifiers': SIRET_ONLY } }, ['FR-PTY-2c error']],
  ['a receiver abroad', { set: { ...BELGIAN, '/receiver/e-addresses': null } }, ['FR-FLOW-1 warning']],
  [
    'a receiver abroad with an address of another directory',
    { set: { ...BELGIAN, '/receiver/e-addresses/0/value': '9925:BE0403170701' } },
    ['FR-FLOW-1 warning'],
  ],
  [
    'a receiver overseas without a SIREN, delivered on the mainland',
    {
      set: {
        ...{ '/receiver/address/country': 'NC', '/receiver/identifiers': null, '/receiver/e-addresses': null },
        '/logistics': [
          { type: 'delivery', address: { street: '1 quai', city: 'Lyon', 'postal-code': '69001', country: 'FR' } },
        ],
      },
    },
    ['FR-FLOW-1b warning'],
  ],
  [
    'a consumer, who is said to be one',
    {
      set: {
        ...{ '/receiver/identifiers': null, '/receiver/e-addresses': null },
        '/notes': [{ tag: 'BAR', content: 'B2C' }],
      },
    },
    ['FR-FLOW-1 warning'],
  ],
  [
    'a member of a VAT group',
    {
      set: {
        '/issuer/identifiers/1/value': frenchVatOf('404833048'),
        '/issuer/identifiers/2': { type: '0231', value: '404833048' },
        '/notes/4': GROUP_NOTE,
        '/additional-parties': [
          {
            name: 'Groupe',
            identifiers: [{ type: 'vat', value: frenchVatOf('404833048') }],
            address: { country: 'FR' },
            'additional-info': [{ key: 'role', value: 'tax-representative' }],
          },
        ],
      },
    },
    [],
  ],
  ['a VAT key with letters', { set: { '/receiver/identifiers/1/value': 'FRAB404833048' } }, []],
  [
    'an overall rebate without an invoice',
    {
      class: 'credit-note',
      set: {
        '/references': [{ type: 'contract', identifier: 'RFA-2026' }],
        '/document/document-type': '262',
        '/logistics': [
          {
            type: 'delivery',
            'additional-dates': [
              { type: 'period-start', value: '2026-01-01' },
              { type: 'period-end', value: '2026-10-31' },
            ],
          },
        ],
      },
    },
    ['FR-TYP-1d warning'],
  ],
  [
    'an advance that was due before',
    { set: { '/document/document-type': '386', '/document/date-due': '2026-10-01' } },
    [],
  ],
  [
    'an invoice that is paid already',
    {
      set: {
        '/document/date-due': '2026-10-01',
        '/document/additional-info': [{ key: 'billing-frame', value: 'S2' }],
      },
    },
    ['FR-TYP-4b warning'],
  ],
  [
    'a self-billed invoice goes to the issuer, not to the receiver',
    { set: { '/document/document-type': '389', '/receiver/e-addresses/0/value': 'ACHATS-1' } },
    [],
  ],
  ['a document type that is no code', { set: { '/document/document-type': 'invoice' } }, []],
  ['a delivery without address', { set: { '/logistics': [{ type: 'delivery', date: '2026-11-04' }] } }, []],
  [
    'dates whose names only hold the words',
    {
      set: {
        '/logistics': [
          {
            'additional-dates': [
              { type: 'calendar', value: '2026-10-02' },
              { type: 'restart', value: '2026-10-02' },
            ],
          },
        ],
      },
    },
    [],
  ],
  [
    'a receiver in France without any identifier is told once for each cause',
    { set: { '/receiver/identifiers': null, '/receiver/e-addresses': null } },
    ['FR-PTY-3 error', 'FR-ADR-1 error'],
  ],
  [
    'neither number nor date',
    { set: { '/document/identifier': null, '/document/date': null } },
    ['FR-NUM-2b error', 'FR-NUM-2b error'],
  ],
])('%s', (_what, example, rules) => {
  expect(broken(example)).toEqual(rules);
});

test('a number that the ledger will give is no fault', () => {
  const body = changed(INVOICE.payload, {}) as { readonly document: JsonObject };
  const identifier = new Numbering('invoices', ['2026'], 'text');
  const payload = { ...body, document: { ...body.document, identifier } };
  expect(INVOICE.kind.rules.under({ profile: 'fr-2026' }).judge(payload, 'invoice', TODAY)).toEqual([]);
});

describe('boundaries', () => {
  const number = (length: number, date: string) => ({
    set: { '/document/identifier': 'F'.repeat(length), '/document/date': date, '/document/date-due': '2027-03-01' },
    today: '2027-02-01',
  });

  test.each([
    [20, '2026-12-31', []],
    [21, '2026-12-31', ['FR-NUM-1b warning']],
    [35, '2026-12-31', ['FR-NUM-1b warning']],
    [21, '2027-01-01', []],
    [35, '2027-01-01', []],
    [36, '2027-01-01', ['FR-NUM-1 error']],
  ])('a number of %i characters on %s', (length, date, rules) => {
    expect(broken(number(length, date))).toEqual(rules);
  });

  test.each([
    ['40 EUR', true],
    ['40 €', true],
    ['40,00 euros', true],
    ['EUR 40', true],
    ['de 40€ par facture', true],
    ['140 EUR', false],
    ['0,40 EUR', false],
    ['EUR 400', false],
    ['article D441-5', false],
  ])('the fee "%s"', (content, named) => {
    expect(broken({ set: { '/notes/0/content': content } })).toEqual(named ? [] : ['FR-NOT-3 warning']);
  });
});

test.each([
  ['/receiver/identifiers/0/value', '404 833 048', '404833048'],
  ['/receiver/identifiers/0/value', '404833148', '404833048'],
  ['/receiver/identifiers/0/value', '40483304800022', '404833048'],
  ['/receiver/identifiers/0/value', 'FR83404833048', '404833048'],
  ['/receiver/identifiers/1/value', 'fr 83 404 833 048', 'FR83404833048'],
  ['/receiver/identifiers/1/value', '83404833048', 'FR83404833048'],
  ['/receiver/e-addresses/0/value', '0225:404833048', '404833048'],
  ['/receiver/address/country', 'France', 'FR'],
  ['/receiver/address/country', 'EL', 'GR'],
  ['/document/currency', '€', 'EUR'],
])('%s "%s" offers %s', (at, given, meant) => {
  const also = at === '/document/currency' ? { '/totals/currency': given } : {};
  const faults = told(INVOICE, { set: { [at]: given, ...also } }, { profile: 'fr-2026' });
  expect(faults.find((fault) => fault.at === at)?.suggestion, faults.map(showFault).join('\n')).toBe(meant);
});

const SIREN = fc
  .integer({ min: 1, max: 99_999_999 })
  .map((n) => String(n).padStart(8, '0'))
  .map((eight) => Array.from({ length: 10 }, (_, digit) => `${eight}${digit}`).find(isSiren)!);

test('no SIREN with its VAT number and its routing address breaks a rule', () => {
  fc.assert(
    fc.property(SIREN, fc.stringMatching(/^(?:_[A-Za-z0-9-]{1,20})?$/), (siren, suffix) => {
      fc.pre(!/^_\d{14}$/.test(suffix));
      const set = {
        '/receiver/identifiers/0/value': siren,
        '/receiver/identifiers/1/value': frenchVatOf(siren),
        '/receiver/e-addresses/0/value': `${siren}${suffix}`,
      };
      expect(broken({ set })).toEqual([]);
    }),
  );
});

test('rules never throw, whatever values the document has', () => {
  const places = [
    '',
    '/document',
    '/issuer',
    '/receiver',
    '/issuer/identifiers',
    '/receiver/e-addresses',
    '/references',
  ];
  const further = [
    '/notes',
    '/logistics',
    '/agreements',
    '/attachments',
    '/alternate-totals',
    '/notes/0',
    '/references/0',
  ];
  const names = [
    'date',
    'identifier',
    'currency',
    'identifiers',
    'address',
    'type',
    'value',
    'tag',
    'content',
    'terms',
    '0',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...places, ...further),
      fc.constantFrom(...names),
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('invoice', 'credit-note', 'corrective', 'other'),
      (place, name, value, documentClass) => {
        const set = { [`${place}/${name}`]: value };
        expect(Array.isArray(broken({ set, class: documentClass }))).toBe(true);
      },
    ),
  );
});

test('a SIREN with a wrong digit is offered another only where VAT number and routing address both show it', () => {
  const wrong = { '/receiver/identifiers/0/value': '404833148' };
  const offered = (set: Example['set']) =>
    told(INVOICE, { set: { ...wrong, ...set } }, { profile: 'fr-2026' }).find(({ rule }) => rule === 'FR-PTY-4')
      ?.suggestion;
  expect(offered({})).toBe('404833048');
  expect(offered({ '/receiver/identifiers/1/value': 'FR44732829320' })).toBeUndefined();
  expect(offered({ '/receiver/identifiers/1/value': 'FR84404833048' })).toBeUndefined();
  expect(offered({ '/receiver/e-addresses/0/value': '732829320' })).toBeUndefined();
});

test('nothing is reckoned from a SIREN with a wrong digit', () => {
  const set = { '/receiver/identifiers': [{ type: 'siren', value: '404833148' }], '/receiver/e-addresses': null };
  const hints = told(INVOICE, { set }, { profile: 'fr-2026' }).map(({ rule, hint }) => [
    rule,
    /404833/.test(hint ?? ''),
  ]);
  expect(hints).toEqual([
    ['FR-PTY-4', false],
    ['FR-PTY-9b', false],
    ['FR-ADR-1', false],
  ]);
});
