/**
 * Refuses services on this machine in production (`config/loopback-in-production`): an instance that counts documents
 * as issued while a sandbox took them is worse than one that does not start.
 */
import { SETTINGS_FAULT } from '../i18n/messages/settings-messages.ts';
import { OperatorError } from '../model/fault.ts';

/** Names of environments whose documents count. */
const PRODUCTION = /^(?:prod|production)(?:-|$)/;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Whether documents of this environment count: its name is prod or production, or begins with one of them and a hyphen.
 */
export function isProduction(environment: string | undefined): boolean {
  return environment !== undefined && PRODUCTION.test(environment);
}

/** Whether an address is on this machine, as a sandbox is. */
export function isOnThisMachine(address: string): boolean {
  return LOOPBACK.test(URL.parse(address)?.hostname ?? '');
}

/**
 * `services` is the block of the settings: every address in it counts, at any depth. `allowed` is the setting
 * `allow-loopback`, for a gateway on this machine. Throws OperatorError `config/loopback-in-production`.
 */
export function refuseLoopbackInProduction(environment: string, services: object, allowed: boolean): void {
  if (allowed || !isProduction(environment)) return;
  const found = [...findAddresses(services, 'services')].filter(([, address]) => LOOPBACK.test(address.hostname));
  if (found.length === 0) return;
  const addresses = found.map(([path, { href }]) => SETTINGS_FAULT.loopbackAddress({ path, address: href }));
  throw new OperatorError('config/loopback-in-production', SETTINGS_FAULT.loopback({ environment, addresses }), {
    hint: SETTINGS_FAULT.loopbackHint(),
  });
}

/** Every http(s) address with its dotted path in the settings. */
function* findAddresses(value: object, path: string): Iterable<readonly [string, URL]> {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) yield* findAddresses(inner, `${path}.${key}`);
    if (typeof inner !== 'string' || !/^https?:/.test(inner)) continue;
    const address = URL.parse(inner);
    if (address) yield [`${path}.${key}`, address];
  }
}
