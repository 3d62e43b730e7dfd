/** The lists of files in biome.jsonc that may still break a rule: exact, and never longer than today. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The most files that may break each rule. Lower a number with its list; raise none. */
const MOST: { readonly [rule: string]: number } = {
  noNonNullAssertion: 7,
  noNestedTernary: 1,
  noExcessiveCognitiveComplexity: 51,
};

type Rules = { readonly [group: string]: { readonly [rule: string]: unknown } };
type Config = {
  readonly linter: { readonly rules: Rules };
  readonly overrides: readonly { readonly includes: readonly string[]; readonly linter: { readonly rules: Rules } }[];
};

const config = JSON.parse(readFileSync(join(root, 'biome.jsonc'), 'utf8').replace(/^\s*\/\/.*$/gm, '')) as Config;
/** Patterns are whole folders that a rule does not concern; the lists name files. */
const lists = config.overrides.filter(({ includes }) => !includes.some((name) => name.includes('*')));
const breaking = breakingFiles();

/** Files by the rule that they break where nothing is excepted. */
function breakingFiles(): ReadonlyMap<string, ReadonlySet<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-lint-'));
  try {
    const file = join(folder, 'biome.json');
    const { complexity, style } = config.linter.rules;
    const rules = { preset: 'none', complexity, style };
    writeFileSync(file, JSON.stringify({ root: true, vcs: { enabled: false }, linter: { rules } }));
    const args = ['lint', `--config-path=${file}`, '--reporter=json', '--max-diagnostics=none', 'src', 'build'];
    const biome = join(root, 'node_modules/.bin/biome');
    const { stdout } = spawnSync(biome, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: readonly { category: string; location: { path: string } }[];
    };
    const found = Map.groupBy(diagnostics, ({ category }) => category.slice(category.lastIndexOf('/') + 1));
    return new Map([...found].map(([rule, all]) => [rule, new Set(all.map(({ location }) => location.path))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function listed(rule: string): readonly string[] {
  const isOff = ({ linter }: Config['overrides'][number]) => Object.values(linter.rules).some((of) => rule in of);
  return lists.filter(isOff).flatMap(({ includes }) => includes);
}

test.each(Object.keys(MOST))('every file that is excepted from %s still breaks it: remove the others', (rule) => {
  expect(listed(rule).filter((name) => !breaking.get(rule)?.has(name))).toEqual([]);
});

test.each(Object.entries(MOST))('at most as many files as today are excepted from %s', (rule, most) => {
  expect(listed(rule).length).toBeLessThanOrEqual(most);
});

test('an exception that is a list switches one known rule off', () => {
  const rules = lists.flatMap(({ linter }) => Object.values(linter.rules).flatMap((of) => Object.entries(of)));
  expect(rules.length).toBe(lists.length);
  expect(rules.filter(([rule, level]) => !(rule in MOST) || level !== 'off')).toEqual([]);
});
