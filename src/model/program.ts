/** Name and version of the program, as receipts, services and people see them. */
import { readFileSync } from 'node:fs';

/** The same two levels up from src/model and from dist/model. */
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const PROGRAM_VERSION: string = version;
