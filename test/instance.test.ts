/** An instance folder: read whole or refused whole, and nothing outside of it is read. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countInboxFiles } from '../src/instance/inbox-files.ts';
import { loadMappings, mappingWorld } from '../src/instance/instance.ts';
import { OperatorError } from '../src/model/fault.ts';
import { openScene, SALES_MAPPING } from './night.ts';

test('folders are private, settings and mappings are there, a day is the one of the service', async () => {
  await using scene = await openScene();
  const instance = scene.instance();
  expect(instance.mappings.map(({ id }) => id)).toEqual(['sales']);
  expect(instance.destinations.map(({ name }) => name)).toEqual(['fr', 'sv']);
  const midnight = new Date('2026-11-20T23:30:00Z');
  expect([instance.dayOf('fr', midnight), instance.dayOf('sv', midnight)]).toEqual(['2026-11-21', '2026-11-20']);
  expect(instance.classesOf('sv').length).toBeGreaterThan(0);
});

test('all faults of all mappings are reported at once, and the run does not begin', async () => {
  await using scene = await openScene();
  writeFileSync(join(scene.root, 'mappings/a.yaml'), SALES_MAPPING.replace('target: fr-invoice', 'target: fr-invoce'));
  writeFileSync(
    join(scene.root, 'mappings/b.yaml'),
    SALES_MAPPING.replace('mapping: sales', 'mapping: b').replace('$Qte *', '$Qty *'),
  );
  const faults = (() => {
    try {
      scene.instance();
    } catch (error) {
      return error instanceof OperatorError ? error.faults : [];
    }
    return [];
  })();
  expect(new Set(faults.map(({ mark }) => mark?.file))).toEqual(new Set(['mappings/a.yaml', 'mappings/b.yaml']));
});

test('one id in two mappings is a fault that names both', async () => {
  await using scene = await openScene({ mappings: { 'a.yaml': SALES_MAPPING } });
  writeFileSync(join(scene.root, 'mappings/b.yaml'), SALES_MAPPING);
  expect(loadMappings(scene.root).faults).toMatchObject([
    { code: 'mapping/id-twice', message: expect.stringMatching(/mappings\/a\.yaml.*mappings\/b\.yaml/) },
  ]);
});

test('mappings read files of their instance alone', async () => {
  await using scene = await openScene();
  const { readText } = mappingWorld(scene.root);
  mkdirSync(join(scene.root, 'tables'));
  writeFileSync(join(scene.root, 'tables/t.csv'), 'a\n');
  expect(readText('tables/t.csv')).toBe('a\n');
  symlinkSync('/etc/hostname', join(scene.root, 'tables/out.csv'));
  for (const path of ['/etc/hostname', '../../../etc/hostname', 'tables/out.csv', 'tables/none.csv']) {
    expect(readText(path)).toBeUndefined();
  }
});

test('the inbox counts files, not folders and hidden ones', async () => {
  await using scene = await openScene();
  for (const name of ['a.csv', 'b.csv', '.hidden']) scene.drop(name, 'x');
  mkdirSync(join(scene.root, 'inbox/folder'));
  expect(countInboxFiles(scene.instance())).toBe(2);
});

test.each([
  [{}, ['fr-2026', 'fr-2026', 'sv-by-day']],
  [{ fr: 'wire', sv: 'sv-nr-v4' }, ['wire', 'wire', 'sv-nr-v4']],
  [
    { severity: { 'FR-PTY-4': { level: 'off', reason: 'checked elsewhere' } } },
    ['fr-2026; FR-PTY-4 off: checked elsewhere', 'fr-2026', 'sv-by-day'],
  ],
])('rules hold as the settings say: %j', async (rules, profiles) => {
  await using scene = await openScene({ settings: { rules } });
  expect(scene.instance().kinds.map((kind) => kind.rules.profileOn(undefined))).toEqual(profiles);
});

test('a severity for a rule that does not exist is refused', async () => {
  const severity = { 'FR-PTY-44': { level: 'off', reason: 'a misspelling' } };
  const scene = openScene({ settings: { rules: { severity } } });
  await expect(scene).rejects.toMatchObject({
    faults: [{ code: 'config/unknown-rule', hint: expect.stringContaining('"FR-PTY-4"') }],
  });
});
