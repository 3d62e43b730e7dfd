/** Profiles of a rule that version 3 alone has. */
export const V3 = ['sv-nr-v3'] as const;
/** Profiles of a rule that version 4 alone has. */
export const V4 = ['sv-nr-v4'] as const;
/** Profiles of a rule that both versions have. */
export const BOTH = [...V3, ...V4] as const;
