/** What `infer` writes into a draft for a person to replace. */

/** A value of a mapping that begins with it holds whatever only a person knows. */
export const FILL_IN = 'FILL IN';

/** True of a text in the place of a value of any kind: a rate, a date, an amount. */
export function isToFillIn(text: string): boolean {
  return text.startsWith(FILL_IN);
}
