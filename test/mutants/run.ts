/** `npm run mutants [NAME...]`: each mutant is applied to a copy of the checkout, and its tests have to fail. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mayTrace } from '../rigs/strace.ts';
import { mutated } from './apply.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = [
  'src',
  'test',
  'docs',
  'samples',
  'mappings',
  'inbox.example',
  'deploy',
  'locales',
  'build',
  'bench',
  'package.json',
  'vitest.config.ts',
];

type Results = { readonly testResults: readonly File[] };
type File = { readonly name: string; readonly assertionResults: readonly { status: string; fullName: string }[] };

/** The first test that failed, or the first fault that the rig told; undefined where there is none. */
function caughtBy({ edits, tests, torture }: Mutant): string | undefined {
  const copy = mkdtempSync(join(tmpdir(), 'nightpost-mutant-'));
  try {
    for (const name of COPIED)
      if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const { file, from, to } of edits) {
      writeFileSync(join(copy, file), mutated(readFileSync(join(copy, file), 'utf8'), { file, from, to }));
    }
    if (torture) {
      const rig = [join(copy, 'test/rigs/main.ts'), ...torture];
      const { status, stderr } = spawnSync(process.execPath, rig, { cwd: copy, encoding: 'utf8', timeout: 300_000 });
      const fault = stderr.split('\n').find((line) => line.startsWith('seed '));
      return status === 1 ? `npm run torture -- ${torture.join(' ')}: ${fault}` : undefined;
    }
    const results = join(copy, 'results.json');
    spawnSync(
      process.execPath,
      [
        join(copy, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...tests,
        '--bail=1',
        '--reporter=json',
        `--outputFile=${results}`,
      ],
      { cwd: copy, stdio: 'ignore', timeout: 300_000 },
    );
    const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as Results;
    for (const { name, assertionResults } of testResults) {
      const failed = assertionResults.find(({ status }) => status === 'failed');
      if (failed) return `${name.slice(copy.length + 1)}: ${failed.fullName}`;
    }
    return undefined;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !MUTANTS.some((mutant) => mutant.name === name));
if (unknown !== undefined) {
  console.error(`no mutant is called "${unknown}"; there are: ${MUTANTS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
let survived = 0;
for (const mutant of MUTANTS) {
  if (wanted.length > 0 && !wanted.includes(mutant.name)) continue;
  if (mutant.traced && !mayTrace()) {
    console.info(`left out  ${mutant.name}  strace is missing, or may not trace here`);
    continue;
  }
  const startedMs = performance.now();
  const caught = caughtBy(mutant);
  if (caught === undefined) survived++;
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  console.info(
    `${caught === undefined ? 'SURVIVED' : 'caught'}  ${mutant.name}  ${seconds} s  ${caught ?? mutant.breaks}`,
  );
}
console.info(survived === 0 ? 'every mutant was caught' : `${survived} survived`);
process.exitCode = survived === 0 ? 0 : 1;
