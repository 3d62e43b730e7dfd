/**
 * Means of payment (UNTDID 4461) as the code list of EN 16931 version 1.3.16 (rule BR-CL-16) has them: 1 to 70, and
 * some more.
 */
const MORE = '74 75 76 77 78 91 92 93 94 95 96 97 98 ZZZ';

const CODES: ReadonlySet<string> = new Set([
  ...Array.from({ length: 70 }, (_, n) => String(n + 1)),
  ...MORE.split(' '),
]);

/** Credit transfers, SEPA or not: they need the account to pay to (BR-61). */
const TRANSFERS: readonly string[] = ['30', '58'];

/** Codes have no leading zeros. */
export function isMeans(code: string): boolean {
  return CODES.has(code);
}

/** Only these need an account (BR-61). */
export function isTransfer(code: string): boolean {
  return TRANSFERS.includes(code);
}
