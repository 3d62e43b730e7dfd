/**
 * Checks the console that `serve` opens, if this instance has one: certificate and key, the port, groups that give no
 * one a role. Input: an instance and the clock. Output: checks; nothing here throws.
 */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { DOCTOR_CHECK, DOCTOR_SERVE } from '../i18n/messages/doctor-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { isLoopbackHost } from '../instance/monitoring-shape.ts';
import type { ServeSettings } from '../instance/serve-shape.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** As for the certificates of services: a renewal takes days. */
const ENDS_SOON_DAYS = 21;

type Checked = Pick<Instance, 'folder' | 'settings' | 'secrets'>;

/** None for an instance that never had a console. */
export async function consoleChecks({ folder, settings, secrets }: Checked, now: Date): Promise<DoctorCheck[]> {
  const { serve } = settings;
  const isUsed = serve.tls || serve.proxy || serve.oidc || existsSync(join(folder, 'state', 'people.sqlite'));
  if (!isUsed) return [];
  const findings = [...groupChecks(serve), ...clearProxy(serve)];
  if (serve.tls) {
    const key = await secrets.reveal(serve.tls.key).catch(() => undefined);
    findings.push(certificateCheck(readText(resolve(folder, serve.tls.cert)), key, { serve, now }));
  }
  findings.push(await portCheck(serve, existsSync(join(folder, 'state', 'console-link'))));
  return findings;
}

/** Undefined for a file that cannot be read. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

type CertificateFacts = { readonly serve: ServeSettings; readonly now: Date };

/** `pem`: the file of the certificate; `key`: its private key. Undefined where it cannot be read. */
export function certificateCheck(
  pem: string | undefined,
  key: string | undefined,
  { serve, now }: CertificateFacts,
): DoctorCheck {
  const what = DOCTOR_CHECK.consoleCertificate();
  const file = serve.tls?.cert ?? '';
  let certificate: X509Certificate;
  let isPair: boolean;
  try {
    certificate = new X509Certificate(pem ?? '');
    // A key that cannot be read is a finding of the secrets.
    isPair = key === undefined || certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return failed(what, DOCTOR_SERVE.unreadable({ file }), DOCTOR_SERVE.unreadableHint());
  }
  if (!isPair) return failed(what, DOCTOR_SERVE.otherKey({ file }), DOCTOR_SERVE.unreadableHint());
  const days = Math.floor((certificate.validToDate.getTime() - now.getTime()) / DAY_MS);
  if (days < 0) return failed(what, DOCTOR_SERVE.ended({ file, days: -days }), DOCTOR_SERVE.renew());
  const names = serve.hosts.map((host) => host.replace(/:\d+$/, ''));
  const covers = (name: string) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
  const foreign = names.filter((name) => !covers(name));
  if (foreign.length > 0) {
    return warning(what, DOCTOR_SERVE.notFor({ file, names: foreign }), DOCTOR_SERVE.notForHint());
  }
  if (days < ENDS_SOON_DAYS) return warning(what, DOCTOR_SERVE.endsSoon({ file, days }), DOCTOR_SERVE.renew());
  return ok(what, DOCTOR_SERVE.valid({ file, days }));
}

/** Without a group that has a role, everyone is refused. */
function groupChecks({ proxy, oidc }: ServeSettings): DoctorCheck[] {
  const empty = Object.entries({ proxy, oidc }).filter(
    ([, setting]) => setting && Object.keys(setting.groups).length === 0,
  );
  return empty.map(([name]) => {
    const setting = `serve.${name}.groups`;
    return warning(DOCTOR_CHECK.console(), DOCTOR_SERVE.noGroups({ setting }), DOCTOR_SERVE.noGroupsHint());
  });
}

/** What the proxy sends to another machine, and the people with it, can be read on the way. */
function clearProxy({ proxy, host }: ServeSettings): DoctorCheck[] {
  if (!proxy || isLoopbackHost(host)) return [];
  return [warning(DOCTOR_CHECK.console(), DOCTOR_SERVE.proxyInClear({ host }), DOCTOR_SERVE.proxyInClearHint())];
}

/** Tries to listen, and stops at once. `hasLink`: a console of this instance is at work, or was killed. */
async function portCheck({ host, port, tls, proxy }: ServeSettings, hasLink: boolean): Promise<DoctorCheck> {
  const what = DOCTOR_CHECK.console();
  const place = { host, port: String(port) };
  const code = await new Promise<string | undefined>((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'error'));
    server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, exclusive: true }, () =>
      server.close(() => done(undefined)),
    );
  });
  if (code === undefined) return ok(what, DOCTOR_SERVE.free(place));
  if (code !== 'EADDRINUSE') {
    return failed(what, DOCTOR_SERVE.cannotListen({ ...place, code }), DOCTOR_SERVE.cannotListenHint());
  }
  if (hasLink) return ok(what, DOCTOR_SERVE.running(place));
  // Such a console leaves no link: it may be the one at work.
  if (tls || proxy) return ok(what, DOCTOR_SERVE.taken(place));
  return warning(what, DOCTOR_SERVE.taken(place), DOCTOR_SERVE.takenHint());
}
