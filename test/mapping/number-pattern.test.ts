import { describe, expect, it } from 'vitest';
import { compileNumberPattern } from '../../src/mapping/source/number-pattern.ts';
import { Decimal } from '../../src/model/decimal.ts';

describe('writes numbers as spreadsheets do', () => {
  it.each([
    ['0', '2.5', '3'],
    ['0', '-2.5', '-3'],
    ['0.00', '0', '0.00'],
    ['0.00', '-0.001', '0.00'],
    ['0.00', '-0.005', '-0.01'],
    ['0.00', '1234567.891', '1234567.89'],
    ['0,00', '12.5', '12,50'],
    ['#,##0.00', '1234567.891', '1,234,567.89'],
    ['#,##0.00', '-999.995', '-1,000.00'],
    ['# ##0,00', '123', '123,00'],
    ['#.##0,00', '1234.5', '1.234,50'],
    ['#,##0', '1234', '1,234'],
    ['000000', '412', '000412'],
    ['000000', '-412', '-000412'],
    ['000', '123456', '123456'],
    ['0.##', '2', '2'],
    ['0.##', '2.345', '2.35'],
    ['0.0#', '2', '2.0'],
    ['0.00', '99999999999999999999.5', '99999999999999999999.50'],
  ])('%s %s is %s', (pattern, value, text) => {
    expect(compileNumberPattern(pattern)?.(Decimal.parse(value)!)).toBe(text);
  });

  it.each(['', '#', '0.00.0', '#,##0,00', 'dd/MM', '0.#0', '0 €'])('%j is no pattern', (pattern) => {
    expect(compileNumberPattern(pattern)).toBeUndefined();
  });
});
