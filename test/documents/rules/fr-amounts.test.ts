/** Amounts, rates and totals of French invoices at their bounds, and e-reports at theirs. */
import { describe, expect, test } from 'vitest';
import { everyFieldIsBroken, type Row, saidBy, table } from './alone.ts';

/** The digits of a number as they stand there, which a float would change. */
const exact = (digits: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);

const NESTED = '/totals/subtotals/1/subtotals';
const FINAL = '/totals/final-amount';
const CREDIT = { class: 'credit-note' };

describe('lines', () => {
  const RATE = '/lines/1/taxes/1/percent';
  const PARTS = ['number', 'description', 'quantity', 'unit', 'unit-price', 'net-amount', 'taxes'];

  table([
    ['FR-LIN-1', 'no list of lines', { '/lines': null }, ['/lines']],
    ['FR-LIN-1', 'one line', { '/lines': [{}] }, []],
    ...PARTS.map((part): Row => ['FR-LIN-1b', `no ${part}`, { [`/lines/1/${part}`]: null }, [`/lines/1/${part}`]]),
    ...['number', 'description', 'unit'].map(
      (part): Row => ['FR-LIN-1b', `a blank ${part}`, { [`/lines/1/${part}`]: ' ' }, [`/lines/1/${part}`]],
    ),
    ['FR-LIN-1b', 'an empty list of taxes', { '/lines/1/taxes': [] }, ['/lines/1/taxes']],
    ...['standard', 'S'].map(
      (subtype): Row => ['FR-LIN-1b', `${subtype} without a rate`, { '/lines/1/taxes/1': { subtype } }, [RATE]],
    ),
    ['FR-LIN-1b', 'exempt without a rate', { '/lines/1/taxes/1': { subtype: 'E' } }, []],
    ['FR-LIN-1b', 'neither treatment nor rate', { '/lines/1/taxes/1': { type: 'vat' } }, []],
    ['FR-LIN-1b', 'amounts of 0', { '/lines/0/quantity': 0, '/lines/0/unit-price': 0, '/lines/0/net-amount': 0 }, []],
    ['FR-LIN-2', 'no numbers at all', { '/lines': [{}], '/totals': {} }, []],
    ['FR-LIN-1c', 'no number twice', { '/lines/0/number': null, '/lines/1/number': null }, []],
    [
      'FR-LIN-1c',
      'a number three times',
      { '/lines/1/number': '1', '/lines/2/number': '1' },
      ['/lines/1/number', '/lines/2/number'],
    ],
    ['FR-LIN-3', 'a price of 0', { '/lines/1/unit-price': 0 }, []],
    ['FR-LIN-3', 'a price a hundredth below 0', { '/lines/1/unit-price': -0.01 }, ['/lines/1/unit-price']],
    ['FR-LIN-3', 'a negative quantity', { '/lines/1/quantity': -3 }, []],
  ]);

  const alterations = {
    '/lines/1/discounts': [{ amount: 1, percent: 1 }],
    '/lines/1/charges': [{}, { amount: 1, percent: 1 }],
  };
  /** Field -> most decimals; rates have four digits at most, all others nineteen. */
  const FIELDS: readonly (readonly [at: string, decimals: number])[] = [
    ['/lines/1/quantity', 4],
    ['/lines/1/unit-price', 6],
    ['/lines/1/net-amount', 2],
    ['/lines/1/taxes/0/amount', 2],
    ['/lines/1/taxes/0/percent', 2],
    ['/lines/1/discounts/0/amount', 2],
    ['/lines/1/discounts/0/percent', 2],
    ['/lines/1/charges/1/amount', 2],
    ['/lines/1/charges/1/percent', 2],
    [FINAL, 2],
    ['/totals/subtotals/1/amount', 2],
    ['/totals/subtotals/1/taxable-amount', 2],
    ['/totals/subtotals/1/percent', 2],
    [`${NESTED}/1/amount`, 2],
    [`${NESTED}/1/taxable-amount`, 2],
    [`${NESTED}/1/percent`, 2],
  ];

  const whole = (length: number) => '9'.repeat(length);
  const fraction = (length: number) => '123456789'.slice(0, length);

  table(
    FIELDS.flatMap(([at, decimals]): Row[] => {
      const most = at.endsWith('percent') ? 4 : 19;
      const row = (id: string, digits: string, broken: boolean): Row => [
        ...([id, `${digits} at ${at}`, { ...structuredClone(alterations), [at]: exact(digits) }] as const),
        broken ? [at] : [],
      ];
      return [
        row('FR-LIN-2', `1.${fraction(decimals)}`, false),
        row('FR-LIN-2', `1.${fraction(decimals)}000`, false),
        row('FR-LIN-2', `1.${fraction(decimals + 1)}`, true),
        row('FR-LIN-2b', whole(most), false),
        row('FR-LIN-2b', `-${whole(most)}`, false),
        row('FR-LIN-2b', whole(most + 1), true),
        row('FR-LIN-2b', `1${'0'.repeat(most)}`, true),
        row('FR-LIN-2b', `${whole(most - decimals)}.${fraction(decimals)}`, false),
        row('FR-LIN-2b', `${whole(most - decimals + 1)}.${fraction(decimals)}`, true),
      ];
    }),
  );

  test.each([
    ['FR-LIN-2', '1.12345', 'the value has 5 decimals; 4 are allowed'],
    ['FR-LIN-2b', '12345678901234567890', 'the value has 20 digits; 19 are allowed'],
  ])('%s says how many there are, and may be', (id, digits, said) => {
    const [fault] = saidBy(id, { set: { '/lines/1/quantity': exact(digits) } });
    expect(fault?.message).toBe(`${digits}: ${said}`);
  });

  const line = (quantity: number, price: number, net: number, more: object = {}) => ({
    '/lines/1': { quantity, 'unit-price': price, 'net-amount': net, ...more },
  });
  const NET = ['/lines/1/net-amount'];

  table([
    ['FR-LIN-4', 'half a cent, rounded up', line(0.5, 0.01, 0.01), []],
    ['FR-LIN-4', 'half a cent, cut off', line(0.5, 0.01, 0), NET],
    ['FR-LIN-4', 'minus half a cent, rounded away from 0', line(-0.5, 0.01, -0.01), []],
    ['FR-LIN-4', 'minus half a cent, rounded up', line(-0.5, 0.01, 0), NET],
    ['FR-LIN-4', 'a cent more', line(3, 19.99, 59.98), NET],
    ['FR-LIN-4', 'discounts', line(1, 10, 7, { discounts: [{ amount: 1 }, { amount: 2 }] }), []],
    ['FR-LIN-4', 'charges', line(1, 10, 13, { charges: [{ amount: 1 }, { amount: 2 }] }), []],
    ['FR-LIN-4', 'both', line(1, 10, 11, { discounts: [{ amount: 1 }], charges: [{ amount: 2 }] }), []],
    [
      'FR-LIN-4',
      'both, the wrong way round',
      line(1, 10, 9, { discounts: [{ amount: 1 }], charges: [{ amount: 2 }] }),
      NET,
    ],
    ['FR-LIN-4', 'a discount without amount', line(1, 10, 9, { discounts: [{ amount: 2 }, {}] }), []],
    ['FR-LIN-4', 'a charge without amount', line(1, 10, 9, { charges: [{}] }), []],
    ['FR-LIN-4', 'no quantity', { '/lines/1/quantity': null }, []],
    ['FR-LIN-4', 'no price', { '/lines/1/unit-price': null }, []],
    ['FR-LIN-4', 'no net amount', { '/lines/1/net-amount': null }, []],
    ...['discounts', 'charges'].flatMap((kind): Row[] => [
      ['FR-LIN-5', `${kind}: its code`, { [`/lines/1/${kind}`]: [{ reason: { identifier: '95' } }] }, []],
      ['FR-LIN-5', `${kind}: its words`, { [`/lines/1/${kind}`]: [{ reason: { description: 'x' } }] }, []],
      [
        'FR-LIN-5',
        `${kind}: neither`,
        { [`/lines/1/${kind}`]: [{ reason: { description: 'x' } }, { reason: { description: ' ' } }] },
        [`/lines/1/${kind}/1/reason`],
      ],
    ]),
    ...[
      ...['discounts', 'charges'].map(
        (kind) => [`/lines/1/${kind}`, (one: object) => [{ amount: 0, ...one }]] as const,
      ),
      ['/totals/subtotals/2', (one: object) => ({ type: 'discount', 'before-taxes': true, sign: 'negative', ...one })],
      ['/totals/subtotals/2', (one: object) => ({ type: 'charge', 'before-taxes': true, sign: 'positive', ...one })],
    ].flatMap(([place, make], n): Row[] => {
      const coded = (identifier: string) => ({
        [place as string]: (make as (one: object) => object)({ reason: { identifier } }),
      });
      const at = n < 2 ? `${place}/0/reason/identifier` : `${place}/reason/identifier`;
      const isCharge = n % 2 === 1;
      return [
        ['FR-LIN-5b', `95 at ${place}, ${n}`, coded('95'), isCharge ? [at] : []],
        ['FR-LIN-5b', `FC at ${place}, ${n}`, coded('FC'), isCharge ? [] : [at]],
        ['FR-LIN-5b', `ENV, another tax, at ${place}, ${n}`, coded('ENV'), isCharge ? [] : [at]],
        ['FR-LIN-5b', `a code of the ERP at ${place}, ${n}`, coded('REM10'), [at]],
        ['FR-LIN-5b', `no code at ${place}, ${n}`, coded(' '), []],
      ];
    }),
    ...['KGM', 'LTR', 'H87', 'HUR', 'C62', 'XPK'].map((unit): Row => ['FR-LIN-6', unit, { '/lines/1/unit': unit }, []]),
    ...['kgm', 'PK', 'Stück'].map((unit): Row => ['FR-LIN-6', unit, { '/lines/1/unit': unit }, ['/lines/1/unit']]),
    ['FR-LIN-6', 'no unit', { '/lines/1/unit': null }, []],
  ]);
});

