import { describe, expect, it } from 'vitest';
import { compileFormula } from '../../src/mapping/formula/compile-formula.ts';
import { FUNCTIONS } from '../../src/mapping/functions/functions.ts';
import type { RunProblem } from '../../src/mapping/runtime/value.ts';
import { contextOf, namesOf, problemOf, runFormula } from './run-formula.ts';

const entries = [...FUNCTIONS.values()];

describe.each(entries.map((entry) => [entry.name, entry] as const))('%s', (name, entry) => {
  it.each(entry.examples.map((example) => [example.formula, example] as const))('%s', (formula, example) => {
    expect(runFormula(formula, example)).toMatchObject({ value: example.gives, problems: [], reports: [] });
  });

  it('has a manual', () => {
    expect(entry.examples.length).toBeGreaterThan(0);
    expect(entry.examples.some((example) => example.formula.includes(`${name}(`))).toBe(true);
    expect(entry.syntax.startsWith(`${name}(`)).toBe(true);
    expect(entry.sentence).toMatch(/[.]$/);
  });
});

describe('arguments are checked before any file is read', () => {
  it.each([
    ['ROUND()', 'ROUND() | map/wrong-arguments: ROUND takes 1 to 2 arguments, not 0 (write ROUND(number, decimals))'],
    ['TODAY(1)', 'TODAY(1) | map/wrong-arguments: TODAY takes 0 arguments, not 1 (write TODAY())'],
    ['CONCAT()', 'CONCAT() | map/wrong-arguments: CONCAT takes at least 1 argument, not 0 (write CONCAT(value, ...))'],
    [
      'REMPLACER("a";1;1;"b")',
      'REMPLACER("a";1;1;"b") | map/no-such-function: there is no function REMPLACER (did you mean REPLACE(text, search, replacement)?)',
    ],
    [
      'ARRONDI()',
      'ARRONDI() | map/wrong-arguments: ROUND takes 1 to 2 arguments, not 0 (write ROUND(number, decimals))',
    ],
    ['RUOND(1)', 'RUOND(1) | map/no-such-function: there is no function RUOND (did you mean ROUND(number, decimals)?)'],
    [
      'LEFT($qty, 2)',
      '$qty | map/wrong-kind: $qty is a number, and LEFT needs a text (TEXT($qty, "pattern") writes it as text)',
    ],
    [
      'ROUND($code, 2)',
      '$code | map/wrong-kind: $code is a text, and ROUND needs a number (declare the column: source: columns: { code: number })',
    ],
    [
      'YEAR($code)',
      '$code | map/wrong-kind: $code is a text, and YEAR needs a date (declare the column: source: columns: { code: date })',
    ],
    [
      'IF($code, 1, 2)',
      '$code | map/wrong-kind: $code is a text, and IF needs TRUE or FALSE (write a comparison, such as $code = "X")',
    ],
    ['MATCHES($code, $code)', '$code | map/wrong-argument: the pattern must be written out as a "text"'],
    [
      'TEXT($qty, "dd")',
      '"dd" | map/wrong-argument: "dd" is not a pattern for numbers (as in "0.00", "#,##0.00" or "000000")',
    ],
    [
      'DATE($code, "dd/MM/yy")',
      '"dd/MM/yy" | map/wrong-argument: the date pattern "dd/MM/yy" does not say the century (have the ERP write four digits, or set the last two-digit year that belongs to this century)',
    ],
    [
      'DATE($code, "dd/MM/yy", 100)',
      '100 | map/wrong-argument: the last year of this century must be written out (from 0 to 99: with 69, 69 is 2069 and 70 is 1970)',
    ],
    [
      'TEXT($day, "d MMM yyyy")',
      '"d MMM yyyy" | map/wrong-argument: names of months can be read but not written, and "d MMM yyyy" writes one (write MM, or take the name from a table)',
    ],
    ['DUE-DATE($day, 30, "jours")', '"jours" | map/wrong-argument: the unit must be "days" or "months"'],
    [
      'REPORT-PERIOD("week", $day, "start")',
      '"week" | map/wrong-argument: the period must be "decade", "month" or "two-months"',
    ],
    ['REPORT-PERIOD("month", $day, "last")', '"last" | map/wrong-argument: the side must be "start" or "end"'],
    ['AMOUNT-IN-WORDS($qty, "de")', '"de" | map/wrong-argument: the language must be "es" or "fr"'],
    [
      'MAX($qty, $code)',
      '$qty | map/wrong-argument: MAX compares numbers with numbers, dates with dates or texts with texts',
    ],
  ])('%s', (formula, message) => {
    const columns = { qty: [1], code: ['A'], day: ['2026-01-31'] };
    expect(problemOf(formula, { columns, row: 1 })).toBe(message);
  });

  it('names what RE2 does not have', () => {
    expect(problemOf('MATCHES("a", "(?=a)")')).toContain(
      'map/wrong-argument: Nightpost cannot read the pattern "(?=a)"',
    );
  });
});

