/**
 * A table of words in the code, to be asked with words from outside: a plain object would answer "constructor" and
 * "toString" as well.
 */
export function dictionary<T>(entries: { readonly [word: string]: T }): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}
