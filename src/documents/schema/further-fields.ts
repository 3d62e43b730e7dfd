/**
 * Fields that a provider takes and its contract does not show: a kind of document and JSON pointers with types in, the
 * kind with a wider shape out, as strict as before. Throws UnusableFieldError for a pointer that the shape cannot take.
 */
import { z } from 'zod';
import type { DocumentKind } from '../../model/document.ts';
import { schemaOf } from './json-schema.ts';
import { part } from './schema-parts.ts';

/** The types of a further field, as JSON has them. */
export const FIELD_TYPES = ['text', 'number', 'integer', 'boolean'] as const;
type FieldType = (typeof FIELD_TYPES)[number];

const SAYS = 'field of the settings (rules.further-fields)';
const LEAVES: { readonly [type in FieldType]: () => z.ZodType } = {
  text: () => part.text(SAYS),
  number: () => part.amount(SAYS),
  integer: () => part.whole(SAYS),
  boolean: () => part.flag(SAYS),
};

/** `known`: the contract has the field. `no-block`: a part of the path is no block, or no list for `*`. */
export class UnusableFieldError extends Error {
  readonly pointer: string;
  readonly why: 'known' | 'no-block';

  constructor(pointer: string, why: UnusableFieldError['why']) {
    super(`${pointer}: ${why}`);
    this.name = 'UnusableFieldError';
    this.pointer = pointer;
    this.why = why;
  }
}

/** `fields`: pointer (`/emisor/direccion/distrito`, `*` for each item of a list) -> type. */
export function withFurtherFields(kind: DocumentKind, fields: { readonly [pointer: string]: FieldType }): DocumentKind {
  const pointers = Object.entries(fields);
  if (pointers.length === 0) return kind;
  // Parts of one new block come one after the other: the second one extends the block that the first one made.
  const shape = pointers.reduce(
    (wider, [pointer, type]) => extended(wider, pointer.slice(1).split('/'), LEAVES[type](), pointer),
    kind.shape,
  );
  return { ...kind, shape, schema: schemaOf(shape) };
}

function extended(
  shape: z.ZodType,
  [key = '', ...rest]: readonly string[],
  leaf: z.ZodType,
  pointer: string,
): z.ZodType {
  const description = shape.description ?? '';
  if (key === '*') {
    if (!(shape instanceof z.ZodArray) || rest.length === 0) throw new UnusableFieldError(pointer, 'no-block');
    return part.list(description, extended(shape.element as z.ZodType, rest, leaf, pointer));
  }
  if (!(shape instanceof z.ZodObject) || shape.def.catchall === undefined) {
    throw new UnusableFieldError(pointer, 'no-block');
  }
  const fields: { readonly [key: string]: z.ZodOptional<z.ZodType> } = shape.shape;
  const known = Object.hasOwn(fields, key) ? fields[key]?.unwrap() : undefined;
  if (known && rest.length === 0) throw new UnusableFieldError(pointer, 'known');
  const field = known ? extended(known, rest, leaf, pointer) : made(rest, leaf);
  const parts = Object.entries(fields).map(([name, value]) => [name, value.unwrap()] as const);
  return part.object(description, Object.fromEntries([...parts.filter(([name]) => name !== key), [key, field]]));
}

/** The field itself, or the new block or list around it. */
function made([key, ...rest]: readonly string[], leaf: z.ZodType): z.ZodType {
  if (key === undefined) return leaf;
  const inner = made(rest, leaf);
  return key === '*' ? part.list(SAYS, inner) : part.object(SAYS, { [key]: inner });
}