describe('faults of values are reported once, and values made from them report none', () => {
  it.each([
    [
      'EDATE("2026-01-31", 0.5) & "x"',
      'map/no-such-date: the result, counted from 2026-01-31, is not between 1900 and 2199 (days and months are counted in whole numbers)',
    ],
    [
      'DUE-DATE("2199-12-31", 1, "days")',
      'map/no-such-date: the result, counted from 2199-12-31, is not between 1900 and 2199 (days and months are counted in whole numbers)',
    ],
    ['DATE(2026, 2, 30)', 'map/no-such-date: the date of year, month, day 2026, 2, 30 does not exist'],
    ['DATE("31/02/2026", "dd/MM/yyyy")', 'map/not-a-date: "31/02/2026" is not a date: 02/2026 has no day 31'],
    [
      'NUMBER("12,5") + 1',
      'map/not-a-number: "12,5" is not a number (this file uses "." as the decimal sign) (correct the cell, or the decimal sign in the mapping if all numbers use the other one)',
    ],
    [
      'SIREN-OF("123")',
      'map/not-an-identifier: "123" is not a valid SIREN, SIRET or French VAT number (correct the cell: a SIREN has 9 digits, a SIRET 14, a French VAT number FR and 11 digits)',
    ],
    [
      'FORMAT-DUI("162976")',
      'map/not-an-identifier: "162976" is not a valid DUI (correct the cell: a DUI has 8 digits, a hyphen and a check digit)',
    ],
    [
      'UNIT-REC20("ML")',
      'map/no-such-unit: "ML" is not a known unit (add it to your own table: unit: { from: Column, table: units }; or give the code for all other units as the second argument)',
    ],
    [
      'UNIT-CAT014("HUR") + 1',
      'map/no-such-unit: CAT-014 has no code for the unit "HUR" (add it to your own table: unit: { from: Column, table: units }; or give the code for all other units as the second argument)',
    ],
    ['PRICE-PER-UNIT(5, 0)', 'map/wrong-argument: 0 is not a valid base quantity of a price'],
    ['LEFT("abc", 1.5)', 'map/wrong-argument: a position or count must be a whole number from 0, not 1.5'],
    [
      'ALLOCATE(10, 1)',
      'map/no-row: ALLOCATE returns the share of one row or group, but this field is outside of any row (use it inside each: row or each: rows by Column, or in a calculated column and add that up with SUM)',
    ],
  ])('%s', (formula, message) => {
    expect(runFormula(formula).value).toBe('FAILED');
    expect(problemOf(formula)).toBe(message);
  });

  it('offers a SIREN whose zeros are lost, where its check digit speaks for it', () => {
    expect(runFormula('SIREN-OF("5480546")').reports).toMatchObject([{ suggestion: '005480546' }]);
    expect(runFormula('SIREN-OF("5480547")').reports[0]).not.toHaveProperty('suggestion');
  });

  it('keeps a fault in a branch not taken silent', () => {
    expect(runFormula('IF(TRUE, 1, 1/0)')).toMatchObject({ value: '1', reports: [] });
    expect(runFormula('IFEMPTY("a", 1/0 & "")')).toMatchObject({ value: 'a', reports: [] });
  });

  it('bounds the texts it makes', () => {
    const bomb = Array.from({ length: 8 }).reduce<string>((inner) => `REPLACE(${inner}, "a", "aaaaaaaaaa")`, '"a"');
    expect(problemOf(bomb)).toBe(
      'map/text-too-long: the formula returns a text of 100000000 characters, at most 33554432 are allowed',
    );
  });

  it('bounds the numbers it makes', () => {
    const product = Array.from({ length: 60 }, () => '99999.5').join(' * ');
    expect(problemOf(product)).toBe('map/number-too-long: the formula returns a number of more than 200 digits');
  });
});

