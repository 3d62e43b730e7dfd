/** Ways in: a proxy, TLS, passwords, tokens, the program itself; and what a hostile or slow client costs. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import { createSignInThrottle, signInKeys } from '../../src/console/people/sign-in-throttle.ts';
import { cpuTimeMs } from '../cpu-time.ts';
import { selfSigned } from '../delivery/loopback.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn, start, startIn } from '../program.ts';
import { ask, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
const by = { name: 'test', address: 'local' };

beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => await scene[Symbol.asyncDispose]());

describe('behind a proxy', () => {
  let open: TestConsole;
  beforeAll(async () => {
    writeFileSync(join(scene.root, 'proxy-secret'), 'shared-by-both', { mode: 0o600 });
    open = await openConsoleOf(scene, {
      'serve.proxy.secret': { file: 'proxy-secret' },
      'serve.proxy.groups': { finance: 'operator', it: 'admin' },
      'serve.hosts': ['nightpost.example.com'],
    });
  });
  afterAll(async () => await open[Symbol.asyncDispose]());

  const named = (groups: string, secret = 'shared-by-both', name = 'claire') => ({
    host: 'nightpost.example.com',
    'x-forwarded-user': name,
    'x-forwarded-groups': groups,
    ...(secret && { 'x-nightpost-proxy': secret }),
  });

  test.each([
    ['a known group', named('sales, finance'), 200],
    ['no known group', named('sales'), 303],
    ['a group named like a property of objects', named('constructor,__proto__'), 303],
    ['a wrong secret', named('it', 'guessed'), 303],
    ['no secret', named('it', ''), 303],
    ['no name', named('it', 'shared-by-both', ''), 303],
  ])('%s', async (_, headers, status) => {
    expect((await ask(open, '/', { headers })).status).toBe(status);
  });

  test('a person whom another way made is not the one that the proxy names', async () => {
    using people = openPeople(scene.root);
    const local = people.add('local admin', 'admin', by);
    const token = people.makeToken('local admin', by);
    const asProxy = () => ask(open, '/', { headers: named('finance', 'shared-by-both', 'LOCAL admin') });
    expect((await asProxy()).status).toBe(303);
    people.allowBinding('local admin', by);
    expect((await asProxy()).status).toBe(200);
    expect(people.personOfToken(token)).toEqual(local);
  });

  test('a name in UTF-8, as proxies send it, is read as that; other bytes are read as Latin-1', async () => {
    const names = [Buffer.from('zélie').toString('latin1'), 'andré'];
    for (const name of names) await ask(open, '/', { headers: named('finance', 'shared-by-both', name) });
    using people = openPeople(scene.root);
    expect(['zélie', 'andré'].map((name) => people.named(name)?.role)).toEqual(['operator', 'operator']);
  });

  test('a wrong secret is in the history, once for an address and minute', async () => {
    for (let n = 0; n < 5; n++) await ask(open, '/', { headers: named('finance', 'guessed', 'mallory') });
    using people = openPeople(scene.root);
    const found = people
      .events(100)
      .filter(({ what, detail }) => what === 'sign-in-failed' && JSON.stringify(detail).includes('proxy'));
    expect(found).toHaveLength(1);
  });

  test('the API answers no page of another site, and other programs', async () => {
    const api = async (site?: string) =>
      (await ask(open, '/api/v1/status', { headers: { ...named('finance'), ...(site && { 'sec-fetch-site': site }) } }))
        .status;
    expect([await api('cross-site'), await api('same-site'), await api('same-origin'), await api()]).toEqual([
      401, 401, 200, 200,
    ]);
  });

  test('the role follows the groups, and who is revoked stays out', async () => {
    await ask(open, '/', { headers: named('it') });
    using people = openPeople(scene.root);
    expect(people.named('claire')?.role).toBe('admin');
    await ask(open, '/', { headers: named('finance') });
    expect(people.named('claire')?.role).toBe('operator');
    people.revoke('claire', by);
    expect((await ask(open, '/', { headers: named('it') })).status).toBe(303);
  });
});

test('over TLS the cookie belongs to this host alone', async () => {
  const { cert, key } = selfSigned();
  writeFileSync(join(scene.root, 'cert.pem'), cert);
  writeFileSync(join(scene.root, 'key.pem'), key, { mode: 0o600 });
  await using open = await openConsoleOf(scene, {
    'serve.tls.cert': 'cert.pem',
    'serve.tls.key': { file: 'key.pem' },
    'serve.hosts': ['nightpost.example.com'],
  });
  using people = openPeople(scene.root);
  people.add('tls', 'viewer', by);
  const form = new URLSearchParams({ token: people.makeLink('tls', by), next: '/' }).toString();
  const headers = {
    ...SAME_ORIGIN,
    host: `nightpost.example.com:${open.port}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const sent = request({
    host: '127.0.0.1',
    port: open.port,
    path: '/login',
    method: 'POST',
    rejectUnauthorized: false,
    headers,
  });
  sent.end(form);
  const [answer] = await once(sent, 'response');
  answer.resume();
  expect(answer.headers['set-cookie'][0]).toMatch(
    /^__Host-nightpost=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=43200$/,
  );
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
});

describe('on this machine', () => {
  let open: TestConsole;
  beforeAll(async () => {
    open = await openConsoleOf(scene);
  });
  afterAll(async () => await open[Symbol.asyncDispose]());

  const signIn = (name: string, password: string) =>
    ask(open, `${open.base}/login`, { headers: SAME_ORIGIN, form: { name, password, next: '/' } });

  test('a password signs in, in any spelling of its letters; failures look alike, and the sixth waits', async () => {
    using people = openPeople(scene.root);
    people.add('léa', 'viewer', by);
    await people.setPassword('léa', 'déjà vu à Genève', by);
    expect((await signIn('LE\u0301A', 'de\u0301ja\u0300 vu a\u0300 Gene\u0300ve')).status).toBe(303);
    const answers = [];
    for (const name of ['léa', 'no-one', 'léa', 'léa', 'léa', 'léa'])
      answers.push(await signIn(name, 'wrong password'));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const blocked = await signIn('léa', 'déjà vu à Genève');
    expect([blocked.status, blocked.headers['retry-after']]).toEqual([429, '60']);
    expect(people.events(3).map(({ what }) => what)).toEqual(['sign-in-blocked', 'sign-in-failed', 'sign-in-failed']);
  });

  test('a browser that signs in again has one session: the one before ends on the server', async () => {
    const { cookie } = await signInAs(scene, open, 'viewer', 'again');
    using people = openPeople(scene.root);
    const form = { token: people.makeLink('again', by), next: '/' };
    const again = await ask(open, `${open.base}/login`, { headers: { ...SAME_ORIGIN, cookie }, form });
    const status = async (of: string) => (await ask(open, `${open.base}/`, { headers: { cookie: of } })).status;
    expect([await status(cookie), await status(again.cookie!)]).toEqual([303, 200]);
  });

  test('a token of the API counts for the API alone, a cookie there only for a page of ours', async () => {
    using people = openPeople(scene.root);
    people.add('erp', 'viewer', by);
    const headers = { authorization: `Bearer ${people.makeToken('erp', by)}` };
    expect((await ask(open, `${open.base}/`, { headers })).status).toBe(303);
    const session = await signInAs(scene, open, 'viewer');
    expect((await ask(open, `${open.base}/api/v1/nothing`, { headers: session })).headers['content-type']).toBe(
      'application/problem+json',
    );
  });

  test('a session ends an hour after its last request, and after twelve hours in any case', () => {
    let now = Date.now();
    using people = openPeople(scene.root, () => now);
    const person = people.add('clock', 'viewer', by);
    const token = people.beginSession(person, 'local', 'link');
    const minutes = (count: number) => {
      now += count * 60_000;
      return people.personOfSession(token)?.name;
    };
    expect([minutes(59), minutes(59), minutes(61)]).toEqual(['clock', 'clock', undefined]);
    const long = people.beginSession(person, 'local', 'link');
    const seen = Array.from({ length: 14 }, () => {
      now += 55 * 60_000;
      return people.personOfSession(long) !== undefined;
    });
    expect(seen.filter(Boolean)).toHaveLength(13);
    const link = people.makeLink('clock', by);
    now += 24 * 3_600_000;
    expect(people.personOfLink(link)).toBeUndefined();
  });

  test('hostile headers and bodies end in an answer or a closed connection, never in a defect', async () => {
    const raw = async (text: string) => {
      const socket = connect(open.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (part) => {
        answer += String(part);
      });
      socket.on('error', () => undefined);
      socket.write(text);
      await once(socket, 'close');
      return /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
    };
    const host = `Host: 127.0.0.1:${open.port}\r\n`;
    const end = 'Connection: close\r\n\r\n';
    expect(await raw(`GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n${end}`)).toBe('431');
    expect(await raw(`GET / HTTP/1.1\r\n${end}`)).toBe('400');
    expect(await raw(`GET / HTTP/1.1\r\n${host}${host}${end}`)).toMatch(/400|421/);
    expect(
      await raw(`POST ${open.base}/login HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${end}`),
    ).toBe('400');
    expect(await raw(`GET http://evil.example${open.base}/ HTTP/1.1\r\n${host}${end}`)).toMatch(/400|421|303/);
    for (const path of ['/%00', '/%ff', '/%2e%2e/%2e%2e/etc/passwd', '//', `/${'a'.repeat(8_000)}`, '/?next=%']) {
      expect(await raw(`GET ${open.base}${path} HTTP/1.1\r\n${host}${end}`), path).toMatch(/^(303|400|404)$/);
    }
    const cookies = [
      'nightpost',
      'nightpost=',
      'nightpost=%',
      `nightpost=${'a'.repeat(9_000)}`,
      '=;=;nightpost=\u0001',
    ];
    for (const cookie of cookies)
      expect(await raw(`GET ${open.base}/ HTTP/1.1\r\n${host}Cookie: ${cookie}\r\n${end}`)).toMatch(/303|400/);
    expect(open.defects).toEqual([]);
  });
});

test('10,000 failed sign-ins of as many names and addresses stay in bounds, and cost no comparison once they wait', () => {
  const throttle = createSignInThrottle();
  const start = cpuTimeMs();
  for (let n = 0; n < 10_000; n++) throttle.failed([`name ${n}`, `address ${n}`], n);
  expect(throttle.size()).toBe(10_000);
  expect(cpuTimeMs() - start).toBeLessThan(2_000);
  const keys = ['name marie', 'address 10.0.0.1'];
  const waits: number[] = [];
  let now = 1_000_000;
  for (let round = 0; round < 8; round++) {
    for (let n = 0; n < 30; n++) throttle.failed(n < 5 ? keys : keys.slice(1), now);
    waits.push(throttle.wait(keys, now) / 60_000);
    now += throttle.wait(keys, now);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  throttle.begin(keys, now)?.succeeded();
  expect(throttle.wait(['name marie'], now - 1)).toBe(0);
});

/** Resolves to the statuses of sign-ins that are all under way at once: a right password after many wrong ones. */
async function guessAtOnce(at: TestConsole, name: string, right: string): Promise<readonly number[]> {
  const passwords = [...Array.from({ length: 17 }, (_, n) => `wrong guess number ${n}`), right];
  const answers = passwords.map((password) =>
    ask(at, `${at.base}/login`, { headers: SAME_ORIGIN, form: { name, password, next: '/' } }),
  );
  return (await Promise.all(answers)).map(({ status }) => status);
}

