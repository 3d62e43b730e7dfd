/** A person whom another program has signed in, a proxy or a provider: the groups decide the role, each time. */
import type { OuterIdentity } from './identities.ts';
import type { ChangedBy, People } from './people.ts';
import { CONSOLE_ROLES, type ConsolePerson, type ConsoleRole } from './person.ts';

/** What another program says about a person, whom it has signed in. */
type NamedElsewhere = {
  readonly identity: OuterIdentity;
  readonly name: string;
  readonly groups: readonly string[];
  readonly roles: { readonly [group: string]: ConsoleRole };
  readonly by: ChangedBy;
};

/** Who an administrator has to bind first: the name belongs to a person whom another way made. */
export const UNBOUND = 'unbound';

/**
 * Added at the first time; the role of a person whom this way made follows the groups. The name finds no one: it is shown.
 * Undefined for a person in no known group, or a revoked one.
 */
export function personOfGroups(
  people: People,
  { identity, name, groups, roles, by }: NamedElsewhere,
): ConsolePerson | typeof UNBOUND | undefined {
  const role = roleOfGroups(groups, roles);
  if (!role) return undefined;
  const bound = people.personOfIdentity(identity);
  if (bound) {
    const person = people.withId(bound.person);
    return person && bound.follows ? withRole(people, person, role, by) : person;
  }
  if (people.isRevoked(name) || !isUsable(name)) return undefined;
  const known = people.named(name);
  if (!known) {
    const added = people.add(name, role, by);
    people.bindIdentity(identity, { person: added.id, follows: true });
    return added;
  }
  // A proxy has no other word for a person than the name: those whom it made are bound as they come.
  const isOwn = people.isUnboundOf(known.id, by.name);
  if (!(isOwn && by.name === PROXY) && !people.takeBinding(known.id)) return UNBOUND;
  people.bindIdentity(identity, { person: known.id, follows: isOwn });
  return isOwn ? withRole(people, known, role, by) : known;
}

/** The name of a proxy, as issuer and in the history. */
export const PROXY = 'proxy';

function withRole(people: People, person: ConsolePerson, role: ConsoleRole, by: ChangedBy): ConsolePerson {
  if (person.role !== role) people.setRole(person.name, role, by);
  return { ...person, role };
}

/** Names with controls are no names of people. */
function isUsable(name: string): boolean {
  return name.trim() !== '' && name.length <= 100 && !/\p{C}/u.test(name);
}

/** Of several groups the role that is last in the list of roles. */
function roleOfGroups(
  given: readonly string[],
  roles: { readonly [group: string]: ConsoleRole },
): ConsoleRole | undefined {
  return CONSOLE_ROLES.findLast((role) => given.some((group) => Object.hasOwn(roles, group) && roles[group] === role));
}