describe('VAT', () => {
  const RATES = ['0', '0.9', '1.05', '1.75', '2.1', '5.5', '7', '8.5', '9.2', '9.6', '10', '13', '19.6', '20', '20.6'];
  const USUAL = ['0', '2.1', '5.5', '10', '20'];
  const at = (percent: unknown, subtype?: string) => ({
    '/lines/1/taxes/1': { percent, ...(subtype === undefined ? {} : { subtype }) },
  });
  const PERCENT = '/lines/1/taxes/1/percent';
  const rate = (percent: string) => at(exact(percent));

  table([
    ...[...RATES, '5.50', '2.10'].map((percent): Row => ['FR-VAT-1', percent, rate(percent), []]),
    ...['19', '0.2', '20.01', '5.49', '-20', '18', '100'].map((one): Row => ['FR-VAT-1', one, rate(one), [PERCENT]]),
    ['FR-VAT-1', 'in the totals', { [`${NESTED}/1/percent`]: 19 }, [`${NESTED}/1/percent`]],
    ['FR-VAT-1', 'no rate', { '/lines/1/taxes/0/percent': null }, []],
    ...USUAL.map((percent): Row => ['FR-VAT-2', percent, rate(percent), []]),
    ...RATES.filter((one) => !USUAL.includes(one)).map((one): Row => ['FR-VAT-2', one, rate(one), [PERCENT]]),
    ['FR-VAT-2', 'no rate of France', rate('19'), []],
    ['FR-VAT-2', 'in the totals', { [`${NESTED}/1/percent`]: 7 }, [`${NESTED}/1/percent`]],
    ['FR-VAT-2b', '0', rate('0'), []],
    ['FR-VAT-2b', '0.01', rate('0.01'), [PERCENT]],
    ['FR-VAT-2b', '0.2', rate('0.2'), [PERCENT]],
    ['FR-VAT-2b', '0.5', rate('0.5'), []],
    ['FR-VAT-2b', '0.9', rate('0.9'), []],
    ['FR-VAT-2b', '-0.2', rate('-0.2'), []],
    ['FR-VAT-2b', 'in the totals', { [`${NESTED}/1/percent`]: 0.055 }, [`${NESTED}/1/percent`]],
  ]);

  const SUBTYPE = '/lines/1/taxes/1/subtype';
  const UNTAXED = [
    ...['zero', 'zero-rated', 'exempt', 'exemption', 'reverse-charge', 'intra-community', 'export', 'outside-scope'],
    ...['Z', 'E', 'AE', 'K', 'G', 'O'],
  ];

  table([
    ...['standard', 'S'].flatMap((subtype): Row[] => [
      ['FR-VAT-3', `${subtype} at 0.1`, at(0.1, subtype), []],
      ['FR-VAT-3', `${subtype} at 0`, at(0, subtype), [SUBTYPE]],
      ['FR-VAT-3', `${subtype} at -20`, at(-20, subtype), [SUBTYPE]],
      ['FR-VAT-3b', `${subtype} at 20`, at(20, subtype), []],
    ]),
    ...UNTAXED.flatMap((subtype): Row[] => [
      ['FR-VAT-3', `${subtype} at 0`, at(0, subtype), []],
      ['FR-VAT-3', `${subtype} at 0.9`, at(0.9, subtype), [SUBTYPE]],
      ['FR-VAT-3', `${subtype} at -20`, at(-20, subtype), [SUBTYPE]],
      ['FR-VAT-3b', `${subtype} at 20`, at(20, subtype), []],
    ]),
    ['FR-VAT-3', 'no treatment', at(0), []],
    ['FR-VAT-3', 'no rate', { '/lines/1/taxes/1': { subtype: 'standard' } }, []],
    ['FR-VAT-3', 'a treatment that the contract does not show', at(0, 'reduced'), []],
    ['FR-VAT-3', 'in the totals', { [`${NESTED}/1/subtype`]: 'E' }, [`${NESTED}/1/subtype`]],
    ['FR-VAT-3b', 'in the totals', { [`${NESTED}/1/subtype`]: 'reduced' }, [`${NESTED}/1/subtype`]],
    ['FR-VAT-3b', 'no treatment', at(20), []],
    ['FR-VAT-3b', 'unknown at 0', at(0, 'reduced'), []],
    ['FR-VAT-3b', 'unknown at 5.5', at(5.5, 'reduced'), [SUBTYPE]],
    ['FR-VAT-3b', 'unknown without a rate', { '/lines/1/taxes/1': { subtype: 'reduced' } }, []],
  ]);

  const discounted = (tax: object) => ({
    '/totals/subtotals/2': { type: 'discount', 'before-taxes': true, sign: 'negative', amount: 1, subtotals: [tax] },
  });
  const OF_DISCOUNT = '/totals/subtotals/2/subtotals/0';

  table([
    ...['canary-islands', 'ceuta-melilla', 'split-payment', 'L', 'M', 'B'].flatMap((subtype): Row[] => [
      ['FR-VAT-3c', `${subtype} at 7`, at(7, subtype), [SUBTYPE]],
      ['FR-VAT-3c', `${subtype} at 0`, at(0, subtype), [SUBTYPE]],
      ['FR-VAT-3b', `${subtype} at 7, told elsewhere`, at(7, subtype), []],
    ]),
    ...['standard', 'S', ...UNTAXED, 'reduced'].map((subtype): Row => ['FR-VAT-3c', subtype, at(0, subtype), []]),
    ['FR-VAT-3c', 'in the totals', { [`${NESTED}/1/subtype`]: 'L' }, [`${NESTED}/1/subtype`]],
    ['FR-VAT-3c', 'of a discount on the document', discounted({ subtype: 'M' }), [`${OF_DISCOUNT}/subtype`]],
    ['FR-VAT-1', 'of a discount on the document', discounted({ percent: 19 }), [`${OF_DISCOUNT}/percent`]],
    ['FR-VAT-3', 'of a discount on the document', discounted({ subtype: 'S', percent: 0 }), [`${OF_DISCOUNT}/subtype`]],
  ]);

  const entry = (one: object) => ({ [`${NESTED}/2`]: one });
  const WHY = `${NESTED}/2/reason`;
  const [CODE, WORDS] = [`${WHY}/identifier`, `${WHY}/description`];
  const isZero = (subtype: string) => subtype.startsWith('zero') || subtype === 'Z';

  table([
    ...UNTAXED.map((subtype): Row => {
      const at = ['E', 'exempt', 'exemption'].includes(subtype) ? [CODE, WORDS] : [WHY];
      return ['FR-VAT-4', `${subtype} without a reason`, entry({ subtype, percent: 0 }), isZero(subtype) ? [] : at];
    }),
    ...UNTAXED.flatMap((subtype): Row[] => {
      const both = ['E', 'exempt', 'exemption'].includes(subtype);
      const why = (reason: object) => entry({ subtype, percent: 0, reason });
      return [
        ['FR-VAT-4', `${subtype}, the code alone`, why({ identifier: 'VATEX-EU-AE' }), both ? [WORDS] : []],
        ['FR-VAT-4', `${subtype}, words alone`, why({ description: 'Autoliquidation' }), both ? [CODE] : []],
        [
          'FR-VAT-4',
          `${subtype}, blanks`,
          why({ identifier: ' ', description: '' }),
          both ? [CODE, WORDS] : isZero(subtype) ? [] : [WHY],
        ],
        ['FR-VAT-4b', `${subtype}, a code`, why({ identifier: 'VATEX-EU-AE' }), isZero(subtype) ? [CODE] : []],
        ['FR-VAT-4b', `${subtype}, words`, why({ description: 'x' }), isZero(subtype) ? [WORDS] : []],
        ['FR-VAT-4b', `${subtype}, an empty reason`, why({}), []],
      ];
    }),
    [
      'FR-VAT-4b',
      'taxed, with words',
      { [`${NESTED}/1/reason`]: { description: 'x' } },
      [`${NESTED}/1/reason/description`],
    ],
    ['FR-VAT-4b', 'no treatment', entry({ percent: 0, reason: { description: 'x' } }), []],
    ['FR-VAT-4b', 'an unknown treatment', entry({ subtype: 'margin', percent: 0, reason: { description: 'x' } }), []],
    ...[
      'VATEX-EU-132-1F',
      'VATEX-FR-FRANCHISE',
      'VATEX-FR-CNWVAT',
      'VATEX-FR-CGI261D-1BIS',
      'VATEX-FR-AE',
      'vatex-eu-ae',
    ].map((identifier): Row => ['FR-VAT-5', identifier, entry({ subtype: 'E', reason: { identifier } }), []]),
    ...['VATEX-FR-NOPE', 'VATEX', 'FRANCHISE', 'VATEX-EU-132 VATEX-EU-133'].map(
      (identifier): Row => ['FR-VAT-5', identifier, entry({ subtype: 'E', reason: { identifier } }), [CODE]],
    ),
    ['FR-VAT-5', 'words alone', entry({ subtype: 'E', reason: { description: 'Santé' } }), []],
    ['FR-VAT-4', 'both', entry({ subtype: 'E', percent: 0, reason: { identifier: 'V', description: 'x' } }), []],
    ['FR-VAT-4', 'no rate', entry({ subtype: 'O' }), [WHY]],
    ['FR-VAT-4', 'a treatment that the contract does not show', entry({ subtype: 'margin', percent: 0 }), [WHY]],
    ['FR-VAT-4', 'a rate, told elsewhere', entry({ subtype: 'E', percent: 20 }), []],
    ['FR-VAT-4', 'standard at 0, told elsewhere', entry({ subtype: 'standard', percent: 0 }), []],
    ['FR-VAT-4', 'no treatment', entry({ percent: 0 }), []],
    [
      'FR-VAT-4',
      'of a discount',
      { '/totals/subtotals/2': { type: 'discount', subtotals: [{ subtype: 'E', percent: 0 }] } },
      [],
    ],
  ]);
});

