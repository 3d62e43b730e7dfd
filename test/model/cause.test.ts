/** The words of causes: what is printed as `--cause` is read as the same cause, whatever a cell contains. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CellCause, cellCause, damageKind, hasCause, readCause, workOf } from '../../src/model/cause.ts';
import { definedOnly } from '../../src/model/defined-only.ts';
import type { Fault } from '../../src/model/fault.ts';
import type { Evidence } from '../../src/model/ledger-entry.ts';

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

const fault = (column: string, given: string, level: 'error' | 'warning' = 'error'): Fault => {
  return { code: 'map/damaged-text', level, message: '', given, origin: { file: 'f', row: 2, column } };
};

function invalid(faults: readonly Fault[], others: Partial<Parameters<typeof workOf>[0]> = {}) {
  const file = { id: 'x', name: 'x.csv', mapping: { id: 'sales' } };
  const document = {
    id: 'a',
    revision: 1,
    service: 'fr',
    state: 'invalid',
    class: 'invoice',
    since: '2026-11-20T22:30:00Z',
  };
  return workOf({ ...document, state: 'invalid', file, facts: { identifier: 'F1' }, faults, attempts: [], ...others });
}

test('all parts of a cause are in one and the same error', () => {
  const cause: CellCause = { of: 'cell', code: 'map/damaged-text', column: 'SIREN', value: '1' };
  expect(hasCause(invalid([fault('SIREN', '1')]), cause)).toBe(true);
  expect(hasCause(invalid([fault('CP', '1'), fault('SIREN', '1')]), { ...cause, mapping: 'sales' })).toBe(true);
  expect(hasCause(invalid([fault('SIREN', '1')]), { ...cause, mapping: 'others' })).toBe(false);
  expect(hasCause(invalid([fault('SIREN', '2'), fault('CP', '1')]), cause)).toBe(false);
  expect(hasCause(invalid([fault('SIREN', '1', 'warning')]), cause)).toBe(false);
});

test('a document has each of its causes, the first one and the others', () => {
  const mark = { file: 'mappings/sales.yaml', line: 26, column: 1, length: 1, text: '' };
  const failed: Fault = { code: 'map/check-failed', level: 'error', message: '', mark };
  const second = invalid([fault('SIREN', '1'), failed, fault('CP', 'x', 'warning')]);
  const has = (text: string, work = second) => hasCause(work, readCause(text));
  expect(second.cause).toBe('map/damaged-text');
  for (const text of ['map/damaged-text', 'map/check-failed', 'map/check-failed:mappings/sales.yaml:26', 'invalid']) {
    expect([text, has(text)]).toEqual([text, true]);
  }
  for (const text of ['map/check-failed:mappings/sales.yaml:27', 'set-aside', 'fr:6', '6', 'over']) {
    expect([text, has(text)]).toEqual([text, false]);
  }
  const rejected = invalid([], { state: 'rejected', answer: { code: 6 } });
  expect(['fr:6', '6', 'rejected', 'sv:6'].map((text) => has(text, rejected))).toEqual([true, true, true, false]);
  const held = invalid([], { state: 'held', hold: { rule: 'amount-over', says: '' } });
  expect(['amount-over', 'held', 'invalid'].map((text) => has(text, held))).toEqual([true, true, false]);
  const closed = invalid([], { evidence: { as: 'invalid', by: 'p', at: '2026-11-20T22:30:00Z' } as Evidence });
  expect(has('set-aside', closed)).toBe(true);
});
