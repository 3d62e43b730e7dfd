/**
 * Which names in an inbox are files to take, and how long they must have been left alone.
 *
 * A name is ignored by pattern before the file is looked at: writers that upload under another name and rename
 * when they are done are never seen half way.
 */

import { matchesName } from '../text/glob.ts';

/** A file that is set aside is reported after a day: by then its export should have come. */
export const LONG_MS = 86_400_000;

/** `why`: reported once the file has been there for a day. */
export type SetAside = { readonly why?: 'ignored' | 'not-asked' };

export type InboxRules = {
  /** Size and modification time must have been unchanged for so long. */
  readonly settleMs: number;
  /** The same for a file without a byte: its writer has often only just created it. */
  readonly emptyMs: number;
  /**
   * 1: a modification time beyond the settle time is enough (one-shot run). 2: and the file was seen unchanged over
   * the settle time (watching), which also catches copies that are given an old time while they grow.
   */
  readonly looks: 1 | 2;
  /** Patterns of the names that are looked at; absent: all. */
  readonly only?: readonly string[];
  /** Patterns next to the fixed ones; `*` and `?`, upper and lower case alike. */
  readonly ignore: readonly string[];
  /** Names that are no exports, for a caller that knows more than patterns; undefined for the others. */
  readonly setAside?: (name: string) => SetAside | undefined;
  /** Marker mode: F is taken when F + suffix is there, whatever its age; never without. */
  readonly marker?: string;
  readonly maxBytes: number;
  /** Candidates of one look; the rest is found by the next one, when these are claimed. */
  readonly most: number;
};

export const INBOX_RULES: InboxRules = {
  settleMs: 5_000,
  emptyMs: 60_000,
  looks: 2,
  ignore: [],
  maxBytes: 4 * 1024 ** 3,
  most: 10_000,
};

/** Names of files that another program has not finished, or does not show. */
export const ALWAYS_IGNORED = ['.*', '*.part', '*.tmp', '*.filepart', '~$*', '~*'];

export function isIgnored(name: string, extra: readonly string[]): boolean {
  return [...ALWAYS_IGNORED, ...extra].some((pattern) => matchesName(pattern, name));
}
