/**
 * Real servers on this machine for the tests: raw sockets that count what they saw, and a certificate that no one trusts.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type OpenHttp, openHttp } from '../../src/delivery/http-exchange.ts';
import { connection } from '../../src/delivery/service-settings.ts';

export { selfSigned } from '../certificates.ts';

export type Seen = { bytes: number; requests: number; text: string };
export type Loopback = AsyncDisposable & { readonly url: string; readonly port: number; readonly seen: Seen };

/** A TCP server; `act` gets each connection once a whole request (head and content-length) has arrived. */
export async function rawServer(act: (socket: Socket, request: string) => void): Promise<Loopback> {
  const seen: Seen = { bytes: 0, requests: 0, text: '' };
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      seen.bytes += chunk.length;
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < head + 4 + length) return;
      seen.requests++;
      seen.text += text;
      const request = text;
      text = '';
      act(socket, request);
    });
  });
  return await listening(server, seen, 'http');
}

export async function listening(server: Server, seen: Seen, scheme: string): Promise<Loopback> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `${scheme}://127.0.0.1:${port}`, port, seen, [Symbol.asyncDispose]: close };
}

export function httpAnswer(status: number, body: string | Buffer, headers: { [name: string]: string } = {}): Buffer {
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${head.join('')}\r\n`), Buffer.from(body)]);
}

/** Limits for a service that does not answer, or not to the end. */
export const IMPATIENT = { 'headers-timeout': '300ms', 'body-timeout': '300ms' };

/** An open Http; an answer that comes is in time, however busy the machine is. */
export async function quickHttp(
  settings: object = {},
  files: { readonly [name: string]: string } = {},
): Promise<OpenHttp> {
  const read = connection.parse({
    'connect-timeout': '30s',
    'headers-timeout': '30s',
    'body-timeout': '30s',
    'total-timeout': '30s',
    ...settings,
  });
  return await openHttp(read, {
    readFile: async (name) => Buffer.from(files[name]!),
    reveal: async () => 'user:password',
  });
}
