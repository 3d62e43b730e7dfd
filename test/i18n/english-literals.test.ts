/** What is written in English alone, in the sources instead of in locales/: only what must stay, with the reason. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '../../src');
/** Texts in English alone per file. A file that needs fewer gets a smaller number here. */
const STAY: { readonly [path: string]: number } = {
  // A payload whose hash is not the recorded one: a defect of the program.
  'receipts/write-errors.ts': 1,
  // Answers of the imitated services, which have one language as those of the real ones do.
  'sandbox/fr-envelope.ts': 2,
  'sandbox/fr-sandbox.ts': 4,
  'sandbox/sv-sandbox.ts': 1,
};
/** A JSON pointer, or a count of what was left out, is no text of a language. */
const LITERAL =
  /\b(?:message|hint): *['"`](?!\/[\w/-]+['"`]|… \[)|\bnew OperatorError\(\s*(?:'[^']+'|\w+),\s*['"`]|\.(?:regex|refine)\(.*, ['"`]/g;

const found = globSync('**/*.ts', { cwd: src }).flatMap((path) =>
  [...readFileSync(join(src, path), 'utf8').matchAll(LITERAL)].map(() => path.replaceAll('\\', '/')),
);

test('no message is in English alone, except those that must stay', () => {
  const counts: { [path: string]: number } = {};
  for (const path of found) counts[path] = (counts[path] ?? 0) + 1;
  expect(counts).toEqual(STAY);
});

test.each([
  "message: 'no file'",
  'hint: `no file`',
  "new OperatorError('a/b', 'no file')",
  "z.string().regex(/^[a-z]$/, 'no file')",
])('%s counts as English alone', (source) => {
  expect(source.match(LITERAL)).toHaveLength(1);
});
