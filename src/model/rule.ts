/**
 * Rules of content: what a document must satisfy beside its shape, as data with a test. A rule belongs to a pack, the
 * pack to a kind of document; a profile says which rules of the pack hold, and how severely.
 */

import type { Decimal } from './decimal.ts';
import type { Draft, JsonObject } from './draft.ts';

export type Severity = 'error' | 'warning';

/**
 * wire: only what the contracts say. fr-2026: what the French platforms check since September 2026. sv-nr-v3, sv-nr-v4:
 * the versions of the Salvadoran remission note, the fourth compulsory from December 2026.
 */
export const PROFILES = ['wire', 'fr-2026', 'sv-nr-v3', 'sv-nr-v4'] as const;
export type ProfileName = (typeof PROFILES)[number];

/** Last day that the authority takes documents of the profile, and the one that is compulsory from the day after. */
export const PROFILE_ENDS: {
  readonly [profile in ProfileName]?: { readonly until: string; readonly next: ProfileName };
} = { 'sv-nr-v3': { until: '2026-11-30', next: 'sv-nr-v4' } };

/**
 * How near the break of another rule has to be for this one to follow from it. field: at the same pointer; block: in the
 * block of that field; part: in the same line or party; document: anywhere; amount: anywhere, and off by the same amount,
 * alone or all breaks of that rule together.
 */
export const NEARNESS = ['field', 'block', 'part', 'document', 'amount'] as const;
export type Nearness = (typeof NEARNESS)[number];

/** JSON pointer -> value as JSON has it; null takes the field out. */
type Change = { readonly [pointer: string]: unknown };
/** A change to the model document of the kind, its class and the day it is checked where they matter. */
export type Example = { readonly set: Change; readonly class?: string; readonly today?: string };

/**
 * A rule as everybody sees it. What is wrong and what to do about it are worded by its id: `FR-NUM-1.message` and
 * `FR-NUM-1.hint` in locales/<language>/rules-fr.yaml and rules-sv.yaml.
 */
export type RuleInfo = {
  /** Never changes its meaning: FR-NUM-1. */
  readonly id: string;
  /** The fault code, `<kind>/<words>`; several rules may share one. */
  readonly code: string;
  readonly severity: Severity;
  /** What it is about is changed in the ERP alone: no cell is offered to be written. The number of a tax document. */
  readonly onlyInErp?: true;
  /** The fields it looks at, as pointers with * for any index. */
  readonly at: readonly string[];
  /** How it is reckoned, where a formula says it. */
  readonly formula?: string;
  /** Where the rule is written: contract, norm or public rule set, with the number it has there. */
  readonly source: string;
  readonly profiles: readonly ProfileName[];
  /**
   * Ids of the rules whose break, so near, makes this one break as well: it is not told beside them, and they are told as
   * severely as it. Never in a circle.
   */
  readonly unless?: { readonly [near in Nearness]?: readonly string[] };
  /** First and last day of a document that the rule holds for (YYYY-MM-DD). */
  readonly validFrom?: string;
  readonly validTo?: string;
  /** The model document with these changes keeps the rule, or breaks it. */
  readonly passes: Example;
  readonly fails: Example;
};

/** A rule that a document breaks, and where. */
export type Broken = {
  readonly rule: RuleInfo;
  readonly severity: Severity;
  /** Set where the severity is another than that of the rule: why. */
  readonly because?: string;
  /** JSON pointer. */
  readonly at: string;
  /** By how much an amount is off, where the rule reckons. */
  readonly off?: Decimal;
  /** What stands for the names in the rule's words. */
  readonly values?: Values;
};

export type Values = { readonly [name: string]: string };

export type RulePack = {
  readonly rules: readonly RuleInfo[];
  /** For receipts: the profile, and what the settings change about it. */
  readonly profile: string;
  /**
   * Everything broken, in one pass. The payload may be of any shape yet: rules run beside the shape, so that all faults
   * come at once. `today` is the calendar day of the service, `made` how the mapping came to the payload.
   */
  readonly judge: (payload: JsonObject, documentClass: string, today: string, made?: Made) => readonly Broken[];
  /** The same pack under another profile. */
  readonly under: (terms: Terms) => RulePack;
};

/** What the payload does not show, and no one but us sees. */
export type Made = Pick<Draft, 'isTaxFromGross'>;

/** What the settings say about rules. */
export type Terms = {
  readonly profile: ProfileName;
  readonly severity?: { readonly [rule: string]: { readonly level: Severity | 'off'; readonly reason: string } };
};
