/**
 * The person that a proxy names in a header. Only a request with the shared secret counts; a person who comes for the
 * first time is added, and the role follows the groups at each request. A revoked person stays out, and so does one whom
 * another way made, until an administrator binds the name.
 */
import type { ServeSettings } from '../../instance/serve-shape.ts';
import type { People } from '../people/people.ts';
import { PROXY, personOfGroups, UNBOUND } from '../people/person-of-groups.ts';
import { isEqual, type ProxyPerson } from './sign-in.ts';

type ProxySettings = NonNullable<ServeSettings['proxy']>;

/** Each record is a flush of the disk: one for an address and minute, and for as many addresses as fit. */
const [STEP_MS, MOST_ADDRESSES] = [60_000, 1_000];
const recorded = new Map<string, number>();

function recordOnce(people: People, name: string, address: string): void {
  const now = Date.now();
  for (const [one, at] of recorded) if (now - at > STEP_MS) recorded.delete(one);
  if (recorded.has(address) || recorded.size >= MOST_ADDRESSES) return;
  recorded.set(address, now);
  people.record({ what: 'sign-in-failed', name, address, detail: { how: 'proxy' } });
}

export function createProxyPerson(settings: ProxySettings, secret: string, people: People): ProxyPerson {
  return (headers, address) => {
    const [given, name, listed] = [settings['secret-header'], settings.header, settings['groups-header']].map(
      (header) => decoded(headers.get(header)),
    );
    if (given && !isEqual(given, secret)) recordOnce(people, name ?? '', address);
    if (!given || !isEqual(given, secret) || !name) return undefined;
    const groups = (listed ?? '').split(',').map((group) => group.trim());
    const identity = { issuer: PROXY, sub: name.normalize('NFKC').toLowerCase().trim() };
    const by = { name: PROXY, address };
    const person = personOfGroups(people, { identity, name, groups, roles: settings.groups, by });
    return person === UNBOUND ? undefined : person;
  };
}

/** Node reads the bytes of a header as Latin-1; proxies send UTF-8. Bytes that are not valid UTF-8 stay as they are. */
function decoded(header: string | null): string | null {
  if (header === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
