/**
 * The part of an exchange that is kept: enough to judge it after a crash, and no credentials. Exchange to text
 * and back; a text that is not JSON throws.
 */
import type { Exchange } from '../../model/answer.ts';

/** Headers that verdicts and support need, without cookies and tokens. */
const KEPT = new Set([
  ...['content-encoding', 'retry-after'],
  ...['content-type', 'content-length', 'date', 'server', 'x-request-id'],
]);
const MAX_BODY = 4 * 1024 * 1024;

/**
 * JSON with the status, the headers in KEPT and at most 4 Mi UTF-16 units of the body; an exchange without answer
 * whole.
 */
export function serializeExchange(exchange: Exchange): string {
  if (!('status' in exchange)) return JSON.stringify(exchange);
  const { status, headers, body } = exchange;
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.has(name)));
  return JSON.stringify({ sent: true, status, headers: kept, body: body?.slice(0, MAX_BODY) });
}

/** The stored exchange. */
export function parseExchange(text: string): Exchange {
  const exchange = JSON.parse(text);
  // JSON has no undefined: a body that was not UTF-8 is absent there.
  return 'status' in exchange ? { ...exchange, body: exchange.body } : exchange;
}
