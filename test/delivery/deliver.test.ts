import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { connectionWords } from '../../src/delivery/connection-words.ts';
import { frenchContingency } from '../../src/delivery/consultation-schedule.ts';
import { openHttp } from '../../src/delivery/http-exchange.ts';
import { judgeResponse } from '../../src/delivery/response-policy.ts';
import type { Http, WireRequest } from '../../src/delivery/service.ts';
import { connection } from '../../src/delivery/service-settings.ts';
import { format } from '../../src/i18n/message.ts';
import type { Exchange, WireError } from '../../src/model/answer.ts';
import { UNKNOWN_FATES } from './fates.ts';
import { httpAnswer, IMPATIENT, listening, quickHttp, rawServer, type Seen, selfSigned } from './loopback.ts';

const BODY = JSON.stringify({ text: 'é'.repeat(2000) });
const AUTHORIZED = '{"context":{"request-id":"r-1"},"result":{"status":{"code":2}}}';

function post(url: string): WireRequest {
  return { method: 'POST', url: `${url}/invoice`, headers: { 'content-type': 'application/json' }, body: BODY };
}

function stateOf(exchange: Exchange): string {
  const policy = {
    places: { code: '/result/status/code', requestId: '/context/request-id' },
    strictEcho: false,
    resendOn401: true,
    resendOn429: true,
    contingency: frenchContingency,
  };
  const now = new Date('2026-11-20T12:00:00Z');
  const ours = {
    class: 'invoice',
    identifier: 'F-7',
    requestId: 'r-1',
    now,
    tokenRenewed: false,
    tries: 0,
    random: () => 0,
  };
  return judgeResponse(exchange, ours, policy).state;
}

describe('an exchange', () => {
  it('brings the whole answer, decoded', async () => {
    await using server = await rawServer((socket) => socket.end(httpAnswer(200, '{"é":1}', { 'X-One': 'a' })));
    await using open = await quickHttp();
    const exchange = await open.http(post(server.url));
    expect(exchange).toMatchObject({ sent: true, status: 200, body: '{"é":1}', headers: { 'x-one': 'a' } });
    expect(server.seen.text).toMatch(/^POST \/invoice HTTP\/1\.1\r\n/);
    expect(server.seen.text).toMatch(/accept-encoding: identity\r\n/);
    expect(Buffer.from(server.seen.text, 'latin1').toString()).toContain(BODY);
  });

  it('joins headers that come twice', async () => {
    const twice = 'HTTP/1.1 200 OK\r\nX-One: a\r\nx-one: b\r\n__proto__: c\r\ncontent-length: 2\r\n\r\n{}';
    await using server = await rawServer((socket) => socket.end(Buffer.from(twice)));
    await using open = await quickHttp();
    const exchange = await open.http(post(server.url));
    const headers = Object.entries('headers' in exchange ? exchange.headers : {});
    expect(headers).toEqual([
      ['x-one', 'a, b'],
      ['__proto__', 'c'],
      ['content-length', '2'],
    ]);
  });

  it('names an answer that begins with 100 Continue, which no one asked for: its fate is unknown', async () => {
    const answer = Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), httpAnswer(200, AUTHORIZED)]);
    await using server = await rawServer((socket) => socket.end(answer));
    await using open = await quickHttp();
    const exchange = await open.http(post(server.url));
    expect(exchange).toMatchObject({ sent: true, error: { code: 'UND_ERR_SOCKET' } });
    if (!('error' in exchange)) return;
    expect(format(connectionWords(exchange.error), 'en')).toContain('begins with 100 Continue');
  });

  it('skips interim answers', async () => {
    const interim = Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n');
    await using server = await rawServer((socket) => socket.end(Buffer.concat([interim, httpAnswer(400, AUTHORIZED)])));
    await using open = await quickHttp();
    expect(await open.http(post(server.url))).toMatchObject({ status: 400, body: AUTHORIZED });
  });

  it('keeps bytes that are no UTF-8 apart from text', async () => {
    await using server = await rawServer((socket) => socket.end(httpAnswer(200, Buffer.from([0x22, 0xe9, 0x22]))));
    await using open = await quickHttp();
    expect(await open.http(post(server.url))).toMatchObject({ sent: true, status: 200, body: undefined });
  });
});

