/** Objects and lists without what is undefined: `exactOptionalPropertyTypes` separates an absent key from an undefined one. */

/** Keys that may be undefined become optional; the others stay as they are. */
type DefinedOnly<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * A copy without the keys of value undefined, symbols included: `definedOnly({ row, column })` in place of
 * `{ row, ...(column === undefined ? {} : { column }) }`. A loop over cells assigns keys one by one instead: it is faster.
 */
export function definedOnly<const T extends object>(object: T): DefinedOnly<T> {
  const entries = Reflect.ownKeys(object).map((key) => [key, object[key as keyof T]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as DefinedOnly<T>;
}

/** The items that are not undefined, in their order: `definedItems([number, hasTax ? tax : undefined])`. */
export function definedItems<T>(items: readonly (T | undefined)[]): readonly T[] {
  return items.filter((item) => item !== undefined);
}

/** What zod infers, as this project has data: read only, and a key that is absent is not undefined. */
export type Exact<T> = T extends readonly (infer Item)[]
  ? readonly Exact<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Exact<Exclude<T[Key], undefined>> }
    : T;
