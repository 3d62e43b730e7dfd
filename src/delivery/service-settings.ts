/**
 * Pieces of settings that several services share: addresses, durations, JSON pointers, the connection. All of them keep
 * the text as written (no transforms), so that settings checked once can be checked again.
 */
import { z } from 'zod';
import type { Message } from '../i18n/message.ts';
import { CONNECTION_FAULT, SERVICE_SETTING } from '../i18n/messages/delivery-messages.ts';
import { OperatorError, withMessage } from '../model/fault.ts';
import { secretReference } from '../model/secret-reference.ts';
import { addProblem, expecting, problemOfIssue, refusedWith } from '../model/shape-issue.ts';

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** https, or http towards this machine; no user, no password, no query: nothing secret can hide in it. */
export const serviceAddress = z.string().superRefine((text, context) => {
  const wrong = addressFault(text);
  if (wrong) addProblem(context, wrong);
});

/** A proxy only passes TLS on, so that it may be spoken to in plain http. */
const proxyAddress = z.string().regex(/^https?:\/\/[^/?#@\s]+\/?$/, expecting(SERVICE_SETTING.proxy()));

/** Timers of the system end at once above 25 days. */
const LONGEST_MS = 24 * 3_600_000;
const duration = z
  .string()
  .regex(/^[1-9]\d*\s?(ms|s|m|h)$/, expecting(SERVICE_SETTING.duration()))
  .refine((text) => millisecondsOf(text) <= LONGEST_MS, expecting(SERVICE_SETTING.duration()));

/** RFC 6901: "/result/status/code"; "" is the whole answer. */
export const answerPointer = z.string().regex(/^(\/([^~/]|~0|~1)*)*$/, expecting(SERVICE_SETTING.pointer()));

export const connection = z
  .strictObject({
    'connect-timeout': duration.default('10s').describe('until the connection is open, name lookup and TLS included'),
    'headers-timeout': duration.default('60s').describe('until the answer begins'),
    'body-timeout': duration.default('30s').describe('longest silence inside an answer'),
    'total-timeout': duration.default('2m').describe('for the whole exchange'),
    'keep-alive': duration.default('1s').describe('how long an idle connection is kept; at most 2s are used'),
    'ca-file': z.string().min(1).optional().describe('PEM file with certificates to trust as well as the usual ones'),
    'cert-file': z.string().min(1).optional().describe('PEM file with the client certificate'),
    'key-file': z.string().min(1).optional().describe('PEM file with the key of the client certificate'),
    proxy: proxyAddress.optional().describe('address of a proxy; proxy variables of the environment are not looked at'),
    'proxy-credentials': secretReference.optional().describe('user:password for the proxy'),
  })
  .refine(
    (set) => (set['cert-file'] === undefined) === (set['key-file'] === undefined),
    refusedWith(SERVICE_SETTING.certificateAndKey(), ['key-file']),
  );

/** "10/s", "90/m", "3600/h". */
const rate = z.string().regex(/^[1-9]\d{0,5}\/(s|m|h)$/, expecting(SERVICE_SETTING.rate()));

/** How fast documents may go to a service: three settings that every service has. */
export const pacing = {
  concurrency: z.int().min(1).max(64).default(4).describe('requests at the same time, at most'),
  'adapt-concurrency': z
    .boolean()
    .default(false)
    .describe('fewer at the same time while the service is slow or says "too many", never more than concurrency'),
  rate: rate.optional().describe('documents per second, minute or hour at most, evenly spaced, e.g. 10/s'),
};

export type Pacing = {
  readonly concurrency: number;
  readonly adaptive: boolean;
  /** Least time between the starts of two submissions, milliseconds; 0: none. */
  readonly spacingMs: number;
};

export function pacingOf(set: z.output<z.ZodObject<typeof pacing>>): Pacing {
  const [, count, unit] = /^(\d+)\/(s|m|h)$/.exec(set.rate ?? '') ?? [];
  const spacingMs = count === undefined ? 0 : UNITS[unit as 's' | 'm' | 'h'] / Number(count);
  return { concurrency: set.concurrency, adaptive: set['adapt-concurrency'], spacingMs };
}

/**
 * What the contracts do not show: which answers without a code prove that nothing was processed. `on401`: where nothing is written.
 * An answer with a code is judged by it, whatever its status; code 15 never sends a document again (contract 3).
 */
export function resending(on401: 'without-code' | 'never') {
  return {
    'resend-on-401': z
      .enum(['without-code', 'never'])
      .default(on401)
      .describe('HTTP 401 without a code: renew the token and send once more; with a code never'),
    'resend-on-429': z.boolean().default(true).describe('HTTP 429: wait and send again, at most 5 times'),
  };
}

export function resendingOf(set: z.output<z.ZodObject<ReturnType<typeof resending>>>) {
  return { resendOn401: set['resend-on-401'] === 'without-code', resendOn429: set['resend-on-429'] };
}

/** The settings of a connection with defaults filled in. */
export type Connection = z.infer<typeof connection>;

/** Milliseconds of a duration of the settings, such as 500ms or 2 m; NaN where the text is none. */
export function millisecondsOf(text: string): number {
  const [, count, unit] = /^(\d+)\s?(ms|s|m|h)$/.exec(text) ?? [];
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** The settings of a service, or OperatorError `delivery/wrong-setting` with every fault at its JSON pointer. */
export function readSettings<Shape extends z.ZodType>(shape: Shape, service: string, given: unknown): z.output<Shape> {
  const read = shape.safeParse(given);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => {
    const path = ['services', service, ...issue.path];
    const words = withMessage(
      CONNECTION_FAULT.setting({ setting: path.join('.'), problem: problemOfIssue(issue) ?? issue.message }),
    );
    return { code: 'delivery/wrong-setting', level: 'error' as const, ...words, at: `/${path.join('/')}` };
  });
  throw new OperatorError('delivery/wrong-setting', faults.map(({ message }) => message).join('; '), {
    hint: CONNECTION_FAULT.settingHint(),
    faults,
  });
}

/** A proxy that gets user and password in plain text over the network; undefined where there is none. */
export function proxyInClear({ proxy, 'proxy-credentials': credentials }: Connection): string | undefined {
  if (proxy === undefined || credentials === undefined) return undefined;
  const { protocol, hostname } = new URL(proxy);
  return protocol === 'http:' && !LOOPBACK.test(hostname) ? proxy : undefined;
}

function addressFault(text: string): Message | undefined {
  const url = URL.parse(text);
  if (!url) return SERVICE_SETTING.address();
  if (url.username !== '' || url.password !== '') return SERVICE_SETTING.noPassword();
  if (url.search !== '' || url.hash !== '') return SERVICE_SETTING.noQuery();
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && LOOPBACK.test(url.hostname)) return undefined;
  return SERVICE_SETTING.onlyHttps();
}
