/** No packet to anybody whom the settings do not name, and nothing to those they name over a weak connection. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { quickHttp, selfSigned } from '../delivery/loopback.ts';
import { openScene, sales, tally } from '../night.ts';
import { start } from '../program.ts';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function counting(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  let connections = 0;
  server.on('connection', () => connections++);
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, requests, connections: () => connections };
}

test.each([301, 302, 303, 307, 308])('HTTP %i of a service and of its token call leads nowhere', async (status) => {
  const trap = await counting((_, response) => response.end('{}'));
  const redirecting = await counting((_, response) => response.writeHead(status, { location: `${trap.url}/x` }).end());
  await using scene = await openScene({ services: { fr: { 'base-url': redirecting.url } } });
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  expect(redirecting.requests.length).toBe(1);
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 1 });
  await using other = await openScene({
    services: { fr: { 'identity-url': redirecting.url } },
    settings: { run: { 'give-up-after': '1s' } },
  });
  other.drop('ventes.csv', sales(['F1']));
  await other.night();
  expect(tally(await other.entries())).toEqual({ ready: 1 });
  expect(trap.connections()).toBe(0);
});

test('proxies of the environment are not spoken to, and checks cannot be switched off from there', async () => {
  const proxy = await counting((_, response) => response.end('{}'));
  await using scene = await openScene();
  const { fr, sv } = scene.sandbox;
  const env = {
    NIGHTPOST_SANDBOX_FR_SECRET: fr.clientSecret,
    NIGHTPOST_SANDBOX_SV_CREDENTIALS: `${sv.user}:${sv.password}`,
    ...Object.fromEntries(
      ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, proxy.url]),
    ),
    NO_PROXY: '',
    NODE_USE_ENV_PROXY: '1',
  };
  scene.drop('ventes.csv', sales(['F1']));
  expect((await start(['-C', scene.root, 'run'], { env }).ended).code).toBe(0);
  expect(proxy.connections()).toBe(0);
  scene.drop('ventes-2.csv', sales(['F2']));
  const unchecked = await start(['-C', scene.root, 'run'], { env: { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
    .ended;
  expect([unchecked.code, unchecked.err]).toEqual([2, expect.stringContaining('delivery/tls-checks-off')]);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

test('TLS 1.1 is refused, even if Node is configured to allow it', async () => {
  const cert = selfSigned();
  let requests = 0;
  const old = { minVersion: 'TLSv1' as const, maxVersion: 'TLSv1.1' as const, ciphers: 'DEFAULT@SECLEVEL=0' };
  const server = createHttps({ ...cert, ...old }, (_, response) => {
    requests++;
    response.end('{}');
  });
  const port = await listen(server);
  const [version, ciphers] = [tls.DEFAULT_MIN_VERSION, tls.DEFAULT_CIPHERS];
  tls.DEFAULT_MIN_VERSION = 'TLSv1';
  tls.DEFAULT_CIPHERS = 'DEFAULT@SECLEVEL=0';
  try {
    await using open = await quickHttp({ 'ca-file': 'ca.pem' }, { 'ca.pem': cert.cert });
    const url = `https://127.0.0.1:${port}/invoice`;
    const exchange = await open.http({ method: 'POST', url, headers: {}, body: '{}' });
    expect(exchange).toMatchObject({ sent: false, tls: true });
  } finally {
    tls.DEFAULT_MIN_VERSION = version;
    tls.DEFAULT_CIPHERS = ciphers;
  }
  expect(requests).toBe(0);
});

test('the secret goes to the identity provider alone, the token to the service alone', async () => {
  const seen: { readonly at: string; readonly text: string }[] = [];
  const watching = async (at: string, answer: object) =>
    await counting((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        seen.push({ at, text: JSON.stringify(request.rawHeaders) + body });
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
  const token = 'the-token-of-this-test';
  const identity = await watching('identity', { access_token: token, token_type: 'Bearer', expires_in: 300 });
  const service = await watching('service', { result: { status: { code: 6 } } });
  await using scene = await openScene({ services: { fr: { 'base-url': service.url, 'identity-url': identity.url } } });
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  const secret = scene.sandbox.fr.clientSecret;
  expect(
    seen.filter(({ text }) => text.includes(secret) || text.includes(encodeURIComponent(secret))).map(({ at }) => at),
  ).toEqual(['identity']);
  expect(seen.filter(({ text }) => text.includes(token)).map(({ at }) => at)).toEqual(['service', 'service']);
});

test('a secret from a program: no shell reads its arguments', async () => {
  await using scene = await openScene();
  const mark = join(scene.root, 'reports', 'shell-was-here');
  const { secrets } = scene.instance();
  const echo = ['-e', 'process.stdout.write(process.argv[1])'];
  const value = await secrets.reveal({
    command: [process.execPath, ...echo, `$(touch ${mark}); \`touch ${mark}\` && x`],
  });
  expect(value).toBe(`$(touch ${mark}); \`touch ${mark}\` && x`);
  expect(scene.files('reports')).toEqual([]);
});
