/** The machine: the versions underneath, the environment of the process, the clock. */
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

/** First releases with the fixes of October 2026: host names in TLS, decoding of Brotli, answers of kept connections. */
const SAFE_NODE: { readonly [major: string]: readonly number[] } = { 24: [24, 22, 1], 26: [26, 12, 1] };
/** Below, two connections can damage a ledger; such a version does not start. */
const SAFE_SQLITE = [3, 51, 3];

export function versionChecks(versions: {
  readonly node: string;
  readonly sqlite?: string | undefined;
}): DoctorCheck[] {
  const { node, sqlite = 'unknown' } = versions;
  const safe = SAFE_NODE[node.split('.')[0]!];
  const runtime =
    safe === undefined
      ? warning('node', `${node} is no line with long support`, 'use Node 24 or 26, the newest of it')
      : isBelow(node, safe)
        ? warning(
            'node',
            `${node} lacks security fixes of ${safe.join('.')}`,
            `update Node to ${safe.join('.')} or newer as soon as it is to be had`,
          )
        : ok('node', node);
  const engine = isBelow(sqlite, SAFE_SQLITE)
    ? failed('sqlite', `${sqlite} can damage a ledger`, 'use Node 24.15 or newer')
    : ok('sqlite', sqlite);
  return [runtime, engine];
}

function isBelow(version: string, floor: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const at = floor.findIndex((wanted, index) => wanted !== parts[index]);
  return at >= 0 && !((parts[at] ?? 0) > floor[at]!);
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
/** Options of Node that open a door: a debugger, keys of connections written down, old protocols. */
const OPEN_DOORS = /--inspect|--tls-keylog|--tls-min-v1\.[01]|--insecure-http-parser|--security-revert|--allow-natives/;

export function environmentChecks(
  variables: { readonly [name: string]: string | undefined },
  proxied: boolean,
): DoctorCheck[] {
  const checks: DoctorCheck[] = [];
  if (variables.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    checks.push(
      failed(
        'environment',
        'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the proof of who answers',
        'unset it; for an authority of your own set connection.ca-file',
      ),
    );
  }
  const door = OPEN_DOORS.exec(variables.NODE_OPTIONS ?? '')?.[0];
  if (door !== undefined) {
    checks.push(warning('environment', `NODE_OPTIONS has ${door}`, 'remove it for everyday work'));
  }
  const proxies = PROXIES.filter((name) => variables[name] ?? variables[name.toLowerCase()]);
  if (proxies.length > 0 && !proxied) {
    checks.push(
      warning(
        'environment',
        `${proxies.join(', ')} is set, but not looked at`,
        'where the services are behind a proxy, set connection.proxy',
      ),
    );
  }
  return checks.length > 0 ? checks : [ok('environment', 'nothing in it weakens the connections')];
}

/** Further than this from the service's clock: a token may seem to be of the future, a document of another day. */
const AWRY_S = 60;
const WRONG_S = 15 * 60;

export function clockChecks(now: Date, zone: string, lastAt: string | undefined): DoctorCheck[] {
  const clock = `${now.toISOString()}, zone ${zone}`;
  if (now.getFullYear() < 2026) return [failed('clock', clock, 'set the clock of this machine (NTP)')];
  const back = lastAt === undefined ? 0 : Date.parse(lastAt) - now.getTime();
  if (back > AWRY_S * 1000) {
    return [
      failed(
        'clock',
        `${clock}: earlier than what the ledger recorded last (${lastAt})`,
        'set the clock of this machine (NTP); if it was ahead before, wait until it has caught up',
      ),
    ];
  }
  return [ok('clock', clock)];
}

/** `told` is the Date header of an answer. */
export function clockAgainst(service: string, told: string | undefined, now: Date): DoctorCheck[] {
  const theirs = Date.parse(told ?? '');
  if (Number.isNaN(theirs)) return [];
  const what = `clock of ${service}`;
  const apart = Math.round((now.getTime() - theirs) / 1000);
  if (Math.abs(apart) <= AWRY_S) return [ok(what, 'agrees with this one')];
  const says = `this clock is ${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} that of the service`;
  const hint = 'set the clock of this machine (NTP), or ask the provider';
  return [Math.abs(apart) > WRONG_S ? failed(what, says, hint) : warning(what, says, hint)];
}