describe('totals', () => {
  const [BASE, VAT] = [`${NESTED}/0/taxable-amount`, `${NESTED}/0/amount`];
  const BASE_2 = `${NESTED}/1/taxable-amount`;
  const [NET_SUM, TAX_SUM] = ['/totals/subtotals/0/amount', '/totals/subtotals/1/amount'];
  const alteration = (type: string, more: object = {}) => ({
    '/totals/subtotals/2': {
      ...{ type, 'before-taxes': true, sign: type === 'discount' ? 'negative' : 'positive', amount: 10 },
      subtotals: [{ type: 'tax', subtype: 'standard', percent: 20 }],
      ...more,
    },
  });
  const [LESS, MORE] = [alteration('discount'), alteration('charge')];
  const AFTER = alteration('discount', { type: 'deposit', 'before-taxes': false });
  const AFTER_TOO = { '/totals/subtotals/3': AFTER['/totals/subtotals/2'] };
  const UNSAID = alteration('discount', { 'before-taxes': undefined });
  const ECO = { '/lines/0/taxes/1': { type: 'eco', amount: 0.1 } };
  const SECOND_NET = { '/totals/subtotals/2': { type: 'lines-net-amount', amount: 1 } };
  const SECOND_TAX = { '/totals/subtotals/2': { type: 'tax', amount: 1 } };
  const rateOf = (line: number, tax: object | null) => ({ [`/lines/${line}/taxes`]: tax === null ? [] : [tax] });
  const NO_RATES = rateOf(0, null);

  table([
    ['FR-WIRE-2', 'a cent less', { [FINAL]: 222.58 }, [FINAL]],
    ['FR-WIRE-2', 'three subtotals', { [FINAL]: 1, ...LESS }, []],
    ['FR-WIRE-2', 'a negative subtotal', { [FINAL]: 1, '/totals/subtotals/1/sign': 'negative' }, []],
    ['FR-WIRE-2', 'no sign', { [FINAL]: 1, '/totals/subtotals/1/sign': null }, [FINAL]],
    ['FR-WIRE-2', 'no tax', { [FINAL]: 1, [TAX_SUM]: null }, []],
    ['FR-WIRE-2', 'no net amount', { [FINAL]: 1, [NET_SUM]: null }, []],
    ['FR-WIRE-2', 'no final amount', { [FINAL]: null }, []],
    ['FR-TOT-1', 'a cent more', { [NET_SUM]: 188.33 }, [NET_SUM]],
    ['FR-TOT-1', 'no lines', { '/lines': [] }, []],
    ['FR-TOT-1', 'a line without net amount', { '/lines/0/net-amount': null }, []],
    ['FR-TOT-1', 'half a cent, rounded away from 0', { '/lines/0/net-amount': 105.005, [NET_SUM]: 188.33 }, []],
    ['FR-TOT-1', 'half a cent, cut off', { '/lines/0/net-amount': 105.005, [NET_SUM]: 188.32 }, [NET_SUM]],
    ['FR-TOT-1', 'two of them', { [NET_SUM]: 1, ...SECOND_NET }, []],
    ['FR-TOT-1', 'a sum that is not there', { [NET_SUM]: null }, []],
    ['FR-TOT-2', 'two lines, two cents more', { [BASE]: 164.99 }, []],
    ['FR-TOT-2', 'two lines, three cents more', { [BASE]: 165 }, [BASE]],
    ['FR-TOT-2', 'two lines, three cents less', { [BASE]: 164.94 }, [BASE]],
    ['FR-TOT-2', 'two lines and a discount, three cents', { [BASE]: 154.94, ...LESS }, []],
    ['FR-TOT-2', 'one line, two cents', { [`${NESTED}/1/taxable-amount`]: 23.37 }, [`${NESTED}/1/taxable-amount`]],
    [
      'FR-TOT-2',
      'a cent at a rate of no line',
      { [`${NESTED}/2`]: { subtype: 'standard', percent: 10, 'taxable-amount': 0.01 } },
      [`${NESTED}/2/taxable-amount`],
    ],
    ['FR-TOT-2', 'a base that is not there', { [BASE]: null }, []],
    [
      'FR-TOT-2',
      'a rate of no line',
      { [`${NESTED}/2`]: { subtype: 'standard', percent: 10, 'taxable-amount': 1 } },
      [`${NESTED}/2/taxable-amount`],
    ],
    [
      'FR-TOT-2',
      'a rate of no line, with nothing',
      { [`${NESTED}/2`]: { subtype: 'standard', percent: 10, 'taxable-amount': 0 } },
      [],
    ],
    [
      'FR-TOT-2',
      'the same rate under another treatment',
      { [`${NESTED}/1/subtype`]: 'reduced' },
      [`${NESTED}/1/taxable-amount`],
    ],
    ['FR-TOT-2', 'the treatment left out', { [`${NESTED}/1/subtype`]: null }, []],
    ['FR-TOT-2', 'the rate with a zero behind', { [`${NESTED}/0/percent`]: exact('20.00') }, []],
    ['FR-TOT-2', 'half a cent, rounded away from 0', { '/lines/0/net-amount': 105.005, [BASE]: 164.98 }, []],
    ['FR-TOT-2', 'a line without rate', { [BASE]: 1, ...NO_RATES }, []],
    ['FR-TOT-2', 'a line with two rates', { [BASE]: 1, '/lines/0/taxes/1': { percent: 10 } }, []],
    ['FR-TOT-2', 'a line without net amount', { [BASE]: 1, '/lines/0/net-amount': null }, []],
    ['FR-TOT-2', 'a discount', { [BASE]: 154.97, ...LESS }, []],
    ['FR-TOT-2', 'a discount that is not in it', LESS, [BASE]],
    ['FR-TOT-2', 'a charge', { [BASE]: 174.97, ...MORE }, []],
    ['FR-TOT-2', 'a deposit after taxes', AFTER, []],
    ['FR-TOT-2', 'a deposit after taxes in the base', { [BASE]: 154.97, ...AFTER }, [BASE]],
    ['FR-TOT-2', 'a discount that does not say when', { [BASE]: 154.97, ...UNSAID }, []],
    ['FR-TOT-2', 'such a discount that is not in the base', UNSAID, [BASE]],
    ['FR-TOT-2', 'a line with an eco-tax', { [BASE]: 164.94, ...ECO }, [BASE]],
    [
      'FR-TOT-2',
      'an eco-tax before the VAT',
      { '/lines/0/taxes': [{ type: 'eco' }, { type: 'vat', percent: 20 }] },
      [],
    ],
    ['FR-TOT-2', 'a discount without rate', { [BASE]: 1, ...alteration('discount', { subtotals: [] }) }, []],
    [
      'FR-TOT-2',
      'a discount over two rates',
      { [BASE]: 1, ...alteration('discount', { subtotals: [{ percent: 20 }, { percent: 5.5 }] }) },
      [],
    ],
    ['FR-TOT-2', 'a discount without amount', { [BASE]: 1, ...alteration('discount', { amount: undefined }) }, []],
    [
      'FR-TOT-2',
      'outside of VAT, no rate and 0 are one',
      { ...rateOf(2, { subtype: 'O', percent: 0 }), [`${NESTED}/1`]: { subtype: 'O', 'taxable-amount': 23.35 } },
      [],
    ],
    [
      'FR-TOT-2',
      'neither treatment nor rate is not 0',
      { ...rateOf(2, { type: 'vat' }), [`${NESTED}/1`]: { percent: 0, 'taxable-amount': 23.35 } },
      [`${NESTED}/1/taxable-amount`],
    ],
    ['FR-TOT-2', 'two subtotals of taxes', { [BASE]: 1, ...SECOND_TAX }, []],
    ['FR-TOT-3', 'two lines, two cents', { [VAT]: 32.97 }, []],
    ['FR-TOT-3', 'two lines, three cents less', { [VAT]: 32.96 }, [VAT]],
    ['FR-TOT-3', 'two lines, three cents more', { [VAT]: 33.02 }, [VAT]],
    ['FR-TOT-3', 'one line, one cent', { [`${NESTED}/1/amount`]: 1.29 }, []],
    ['FR-TOT-3', 'one line, two cents', { [`${NESTED}/1/amount`]: 1.3 }, [`${NESTED}/1/amount`]],
    ['FR-TOT-3', 'two lines and a discount, three cents', { [VAT]: 32.96, ...LESS }, []],
    ['FR-TOT-3', 'two lines and a discount, four cents', { [VAT]: 32.95, ...LESS }, [VAT]],
    ['FR-TOT-3', 'lines that do not say their rate, one cent', { [VAT]: 32.98, ...NO_RATES }, []],
    ['FR-TOT-3', 'lines that do not say their rate, two cents', { [VAT]: 32.97, ...NO_RATES }, [VAT]],
    ['FR-TOT-3', 'no amount', { [VAT]: null }, []],
    ['FR-TOT-3', 'no base', { [VAT]: 1, [BASE]: null }, []],
    ['FR-TOT-3', 'no rate', { [VAT]: 1, [`${NESTED}/0/percent`]: null }, []],
    ['FR-TOT-3b', 'right', {}, []],
    ['FR-TOT-3b', 'two lines, a cent more', { [VAT]: 33 }, [VAT]],
    ['FR-TOT-3b', 'two lines, two cents', { [VAT]: 32.97 }, [VAT]],
    ['FR-TOT-3b', 'two lines, three cents: told as an error', { [VAT]: 32.96 }, []],
    ['FR-TOT-3b', 'half a cent, rounded away from 0', { [BASE]: 0.1, [`${NESTED}/0/percent`]: 5, [VAT]: 0.01 }, []],
    [
      'FR-TOT-3b',
      'minus half a cent, away from 0',
      { [BASE]: -6491.34, [`${NESTED}/0/percent`]: 25, [VAT]: -1622.84 },
      [],
    ],
    [
      'FR-TOT-3b',
      'minus half a cent, upwards',
      { [BASE]: -6491.34, [`${NESTED}/0/percent`]: 25, [VAT]: -1622.83 },
      [VAT],
    ],
    ['FR-TOT-4', 'a cent less', { [TAX_SUM]: 34.26 }, [TAX_SUM]],
    ['FR-TOT-4', 'no sum', { [TAX_SUM]: null }, []],
    ['FR-TOT-4', 'no rates', { [NESTED]: [] }, []],
    ['FR-TOT-4', 'a rate without amount', { [TAX_SUM]: 1, [VAT]: null }, []],
    ['FR-TOT-4', 'two of them', { [TAX_SUM]: 1, ...SECOND_TAX }, []],
    ['FR-TOT-5', 'a cent more', { [BASE]: 164.98 }, []],
    ['FR-TOT-5', 'a cent less', { [BASE]: 164.96 }, []],
    ['FR-TOT-5', 'two cents more', { [BASE]: 164.99 }, [NESTED]],
    ['FR-TOT-5', 'two cents less', { [BASE]: 164.95 }, [NESTED]],
    ['FR-TOT-5', 'a rate without base', { [BASE]: null }, []],
    ['FR-TOT-5', 'no rates', { [NESTED]: [] }, []],
    ['FR-TOT-5', 'no net amount', { [NET_SUM]: null }, []],
    ['FR-TOT-5', 'a discount', { [BASE]: 154.97, ...LESS }, []],
    ['FR-TOT-5', 'a discount that is not in it', LESS, [NESTED]],
    ['FR-TOT-5', 'a charge', { [BASE]: 174.97, ...MORE }, []],
    ['FR-TOT-5', 'a discount that does not say when', { [BASE]: 154.97, ...UNSAID }, []],
    ['FR-TOT-5', 'such a discount that is not in it', UNSAID, [NESTED]],
    ['FR-TOT-5', 'a deposit after taxes', AFTER, []],
    ['FR-TOT-6', 'a cent less', { [FINAL]: 222.58 }, [FINAL]],
    ['FR-TOT-6', 'a discount', { [FINAL]: 212.59, ...LESS }, []],
    ['FR-TOT-6', 'a charge', { [FINAL]: 232.59, ...MORE }, []],
    [
      'FR-TOT-6',
      'a discount and a charge',
      { [FINAL]: 222.59, ...LESS, '/totals/subtotals/3': MORE['/totals/subtotals/2'] },
      [],
    ],
    ['FR-TOT-6', 'a discount that does not say when', { [FINAL]: 212.59, ...UNSAID }, []],
    ['FR-TOT-6', 'such a discount that is not in it', UNSAID, [FINAL]],
    ['FR-TOT-6', 'a deposit after taxes, which it leaves out', AFTER, []],
    ['FR-TOT-6', 'a deposit after taxes, which it takes off', { [FINAL]: 212.59, ...AFTER }, []],
    ['FR-TOT-6', 'a deposit after taxes, a cent less', { [FINAL]: 222.58, ...AFTER }, [FINAL]],
    ['FR-TOT-6', 'a deposit after taxes, added', { [FINAL]: 232.59, ...AFTER }, [FINAL]],
    [
      'FR-TOT-6',
      'a deposit without amount',
      { ...alteration('deposit', { 'before-taxes': false, amount: undefined }) },
      [],
    ],
    ['FR-TOT-6', 'two deposits, one of which is taken off', { [FINAL]: 212.59, ...AFTER, ...AFTER_TOO }, [FINAL]],
    ['FR-TOT-6', 'two deposits, both taken off', { [FINAL]: 202.59, ...AFTER, ...AFTER_TOO }, []],
    ['FR-TOT-6', 'a discount without amount', { [FINAL]: 1, ...alteration('discount', { amount: undefined }) }, []],
    ['FR-TOT-6', 'no net amount', { [NET_SUM]: null }, []],
    ['FR-TOT-6', 'no tax', { [TAX_SUM]: null }, []],
    ['FR-TOT-6', 'no final amount', { [FINAL]: null }, []],
    ['FR-TOT-6b', 'no totals', { '/totals': null }, [FINAL]],
    ['FR-TOT-6b', 'a final amount of 0', { [FINAL]: 0 }, []],
    ['FR-TOT-8', 'a credit note of a cent below 0', { [FINAL]: -0.01 }, [FINAL], CREDIT],
    ['FR-TOT-8', 'a credit note of 0', { [FINAL]: 0 }, [], CREDIT],
    ['FR-TOT-8', 'a credit note without amount', { [FINAL]: null }, [], CREDIT],
    ['FR-TOT-8', 'an invoice below 0', { [FINAL]: -1 }, []],
    ['FR-TOT-8', 'a corrective below 0', { [FINAL]: -1 }, [], { class: 'corrective' }],
  ]);

  const EVERY = '/totals/subtotals';
  const nested = (subtotals: readonly object[], more: object = {}) => alteration('discount', { subtotals, ...more });

  table([
    ['FR-TOT-14', 'no net amount', { '/totals/subtotals/0': null }, [EVERY]],
    ['FR-TOT-14', 'two of them', SECOND_NET, [EVERY]],
    ['FR-TOT-14', 'no totals', { '/totals': null }, [EVERY]],
    ['FR-TOT-14', 'an amount of 0', { [NET_SUM]: 0 }, []],
    ['FR-TOT-15', 'no tax', { '/totals/subtotals/1': null }, [EVERY]],
    ['FR-TOT-15', 'two of them', SECOND_TAX, [EVERY]],
    ['FR-TOT-15', 'an amount of 0', { [TAX_SUM]: 0 }, []],
    ['FR-TOT-16', 'neither', { [BASE]: null, [VAT]: null }, [BASE, VAT]],
    ['FR-TOT-16', 'amounts of 0', { [BASE]: 0, [VAT]: 0 }, []],
    [
      'FR-TOT-16',
      'in the second of two taxes',
      { '/totals/subtotals/2': { type: 'tax', amount: 1, subtotals: [{ percent: 20, amount: 1 }] } },
      ['/totals/subtotals/2/subtotals/0/taxable-amount'],
    ],
    ['FR-TOT-16', 'the rate of a discount', LESS, []],
    [
      'FR-TOT-17',
      'a deposit',
      { ...alteration('deposit', { 'before-taxes': false, amount: undefined }) },
      [`${EVERY}/2/amount`],
    ],
    ['FR-TOT-17', 'a subtotal that says nothing', { '/totals/subtotals/2': {} }, [`${EVERY}/2/amount`]],
    ['FR-TOT-18', 'a discount', LESS, []],
    ['FR-TOT-18', 'no rate', nested([]), [`${EVERY}/2/subtotals`]],
    ['FR-TOT-18', 'no rate, of 0', nested([], { amount: 0 }), []],
    ['FR-TOT-18', 'no rate, shared to the cent', { ...nested([]), [BASE]: 156.21, [BASE_2]: 22.11 }, []],
    ['FR-TOT-18', 'a cent more to the other rate', { ...nested([]), [BASE]: 156.2, [BASE_2]: 22.12 }, []],
    ['FR-TOT-18', 'two cents more', { ...nested([]), [BASE]: 156.19, [BASE_2]: 22.13 }, [`${EVERY}/2/subtotals`]],
    ['FR-TOT-18', 'a cent less in all', { ...nested([]), [BASE]: 156.2, [BASE_2]: 22.11 }, [`${EVERY}/2/subtotals`]],
    ['FR-TOT-18', 'a rate by name alone', alteration('charge', { subtotals: ['vat 20'] }), [`${EVERY}/2/subtotals`]],
    ['FR-TOT-18', 'after taxes', nested([], { 'before-taxes': false }), []],
    ['FR-TOT-18', 'not said when', nested([], { 'before-taxes': undefined }), [`${EVERY}/2/subtotals`]],
    ['FR-VAT-7', 'one tax of another type', { '/lines/0/taxes': [{ type: 'TVA', percent: 20 }] }, []],
    ['FR-VAT-7', 'an eco-tax first', { '/lines/0/taxes': [{ type: 'eco' }, { percent: 20 }] }, []],
    ['FR-VAT-7', 'two eco-taxes', { '/lines/0/taxes': [{ type: 'eco' }, { type: 'VAT' }, { type: 'ecotax' }] }, []],
    ['FR-VAT-7', 'none is VAT', { '/lines/0/taxes': [{ type: 'eco' }, { type: 'ecotax' }] }, ['/lines/0/taxes']],
    ['FR-VAT-7', 'two without type', { '/lines/0/taxes': [{ percent: 20 }, { percent: 20 }] }, ['/lines/0/taxes']],
    ['FR-VAT-7', 'no tax', NO_RATES, []],
    ['FR-VAT-7', 'two rates of a discount', nested([{ percent: 20 }, { percent: 10 }]), [`${EVERY}/2/subtotals`]],
    [
      'FR-VAT-7',
      'an eco-tax of a discount',
      nested([
        { class: 'vat', percent: 20 },
        { class: 'eco', percent: 1 },
      ]),
      [],
    ],
    ['FR-VAT-7', 'two taxes after taxes', nested([{ percent: 20 }, { percent: 10 }], { 'before-taxes': false }), []],
    ...(
      [
        [{ type: 'gtin', value: '1' }, undefined],
        [{ type: 'commodity', value: '1', tag: 'STI' }, undefined],
        [{ type: 'commodity', value: '1' }, 'tag'],
      ] as const
    ).map(
      ([identifier, field]): Row => [
        'FR-LIN-8',
        JSON.stringify(identifier),
        { '/lines/1/additional-identifiers': [{ type: 'buyer-article', value: '1' }, identifier] },
        field ? [`/lines/1/additional-identifiers/1/${field}`] : [],
      ],
    ),
    ['FR-LIN-9', 'another key', { '/lines/1/additional-info': [{ key: 'Teinte', value: 'XX' }] }, []],
    ['FR-LIN-10', 'no key', { '/lines/1/additional-info': [{ value: 'rouge' }] }, ['/lines/1/additional-info/0/key']],
    ['FR-LIN-10', 'neither', { '/lines/1/additional-info': [{}] }, []],
    ['FR-VAT-9', 'of a line', rateOf(0, { type: 'vat', percent: 20 }), ['/lines/0/taxes/0/subtype']],
    ['FR-VAT-9', 'of an eco-tax', ECO, []],
    ['FR-VAT-9', 'of a discount', nested([{ class: 'vat', percent: 20 }]), [`${EVERY}/2/subtotals/0/subtype`]],
    ['FR-VAT-9', 'of a discount after taxes', AFTER, []],
    ['FR-VAT-9', 'of an entry per rate', { [`${NESTED}/1/subtype`]: null }, [`${NESTED}/1/subtype`]],
    [
      'FR-VAT-9',
      'of an entry for a discount',
      { [`${NESTED}/2`]: { type: 'tax', class: 'vat', 'taxable-amount': -5, amount: 0 } },
      [`${NESTED}/2/subtype`],
    ],
    ['FR-VAT-8', 'neither treatment nor rate', rateOf(0, { type: 'vat' }), ['/lines/0/taxes/0/percent']],
    ['FR-VAT-8', 'standard without rate', rateOf(0, { subtype: 'S' }), ['/lines/0/taxes/0/percent']],
    ['FR-VAT-8', 'exempt without rate', rateOf(0, { subtype: 'exempt' }), []],
    ['FR-VAT-8', 'a rate without treatment', rateOf(0, { percent: 0 }), []],
    ['FR-VAT-8', 'an eco-tax without rate', ECO, []],
    ['FR-VAT-8', 'of a discount', nested([{ class: 'vat' }]), [`${EVERY}/2/subtotals/0/percent`]],
    ['FR-VAT-8', 'outside of VAT', { [`${NESTED}/0/percent`]: null, [`${NESTED}/0/subtype`]: 'O' }, []],
    [
      'FR-TOT-3',
      'outside of VAT without rate, with VAT',
      { [`${NESTED}/0/percent`]: null, [`${NESTED}/0/subtype`]: 'O' },
      [VAT],
    ],
    ...['discounts', 'charges'].flatMap((kind): Row[] => [
      ['FR-LIN-7', `${kind}: an amount of 0`, { [`/lines/1/${kind}`]: [{ amount: 0 }] }, []],
      [
        'FR-LIN-7',
        `${kind}: a percentage`,
        { [`/lines/1/${kind}`]: [{ amount: 1 }, { percent: 5 }] },
        [`/lines/1/${kind}/1/amount`],
      ],
    ]),
  ]);

  const at = (index: number, name: string) => `/totals/subtotals/${index}/${name}`;

  table([
    ['FR-TOT-7', 'no net amount', { '/totals/subtotals/0': null }, ['/totals/subtotals']],
    ['FR-TOT-7', 'no tax', { '/totals/subtotals/1': null }, ['/totals/subtotals']],
    ['FR-TOT-7', 'neither', { '/totals/subtotals': [] }, ['/totals/subtotals', '/totals/subtotals']],
    ['FR-TOT-7', 'two net amounts', SECOND_NET, ['/totals/subtotals']],
    ['FR-TOT-7', 'two taxes', SECOND_TAX, ['/totals/subtotals']],
    ['FR-TOT-7', 'a discount beside them', LESS, []],
    ['FR-TOT-7', 'the tax before taxes', { [at(1, 'before-taxes')]: true }, [at(1, 'before-taxes')]],
    ['FR-TOT-7', 'nothing about before', { [at(0, 'before-taxes')]: null, [at(1, 'before-taxes')]: null }, []],
    ['FR-TOT-7', 'a negative net amount', { [at(0, 'sign')]: 'negative' }, [at(0, 'sign')]],
    ['FR-TOT-7', 'a negative tax', { [at(1, 'sign')]: 'negative' }, [at(1, 'sign')]],
    ['FR-TOT-7', 'no signs', { [at(0, 'sign')]: null, [at(1, 'sign')]: null }, []],
    ['FR-TOT-7', 'rates by name alone', { [NESTED]: ['vat 20'] }, ['/totals/subtotals/1']],
    ['FR-TOT-7', 'no rates', { [NESTED]: [] }, ['/totals/subtotals/1']],
    [
      'FR-TOT-7',
      'a rate twice',
      { [`${NESTED}/2`]: { subtype: 'standard', percent: exact('20.0') } },
      [`${NESTED}/2/percent`],
    ],
    ['FR-TOT-7', 'a rate under two treatments', { [`${NESTED}/2`]: { subtype: 'other', percent: 20 } }, []],
    [
      'FR-TOT-7b',
      'nothing said about 0 percent is not standard',
      { ...rateOf(2, { percent: 0 }), [`${NESTED}/1`]: { subtype: 'standard', percent: 0 } },
      [NESTED],
    ],
    ['FR-TOT-7b', 'of a discount', { ...alteration('discount', { subtotals: [{ percent: 10 }] }) }, [NESTED]],
    ['FR-TOT-7b', 'no subtotal of taxes', { '/totals/subtotals/1': null }, ['/totals/subtotals', '/totals/subtotals']],
    ['FR-TOT-7b', 'two subtotals of taxes', { [NESTED]: [], ...SECOND_TAX }, []],
    ['FR-TOT-7b', 'a line without rate', { [NESTED]: [], ...NO_RATES }, []],
    ['FR-TOT-7b', 'more entries than rates', { [`${NESTED}/2`]: { subtype: 'standard', percent: 10 } }, []],
  ]);
});

