/** Every value that an output writes is in the document: nothing vanishes but an empty cell, and a block of empty cells. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DOCUMENT_KINDS } from '../../src/catalogue.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import type { Schema } from '../../src/model/document.ts';
import { isError } from '../../src/model/fault.ts';
import { runs } from '../seed.ts';
import { convert, worldOf } from './world.ts';

const targets = DOCUMENT_KINDS.map(({ name, classes, schema, acceptsFile }) => ({
  name,
  classes,
  schema,
  acceptsFile,
}));
const world = { ...worldOf(), targets };

/** A document of three rows. Columns named e… are empty in every row. */
const COLUMNS = { text: 'a', number: 5, day: '2026-11-20', rate: 20, etext: '', enumber: '', eday: '' };
const CSV = ['Num;text;number;day;rate;etext;enumber;eday', ...'123']
  .join('\n')
  .replace(/\n\d/g, '\nF;a;5;2026-11-20;20;;;');
const ROWS = 3;

type Tree = { readonly [key: string]: unknown };

/** Something a consultant may write for a part of this shape; undefined for nothing. */
function written(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const branches = schema.anyOf ?? [schema];
  return fc.oneof(...branches.map((branch) => ofBranch(branch, depth)));
}

function ofBranch(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { type, format, properties, items } = schema;
  if (properties) return block(properties, depth);
  if (items) return depth > 4 ? fc.constant(undefined) : list(items, depth);
  if (format === 'date') return fc.constantFrom('$day', '$eday', '= $day', '2026-11-20');
  if (format !== undefined) return fc.constant(undefined);
  if (type === 'number' || type === 'integer') return fc.constantFrom('$number', '$enumber', '= $number + 1', 7);
  if (type === 'boolean') return fc.constantFrom(true, '= $number > 4', false);
  return type === 'string' ? fc.constantFrom('$text', '$etext', '= $text & "!"', 'x') : fc.constant(undefined);
}

function block(properties: { readonly [key: string]: Schema }, depth: number): fc.Arbitrary<unknown> {
  if (depth > 4) return fc.constant(undefined);
  const model = Object.entries(properties).map(([key, schema]) => [key, written(schema, depth + 1)] as const);
  const fields = fc.record(Object.fromEntries(model), { requiredKeys: [] }).map(withoutUndefined);
  const when = fc.constantFrom(undefined, undefined, undefined, '= $number > 4', '= $number > 5');
  return fc.tuple(fields, depth === 0 ? fc.constant(undefined) : when).map(([found, condition]) => {
    if (Object.keys(found).length === 0) return undefined;
    return condition === undefined ? found : { when: condition, ...found };
  });
}

function list(items: Schema, depth: number): fc.Arbitrary<unknown> {
  const some = fc
    .array(written(items, depth + 1), { minLength: 1, maxLength: 3 })
    .map((all) => all.filter((one) => one !== undefined));
  const each = written(items, depth + 1).map((make) => (make === undefined ? undefined : { each: 'row', make }));
  return fc
    .oneof(some, depth > 2 ? some : each)
    .map((found) => (Array.isArray(found) && found.length === 0 ? undefined : found));
}

