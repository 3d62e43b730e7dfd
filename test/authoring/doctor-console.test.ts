/** What `doctor` says about the console: real certificates, real ports, an instance with and without one. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificateCheck, consoleChecks } from '../../src/doctor/doctor-console.ts';
import { secretChecks } from '../../src/doctor/doctor-folders.ts';
import type { DoctorCheck } from '../../src/doctor/run-doctor.ts';
import { serveShape } from '../../src/instance/serve-shape.ts';
import { selfSigned } from '../delivery/loopback.ts';
import { openScene, type Scene } from '../night.ts';

const NOW = new Date('2026-11-22T20:00:00Z');
const DAY_MS = 86_400_000;
const results = (checks: readonly DoctorCheck[]) => checks.map(({ what, result }) => `${result} ${what}`);

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => await scene[Symbol.asyncDispose]());

/** The checks of an instance with these settings of the console. */
async function checksWith(serve: object) {
  const instance = scene.instance();
  const settings = { ...instance.settings, serve: serveShape.parse(serve) };
  const secrets = results(await secretChecks({ ...instance, settings }));
  return [...results(await consoleChecks({ ...instance, settings }, NOW)), ...secrets];
}

/** A port of this machine that is taken as long as the test runs, and one that is free. */
async function takenPort() {
  const server = createServer();
  const port = await new Promise<number>((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as { readonly port: number }).port)),
  );
  return { port, [Symbol.asyncDispose]: async () => await new Promise<void>((done) => server.close(() => done())) };
}

test('an instance without a console has no line about one', async () => {
  expect(await checksWith({})).toEqual(['ok secrets']);
});

test.each([
  ['127.0.0.1', 100, 'ok'],
  ['127.0.0.1', 20, 'warning'],
  ['127.0.0.1', -1, 'error'],
  ['nightpost.example.com', 100, 'warning'],
])('a certificate that %s is asked for, which ends in %i days: %s', (host, days, result) => {
  const { cert, key } = selfSigned(new Date(NOW.getTime() + days * DAY_MS + 60_000));
  const serve = serveShape.parse({ hosts: [`${host}:7433`], tls: { cert: 'c.pem', key: { file: 'k.pem' } } });
  expect(certificateCheck(cert, key, { serve, now: NOW }).result).toBe(result);
  expect(certificateCheck(cert, selfSigned().key, { serve, now: NOW }).result).toBe('error');
  expect(certificateCheck('no certificate', key, { serve, now: NOW }).result).toBe('error');
});

test('a missing key is a finding of the secrets, a taken port and a missing certificate of the console', async () => {
  await using taken = await takenPort();
  const tls = { cert: 'missing.pem', key: { file: 'missing.key' } };
  expect(await checksWith({ port: taken.port, hosts: ['127.0.0.1'], tls })).toEqual([
    'error console, certificate',
    'ok console',
    'error secrets',
  ]);
  writeFileSync(join(scene.root, 'proxy'), 'a-long-shared-secret', { mode: 0o600 });
  expect(await checksWith({ port: taken.port, oidc: OIDC })).toEqual(['warning console', 'ok secrets']);
  // The console of this machine leaves its link as long as it is at work.
  writeFileSync(join(scene.root, 'state', 'console-link'), '');
  expect(await checksWith({ port: taken.port, oidc: OIDC })).toContain('ok console');
});

const OIDC = {
  issuer: 'https://login.example.com',
  'client-id': 'nightpost',
  'client-secret': { file: 'proxy' },
  groups: { finance: 'operator' },
};

test('a proxy on another machine, and groups without a role', async () => {
  writeFileSync(join(scene.root, 'proxy'), 'a-long-shared-secret', { mode: 0o600 });
  const proxy = { secret: { file: 'proxy' } };
  const common = { port: 0, hosts: ['nightpost.example.com'] };
  expect(await checksWith({ ...common, proxy: { ...proxy, groups: { it: 'admin' } } })).toEqual([
    'ok console',
    'ok secrets',
  ]);
  expect(await checksWith({ ...common, host: '0.0.0.0', proxy })).toEqual([
    'warning console',
    'warning console',
    'ok console',
    'ok secrets',
  ]);
  expect(await checksWith({ port: 0, oidc: { ...OIDC, groups: {} } })).toEqual([
    'warning console',
    'ok console',
    'ok secrets',
  ]);
});
