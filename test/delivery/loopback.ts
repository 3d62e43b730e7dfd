/**
 * Real servers on this machine for the tests: raw sockets that count what they saw, and a certificate nobody trusts.
 */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type OpenHttp, openHttp } from '../../src/delivery/http-exchange.ts';
import { connection } from '../../src/delivery/service-settings.ts';

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

/** An open Http with timeouts short enough for tests. */
export async function quickHttp(
  settings: object = {},
  files: { readonly [name: string]: string } = {},
): Promise<OpenHttp> {
  const read = connection.parse({
    'connect-timeout': '2s',
    'headers-timeout': '300ms',
    'body-timeout': '300ms',
    'total-timeout': '5s',
    ...settings,
  });
  return await openHttp(read, {
    readFile: async (name) => Buffer.from(files[name]!),
    reveal: async () => 'user:password',
  });
}

/** A self-signed certificate for 127.0.0.1, made anew each time: no key lies in the repository. Ends in 2049 unless told. */
export function selfSigned(end = new Date(Date.UTC(2049, 11, 31))): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const name = der(
    0x30,
    der(0x31, der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('loopback')))),
  );
  const utc = (text: string) => der(0x17, Buffer.from(text));
  const ipAddress = der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = der(0x30, der(0x30, der(0x06, Buffer.from('551d11', 'hex')), der(0x04, ipAddress)));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    der(0x30, utc('200101000000Z'), utc(`${end.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign(body, privateKey));
  const lines = der(0x30, body, ecdsaWithSha256, signature)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function sign(data: Buffer, key: KeyObject): Buffer {
  return createSign('SHA256').update(data).sign(key);
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
