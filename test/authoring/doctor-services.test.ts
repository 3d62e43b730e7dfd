/** The lines of `doctor` about services: proxies, TLS, certificates, credentials and clocks, with real servers. */
import { writeFileSync } from 'node:fs';
import { createServer as createPlain } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connection } from '../../src/delivery/service-settings.ts';
import { proxyCheck, serviceChecks } from '../../src/doctor/doctor-services.ts';
import type { DoctorCheck } from '../../src/doctor/run-doctor.ts';
import { selfSigned } from '../delivery/loopback.ts';
import { openScene } from '../night.ts';

const results = (checks: readonly DoctorCheck[]) => checks.map(({ what, result }) => `${result} ${what}`);
const bad = (checks: readonly DoctorCheck[]) => checks.filter(({ result }) => result !== 'ok');
const DAY_MS = 86_400_000;

test.each([
  ['http://proxy.example:3128', { env: 'P' }, ['warning service fr, proxy']],
  ['http://proxy.example:3128', undefined, []],
  ['https://proxy.example:3128', { env: 'P' }, []],
  ['http://127.0.0.1:3128', { env: 'P' }, []],
])('a proxy that gets its password in plain text: %s, %j', (proxy, credentials, found) => {
  const given = { proxy, ...(credentials ? { 'proxy-credentials': credentials } : {}) };
  expect(results(proxyCheck({ name: 'fr', connection: connection.parse(given) }))).toEqual(found);
});

type Provider = {
  readonly cert?: { key: string; cert: string };
  readonly tls?: object;
  readonly date?: Date;
  readonly status?: number;
};

/** An identity provider and service in one, over TLS or not. */
async function provider({ cert, tls = {}, date, status = 200 }: Provider): Promise<number> {
  const answer = (_: unknown, response: import('node:http').ServerResponse) => {
    if (date) response.setHeader('date', date.toUTCString());
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: 'a-token-of-the-doctor', token_type: 'Bearer', expires_in: 300 }));
  };
  const server = (cert ? createServer({ ...cert, ...tls }, answer) : createPlain(answer)) as Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function seenBy(address: string, ca?: string): Promise<readonly DoctorCheck[]> {
  const connection = { 'connect-timeout': '30s', ...(ca ? { 'ca-file': 'ca.pem' } : {}) };
  await using scene = await openScene({
    services: { fr: { 'base-url': address, 'identity-url': address, connection } },
  });
  if (ca) writeFileSync(join(scene.root, 'ca.pem'), ca);
  const checks = await serviceChecks(scene.instance(), () => new Date());
  return checks.filter(({ what }) => /\bfr\b/.test(what) && !what.endsWith('fr'));
}

