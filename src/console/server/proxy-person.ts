/**
 * The person that a proxy names in a header. Only a request with the shared secret counts; a person who comes for the
 * first time is added, and the role follows the groups at each request. A revoked person stays out.
 */
import type { ServeSettings } from '../../instance/serve-shape.ts';
import type { People } from '../people/people.ts';
import { CONSOLE_ROLES, type ConsoleRole } from '../people/person.ts';
import { isEqual, type ProxyPerson } from './sign-in.ts';

type ProxySettings = NonNullable<ServeSettings['proxy']>;

export function createProxyPerson(settings: ProxySettings, secret: string, people: People): ProxyPerson {
  return (headers, address) => {
    const [given, name, listed] = [settings['secret-header'], settings.header, settings['groups-header']].map(
      (header) => headers.get(header),
    );
    if (!given || !isEqual(given, secret) || !name || people.isRevoked(name)) return undefined;
    const role = roleOfGroups(
      (listed ?? '').split(',').map((group) => group.trim()),
      settings.groups,
    );
    if (!role) return undefined;
    const by = { name: 'proxy', address };
    const known = people.named(name);
    if (!known) return isUsable(name) ? people.add(name, role, by) : undefined;
    if (known.role !== role) people.setRole(name, role, by);
    return { ...known, role };
  };
}

/** Fetch turns header values into Latin-1; names with other letters come as UTF-8 bytes. */
function isUsable(name: string): boolean {
  return name.length <= 100 && !/\p{C}/u.test(name);
}

/** Of several groups the role that is last in the list of roles. */
function roleOfGroups(
  given: readonly string[],
  roles: { readonly [group: string]: ConsoleRole },
): ConsoleRole | undefined {
  return CONSOLE_ROLES.findLast((role) => given.some((group) => Object.hasOwn(roles, group) && roles[group] === role));
}
