/** Ways in which a service can leave us without a trustworthy answer after it has read the request. */
import type { Socket } from 'node:net';
import { httpAnswer } from './loopback.ts';

/** `good` is the body it would have answered with, `other` that of another document. */
type Fate = (socket: Socket, good: string, other: string) => void;

export const UNKNOWN_FATES: readonly (readonly [name: string, act: Fate])[] = [
  ['reset after the request', (socket) => socket.resetAndDestroy()],
  ['closed without an answer', (socket) => socket.end()],
  ['closed inside the head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
  ['no answer in time', () => {}],
  [
    'an answer that comes too late',
    (socket, good) => setTimeout(() => socket.end(httpAnswer(200, good)), 2500).unref(),
  ],
  ['silence inside the answer', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"result"')],
  ['a body shorter than announced', (socket, good) => socket.end(httpAnswer(200, good, { 'content-length': '9999' }))],
  [
    'a chunked body without its end',
    (socket, good) =>
      socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${good.length.toString(16)}\r\n${good}\r\n`),
  ],
  ['an oversized answer', (socket, good) => socket.end(httpAnswer(200, `${good}${' '.repeat(4 * 1024 * 1024)}`))],
  ['garbage', (socket) => socket.end('SSH-2.0-server\r\n\r\n')],
  ['invalid JSON', (socket, good) => socket.end(httpAnswer(200, good.slice(0, -1)))],
  ['an HTML page', (socket) => socket.end(httpAnswer(200, '<html>2</html>', { 'content-type': 'text/html' }))],
  ['an empty 204', (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')],
  ['the echo of another request', (socket, _, other) => socket.end(httpAnswer(200, other))],
  ['a redirect', (socket) => socket.end(httpAnswer(302, '', { location: '/elsewhere' }))],
  ['a gateway error', (socket) => socket.end(httpAnswer(502, '<html>Bad Gateway</html>'))],
  ['authorized under an error status', (socket, good) => socket.end(httpAnswer(500, good))],
];