/** Amounts that are told have two decimals, as people write them. */
test.each<[id: string, set: Row[2], said: string]>([
  ['FR-LIN-4', { '/lines/0/net-amount': 1 }, 'plus charges, 105.00'],
  ['FR-TOT-1', { '/lines/0/net-amount': 105.08 }, 'of the lines add up to 188.40'],
  ['FR-TOT-2', { '/lines/0/net-amount': 105.03 }, 'at this rate add up to 165.00'],
  ['FR-TOT-3', { [`${NESTED}/0/taxable-amount`]: 175 }, 'is 35.00; the difference is more'],
  [
    'FR-TOT-3b',
    { [`${NESTED}/0/amount`]: 33.01, [`${NESTED}/0/taxable-amount`]: 165 },
    'is 33.00; the difference is due',
  ],
  ['FR-TOT-4', { [`${NESTED}/0/amount`]: 33.02 }, 'of all rates adds up to 34.30'],
  ['FR-TOT-5', { [`${NESTED}/0/taxable-amount`]: 165.05 }, 'add up to 188.40, but the net amount is 188.32'],
  ['FR-TOT-5', { '/totals/subtotals/0/amount': 188.4 }, 'add up to 188.32, but the net amount is 188.40'],
  ['FR-TOT-6', { '/totals/subtotals/0/amount': 188.33 }, 'VAT add up to 222.60'],
  ['FR-TOT-7', { '/totals/subtotals/0': null }, 'lines-net-amount × 1'],
  ['FR-TOT-7', { '/totals/subtotals/1': null }, 'tax × 1'],
  ['FR-TOT-7', { '/totals/subtotals/0/before-taxes': false }, 'lines-net-amount true'],
  ['FR-TOT-7', { '/totals/subtotals/1/sign': 'negative' }, 'tax positive'],
  ['FR-TOT-7', { [NESTED]: [] }, 'tax subtotals'],
  ['FR-TOT-7', { [`${NESTED}/2`]: { subtype: 'standard', percent: 20 } }, ': 20'],
  ['FR-TOT-7', { [`${NESTED}/2`]: { subtype: 'O' }, [`${NESTED}/3`]: { subtype: 'O' } }, ': -'],
  ['FR-TOT-7b', { '/lines/2/taxes/0/percent': 10 }, 'the rate standard 10, but'],
  ['FR-VAT-1', { '/lines/2/taxes/0/percent': 19 }, 'accepted are 0, 0.9, 1.05, 1.75, 2.1,'],
  ['FR-VAT-2b', { '/lines/2/taxes/0/percent': 0.055 }, 'a fraction; did you mean 5.5 percent'],
  ['FR-VAT-4', { [`${NESTED}/2`]: { subtype: 'E', percent: 0 } }, 'reason.identifier is missing'],
  ['FR-LIN-1b', { '/lines/2/unit': null }, 'has no unit'],
])('%s says %o: %s', (id, set, said) => {
  const [fault] = saidBy(id, { set });
  expect(`${fault?.message}\n`).toMatch(new RegExp(`${said}(?![0-9])`));
});

