/** The build of this program: a hash of its sources. Undefined in a clone, whose sources may change at any time. */

/** build/main.ts replaces this name by the hash. */
declare const NIGHTPOST_BUILD: string | undefined;

/** A key for caches that depend on the text of the program. */
export const BUILD: string | undefined = typeof NIGHTPOST_BUILD === 'string' ? NIGHTPOST_BUILD : undefined;
