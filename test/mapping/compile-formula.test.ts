import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../seed.ts';
import { problemOf, runFormula } from './run-formula.ts';

Big.RM = Big.roundHalfUp;
Big.DP = 20;
Big.PE = 1000;
Big.NE = -1000;

const amount = fc
  .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([units, scale]) => new Big(units).div(new Big(10).pow(scale)));

function written(value: Big): string {
  return value.lt(0) ? `(0 - ${value.abs().toFixed()})` : value.toFixed();
}

function plain(value: Big): string {
  const text = value.toFixed();
  return text === '-0' ? '0' : text;
}

describe('arithmetic agrees with big.js', () => {
  it.each([
    ['+', (a: Big, b: Big) => a.plus(b)],
    ['-', (a: Big, b: Big) => a.minus(b)],
    ['*', (a: Big, b: Big) => a.times(b)],
    ['/', (a: Big, b: Big) => (b.eq(0) ? undefined : a.div(b))],
  ] as const)('%s', (operator, calculate) => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const wanted = calculate(a, b);
        const { value } = runFormula(`${written(a)} ${operator} ${written(b)}`);
        expect(value).toBe(wanted === undefined ? 'FAILED' : plain(wanted));
      }),
      { numRuns: runs(300) },
    );
  });

  it('ROUND', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 6 }), (a, places) => {
        expect(runFormula(`ROUND(${written(a)}, ${places})`).value).toBe(plain(a.round(places)));
      }),
      { numRuns: runs(300) },
    );
  });

  it('SUM over rows', () => {
    const cents = fc.array(fc.integer({ min: -10_000_000, max: 10_000_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(cents, (units) => {
        const net = units.map((unit) => unit / 100);
        const wanted = net.reduce((sum, value) => sum.plus(value), new Big(0));
        expect(runFormula('SUM($net)', { columns: { net } }).value).toBe(plain(wanted));
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('comparison', () => {
  const columns = {
    n: [1.5],
    zero: [0],
    empty: [''],
    t: ['FA'],
    d: ['2026-09-05'],
    later: ['2026-10-05T08:00:00'],
    any: ['x'],
  };
  const kinds = { empty: 'number', any: 'any' } as const;
  it.each([
    ['$n = 1.50', 'TRUE'],
    ['$n <> 1.5', 'FALSE'],
    ['$n < 2', 'TRUE'],
    ['$n >= 1.51', 'FALSE'],
    ['10 > 9', 'TRUE'],
    ['"10" > "9"', 'FALSE'],
    ['"B" < "a"', 'TRUE'],
    ['$t = "fa"', 'FALSE'],
    ['$d < $later', 'TRUE'],
    ['$d >= "2026-09-05"', 'TRUE'],
    ['$empty = ""', 'TRUE'],
    ['$empty = 0', 'TRUE'],
    ['$empty > 0', 'FALSE'],
    ['0.001 > $empty', 'TRUE'],
    ['$n <> ""', 'TRUE'],
    ['$zero = ""', 'FALSE'],
    ['"" <> $zero', 'TRUE'],
    ['$zero > ""', 'TRUE'],
    ['-1 < ""', 'FALSE'],
    ['$zero = $empty', 'TRUE'],
    ['$d = ""', 'FALSE'],
    ['IF($zero = "", 20, $zero)', '0'],
    ['$any = "x"', 'TRUE'],
    ['TRUE = (1 = 1)', 'TRUE'],
  ])('%s is %s', (formula, gives) => {
    expect(runFormula(formula, { columns, kinds, row: 1 })).toMatchObject({ value: gives, reports: [] });
  });

  it('refuses what has no order, before or while running', () => {
    expect(problemOf('$n = $t', { columns, row: 1 })).toBe(
      '$n = $t | map/wrong-kind: $n is a number and $t is a text: they cannot be compared (declare the column: source: columns: { t: number })',
    );
    expect(problemOf('$any = 1', { columns, kinds, row: 1 })).toBe(
      'map/wrong-kind: $any and 1 cannot be compared: the text "x" and the number 1',
    );
    expect(problemOf('$d > "05/09/2026"', { columns, row: 1 })).toContain('map/wrong-kind');
  });
});

describe('empty cells', () => {
  const given = { columns: { a: [''], b: [''], n: [4] }, kinds: { a: 'number', b: 'number' }, row: 1 } as const;
  it.each([
    ['$a + $n', '4'],
    ['$n + $a', '4'],
    ['$a - $n', '-4'],
    ['$n - $a', '4'],
    ['$a + $b', ''],
    ['-$a', ''],
    ['$a%', ''],
    ['"[" & $a & "]"', '[]'],
  ])('%s gives "%s"', (formula, gives) => {
    expect(runFormula(formula, given)).toMatchObject({ value: gives, reports: [] });
  });

  it('a product or quotient with an empty cell is a fault, not a silent 0', () => {
    const message =
      'map/empty-in-formula: $a is empty, and $n * $a needs both numbers (fill in the cell, or use IFEMPTY($a, 0) to set the value of an empty one)';
    expect(problemOf('ROUND($n * $a, 2)', given)).toBe(message);
    expect(problemOf('$a / $n', given)).toContain('map/empty-in-formula');
    expect(runFormula('$n * IFEMPTY($a, 0)', given)).toMatchObject({ value: '0', reports: [] });
  });
});

describe('faults', () => {
  it('division by zero says by what', () => {
    expect(problemOf('10 / $q', { columns: { q: [0] }, row: 1 })).toBe(
      'map/division-by-zero: 10 cannot be divided by $q, which is 0 (use IF($q = 0, ..., ...) to set the value for this case)',
    );
  });

  it('divisions are exact or rounded at 20 places', () => {
    expect(runFormula('1 / 8').value).toBe('0.125');
    expect(runFormula('2 / 3').value).toBe('0.66666666666666666667');
    expect(runFormula('-2 / 3').value).toBe('-0.66666666666666666667');
  });

  it('dates and days are added up where kinds are known', () => {
    const given = { columns: { d: ['2026-01-31', ''], e: ['2026-03-02T23:00:00', ''], n: [30, ''] }, row: 1 };
    expect(runFormula('$d + 30', given)).toMatchObject({ kind: 'date', value: '2026-03-02' });
    expect(runFormula('$n + $d', given).value).toBe('2026-03-02');
    expect(runFormula('$e - 30 - 0', given).value).toBe('2026-01-31');
    expect(runFormula('$e - $d', given)).toMatchObject({ kind: 'number', value: '30' });
    expect(runFormula('$d + 30 & ($e - $d) & ($d + $n)', { ...given, row: 2 }).value).toBe('');
    expect(problemOf('$d + 0.5', given)).toBe(
      'map/no-such-date: the result, counted from 2026-01-31, is not between 1900 and 2199 (days are counted in whole numbers)',
    );
  });

  it('text in arithmetic is found before any file is read where kinds are known', () => {
    const columns = { PUHT: ['8,40'], d: ['2026-09-05'] };
    expect(problemOf('$PUHT * 2', { columns })).toBe(
      '$PUHT | map/wrong-kind: $PUHT is a text, and * needs a number (declare the column: source: columns: { PUHT: number })',
    );
    expect(problemOf('$d * 30', { columns })).toBe(
      '$d | map/wrong-kind: $d is a date, and * needs a number (DUE-DATE(date, 30, "days") and DAYS(end, start) count with dates)',
    );
    for (const formula of ['$d + $d', '30 - $d', '$d + $PUHT']) {
      expect(problemOf(formula, { columns })).toContain('map/wrong-kind');
    }
    expect(problemOf('"1" + 1')).toContain('NUMBER(text) reads a text as a number');
  });

  it('and while running where they are not', () => {
    const given = { columns: { x: ['abc', 2] }, kinds: { x: 'any' }, row: 1 } as const;
    expect(problemOf('$x * 2', given)).toBe('map/wrong-kind: $x is "abc", and * needs a number');
    expect(runFormula('$x * 2', { ...given, row: 2 }).value).toBe('4');
  });

  it('what is made from a failed value stays silent', () => {
    const { value, reports } = runFormula('IF(LEN("a" & 1/0) > 3, ROUND(1/0, 2), 5) + 1');
    expect(value).toBe('FAILED');
    expect(reports).toHaveLength(1);
  });

  it('reports two separate causes at once', () => {
    expect(runFormula('1/0 + 2/0').reports).toHaveLength(2);
  });
});

it('knows the kind of a result', () => {
  const columns = { n: [1], d: ['2026-01-01'], t: ['x'] };
  const kindOf = (formula: string) => runFormula(formula, { columns, row: 1 }).kind;
  expect(kindOf('$n * 2')).toBe('number');
  expect(kindOf('$d')).toBe('date');
  expect(kindOf('IF($n = 1, $d, "")')).toBe('date');
  expect(kindOf('IF($n = 1, $n, $t)')).toBe('any');
  expect(kindOf('COALESCE($t, "x")')).toBe('text');
  expect(kindOf('MAX($d)')).toBe('date');
  expect(kindOf('$n = 1')).toBe('boolean');
  expect(kindOf('$n & $t')).toBe('text');
});
