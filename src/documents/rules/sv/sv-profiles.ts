/**
 * The versions of the remission note (document type 04). In the sources of the rules, NR v3 and NR v4 are the JSON
 * schemas of the Salvadoran tax authority for them.
 */

/** Profiles of a rule that version 3 alone has. */
export const V3 = ['sv-nr-v3'] as const;
/** Profiles of a rule that version 4 alone has. */
export const V4 = ['sv-nr-v4'] as const;
/** Profiles of a rule that both versions have. */
export const BOTH = [...V3, ...V4] as const;
