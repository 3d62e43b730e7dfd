/** Every command in one process, one after the other: none leaves a handler of a signal (`command` looks), however it ends. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { isOption } from '../../src/cli/session/command-entry.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const WHY = ['--reason', 'misread'];
/** They end with a signal. */
const STAY = new Set(['watch', 'serve', 'sandbox']);

/** Every command and every act of one, with its arguments as the table has them. A password is read from standard input. */
const EVERY = COMMANDS.flatMap(({ name, takes, acts = [{ name: '', takes }] }) =>
  acts
    .filter((act) => act.name !== 'password')
    .map((act) => [name, act.name, ...act.takes.filter((item) => !isOption(item))].filter(Boolean)),
);

async function calling(scene: Scene, ...words: string[]): Promise<number | string> {
  const before = process.listenerCount('SIGTERM');
  const ended = commandIn(scene, ...words);
  if (STAY.has(words[0]!)) {
    await expect.poll(() => process.listenerCount('SIGTERM') > before).toBe(true);
    process.emit('SIGTERM', 'SIGTERM');
  }
  return (await ended).code;
}

test('a command that works', async () => {
  await using scene = await openScene({ settings: { serve: { port: 0 } } });
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3-X6']).replace(';1;2;', ';1;2O;'));
  const codes: { [command: string]: number | string } = {};
  for (const words of [
    ['run'],
    ['fix', 'F1', 'Qte@2=2', ...WHY],
    ['reprocess', 'F3-X6', ...WHY],
    ['verify'],
    ['backup', join(scene.root, 'a.backup')],
    ['ledger', 'receipts'],
    ['purge', '--dry-run', ...WHY],
    ['watch'],
    ['serve'],
    ['sandbox', '--port-fr', '0', '--port-sv', '0'],
    ['ledger', 'restore', join(scene.root, 'a.backup')],
    ['ledger', 'rebuild'],
  ])
    codes[words.slice(0, 2).join(' ')] = await calling(scene, ...words);
  expect(codes).toMatchObject({ run: 3, 'fix F1': 0, verify: 0, watch: 143, serve: 143, 'ledger receipts': 0 });
});

test('a command that is refused, by what it is given or by settings that lack an address', async () => {
  await using scene = await openScene({ settings: { serve: { port: 0 } } });
  scene.drop('ventes.csv', sales(['F1']).replace(';1;2;', ';1;2O;'));
  await scene.night();
  const settings = scene.read('nightpost.yaml');
  for (const text of [settings, settings.replace(/base-url: .*/, 'base-url: FILL-IN')]) {
    writeFileSync(join(scene.root, 'nightpost.yaml'), text);
    for (const [name = '', ...words] of EVERY) {
      if (STAY.has(name) || name === 'demo' || name === 'init') continue;
      const given = words.map((word) => word.replace('[file]', join(scene.root, 'a.backup')).replace(/^[<[].*/, 'F1'));
      await commandIn(scene, name, ...given, ...(name === 'dossier' ? ['--out', scene.root] : []));
    }
    for (const words of [
      ['retry', 'F1'],
      ['fix', 'F1', 'Qte@2=2'],
      ['resume', 'fr'],
    ])
      expect(typeof (await calling(scene, ...words, ...WHY))).toBe('number');
  }
  rmSync(join(scene.root, 'state/ledger.sqlite'));
  for (const words of [['run'], ['retry', 'F1', ...WHY], ['verify'], ['ledger', 'receipts']])
    await calling(scene, ...words);
});
