/** One cell of an export may be as long as its row may be: nothing that reads it takes the square of that time. */
import { describe, expect, test } from 'vitest';
import { foldKey } from '../../src/database/folded-key.ts';
import { compileNumberFormat } from '../../src/mapping/source/parse-number.ts';
import { findDamage, isSameNumber, isSameText } from '../../src/readers/spreadsheet-damage.ts';
import { numberForm } from '../../src/readers/xlsx/xlsx-number-format.ts';
import { safeName } from '../../src/text/safe-file-name.ts';
import { withoutTrailing } from '../../src/text/trailing.ts';
import { cpuTimeMs } from '../cpu-time.ts';

/** Long enough that the square of it takes seconds. */
const LENGTH = 50_000;

const CELLS: Readonly<Record<string, string>> = {
  'zeros with an end': `0,${'0'.repeat(LENGTH)}1`,
  zeros: '0'.repeat(LENGTH),
  digits: '1'.repeat(LENGTH),
  'an amount in blanks': `1${' '.repeat(LENGTH)}2€`,
  'blanks after the currency': `€${' '.repeat(LENGTH)}x`,
  'no-break blanks': `1${'\u00a0'.repeat(LENGTH)}x`,
  groups: `1${' 111'.repeat(LENGTH / 4)}x`,
  quotes: `x${"'".repeat(LENGTH)}x`,
  bars: '|0'.repeat(LENGTH / 2),
  brackets: '['.repeat(LENGTH),
  marks: `e${'\u0301'.repeat(LENGTH)}`,
  breaks: `x${'\r\n'.repeat(LENGTH / 2)}x`,
};
const number = compileNumberFormat({ decimal: ',', thousands: ['space', 'nbsp'], currencySign: '€' });
const READERS: Readonly<Record<string, (cell: string) => unknown>> = {
  'the key of a document': (cell) => foldKey(`fr|siren:732829320|invoice|${cell}`),
  'a value that is sent once': (cell) => foldKey(`nt|fr-invoice|${cell}`),
  'a number': (cell) => number(cell),
  'a cell of a correction': (cell) => [isSameText(cell, `${cell} `), isSameNumber(cell, `${cell}0`)],
  'what a spreadsheet did': (cell) => findDamage(cell, cell.slice(0, -1), 'number') ?? findDamage(cell, 'x', 'text'),
  'a format of a workbook': (cell) => numberForm(164, cell),
  'the name of a receipt': (cell) => safeName(cell, 150),
};

describe.each(Object.keys(READERS))('%s', (reader) => {
  test.each(Object.keys(CELLS))('%s', (cell) => {
    const before = cpuTimeMs();
    READERS[reader]!(CELLS[cell]!);
    expect(cpuTimeMs() - before).toBeLessThan(1000);
  });
});

test.each([
  ['1200', '0', '12'],
  ['0.50', '0', '0.5'],
  ['000', '0', ''],
  ['12 \u00a0 ', ' \u00a0', '12'],
  [' 12', ' ', ' 12'],
  ['', ' ', ''],
])('%j without %j at its end', (text, characters, expected) => {
  expect(withoutTrailing(text, characters)).toBe(expected);
});
