/** Which build of the program this is: a hash of its sources. A clone runs sources that may change at any time, and has none. */

/** Written in by build/main.ts. */
declare const NIGHTPOST_BUILD: string | undefined;

export const BUILD: string | undefined = typeof NIGHTPOST_BUILD === 'string' ? NIGHTPOST_BUILD : undefined;
