/**
 * Decides what an outcome is to the ledger, given the entries that have its identities already. Pure; the table of
 * docs/reference/same-number.md.
 */
import type { HoldRule } from '../../model/document.ts';
import { isReplaceable, type State } from '../../model/state.ts';

/** An entry that already has one of the identities. */
export type ExistingEntry = {
  readonly entry: string;
  /** Of the same file, which does not count yet. */
  readonly inThisFile: boolean;
  readonly state: State;
  readonly revision: number;
  readonly digest: string;
  /** Its rows became part of another document, which may have lost them since. */
  readonly isAbsorbed?: true;
  /** Of the content that was last sent to a service, if any was. */
  readonly sentDigest?: string;
  /** Of all contents that were sent to a service before a later revision. */
  readonly sentBefore?: readonly string[];
  /** held: the rule. */
  readonly hold?: HoldRule;
  /** Of the content that a person has released. */
  readonly released?: string;
};

export type AdmissionDecision =
  /** A document of its own, which takes the identities. */
  | { readonly what: 'new'; readonly state: 'ready' | 'invalid' }
  /** The next revision of a standing entry. */
  | { readonly what: 'revision'; readonly of: ExistingEntry; readonly state: 'ready' | 'invalid' }
  /** An entry of its own that takes no identity, next to the entry that has it. */
  | {
      readonly what: 'separate';
      readonly state: 'duplicate' | 'conflict' | 'invalid';
      readonly first?: string;
      /** Of the same file: rows of one document may be in both of them, so these also wait for a person. */
      readonly holds?: readonly string[];
    };

/** `existing` are different entries, that of the document's own identity first. */
export function decideOutcome(valid: boolean, digest: string, existing: readonly ExistingEntry[]): AdmissionDecision {
  const state = valid ? 'ready' : 'invalid';
  const [first, second] = existing;
  if (!first) return { what: 'new', state };
  const separate = (validState: 'duplicate' | 'conflict'): AdmissionDecision => {
    const holds = validState === 'conflict' && { holds: sendableInSameFile(existing) };
    const outcome = valid ? ({ state: validState, first: first.entry } as const) : ({ state: 'invalid' } as const);
    return { what: 'separate', ...outcome, ...holds };
  };
  if (second) return separate('conflict');
  if (first.inThisFile) {
    const same = valid && first.digest === digest && wouldBeSent(first);
    return separate(same ? 'duplicate' : 'conflict');
  }
  if (valid && isKnownContent(first, digest)) return separate('duplicate');
  if (!isReplaceable(first.state, first.hold)) return separate('conflict');
  return valid && wasSent(first, digest) ? separate('duplicate') : { what: 'revision', of: first, state };
}

export type RevisionDecision = {
  readonly state: 'ready' | 'invalid' | 'duplicate' | 'conflict' | 'unchanged';
  /** duplicate, conflict: the entry that has the identity; then, and next to another entry, no identity is taken. */
  readonly first?: string;
};

/** What the rows of an entry become when they are reprocessed. `others` have one of the identities that the rows have now. */
export function decideRevision(
  valid: boolean,
  digest: string,
  own: ExistingEntry,
  others: readonly ExistingEntry[],
): RevisionDecision {
  if (!valid) return { state: 'invalid' };
  if (wasSent(own, digest)) return { state: 'unchanged' };
  const [other] = others;
  if (!other) return { state: 'ready' };
  const same = others.length === 1 && other.state !== 'invalid' && isKnownContent(other, digest);
  return { state: same ? 'duplicate' : 'conflict', first: other.entry };
}

/** The entries of the same file that would be sent, or that wait only for a release with another reason. */
export function sendableInSameFile(existing: readonly ExistingEntry[]): readonly string[] {
  return existing.filter((one) => one.inThisFile && wouldBeSent(one)).map(({ entry }) => entry);
}

function wouldBeSent({ state }: ExistingEntry): boolean {
  return state === 'ready' || state === 'held';
}

/** Whatever came after it: an export or a correction that brings it back is no reason to send it a second time. */
function wasSent({ sentDigest, sentBefore }: ExistingEntry, given: string): boolean {
  return given === sentDigest || (sentBefore?.includes(given) ?? false);
}

/**
 * No service has seen a document that only failed our own checks, or that waits because its number was twice in its file, nor the
 * correction of a rejected one that was taken back, nor one whose rows another document took; what a service has seen may not be sent there a second time.
 */
function isKnownContent({ state, digest, sentDigest, hold, isAbsorbed }: ExistingEntry, given: string): boolean {
  if (isAbsorbed) return false;
  if (given === sentDigest) return true;
  const isTakenBack = state === 'rejected' && sentDigest !== undefined;
  return given === digest && state !== 'invalid' && hold !== 'number-twice' && !isTakenBack;
}