function withoutUndefined(found: Tree): Tree {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The ready-made totals, which add to what is around them. */
const TOTALS = { net: '$number', rate: '$rate', currency: 'EUR', order: 'ascending' };
const totals = fc.constantFrom(
  undefined,
  { standard: TOTALS },
  { standard: { ...TOTALS, alternate: { currency: 'USD', rate: '$number' } } },
  {
    standard: {
      ...TOTALS,
      discount: { amount: '$number', type: 'discount' },
      alternate: { currency: 'USD', rate: '= 2' },
    },
  },
);
const SUMMARY = fc.constantFrom(
  undefined,
  { standard: { taxed: '$number' } },
  { standard: { variant: 'zero' } },
  { standard: { variant: 'taxed-with-vat', taxed: '$number', exempt: '$rate' } },
);
const period = fc.constantFrom(undefined, { standard: { regime: 'month', date: '= MIN($day)' } });
const notes = fc.constantFrom(undefined, { standard: {} }, [{ standard: { 'late-payment-penalty': '$text' } }]);

/** What has to be there: the value, `ready` for a part that the program writes, undefined for what may be absent. */
function expected(tree: unknown): { readonly value: unknown; readonly live: boolean } {
  if (typeof tree === 'string' && /^[$=]/.test(tree)) return { value: cellOf(tree), live: true };
  if (typeof tree !== 'object' || tree === null) return { value: tree, live: false };
  if (Array.isArray(tree)) {
    const parts = tree.map(expected);
    const found = parts.flatMap(({ value }) => (value === undefined ? [] : [value]));
    return { value: found.length > 0 ? found : undefined, live: parts.some(({ live }) => live) };
  }
  const { each, make, when, standard, ...fields } = tree as Tree;
  if (standard !== undefined) return { value: READY, live: true };
  if (each !== undefined) {
    const { value } = expected(make);
    return { value: value === undefined ? undefined : new Array(ROWS).fill(value), live: true };
  }
  const parts = Object.entries(fields).map(([key, part]) => [key, expected(part)] as const);
  const live = parts.some(([, part]) => part.live);
  const filled = !live || parts.some(([, part]) => part.live && part.value !== undefined);
  const isKept = filled && when !== '= $number > 5';
  return {
    value: isKept ? withoutUndefined(Object.fromEntries(parts.map(([key, { value }]) => [key, value]))) : undefined,
    live,
  };
}

const READY = Symbol('written by the program');

function cellOf(text: string): unknown {
  if (text === '= $day') return COLUMNS.day;
  if (text === '= $number + 1') return 6;
  if (text === '= $number > 4') return true;
  if (text === '= $text & "!"') return 'a!';
  const cell = COLUMNS[text.slice(1) as keyof typeof COLUMNS];
  return cell === '' ? undefined : cell;
}

/** Pointers of what is expected and not in the document; more than expected is no loss. */
function lost(value: unknown, json: unknown, at = ''): readonly string[] {
  if (value === undefined) return [];
  if (value === READY) return json === undefined ? [at] : [];
  if (typeof value !== 'object' || value === null) return json === value ? [] : [`${at}: ${JSON.stringify(json)}`];
  if (typeof json !== 'object' || json === null) return [at];
  return Object.entries(value).flatMap(([key, inner]) => lost(inner, (json as Tree)[key], `${at}/${key}`));
}

describe.each(targets)('$name', ({ name, classes, schema }) => {
  const properties = schema.properties ?? {};
  const ready: { readonly [key: string]: fc.Arbitrary<unknown> } = { totals, notes, resumen: SUMMARY };
  const root = fc
    .tuple(block(properties, 0), fc.record(ready), period, fc.boolean())
    .map(([found, made, days, isReady]): Tree => {
      const tree = (found ?? {}) as { [key: string]: unknown };
      if (isReady) {
        const fitting = Object.entries(made).filter(([key, value]) => key in properties && value !== undefined);
        Object.assign(tree, Object.fromEntries(fitting));
        // The lines of a note that has a ready-made summary write no amounts.
        if (tree.resumen && made.resumen)
          tree.cuerpoDocumento = { each: 'row', make: { numItem: '$number', cantidad: 2 } };
        if (tree.document && days && name === 'fr-report') tree.document = { ...tree.document, period: days };
      }
      return tree;
    });

  test('every value that is written is in the document, or its absence is a fault', () => {
    let compared = 0;
    fc.assert(
      fc.property(root, (output) => {
        const text = mappingOf(name, classes[0] ?? '', output);
        const { mapping, faults } = loadMapping(text, 'm.yaml', world);
        if (!mapping) {
          expect(faults.some(isError)).toBe(true);
          return;
        }
        const [result] = convert(mapping, CSV);
        if (result?.faults.some(isError)) return;
        compared++;
        expect(lost(expected(output).value, result?.json)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
    expect(compared).toBeGreaterThan(30);
  });
});

function mappingOf(target: string, documentClass: string, output: Tree): string {
  return JSON.stringify({
    mapping: 'm',
    version: 1,
    target,
    accepts: { files: '*.csv' },
    source: {
      format: 'csv',
      columns: { number: 'number', rate: 'number', enumber: 'number', day: 'date', eday: 'date' },
      dates: 'yyyy-MM-dd',
    },
    documents: { 'one-per': 'Num', class: documentClass, 'identical-rows': 'allowed' },
    output,
  });
}