describe('a service over TLS', () => {
  test('trusted by its own authority: protocol, days, a token', async () => {
    const cert = selfSigned();
    const port = await provider({ cert });
    const checks = await seenBy(`https://127.0.0.1:${port}`, cert.cert);
    expect(checks).toMatchObject([
      {
        result: 'ok',
        says: expect.stringMatching(/TLSv1\.[23], certificate of loopback by loopback, valid for \d{4} days/),
      },
      { what: 'service fr, credentials', result: 'ok', says: 'a token was given' },
    ]);
  });

  test('of an unknown authority', async () => {
    const port = await provider({ cert: selfSigned() });
    const checks = await seenBy(`https://127.0.0.1:${port}`);
    expect(checks).toMatchObject([
      {
        result: 'error',
        says: expect.stringContaining('not trusted (DEPTH_ZERO_SELF_SIGNED_CERT: '),
        hint: expect.stringContaining('ca-file'),
      },
      { what: 'service fr, credentials', result: 'error' },
    ]);
  });

  test('for another name', async () => {
    const cert = selfSigned();
    const port = await provider({ cert });
    const checks = await seenBy(`https://localhost:${port}`, cert.cert);
    expect(checks[0]).toMatchObject({ result: 'error', says: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') });
  });

  test('whose certificate ends soon, or ended', async () => {
    const soon = selfSigned(new Date(Date.now() + 5.5 * DAY_MS));
    const checks = await seenBy(`https://127.0.0.1:${await provider({ cert: soon })}`, soon.cert);
    expect(checks[0]).toMatchObject({ result: 'warning', says: expect.stringContaining('ends in 5 days') });
    const over = selfSigned(new Date(Date.now() - 2.5 * DAY_MS));
    const late = await seenBy(`https://127.0.0.1:${await provider({ cert: over })}`, over.cert);
    expect(late).toMatchObject([
      { result: 'error', says: expect.stringContaining('ended 3 days ago') },
      { what: 'service fr, credentials', result: 'error' },
    ]);
  });

  test('that speaks TLS 1.1 only, or none', async () => {
    const cert = selfSigned();
    const old = await provider({
      cert,
      tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    });
    expect((await seenBy(`https://127.0.0.1:${old}`, cert.cert))[0]).toMatchObject({
      result: 'error',
      says: expect.stringContaining('no TLS'),
    });
    const plain = await provider({});
    expect((await seenBy(`https://127.0.0.1:${plain}`))[0]).toMatchObject({
      result: 'error',
      says: expect.stringContaining('no TLS'),
    });
  });

  test('whose port is closed, whose name is unknown', async () => {
    const [closed] = await seenBy('https://127.0.0.1:1');
    expect(closed).toMatchObject({
      result: 'error',
      says: expect.stringContaining('no connection (ECONNREFUSED: the connection was refused)'),
    });
    const [unknown] = await seenBy('https://nowhere.invalid');
    expect(unknown).toMatchObject({ result: 'error', says: expect.stringContaining('the name is not known') });
  });

  test('with a proxy that does not answer: only the connection to it is tested', async () => {
    const address = 'https://fr.invalid';
    const connection = { proxy: 'http://127.0.0.1:1', 'connect-timeout': '30s' };
    await using scene = await openScene({ services: { fr: { 'base-url': address, connection } } });
    const checks = await serviceChecks(scene.instance(), () => new Date());
    expect(checks[0]).toMatchObject({
      result: 'error',
      says: expect.stringMatching(
        /^https:\/\/fr\.invalid through the proxy .*no connection \(ECONNREFUSED: the connection was refused\)/,
      ),
    });
  });

  test('where consultations need a token of their own, it is asked for too', async () => {
    await using scene = await openScene();
    const checks = await serviceChecks(scene.instance(), () => new Date());
    expect(results(checks)).toEqual(
      expect.arrayContaining(['ok service sv, credentials', 'ok service sv, consultation']),
    );
  });

  test('that refuses the credentials', async () => {
    const cert = selfSigned();
    const checks = await seenBy(`https://127.0.0.1:${await provider({ cert, status: 401 })}`, cert.cert);
    expect(results(checks)).toEqual(['ok service fr, documents', 'error service fr, credentials']);
  });

  test.each([
    [0, []],
    [-5 * 60, ['warning clock of fr']],
    [2 * 3600, ['error clock of fr']],
  ])('whose clock is %i s ahead', async (seconds, expected) => {
    const cert = selfSigned();
    const port = await provider({ cert, date: new Date(Date.now() + seconds * 1000) });
    const connection = { 'ca-file': 'ca.pem' };
    const address = `https://127.0.0.1:${port}`;
    await using scene = await openScene({
      services: { fr: { 'base-url': address, 'identity-url': address, connection } },
    });
    writeFileSync(join(scene.root, 'ca.pem'), cert.cert);
    const checks = await serviceChecks(scene.instance(), () => new Date());
    expect(results(bad(checks)).filter((line) => line.includes('clock'))).toEqual(expected);
  });

  test('without a certificate file that the settings name', async () => {
    const checks = await seenBy('https://127.0.0.1:1', undefined);
    expect(checks.length).toBeGreaterThan(0);
    await using scene = await openScene({ services: { fr: { connection: { 'ca-file': 'none.pem' } } } });
    const found = await serviceChecks(scene.instance(), () => new Date());
    expect(bad(found)).toMatchObject([{ says: expect.stringContaining('delivery/certificate-unreadable') }]);
  });
});
