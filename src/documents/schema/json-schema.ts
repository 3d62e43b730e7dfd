/**
 * The zod shape of a kind as plain JSON Schema data: what mappings are checked against and values converted by.
 *
 * References are written out, so that a reader only ever goes down. The one recursive piece (a subtotal holds
 * subtotals) is written out a few levels deep; below them the schema allows anything and the shape still decides.
 */
import { z } from 'zod';
import { definedOnly } from '../../model/defined-only.ts';
import type { Schema } from '../../model/document.ts';
import { must } from '../../model/must.ts';

/** How often a recursive piece is written out. */
const LEVELS = 4;
const REF = '#/$defs/';

type Node = { readonly [keyword: string]: unknown };

/** Only the keywords that mappings need: type, format, description, properties, items, anyOf, additionalProperties. */
export function schemaOf(shape: z.ZodType): Schema {
  const root = z.toJSONSchema(shape, { unrepresentable: 'any' }) as Node;
  return plain(root, (root.$defs ?? {}) as Record<string, Node>, []);
}

/** `inside` lists the references being written out on the way to this node. */
function plain(node: Node, defs: Record<string, Node>, inside: readonly string[]): Schema {
  const ref = node.$ref;
  if (typeof ref === 'string') {
    const open = inside.filter((one) => one === ref).length;
    if (open >= LEVELS) return { type: 'object', additionalProperties: true };
    return plain(must(defs[ref.slice(REF.length)], ref), defs, [...inside, ref]);
  }
  const { type, format, description, properties, items, anyOf, additionalProperties } = node;
  const below = (child: unknown) => plain(child as Node, defs, inside);
  const schema = definedOnly({
    type,
    format,
    description,
    properties: properties === undefined ? undefined : mapValues(properties as Node, below),
    items: items === undefined ? undefined : below(items),
    anyOf: anyOf === undefined ? undefined : (anyOf as unknown[]).map(below),
    // `{}` or a schema here means that fields may have any name.
    additionalProperties: additionalProperties ? true : undefined,
  });
  return schema as unknown as Schema;
}

function mapValues(object: Node, make: (value: unknown) => Schema): { readonly [key: string]: Schema } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, make(value)]));
}
