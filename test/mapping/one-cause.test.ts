import { expect, test } from 'vitest';
import { oneCauseEach } from '../../src/mapping/root-causes.ts';
import type { Fault } from '../../src/model/fault.ts';

const NAMES = { calculated: ['net'], declared: ['Qte'], key: 'columns' } as const;
const fault = (code: string, message: string, hint?: string): Fault => ({
  code,
  level: code === 'map/unused-table' ? 'warning' : 'error',
  message,
  ...(hint === undefined ? {} : { hint }),
});
const wrongKind = (column: string, kind = 'number') =>
  fault('map/wrong-kind', `$${column} is a text`, `declare the column: source: columns: { ${column}: ${kind} }`);
const told = (...faults: readonly Fault[]) => oneCauseEach(faults, NAMES).map(({ code, hint }) => [code, hint]);

test('a column that nobody declared is told once, each kind of it', () => {
  expect(told(wrongKind('Prix'), wrongKind('Prix'), wrongKind('Prix', 'date'), wrongKind('Total'))).toHaveLength(3);
});

test('a calculated column is not to be declared, a misspelt one neither', () => {
  expect(told(wrongKind('net'), wrongKind('Qtee'))).toEqual([
    ['map/wrong-kind', 'let the calculated column net give a number'],
    ['map/wrong-kind', 'did you mean $Qte? Else declare the column: source: columns: { Qtee: number }'],
  ]);
});

test('a column that the file has not is told as that', () => {
  expect(told(fault('map/no-such-column', 'the source has no column "Prix"'), wrongKind('Prix'))).toHaveLength(1);
});

test('an unused table is told where nothing else is wrong', () => {
  const unused = fault('map/unused-table', 'table vat is not used');
  expect(told(unused)).toHaveLength(1);
  expect(told(fault('map/no-such-table', 'there is no table "vta"'), unused)).toHaveLength(1);
});
