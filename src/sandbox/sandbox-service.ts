/**
 * An imitated service as the server sees it: operations that turn a request with its whole body into a reply.
 * Operations have no access to sockets: `sendReply` alone decides how a reply is sent (late, cut off, not at all).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceName } from '../model/document.ts';
import type { SandboxDecision } from './decide-answer.ts';

/** Requests so far, whatever their answer; `other` had no operation. */
export type SandboxCounts = { token: number; submit: number; consult: number; other: number };

/** A decision with the way to write it. `render` is called only if the script does not give the body. */
export type SandboxReply = {
  readonly decision: SandboxDecision;
  /** The body as the service writes it. */
  readonly render: () => string;
  readonly headers?: { readonly [name: string]: string };
  /** Called when the answer is sent, or when it would have been. */
  readonly left?: (dropped: boolean) => void;
};

/** One endpoint. `answer` never throws for a wrong request: it is a refusal. */
export type Operation = {
  readonly act: 'token' | 'submit' | 'consult';
  readonly answer: (headers: IncomingHttpHeaders, body: Buffer) => SandboxReply;
};

/** A service as a table of operations. */
export type SandboxService = {
  readonly name: ServiceName;
  /** Undefined: the service has no such operation. */
  readonly find: (method: string, path: string, query: string) => Operation | undefined;
};

/** Counts of a server that has not been asked yet. */
export function zeroCounts(): SandboxCounts {
  return { token: 0, submit: 0, consult: 0, other: 0 };
}
