/**
 * How far one gets towards a server without saying anything to it: its name, its port, its certificate. For people who
 * look for the reason why a service does not answer; sending has its own judgement.
 */
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { certificates, type Surroundings } from './http-exchange.ts';
import { type Connection, millisecondsOf } from './service-settings.ts';

/** The result of a probe; it never throws for a server that does not answer. */
export type Probe = {
  /** How far it got. */
  readonly reached: 'nothing' | 'name' | 'port' | 'tls';
  /** Addresses of the name. */
  readonly addresses: readonly string[];
  /** Why it went no further, or why the certificate is not trusted: a code. */
  readonly problem?: string;
  /** TLSv1.3 or so. */
  readonly protocol?: string;
  readonly certificate?: { readonly subject: string; readonly issuer: string; readonly validTo: Date };
  /** Only the way to the proxy was tried. */
  readonly viaProxy?: true;
};

/** Tries name, port and TLS, each within the setting `connect-timeout`. With a proxy, only the way to the proxy. */
export async function probe(origin: URL, settings: Connection, around: Surroundings): Promise<Probe> {
  const target = settings.proxy === undefined ? origin : new URL(settings.proxy);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
  const timeout = millisecondsOf(settings['connect-timeout']);
  let addresses: string[];
  try {
    addresses = (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return { reached: 'nothing', addresses: [], problem: codeOf(error) };
  }
  const plain = settings.proxy !== undefined || target.protocol === 'http:';
  const secure = plain ? undefined : await certificates(settings, around);
  const open = () => (secure ? connectTls(optionsFor(host, port, secure)) : connect({ host, port }));
  const proxy = settings.proxy === undefined ? {} : { viaProxy: true as const };
  return { addresses, ...(await shake(open(), timeout)), ...proxy };
}

function optionsFor(host: string, port: number, secure: ConnectionOptions): ConnectionOptions {
  const name = isIP(host) ? {} : { servername: host };
  // The certificate is looked at whatever it is worth; nothing is said over this connection.
  return { host, port, ...name, minVersion: 'TLSv1.2', rejectUnauthorized: false, ...secure };
}

type Shaken = Omit<Probe, 'addresses' | 'viaProxy'>;

function shake(socket: Socket | TLSSocket, timeout: number): Promise<Shaken> {
  return new Promise((resolve) => {
    let reached: 'name' | 'port' = 'name';
    const end = (result: Shaken) => {
      resolve(result);
      socket.destroy();
    };
    socket.setTimeout(timeout, () => end({ reached, problem: 'ETIMEDOUT' }));
    socket.on('error', (error) => end({ reached, problem: codeOf(error) }));
    socket.once('close', () => end({ reached, problem: 'CLOSED' }));
    socket.once('connect', () => {
      reached = 'port';
      if (!('getPeerCertificate' in socket)) end({ reached });
    });
    socket.once('secureConnect', () => end(seenIn(socket as TLSSocket)));
  });
}

function seenIn(socket: TLSSocket): Shaken {
  const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate();
  const nameOf = (of: typeof subject | undefined) => [of?.CN ?? of?.O ?? '?'].flat().join(', ');
  // Typed as an error, but a code.
  const problem = socket.authorized ? {} : { problem: String(socket.authorizationError) };
  return {
    reached: 'tls',
    protocol: socket.getProtocol() ?? 'unknown',
    certificate: { subject: nameOf(subject), issuer: nameOf(issuer), validTo: new Date(validTo) },
    ...problem,
  };
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
