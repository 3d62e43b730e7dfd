/** A list of names, or a filter, that is empty selects no document: a script whose list is empty must not decide about all. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn, commandLineOf } from '../program.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2'], '2O'));
  await scene.night();
});
afterAll(async () => await scene[Symbol.asyncDispose]());

function piped(input: string, ...words: readonly string[]) {
  const [program = '', ...line] = commandLineOf();
  const env = { ...process.env, ...describeSandbox(scene.sandbox).environment };
  return spawnSync(program, [...line, '-C', scene.root, ...words], { input, env, encoding: 'utf8' });
}

test.each([
  ['set-aside', '-', '--mapping', 'sales'],
  ['reprocess', '-', '--state', 'invalid', '--yes'],
  ['fix', '-', 'Qte=2', '--mapping', 'sales', '--from', '2O'],
])('an empty list: %s %s', async (...words) => {
  const { status, stderr } = piped('\n', ...words, '--reason', 'list of the script');
  expect([status, stderr]).toEqual([2, expect.stringContaining('select/nothing-named')]);
  expect((await scene.entries()).map(({ state, evidence }) => [state, evidence])).toEqual([
    ['invalid', undefined],
    ['invalid', undefined],
  ]);
});

test.each(['--mapping', '--run', '--cause', '--since'])('an empty %s', async (option) => {
  for (const command of ['set-aside', 'retry', 'release', 'reprocess', 'acknowledge', 'errors']) {
    const why = command === 'errors' ? [] : ['--reason', 'x'];
    const { code, err } = await commandIn(scene, command, '--state', 'invalid', option, '', ...why);
    expect([command, code, err]).toEqual([command, 2, expect.stringContaining(option)]);
  }
});
