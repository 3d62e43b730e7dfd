/**
 * What is made of the options of a mapping, once for all its files: of a thousand small exports the options would cost
 * more than the rows. The options object comes in, as the mapping keeps it; what was compiled of it before comes out.
 */

/** `make` must neither keep nor change what differs from file to file. What it throws is not kept. */
export function compileOnce<T>(make: (source: unknown) => T): (source: unknown) => T {
  const known = new WeakMap<object, { readonly made: T }>();
  return (source) => {
    if (typeof source !== 'object' || source === null) return make(source);
    const before = known.get(source);
    if (before) return before.made;
    const made = make(source);
    known.set(source, { made });
    return made;
  };
}
