/** The signature of Standard Webhooks (HMAC-SHA256 over id, time and body). A secret that cannot be used is a NoticeProblem. */
import { createHmac } from 'node:crypto';
import { NOTICE_PROBLEM } from '../i18n/messages/console/console-notices-messages.ts';
import type { Instance } from '../instance/instance.ts';
import type { ChannelSettings } from '../instance/notify-shape.ts';
import { NoticeProblem } from './notice-problem.ts';

type Webhook = NonNullable<ChannelSettings['webhook']>;

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

/** The secret, and the one before it while both count. Throws where one cannot be read. */
export async function secretsOf(
  { secret, 'former-secret': former }: Webhook,
  { secrets }: Pick<Instance, 'secrets'>,
): Promise<readonly string[]> {
  return await Promise.all([secret, ...(former ? [former] : [])].map(secrets.reveal));
}

/** Throws NoticeProblem where one of them cannot sign. */
export function checkSecrets(secrets: readonly string[]): void {
  for (const secret of secrets) keyOf(secret);
}

function keyOf(secret: string): Buffer {
  const text = secret.trim();
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const key = Buffer.from(encoded, 'base64');
  const isWhole = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded);
  if (!isWhole || key.length < SHORTEST || key.length > LONGEST) throw new NoticeProblem(NOTICE_PROBLEM.secret());
  return key;
}
