/** One PostgreSQL server for all tests of the project: the one of NIGHTPOST_TEST_POSTGRES, or a new one on loopback. */
import type { TestProject } from 'vitest/node';
import { TestServer } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly postgres: string;
  }
}

export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env.NIGHTPOST_TEST_POSTGRES;
  if (given !== undefined) {
    provide('postgres', given);
    return async () => {};
  }
  const server = await TestServer.create();
  provide('postgres', server.url);
  return () => server.remove();
}
