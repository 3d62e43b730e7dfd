/** Counts that other tools of the project make: biome (cognitive complexity) and the language test (vitest). */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');
const LANGUAGE_TEST = join('test', 'language.test.ts');

/** The rule alone, without the exceptions of biome.jsonc. */
const COMPLEXITY_ONLY = {
  root: true,
  vcs: { enabled: false },
  linter: {
    rules: {
      preset: 'none',
      complexity: {
        noExcessiveCognitiveComplexity: { level: 'error', options: { maxAllowedComplexity: 15 } },
      },
    },
  },
};

export async function countComplexFunctions(root: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-figures-'));
  try {
    const config = join(folder, 'biome.json');
    writeFileSync(config, JSON.stringify(COMPLEXITY_ONLY));
    const command = [`--config-path=${config}`, '--reporter=json', '--max-diagnostics=none', 'src'];
    const report = await outputOf(join(MODULES, '.bin', 'biome'), ['lint', ...command], root);
    return (JSON.parse(report) as { readonly summary: { readonly errors: number } }).summary.errors;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How many of its tests fail, or that there is none. */
export async function countLanguageFindings(root: string): Promise<number | string> {
  if (!existsSync(join(root, LANGUAGE_TEST))) return 'not counted';
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-figures-'));
  try {
    const file = join(folder, 'report.json');
    await outputOf(
      join(MODULES, '.bin', 'vitest'),
      ['run', LANGUAGE_TEST, '--reporter=json', `--outputFile=${file}`],
      root,
    );
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly numFailedTests: number }).numFailedTests;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Standard output, also of a tool that ends with a finding. */
function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (stdout === '') reject(error ?? new Error(`${command} printed nothing`));
      else resolve(stdout);
    });
  });
}