test.skipIf(process.platform !== 'linux')(
  'a name that someone guesses waits for that address alone, and keeps no one out who is elsewhere',
  async () => {
    await using open = await openConsoleOf(scene);
    using people = openPeople(scene.root);
    people.add('target', 'viewer', by);
    await people.setPassword('target', 'une phrase assez longue', by);
    const signIn = async (password: string, from: string) => {
      const form = { name: 'target', password, next: '/' };
      return (await ask(open, `${open.base}/login`, { headers: SAME_ORIGIN, form, from })).status;
    };
    // Every address of 127.0.0.0/8 is this machine.
    for (let n = 0; n < 6; n++) expect(await signIn('wrong password', '127.0.0.2')).toBe(n < 5 ? 401 : 429);
    expect(await signIn('une phrase assez longue', '127.0.0.2')).toBe(429);
    expect(await signIn('une phrase assez longue', '127.0.0.1')).toBe(303);
  },
);

test('guesses from many addresses slow a name down, and never make it wait', () => {
  const throttle = createSignInThrottle();
  const delays: number[] = [];
  for (let n = 0; n < 20; n++) {
    const keys = signInKeys(`10.0.${n}.1`, ' MARIE');
    delays.push(throttle.delay(keys, 0));
    throttle.begin(keys, 0)?.failed(0);
  }
  const keys = signInKeys('10.1.1.1', 'marie');
  expect([delays[4], delays[5]! > 0, throttle.delay(keys, 0), throttle.wait(keys, 0)]).toEqual([0, true, 4_000, 0]);
  expect(throttle.delay(signInKeys('10.1.1.1', 'paul'), 0)).toBe(0);
  expect(throttle.delay(keys, 61_000)).toBe(0);
});

