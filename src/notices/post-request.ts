/**
 * One HTTP request of a notice: https, or this machine; no redirect is followed, at most 64 KiB of the answer are read, and
 * nothing of it is kept but its status. Failures are NoticeProblems, which never name the address.
 */
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { NOTICE_PROBLEM } from '../i18n/messages/console/console-notices-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { isThisMachine } from '../instance/notify-shape.ts';
import type { SecretReference } from '../model/secret-reference.ts';
import { authorityOf, connectionProblem } from './channel-authority.ts';
import { NoticeProblem } from './notice-problem.ts';

const MOST_BYTES = 64 * 1024;
const GONE = 410;

/** Who a request goes to. */
export type Receiver = {
  readonly url: string;
  /** Certificates (PEM) that count in place of those that the program knows. */
  readonly ca: string | undefined;
  /** The setting that gives them, for the words of a problem. */
  readonly setting: 'webhook.ca' | 'heartbeat.ca';
};

type NoticeRequest = Receiver & {
  readonly body: string;
  readonly headers?: { readonly [name: string]: string };
};

type HttpChannel = { readonly url: SecretReference; readonly ca?: string | undefined };

/** Reads the address and the certificates of a webhook or heartbeat. Throws `secret/*` or NoticeProblem. */
export async function receiverOf(
  kind: 'webhook' | 'heartbeat',
  { url, ca }: HttpChannel,
  instance: Pick<Instance, 'folder' | 'secrets'>,
): Promise<Receiver> {
  const [address, trusted] = [await instance.secrets.reveal(url), await authorityOf(ca, instance)];
  return { url: address, ca: trusted, setting: `${kind}.ca` };
}

/** Resolves once the receiver has accepted it (2xx). */
export async function postRequest(given: NoticeRequest, signal: AbortSignal): Promise<void> {
  const status = await statusOf(targetOf(given.url), given, signal).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason;
    if (error instanceof NoticeProblem) throw error;
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw connectionProblem(code, given.setting);
  });
  if (status >= 200 && status < 300) return;
  if (status === GONE) throw new NoticeProblem(NOTICE_PROBLEM.gone(), { gone: true });
  const words = status >= 300 && status < 400 ? NOTICE_PROBLEM.redirect : NOTICE_PROBLEM.status;
  throw new NoticeProblem(words({ status: String(status) }));
}

/** Throws NoticeProblem for an address that a notice is not sent to. */
export function targetOf(text: string): URL {
  const url = URL.parse(text.trim());
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname));
  if (!url || !isSafe) throw new NoticeProblem(NOTICE_PROBLEM.insecure());
  return url;
}

function statusOf(url: URL, { body, headers, ca }: NoticeRequest, signal: AbortSignal): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const open = url.protocol === 'https:' ? secureRequest : plainRequest;
  const length = String(Buffer.byteLength(body));
  const request = open(url, {
    method: 'POST',
    signal,
    agent: false,
    ...tlsOf(ca),
    headers: { 'user-agent': 'nightpost', 'content-length': length, ...headers },
  });
  request.once('error', reject);
  request.once('response', (answer) => {
    readToEnd(answer).then(() => resolve(answer.statusCode ?? 0), reject);
  });
  request.end(body);
  return promise;
}

/** A longer answer is cut off: its status counts. */
async function readToEnd(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BYTES) return void answer.destroy();
  }
}

/** Whatever NODE_OPTIONS says. */
function tlsOf(ca: string | undefined) {
  return { ...(ca !== undefined && { ca }), rejectUnauthorized: true, minVersion: 'TLSv1.2' as const };
}

/** Connects, and over https checks the certificate; sends nothing. */
export async function connectOnly({ url, ca, setting }: Receiver, signal: AbortSignal): Promise<void> {
  const { protocol, hostname, port } = targetOf(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const at = { host, port: Number(port || (isSecure ? 443 : 80)) };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const name = isIP(host) ? {} : { servername: host };
  const socket = isSecure ? connectSecure({ ...at, ...name, ...tlsOf(ca) }, resolve) : connectPlain(at, resolve);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  socket.once('error', ({ code = 'error' }: NodeJS.ErrnoException) => reject(connectionProblem(code, setting)));
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}
