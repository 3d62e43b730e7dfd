/** The signature of Standard Webhooks (HMAC-SHA256 over id, time and body). Pure, but for secrets that cannot be used. */
import { createHmac } from 'node:crypto';
import { NOTICE_PROBLEM } from '../i18n/messages/console/console-notices-messages.ts';
import { NoticeProblem } from './notice-problem.ts';

const PREFIX = 'whsec_';
/** Of the specification, in bytes. */
const SHORTEST = 24;
const LONGEST = 64;

/** `at`: the time of this try. Several secrets give several signatures, and a receiver accepts any. Throws NoticeProblem. */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  at: Date,
): { readonly [name: string]: string } {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function keyOf(secret: string): Buffer {
  const text = secret.trim();
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const key = Buffer.from(encoded, 'base64');
  const isWhole = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded);
  if (!isWhole || key.length < SHORTEST || key.length > LONGEST) throw new NoticeProblem(NOTICE_PROBLEM.secret());
  return key;
}
