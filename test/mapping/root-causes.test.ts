import { expect, test } from 'vitest';
import {
  FORMULA_KINDS,
  HEADER,
  MAPPING_KEYS,
  SOURCE_COLUMNS,
  SUGGESTIONS,
} from '../../src/i18n/messages/mapping-messages.ts';
import { onePerCause } from '../../src/mapping/root-causes.ts';
import { declareColumn } from '../../src/mapping/runtime/type-check.ts';
import { type Fault, MESSAGE, withMessage } from '../../src/model/fault.ts';

const NAMES = { calculated: ['net', 'due'], declared: ['Qte'], key: 'columns' } as const;
const mark = { file: 'm.yaml', line: 1, column: 1, length: 1, text: '' };
const wrongKind = (column: string, kind: 'number' | 'date' = 'number', level: Fault['level'] = 'error'): Fault => {
  const message = FORMULA_KINDS.needs({ source: `$${column}`, given: 'a text', taker: '*', kind });
  return { code: 'map/wrong-kind', level, ...withMessage(message, declareColumn(column, kind)), mark };
};
const unusedTable: Fault = {
  code: 'map/unused-table',
  level: 'warning',
  ...withMessage(MAPPING_KEYS.unusedTable({ table: 'vat' })),
};
const noColumn = (name: string): Fault => {
  const message = HEADER.noColumn({ has: SOURCE_COLUMNS.sourceHas(), name });
  return { code: 'map/no-such-column', level: 'error', ...withMessage(message), mark };
};
const hints = (faults: readonly Fault[], names: Parameters<typeof onePerCause>[1] = NAMES) =>
  onePerCause(faults, names).map((fault) => fault[MESSAGE]?.hint);

test('a column without a type is reported once for each kind that it needs', () => {
  expect(hints([wrongKind('Prix'), wrongKind('Prix'), wrongKind('Prix', 'date'), wrongKind('Total')])).toEqual([
    declareColumn('Prix', 'number'),
    declareColumn('Prix', 'date'),
    declareColumn('Total', 'number'),
  ]);
});

test('an error stays where a warning has the same hint', () => {
  expect(onePerCause([wrongKind('Prix', 'date', 'warning'), wrongKind('Prix', 'date')], NAMES)).toHaveLength(2);
});

test('the hint for a calculated column asks for another result, the hint for a misspelled one for the right name', () => {
  expect(hints([wrongKind('net'), wrongKind('due', 'date'), wrongKind('Qtee')])).toEqual([
    SOURCE_COLUMNS.calculatedNumber({ column: 'net' }),
    SOURCE_COLUMNS.calculatedDate({ column: 'due' }),
    SUGGESTIONS.meantOr({ column: '$Qte', otherwise: declareColumn('Qtee', 'number') }),
  ]);
});

test('the hint names the key of the types in this format', () => {
  expect(hints([wrongKind('Prix')], { ...NAMES, key: 'types' })).toEqual([
    SOURCE_COLUMNS.declare({ key: 'types', column: 'Prix', type: 'number' }),
  ]);
});

test('a column that the file does not have is reported as that alone', () => {
  expect(onePerCause([noColumn('Prix'), wrongKind('Prix')], NAMES)).toEqual([noColumn('Prix')]);
});

test('an unused table is reported where no error is', () => {
  expect(onePerCause([unusedTable], NAMES)).toHaveLength(1);
  expect(onePerCause([noColumn('Prix'), unusedTable], NAMES)).toHaveLength(1);
});
