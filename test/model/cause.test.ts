/** The words of causes: what is printed as `--cause` is read as the same cause, whatever a cell contains. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CellCause, cellCause, damageKind, hasCellCause, readCause } from '../../src/model/cause.ts';
import { definedOnly } from '../../src/model/defined-only.ts';

test('the words of a cause of a cell are those that a person reads', () => {
  const cell = { code: 'map/damaged-text', mapping: 'sage-invoices', column: 'SIREN' };
  expect(cellCause({ ...cell, value: '99920041' })).toBe('map/damaged-text:sage-invoices@SIREN=99920041');
  expect(cellCause({ ...cell, kind: 'exponent' })).toBe('map/damaged-text/exponent:sage-invoices@SIREN');
  expect(readCause('map/damaged-text@SIREN=99920041')).toEqual({
    of: 'cell',
    code: 'map/damaged-text',
    column: 'SIREN',
    value: '99920041',
  });
});

test('a cause of a cell is read as it was written', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 });
  const cells = fc.record(
    {
      kind: fc.constantFrom('exponent' as const, 'lost-zeros' as const),
      mapping: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9-]*$/),
      column: text,
    },
    { requiredKeys: ['column'] },
  );
  fc.assert(
    fc.property(cells, fc.option(fc.string({ unit: 'binary' }), { nil: undefined }), (cell, value) => {
      const cause: CellCause = definedOnly({ of: 'cell' as const, code: 'map/damaged-text', ...cell, value });
      expect(readCause(cellCause(cause))).toEqual(cause);
    }),
  );
});

test.each([
  ['map/damaged-text', { of: 'fault', code: 'map/damaged-text' }],
  ['same-cause', { of: 'fault', code: 'same-cause' }],
  ['map/damaged-text/unknown', { of: 'fault', code: 'map/damaged-text/unknown' }],
  ['fr:6', { of: 'answer', service: 'fr', code: '6' }],
  ['set-aside', { of: 'person' }],
  [
    'map/check-failed:mappings/a@b=c.yaml:26',
    { of: 'fault', code: 'map/check-failed', mark: { file: 'mappings/a@b=c.yaml', line: 26 } },
  ],
])('%s stays the cause that it was', (text, cause) => {
  expect(readCause(text)).toEqual(cause);
});

test.each([
  ['9,99E+08', 'exponent'],
  ['1000', 'lost-zeros'],
  ['99920041,00', 'decimals'],
  ['21/11/26', 'date'],
  ['12,5O', 'letters'],
])('%s: %s', (given, kind) => {
  expect(damageKind({ code: 'map/damaged-text', given })).toBe(kind);
  expect(damageKind({ code: 'map/not-in-table', given })).toBeUndefined();
});

test('all parts of a cause are in one and the same error', () => {
  const fault = (column: string, given: string, level: 'error' | 'warning' = 'error') => {
    return { code: 'map/damaged-text', level, message: '', given, origin: { file: 'f', row: 2, column } };
  };
  const cause: CellCause = { of: 'cell', code: 'map/damaged-text', column: 'SIREN', value: '1' };
  expect(hasCellCause([fault('SIREN', '1')], cause)).toBe(true);
  expect(hasCellCause([fault('SIREN', '2'), fault('CP', '1')], cause)).toBe(false);
  expect(hasCellCause([fault('SIREN', '1', 'warning')], cause)).toBe(false);
});
