/** What is still written in English alone, in the sources instead of in locales/: it may only become less. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '../../src');
/** Those of `check` and of mappings, tools and acts of the ledger, which consultants read. */
const MOST = 34;
/** Where every message is in three languages. */
const DONE = ['authoring', 'cli', 'doctor', 'files', 'instance', 'ledger', 'pipeline', 'yaml'];
const LITERAL = /\b(?:message|hint): *['"`]|\bnew OperatorError\(\s*(?:'[^']+'|\w+),\s*['"`]/g;

const found = globSync('**/*.ts', { cwd: src }).flatMap((path) =>
  [...readFileSync(join(src, path), 'utf8').matchAll(LITERAL)].map(() => path.replaceAll('\\', '/')),
);

test('messages in English alone do not become more', () => {
  expect(found.length).toBeLessThanOrEqual(MOST);
});

test('commands, settings, secrets, doctor and the guard of the ledger say nothing in English alone', () => {
  expect(found.filter((path) => DONE.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
});