test.each([
  ['2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', true],
  ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
  ['::1', '::2', true],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
  ['fe80::1%eth0', 'fe80::2', true],
])('%s and %s count as one address: %s', (one, other, isOne) => {
  expect(signInKeys(one)[0] === signInKeys(other)[0]).toBe(isOne);
});

test('guesses at the same time are no more than guesses one after another', async () => {
  await using open = await openConsoleOf(scene);
  using people = openPeople(scene.root);
  people.add('parallel', 'viewer', by);
  await people.setPassword('parallel', 'une phrase assez longue', by);
  const statuses = await guessAtOnce(open, 'parallel', 'une phrase assez longue');
  // Connections may arrive in another order, so the right one may be among the first five.
  expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(5);
});

test('of attempts under way each counts, and a success gives back its own alone', () => {
  const throttle = createSignInThrottle();
  const address = 'address 10.0.0.2';
  const begin = (name: string) => throttle.begin([`name ${name}`, address], 0);
  const five = Array.from({ length: 5 }, () => begin('marie'));
  expect([five.every((one) => one !== undefined), begin('marie')]).toEqual([true, undefined]);
  five[0]!.succeeded();
  expect(begin('marie')).toBeDefined();
  // Who signs in with the own password between guesses does not free the address.
  let compared = 0;
  for (let n = 0; n < 100; n++) {
    if (begin(`guess ${n}`)) compared++;
    begin('own')?.succeeded();
  }
  expect(compared).toBeLessThan(30);
});