describe('an unknown fate', () => {
  it.each(UNKNOWN_FATES)('%s: in-doubt, and one request only', async (_, act) => {
    await using server = await rawServer((socket) => act(socket, AUTHORIZED, AUTHORIZED.replace('r-1', 'r-2')));
    await using open = await quickHttp(IMPATIENT);
    const exchange = await open.http(post(server.url));
    expect(exchange.sent).toBe(true);
    expect(stateOf(exchange)).toBe('in-doubt');
    // On a busy machine the limit may be over before the server has read.
    await expect.poll(() => server.seen.requests).toBe(1);
  });

  it('reset inside the request body: in-doubt, and one connection only', async () => {
    let connections = 0;
    await using server = await rawServer(() => {});
    const resetting = createServer((socket) => {
      connections++;
      socket.on('error', () => {});
      socket.once('data', () => socket.resetAndDestroy());
    });
    await using early = await listening(resetting, server.seen, 'http');
    await using open = await quickHttp();
    const exchange = await open.http({ ...post(early.url), body: 'x'.repeat(8 * 1024 * 1024) });
    expect(exchange).toMatchObject({ sent: true, error: { code: expect.any(String) } });
    expect(connections).toBe(1);
  });

  it('an answer that trickles is cut at the deadline', async () => {
    await using server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n');
      const timer = setInterval(() => socket.write('{'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await using open = await quickHttp({ 'total-timeout': '400ms' });
    const exchange = await open.http(post(server.url));
    expect(exchange).toMatchObject({ sent: true, error: { code: 'TOTAL_TIMEOUT' } });
    const { words } = (exchange as { readonly error: WireError }).error;
    expect(format(words!, 'fr')).toBe('aucune réponse complète en 400 ms');
    expect(server.seen.requests).toBe(1);
  });

  it('the program ends while a request is out', async () => {
    await using server = await rawServer(() => {});
    const open = await quickHttp();
    const pending = open.http(post(server.url));
    while (server.seen.requests === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await open.close();
    expect(await pending).toMatchObject({ sent: true, error: { code: expect.any(String) } });
  });
});

describe('proven not sent', () => {
  const notSent = async (http: Http, url: string) => {
    const exchange = await http(post(url));
    expect(exchange.sent).toBe(false);
    expect(stateOf(exchange)).toBe('ready');
    return exchange;
  };

  it('the port is closed', async () => {
    const gone = await rawServer(() => {});
    await gone[Symbol.asyncDispose]();
    await using open = await quickHttp();
    expect(await notSent(open.http, gone.url)).toMatchObject({ error: { code: 'ECONNREFUSED' } });
  });

  it('the name does not exist', async () => {
    await using open = await quickHttp();
    const exchange = await notSent(open.http, 'http://nowhere.invalid');
    expect(exchange).not.toHaveProperty('tls');
  });

  it('an unknown certificate is refused, unless the settings trust it', async () => {
    const { key, cert } = selfSigned();
    const seen: Seen = { bytes: 0, requests: 0, text: '' };
    const tls = createTlsServer({ key, cert }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        seen.bytes += chunk.length;
        socket.end(httpAnswer(200, AUTHORIZED));
      });
    });
    await using server = await listening(tls, seen, 'https');
    await using strict = await quickHttp();
    expect(await notSent(strict.http, server.url)).toMatchObject({ tls: true });
    expect(seen.bytes).toBe(0);
    await using trusting = await quickHttp({ 'ca-file': 'ca.pem' }, { 'ca.pem': cert });
    expect(stateOf(await trusting.http(post(server.url)))).toBe('authorized');
    expect(await notSent(trusting.http, server.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ tls: true });
    // As NODE_EXTRA_CA_CERTS does: the file comes on top of what the program knows.
    const known = getCACertificates('default');
    setDefaultCACertificates([...known, cert]);
    try {
      await using both = await quickHttp({ 'ca-file': 'ca.pem' }, { 'ca.pem': selfSigned().cert });
      expect(stateOf(await both.http(post(server.url)))).toBe('authorized');
    } finally {
      setDefaultCACertificates(known);
    }
  });

  it('shows the client certificate to a server that asks for one; without it nothing is processed', async () => {
    const server = selfSigned();
    const client = selfSigned();
    const seen: Seen = { bytes: 0, requests: 0, text: '' };
    const options = { ...server, ca: client.cert, requestCert: true, rejectUnauthorized: true };
    const tls = createTlsServer(options, (socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        seen.requests++;
        socket.end(httpAnswer(200, AUTHORIZED));
      });
    });
    await using asking = await listening(tls, seen, 'https');
    const files = { 'ca.pem': server.cert, 'cert.pem': client.cert, 'key.pem': client.key };
    await using without = await quickHttp({ 'ca-file': 'ca.pem' }, files);
    // TLS 1.3 tells the client after it has begun to write: in doubt, although no one read it.
    expect(stateOf(await without.http(post(asking.url)))).not.toBe('authorized');
    expect(seen.requests).toBe(0);
    const known = { 'ca-file': 'ca.pem', 'cert-file': 'cert.pem', 'key-file': 'key.pem' };
    await using open = await quickHttp(known, files);
    expect(stateOf(await open.http(post(asking.url)))).toBe('authorized');
  });

  it('https is spoken to a plain port', async () => {
    await using server = await rawServer(() => {});
    const http = server.url.replace('http:', 'https:');
    await using open = await quickHttp({ 'connect-timeout': '500ms' });
    await notSent(open.http, http);
    expect(server.seen.requests).toBe(0);
  });

  it('a header that cannot be written', async () => {
    await using server = await rawServer(() => {});
    await using open = await quickHttp();
    const exchange = await open.http({ ...post(server.url), headers: { authorization: 'Bearer a\r\nb: c' } });
    expect(exchange.sent).toBe(false);
    expect(server.seen.bytes).toBe(0);
  });

  it('the proxy refuses the tunnel', async () => {
    await using target = await rawServer(() => {});
    await using proxy = await rawServer((socket) => socket.end('HTTP/1.1 502 X\r\ncontent-length: 0\r\n\r\n'));
    await using open = await quickHttp({ proxy: proxy.url });
    await notSent(open.http, target.url.replace('http:', 'https:'));
    expect(target.seen.bytes).toBe(0);
    expect(proxy.seen.text).toMatch(/^CONNECT /);
  });

  it('the deadline passes before the connection is open', async () => {
    await using server = await rawServer(() => {});
    // A tunnel that never opens: the request waits behind it.
    await using proxy = await rawServer(() => {});
    await using open = await quickHttp({ proxy: proxy.url, 'total-timeout': '200ms' });
    expect(await notSent(open.http, server.url.replace('http:', 'https:'))).toMatchObject({
      error: { code: 'TOTAL_TIMEOUT' },
    });
    expect(server.seen.bytes).toBe(0);
  });
});

