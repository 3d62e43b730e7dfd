/**
 * What an imitated service is to the server: operations that turn a request with its whole body into a reply.
 *
 * Operations know nothing of sockets: `sendReply` alone decides how a reply leaves (late, cut off, not at all).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { SandboxDecision } from './decide-answer.ts';

/** Requests so far, whatever became of them; `other` had no operation. */
export type SandboxCounts = { token: number; submit: number; consult: number; other: number };

export type SandboxReply = {
  readonly decision: SandboxDecision;
  /** The body as the service writes it. */
  readonly render: () => string;
  readonly headers?: { readonly [name: string]: string };
  /** Called when the answer leaves, or would have left. */
  readonly left?: (dropped: boolean) => void;
};

export type Operation = {
  readonly act: 'token' | 'submit' | 'consult';
  readonly answer: (headers: IncomingHttpHeaders, body: Buffer) => SandboxReply;
};

export type SandboxService = {
  readonly name: 'fr' | 'sv';
  /** Undefined: the service has no such operation. */
  readonly find: (method: string, path: string, query: string) => Operation | undefined;
};

export function zeroCounts(): SandboxCounts {
  return { token: 0, submit: 0, consult: 0, other: 0 };
}
