/**
 * A reply becomes bytes on the socket: late, cut off, verbatim, or as the service writes it. Statuses for which the
 * contracts show no body get the plain text of a gateway. A client that has gone away is no error.
 */
import type { ServerResponse } from 'node:http';
import { definedOnly } from '../model/defined-only.ts';
import type { SandboxReply } from './sandbox-service.ts';
import { send } from './wire-format.ts';

/** Statuses whose body is the service's own answer (french-invoicing 7). */
const WITH_ANSWER: readonly number[] = [200, 400, 401, 500];

/** Waits `latencyMs` plus the scripted delay, in milliseconds, then sends, cuts or drops the answer. */
export function sendReply(response: ServerResponse, reply: SandboxReply, latencyMs: number): void {
  const delayMs = latencyMs + (reply.decision.answer.delayMs ?? 0);
  if (delayMs === 0) {
    leave(response, reply);
    return;
  }
  const timer = setTimeout(leave, delayMs, response, reply);
  response.once('close', () => clearTimeout(timer));
}

function leave(response: ServerResponse, reply: SandboxReply): void {
  const { drop } = reply.decision.answer;
  reply.left?.(drop !== undefined);
  if (drop === 'before' || drop === 'after') response.socket?.resetAndDestroy();
  else if (drop === 'during') cutOff(response, bodyOf(reply));
  else send(response, reply.decision.http, bodyOf(reply), headersOf(reply));
}

/** Sends half of a body whose full length the header has promised. */
function cutOff(response: ServerResponse, body: string): void {
  const bytes = Buffer.from(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
}

function bodyOf({ decision: { http, answer }, render }: SandboxReply): string {
  if (answer.body !== undefined) return answer.body;
  if (WITH_ANSWER.includes(http)) return render();
  return http === 403 ? '' : `The gateway answers ${http}.\n`;
}

function headersOf({ decision: { http, answer }, headers }: SandboxReply): { [name: string]: string | number } {
  const plain = answer.body === undefined && !WITH_ANSWER.includes(http);
  const type = answer.contentType ?? (plain ? 'text/plain; charset=utf-8' : 'application/json');
  return definedOnly({
    'content-type': http === 403 ? undefined : type,
    'retry-after': answer.retryAfterSeconds,
    ...headers,
  });
}