describe('e-reports', () => {
  const [IDENTIFIER, END] = ['/document/identifier', '/document/period/end-date'];
  const START = '/document/period/start-date';
  const PAYMENTS = '/operations/consumer/payments';
  const AMOUNT = `${PAYMENTS}/1/amount`;
  const OF_BUSINESS = { type: 'payment', date: '2026-10-05T10:00:00Z', amount: 1, currency: 'EUR', percent: 20 };
  const INVOICE = { type: 'invoice', identifier: 'F1', date: '2026-09-28' };
  const international = (...payments: readonly object[]) => ({ '/operations/international': { payments } });
  const REFERENCES = ['/operations/international/payments/0/references'];
  const RATES = [0, 0.9, 1.05, 1.75, 2.1, 5.5, 7, 8.5, 9.2, 9.6, 10, 13, 19.6, 20, 20.6];
  const role = (value: string) => ({
    'additional-types': [
      { type: 'other', value: 'x' },
      { type: 'role', value },
    ],
  });
  const NO_ROLE = { '/issuer/additional-types': null };

  table([
    ['FR-REP-1b', 'no number', { [IDENTIFIER]: null }, [IDENTIFIER]],
    ['FR-REP-1b', 'an empty number', { [IDENTIFIER]: '' }, [IDENTIFIER]],
    ['FR-REP-1b', 'blanks alone, which is another rule', { [IDENTIFIER]: ' ' }, []],
    ['FR-REP-2d', 'no country', { '/issuer/address': null }, []],
    [
      'FR-REP-2d',
      'Greece as its VAT numbers have it',
      { '/issuer/address/country': 'EL' },
      ['/issuer/address/country'],
    ],
    ['FR-REP-1', '50 characters', { [IDENTIFIER]: 'E'.repeat(50) }, []],
    ['FR-REP-1', '51 characters', { [IDENTIFIER]: 'E'.repeat(51) }, [IDENTIFIER]],
    ['FR-REP-1', 'every character that is allowed', { [IDENTIFIER]: 'AZ az 09 -+_/' }, []],
    ['FR-REP-1', 'a blank in front', { [IDENTIFIER]: ' E1' }, [IDENTIFIER]],
    ['FR-REP-1', 'a blank behind', { [IDENTIFIER]: 'E1 ' }, [IDENTIFIER]],
    ['FR-REP-1', 'two blanks in a row', { [IDENTIFIER]: 'E  1' }, [IDENTIFIER]],
    ['FR-REP-1', 'nothing, told as missing', { [IDENTIFIER]: '' }, []],
    ['FR-REP-1', 'blanks alone', { [IDENTIFIER]: ' ' }, [IDENTIFIER]],
    ['FR-REP-1', 'a full stop', { [IDENTIFIER]: 'E.1' }, [IDENTIFIER]],
    ['FR-REP-2', 'no type', { '/issuer/identifier-type': null }, ['/issuer/identifier-type']],
    ['FR-REP-2', 'another type', { '/issuer/identifier-type': 'siret' }, ['/issuer/identifier-type']],
    ['FR-REP-2', 'no identifier', { '/issuer/identifier': null }, ['/issuer/identifier']],
    ['FR-REP-2', 'eight digits', { '/issuer/identifier': '73282932' }, ['/issuer/identifier']],
    ['FR-REP-2', 'ten digits', { '/issuer/identifier': '7328293200' }, ['/issuer/identifier']],
    ['FR-REP-2', 'a letter in front', { '/issuer/identifier': 'S732829320' }, ['/issuer/identifier']],
    ['FR-REP-2c', 'of another type', { '/issuer/identifier': '1', '/issuer/identifier-type': 'siret' }, []],
    ['FR-REP-2c', 'no identifier', { '/issuer/identifier': null }, []],
    ...['SE', 'BY'].flatMap((value): Row[] => [
      ['FR-REP-2b', `${value} as type`, { ...NO_ROLE, '/issuer/type': value }, []],
      [
        'FR-REP-2b',
        `${value} in the head`,
        { ...NO_ROLE, '/document/additional-types': role(value)['additional-types'] },
        [],
      ],
      ['FR-REP-2b', `${value} among others`, { '/issuer/additional-types': role(value)['additional-types'] }, []],
    ]),
    [
      'FR-REP-2b',
      'another role',
      { '/issuer/additional-types': role('XX')['additional-types'] },
      ['/issuer/additional-types'],
    ],
    ['FR-WIRE-3', 'the same second', { [END]: '2026-10-01T00:00:00' }, [END]],
    ['FR-WIRE-3', 'one second', { [END]: '2026-10-01T00:00:01' }, []],
    ['FR-WIRE-3', 'no start', { [START]: null }, []],
    ['FR-WIRE-3', 'no end', { [END]: null }, []],
    ['FR-REP-3', 'to the end of the day', { [END]: '2026-10-01T23:59:59' }, [END]],
    ['FR-REP-3', 'to the next day', { [END]: '2026-10-02T00:00:00' }, []],
    ['FR-REP-3', 'to the day before', { [END]: '2026-09-30T00:00:00' }, [END]],
    ['FR-REP-3', 'no start', { [START]: null }, [START]],
    ['FR-REP-3', 'no end', { [END]: null }, [END]],
    ['FR-REP-4', 'no operations', { '/operations': null }, ['/operations']],
    ['FR-REP-4', 'of businesses alone', { [PAYMENTS]: [], ...international(OF_BUSINESS) }, []],
    ['FR-REP-5', 'a cent below 0', { [AMOUNT]: -0.01 }, [AMOUNT]],
    [
      'FR-REP-5',
      'of a business',
      international(OF_BUSINESS, { ...OF_BUSINESS, amount: -1 }),
      ['/operations/international/payments/1/amount'],
    ],
    ['FR-REP-5', 'no amount', { [AMOUNT]: null }, []],
    ['FR-REP-5b', '6 decimals and a zero', { [AMOUNT]: exact('1.1234560') }, []],
    ['FR-REP-5b', '7 decimals', { [AMOUNT]: exact('1.1234567') }, [AMOUNT]],
    ['FR-REP-5b', '19 digits', { [AMOUNT]: exact('1234567890123.456789') }, []],
    ['FR-REP-5b', '20 digits', { [AMOUNT]: exact('12345678901234.567891') }, [AMOUNT]],
    ['FR-REP-5b', '20 digits before the point', { [AMOUNT]: exact('12345678901234567890') }, [AMOUNT]],
    [
      'FR-REP-5c',
      'of a business',
      international({ ...OF_BUSINESS, amount: undefined }),
      ['/operations/international/payments/0/amount'],
    ],
    ['FR-REP-5c', 'an amount of 0', { [AMOUNT]: 0 }, []],
    ['FR-REP-6', 'no currency', { [`${PAYMENTS}/1/currency`]: null }, [`${PAYMENTS}/1/currency`]],
    ['FR-REP-6', 'small letters', { [`${PAYMENTS}/1/currency`]: 'eur' }, [`${PAYMENTS}/1/currency`]],
    ...RATES.map((percent): Row => ['FR-REP-6b', `${percent} %`, { [`${PAYMENTS}/1/percent`]: percent }, []]),
    ['FR-REP-6b', '19 %', { [`${PAYMENTS}/1/percent`]: 19 }, [`${PAYMENTS}/1/percent`]],
    ['FR-REP-6b', 'no rate', { [`${PAYMENTS}/1/percent`]: null }, [`${PAYMENTS}/1/percent`]],
    ...(
      [
        ['F 2026/44', true],
        ['F'.repeat(35), true],
        ['F'.repeat(36), false],
        ['É44', false],
        ['F  44', false],
      ] as const
    ).map(
      ([identifier, isRight]): Row => [
        'FR-REP-7c',
        identifier,
        international({ references: [{ identifier, date: '2026-09-28' }] }),
        isRight ? [] : ['/operations/international/payments/0/references/0/identifier'],
      ],
    ),
    ['FR-REP-7', 'no references', international(OF_BUSINESS), REFERENCES],
    [
      'FR-REP-7',
      'no number',
      international({ ...OF_BUSINESS, references: [{ ...INVOICE, identifier: ' ' }] }),
      REFERENCES,
    ],
    [
      'FR-REP-7',
      'number and date in two references',
      international({ ...OF_BUSINESS, references: [{ identifier: 'F1' }, { date: '2026-09-28' }] }),
      REFERENCES,
    ],
    [
      'FR-REP-7',
      'the second is whole',
      international({ ...OF_BUSINESS, references: [{ identifier: 'F1' }, INVOICE] }),
      [],
    ],
    ['FR-REP-7b', 'an empty list', { [`${PAYMENTS}/1/references`]: [] }, []],
    ['FR-REP-7b', 'of a business', international({ ...OF_BUSINESS, references: [INVOICE] }), []],
    ['FR-REP-8c', 'today', { [`${PAYMENTS}/1/date`]: '2026-11-20T23:59:59Z' }, [], { today: '2026-11-20' }],
    [
      'FR-REP-8c',
      'tomorrow',
      { [`${PAYMENTS}/1/date`]: '2026-11-21T00:00:00Z' },
      [`${PAYMENTS}/1/date`],
      { today: '2026-11-20' },
    ],
    ['FR-REP-8c', 'no date', { [`${PAYMENTS}/1/date`]: null }, []],
    ['FR-REP-8', 'on the first day', { [`${PAYMENTS}/1/date`]: '2026-10-01T00:00:00Z' }, []],
    ['FR-REP-8', 'the day before', { [`${PAYMENTS}/1/date`]: '2026-09-30T12:00:00Z' }, [`${PAYMENTS}/1/date`]],
    ['FR-REP-8', 'the day after', { [`${PAYMENTS}/1/date`]: '2026-11-01T00:00:00Z' }, [`${PAYMENTS}/1/date`]],
    ['FR-REP-8', 'no date', { [`${PAYMENTS}/1/date`]: null }, []],
    ['FR-REP-8', 'no start', { [START]: null, [`${PAYMENTS}/1/date`]: '2026-09-30T12:00:00Z' }, []],
    ['FR-REP-8', 'no end', { [END]: null, [`${PAYMENTS}/1/date`]: '2026-11-30T12:00:00Z' }, []],
  ]);
});