describe('a connection that opens too late', () => {
  it('carries nothing: the deadline has said "not sent"', async () => {
    const { key, cert } = selfSigned();
    const seen: Seen = { bytes: 0, requests: 0, text: '' };
    const tls = createTlsServer({ key, cert }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        seen.bytes += chunk.length;
        socket.destroy();
      });
    });
    await using target = await listening(tls, seen, 'https');
    let tunnel: Socket | undefined;
    await using proxy = await rawServer((socket) => {
      tunnel ??= socket;
    });
    await using open = await quickHttp(
      { proxy: proxy.url, 'ca-file': 'ca.pem', 'total-timeout': '200ms' },
      { 'ca.pem': cert },
    );
    // On a busy machine the deadline may pass before the proxy was asked.
    while (!tunnel) {
      const exchange = await open.http(post(target.url));
      expect(exchange).toMatchObject({ sent: false, error: { code: 'TOTAL_TIMEOUT' } });
    }
    const through = connect(target.port, '127.0.0.1');
    tunnel.write('HTTP/1.1 200 OK\r\n\r\n');
    tunnel.pipe(through).pipe(tunnel);
    await once(through, 'close');
    expect(seen.bytes).toBe(0);
  });
});

describe('what an answer cannot make us do', () => {
  it.each([301, 302, 303, 307, 308])('follow a redirect with %i', async (status) => {
    await using trap = await rawServer((socket) => socket.end(httpAnswer(200, AUTHORIZED)));
    await using server = await rawServer((socket) => socket.end(httpAnswer(status, '', { location: `${trap.url}/x` })));
    await using open = await quickHttp();
    expect(await open.http(post(server.url))).toMatchObject({ status });
    expect(trap.seen.bytes).toBe(0);
    expect(server.seen.requests).toBe(1);
  });

  it('unpack a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    await using server = await rawServer((socket) => socket.end(httpAnswer(200, bomb, { 'content-encoding': 'gzip' })));
    await using open = await quickHttp();
    const exchange = await open.http(post(server.url));
    expect(exchange).toMatchObject({ sent: true, status: 200, headers: { 'content-encoding': 'gzip' } });
    expect(stateOf(exchange)).toBe('in-doubt');
  });

  it('believe packed text', async () => {
    const packed = gzipSync(AUTHORIZED);
    await using server = await rawServer((socket) =>
      socket.end(httpAnswer(200, packed, { 'content-encoding': 'gzip' })),
    );
    await using open = await quickHttp();
    expect(stateOf(await open.http(post(server.url)))).toBe('in-doubt');
  });
});

