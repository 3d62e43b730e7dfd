/**
 * One request over undici, whole or not, never a second by itself: no redirect, no retry, no pipelining, no HTTP/2.
 *
 * "Sent" is decided by one fact alone: undici calls our marker when it starts to write the request. Error codes prove
 * nothing; ECONNRESET comes before the first byte and after the last.
 */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContextOptions } from 'node:tls';
import type { Agent, Dispatcher } from 'undici';
import { format } from '../i18n/message.ts';
import { CONNECTION_FAULT, CONNECTION_PROBLEM, REASON } from '../i18n/messages/delivery-messages.ts';
import type { Exchange, WireError } from '../model/answer.ts';
import { definedOnly } from '../model/defined-only.ts';
import { OperatorError } from '../model/fault.ts';
import type { Reveal } from '../model/secret-reference.ts';
import type { Http, WireRequest } from './service.ts';
import { type Connection, millisecondsOf } from './service-settings.ts';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** A server that closes an idle connection under us looks like one that took the document: so they live shortly. */
const MAX_IDLE_MS = 2000;
const TLS_ERROR =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|EPROTO)/;

/** A pool of connections; closing it aborts requests under way. */
export type OpenHttp = AsyncDisposable & { readonly http: Http; readonly close: () => Promise<void> };

/** Everything outside of the settings that connections need. */
export type Surroundings = {
  /** Reads a PEM file that the settings name. */
  readonly readFile: (name: string) => Promise<Uint8Array>;
  readonly reveal: Reveal;
  /** Value of NODE_TLS_REJECT_UNAUTHORIZED, which may not switch the checks off. */
  readonly rejectUnauthorized?: string | undefined;
};

/** Throws OperatorError `delivery/tls-checks-off` or `delivery/certificate-unreadable`, before any request. */
export async function openHttp(settings: Connection, around: Surroundings): Promise<OpenHttp> {
  if (around.rejectUnauthorized === '0') {
    const hint = CONNECTION_FAULT.checksOffHint();
    throw new OperatorError('delivery/tls-checks-off', CONNECTION_FAULT.checksOff(), { hint });
  }
  const dispatcher = await dispatcherOf(settings, around);
  const totalMs = millisecondsOf(settings['total-timeout']);
  const close = () => dispatcher.destroy();
  const placeOf = lastPlace();
  const http: Http = (request) => exchange(dispatcher, request, placeOf(request.url), totalMs);
  return { http, close, [Symbol.asyncDispose]: close };
}

async function dispatcherOf(settings: Connection, around: Surroundings): Promise<Dispatcher> {
  const connect = {
    timeout: millisecondsOf(settings['connect-timeout']),
    rejectUnauthorized: true,
    // Whatever NODE_OPTIONS says.
    minVersion: 'TLSv1.2' as const,
    ...(await certificates(settings, around)),
  };
  const idleMs = Math.min(MAX_IDLE_MS, millisecondsOf(settings['keep-alive']));
  const options: Agent.Options = {
    pipelining: 1,
    allowH2: false,
    useMilo: false,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    headersTimeout: millisecondsOf(settings['headers-timeout']),
    bodyTimeout: millisecondsOf(settings['body-timeout']),
    maxResponseSize: MAX_ANSWER_BYTES,
    connect,
  };
  // Loaded where something is sent: no other command waits for it.
  const { Agent, ProxyAgent } = await import('undici');
  if (settings.proxy === undefined) return new Agent(options);
  const credentials = settings['proxy-credentials'];
  const token = credentials && `Basic ${Buffer.from(await around.reveal(credentials)).toString('base64')}`;
  return new ProxyAgent(
    definedOnly({
      ...options,
      uri: settings.proxy,
      connectTimeout: connect.timeout,
      requestTls: connect,
      // The way to the proxy itself, where it is https: our own authorities, but never the certificate of the client.
      proxyTls: {
        timeout: connect.timeout,
        rejectUnauthorized: true,
        minVersion: connect.minVersion,
        ...authorities(connect),
      },
      token: token || undefined,
    }),
  );
}

function authorities({ ca }: SecureContextOptions): Pick<SecureContextOptions, 'ca'> {
  return definedOnly({ ca });
}

