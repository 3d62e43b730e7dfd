/**
 * One HTTP request of a notice: https, or this machine; no redirect is followed, at most 64 KiB of the answer are read, and
 * nothing of it is kept but its status. Failures are NoticeProblems, which never name the address.
 */
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { connectionWords } from '../delivery/connection-words.ts';
import { NOTICE_PROBLEM } from '../i18n/messages/console/console-notices-messages.ts';
import { isThisMachine } from '../instance/notify-shape.ts';
import { NoticeProblem } from './notice-problem.ts';

const MOST_BYTES = 64 * 1024;
const GONE = 410;

export type NoticeRequest = {
  readonly url: string;
  readonly body: string;
  readonly headers?: { readonly [name: string]: string };
};

/** Resolves once the receiver has accepted it (2xx). */
export async function postRequest(given: NoticeRequest, signal: AbortSignal): Promise<void> {
  const status = await statusOf(targetOf(given.url), given, signal).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason;
    if (error instanceof NoticeProblem) throw error;
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw new NoticeProblem(connectionWords({ code }));
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

function statusOf(url: URL, { body, headers }: NoticeRequest, signal: AbortSignal): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const open = url.protocol === 'https:' ? secureRequest : plainRequest;
  const length = String(Buffer.byteLength(body));
  const request = open(url, {
    method: 'POST',
    signal,
    agent: false,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
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

/** Connects, and over https checks the certificate; sends nothing. */
export async function connectOnly(address: string, signal: AbortSignal): Promise<void> {
  const { protocol, hostname, port } = targetOf(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const at = { host, port: Number(port || (isSecure ? 443 : 80)) };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const name = isIP(host) ? {} : { servername: host };
  const socket = isSecure
    ? connectSecure({ ...at, ...name, rejectUnauthorized: true, minVersion: 'TLSv1.2' }, resolve)
    : connectPlain(at, resolve);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  socket.once('error', ({ code = 'error' }: NodeJS.ErrnoException) =>
    reject(new NoticeProblem(connectionWords({ code }))),
  );
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}
