import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/model/decimal.ts';
import { runs } from '../seed.ts';

Big.RM = Big.roundHalfUp;
Big.DP = 20;
Big.PE = 1000;
Big.NE = -1000;

/** Usual amounts, halves, values around 2^53 and values far beyond it. */
const digits = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -100_000_000, max: 100_000_000 }).map(String) },
  { weight: 2, arbitrary: fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }).map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String) },
  { weight: 1, arbitrary: fc.integer({ min: -9999, max: 9999 }).map((half) => `${half}5`) },
);
const text = fc.tuple(digits, fc.integer({ min: 0, max: 20 })).map(([units, scale]) => place(units, scale));

function place(units: string, scale: number): string {
  const negative = units.startsWith('-');
  const padded = units.replace('-', '').padStart(scale + 1, '0');
  const value = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  return negative ? `-${value}` : value;
}

function d(value: string): Decimal {
  const parsed = Decimal.parse(value);
  if (!parsed) throw new Error(`not a decimal: ${value}`);
  return parsed;
}

/** As Decimal writes it: plain digits, no zeros at the end, no "-0". */
function plain(value: Big): string {
  const shown = value.toFixed();
  return shown === '-0' ? '0' : shown;
}

describe('agrees with big.js', () => {
  it('plus, minus, times, compare', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [x, y] = [new Big(a), new Big(b)];
        expect(d(a).plus(d(b)).toText()).toBe(plain(x.plus(y)));
        expect(d(a).minus(d(b)).toText()).toBe(plain(x.minus(y)));
        expect(d(a).times(d(b)).toText()).toBe(plain(x.times(y)));
        expect(d(a).compare(d(b))).toBe(x.cmp(y));
        expect(d(a).equals(d(b))).toBe(x.eq(y));
      }),
      { numRuns: runs(1500) },
    );
  });

  it('dividedBy, rounded at the asked place', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 20 }), (a, b, places) => {
        Big.DP = places;
        const quotient = d(a).dividedBy(d(b), places);
        if (d(b).isZero()) expect(quotient).toBeUndefined();
        // big.js rounds its quotient at DP as well, so it is the witness for every number of places.
        else expect(quotient?.toText()).toBe(plain(new Big(a).div(b)));
      }),
      { numRuns: runs(1500) },
    );
    Big.DP = 20;
  });

  it('dividedBy powers of ten, too', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 20 }), (a, power, places) => {
        Big.DP = places;
        const ten = 10 ** power;
        expect(d(a).dividedBy(Decimal.from(ten), places)?.toText()).toBe(plain(new Big(a).div(ten)));
      }),
      { numRuns: runs(500) },
    );
    Big.DP = 20;
  });

  it('round, to tens and hundreds as well', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -6, max: 20 }), (a, places) => {
        const rounded = d(a).round(places);
        expect(rounded.toText()).toBe(plain(new Big(a).round(places)));
        expect(rounded.scale).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: runs(1500) },
    );
  });

  it('toText with a fixed number of decimals', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 25 }), (a, places) => {
        const wanted = new Big(a).round(places).toFixed(places);
        expect(d(a).toText(places)).toBe(/[1-9]/.test(wanted) ? wanted : wanted.replace('-', ''));
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('what it reads and writes', () => {
  it('reads plain decimals and nothing else', () => {
    for (const bad of [
      '',
      '-',
      '+1',
      '1.',
      '.5',
      '1e5',
      '1,5',
      ' 1',
      '1 ',
      '0x1F',
      'NaN',
      'Infinity',
      '١',
      '1\n',
      '1_0',
    ]) {
      expect(Decimal.parse(bad), JSON.stringify(bad)).toBeUndefined();
    }
    expect(Decimal.parse('1'.repeat(101))).toBeUndefined();
    expect(Decimal.parse('007.10')?.toText()).toBe('7.1');
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(text, (a) => {
        const value = d(a);
        expect(d(value.toText()).equals(value)).toBe(true);
        expect(value.shortened(0).equals(value)).toBe(true);
        expect(value.decimals()).toBe((value.toText().split('.')[1] ?? '').length);
        expect(value.isInteger()).toBe(!value.toText().includes('.'));
      }),
      { numRuns: runs(500) },
    );
  });

  it('has no -0', () => {
    const zeros = [
      d('-0'),
      d('-0.00'),
      d('0').negated(),
      d('-1').plus(d('1')),
      d('-0.4').round(0),
      d('0').times(d('-5')),
    ];
    zeros.push(
      d('0').dividedBy(d('-3'))!,
      d('-0.001').round(2),
      d('-0').abs(),
      d('-4').round(-1),
      d('-0').shortened(0),
    );
    for (const zero of zeros) {
      expect(Object.is(zero.units, -0)).toBe(false);
      expect([zero.toText(), zero.isZero(), JSON.stringify(zero)]).toEqual(['0', true, '0']);
    }
  });

  it('takes numbers as literals', () => {
    expect(Decimal.from(0.1).plus(Decimal.from(0.2)).toText()).toBe('0.3');
    expect(() => Decimal.from(1e21)).toThrow(RangeError);
    expect(() => Decimal.from(Number.NaN)).toThrow(RangeError);
  });

  it('shows amounts', () => {
    expect(d('1481.40').toText()).toBe('1481.4');
    expect(d('1481.4').toText(2)).toBe('1481.40');
    expect(d('-0.05').toText(1)).toBe('-0.1');
    expect(d('1250').toText(2)).toBe('1250.00');
    expect(`${d('1.50')}`).toBe('1.5');
  });
});