describe('connections', () => {
  it('are used again while they are fresh, and a promise of the server does not keep them longer', async () => {
    const closed = new Map<Socket, Promise<unknown>>();
    await using server = await rawServer((socket) => {
      if (!closed.has(socket)) closed.set(socket, once(socket, 'close'));
      socket.write(httpAnswer(200, AUTHORIZED, { 'keep-alive': 'timeout=600' }));
    });
    await using open = await quickHttp({ 'keep-alive': '100ms' });
    for (let n = 0; n < 10; n++) await open.http(post(server.url));
    expect(closed.size).toBeLessThan(10);
    // Ours to close: the server would wait ten minutes.
    await Promise.all(closed.values());
  });

  it('that the server drops while idle cost no second request of the same document', async () => {
    await using server = await rawServer((socket) => {
      socket.write(httpAnswer(200, AUTHORIZED));
      setImmediate(() => socket.destroy());
    });
    await using open = await quickHttp({ 'keep-alive': '2s' });
    for (let n = 1; n <= 30; n++) await open.http({ ...post(server.url), body: `{"n":"number ${n}."}` });
    for (let n = 1; n <= 30; n++) expect(server.seen.text.split(`number ${n}.`).length).toBeLessThanOrEqual(2);
  });

  it('run side by side, one request each', async () => {
    await using server = await rawServer((socket, request) => {
      const text = /"n":(\d+)/.exec(request)![1]!;
      socket.write(httpAnswer(200, `{"n":${text}}`));
    });
    await using open = await quickHttp();
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    const answers = await Promise.all(numbers.map((n) => open.http({ ...post(server.url), body: `{"n":${n}}` })));
    expect(answers.map((answer) => ('body' in answer ? answer.body : ''))).toEqual(numbers.map((n) => `{"n":${n}}`));
    expect(server.seen.requests).toBe(40);
  });
});

describe('the surroundings', () => {
  it('may not switch the certificate checks off', async () => {
    const around = { readFile: async () => Buffer.of(), reveal: async () => '' };
    await expect(openHttp(connection.parse({}), { ...around, rejectUnauthorized: '0' })).rejects.toMatchObject({
      code: 'delivery/tls-checks-off',
    });
  });

  it.each([
    ['is no certificate', { 'ca.pem': 'hello' }],
    ['is not there', {}],
  ])('a file that %s stops the start', async (_, files) => {
    await expect(quickHttp({ 'ca-file': 'ca.pem' }, files)).rejects.toMatchObject({
      code: 'delivery/certificate-unreadable',
    });
  });

  it('a key of another certificate stops the start', async () => {
    const files = { 'cert.pem': selfSigned().cert, 'key.pem': selfSigned().key };
    await expect(quickHttp({ 'cert-file': 'cert.pem', 'key-file': 'key.pem' }, files)).rejects.toMatchObject({
      code: 'delivery/certificate-unreadable',
    });
    expect(connection.safeParse({ 'cert-file': 'cert.pem' }).success).toBe(false);
  });

  it.each([
    ['is trusted where the settings name its authority', true],
    ['is not trusted otherwise, and gets no credentials', false],
  ])('a proxy that is spoken to in https %s', async (_, isNamed) => {
    const { key, cert } = selfSigned();
    const seen: Seen = { bytes: 0, requests: 0, text: '' };
    const tls = createTlsServer({ key, cert }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        seen.text += chunk.toString();
        socket.end('HTTP/1.1 403 X\r\ncontent-length: 0\r\n\r\n');
      });
    });
    await using proxy = await listening(tls, seen, 'https');
    const own = isNamed ? { 'ca-file': 'ca.pem' } : {};
    await using open = await quickHttp(
      { proxy: proxy.url, 'proxy-credentials': { env: 'PROXY' }, ...own },
      { 'ca.pem': cert },
    );
    expect(await open.http(post('https://service.example/x'))).toMatchObject({ sent: false });
    expect(/^CONNECT service\.example:443 /.test(seen.text)).toBe(isNamed);
  });

  it('a proxy gets its credentials, and the target does not', async () => {
    await using proxy = await rawServer((socket) => socket.end('HTTP/1.1 403 X\r\ncontent-length: 0\r\n\r\n'));
    await using open = await quickHttp({ proxy: proxy.url, 'proxy-credentials': { env: 'PROXY' } });
    await open.http(post('https://service.example'));
    expect(proxy.seen.text).toMatch(/^CONNECT service\.example:443 /);
    expect(proxy.seen.text).toMatch(/proxy-authorization: Basic dXNlcjpwYXNzd29yZA==/i);
  });
});
