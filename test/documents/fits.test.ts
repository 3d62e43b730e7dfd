import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { frInvoice } from '../../src/documents/fr/fr-invoice.ts';
import { frReport } from '../../src/documents/fr/fr-report.ts';
import { beginning, written } from '../../src/documents/schema/json-writer.ts';
import { isText, part } from '../../src/documents/schema/schema-parts.ts';
import { fits, writeFitting } from '../../src/documents/schema/shape-encoder.ts';
import { svRemissionNote } from '../../src/documents/sv/sv-remission-note.ts';
import { Decimal } from '../../src/model/decimal.ts';
import type { Schema } from '../../src/model/document.ts';
import { Numbering } from '../../src/model/draft.ts';
import { runs } from '../seed.ts';

const leaf = fc.constantFrom<unknown>(
  'text',
  '',
  '2026-11-20',
  '2026-02-30',
  '2026-11-20T10:00:00',
  '2026-11-20T10:00:00Z',
  'QUJD',
  'half \ud800',
  'nul \0',
  'bell \u0007',
  'no character \uffff',
  'lines\r\n\tand tabs',
  Decimal.of(15, 1),
  Decimal.of(10, 1),
  new Numbering('till', [], 'text'),
  new Numbering('till', [], 'number'),
  true,
  null,
  undefined,
  {},
  [],
  [undefined],
  7,
);

/** A body that fits the schema nearly everywhere, so that the answer is often yes. */
function bodies(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const branch = schema.anyOf ? fc.oneof(...schema.anyOf.map((one) => bodies(one, depth))) : right(schema, depth);
  return fc.oneof({ weight: 60, arbitrary: branch }, { weight: 1, arbitrary: leaf });
}

function right(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.properties) {
    const names = Object.keys(schema.properties);
    const some = fc.subarray(names, { maxLength: depth > 4 ? 0 : Math.min(3, names.length) });
    const fields = some.chain((chosen) =>
      fc.tuple(...chosen.map((name) => bodies(schema.properties![name]!, depth + 1))).map((values) => {
        return Object.fromEntries(chosen.map((name, at) => [name, values[at]]));
      }),
    );
    const strange = fields.map((block) => ({ ...block, 'no-such-field': 'x' }));
    return fc.oneof({ weight: 60, arbitrary: fields }, { weight: 1, arbitrary: strange });
  }
  if (schema.type === 'array') return fc.array(bodies(schema.items ?? {}, depth + 1), { maxLength: depth > 4 ? 0 : 2 });
  if (schema.format === 'date') return fc.constant('2026-11-20');
  if (schema.format === 'date-time') return fc.constantFrom('2026-11-20T10:00:00', '2026-11-20T10:00:00Z');
  if (schema.type === 'string') return fc.constantFrom('text', 'QUJD');
  if (schema.type === 'boolean') return fc.boolean();
  return schema.type === 'number' || schema.type === 'integer' ? fc.constant(Decimal.of(12, 0)) : leaf;
}

function textOf(shape: z.ZodType, body: unknown): string {
  const start = beginning() + 3;
  return written(start, writeFitting(shape, body, start)).toString();
}

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\r', '\t', '\u007f', 'é', '€', '\u2028', '😀', '\ufffd') }),
  fc.string({ minLength: 4000, maxLength: 9000 }),
);
const decimals = fc.oneof(
  fc.record({ units: fc.maxSafeInteger(), scale: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ units: fc.integer({ min: -1_000_000_001, max: 1_000_000_001 }), scale: fc.integer({ min: -3, max: 8 }) }),
  fc.record({ units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), scale: fc.integer({ min: 0, max: 30 }) }),
);

test('the JSON text is that of JSON.stringify', () => {
  const shape = part.object('block', { text: part.text('text'), amounts: part.list('list', part.amount('amount')) });
  fc.assert(
    fc.property(texts, fc.array(decimals, { maxLength: 4 }), (text, all) => {
      fc.pre(isText(text));
      const body = { text, amounts: all.map(({ units, scale }) => Decimal.of(units, scale)) };
      expect(textOf(shape, body)).toBe(JSON.stringify(body));
    }),
    { numRuns: runs(1000) },
  );
});

test('a text of any length, and the fields after it', () => {
  const shape = part.object('block', { a: part.text('text'), b: part.text('text') });
  for (const length of [0, 4096, 4097, 65_530, 65_536, 200_000, 2_000_000]) {
    const body = { a: 'é'.repeat(length), b: 'x"y' };
    expect(textOf(shape, body)).toBe(JSON.stringify(body));
  }
});

describe('a block that comes again', () => {
  const inner = part.object('inner', { text: part.text('text') });
  const shape = part.object('block', { a: inner, list: part.list('list', inner) });

  test('is copied so that no caller can change it', () => {
    const block = Object.freeze({ text: 'é"x' });
    for (let n = 0; n < 4; n++) {
      const body = { a: block, list: Array<object>(n).fill(block) };
      expect(textOf(shape, body)).toBe(JSON.stringify(body));
    }
  });

  test('is looked at again where it may have changed', () => {
    const block = { text: 'x' };
    const held = Object.freeze({ a: block });
    for (const text of ['x', 'y', 'longer', '\n', 'y']) {
      block.text = text;
      for (const body of [held, { a: block }, { list: [block, block] }]) {
        expect(textOf(shape, body)).toBe(JSON.stringify(body));
      }
    }
    Object.assign(block, { text: 7 });
    expect(fits(shape, held)).toBe(false);
  });
});

describe.each([frInvoice, frReport, svRemissionNote])('$name', ({ shape, schema }) => {
  test('the quick answer is that of zod', () => {
    let yes = 0;
    const tries = runs(1500);
    fc.assert(
      fc.property(bodies(schema), (body) => {
        const { success } = shape.safeParse(body);
        if (success) yes++;
        expect(fits(shape, body)).toBe(success);
        if (success) expect(textOf(shape, body)).toBe(JSON.stringify(body));
      }),
      { numRuns: tries },
    );
    // Both answers are tried, or nothing was compared.
    expect(yes).toBeGreaterThan(tries / 10);
    expect(yes).toBeLessThan(tries);
  });
});

test('a name of the prototype is a field like any other', () => {
  const shape = part.object('block', { name: part.text('name') });
  for (const text of ['{"__proto__":{}}', '{"constructor":1}', '{"name":"x"}', '{}']) {
    const body = JSON.parse(text) as unknown;
    expect(fits(shape, body)).toBe(shape.safeParse(body).success);
  }
});

test.each([
  ['a loose object', z.looseObject({ a: part.text('a').optional() }), { a: 'x', b: 1 }, true],
  ['a field that must be there', z.strictObject({ a: part.text('a') }), {}, false],
  ['a refined object', z.strictObject({}).refine(() => false), {}, false],
  ['a number', z.number(), 1, true],
])('leaves to zod what it does not know: %s', (_, shape, body, expected) => {
  expect(fits(shape, body)).toBe(expected);
  expect(shape.safeParse(body).success).toBe(expected);
});
