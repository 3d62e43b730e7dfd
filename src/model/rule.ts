/**
 * Rules of content: what a document must satisfy in addition to its shape, as data with a test. A rule belongs to a pack,
 * the pack to a kind of document; a profile decides which rules of the pack apply, and how severely.
 */

import type { Decimal } from './decimal.ts';
import type { Draft, JsonObject } from './draft.ts';

export type Severity = 'error' | 'warning';

/**
 * wire: only what the contracts say. fr-2026: what the French platforms check since September 2026. sv-nr-v3, sv-nr-v4:
 * the versions of the Salvadoran remission note, the fourth compulsory from December 2026. sv-by-day: the version that is
 * compulsory on the day of the note.
 */
export const PROFILES = ['wire', 'fr-2026', 'sv-nr-v3', 'sv-nr-v4', 'sv-by-day'] as const;
export type ProfileName = (typeof PROFILES)[number];

/** Last day on which the authority accepts documents of the profile, and the profile that is compulsory after it. */
export const PROFILE_ENDS: {
  readonly [profile in ProfileName]?: { readonly until: string; readonly next: ProfileName };
} = { 'sv-nr-v3': { until: '2026-11-30', next: 'sv-nr-v4' } };

/** Profiles that go by the day of the document, with the one that they begin with: PROFILE_ENDS has those after it. */
export const PROFILES_BY_DAY: { readonly [profile in ProfileName]?: ProfileName } = { 'sv-by-day': 'sv-nr-v3' };

/**
 * How near another broken rule has to be for this one to follow from it. field: at the same pointer; block: in the
 * block of that field; part: in the same line or party; document: anywhere; amount: anywhere, and off by the same amount,
 * alone or all breaks of that rule together.
 */
export const NEARNESS = ['field', 'block', 'part', 'document', 'amount'] as const;
export type Nearness = (typeof NEARNESS)[number];

/** JSON pointer -> value as JSON has it; null takes the field out. */
type Change = { readonly [pointer: string]: unknown };
/** A change to the model document of the kind, with its class and the day of the check if they matter. */
export type Example = { readonly set: Change; readonly class?: string; readonly today?: string };

/**
 * The public part of a rule. Its message and hint have the id of the rule: `FR-NUM-1.message` and `FR-NUM-1.hint` in
 * locales/<language>/rules-fr.yaml and rules-sv.yaml.
 */
export type RuleInfo = {
  /** Never changes its meaning: FR-NUM-1. */
  readonly id: string;
  /** The fault code, `<kind>/<words>`; several rules may share one. */
  readonly code: string;
  readonly severity: Severity;
  /** Its subject can be changed only in the ERP, such as the number of a tax document: no cell is offered for correction. */
  readonly onlyInErp?: true;
  /** The fields it looks at, as pointers with * for any index. */
  readonly at: readonly string[];
  /** How it is calculated, if there is a formula. */
  readonly formula?: string;
  /** The source of the rule: contract, norm or public rule set, with its number there. */
  readonly source: string;
  readonly profiles: readonly ProfileName[];
  /**
   * Ids of the rules that, if broken so near, break this one as well: then only they are reported, at least as severely as
   * this one. Never in a circle.
   */
  readonly unless?: { readonly [near in Nearness]?: readonly string[] };
  /** First and last day of a document to which the rule applies (YYYY-MM-DD). */
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
  /** Set if the severity is another than that of the rule: why. */
  readonly because?: string;
  /** JSON pointer. */
  readonly at: string;
  /** By how much an amount is off, if the rule calculates one. */
  readonly off?: Decimal;
  /** The values of the names in the rule's words. */
  readonly values?: Values;
};

export type Values = { readonly [name: string]: string };

export type RulePack = {
  readonly rules: readonly RuleInfo[];
  /**
   * For receipts: the profile that judges a document of this day (YYYY-MM-DD), and what the settings change about it.
   * Without a day the profile of the settings.
   */
  readonly profileOn: (day: string | undefined) => string;
  /** The day of a document decides between profiles. */
  readonly goesByDay: boolean;
  /**
   * Every broken rule, in one pass. The payload may have any shape: rules and shape are checked independently, so that all
   * faults come at once. `today` is the calendar day of the service, `made` how the mapping made the payload.
   */
  readonly judge: (payload: JsonObject, documentClass: string, today: string, made?: Made) => readonly Broken[];
  /** The same pack under another profile. */
  readonly under: (terms: Terms) => RulePack;
};

/** Facts that are not in the payload, and that only Nightpost knows. */
export type Made = Pick<Draft, 'isTaxFromGross'>;

/** The settings about rules. */
export type Terms = {
  readonly profile: ProfileName;
  readonly severity?: { readonly [rule: string]: { readonly level: Severity | 'off'; readonly reason: string } };
  /** Fields that the settings add to the contract, such as `/emisor/direccion/distrito (text)`: receipts name them. */
  readonly furtherFields?: readonly string[];
};
