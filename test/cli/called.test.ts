/** Commands in sentences for people: shown as the program was started, from a clone by npm. */
import { expect, test } from 'vitest';
import { asInvoked } from '../../src/cli/session/command-name.ts';
import { openScene, sales } from '../night.ts';
import { command, commandIn } from '../program.ts';

test('each command of the program is known', async () => {
  const { out } = await command(['--help']);
  const names = [...out.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name!).filter((name) => name !== 'help');
  expect(names.length).toBeGreaterThan(25);
  for (const name of names) expect(asInvoked(`nightpost ${name}`, 'nightpost')).toBe(`npm run nightpost -- ${name}`);
});

test.each([
  ['see: nightpost doctor', 'see: npm run nightpost -- doctor'],
  ['"nightpost -C prod errors --state held"', '"npm run nightpost -- -C prod errors --state held"'],
  ['npm run nightpost -- errors', 'npm run nightpost -- errors'],
  [
    'nightpost: ledger/locked: a run of nightpost is at work',
    'nightpost: ledger/locked: a run of nightpost is at work',
  ],
  ['/usr/bin/nightpost run', '/usr/bin/nightpost run'],
])('%s', (given, shown) => {
  expect(asInvoked(given, 'nightpost')).toBe(shown);
  expect(asInvoked(given, 'test')).toBe(given);
});

test('hints of errors, tables and JSON: a program reads them as they are', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-X6']));
  await scene.night();
  const before = process.env.npm_lifecycle_event;
  process.env.npm_lifecycle_event = 'nightpost';
  expect((await commandIn(scene, 'errors', '--group', 'cause')).out).toContain(' npm run nightpost -- fix F1-X6 ');
  expect((await commandIn(scene, 'show', 'F9')).err).toContain(
    'npm run nightpost -- errors, or npm run nightpost -- status',
  );
  const { out } = await commandIn(scene, '--json', 'show', 'F1-X6');
  expect(out).toContain('nightpost fix');
  expect(out).not.toContain('npm run');
  process.env.npm_lifecycle_event = before ?? '';
});
