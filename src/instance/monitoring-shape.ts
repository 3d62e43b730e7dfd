/** The settings of monitoring: where metrics are written and offered, and where a watch answers whether it is well. */
import { z } from 'zod';
import { MONITORING_SETTING } from '../i18n/messages/settings-messages.ts';
import { secretReference } from '../model/secret-reference.ts';
import { addProblem, expecting, refusedWith } from '../model/shape-issue.ts';

/** Addresses of this machine alone. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

const port = z.int().min(0).max(65_535).describe('0: any that is free');
const host = z
  .string()
  .regex(/^[A-Za-z0-9.:-]{1,253}$/, expecting(MONITORING_SETTING.host()))
  .default('127.0.0.1');

/** A listener for programs of this machine, or with a token for those of others. */
export const serveMetricsShape = z
  .strictObject({
    port,
    host: host.describe('address to listen on; one of another machine needs a token'),
    token: secretReference.optional().describe('what a scrape sends as Authorization: Bearer, by reference'),
  })
  .superRefine((given, context) => {
    if (!isLoopbackHost(given.host) && !given.token) addProblem(context, MONITORING_SETTING.open(), ['token']);
  });

export const metricsShape = z.strictObject({
  textfile: z
    .string()
    .refine((path) => path.endsWith('.prom'), refusedWith(MONITORING_SETTING.textfile()))
    .optional()
    .describe(
      'a file for the textfile collector of node_exporter, written at the end of each run and each minute by watch; its name ends in .prom',
    ),
});

export const watchShape = z.strictObject({
  health: z
    .strictObject({ port, host: host.describe('address to listen on; the answers have no data of documents') })
    .optional()
    .describe('where watch answers GET /healthz and GET /readyz'),
});