/** Read and tried at the start, so that a broken file stops it instead of each document. */
export async function certificates(settings: Connection, around: Surroundings): Promise<SecureContextOptions> {
  try {
    const found: SecureContextOptions = {};
    if (settings['ca-file'] !== undefined) {
      const own = Buffer.from(await around.readFile(settings['ca-file'])).toString();
      // Throws for what is not a certificate; a secure context would pass over it in silence.
      new X509Certificate(own);
      found.ca = [...getCACertificates('default'), own];
    }
    if (settings['cert-file'] !== undefined) found.cert = Buffer.from(await around.readFile(settings['cert-file']));
    if (settings['key-file'] !== undefined) found.key = Buffer.from(await around.readFile(settings['key-file']));
    createSecureContext(found);
    return found;
  } catch (cause) {
    const message = CONNECTION_FAULT.certificate({ error: errorOf(cause).message });
    const hint = CONNECTION_FAULT.certificateHint();
    throw new OperatorError('delivery/certificate-unreadable', message, { hint, cause });
  }
}

type WirePlace = { readonly origin: string; readonly path: string };

/** Thousands of documents go to one address after the other: it is taken apart once. */
function lastPlace(): (address: string) => WirePlace {
  let last: { readonly address: string; readonly place: WirePlace } | undefined;
  return (address) => {
    if (last?.address !== address) {
      const { origin, pathname, search } = new URL(address);
      last = { address, place: { origin, path: pathname + search } };
    }
    return last.place;
  };
}

/** Runs one exchange; resolves always, exactly once. */
function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  { origin, path }: WirePlace,
  totalMs: number,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const receiver = new Receiver(totalMs, resolve);
    try {
      dispatcher.dispatch(
        {
          origin,
          path,
          method: request.method,
          // Identity: an answer that is compressed all the same is kept as it is and decides nothing.
          headers: { ...request.headers, 'accept-encoding': 'identity' },
          body: request.body ?? null,
          idempotent: false,
          blocking: true,
        },
        receiver,
      );
    } catch (error) {
      receiver.onResponseError(undefined, error);
    }
  });
}

/** Receives the events of one request; after the deadline or the end it ignores them. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #resolve: (exchange: Exchange) => void;
  readonly #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  #status = 0;
  #headers: { [name: string]: string } = {};
  readonly #chunks: Buffer[] = [];

  constructor(totalMs: number, resolve: (exchange: Exchange) => void) {
    this.#resolve = resolve;
    this.#deadline = setTimeout(() => this.#expire(totalMs), totalMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Too late: undici asks before it writes, so that no byte leaves.
    if (this.#over) controller.abort(new Error('the deadline has passed'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = flat(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first, ...others] = this.#chunks;
    const bytes = first && others.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#end({ sent: true, status: this.#status, headers: this.#headers, body: decode(bytes) });
  }

  onResponseError(_controller: unknown, thrown: unknown): void {
    const error = errorOf(thrown);
    if (this.#controller) this.#end({ sent: true, error });
    else this.#end(definedOnly({ sent: false, error, tls: TLS_ERROR.test(error.code) ? true : undefined }));
  }

  #expire(totalMs: number): void {
    const words = REASON.totalTimeout({ ms: String(totalMs) });
    const error = { code: 'TOTAL_TIMEOUT', message: format(words, 'en'), words };
    const controller = this.#controller;
    this.#end(controller ? { sent: true, error } : { sent: false, error });
    controller?.abort(new Error(error.message));
  }

  #end(exchange: Exchange): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#deadline);
    this.#resolve(exchange);
  }
}

type Headers = { readonly [name: string]: string | string[] | undefined };

/** A header that came twice is a list. */
function flat(headers: Headers): { [name: string]: string } {
  const flat = { __proto__: null } as unknown as { [name: string]: string };
  for (const name in headers) {
    const value = headers[name];
    flat[name.toLowerCase()] = typeof value === 'string' ? value : (value ?? []).join(', ');
  }
  return flat;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** undefined where a byte is not UTF-8; a byte order mark at the start is dropped. */
function decode(bytes: Buffer): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** What undici says of an answer that begins with the status 100; it cuts the connection. */
const CONTINUED = 'bad response';

/** Code and message alone: other properties of an error may carry the request, hence the token. */
function errorOf(thrown: unknown): WireError {
  const error = thrown as { readonly code?: unknown; readonly message?: unknown; readonly name?: unknown };
  const code = typeof error?.code === 'string' ? error.code : String(error?.name ?? 'ERROR');
  const message = String(error?.message ?? '').slice(0, 200);
  return code === 'UND_ERR_SOCKET' && message === CONTINUED
    ? { code, message, words: CONNECTION_PROBLEM.continued() }
    : { code, message };
}
