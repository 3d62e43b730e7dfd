/** Amounts as people read them, by language: grouped digits, and a comma or a point. */
import type { Language } from '../../i18n/message.ts';

const DECIMAL_SIGN = { en: '.', fr: ',', es: '.' } as const satisfies { readonly [language in Language]: string };

/**
 * 1482310.22 -> 1 482 310.22, with spaces that do not break; a comma in French, else a point, as El Salvador writes.
 */
export function groupDigits(amount: string, language: Language): string {
  const [whole = '', ...cents] = amount.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, '\u202f'), ...cents].join(DECIMAL_SIGN[language]);
}

/** "1 482 310.22 EUR", one text for each currency; an amount without a currency stands alone. */
export function amountTexts(amounts: { readonly [currency: string]: string }, language: Language): readonly string[] {
  return Object.entries(amounts).map(([currency, amount]) => `${groupDigits(amount, language)} ${currency}`.trim());
}

const GIB = 1024 ** 3;

/** Bytes of a disk in GiB, with one digit: "76.4". */
export function gib(bytes: number): string {
  return (bytes / GIB).toFixed(1);
}
