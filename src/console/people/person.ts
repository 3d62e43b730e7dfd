/** People of the console and service accounts: what each role may do. Plain data, nothing here fails. */
import type { Language } from '../../i18n/message.ts';

/** In the order of the manual; words for them are in locales/<language>/console-server.yaml. */
export const CONSOLE_ROLES = ['viewer', 'operator', 'consultant', 'admin'] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

/**
 * What a route asks for: to see documents, to decide about them, to change mappings, to change people and settings.
 */
export type ConsoleRight = 'view' | 'act' | 'studio' | 'admin';

const RIGHTS: { readonly [role in ConsoleRole]: ReadonlySet<ConsoleRight> } = {
  viewer: new Set(['view']),
  operator: new Set(['view', 'act']),
  consultant: new Set(['view', 'studio']),
  admin: new Set(['view', 'act', 'studio', 'admin']),
};

export function roleHas(role: ConsoleRole, right: ConsoleRight): boolean {
  return RIGHTS[role].has(right);
}

/** A person who is signed in, or a service account. `language` is set if the person chose one. */
export type ConsolePerson = {
  readonly id: string;
  readonly name: string;
  readonly role: ConsoleRole;
  readonly language?: Language;
};

/** A person as the list of people shows one; times are ISO 8601 in UTC. */
export type KnownPerson = ConsolePerson & {
  readonly addedAt: string;
  readonly addedBy: string;
  readonly hasPassword: boolean;
  /** Sessions that have not ended. */
  readonly sessions: number;
  /** Null before the first one, and where a proxy signs people in. */
  readonly lastSignInAt: string | null;
  readonly revokedAt: string | null;
};

/** A session that has not ended. `id` is the SHA-256 of its secret, which does not show it. */
export type OpenSession = {
  readonly id: string;
  readonly beganAt: string;
  readonly seenAt: string;
  readonly address: string;
};
