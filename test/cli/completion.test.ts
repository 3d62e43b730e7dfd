/** Shell completion: a real bash completes commands, options and fixed values; the other shells parse their script if they are installed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { STATE_NAMES } from '../../src/model/state.ts';
import { command } from '../program.ts';

async function scriptFor(shell: string): Promise<string> {
  const { out, code } = await command(['completion', shell]);
  expect(code).toBe(0);
  return out;
}

/** What bash offers for the last word. */
function offered(script: string, words: readonly string[]): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const asked = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _nightpost; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc'], { input: asked, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

test('bash completes commands, options and values', async () => {
  const script = await scriptFor('bash');
  expect(offered(script, ['nightpost', 're']).toSorted()).toEqual(
    COMMANDS.flatMap(({ name, alias }) => [name, alias ?? []].flat())
      .filter((name) => name.startsWith('re'))
      .toSorted(),
  );
  expect(offered(script, ['nightpost', '-C', '/night', 'stat'])).toEqual(['status']);
  expect(offered(script, ['nightpost', '-C', '/night', 'errors', '--st'])).toEqual(['--state']);
  expect(offered(script, ['nightpost', 'errors', '--state', '']).toSorted()).toEqual(STATE_NAMES.toSorted());
  expect(offered(script, ['nightpost', 'ledger', 'res'])).toEqual(['restore']);
  expect(offered(script, ['nightpost', 'show', '--js'])).toEqual(['--json']);
  expect(offered(script, ['nightpost', 'reject', '--rea'])).toEqual(['--reason']);
  expect(offered(script, ['nightpost', 'errors', '--cause', 'map/not-in'])).toEqual(['map/not-in-table']);
  expect(offered(script, ['nightpost', 'release', '--cause', 'same'])).toEqual(['same-cause']);
  expect(offered(script, ['nightpost', 'retry', '--cause', 'set'])).toEqual(['set-aside']);
  expect(offered(script, ['nightpost', 'list', '--state', 'in-d'])).toEqual(['in-doubt']);
});

test('bash completes the ids of the mappings of the instance, and nothing without one', async () => {
  const root = mkdtempSync(join(tmpdir(), 'nightpost-test-'));
  mkdirSync(join(root, 'mappings'));
  for (const name of ['sales', 'till']) writeFileSync(join(root, 'mappings', `${name}.yaml`), `mapping: ${name}\n`);
  const script = await scriptFor('bash');
  expect(offered(script, ['nightpost', '-C', root, 'errors', '--mapping', '']).toSorted()).toEqual(['sales', 'till']);
  expect(offered(script, ['nightpost', '-C', '/nonexistent', 'errors', '--mapping', 'sa'])).toEqual([]);
});

test.each([
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
] as const)('%s reads its script', async (shell, check) => {
  const file = join(mkdtempSync(join(tmpdir(), 'nightpost-test-')), 'script');
  writeFileSync(file, await scriptFor(shell));
  const { status, error, stderr } = spawnSync(shell, [...check, file], { encoding: 'utf8' });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return;
  expect([status, stderr]).toEqual([0, '']);
});

test('the scripts of all shells name every command', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const script = await scriptFor(shell);
    for (const { name } of COMMANDS) expect(script).toMatch(new RegExp(`(?<![\\w-])${name}(?![\\w-])`));
  }
});
