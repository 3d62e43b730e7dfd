/**
 * `npm run release -- VERSION`: checks, then prints what a release changes. `--write` does it: the version in package.json
 * and its lock, the unreleased part of CHANGELOG.md under the version and its date, one commit, one annotated tag.
 *
 * Nothing is pushed or published. A release that cannot be made changes nothing and exits with 1.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isAfter, splitUnreleased, withVersion } from './release/changelog.ts';

class ReleaseError extends Error {}

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false }, root: { type: 'string' } },
  allowPositionals: true,
});
const root = values.root ?? join(import.meta.dirname, '..');
const changelogFile = join(root, 'CHANGELOG.md');

try {
  release(positionals[0], new Date().toISOString().slice(0, 10));
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  process.stderr.write(`No release: ${error.message}\n`);
  process.exitCode = 1;
}

function release(version: string | undefined, day: string): void {
  if (version === undefined) throw new ReleaseError('name the version: npm run release -- 1.2.3');
  const tag = `v${version}`;
  refuseUnready(version, tag);
  const changelog = readFileSync(changelogFile, 'utf8');
  const entry = splitUnreleased(changelog)?.unreleased;
  if (!entry) throw new ReleaseError('CHANGELOG.md has nothing under "## Unreleased"');
  runChecks();
  process.stdout.write(`Release ${version}, tag ${tag}:\n\n## ${version} (${day})\n\n${entry}\n\n`);
  if (!values.write) {
    process.stdout.write('Nothing is changed. Add --write to make the release.\n');
    return;
  }
  writeFileSync(changelogFile, withVersion(changelog, version, day));
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts');
  run('git', 'commit', '--quiet', '--all', '--message', `release: ${version}`);
  run('git', 'tag', '--annotate', tag, '--message', `Nightpost ${version}`, '--cleanup=verbatim');
  process.stdout.write(`Made. Now: git push --follow-tags\n`);
}

function refuseUnready(version: string, tag: string): void {
  const tags = run('git', 'tag', '--list', 'v*').split('\n');
  if (tags.includes(tag)) throw new ReleaseError(`the tag ${tag} exists`);
  const current = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
  const isFirst = version === current && !tags.includes(`v${current}`);
  if (!isFirst && !isAfter(version, current)) {
    throw new ReleaseError(`"${version}" is not a version after ${current}, such as 1.2.3`);
  }
  if (run('git', 'status', '--porcelain') !== '') throw new ReleaseError('commit or remove your changes first');
}

function runChecks(): void {
  for (const script of ['check', 'test']) {
    process.stdout.write(`npm run ${script}\n`);
    try {
      execFileSync('npm', ['run', '--silent', script], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    } catch {
      throw new ReleaseError(`npm run ${script} failed`);
    }
  }
}

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trimEnd();
}
