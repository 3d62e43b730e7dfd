/** Connections of the program within this process: real HTTP and SMTP over pairs of streams, to servers by their port. */
import { createServer, type RequestListener } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { assertAlive, programNow, type Running, within } from './running.ts';
import { moved } from './virtual-time.ts';

/** Takes the far end of a connection; `refuse` where nothing listens. */
export type Listener = (far: Duplex) => void;

const listeners = new Map<number, Listener>();
/** What a socket has besides a stream. */
const SOCKET = ['setKeepAlive', 'setNoDelay', 'setTimeout', 'ref', 'unref'] as const;
const ADDRESS = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', remotePort: 1, localPort: 1 };

export function listenAt(port: number, listener: Listener): void {
  listeners.set(port, listener);
}

/** Speaks HTTP to whoever connects. */
export function httpListener(answer: RequestListener): Listener {
  const server = createServer({ connectionsCheckingInterval: 2 ** 30, keepAliveTimeout: 0 }, answer);
  return (far) => void server.emit('connection', far);
}

function asSocket(stream: Duplex): Duplex {
  for (const name of SOCKET) Object.assign(stream, { [name]: () => stream });
  return Object.assign(stream, ADDRESS, {
    connecting: false,
    encrypted: false,
    readyState: 'open',
    address: () => ADDRESS,
  });
}

function connect(options: { readonly port?: number | string }): Duplex {
  assertAlive();
  moved();
  const [near, far] = duplexPair() as [Duplex, Duplex];
  asSocket(near);
  asSocket(far);
  for (const side of [near, far]) side.on('error', () => undefined);
  const listener = listeners.get(Number(options.port));
  const program = programNow();
  const cut = () => {
    far.destroy();
    near.destroy();
  };
  program?.frees.add(cut);
  near.once('close', () => {
    program?.frees.delete(cut);
    if (!far.destroyed) far.destroy();
  });
  // A connection that ends closes on both sides.
  far.once('close', () => {
    if (!near.destroyed) near.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  });
  process.nextTick(() => {
    moved();
    if (!listener) {
      near.destroy(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
      return;
    }
    within(undefined, () => listener(far));
    near.emit('connect');
    near.emit('ready');
  });
  return near;
}

type Place = { readonly host: string; readonly port: number };

/** A server of a program: it answers in the context of that program, until its end. This machine has one address. */
function serveAt(server: net.Server, { host, port }: Place, program: Running, done?: () => void): void {
  const code = listeners.has(port) ? 'EADDRINUSE' : undefined;
  if (done) server.once('listening', done);
  if (host.includes(':') || code) {
    const error = Object.assign(new Error('listen'), { code: host.includes(':') ? 'EADDRNOTAVAIL' : code });
    return void process.nextTick(() => server.emit('error', error));
  }
  listeners.set(port, (far) => {
    // Its end cuts what it has not answered.
    const cut = () => far.destroy();
    program.frees.add(cut);
    far.once('close', () => program.frees.delete(cut));
    within(program, () => server.emit('connection', far));
  });
  program.frees.add(() => listeners.delete(port));
  server.address = () => ({ address: host, port, family: 'IPv4' });
  process.nextTick(() => server.emit('listening'));
}

export function takeOverNetwork(): void {
  const start = (...given: unknown[]) => {
    const [options, second] = given;
    const connected = given.findLast((one) => typeof one === 'function') as (() => void) | undefined;
    const place = typeof options === 'object' ? (options as { port: number }) : { port: options as number };
    const near = connect(typeof second === 'object' ? { ...place, ...(second as object) } : place);
    if (connected) near.once('connect', connected);
    return near;
  };
  Object.assign(net, { connect: start, createConnection: start });
  const realListen = net.Server.prototype.listen;
  net.Server.prototype.listen = function listen(this: net.Server, ...given: unknown[]) {
    const program = programNow();
    if (program) serveAt(this, given[0] as Place, program, given[1] as () => void);
    else Reflect.apply(realListen, this, given);
    return this;
  };
  syncBuiltinESMExports();
}
