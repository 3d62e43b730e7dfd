/** Name and version of the program, as receipts, services and people see them. */
import { readFileSync } from 'node:fs';

/** The same two levels up from src/model and from dist/model. */
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const PROGRAM_VERSION: string = version;

/** build/bundle.ts replaces this name by a hash of the sources; a clone, whose sources may change at any time, has none. */
declare const NIGHTPOST_BUILD: string | undefined;

/** A key for caches that depend on the text of the program. */
export const BUILD: string | undefined = typeof NIGHTPOST_BUILD === 'string' ? NIGHTPOST_BUILD : undefined;

/** Two builds of one version differ: 0.1.0+4f0c19d2a7b3, as build metadata of semantic versioning. */
export const PROGRAM_BUILD: string = BUILD === undefined ? version : `${version}+${BUILD.slice(0, 12)}`;
