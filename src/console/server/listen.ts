/**
 * The HTTP servers of the console: bounded headers, bounded waiting, a bounded number of connections. Throws
 * OperatorError `serve/port-taken`, `serve/cannot-listen` or `serve/certificate`.
 */
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { SERVE_REFUSED } from '../../i18n/messages/console/console-server-messages.ts';
import { OperatorError } from '../../model/fault.ts';

/** A client that is slower loses its connection; events go on, because their comments keep it in use. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
  // Two hosts in one request are refused by Node itself (400).
  requireHostHeader: true,
  // Without a byte in either direction: a client that asks and never reads does not keep its connection.
  timeout: 120_000,
} satisfies ServerOptions & { timeout: number };
const MOST_CONNECTIONS = 256;
/** Of one address, so that one client cannot have all. */
const MOST_OF_ADDRESS = 128;
const MOST_HEADERS = 100;

export type ListenOptions = {
  readonly fetch: Parameters<typeof getRequestListener>[0];
  /** Addresses; the first one has to work, another one may be missing on this machine. */
  readonly hosts: readonly [string, ...string[]];
  readonly port: number;
  /** All come from one address: a proxy. */
  readonly isShared?: boolean;
  readonly tls?: { readonly cert: string; readonly key: string; readonly file: string };
  /** In place of the own limits, milliseconds: a test does not wait for minutes. */
  readonly limits?: Partial<typeof LIMITS>;
};

export type Listening = AsyncDisposable & { readonly port: number };

/** Port 0: any that is free, the same for all addresses. */
export async function listenForConsole({
  fetch,
  hosts,
  port,
  tls,
  limits,
  isShared = false,
}: ListenOptions): Promise<Listening> {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  const servers: Server[] = [];
  await using opening = new AsyncDisposableStack();
  let chosen = port;
  for (const host of hosts) {
    const { timeout, ...own } = { ...LIMITS, ...limits };
    const server = openServer(listener, tls, own);
    server.timeout = timeout;
    server.maxConnections = MOST_CONNECTIONS;
    if (!isShared) boundAddresses(server);
    server.maxHeadersCount = MOST_HEADERS;
    const code = await listenOn(server, host, chosen);
    if (code !== undefined && servers.length > 0 && NO_SUCH_ADDRESS.has(code)) continue;
    if (code !== undefined) throw cannotListen(host, chosen, code);
    opening.adopt(server, close);
    servers.push(server);
    chosen = (server.address() as AddressInfo).port;
  }
  const open = opening.move();
  return { port: chosen, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** A connection too many is closed at once. */
function boundAddresses(server: Server): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket;
    const count = (open.get(address) ?? 0) + 1;
    if (count > MOST_OF_ADDRESS) return void socket.destroy();
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

/** A machine without IPv6. */
const NO_SUCH_ADDRESS: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

type Listener = ReturnType<typeof getRequestListener>;

function openServer(listener: Listener, tls: ListenOptions['tls'], limits: ServerOptions): Server {
  const answer: typeof listener = async (request, response) => await listener(request, response);
  if (!tls) return createServer(limits, (request, response) => void answer(request, response));
  const { cert, key, file } = tls;
  try {
    return createTlsServer(
      { ...limits, cert, key, minVersion: 'TLSv1.2' },
      (request, response) => void answer(request, response),
    );
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'PEM';
    throw new OperatorError('serve/certificate', SERVE_REFUSED.certificate({ file, why }), {
      cause,
      hint: SERVE_REFUSED.certificateHint(),
    });
  }
}

/** The code of the error; undefined once it listens. */
async function listenOn(server: Server, host: string, port: number): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error');
    server.once('error', failed);
    server.listen({ host, port, exclusive: true, ipv6Only: true }, () => {
      server.off('error', failed);
      resolve(undefined);
    });
  });
}

function cannotListen(host: string, port: number, code: string): OperatorError {
  const place = { host, port: String(port) };
  if (code === 'EADDRINUSE') {
    return new OperatorError('serve/port-taken', SERVE_REFUSED.portTaken(place), {
      hint: SERVE_REFUSED.portTakenHint(),
    });
  }
  return new OperatorError('serve/cannot-listen', SERVE_REFUSED.cannotListen({ ...place, code }), {
    hint: SERVE_REFUSED.cannotListenHint(),
  });
}

const GRACE_MS = 2_000;

/** Answers under way get two seconds; then every connection ends, also those of events. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
