/**
 * The key of a document, for every type of column: rows are one document exactly where the output has one value. The same holds
 * for control totals that count documents, and for the key of two joined files.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadMapping, type Mapping } from '../../src/mapping/mapping.ts';
import { boundTo, FACTS, groupsOf, worldOf } from './world.ts';

/** The declaration of the column `k`, what more `source` has, and cells of which some are one value. */
const TYPES: { readonly [type: string]: readonly [declared: string, more: string, cells: readonly string[]] } = {
  text: ['text', '', ['FA', 'Fa', ' FA ', 'FA\u00a0', '01', '1', 'é', 'e\u0301']],
  'text with replace': ['text', 'replace: { k: { Fa: FA, "fa ": FA, "1": "01" } }', ['FA', 'Fa', 'fa', '01', '1']],
  siren: ['{ text: siren }', '', ['732829320', '732 829 320', '732\u00a0829 320', '900000019']],
  siret: ['{ text: siret }', '', ['73282932000074', '732 829 320 00074', '90000001900008']],
  vat: ['{ text: vat }', '', ['FR44732829320', 'FR 44 732829320', 'DE123456789']],
  nit: ['{ text: nit }', '', ['06140101901010', '0614-010190-101-0', '06140101901011']],
  dui: ['{ text: dui }', '', ['00016297-5', '0001 6297-5', '00016298-3']],
  digits: ['{ text: 5 digits }', '', ['01000', '10000', '01001']],
  number: ['number', '', ['7', '007', '7,0', ' 7', '70', '0,7']],
  'number of its own format': [
    '{ number: { decimal: ".", thousands: space } }',
    '',
    ['1000', '1 000', '1000.00', '100'],
  ],
  'number with replace': ['number', 'replace: { k: { sept: "7" } }', ['7', '07', 'sept', '8']],
  'implied decimals': ['{ number: { implied-decimals: 2 } }', '', ['700', '0700', '70']],
  date: ['date', '', ['01/05/2026', '1/5/2026', '02/05/2026']],
  'date with replace': ['date', 'replace: { k: { hier: "01/05/2026" } }', ['01/05/2026', 'hier', '2/5/2026']],
  'date of its own pattern': ['{ date: d.M.yyyy }', '', ['1.5.2026', '01.05.2026', '1.6.2026']],
  'date-time': ['{ date-time: "d/M/yyyy HH:mm" }', '', ['01/05/2026 10:00', '1/5/2026 10:00', '01/05/2026 10:01']],
};

function mappingOf(declared: string, more: string, onePer: string): Mapping {
  const text = `mapping: m
version: 1
target: fr-invoice
accepts: { files: "ENT_*.csv" }
source:
  format: csv
  numbers: { decimal: "," }
  dates: d/M/yyyy
  columns: { k: ${declared} }
  controls: [{ count-of: documents }]
  join: { with: "LIG_*.csv", key: { k: piece } }
  ${more}
calculated-columns: { copy: = $k }
documents: { class: invoice, one-per: ${onePer}, rows: anywhere }
output:
  document: { identifier: = CONCAT($k) }
  lines: { each: row, make: { description: = CONCAT($k) } }
`;
  const formats = new Map<string, z.ZodType>([['csv', z.looseObject({})]]);
  const { mapping, faults } = loadMapping(text, 'm.yaml', { ...worldOf(), formats });
  if (!mapping) throw new Error(faults.map(({ message }) => message).join('\n'));
  return mapping;
}

/** What the output has for each cell, alone in a document. */
function valuesInOutput(mapping: Mapping, cells: readonly string[]): readonly string[] {
  const table = { file: 'a.csv', columns: ['k', 'n'] };
  return cells.map((cell) => {
    const bound = boundTo(mapping, table);
    const [group] = groupsOf(bound, { table, rows: [{ cells: [cell, '1'], row: 2 }], leftOut: [] });
    const { draft, faults } = bound.compose(group!, FACTS);
    expect(faults).toEqual([]);
    const { lines } = JSON.parse(JSON.stringify(draft?.payload)) as { lines: { description: string }[] };
    return lines[0]!.description.normalize();
  });
}

describe.each(Object.entries(TYPES))('a key of type %s', (_, [declared, more, cells]) => {
  const values = valuesInOutput(mappingOf(declared, more, 'k'), cells);
  const table = { file: 'a.csv', columns: ['k', 'n'] };
  const rows = cells.map((cell, n) => ({ cells: [cell, '1'], row: n + 2 }));
  const expected = [...new Set(values)].map((value) => cells.flatMap((cell, n) => (values[n] === value ? [cell] : [])));

  test('has cells that are one value, but where the text alone counts', () => {
    expect(expected.length < cells.length || declared.includes('digits')).toBe(true);
    expect(expected.length).toBeGreaterThan(1);
  });

  test.each(['k', '[k]', '[n, k]', 'copy', '[n, copy]'])('one-per: %s', (onePer) => {
    const bound = boundTo(mappingOf(declared, more, onePer), table);
    const groups = groupsOf(bound, { table, rows, leftOut: [] });
    expect(groups.map((group) => group.rows.map(({ cells: [cell] }) => cell))).toEqual(expected);
    const tally = bound.controls(FACTS)!;
    tally.see({ rows, controls: [{ control: 0, row: 99, text: String(expected.length) }] });
    expect(tally.faults()).toEqual([]);
  });

  test('joins a header to the lines of its value', () => {
    const { header, line } = mappingOf(declared, more, 'k').join!.key.values[0]!;
    const trimmed = cells.map((cell) => cell.trim());
    for (const [n, cell] of trimmed.entries()) {
      const same = trimmed.filter((other) => line(other) === header(cell));
      expect(same).toEqual(trimmed.filter((__, m) => values[m] === values[n]));
    }
  });
});

test('a cell of a join that cannot be read equals no value', () => {
  const { header, line } = mappingOf('number', '', 'k').join!.key.values[0]!;
  expect(header('7,5')).not.toBe(line('7.5'));
  expect(header('7.5')).toBe(line('7.5'));
});
