/** The console at its door, as browsers, other sites and other programs knock: a real server on loopback. */
import { pbkdf2 } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import { CONSOLE_ROLES, roleHas } from '../../src/console/people/person.ts';
import { CONSOLE_ROUTES } from '../../src/console/route-table.ts';
import { writeDurable } from '../../src/files/write-durable.ts';
import { selfSigned } from '../delivery/loopback.ts';
import { openScene, type Scene } from '../night.ts';
import { commandIn } from '../program.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
const by = { name: 'test', address: 'local' };

beforeAll(async () => {
  scene = await openScene();
  open = await openConsoleOf(scene);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

/** Fills every named part of a path. */
function filled(path: string): string {
  return path.replace(/:\w+(\{[^}]*\})?/g, 'x');
}

describe('sign-in', () => {
  test('the link of the program signs in once, and its file has the next one', async () => {
    const { file, address } = open.link!;
    expect(readFileSync(file, 'utf8').trim()).toBe(address);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const token = /#t=([\w-]{43})$/.exec(address)![1]!;
    const trade = () => ask(open, `${open.base}/login`, { headers: SAME_ORIGIN, form: { token, next: '/' } });
    const first = await trade();
    expect([first.status, first.headers.location]).toEqual([303, `${open.base}/`]);
    expect(first.headers['set-cookie']![0]).toMatch(
      new RegExp(`^nightpost=[\\w-]{43}; Path=${open.base}; HttpOnly; SameSite=Strict; Max-Age=43200$`),
    );
    expect((await ask(open, `${open.base}/`, { headers: { cookie: first.cookie! } })).status).toBe(200);
    expect((await trade()).status).toBe(401);
    await expect.poll(() => readFileSync(file, 'utf8').trim()).not.toBe(address);
  });

  test('a console that ends while it writes the next link leaves none', async () => {
    await using own = await openScene();
    const console = await openConsoleOf(own);
    const { file, address } = console.link!;
    // What writes files is busy, so that the next link waits.
    const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('a', 'b', 100_000, 64, 'sha512'));
    const form = { token: /#t=(.*)$/.exec(address)![1]!, next: '/' };
    expect((await ask(console, `${console.base}/login`, { headers: SAME_ORIGIN, form })).status).toBe(303);
    await console[Symbol.asyncDispose]();
    await Promise.all(busy);
    await writeDurable(`${file}-after`, '');
    expect(existsSync(file)).toBe(false);
  });

  test('without a session a page leads to the form and back, a form and the API get 401', async () => {
    const page = await ask(open, `${open.base}/?state=held&file=a%26b`);
    expect([page.status, page.headers.location]).toEqual([
      303,
      `${open.base}/login?next=${encodeURIComponent('/?state=held&file=a%26b')}`,
    ]);
    expect((await ask(open, `${open.base}/login?next=%2F%3Fstate%3Dheld`)).body).toContain('value="/?state=held"');
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '', '/a\r\nset-cookie: x=1'])(
    'next=%j stays on this console',
    async (next) => {
      using people = openPeople(scene.root);
      if (!people.named('next')) people.add('next', 'viewer', by);
      const form = { token: people.makeLink('next', by), next };
      const { headers } = await ask(open, `${open.base}/login`, { headers: SAME_ORIGIN, form });
      expect(headers.location).toBe(`${open.base}/`);
      expect(headers['set-cookie']).toHaveLength(1);
    },
  );

  test('signing out ends the session on the server, not in the browser alone', async () => {
    const session = await signInAs(scene, open, 'viewer');
    const { body } = await ask(open, `${open.base}/`, { headers: session });
    const out = await ask(open, `${open.base}/sign-out`, {
      headers: { ...session, ...SAME_ORIGIN },
      form: { csrf: csrfIn(body) },
    });
    expect(out.status).toBe(303);
    expect((await ask(open, `${open.base}/`, { headers: session })).status).toBe(303);
  });

  test.each(['role', 'revoke', 'password'] as const)(
    'a change of %s ends the sessions of the person',
    async (change) => {
      const name = `changed-${change}`;
      const session = await signInAs(scene, open, 'viewer', name);
      const status = async () => (await ask(open, `${open.base}/`, { headers: session })).status;
      expect(await status()).toBe(200);
      using people = openPeople(scene.root);
      if (change === 'role') people.setRole(name, 'operator', by);
      else if (change === 'revoke') people.revoke(name, by);
      else await people.setPassword(name, 'a long enough password', by);
      expect(await status()).toBe(303);
    },
  );
});

describe('what other sites and programs send', () => {
  test('every answer has the headers that keep scripts, frames and caches out', async () => {
    for (const path of ['/', '/login', '/static/sign-in.js', '/nothing', '/api/v1/nothing']) {
      const { headers } = await ask(open, open.base + path);
      expect(headers, path).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
        ),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': path.startsWith('/static') ? 'private, max-age=31536000, immutable' : 'no-store',
      });
    }
  });

  test.each(['evil.example', 'evil.example:7433', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example'])(
    'the host %s is refused before anything else',
    async (host) => {
      const { status, body } = await ask(open, `${open.base}/login`, { headers: { host } });
      expect([status, body]).toEqual([421, '']);
    },
  );

  test.each<[string, { readonly [name: string]: string }, number]>([
    ['no word about its origin', {}, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another port', { 'sec-fetch-site': 'same-site' }, 403],
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['another port in Origin', { origin: 'http://127.0.0.1:1' }, 403],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    ['no origin, and no word about the site', { origin: 'null' }, 403],
    ['two that differ', { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }, 403],
    ['a page of ours', { 'sec-fetch-site': 'same-origin' }, 401],
    ['a form of ours, which sends no referrer', { origin: 'null', 'sec-fetch-site': 'same-origin' }, 401],
    ['a frame without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
  ])('a post with %s', async (_, headers, status) => {
    const form = { token: 'x'.repeat(43), next: '/' };
    expect((await ask(open, `${open.base}/login`, { headers, form })).status).toBe(status);
  });

  test('a post needs the value of the own session, not of another one', async () => {
    const [own, other] = [await signInAs(scene, open, 'viewer', 'own'), await signInAs(scene, open, 'viewer', 'other')];
    const { body } = await ask(open, `${open.base}/`, { headers: other });
    for (const csrf of ['', 'x', csrfIn(body)]) {
      const refused = await ask(open, `${open.base}/sign-out`, { headers: { ...own, ...SAME_ORIGIN }, form: { csrf } });
      expect(refused.status).toBe(403);
    }
    expect((await ask(open, `${open.base}/`, { headers: own })).status).toBe(200);
  });

  test('bodies are bounded, and forms alone', async () => {
    const send = (body: string | Uint8Array, type: string) =>
      ask(open, `${open.base}/login`, { headers: { ...SAME_ORIGIN, 'content-type': type }, body });
    expect((await send('{}', 'application/json')).status).toBe(415);
    expect((await send('{}', 'text/plain')).status).toBe(415);
    expect((await send(`name=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded')).status).toBe(413);
    expect((await send('--x', 'multipart/form-data; boundary=y')).status).toBe(400);
  });

  test('a path of a static file never leaves its folder', async () => {
    for (const name of ['..%2fopen-console.ts', '%2e%2e%2froute-table.ts', '../server/listen.ts', 'nothing.js']) {
      expect((await ask(open, `${open.base}/static/${name}`)).status).toBe(404);
    }
  });
});

test('each role sees the routes of its rights, and no other', async () => {
  for (const role of CONSOLE_ROLES) {
    const session = await signInAs(scene, open, role);
    const { body } = await ask(open, `${open.base}/`, { headers: session });
    for (const { method, path, right } of CONSOLE_ROUTES) {
      const form = method === 'POST' ? { form: { csrf: csrfIn(body) } } : {};
      const { status } = await ask(open, open.base + filled(path), {
        // Events come as a stream, which does not end, unless JSON is asked for.
        headers: { ...session, ...SAME_ORIGIN, accept: 'text/html, application/json' },
        method,
        ...form,
      });
      expect(status === 403, `${role} ${method} ${path}: ${status}`).toBe(!roleHas(role, right));
      expect(status, `${method} ${path}`).not.toBe(500);
    }
  }
  expect(open.defects).toEqual([]);
});

test('what makes the console refuse to start is a fault with a code', async () => {
  const codeOf = (flags: { readonly [setting: string]: unknown }) =>
    openConsoleOf(scene, flags).then(
      async (opened) => await opened[Symbol.asyncDispose](),
      ({ code }) => code,
    );
  expect(await codeOf({ 'serve.port': open.port })).toBe('serve/port-taken');
  const { cert, key } = selfSigned();
  writeFileSync(join(scene.root, 'cert.pem'), cert);
  writeFileSync(join(scene.root, 'key.pem'), key, { mode: 0o600 });
  const tls = { 'serve.tls.key': { file: 'key.pem' }, 'serve.hosts': ['console.example'] };
  expect(await codeOf({ ...tls, 'serve.tls.cert': 'nothing.pem' })).toBe('serve/certificate');
  expect(await codeOf({ ...tls, 'serve.tls.cert': 'nightpost.yaml' })).toBe('serve/certificate');
  // 192.0.2.1 is no address of any machine (RFC 5737).
  expect(await codeOf({ ...tls, 'serve.tls.cert': 'cert.pem', 'serve.host': '192.0.2.1' })).toBe('serve/cannot-listen');
  expect(await codeOf({ 'serve.host': '0.0.0.0' })).toBe('config/invalid');
});

test('people are refused by code', async () => {
  using people = openPeople(scene.root);
  const codeOf = async (act: () => unknown) => {
    try {
      await act();
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  expect(await codeOf(() => people.setRole('no one', 'admin', by))).toBe('people/unknown');
  expect(await codeOf(() => people.add(' ', 'admin', by))).toBe('people/name');
  people.add('Zoé', 'viewer', by);
  expect(await codeOf(() => people.add('ZOE\u0301', 'admin', by))).toBe('people/exists');
  expect(await codeOf(() => people.setPassword('zoé', '12345678901', by))).toBe('people/short-password');
});

test('people are added, listed and revoked on the command line; a link and a token are printed once', async () => {
  const call = async (...args: string[]) => {
    const { out, err } = await commandIn(scene, '--json', 'people', ...args);
    return JSON.parse(out || err) as { readonly [key: string]: string };
  };
  expect(await call('add', 'erp')).toMatchObject({ error: { code: 'people/no-role' } });
  const added = await call('add', 'erp', '--role', 'viewer', '--lang', 'fr');
  expect(added.link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:7433${open.base}/login#t=[\\w-]{43}$`));
  const { token } = await call('token', 'erp');
  expect(token).toMatch(/^[\w-]{43}$/);
  using people = openPeople(scene.root);
  expect(people.personOfToken(token!)).toMatchObject({ name: 'erp', role: 'viewer', language: 'fr' });
  expect(people.list().find(({ name }) => name === 'erp')).toMatchObject({ sessions: 0, revokedAt: null });
  await call('revoke', 'erp');
  expect(people.personOfToken(token!)).toBeUndefined();
  expect(people.personOfLink(added.link!.split('#t=')[1]!)).toBeUndefined();
  expect(await call('link', 'erp')).toMatchObject({ error: { code: 'people/unknown' } });
  const said = (await commandIn(scene, 'people', 'list')).out;
  expect(said).toMatch(/erp +revoked/);
});
