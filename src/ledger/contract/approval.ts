/** The approval of an act by another person, as the queue of requests, the ledger and people see it. Plain data and pure functions. */

/**
 * A person, by everything that may be the same person: the id of the console, the account of the system, the name. `makers`: who made
 * the account, a link, a token or a password of it, and can so have signed in as this person.
 */
export type PersonKeys = {
  readonly id?: string | undefined;
  readonly names: readonly string[];
  readonly makers?: readonly string[] | undefined;
};

/** Why the act has to wait for a document. */
export type WaitingDocument = {
  readonly id: string;
  readonly number: string;
  readonly why: 'in-doubt' | 'amount';
  readonly amount?: string;
  readonly currency?: string;
  /** SHA-256 of the mapping that reads it again, where the act does that: the approval is about this one. */
  readonly mapping?: string;
};

/** The answer of a person to an act that waits; `at` is ISO 8601. */
export type ApprovalVerdict = {
  readonly as: 'approved' | 'refused' | 'withdrawn';
  readonly by: string;
  readonly keys: PersonKeys;
  readonly at: string;
  readonly reason: string;
};

/** Events of the history about approvals: they decide nothing by themselves, so that nothing of them can be undone. */
export const APPROVAL_EVENTS = ['act-approved', 'approval-refused', 'approval-withdrawn', 'approval-expired'] as const;

/** Upper and lower case, composed letters, full width and blanks make no other person. */
function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
}

/** Whether they may be one person: the same id, or a name in common. */
export function isSamePerson(one: PersonKeys, other: PersonKeys): boolean {
  if (one.id !== undefined && one.id === other.id) return true;
  const names = new Set(one.names.map(foldedName));
  return other.names.some((name) => names.has(foldedName(name)));
}

/** Whether one of both can have signed in as the other. Two people whom the same administrator made are two. */
export function mayBeOnePerson(one: PersonKeys, other: PersonKeys): boolean {
  const isMakerOf = ({ names }: PersonKeys, { makers = [] }: PersonKeys) => isSamePerson({ names }, { names: makers });
  return isSamePerson(one, other) || isMakerOf(one, other) || isMakerOf(other, one);
}