const paid = (...amounts: readonly (number | undefined)[]) => [{ terms: amounts.map((amount) => ({ amount })) }];
/** Agreements, each with its amount and those of its terms. */
function parts(...all: readonly (readonly [number, readonly number[]])[]) {
  return { '/agreements': all.map(([amount, terms]) => ({ amount, terms: terms.map((one) => ({ amount: one })) })) };
}

const instalments = (...amounts: readonly (number | undefined)[]) => ({ '/agreements': paid(...amounts) });
const shares = (...terms: readonly (readonly [percent: number | undefined, amount: number])[]) => ({
  '/agreements': [{ type: 'payment', terms: terms.map(([percent, amount]) => ({ percent, amount })) }],
});
/** The totals of the model at 0.95. */
const converted = (set: object) => ({
  ...{ currency: 'CHF', 'final-amount': 211.46, ...set },
  subtotals: [
    { type: 'lines-net-amount', amount: 178.9 },
    {
      ...{ type: 'tax', amount: 32.56 },
      subtotals: [{ subtype: 'standard', percent: 20, 'taxable-amount': 156.72, amount: 31.34 }],
    },
  ],
});

describe('totals that are stated', () => {
  const INFO = '/totals/additional-info';
  const stated = (...amounts: readonly (readonly [key: string, value: string])[]) => ({
    [INFO]: amounts.map(([key, value]) => ({ key, value })),
  });
  const PAYABLE = ['payable-amount', '222.59'] as const;
  const altered = (sign: string, amount: number, more: object = {}) => ({
    ...{ type: sign === 'negative' ? 'discount' : 'charge', 'before-taxes': true, sign, amount, ...more },
  });
  const FIRST = `${INFO}/0/value`;
  const agreed = (...amounts: readonly number[]) => ({
    '/agreements': amounts.map((amount) => ({ type: 'payment', amount })),
  });

  table([
    ['FR-TOT-9', 'the net amount', stated(['tax-exclusive-amount', '188.32']), []],
    ['FR-TOT-9', 'a cent more', stated(['tax-exclusive-amount', '188.33']), [FIRST]],
    ['FR-TOT-9', 'a zero at the end', stated(['tax-exclusive-amount', '188.320']), []],
    ['FR-TOT-9', 'no number: told elsewhere', stated(['tax-exclusive-amount', '188,32']), []],
    ['FR-TOT-9', 'another key', stated(['net', '1']), []],
    [
      'FR-TOT-9',
      'less a discount',
      { '/totals/subtotals/2': altered('negative', 8.32), ...stated(['tax-exclusive-amount', '180']) },
      [],
    ],
    [
      'FR-TOT-9',
      'a discount left out',
      { '/totals/subtotals/2': altered('negative', 8.32), ...stated(['tax-exclusive-amount', '188.32']) },
      [FIRST],
    ],
    ['FR-TOT-9', 'no net amount', { '/totals/subtotals/0': null, ...stated(['tax-exclusive-amount', '1']) }, []],
    [
      'FR-TOT-9b',
      'a sum of discounts',
      { '/totals/subtotals/2': altered('negative', 5), ...stated(['discounts-amount', '5'], ['charges-amount', '0']) },
      [],
    ],
    [
      'FR-TOT-9b',
      'a sum of charges',
      { '/totals/subtotals/2': altered('positive', 5), ...stated(['discounts-amount', '5'], ['charges-amount', '0']) },
      [FIRST, `${INFO}/1/value`],
    ],
    [
      'FR-TOT-9b',
      'an amount that is not there',
      { '/totals/subtotals/2': { ...altered('positive', 5), amount: undefined }, ...stated(['charges-amount', '1']) },
      [],
    ],
    ['FR-TOT-10', 'nothing paid before', stated(PAYABLE), []],
    ['FR-TOT-10', 'a cent less', stated(['payable-amount', '222.58']), [FIRST]],
    ['FR-TOT-10', 'an advance', stated(['payable-amount', '22.59'], ['prepaid-amount', '200']), []],
    ['FR-TOT-10', 'an advance left out', stated(['payable-amount', '222.59'], ['prepaid-amount', '200']), [FIRST]],
    ['FR-TOT-10', 'rounded', stated(['payable-amount', '222.60'], ['rounding-amount', '0.01']), []],
    ['FR-TOT-10', 'rounded the wrong way', stated(['payable-amount', '222.58'], ['rounding-amount', '0.01']), [FIRST]],
    ['FR-TOT-10', 'an advance that is no number', stated(['payable-amount', '1'], ['prepaid-amount', 'x']), []],
    ...['tax-exclusive-amount', 'prepaid-amount', 'rounding-amount'].flatMap((key): Row[] => [
      ['FR-TOT-10b', `${key} alone`, stated([key, '0']), [INFO]],
      ['FR-TOT-10b', `${key} and the amount to pay`, stated([key, '0'], PAYABLE), []],
      ['FR-TOT-10b', `a blank ${key}`, stated([key, ' ']), []],
    ]),
    ['FR-TOT-10b', 'a sum of discounts alone', stated(['discounts-amount', '0']), []],
    ...[
      'tax-exclusive-amount',
      'discounts-amount',
      'charges-amount',
      'prepaid-amount',
      'rounding-amount',
      'payable-amount',
    ].flatMap((key): Row[] => [
      ['FR-TOT-11', `${key} with two decimals`, stated([key, '-10.25']), []],
      ['FR-TOT-11', `${key} with three decimals`, stated([key, '10.255']), [FIRST]],
      ['FR-TOT-11', `${key} of 20 digits`, stated([key, '123456789012345678.25']), [FIRST]],
      ...['10,25', '1 000.00', 'EUR 10', '1e3'].map(
        (value): Row => ['FR-TOT-11', `${key} ${value}`, stated([key, value]), [FIRST]],
      ),
    ]),
    ['FR-TOT-11', 'another key', stated(['note', '10,25']), []],
    ['FR-TOT-12', 'what is to be paid', agreed(222.59), []],
    ['FR-TOT-12', 'a cent less', agreed(222.58), ['/agreements/0/amount']],
    ['FR-TOT-12', 'two halves', agreed(111.29, 111.3), []],
    ['FR-TOT-12', 'two halves, a cent less', agreed(111.29, 111.29), ['/agreements/0/amount']],
    ['FR-TOT-12', 'two ways to pay all of it', agreed(222.59, 222.59), []],
    [
      'FR-TOT-12',
      'an advance left out',
      { ...agreed(222.59), ...stated(['payable-amount', '22.59'], ['prepaid-amount', '200']) },
      ['/agreements/0/amount'],
    ],
    [
      'FR-TOT-12',
      'an advance',
      { ...agreed(22.59), ...stated(['payable-amount', '22.59'], ['prepaid-amount', '200']) },
      [],
    ],
    ['FR-TOT-12', 'another currency', { '/agreements': [{ amount: 1, currency: 'CHF' }] }, []],
    ['FR-TOT-12', 'another kind', { '/agreements': [{ type: 'guarantee', amount: 1 }] }, []],
    ['FR-TOT-12', 'no amount', { '/agreements': [{ type: 'payment' }] }, []],
    ['FR-TOT-3c', 'VAT cut off after the cent', { '/lines/1/taxes/0/amount': 11.98 }, []],
    ['FR-TOT-3c', 'two cents more', { '/lines/1/taxes/0/amount': 12.01 }, ['/lines/1/taxes/0/amount']],
    [
      'FR-TOT-3c',
      'a line that is taken back',
      { '/lines/1/net-amount': -59.97, '/lines/1/taxes/0/amount': -11.99 },
      [],
    ],
    ['FR-TOT-3c', 'an eco-tax', { '/lines/1/taxes/1': { type: 'eco', amount: 5 } }, []],
    [
      'FR-TOT-3c',
      'VAT of an exempt line',
      { '/lines/1/taxes/0': { subtype: 'exempt', amount: 5 } },
      ['/lines/1/taxes/0/amount'],
    ],
    ['FR-TOT-12b', 'one term of all', instalments(222.59), []],
    ['FR-TOT-12b', 'less within ten days, or all of it', instalments(218.14, 222.59), []],
    ['FR-TOT-12b', 'one more than all of it', instalments(222.59, 222.6), ['/agreements/0/terms/1/amount']],
    ['FR-TOT-12b', 'a share, and a rest without an amount', instalments(100, undefined), []],
    ['FR-TOT-12b', 'shares above all of it', instalments(122, 122, undefined), ['/agreements/0/terms/0/amount']],
    ['FR-TOT-12b', 'a cent less', instalments(100, 122.58), ['/agreements/0/terms/0/amount']],
    ['FR-TOT-12b', 'a discount of 2 % alone', shares([2, 4.45]), []],
    ['FR-TOT-12b', 'what a discount of 2 % leaves', shares([2, 218.14]), []],
    ['FR-TOT-12b', 'a first share of 30 %', shares([30, 66.78]), []],
    ['FR-TOT-12b', 'two shares, each of them rounded', shares([50, 111.3], [50, 111.3]), []],
    ['FR-TOT-12b', 'two cents beside its share', shares([30, 66.8]), ['/agreements/0/terms/0/amount']],
    [
      'FR-TOT-12b',
      'a share next to a wrong amount',
      shares([30, 66.78], [undefined, 155.8]),
      ['/agreements/0/terms/0/amount'],
    ],
    ['FR-TOT-12b', 'no share', shares([0, 66.78]), ['/agreements/0/terms/0/amount']],
    ['FR-TOT-12b', 'agreements with a part each', parts([100, [100]], [122.59, [22.59, 100]]), []],
    [
      'FR-TOT-12b',
      'terms that are not the part of their agreement',
      parts([100, [100]], [122.59, [50]]),
      ['/agreements/1/terms/0/amount'],
    ],
    [
      'FR-TOT-12b',
      'terms above the part of their agreement',
      parts([100, [122.59]], [122.59, [100]]),
      ['/agreements/0/terms/0/amount', '/agreements/1/terms/0/amount'],
    ],
    ['FR-TOT-12b', 'two agreements, each of all', parts([222.59, [222.59]], [222.59, [100, 122.59]]), []],
    ['FR-TOT-12b', 'two agreements', { '/agreements': [...paid(100), ...paid(122.59)] }, []],
    ['FR-TOT-12b', 'another currency', { '/agreements': [{ currency: 'CHF', terms: [{ amount: 1 }] }] }, []],
    ['FR-TOT-12b', 'another kind', { '/agreements': [{ type: 'guarantee', terms: [{ amount: 1 }] }] }, []],
    [
      'FR-TOT-12b',
      'the terms of a paid invoice',
      { ...instalments(222.59), ...stated(['payable-amount', '0'], ['prepaid-amount', '222.59']) },
      [],
    ],
    ['FR-TOT-19', 'the taxes alone', { '/alternate-totals': [{ subtotals: [{ type: 'tax', amount: 9 }] }] }, []],
    ['FR-TOT-19', 'a cent for each part', { '/alternate-totals': [converted({ 'final-amount': 211.43 })] }, []],
    [
      'FR-TOT-19',
      'the final amount',
      { '/alternate-totals': [converted({ 'final-amount': 212.46 })] },
      ['/alternate-totals/0/final-amount'],
    ],
    [
      'FR-TOT-19',
      'the same currency',
      { '/alternate-totals': [{ currency: 'EUR', subtotals: [{ type: 'tax', amount: 34.26 }] }] },
      ['/alternate-totals/0/subtotals/0/amount'],
    ],
    ...['taxable-amount', 'amount'].map((name): Row => {
      const at = `/alternate-totals/0/subtotals/1/subtotals/0/${name}`;
      return ['FR-TOT-19', `${name} of a rate`, { '/alternate-totals': [converted({})], [at]: 9999 }, [at]];
    }),
    ['FR-TOT-13', 'a code', { '/totals/subtotals/2': altered('negative', 1, { reason: { identifier: '95' } }) }, []],
    ['FR-TOT-13', 'words', { '/totals/subtotals/2': altered('positive', 1, { reason: { description: 'Port' } }) }, []],
    ['FR-TOT-13', 'neither', { '/totals/subtotals/2': altered('positive', 1) }, ['/totals/subtotals/2/reason']],
    [
      'FR-TOT-13',
      'blanks',
      { '/totals/subtotals/2': altered('negative', 1, { reason: { identifier: ' ', description: '' } }) },
      ['/totals/subtotals/2/reason'],
    ],
    ['FR-TOT-13', 'after taxes', { '/totals/subtotals/2': altered('positive', 1, { 'before-taxes': false }) }, []],
  ]);
});

