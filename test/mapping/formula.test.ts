import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFormula, referencesOf } from '../../src/mapping/formula/parse-formula.ts';
import { runs } from '../seed.ts';
import { problemOf, runFormula } from './run-formula.ts';

describe('precedence, as in a spreadsheet', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['10 - 3 - 2', '5'],
    ['100 / 10 / 5', '2'],
    ['2 * 3 / 4', '1.5'],
    ['-2 * 3', '-6'],
    ['2 * -3', '-6'],
    ['--2', '2'],
    ['1 - -1', '2'],
    ['+5', '5'],
    ['-50%', '-0.5'],
    ['200 * 5.5%', '11'],
    ['50%%', '0.005'],
    ['1 + 2 & 3 + 4', '37'],
    ['"a" & "b" = "ab"', 'TRUE'],
    ['1 + 1 = 2', 'TRUE'],
    ['"x" & 2 * 3', 'x6'],
    ['IF(1 = 1; 2, 3)', '2'],
    ['if(true, "a", "b")', 'a'],
    ['"12"" pipe"', '12" pipe'],
    ['""', ''],
    ['1\u00a0+\u202f1', '2'],
  ])('%s is %s', (formula, gives) => {
    expect(runFormula(formula)).toMatchObject({ value: gives, problems: [], reports: [] });
  });
});

describe('names', () => {
  it('reads columns, bracketed columns and outputs', () => {
    const columns = { 'Qté_1.a': [5], Rem: [2], 'Prix unitaire': [3], 'a]b': [7] };
    const outputs = { 'totals.final-amount': 10 };
    expect(runFormula('$Qté_1.a-$Rem', { columns, row: 1 }).value).toBe('3');
    expect(runFormula('$[Prix unitaire]*$[a]]b]', { columns, row: 1 }).value).toBe('21');
    expect(runFormula('@totals.final-amount-$Rem', { columns, outputs, row: 1 }).value).toBe('8');
  });

  it('lists what a formula mentions, each once', () => {
    const parsed = parseFormula('ROUND($a * $[b c], 2) + sum(@x.y-z) - $a');
    if (!('expression' in parsed)) throw new Error('it parses');
    expect(referencesOf(parsed.expression)).toEqual({
      columns: ['a', 'b c'],
      outputs: ['x.y-z'],
      functions: ['ROUND', 'SUM'],
    });
  });
});

describe('messages', () => {
  const columns = { Qte: [1], 'Prix unitaire': [2], 'Taux-TVA': [20] };
  it.each([
    ['', ' | map/formula-syntax: the formula stops too early (a value is missing after it)'],
    ['1 +', '+ | map/formula-syntax: the formula stops too early (a value is missing after it)'],
    ['(1 + 2', '( | map/formula-syntax: "(" is not closed (add the missing ")")'],
    ['ROUND(1, 2', '( | map/formula-syntax: "(" is not closed (add the missing ")")'],
    [
      '1)',
      ') | map/formula-syntax: ")" is not expected here: the formula is complete before it (remove it, or add the "(" it belongs to)',
    ],
    ['1 2', '2 | map/formula-syntax: "2" is not expected here: the formula is complete before it'],
    ['* 2', '* | map/formula-syntax: "*" is not expected here: a value is missing'],
    [
      '1,5',
      ', | map/formula-syntax: "," is not expected here: the formula is complete before it (in formulas decimals are written with a dot: 0.5)',
    ],
    ['.5', '.5 | map/formula-syntax: a number starts with a digit (write 0.5, not .5)'],
    [
      '"abc',
      '" | map/formula-syntax: a text is not closed (end it with "; a quote inside a text is doubled: "12"" pipe")',
    ],
    ["'a'", '\' | map/formula-syntax: a text is written in double quotes, not in single ones (write "text")'],
    ['“a”', '“ | map/formula-syntax: this is a printed quote, not a straight one (type the quotes again as ")'],
    ['1 != 2', '!= | map/formula-syntax: "not equal" is written <> (write <>)'],
    ['2 ^ 3', '^ | map/formula-syntax: there are no powers (multiply instead)'],
    ['1 – 2', '– | map/formula-syntax: this is a dash, not a minus (type it again as -)'],
    [
      'Qte * 2',
      'Qte | map/formula-syntax: Qte has no meaning alone (columns are written $Column, texts "text", functions with parentheses)',
    ],
    ['1 < 2 < 3', '< | map/formula-syntax: only two values can be compared at a time (write AND(a < b, b < c))'],
    [
      '$Taux-TVA',
      'TVA | map/formula-syntax: TVA has no meaning alone (write a column name with a hyphen in brackets: $[Taux-TVA])',
    ],
    [
      '$Prix unitaire',
      'unitaire | map/formula-syntax: "unitaire" is not expected here: the formula is complete before it (write a column name with spaces in brackets: $[Prix unitaire])',
    ],
    ['$[Prix', '$[ | map/formula-syntax: a column name is not closed (end it with ]: $[Column with spaces])'],
    ['€', '€ | map/formula-syntax: € has no meaning here'],
    ['$Qto * 2', '$Qto | map/no-such-column: there is no column $Qto (did you mean $Qte?)'],
    [
      '$PrixUnitaire',
      '$PrixUnitaire | map/no-such-column: there is no column $PrixUnitaire (did you mean $[Prix unitaire]?)',
    ],
    ['$Zebra', '$Zebra | map/no-such-column: there is no column $Zebra'],
    ['@total', '@total | map/no-such-output: there is no output value @total here (did you mean @totals?)'],
    [
      '@__proto__.x',
      '@ | map/formula-syntax: the path of an output value must follow @ (write @path, such as @totals.final-amount)',
    ],
  ])('%s', (formula, message) => {
    expect(problemOf(formula, { columns, outputs: { totals: 1 }, row: 1 })).toBe(message);
  });

  it('finds all problems of a formula at once', () => {
    const found = problemOf('$a + ROUNT($b, 2) + LEFT(1, 2)').split('\n');
    expect(found.map((line) => line.split(':')[0])).toEqual([
      '$a | map/no-such-column',
      '$b | map/no-such-column',
      'ROUNT($b, 2) | map/no-such-function',
      '1 | map/wrong-kind',
    ]);
  });
});

describe('hostile formulas', () => {
  it.each([
    ['10,000 parentheses', '('.repeat(10_000)],
    ['1,900 parentheses', `${'('.repeat(1900)}1${')'.repeat(1900)}`],
    ['3,900 signs', `${'-'.repeat(3900)}1`],
    ['900 calls inside one another', `${'ABS('.repeat(900)}1${')'.repeat(900)}`],
  ])('%s are refused', (_name, formula) => {
    expect(problemOf(formula)).toContain('map/formula-too-large');
  });

  it('reads a sum of 300 terms, and refuses one of 2,000', () => {
    expect(runFormula(`1${'+1'.repeat(299)}`).value).toBe('300');
    expect(problemOf(`1${'+1'.repeat(1999)}`)).toBe(
      '+ | map/formula-too-large: more than 300 operators (split it: put a part of it into calculated-columns)',
    );
  });

  it('never throws, whatever the text, and points into it', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '$a',
      '@b',
      '1',
      '"x"',
      ',',
      '-',
      '%',
      'SUM(',
      'IF(',
      '&',
      '=',
      ' ',
      '"',
      '$[',
      'é',
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (formula) => {
        const { problems } = runFormula(formula, { columns: { a: [1] }, row: 1 });
        for (const { offset, length } of problems) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset + length).toBeLessThanOrEqual(Math.max(formula.length, 1));
          expect(length).toBeGreaterThan(0);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
