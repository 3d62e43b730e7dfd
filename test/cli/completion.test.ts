/** Shell completion: a real bash completes commands, options and fixed values; the other shells parse their script if they are installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
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
    COMMANDS.map(({ name }) => name)
      .filter((name) => name.startsWith('re'))
      .toSorted(),
  );
  expect(offered(script, ['nightpost', '-C', '/night', 'stat'])).toEqual(['status']);
  expect(offered(script, ['nightpost', '-C', '/night', 'errors', '--st'])).toEqual(['--state']);
  expect(offered(script, ['nightpost', 'errors', '--state', '']).toSorted()).toEqual(STATE_NAMES.toSorted());
  expect(offered(script, ['nightpost', 'ledger', 'res'])).toEqual(['restore']);
  expect(offered(script, ['nightpost', 'show', '--js'])).toEqual(['--json']);
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