describe('rates by where the document goes', () => {
  const PERCENT = '/lines/1/taxes/1/percent';
  const TO = '/receiver/address/postal-code';
  const FROM = '/issuer/address/postal-code';
  const rated = (percent: number) => ({ '/lines': [{}, { taxes: [{}, { percent }] }], '/totals/subtotals': [] });
  const deliveredTo = (address: object) => ({ '/logistics': [{ type: 'delivery', address }] });
  const USUAL = {
    '75001': [0, 2.1, 5.5, 10, 20],
    '20090': [0, 0.9, 2.1, 5.5, 10, 13, 20],
    '97110': [0, 1.05, 1.75, 2.1, 8.5],
    '97200': [0, 1.05, 1.75, 2.1, 8.5],
    '97400': [0, 1.05, 1.75, 2.1, 8.5],
  };
  const ALL = [0, 0.9, 1.05, 1.75, 2.1, 5.5, 7, 8.5, 9.2, 9.6, 10, 13, 19.6, 20, 20.6];

  table([
    ...Object.entries(USUAL).flatMap(([code, usual]) =>
      ALL.map(
        (rate): Row => [
          'FR-VAT-2',
          `${rate} to ${code}`,
          { ...rated(rate), [TO]: code },
          usual.includes(rate) ? [] : [PERCENT],
        ],
      ),
    ),
    ['FR-VAT-2', '8.5 from Guadeloupe to the mainland', { ...rated(8.5), [FROM]: '97110' }, []],
    ['FR-VAT-2', '0.9 from Corsica to the mainland', { ...rated(0.9), [FROM]: '20000' }, []],
    ['FR-VAT-2', '13 from Guadeloupe to the mainland', { ...rated(13), [FROM]: '97110' }, [PERCENT]],
    ['FR-VAT-2', '20 from Guadeloupe to Guadeloupe', { ...rated(20), [FROM]: '97110', [TO]: '97120' }, [PERCENT]],
    [
      'FR-VAT-2',
      '20 to Guadeloupe, delivered on the mainland',
      { ...rated(20), [TO]: '97110', ...deliveredTo({ 'postal-code': '69001', country: 'FR' }) },
      [],
    ],
    [
      'FR-VAT-2',
      '20 to the mainland, delivered in Réunion',
      { ...rated(20), ...deliveredTo({ country: 'RE' }) },
      [PERCENT],
    ],
    ['FR-VAT-2', '8.5 to the country code of Martinique', { ...rated(8.5), '/receiver/address/country': 'MQ' }, []],
    ['FR-VAT-2', '8.5 abroad', { ...rated(8.5), '/receiver/address/country': 'DE' }, [PERCENT]],
    ['FR-VAT-2', '8.5 abroad from Réunion', { ...rated(8.5), '/receiver/address/country': 'DE', [FROM]: '97400' }, []],
    ['FR-VAT-2', '20 to Guyane: told elsewhere', { ...rated(20), [TO]: '97300' }, []],
    ['FR-VAT-2', 'no postal codes', { ...rated(8.5), [TO]: null, [FROM]: null }, [PERCENT]],
    ...['97133', '97150', '98800', '97500'].map(
      (code): Row => ['FR-VAT-2', `8.5 to ${code}: told elsewhere`, { ...rated(8.5), [TO]: code }, []],
    ),
    ['FR-VAT-2', '8.5 to Monaco', { ...rated(8.5), [TO]: '98000' }, [PERCENT]],
    ['FR-VAT-2c', '20 to Monaco', { ...rated(20), [TO]: '98000' }, []],
    ['FR-VAT-2c', '8.5 to Basse-Terre, next to Saint-Martin in the list', { ...rated(8.5), [TO]: '97100' }, []],
    ...['97300', '97600', '97133', '97150', '97500', '98600', '98713', '98800'].flatMap((code): Row[] => [
      ['FR-VAT-2c', `20 to ${code}`, { ...rated(20), [TO]: code }, [PERCENT]],
      ['FR-VAT-2c', `0 to ${code}`, { ...rated(0), [TO]: code }, []],
      [
        'FR-VAT-2c',
        `20 to ${code}, delivered on the mainland`,
        { ...rated(20), [TO]: code, ...deliveredTo({ 'postal-code': '69001' }) },
        [],
      ],
    ]),
    ...['GF', 'YT', 'MF', 'BL', 'PM', 'NC', 'PF', 'WF'].map(
      (country): Row => ['FR-VAT-2c', country, { ...rated(8.5), '/receiver/address/country': country }, [PERCENT]],
    ),
    ['FR-VAT-2c', '8.5 to Réunion', { ...rated(8.5), [TO]: '97400' }, []],
    [
      'FR-VAT-2c',
      'in the totals',
      { [TO]: '97300', '/lines': [] },
      ['/totals/subtotals/1/subtotals/0/percent', '/totals/subtotals/1/subtotals/1/percent'],
    ],
  ]);
});

