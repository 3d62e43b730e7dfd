/** Sign-in with a real OpenID Connect provider (oidc-provider), from the link of the console and back. */
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import { createSealing } from '../../src/console/server/sealed-value.ts';
import { openScene, type Scene } from '../night.ts';
import { ask, openConsoleOf, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
let issuer: string;
const closing = new AsyncDisposableStack();

beforeAll(async () => {
  scene = closing.use(await openScene());
  let listener: RequestListener = (_, response) => void response.end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.defer(() => server.closeAllConnections());
  closing.defer(() => void server.close());
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(scene.root, 'oidc-secret'), 'a-client-secret-of-some-length', { mode: 0o600 });
  open = closing.use(
    await openConsoleOf(scene, {
      'serve.oidc.issuer': issuer,
      'serve.oidc.client-id': 'nightpost',
      'serve.oidc.client-secret': { file: 'oidc-secret' },
      'serve.oidc.groups': { finance: 'operator' },
    }),
  );
  listener = new Provider(issuer, {
    clients: [
      {
        client_id: 'nightpost',
        client_secret: 'a-client-secret-of-some-length',
        redirect_uris: [`${open.address}login/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub', 'preferred_username', 'groups'] },
    conformIdTokenClaims: false,
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      // An id with an equals sign chooses a name: sub=name.
      claims: () => {
        const [sub = id, name = id] = id.split('=');
        return {
          sub: id,
          preferred_username: name,
          groups: ['claire', 'm1', 'm2'].includes(sub) ? ['finance'] : ['sales'],
        };
      },
    }),
  }).callback();
});
afterAll(async () => await closing.disposeAsync());

/** The browser of a person at the provider, up to the address that leads back to the console. */
async function throughProvider(from: string, login: string): Promise<string> {
  const jar = new Map<string, string>();
  let [address, form] = [from, undefined as URLSearchParams | undefined];
  for (let step = 0; step < 12; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set)!;
      jar.set(name, value);
    }
    form = undefined;
    const location = answer.headers.get('location');
    if (location) {
      address = new URL(location, address).href;
      if (address.startsWith(open.address)) return address;
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(await answer.text())?.[1] ?? '';
    form = new URLSearchParams({ prompt, login, password: 'any' });
  }
  throw new Error(`still at ${address}`);
}

async function begin() {
  const { headers, cookie = '' } = await ask(open, `${open.base}/login/oidc?next=%2F%3Fstate%3Dheld`);
  expect(headers.location).toMatch(new RegExp(`^${issuer}/auth\\?.*code_challenge_method=S256`));
  return { location: String(headers.location), cookie };
}

const back = (address: string, cookie: string) =>
  ask(open, address.slice(open.address.length - open.base.length - 1), {
    headers: { cookie, 'sec-fetch-site': 'cross-site' },
  });

test('a person of a known group signs in and comes back to the page, with the role of the group', async () => {
  expect((await ask(open, `${open.base}/login`)).body).toContain('/login/oidc?next=');
  const { location, cookie } = await begin();
  const answer = await back(await throughProvider(location, 'claire'), cookie);
  expect([answer.status, answer.headers.location]).toEqual([303, `${open.base}/?state=held`]);
  expect((await ask(open, `${open.base}/`, { headers: { cookie: answer.cookie! } })).status).toBe(200);
  using people = openPeople(scene.root);
  expect(people.named('claire')?.role).toBe('operator');
});

test('no session for a person without a known group, in another browser, with another state, or a second time', async () => {
  const outside = await begin();
  expect((await back(await throughProvider(outside.location, 'paul'), outside.cookie)).status).toBe(401);
  const { location, cookie } = await begin();
  const address = await throughProvider(location, 'claire');
  expect((await back(address, '')).status).toBe(401);
  expect((await back(address, (await begin()).cookie)).status).toBe(401);
  expect((await back(address, cookie)).status).toBe(303);
  expect((await back(address, cookie)).status).toBe(401);
  using people = openPeople(scene.root);
  expect(people.named('paul')).toBeUndefined();
});

test('a name is no identity: no one signs in as a person whom another way made, until an administrator binds it', async () => {
  using people = openPeople(scene.root);
  const by = { name: 'test', address: 'local' };
  const victim = people.add('victim', 'admin', by);
  const token = people.makeToken('victim', by);
  const signIn = async (login: string) => {
    const { location, cookie } = await begin();
    return await back(await throughProvider(location, login), cookie);
  };
  for (const login of ['m1=victim', 'm1=\uff36ICTIM', 'm1=claire'])
    expect((await signIn(login)).status, login).toBe(401);
  expect([people.personOfToken(token), people.named('claire')?.role]).toEqual([victim, 'operator']);
  // Bound by an administrator, once: the role stays that of the person.
  people.allowBinding('victim', by);
  expect((await signIn('m2=victim')).status).toBe(303);
  expect(people.personOfToken(token)).toEqual(victim);
  expect((await signIn('m1=victim')).status).toBe(401);
  expect((await signIn('m2=victim')).status).toBe(303);
});

test('a thousand sign-ins that others begin and never end take none from a person', async () => {
  const { location, cookie } = await begin();
  const address = await throughProvider(location, 'claire');
  for (let n = 0; n < 1_010; n++) await ask(open, `${open.base}/login/oidc?next=%2F`);
  expect((await back(address, cookie)).status).toBe(303);
});

test('a changed cookie, or one of another purpose, opens nothing', () => {
  const [one, other] = ['oidc', 'another'].map((purpose) => createSealing('key', purpose));
  const sealed = one!.seal({ state: 'x' });
  expect(one!.open(sealed)).toEqual({ state: 'x' });
  expect([other!.open(sealed), createSealing('key-2', 'oidc').open(sealed), one!.open('')]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
  for (let at = 0; at < sealed.length - 1; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(one!.open(changed)).toBeUndefined();
  }
});