describe('halves go away from zero', () => {
  it.each([
    ['1.005', 2, '1.01'],
    ['-1622.835', 2, '-1622.84'],
    ['2.345', 2, '2.35'],
    ['-2.345', 2, '-2.35'],
    ['86.415', 2, '86.42'],
    ['-0.5', 0, '-1'],
    ['0.49', 0, '0'],
    ['15', -1, '20'],
    ['-25', -1, '-30'],
    ['9007199254740991.5', 0, '9007199254740992'],
    ['99999999999999999.995', 2, '100000000000000000'],
    ['4', -1, '0'],
    ['5', -3, '0'],
    ['500', -3, '1000'],
  ])('%s at %i is %s', (value, places, rounded) => {
    expect(d(value).round(places).toText()).toBe(rounded);
  });
});

describe('the JSON token', () => {
  it('keeps the digits of 12 + 6, and of anything longer', () => {
    const wide = fc.tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 6 }));
    const any = fc.oneof(
      wide.map(([units, scale]) => place(String(units), scale)),
      text,
    );
    fc.assert(
      fc.property(any, (a) => {
        const value = d(a);
        const json = JSON.stringify({ amount: value });
        const token = json.slice('{"amount":'.length, -1);
        expect(token).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);
        expect(d(token).equals(value)).toBe(true);
        expect(token).toBe(value.toText());
      }),
      { numRuns: runs(1500) },
    );
  });

  it.each(['0.000001', '0.0000001', '-0.00000012', '123456789012.123456', '999999999999999999', '0.1', '22.259'])(
    '%s stays as it is',
    (value) => {
      expect(JSON.stringify([d(value)])).toBe(`[${value}]`);
    },
  );
});

describe('usual amounts stay plain integers', () => {
  it('and do not touch BigInt', () => {
    const cents = fc.tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.integer({ min: 0, max: 4 }));
    const rate = fc.constantFrom('20', '5.5', '2.1', '13');
    fc.assert(
      fc.property(cents, rate, ([units, scale], percent) => {
        const net = Decimal.of(units, scale);
        const tax = net.times(d(percent)).dividedBy(d('100'))!.round(2);
        for (const value of [tax, net.plus(tax), net.minus(tax), tax.negated().abs()]) {
          expect(typeof value.units).toBe('number');
        }
      }),
    );
  });

  it('a result that fits again is an integer again', () => {
    const far = d('9007199254740993');
    expect(typeof far.units).toBe('bigint');
    expect(typeof far.minus(d('9007199254740000')).units).toBe('number');
    expect(typeof d('1').dividedBy(d('3'))!.round(2).units).toBe('number');
  });
});
