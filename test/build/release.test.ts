/** `npm run release` on a temporary git repository. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { isAfter, splitUnreleased, withVersion } from '../../build/release/changelog.ts';

const RELEASE = join(import.meta.dirname, '../../build/release.ts');
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- One thing.\n- Another.\n\n## 0.1.0\n\n- First.\n';

const folder = mkdtempSync(join(tmpdir(), 'nightpost-release-'));
/** The repository of the test, at first the one that all are copies of. */
let root = join(folder, 'first');

beforeAll(() => {
  mkdirSync(root);
  const manifest = { name: 'x', version: '0.1.0', scripts: { check: 'node -e 0', test: 'node -e 0' } };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG);
  git('init', '--quiet');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.com');
  git('config', 'commit.gpgsign', 'false');
  git('config', 'tag.gpgsign', 'false');
  commit();
});

beforeEach(() => {
  root = join(folder, 'copy');
  cpSync(join(folder, 'first'), root, { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trimEnd();
}

function commit(): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
}

function release(...args: readonly string[]) {
  return spawnSync(process.execPath, [RELEASE, '--root', root, ...args], { encoding: 'utf8' });
}

const state = () => [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')];

test('a release without --write prints the entry and changes nothing', () => {
  const before = state();
  const { status, stdout } = release('0.2.0');
  expect(status).toBe(0);
  expect(stdout).toContain('- One thing.\n- Another.\n');
  expect(stdout).not.toContain('- First.');
  expect(state()).toEqual(before);
});

test('a release writes version and changelog, commits and tags', () => {
  expect(release('0.2.0', '--write').status).toBe(0);
  const day = new Date().toISOString().slice(0, 10);
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toBe(
    `# Changelog\n\n## Unreleased\n\n## 0.2.0 (${day})\n\n- One thing.\n- Another.\n\n## 0.1.0\n\n- First.\n`,
  );
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).toBe('0.2.0');
  expect(git('log', '-1', '--format=%s')).toBe('release: 0.2.0');
  expect(git('cat-file', '-t', 'v0.2.0')).toBe('tag');
  expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  expect(git('status', '--porcelain')).toBe('');
});

test('the version of package.json is released once, as the first', () => {
  expect(release('0.1.0', '--write').status).toBe(0);
  const before = state();
  expect(release('0.1.0', '--write').status).toBe(1);
  expect(state()).toEqual(before);
});

test.each(['0.0.9', '0.2', 'next', '0.2.0-rc.1', undefined])('version %s is refused', (version) => {
  const before = state();
  expect(release(...(version ? [version] : []), '--write').status).toBe(1);
  expect(state()).toEqual(before);
});

test('changes that are not committed refuse a release', () => {
  writeFileSync(join(root, 'new.txt'), 'x');
  expect(release('0.2.0', '--write').status).toBe(1);
  expect(git('tag')).toBe('');
});

test('an empty unreleased part refuses a release', () => {
  writeFileSync(join(root, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- First.\n');
  commit();
  expect(release('0.2.0', '--write').status).toBe(1);
  expect(git('tag')).toBe('');
});

test.each(['check', 'test'])('a failing npm run %s refuses a release', (script) => {
  const scripts = { check: 'node -e 0', test: 'node -e 0', [script]: 'node -e "process.exit(1)"' };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'x', version: '0.1.0', scripts }));
  commit();
  const before = state();
  expect(release('0.2.0', '--write').status).toBe(1);
  expect(state()).toEqual(before);
});

test('the unreleased part ends at the next version or at the end', () => {
  expect(splitUnreleased(CHANGELOG)?.unreleased).toBe('- One thing.\n- Another.');
  expect(splitUnreleased('## Unreleased\n\n- One.\n')).toEqual({ before: '', unreleased: '- One.', after: '' });
  expect(splitUnreleased('# Changelog\n\n## 0.1.0\n')).toBeUndefined();
  expect(withVersion('## Unreleased\n\n- One.\n', '1.0.0', '2026-01-02')).toBe(
    '## Unreleased\n\n## 1.0.0 (2026-01-02)\n\n- One.\n',
  );
});

test.each([
  ['0.1.1', '0.1.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '0.9.9', true],
  ['0.1.0', '0.1.0', false],
  ['0.9.9', '0.10.0', false],
  ['0.9.9', '1.0.0', false],
  ['01.0.0', '0.1.0', false],
])('%s after %s: %s', (version, other, isLater) => {
  expect(isAfter(version, other)).toBe(isLater);
});
