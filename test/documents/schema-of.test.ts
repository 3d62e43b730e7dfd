import { expect, test } from 'vitest';
import { z } from 'zod';
import { frInvoice } from '../../src/documents/fr/fr-invoice.ts';
import { schemaOf } from '../../src/documents/schema/json-schema.ts';
import { part } from '../../src/documents/schema/schema-parts.ts';
import { svRemissionNote } from '../../src/documents/sv/sv-remission-note.ts';
import type { Schema } from '../../src/model/document.ts';

test('types, formats and descriptions of every kind of piece', () => {
  const shape = part.object('top', {
    text: part.text('a text'),
    amount: part.amount('an amount'),
    whole: part.whole('a count'),
    flag: part.flag('a flag'),
    day: part.day('a day'),
    moment: part.localMoment('a moment'),
    list: part.list('a list', part.text('an entry')),
    free: part.free('any fields', part.text('a text')),
  });
  expect(schemaOf(shape)).toEqual({
    type: 'object',
    description: 'top',
    properties: {
      text: { type: 'string', description: 'a text' },
      amount: { type: 'number', description: 'an amount' },
      whole: { type: 'integer', description: 'a count' },
      flag: { type: 'boolean', description: 'a flag' },
      day: { type: 'string', format: 'date', description: 'a day' },
      moment: { type: 'string', format: 'date-time', description: 'a moment' },
      list: { type: 'array', description: 'a list', items: { type: 'string', description: 'an entry' } },
      free: { type: 'object', description: 'any fields', additionalProperties: true },
    },
  });
});

test('a recursive piece is written out four levels deep, then anything goes', () => {
  const tree: z.ZodType = z.lazy(() => part.object('node', { child: tree }));
  let schema: Schema | undefined = schemaOf(part.object('top', { tree })).properties?.tree;
  for (let level = 0; level < 4; level++) {
    expect(schema).toMatchObject({ description: 'node' });
    schema = schema?.properties?.child;
  }
  expect(schema).toEqual({ type: 'object', additionalProperties: true });
});

test.each([frInvoice, svRemissionNote])('$name is plain data', ({ schema }) => {
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  expect(JSON.stringify(schema)).not.toContain('$ref');
});
