/** The settings of the console: where it listens, how people sign in. Another machine reaches it over TLS or a proxy alone. */
import { z } from 'zod';
import { SERVE_SETTING } from '../i18n/messages/console/console-server-messages.ts';
import { secretReference } from '../model/secret-reference.ts';
import { addProblem, expecting, refusedWith } from '../model/shape-issue.ts';
import { isLoopbackHost, LOOPBACK, serveMetricsShape } from './monitoring-shape.ts';

const role = z.enum(['viewer', 'operator', 'consultant', 'admin']);
const headerName = z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, expecting(SERVE_SETTING.header()));
const groups = z
  .record(z.string(), role)
  .default({})
  .describe(
    'role per group; the last role of viewer, operator, consultant, admin counts, and a person in none of them has no access',
  );

const tls = z.strictObject({
  cert: z.string().min(1).describe('file with the certificate and those that it depends on (PEM)'),
  key: secretReference.describe('its private key (PEM), by reference'),
});

const proxy = z.strictObject({
  header: headerName.default('X-Forwarded-User').describe('header with the name of the person'),
  'groups-header': headerName.default('X-Forwarded-Groups').describe('header with the groups of the person'),
  groups,
  'secret-header': headerName.default('X-Nightpost-Proxy').describe('header with the shared secret'),
  secret: secretReference.describe('what the proxy sends with each request; without it no header counts'),
});

const oidc = z.strictObject({
  issuer: z
    .string()
    .refine(isIssuer, refusedWith(SERVE_SETTING.issuer()))
    .describe('address of the provider, as its discovery document names it'),
  'client-id': z.string().min(1).describe('name of the console at the provider'),
  'client-secret': secretReference.describe('secret of the console at the provider, by reference'),
  scope: z.string().default('openid profile').describe('what is asked for; some providers need one more for groups'),
  'name-claim': z
    .string()
    .default('preferred_username')
    .describe('claim with the name of the person, which people cannot change themselves'),
  'groups-claim': z.string().default('groups').describe('claim with the groups of the person'),
  groups,
});

/** https, or http towards this machine. */
function isIssuer(text: string): boolean {
  const address = URL.parse(text);
  if (!address || address.username || address.password || address.search || address.hash) return false;
  return address.protocol === 'https:' || (address.protocol === 'http:' && LOOPBACK.test(address.hostname));
}

/** Strict, like the rest of the settings. A console for other machines needs `tls` or `proxy`, and the names in `hosts`. */
export const serveShape = z
  .strictObject({
    port: z.int().min(0).max(65_535).default(7433).describe('0: any that is free'),
    host: z
      .string()
      .regex(/^[A-Za-z0-9.:-]{1,253}$/, expecting(SERVE_SETTING.host()))
      .default('localhost')
      .describe('address to listen on; localhost is 127.0.0.1 and ::1'),
    hosts: z
      .array(z.string().regex(/^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$/, expecting(SERVE_SETTING.host())))
      .default([])
      .describe(
        'names under which browsers reach the console, such as nightpost.example.com; every other one is refused',
      ),
    tls: tls.optional().describe('https of the console itself'),
    oidc: oidc.optional().describe('people sign in at an OpenID Connect provider, with their company account'),
    metrics: serveMetricsShape
      .optional()
      .describe('where GET /metrics gives the metrics for Prometheus: a port of its own, without sign-in'),
    proxy: proxy.optional().describe('a proxy in front signs people in and names them in a header'),
  })
  .superRefine((given, context) => {
    if (given.tls && given.proxy) addProblem(context, SERVE_SETTING.tlsAndProxy(), ['proxy']);
    if (!isLoopbackHost(given.host) && !given.tls && !given.proxy) addProblem(context, SERVE_SETTING.open(), ['host']);
    if ((given.tls || given.proxy) && given.hosts.length === 0) addProblem(context, SERVE_SETTING.noHosts(), ['hosts']);
  });

export type ServeSettings = z.infer<typeof serveShape>;
