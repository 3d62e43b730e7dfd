/** The table of deprecated words: each still works, says what replaces it, and is on the page about public words. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../src/cli/command-table.ts';
import { DEPRECATED_WORDS, deprecatedWord } from '../src/cli/deprecated-words.ts';
import { ACT } from '../src/decisions/act.ts';
import { openScene, sales } from './night.ts';
import { commandIn } from './program.ts';

const PAGE = readFileSync(new URL('../docs/reference/public-words.md', import.meta.url), 'utf8');

describe('deprecated words', () => {
  test('are those that commands have as former names', () => {
    const former = COMMANDS.flatMap(({ name, alias }) => (alias === undefined ? [] : [[alias, name]]));
    const commands = DEPRECATED_WORDS.filter(({ kind }) => kind === 'command').map(({ word, by }) => [word, by]);
    expect(commands).toEqual(former);
  });

  test.each(DEPRECATED_WORDS)(
    '$word is on the page, two minor versions before its end',
    ({ word, by, since, until }) => {
      const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${word}\` |`));
      for (const text of [`\`${by}\``, since, until]) expect(row).toContain(text);
      expect(Number(until.split('.')[1]) - Number(since.split('.')[1])).toBeGreaterThanOrEqual(2);
    },
  );

  test('an act is read as before', () => {
    const document = { id: 'a', revision: 1, state: 'invalid' };
    for (const { word } of DEPRECATED_WORDS.filter(({ kind }) => kind === 'act'))
      expect(ACT.safeParse({ act: word, documents: [document], column: 'x', from: 'a', to: 'b' }).success).toBe(true);
  });

  test('a command is carried out, and says on stderr alone what to write', async () => {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales(['F1'], '2O'));
    await scene.night();
    const { code, out, err } = await commandIn(scene, '--json', 'reject', 'F1', '--reason', 'a test');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ documents: [{ number: 'F1' }] });
    expect(err).toContain(deprecatedWord('command', 'reject')?.by);
    expect((await commandIn(scene, 'undo', 'F1', '--reason', 'a test')).err).toBe('');
  });
});