/** Failures that are sent to a real server. */
const FLOOD = process.env.TORTURE ? 3_000 : 400;

test('a flood of failed sign-ins keeps no one out who is elsewhere or has a link', async () => {
  await using open = await openConsoleOf(scene);
  using people = openPeople(scene.root);
  people.add('nora', 'viewer', by);
  await people.setPassword('nora', 'une phrase assez longue', by);
  const signIn = (form: { readonly [name: string]: string }, from = '127.0.0.1') =>
    ask(open, `${open.base}/login`, { headers: SAME_ORIGIN, form: { next: '/', ...form }, from });
  const statuses = new Map<number, number>();
  let sent = 0;
  const send = async () => {
    while (sent < FLOOD) {
      const { status } = await signIn({ name: `guess ${sent++}`, password: 'guessed too' });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
  expect(statuses.get(401)).toBeLessThanOrEqual(30);
  expect([...statuses.keys()].sort()).toEqual([401, 429]);
  expect(people.events(100).filter(({ name }) => name.startsWith('guess ')).length).toBeLessThanOrEqual(30);
  const right = { name: 'nora', password: 'une phrase assez longue' };
  expect((await signIn(right)).status).toBe(429);
  // Every address of 127.0.0.0/8 is this machine, on Linux alone.
  if (process.platform === 'linux') expect((await signIn(right, '127.0.0.2')).status).toBe(303);
  expect((await signIn({ token: 'x'.repeat(43) })).status).toBe(429);
  expect((await signIn({ token: people.makeLink('nora', by) })).status).toBe(303);
}, 120_000);

test('the program prints the link, answers, and ends in order on a signal', async () => {
  const { child, ended } = startIn(scene, '--json', 'serve', '--port', '0');
  const [printed] = await once(child.stdout!, 'data');
  const { address } = JSON.parse(String(printed)) as { address: string };
  const { port, pathname } = new URL(address);
  expect((await ask({ port: Number(port) }, pathname)).status).toBe(303);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(143);
});

test.skipIf(process.platform !== 'linux')(
  'watch --serve: the console is killed, the watch goes on and starts it again, and both end together',
  async () => {
    await using own = await openScene({ settings: { serve: { port: 0 }, inbox: { settle: '1ms', scan: '100ms' } } });
    const { child, ended } = startIn(own, 'watch', '--serve');
    let out = '';
    child.stdout!.on('data', (part) => {
      out += String(part);
    });
    const addresses = () =>
      [...out.matchAll(/http:\/\/127\.0\.0\.1:\d+\/i\/\w+\//g)].map(([address]) => new URL(address));
    const status = async (at: URL) => (await ask({ port: Number(at.port) }, `${at.pathname}login`)).status;
    await expect.poll(() => addresses().length, { timeout: 30_000 }).toBe(1);
    expect(await status(addresses()[0]!)).toBe(200);
    const [console] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
    process.kill(Number(console), 'SIGKILL');
    own.drop('ventes.csv', sales(['F1']));
    await expect.poll(() => addresses().length, { timeout: 30_000 }).toBe(2);
    expect(await status(addresses()[1]!)).toBe(200);
    await expect.poll(() => own.sandbox.requests().fr.submit, { timeout: 30_000 }).toBe(1);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(143);
    await expect(status(addresses()[1]!)).rejects.toThrow('ECONNREFUSED');
  },
);

test('a backup has the people with their tokens and passwords, and none of their sessions and links', async () => {
  await using own = await openScene();
  const file = join(own.root, 'copy.sqlite');
  using people = openPeople(own.root);
  const ana = people.add('ana', 'operator', by, 'es');
  await people.setPassword('ana', 'una frase bastante larga', by);
  const [token, link] = [people.makeToken('ana', by), people.makeLink('ana', by)];
  const session = people.beginSession(ana, '10.0.0.1', 'link');
  expect((await commandIn(own, 'backup', file)).code).toBe(0);
  using db = new DatabaseSync(file, { readOnly: true });
  const row = db.prepare(`SELECT content FROM backup_file WHERE path = 'state/people.sqlite'`).get();
  await using other = await openScene();
  writeFileSync(join(other.root, 'state/people.sqlite'), row?.content as Uint8Array, { mode: 0o600 });
  using restored = openPeople(other.root);
  expect(restored.personOfToken(token)).toEqual(ana);
  expect(await restored.personOfPassword('ana', 'una frase bastante larga')).toEqual(ana);
  expect([restored.personOfLink(link), restored.personOfSession(session)]).toEqual([undefined, undefined]);
  expect(people.personOfSession(session)).toEqual(ana);
});

test('demo --serve: next to another console it opens that of its night, and the instance is free for acts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-demo-'));
  // Where another program has the usual port already, that is as good.
  const other = createServer().listen({ port: 7433, host: '127.0.0.1' });
  other.on('error', () => undefined);
  const { child, ended } = start(['demo', '--keep', folder, '--serve']);
  let out = '';
  child.stdout!.on('data', (part) => {
    out += String(part);
  });
  try {
    await expect.poll(() => out, { timeout: 60_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+\/i\/\w+\/login#t=/);
    const link = new URL(/http:\/\/127\S+#t=\S+/.exec(out)?.[0] ?? '');
    expect(link.port).not.toBe('7433');
    const form = { token: link.hash.slice('#t='.length), next: '/' };
    expect((await ask({ port: Number(link.port) }, link.pathname, { headers: SAME_ORIGIN, form })).status).toBe(303);
    // The services go on as well; 6 were the lock.
    expect((await start(['-C', folder, 'run']).ended).code).toBe(0);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(143);
  } finally {
    child.kill('SIGKILL');
    other.close();
    rmSync(folder, { recursive: true });
  }
}, 120_000);