describe('reasons that depend on the document', () => {
  const REASON = '/totals/subtotals/1/subtotals/2';
  const AT = `${REASON}/reason/identifier`;
  const net = (identifier = 'VATEX-FR-CNWVAT') => ({ [REASON]: { subtype: 'E', percent: 0, reason: { identifier } } });
  const typed = (type: string) => ({ ...net(), '/document/document-type': type });
  const only = (...subtypes: readonly string[]) => ({
    '/totals/subtotals/1/subtotals': subtypes.map((subtype, n) => ({
      ...{ type: 'tax', subtype, percent: 0 },
      ...(n === 0 ? { reason: { identifier: 'VATEX-FR-CGI261C-1' } } : {}),
    })),
  });
  const FIRST = '/totals/subtotals/1/subtotals/0/reason/identifier';

  table([
    ...['261', '381', '396'].map((type): Row => ['FR-VAT-6', type, typed(type), [], { class: 'credit-note' }]),
    ...['262', '502', '503'].map((type): Row => ['FR-VAT-6', type, typed(type), [AT], { class: 'credit-note' }]),
    ...['380', '384'].map((type): Row => ['FR-VAT-6', type, typed(type), [AT]]),
    ['FR-VAT-6', 'a credit note without a type', net(), [], { class: 'credit-note' }],
    ['FR-VAT-6', 'a corrective without a type', net(), [AT], { class: 'corrective' }],
    ['FR-VAT-6', 'small letters', net('vatex-fr-cnwvat'), [AT]],
    ['FR-VAT-6', 'another code', net('VATEX-FR-FRANCHISE'), []],
    ['FR-FLOW-2', 'exempt alone', only('exempt'), [FIRST]],
    ['FR-FLOW-2', 'exempt and outside the scope', only('E', 'outside-scope'), [FIRST]],
    ['FR-FLOW-2', 'something taxed', only('E', 'standard'), []],
    ['FR-FLOW-2', 'reverse charge too', only('E', 'AE'), []],
    [
      'FR-FLOW-2',
      'another exemption',
      {
        '/totals/subtotals/1/subtotals': [{ type: 'tax', subtype: 'E', reason: { identifier: 'VATEX-FR-FRANCHISE' } }],
      },
      [],
    ],
  ]);
});

everyFieldIsBroken(/^FR-(?:LIN|VAT|TOT|REP|FLOW-2|WIRE-[23])/);
