/**
 * Does a body fit its shape, and what is its JSON text? Both in one walk, compiled once per shape; zod is asked only for
 * what is wrong.
 *
 * zod looks at every field a shape could have and makes a copy on the way; this looks at the fields that are there.
 * The answers are the same by construction: leaves call the very test their zod part was made of.
 */
import { z } from 'zod';
import { isFrozen, type Json } from '../../model/draft.ts';
import {
  beginning,
  hasSpecial,
  type JsonName,
  jsonNameOf,
  NOT_PLAIN,
  replaceByte,
  writeBytes,
  writeDecimal,
  writeName,
  writePlain,
  writeValue,
  written,
} from './json-writer.ts';
import { isAmount, isText } from './schema-parts.ts';

/** Writes the JSON text of a value at a place of the buffer; returns the place after it, or MISFIT. */
type Write = (value: unknown, at: number) => number;

/** The place that a failed write returns. */
export const MISFIT = -1;
const OPEN_LIST = Buffer.from('[');
const CLOSE_LIST = Buffer.from(']');
const OPEN_BLOCK = 123;
const CLOSE_BLOCK = Buffer.from('}');
const EMPTY_BLOCK = Buffer.from('{}');
const BETWEEN = Buffer.from(',');

const COMPILED = new WeakMap<z.ZodType, Write>();

/** The same as `shape.safeParse(value).success`. */
export function fits(shape: z.ZodType, value: unknown): boolean {
  return writeFitting(shape, value, beginning()) !== MISFIT;
}

/**
 * As `fits`; the JSON text of a value that fits is in the buffer of json-writer from `at` on. Returns its end, or
 * MISFIT.
 */
export function writeFitting(shape: z.ZodType, value: unknown, at: number): number {
  let write = COMPILED.get(shape);
  if (!write) {
    write = compile(shape);
    COMPILED.set(shape, write);
  }
  return write(value, at);
}

/** One writer per part of a shape; parts that it does not know are left to zod. */
function compile(shape: z.ZodType): Write {
  if (shape instanceof z.ZodObject) return compileObject(shape);
  if (shape instanceof z.ZodArray) return compileList(compile(shape.element as z.ZodType));
  if (shape instanceof z.ZodUnion) {
    const branches = shape.options.map((option) => compile(option as z.ZodType));
    return (value, at) => {
      for (const branch of branches) {
        const end = branch(value, at);
        if (end !== MISFIT) return end;
      }
      return MISFIT;
    };
  }
  if (shape instanceof z.ZodOptional) {
    const inner = compile(shape.unwrap() as z.ZodType);
    return (value, at) => (value === undefined ? writeValue(value, at) : inner(value, at));
  }
  if (shape instanceof z.ZodCustom && shape.def.checks === undefined) {
    const test = shape.def.fn as (value: unknown) => boolean;
    if (test === isText) return textLeaf;
    if (test === isAmount) return amountLeaf;
    return (value, at) => (test(value) ? writeValue(value, at) : MISFIT);
  }
  // Compiled when a body reaches it, because it contains itself; unwrap() would make another shape each time.
  if (shape instanceof z.ZodLazy) return (value, at) => writeFitting(shape._zod.innerType as z.ZodType, value, at);
  return asked(shape);
}

/** The slow way: zod decides, and the value is written as it is. */
function asked(shape: z.ZodType): Write {
  return (value, at) => (shape.safeParse(value).success ? writeValue(value, at) : MISFIT);
}

function textLeaf(value: unknown, at: number): number {
  const end = typeof value === 'string' ? writePlain(value, at) : NOT_PLAIN;
  if (end !== NOT_PLAIN) return end;
  return isText(value) ? writeValue(value, at) : MISFIT;
}

function amountLeaf(value: unknown, at: number): number {
  return isAmount(value) ? writeDecimal(value, at) : MISFIT;
}

function compileList(item: Write): Write {
  return (value, start) => {
    if (!Array.isArray(value)) return MISFIT;
    let at = writeBytes(OPEN_LIST, start);
    // As a loop: `every` leaves out holes, and a hole is no item.
    for (let n = 0; n < value.length; n++) {
      at = item(value[n], n === 0 ? at : writeBytes(BETWEEN, at));
      if (at === MISFIT) return MISFIT;
    }
    return writeBytes(CLOSE_LIST, at);
  };
}

/** `next`: the field that followed this one the last time. */
type Field = { readonly key: string; readonly name: JsonName; readonly write: Write; next: Field | undefined };

/** Only for objects without a catch-all of their own, whose fields may all be left out. */
function compileObject(shape: z.ZodObject): Write {
  const strict = shape.def.catchall instanceof z.ZodNever;
  const parts = Object.entries(shape.shape).map(([key, field]) => [key, field as z.ZodType] as const);
  if (!strict || !parts.every(([, field]) => field instanceof z.ZodOptional) || shape.def.checks !== undefined) {
    return asked(shape);
  }
  const fields = new Map(
    parts.map(([key, field]): [string, Field] => {
      const name = jsonNameOf(`,${JSON.stringify(key)}:`);
      // What is undefined is left out before it is asked.
      const write = compile((field as z.ZodOptional<z.ZodType>).unwrap());
      return [key, { key, name, write, next: undefined }];
    }),
  );
  const first: Field = { key: '', name: jsonNameOf(''), write: asked(shape), next: undefined };
  // A block that is the very same as the one before, such as an issuer of literals, is copied from its second time on.
  let last: unknown;
  let copied: Uint8Array | undefined;
  return (value, start) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return MISFIT;
    const again = value === last;
    if (again && copied) return writeBytes(copied, start);
    if (!again) copied = undefined;
    last = value;
    let at = start;
    let before = first;
    for (const key in value) {
      // A mapping gives its fields in one order: the next is nearly always the same, and needs no search.
      let field = before.next;
      if (field?.key !== key) {
        field = fields.get(key);
        if (!field) return MISFIT;
        before.next = field;
      }
      before = field;
      const part = (value as { readonly [key: string]: unknown })[key];
      if (part === undefined) continue;
      at = field.write(part, writeName(field.name, at));
      if (at === MISFIT) return MISFIT;
    }
    if (at === start) return writeBytes(EMPTY_BLOCK, at);
    // Each field begins with a comma: that of the first one is the brace.
    replaceByte(OPEN_BLOCK, start);
    const end = writeBytes(CLOSE_BLOCK, at);
    if (again && !hasSpecial() && isFrozen(value as Json)) copied = Uint8Array.from(written(start, end));
    return end;
  };
}
