/** Whatever is written in a mapping or a cell: faults with a place, never an exception and never a half document. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { isError } from '../../src/model/fault.ts';
import { cpuTimeMs } from '../cpu-time.ts';
import { runs } from '../seed.ts';
import { EXAMPLE, HEADER, THREE_ROWS } from './example.ts';
import { boundTo, FACTS, FILES, INVOICE, loaded, rowsOf, worldOf } from './world.ts';

const lines = EXAMPLE.split('\n');
const words = [
  '$',
  '=',
  '@',
  '(',
  ')',
  '{ }',
  '[',
  '"',
  ': ',
  '- ',
  'null',
  '~',
  '0',
  '1e5',
  '$x',
  '= 1',
  'each: row',
  'when: x',
  '&a',
  '*a',
];

test('a mapping file with random damage loads or says where it is wrong', () => {
  const edit = fc.record({
    line: fc.nat(lines.length - 1),
    act: fc.constantFrom('drop', 'double', 'cut', 'insert'),
    at: fc.nat(60),
    word: fc.constantFrom(...words),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      const changed = [...lines];
      for (const { line, act, at, word } of edits) {
        const text = changed[line] ?? '';
        if (act === 'drop') changed[line] = '';
        if (act === 'double') changed[line] = `${text}\n${text}`;
        if (act === 'cut') changed[line] = text.slice(0, at);
        if (act === 'insert') changed[line] = `${text.slice(0, at)}${word}${text.slice(at)}`;
      }
      const { mapping, faults } = loadMapping(changed.join('\n'), 'm.yaml', worldOf(FILES));
      expect(mapping === undefined).toBe(faults.some(isError));
      for (const fault of faults) {
        expect(fault.mark?.line).toBeGreaterThan(0);
        expect(fault.mark?.text).toBe((changed.join('\n').split('\n')[fault.mark!.line - 1] ?? '').replace(/\r$/, ''));
      }
    }),
    { numRuns: runs(150) },
  );
});

test('rows with random cells make a draft or located faults, the same ones each time', () => {
  const mapping = loaded(EXAMPLE, FILES);
  const { table, rows } = rowsOf(THREE_ROWS);
  const bound = boundTo(mapping, table);
  const width = HEADER.split(';').length;
  const text = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '0',
      '-1',
      'x',
      '1e9',
      '1,23457E+08',
      '31/02/2026',
      '__proto__',
      'T55',
      'AV',
      '9'.repeat(30),
      '\ud800',
    ),
    fc.string({ maxLength: 8 }),
  );
  const damage = fc.array(fc.record({ row: fc.nat(2), column: fc.nat(width - 1), text }), { maxLength: 5 });
  fc.assert(
    fc.property(damage, (cells) => {
      const changed = rows.map((one) => ({ ...one, cells: [...one.cells] }));
      for (const cell of cells) changed[cell.row]!.cells[cell.column] = cell.text;
      const group = { table, key: ['k'], rows: changed, faults: [] };
      const composed = bound.compose(group, FACTS);
      // A document that only fails a check is whole, and its rules are asked.
      const isUnmade = composed.faults.some((fault) => isError(fault) && fault.code !== 'map/check-failed');
      expect(composed.draft === undefined).toBe(isUnmade);
      for (const { origin } of composed.faults) expect(origin?.row).toBeGreaterThan(1);
      expect(bound.compose(group, FACTS).faults).toEqual(composed.faults);
      if (composed.draft) expect(JSON.stringify(composed.draft.payload)).not.toContain('null');
    }),
    { numRuns: runs(150) },
  );
});

test('the time to load grows with the length of the file, not with its square', () => {
  const lines = Array.from({ length: 3_000 }, (_, n) => `    - { description: '= "x${n}"', net-amount: 1 }\n`);
  const text = `mapping: m
version: 1
target: ${INVOICE.name}
accepts: { files: "*" }
source: { format: csv }
documents: { one-per: N, class: invoice }
output:
  document: { identifier: $N }
  lines:
${lines.join('')}`;
  const begin = cpuTimeMs();
  loaded(text);
  expect(cpuTimeMs() - begin).toBeLessThan(10_000);
});
