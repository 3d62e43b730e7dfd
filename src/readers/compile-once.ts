/**
 * Compiles the options of a mapping once for all its files: in a night of a thousand small exports, compiling them per
 * file costs more than reading the rows. In: the options object of the mapping. Out: what `make` returned for it.
 */

/**
 * Caches by identity of the options object. `make` must not keep or change anything that differs from file to file.
 * An error of `make` passes to the caller and is not cached; a source that is not an object is compiled each time.
 */
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
