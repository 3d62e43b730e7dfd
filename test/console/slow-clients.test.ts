/** Clients that are slow on purpose, on the real server: each loses its connection, and others are answered meanwhile and afterwards. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listenForConsole } from '../../src/console/server/listen.ts';
import { ask } from './console.ts';

let listening: Listening;
/** Answers under way that no one reads. */
let unread = 0;

/** More than the buffers of both ends hold. */
const LONG = new Uint8Array(1024 ** 2);

async function answer(request: Request): Promise<Response> {
  if (request.method === 'POST') return new Response(await request.text());
  if (!request.url.endsWith('/long')) return new Response('here');
  unread++;
  request.signal.addEventListener('abort', () => unread--);
  return new Response(ReadableStream.from(Array.from({ length: 256 }, () => LONG)));
}

beforeAll(async () => {
  const limits = { headersTimeout: 300, requestTimeout: 600, timeout: 900, connectionsCheckingInterval: 50 };
  listening = await listenForConsole({ fetch: answer, hosts: ['127.0.0.1'], port: 0, limits });
});
afterAll(async () => await listening[Symbol.asyncDispose]());

const HEAD = 'Host: 127.0.0.1\r\nX-Slow: ';

function send(text: string, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port: listening.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

/** With an error or without one. */
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

const isAnswered = async () => (await ask(listening, '/')).body;

test.each([
  ['headers without an end', `GET / HTTP/1.1\r\n${HEAD}`],
  ['a body without an end', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\nname='],
  ['a chunk without an end', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nff\r\na'],
  ['not a byte', ''],
])('%s', async (_, text) => {
  const socket = send(text);
  socket.resume();
  expect(await isAnswered()).toBe('here');
  await closed(socket);
});

test('bytes one by one, each before its time is over, do not add to the time of the whole', async () => {
  const socket = send(`GET / HTTP/1.1\r\n${HEAD}`);
  socket.resume();
  const drop = setInterval(() => socket.write('x'), 50);
  await closed(socket);
  clearInterval(drop);
});

test('an answer that is never read', async () => {
  const socket = send(`GET /long HTTP/1.1\r\n${HEAD}x\r\n\r\n`);
  socket.pause();
  await expect.poll(() => unread, { timeout: 20_000 }).toBe(1);
  expect(await isAnswered()).toBe('here');
  await expect.poll(() => unread, { timeout: 20_000 }).toBe(0);
  socket.destroy();
});

test('as many slow clients as there are connections: the next one is answered once they have lost theirs', async () => {
  const sockets = Array.from({ length: 300 }, (_, n) => send(`GET / HTTP/1.1\r\n${HEAD}`, `127.0.0.${2 + (n % 3)}`));
  for (const socket of sockets) socket.resume();
  await Promise.all(sockets.map(closed));
  expect(await isAnswered()).toBe('here');
});

test('one client with all the connections it can get leaves room for others at once', async () => {
  const sockets = Array.from({ length: 300 }, () => send(`GET / HTTP/1.1\r\n${HEAD}`, '127.0.0.9'));
  for (const socket of sockets) socket.resume();
  const isClosed = sockets.map(closed);
  // Those above the bound are closed, and none of the others has lost its connection yet.
  await Promise.race(isClosed);
  expect(await isAnswered()).toBe('here');
  expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0);
  await Promise.all(isClosed);
});
