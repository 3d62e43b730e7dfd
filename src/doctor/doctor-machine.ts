/** The machine: the versions underneath, the environment of the process, the clock. */
import { verbatimText } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_MACHINE } from '../i18n/messages/doctor-messages.ts';
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
      ? warning(DOCTOR_CHECK.node(), DOCTOR_MACHINE.noLongSupport({ version: node }), DOCTOR_MACHINE.useLongSupport())
      : isBelow(node, safe)
        ? warning(
            DOCTOR_CHECK.node(),
            DOCTOR_MACHINE.unsafe({ version: node, safe: safe.join('.') }),
            DOCTOR_MACHINE.update({ safe: safe.join('.') }),
          )
        : ok(DOCTOR_CHECK.node(), verbatimText(node));
  const engine = isBelow(sqlite, SAFE_SQLITE)
    ? failed(DOCTOR_CHECK.sqlite(), DOCTOR_MACHINE.damages({ version: sqlite }), DOCTOR_MACHINE.newerNode())
    : ok(DOCTOR_CHECK.sqlite(), verbatimText(sqlite));
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
    checks.push(failed(DOCTOR_CHECK.environment(), DOCTOR_MACHINE.noProof(), DOCTOR_MACHINE.noProofHint()));
  }
  const door = OPEN_DOORS.exec(variables.NODE_OPTIONS ?? '')?.[0];
  if (door !== undefined) {
    checks.push(
      warning(DOCTOR_CHECK.environment(), DOCTOR_MACHINE.nodeOption({ option: door }), DOCTOR_MACHINE.nodeOptionHint()),
    );
  }
  const proxies = PROXIES.filter((name) => variables[name] ?? variables[name.toLowerCase()]);
  if (proxies.length > 0 && !proxied) {
    checks.push(
      warning(DOCTOR_CHECK.environment(), DOCTOR_MACHINE.proxyIgnored({ names: proxies }), DOCTOR_MACHINE.proxyHint()),
    );
  }
  return checks.length > 0 ? checks : [ok(DOCTOR_CHECK.environment(), DOCTOR_MACHINE.environmentSound())];
}

/** Further than this from the service's clock: a token may seem to be of the future, a document of another day. */
const AWRY_S = 60;
const WRONG_S = 15 * 60;

export function clockChecks(now: Date, zone: string, lastAt: string | undefined): DoctorCheck[] {
  const at = { now: now.toISOString(), zone };
  const clock = DOCTOR_MACHINE.now(at);
  if (now.getFullYear() < 2026) return [failed(DOCTOR_CHECK.clock(), clock, DOCTOR_MACHINE.setClock())];
  const back = lastAt === undefined ? 0 : Date.parse(lastAt) - now.getTime();
  if (back > AWRY_S * 1000) {
    return [failed(DOCTOR_CHECK.clock(), DOCTOR_MACHINE.before({ ...at, last: lastAt! }), DOCTOR_MACHINE.beforeHint())];
  }
  return [ok(DOCTOR_CHECK.clock(), clock)];
}

/** `told` is the Date header of an answer. */
export function compareClocks(service: string, dateHeader: string | undefined, now: Date): DoctorCheck[] {
  const theirs = Date.parse(dateHeader ?? '');
  if (Number.isNaN(theirs)) return [];
  const what = DOCTOR_CHECK.clockOf({ service });
  const apart = Math.round((now.getTime() - theirs) / 1000);
  if (Math.abs(apart) <= AWRY_S) return [ok(what, DOCTOR_MACHINE.agrees())];
  const says = (apart > 0 ? DOCTOR_MACHINE.ahead : DOCTOR_MACHINE.behind)({ seconds: Math.abs(apart) });
  const hint = DOCTOR_MACHINE.askProvider();
  return [Math.abs(apart) > WRONG_S ? failed(what, says, hint) : warning(what, says, hint)];
}
