/**
 * Every statement that changes the state of an entry names in its WHERE the state that it was judged in, so that no other
 * program or answer comes between. Imports and migrations are left out: no other program uses the ledger then.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ALONE = new Set(['src/ledger/records/import-outputs.ts', 'src/database/migrations.ts']);

const STATEMENT = /UPDATE entry(?: AS e)? SET ([^`']*?(?:'[^`']*'[^`']*?)*?)[`]/g;

test('no statement changes the state of an entry without the state it was judged in', () => {
  const found: string[] = [];
  const without: string[] = [];
  for (const file of globSync('src/ledger/**/*.ts').map((path) => path.replaceAll('\\', '/'))) {
    if (ALONE.has(file)) continue;
    for (const [statement, body = ''] of readFileSync(file, 'utf8').matchAll(STATEMENT)) {
      const [set = '', ...where] = body.split(/\bWHERE\b/);
      if (!/(?:^|,)\s*state = |\$\{columns\}/.test(set)) continue;
      found.push(file);
      const names = /\bstate\b|AS_JUDGED|asItWas|unanswered|READY/.test(where.join(' '));
      // The condition on the state is added where the statement is used.
      if (!names && !/WHERE id = \? AND submits = \?$/.test(body.trim())) without.push(`${file}: ${statement}`);
    }
  }
  expect(without).toEqual([]);
  expect(new Set(found).size).toBeGreaterThanOrEqual(6);
});
