/** What mapping tests stand on: a target like the French invoice, a format, rows made of text, and the example. */
import { expect } from 'vitest';
import { z } from 'zod';
import type { Bound } from '../../src/mapping/bind.ts';
import { loadMapping, type Mapping } from '../../src/mapping/mapping.ts';
import type { MappingWorld, Target } from '../../src/mapping/mapping-world.ts';
import type { Facts } from '../../src/mapping/runtime/value.ts';
import type { Schema } from '../../src/model/document.ts';
import type { Fault } from '../../src/model/fault.ts';
import type { Batch, Row, RowGroup, Table } from '../../src/model/row.ts';
import { showMarked } from '../../src/yaml/yaml-document.ts';

const text: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const date: Schema = { type: 'string', format: 'date' };
const block = (properties: { [key: string]: Schema }): Schema => ({ type: 'object', properties });
const list = (items: Schema): Schema => ({ type: 'array', items });

const party = block({
  name: text,
  identifiers: list(block({ type: text, value: text })),
  address: block({ street: text, city: text, 'postal-code': text, country: text }),
});
const tax = block({ type: text, subtype: text, percent: number, amount: number });
const subtotal: { -readonly [key in keyof Schema]: Schema[key] } = {};
Object.assign(subtotal, {
  type: 'object',
  properties: {
    type: text,
    class: text,
    subtype: text,
    percent: number,
    'taxable-amount': number,
    amount: number,
    sign: text,
    'before-taxes': { type: 'boolean' },
    subtotals: list({ anyOf: [text, subtotal] }),
  },
} satisfies Schema);

const totals = block({ 'final-amount': number, currency: text, subtotals: list(subtotal) });

export const INVOICE: Target = {
  name: 'fr-invoice',
  classes: ['invoice', 'credit-note', 'corrective'],
  acceptsFile: true,
  schema: block({
    document: block({
      series: text,
      identifier: text,
      date,
      'date-due': date,
      currency: text,
      'currency-taxes': text,
      language: text,
      copies: { type: 'integer' },
    }),
    issuer: party,
    receiver: party,
    references: list(block({ type: text, identifier: text, date })),
    lines: list(
      block({
        number: text,
        identifier: text,
        description: text,
        quantity: number,
        unit: text,
        'unit-price': number,
        'net-amount': number,
        taxes: list(tax),
        tags: list(text),
      }),
    ),
    totals,
    'alternate-totals': list(totals),
    notes: list(block({ content: text, tag: text })),
  }),
};

export const NOTE: Target = {
  name: 'sv-remission-note',
  classes: ['remission-note'],
  acceptsFile: false,
  schema: block({
    NumeroSecuencial: { type: 'integer' },
    tipoMoneda: text,
    Adjuntos: list(text),
    extension: block({}),
  }),
};

const csvOptions = z.strictObject({
  encoding: z.string().optional(),
  delimiter: z.string().default(';'),
  'header-row': z.number().default(1),
});
const xmlOptions = z.strictObject({ row: z.string(), columns: z.record(z.string(), z.string()) });

export function worldOf(files: { readonly [path: string]: string } = {}): MappingWorld {
  return {
    targets: [INVOICE, NOTE],
    formats: new Map<string, z.ZodType>([
      ['csv', csvOptions],
      ['xml', xmlOptions],
    ]),
    readText: (path) => files[path],
  };
}

export const FACTS: Facts = { today: '2026-11-20', file: { name: 'FAC_0905.csv', base64: () => 'UERG' } };

/** Header and rows separated by semicolons; blank lines count as rows of the file but make none. */
export function rowsOf(csv: string, file = 'FAC_0905.csv'): { readonly table: Table; readonly rows: readonly Row[] } {
  const [header = '', ...lines] = csv.trim().split('\n');
  const table = { file, columns: header.split(';') };
  const rows = lines.map((line, n) => ({ cells: line.split(';'), row: n + 2 }));
  return { table, rows: rows.filter((row) => row.cells.join('') !== '') };
}

export function loaded(yaml: string, files?: { readonly [path: string]: string }): Mapping {
  const { mapping, faults } = loadMapping(yaml, 'mappings/test.yaml', worldOf(files));
  if (!mapping) throw new Error(faults.map(showMarked).join('\n'));
  return mapping;
}

/** What is found in a mapping file: `line:column code message`. */
export function findingsOf(yaml: string, files?: { readonly [path: string]: string }): readonly string[] {
  const { faults } = loadMapping(yaml, 'mappings/test.yaml', worldOf(files));
  return faults.map(({ mark, code, message }) => `${mark?.line}:${mark?.column} ${code} ${message}`);
}

export function boundTo(mapping: Mapping, table: Table): Bound {
  const bound = mapping.bind(table);
  if ('faults' in bound) throw new Error(bound.faults.map((fault) => `${fault.message} ${fault.hint}`).join('\n'));
  return bound;
}

export type Result = { readonly group: RowGroup; readonly json: unknown; readonly faults: readonly Fault[] };

/** All groups of a text, composed; what compose gives as JSON a reader of the wire sees. */
export function convert(mapping: Mapping, csv: string): readonly Result[] {
  const { table, rows } = rowsOf(csv);
  const bound = boundTo(mapping, table);
  return groupsOf(bound, { table, rows, leftOut: [] }).map((group) => {
    const { draft, faults } = bound.compose(group, FACTS);
    return { group, json: draft && JSON.parse(JSON.stringify(draft.payload)), faults };
  });
}

export function groupsOf(bound: Bound, batch: Batch, facts = FACTS): readonly RowGroup[] {
  const grouper = bound.grouper(facts);
  const groups = [...grouper.push(batch).groups, ...grouper.end().groups];
  expect(grouper.again()).toBeUndefined();
  return groups;
}

/** `row:column code message -> pointer`. */
export function shown(fault: Fault): string {
  const { origin } = fault;
  return `${origin?.row}:${origin?.column ?? ''} ${fault.code} ${fault.message} -> ${fault.at ?? ''}`;
}

const COMPANIES = `"01":
  name: Démo Émetteur SAS
  identifiers:
    - { type: siren, value: "900000019" }
  address: { street: 1 rue du Test, city: Paris, postal-code: "75001", country: FR }
`;
const UNITS = 'erp;api\nM;MTR\nPCE;C62\n';
export const FILES = { 'tables/units.csv': UNITS, 'tables/companies.yaml': COMPANIES };
