/** What is kept of an answer is judged like the answer: at the next start, and when the ledger is proven. */
import { expect, test } from 'vitest';
import { readReply } from '../../src/delivery/parse-reply.ts';
import { parseExchange, serializeExchange } from '../../src/ledger/records/stored-exchange.ts';
import type { Exchange } from '../../src/model/answer.ts';

const PLACES = { code: '/code' };

test.each(['identity', 'gzip', 'br', 'x-foo'])('in the encoding %s', (encoding) => {
  const headers = { 'content-encoding': encoding, 'content-type': 'application/json', 'set-cookie': 'session=1' };
  const exchange = { sent: true, status: 200, headers, body: '{"code":2}' } as const satisfies Exchange;
  const kept = parseExchange(serializeExchange(exchange));
  if (!('status' in kept)) throw new Error('the answer is gone');
  expect(kept.headers).not.toHaveProperty('set-cookie');
  const judged = readReply(kept, { requestId: 'r' }, PLACES);
  expect(judged).toEqual(readReply(exchange, { requestId: 'r' }, PLACES));
  expect('answer' in judged).toBe(encoding === 'identity');
});
