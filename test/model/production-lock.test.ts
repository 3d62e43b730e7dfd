/** Wrong environments: production and imitations keep apart, and a mistake tells both addresses. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refuseLoopbackInProduction } from '../../src/instance/environment-guard.ts';
import { openScene, sales } from '../night.ts';
import { command, commandIn } from '../program.ts';

const says = (code: string) => ({ code: 2, err: expect.stringContaining(code) });

test('production refuses loopback addresses and claims no file, unless the settings allow it', async () => {
  await using scene = await openScene();
  const settings = join(scene.root, 'nightpost.yaml');
  scene.drop('ventes-0.csv', sales(['F0']));
  await scene.night();
  scene.drop('ventes.csv', sales(['F1']));
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}environments: { production: {} }\n`);
  const ended = await commandIn(scene, '--env', 'production', 'run');
  expect(ended).toMatchObject(says('config/loopback-in-production'));
  expect(ended.err).toContain(`services.fr.base-url is ${scene.sandbox.fr.url}`);
  expect(scene.files('inbox')).toHaveLength(1);
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}allow-loopback: true\n`);
  // Allowed, and still another environment than that of the ledger.
  const allowed = await commandIn(scene, '--env', 'production', 'run');
  expect(allowed).toMatchObject(says('ledger/other-services'));
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

test('a mistake in --env prints both environments with their addresses', async () => {
  await using scene = await openScene();
  const settings = join(scene.root, 'nightpost.yaml');
  const other = 'environments: { test: { services: { fr: { base-url: "https://test.fr.example.com" } } } }\n';
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}${other}`);
  scene.drop('ventes-0.csv', sales(['F0']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  scene.drop('ventes.csv', sales(['F1']));
  const { err, code } = await commandIn(scene, '--env', 'test', 'run');
  expect(code).toBe(2);
  expect(err).toContain(`the environment "default" (fr: ${scene.sandbox.fr.url}`);
  expect(err).toContain('the settings say "test" (fr: https://test.fr.example.com');
  expect(scene.files('inbox')).toHaveLength(1);
});

test.each(['prod', 'production', 'production-fr'])('the sandbox does not start for %s', async (name) => {
  expect(await command(['--env', name, 'sandbox'])).toMatchObject(says('sandbox/production'));
});

test.each([
  ['http://127.0.0.1:7501', true],
  ['http://localhost:7501', true],
  ['https://[::1]/x', true],
  ['https://localhost.example.invalid', false],
  ['https://127.0.0.1.example.invalid', false],
])('%s is this machine: %s', (address, refused) => {
  const check = () => refuseLoopbackInProduction('prod', { sv: { deep: { 'auth-url': address } } }, false);
  if (refused) expect(check).toThrow('services.sv.deep.auth-url');
  else expect(check).not.toThrow();
  expect(() => refuseLoopbackInProduction('productivity', { fr: { 'base-url': address } }, false)).not.toThrow();
});