describe('empty values', () => {
  const columns = { n: ['', 2], d: ['', '2026-01-01'], t: ['', 'x'] };
  it.each([
    ['ROUND($n, 2)', ''],
    ['ABS($n)', ''],
    ['YEAR($d)', ''],
    ['LEFT($t, 2)', ''],
    ['DUE-DATE($d, 30, "days")', ''],
    ['AMOUNT-IN-WORDS($n, "es")', ''],
    ['PAD-LEFT($t, 5)', ''],
    ['LUHN($t)', 'FALSE'],
    ['SUM($n)', '2'],
    ['COUNT($n)', '1'],
    ['MIN($n)', '2'],
    ['MAX($d)', '2026-01-01'],
    ['TEXT($n, "0.00")', ''],
  ])('%s gives "%s"', (formula, gives) => {
    expect(runFormula(formula, { columns, row: 1 })).toMatchObject({ value: gives, reports: [] });
  });
});

describe('over rows', () => {
  const columns = { net: [105, 59.97, 23.35], rate: [20, 20, 5.5] };

  it('reads the row again after an aggregate', () => {
    expect(runFormula('SUM($net) & " " & $net', { columns, row: 1 }).value).toBe('188.32 105');
    expect(runFormula('ALLOCATE(1, $net) & " " & $net', { columns, row: 1 }).value).toBe('0.56 105');
  });

  it('calculates again for another group and for another document', () => {
    const compiled = compileFormula('SUM($net) & " " & ALLOCATE(1, $net)', namesOf({ columns }));
    if ('problems' in compiled) throw new Error('it compiles');
    const context = contextOf({ columns, row: 1 }, []);
    const { rows } = context;
    expect(compiled.formula.evaluate(context)).toBe('188.32 0.56');
    context.rows = rows.slice(0, 2);
    expect(compiled.formula.evaluate(context)).toBe('164.97 0.64');
    expect(compiled.formula.evaluate({ ...context, rows: rows.slice(0, 1) })).toBe('105 1');
    expect(compiled.formula.evaluate({ ...context, rows })).toBe('188.32 0.56');
  });

  it('shares out over groups where there is no row', () => {
    const compiled = compileFormula('ALLOCATE(0.10, SUM($net)) & " " & SUM($net)', namesOf({ columns }));
    if ('problems' in compiled) throw new Error('it compiles');
    const context = contextOf({ columns }, []);
    const groups = [context.rows.slice(0, 2), context.rows.slice(2)];
    const within = { ...context, groupings: [groups] };
    const shares = groups.map((rows) => {
      within.rows = rows;
      return compiled.formula.evaluate(within);
    });
    expect(shares).toEqual(['0.09 164.97', '0.01 23.35']);
  });

  it('reports a fault again when the same rows are composed a second time', () => {
    const compiled = compileFormula('SUM(1 / $net)', namesOf({ columns: { net: [0] } }));
    if ('problems' in compiled) throw new Error('it compiles');
    const reports: RunProblem[] = [];
    const first = contextOf({ columns: { net: [0] } }, reports);
    for (const context of [first, first, { ...first }]) compiled.formula.evaluate(context);
    expect(reports).toHaveLength(2);
  });

  it('adds up output lists', () => {
    expect(runFormula('SUM(@subtotals.amount)', { outputs: { 'subtotals.amount': [188.32, '', 34.27] } }).value).toBe(
      '222.59',
    );
    expect(runFormula('MAX(@lines.net)', { outputs: { 'lines.net': [] } }).value).toBe('');
  });

  it('keeps a list out of single values', () => {
    expect(problemOf('@lines.net + 1', { outputs: { 'lines.net': [1] } })).toBe(
      '@lines.net | map/several-values: @lines.net has several values (SUM(@lines.net) adds them up; COUNT, MIN and MAX take them, too)',
    );
  });

  it('allows a sum in each row of a sum, and no deeper', () => {
    expect(runFormula('SUM(ROUND($net / SUM($net) * 100, 0))', { columns }).value).toBe('100');
    expect(problemOf('SUM(SUM(SUM($net)))', { columns })).toContain('map/formula-too-large');
  });

  it('reports a fault once for all lines', () => {
    const { reports, value } = runFormula('SUM(SUM(1 / ($net - $net)))', { columns });
    expect(value).toBe('FAILED');
    expect(reports.map((report) => report.code)).toEqual(Array(3).fill('map/division-by-zero'));
  });
});
