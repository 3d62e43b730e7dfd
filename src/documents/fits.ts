/**
 * Does a body fit its shape? The quick yes or no, compiled once per shape; zod is asked only for what is wrong.
 *
 * zod looks at every field a shape could have and makes a copy on the way; this looks at the fields that are there.
 * The answers are the same by construction: leaves call the very test their zod part was made of.
 */
import { z } from 'zod';

type Test = (value: unknown) => boolean;

const COMPILED = new WeakMap<z.ZodType, Test>();

/** The same as `shape.safeParse(value).success`. */
export function fits(shape: z.ZodType, value: unknown): boolean {
  let test = COMPILED.get(shape);
  if (!test) {
    test = compile(shape);
    COMPILED.set(shape, test);
  }
  return test(value);
}

function compile(shape: z.ZodType): Test {
  if (shape instanceof z.ZodObject) return compileObject(shape);
  if (shape instanceof z.ZodArray) {
    const item = compile(shape.element as z.ZodType);
    return (value) => Array.isArray(value) && every(value, item);
  }
  if (shape instanceof z.ZodUnion) {
    const branches = shape.options.map((option) => compile(option as z.ZodType));
    return (value) => branches.some((branch) => branch(value));
  }
  if (shape instanceof z.ZodOptional) {
    const inner = compile(shape.unwrap() as z.ZodType);
    return (value) => value === undefined || inner(value);
  }
  if (shape instanceof z.ZodCustom && shape.def.checks === undefined) return shape.def.fn as Test;
  // Compiled when a body reaches it, because it contains itself; unwrap() would make another shape each time.
  if (shape instanceof z.ZodLazy) return (value) => fits(shape._zod.innerType as z.ZodType, value);
  return (value) => shape.safeParse(value).success;
}

/** Only for objects without a catch-all of their own, whose fields may all be left out. */
function compileObject(shape: z.ZodObject): Test {
  const strict = shape.def.catchall instanceof z.ZodNever;
  const fields = Object.entries(shape.shape).map(([key, field]) => [key, field as z.ZodType] as const);
  if (!strict || !fields.every(([, field]) => field instanceof z.ZodOptional) || shape.def.checks !== undefined) {
    return (value) => shape.safeParse(value).success;
  }
  const tests = new Map(fields.map(([key, field]) => [key, compile(field)]));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const key in value) {
      if (!tests.get(key)?.((value as { readonly [key: string]: unknown })[key])) return false;
    }
    return true;
  };
}

/** As a loop: `every` leaves out holes, and a hole is no item. */
function every(list: readonly unknown[], test: Test): boolean {
  for (let at = 0; at < list.length; at++) if (!test(list[at])) return false;
  return true;
}
