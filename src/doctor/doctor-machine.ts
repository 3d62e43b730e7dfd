/**
 * Checks the machine: versions of Node and SQLite, the environment of the process, the clock. Input: plain values.
 * Output: checks; nothing here throws.
 */

import { OLDEST_SQLITE } from '../database/open-database.ts';
import { verbatimText } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_MACHINE } from '../i18n/messages/doctor-messages.ts';
import { dictionary } from '../text/dictionary.ts';
import { isVersionBelow } from '../text/version-order.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

/**
 * First releases with the fixes of October 2026: host names in TLS, decoding of Brotli, answers of kept connections.
 */
const SAFE_NODE = dictionary<readonly number[]>({ 24: [24, 22, 1], 26: [26, 12, 1] });

/**
 * `versions` is `process.versions`. An old Node is a warning, an old SQLite an error, because it can damage a ledger.
 */
export function versionChecks(versions: {
  readonly node: string;
  readonly sqlite?: string | undefined;
}): DoctorCheck[] {
  const { node, sqlite = 'unknown' } = versions;
  return [nodeCheck(node), sqliteCheck(sqlite)];
}

function nodeCheck(version: string): DoctorCheck {
  const what = DOCTOR_CHECK.node();
  const [major = ''] = version.split('.');
  const oldest = SAFE_NODE.get(major);
  if (!oldest) return warning(what, DOCTOR_MACHINE.noLongSupport({ version }), DOCTOR_MACHINE.useLongSupport());
  if (!isVersionBelow(version, oldest)) return ok(what, verbatimText(version));
  const safe = oldest.join('.');
  return warning(what, DOCTOR_MACHINE.unsafe({ version, safe }), DOCTOR_MACHINE.update({ safe }));
}

/** Nightpost opens no ledger with a SQLite that can damage it. */
function sqliteCheck(version: string): DoctorCheck {
  const what = DOCTOR_CHECK.sqlite();
  if (!isVersionBelow(version, OLDEST_SQLITE)) return ok(what, verbatimText(version));
  return failed(what, DOCTOR_MACHINE.damages({ version }), DOCTOR_MACHINE.newerNode());
}

/** Variables that other programs use for a proxy, and Nightpost ignores. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
/** Options of Node that weaken the process: a debugger, a log of connection keys, old protocols. */
const UNSAFE_OPTIONS =
  /--inspect|--tls-keylog|--tls-min-v1\.[01]|--insecure-http-parser|--security-revert|--allow-natives/;

/** The settings: a proxy that they name for some service makes variables for one no finding, a secret names its variable. */
type FromSettings = { readonly proxied: boolean; readonly settings: unknown };

export function environmentChecks(
  variables: { readonly [name: string]: string | undefined },
  { proxied, settings }: FromSettings,
): DoctorCheck[] {
  const checks: DoctorCheck[] = [];
  if (variables.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    checks.push(failed(DOCTOR_CHECK.environment(), DOCTOR_MACHINE.noProof(), DOCTOR_MACHINE.noProofHint()));
  }
  const option = UNSAFE_OPTIONS.exec(variables.NODE_OPTIONS ?? '')?.[0];
  if (option !== undefined) {
    checks.push(
      warning(DOCTOR_CHECK.environment(), DOCTOR_MACHINE.nodeOption({ option }), DOCTOR_MACHINE.nodeOptionHint()),
    );
  }
  const proxies = PROXIES.filter((name) => variables[name] ?? variables[name.toLowerCase()]);
  if (proxies.length > 0 && !proxied) {
    checks.push(
      warning(DOCTOR_CHECK.environment(), DOCTOR_MACHINE.proxyIgnored(named(proxies)), DOCTOR_MACHINE.proxyHint()),
    );
  }
  const unread = unreadVariables(variables, settings);
  if (unread.length > 0) {
    checks.push(
      warning(
        DOCTOR_CHECK.environment(),
        DOCTOR_MACHINE.unread(named(unread)),
        DOCTOR_MACHINE.unreadHint({ count: unread.length }),
      ),
    );
  }
  return checks.length > 0 ? checks : [ok(DOCTOR_CHECK.environment(), DOCTOR_MACHINE.environmentSound())];
}

function named(names: readonly string[]) {
  return { names, count: names.length };
}

/** One with levels (`__`) is a setting, and a wrong one is refused as such; a secret of the settings may have any name. */
function unreadVariables(variables: { readonly [name: string]: string | undefined }, settings: unknown): string[] {
  const ours = Object.keys(variables).filter((name) => /^NIGHTPOST_(?!ENVIRONMENT$)(?!.*__)/.test(name));
  if (ours.length === 0) return [];
  const text = JSON.stringify(settings);
  return ours.filter((name) => !text.includes(JSON.stringify(name))).sort();
}

/**
 * Seconds. With a larger difference to the service's clock, a token seems to be from the future, a document of another
 * day.
 */
const MAX_CLOCK_ERROR_S = 60;
const WRONG_CLOCK_S = 15 * 60;

/**
 * `lastAt` is the last entry of the ledger (ISO 8601): a clock before it was set back. A year before 2026 is never
 * right.
 */
export function clockChecks(now: Date, zone: string, lastAt: string | undefined): DoctorCheck[] {
  const at = { now: now.toISOString(), zone };
  const clock = DOCTOR_MACHINE.now(at);
  if (now.getFullYear() < 2026) return [failed(DOCTOR_CHECK.clock(), clock, DOCTOR_MACHINE.setClock())];
  if (lastAt !== undefined && Date.parse(lastAt) - now.getTime() > MAX_CLOCK_ERROR_S * 1000) {
    return [failed(DOCTOR_CHECK.clock(), DOCTOR_MACHINE.before({ ...at, last: lastAt }), DOCTOR_MACHINE.beforeHint())];
  }
  return [ok(DOCTOR_CHECK.clock(), clock)];
}

/**
 * `dateHeader` is the time of the service, as the Date header of its answer. Empty without one; a warning above 60 seconds of
 * difference, an error above 15 minutes.
 */
export function compareClocks(
  service: string,
  dateHeader: string | undefined,
  now: Date,
  hint = DOCTOR_MACHINE.askProvider(),
): DoctorCheck[] {
  const theirs = Date.parse(dateHeader ?? '');
  if (Number.isNaN(theirs)) return [];
  const what = DOCTOR_CHECK.clockOf({ service });
  const apart = Math.round((now.getTime() - theirs) / 1000);
  if (Math.abs(apart) <= MAX_CLOCK_ERROR_S) return [ok(what, DOCTOR_MACHINE.agrees())];
  const says = (apart > 0 ? DOCTOR_MACHINE.ahead : DOCTOR_MACHINE.behind)({ seconds: Math.abs(apart) });
  return [Math.abs(apart) > WRONG_CLOCK_S ? failed(what, says, hint) : warning(what, says, hint)];
}
