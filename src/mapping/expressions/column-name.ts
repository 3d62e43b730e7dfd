/** The column that `$Column` or `$[Column with spaces]` names. */
export function singleColumn(text: string): string | undefined {
  const match = BARE.exec(text.trim());
  return match?.[1] ?? match?.[2]?.replaceAll(']]', ']');
}

const BARE = /^\$(?:([\p{L}\p{M}\p{N}_]+(?:\.[\p{L}\p{M}\p{N}_]+)*)|\[((?:[^\]]|\]\])+)\])$/u;
