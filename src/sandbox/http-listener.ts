/**
 * One imitated service on one loopback port: requests in, counted; replies out, late or cut off if they ask for it.
 * Throws OperatorError (sandbox/not-loopback, sandbox/port-in-use, sandbox/cannot-listen).
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SANDBOX_FAULT } from '../i18n/messages/sandbox-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { sendReply } from './reply.ts';
import { type SandboxCounts, type SandboxService, zeroCounts } from './sandbox-service.ts';
import type { SubmissionHandler } from './submission-handler.ts';
import { readBody, send } from './wire-format.ts';

/** Disposing closes the server and all its connections. `counts` changes with each request. */
export type Listener = AsyncDisposable & {
  readonly url: string;
  readonly counts: SandboxCounts;
};

/** `latencyMs` delays every answer except tokens. */
type ServedService = {
  readonly service: SandboxService;
  readonly handler: SubmissionHandler;
  readonly latencyMs: () => number;
};

/**
 * `port` 0 is any free port. Refuses each `host` that another machine
 * could reach.
 */
export async function listenTo(served: ServedService, host: string, port: number): Promise<Listener> {
  const counts = zeroCounts();
  const server = createServer((request, response) => serve(served, counts, request, response));
  // Longer than any client keeps an idle connection, so that the sandbox never closes one under a request.
  server.keepAliveTimeout = 60_000;
  try {
    await once(server.listen(port, loopback(host)), 'listening');
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw cannotListen(served.service.name, `${host}:${port}`, cause as NodeJS.ErrnoException);
  }
  return {
    url: urlOf(server.address() as AddressInfo),
    counts,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * A submission takes a place of the service until its answer is sent; without a free place it gets the overload answer.
 */
function serve(
  { service, handler, latencyMs }: ServedService,
  counts: SandboxCounts,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [path, query] = split(request.url ?? '/');
  const operation = service.find(request.method ?? '', path, query);
  readBody(request, response, (body) => {
    counts[operation?.act ?? 'other']++;
    if (!operation) {
      send(response, 404, `There is no ${request.method} ${path} here.\n`, { 'content-type': 'text/plain' });
      return;
    }
    const full = operation.act === 'submit' ? handler.occupy(service.name, response) : undefined;
    const reply = full ? { decision: full, render: () => '' } : operation.answer(request.headers, body);
    sendReply(response, reply, operation.act === 'token' ? 0 : latencyMs());
  });
}

function loopback(host: string): string {
  if (host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)) return host;
  const hint = SANDBOX_FAULT.notLoopbackHint({ hosts: ['127.0.0.1', '::1', 'localhost'] });
  throw new OperatorError('sandbox/not-loopback', SANDBOX_FAULT.notLoopback({ host }), { hint });
}

function cannotListen(service: string, address: string, cause: NodeJS.ErrnoException): OperatorError {
  const otherPort = SANDBOX_FAULT.otherPort({ service });
  if (cause.code === 'EADDRINUSE') {
    const message = SANDBOX_FAULT.cannotListen({ address, reason: SANDBOX_FAULT.portInUse() });
    return new OperatorError('sandbox/port-in-use', message, {
      hint: SANDBOX_FAULT.portInUseHint({ otherPort }),
      cause,
    });
  }
  const message = SANDBOX_FAULT.cannotListen({ address, reason: cause.message });
  return new OperatorError('sandbox/cannot-listen', message, { hint: otherPort, cause });
}

function split(url: string): [path: string, query: string] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
