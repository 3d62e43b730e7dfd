/** International bank account numbers (ISO 13616). Input: a text. Output: whether it can be one. Blanks do not count. */
import { dictionary } from '../text/dictionary.ts';

/** Characters of an IBAN by country: with check digits alone, truncated ones would pass too often. */
const LENGTHS = dictionary<number>({
  ...{ FR: 27, MC: 27, BE: 16, CH: 21, DE: 22, ES: 24, GB: 22, IE: 22, IT: 27, LU: 20, NL: 18, PT: 25 },
});

/** Two letters and as many characters as an IBAN has: account numbers of other systems are digits. */
const LIKE_IBAN = /^[A-Z]{2}[0-9A-Z]{13,32}$/;
const IBAN = /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/;

export function looksLikeIban(text: string): boolean {
  return LIKE_IBAN.test(plain(text));
}

/** Its length is that of its country, and its check digits are right. */
export function isIban(text: string): boolean {
  const iban = plain(text);
  if (!IBAN.test(iban)) return false;
  const length = LENGTHS.get(iban.slice(0, 2));
  if (length !== undefined && iban.length !== length) return false;
  let rest = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    // A is 10, Z is 35.
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

function plain(text: string): string {
  return text.replace(/\s/g, '').toUpperCase();
}
