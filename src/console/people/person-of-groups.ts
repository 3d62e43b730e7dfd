/** A person whom another program has signed in, a proxy or a provider: the groups decide the role, each time. */
import type { ChangedBy, People } from './people.ts';
import { CONSOLE_ROLES, type ConsolePerson, type ConsoleRole } from './person.ts';

/** What another program says about a person, whom it has signed in. */
type NamedElsewhere = {
  readonly name: string;
  readonly groups: readonly string[];
  readonly roles: { readonly [group: string]: ConsoleRole };
  readonly by: ChangedBy;
};

/** Added at the first time; the role follows the groups. Undefined for a person in no known group, or a revoked one. */
export function personOfGroups(people: People, { name, groups, roles, by }: NamedElsewhere): ConsolePerson | undefined {
  const role = roleOfGroups(groups, roles);
  if (!role || people.isRevoked(name)) return undefined;
  const known = people.named(name);
  if (!known) return isUsable(name) ? people.add(name, role, by) : undefined;
  if (known.role !== role) people.setRole(name, role, by);
  return { ...known, role };
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
