/**
 * Check digits of the identifiers that parties carry: SIREN, SIRET and VAT number in France, NIT and DUI in El Salvador.
 *
 * Each check reports whether a text can be such an identifier at all; only its register knows whether it was assigned.
 * Wrong digits are nearly always a typing error, or a spreadsheet that removed a leading zero.
 */
import { codeUnitAt } from '../text/code-unit.ts';

const ZERO = 48;
const LA_POSTE = '356000000';
const LA_POSTE_HEAD_OFFICE = '35600000000048';
/** Weights of the digits before the check digit. */
const DUI_WEIGHTS: readonly number[] = [9, 8, 7, 6, 5, 4, 3, 2];
const FIRST_NIT_WEIGHTS: readonly number[] = [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
/** Weights of a NIT of the second scheme: its digits 11 to 13 are above 100. */
const NIT_WEIGHTS: readonly number[] = [2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** Names of the types of identifiers. */
export type IdentifierType = 'siren' | 'siret' | 'nit' | 'dui';

/** Zeros that a spreadsheet removes from the start of a number: more than two are hardly ever lost. */
const MOST_LOST = 2;

/** Exactly `count` digits. A loop: it runs for each party of each document, and a pattern takes longer. */
export function hasDigits(text: string, count: number): boolean {
  return text.length === count && digitsFrom(text, 0);
}

/** Nine digits that pass Luhn. */
export function isSiren(text: string): boolean {
  return hasDigits(text, 9) && luhn(text);
}

/** Fourteen digits that pass Luhn; the post offices of La Poste pass when their digits add up to a multiple of five. */
export function isSiret(text: string): boolean {
  if (!hasDigits(text, 14)) return false;
  if (text.startsWith(LA_POSTE) && text !== LA_POSTE_HEAD_OFFICE) return digits(text).reduce(plus, 0) % 5 === 0;
  return luhn(text);
}

/** `FR`, two of 0-9 A-Z, nine digits; does not check the key. */
export function looksLikeFrenchVat(text: string): boolean {
  if (text.length !== 13 || !text.startsWith('FR')) return false;
  return isKeyCharacter(codeUnitAt(text, 2)) && isKeyCharacter(codeUnitAt(text, 3)) && digitsFrom(text, 4);
}

/**
 * `FR`, a key of two, the SIREN. The key follows from the SIREN; keys with letters follow no public rule, and
 * La Poste's is not enforced. Numbers of other countries pass: they are theirs to check.
 */
export function isFrenchVat(text: string): boolean {
  if (!text.startsWith('FR')) return true;
  if (!looksLikeFrenchVat(text)) return false;
  const [key, siren] = [Number(text.slice(2, 4)), text.slice(4)];
  return Number.isNaN(key) || key === vatKey(siren) || siren === LA_POSTE;
}

/** Fourteen digits under either of the two schemes, or a DUI used as NIT (nine digits). */
export function isNit(text: string): boolean {
  if (/^\d{9}$/.test(text)) return isDui(text);
  if (!/^\d{14}$/.test(text)) return false;
  const check = digitAt(text, 13);
  if (text.slice(10, 13) <= '100') return check === (weighted(text, FIRST_NIT_WEIGHTS) % 11) % 10;
  // The remainder of the negative sum, brought back to 0..10.
  return check === ((11 - (weighted(text, NIT_WEIGHTS) % 11)) % 11) % 10;
}

/** Nine digits, with or without the hyphen before the last. */
export function isDui(text: string): boolean {
  if (!/^\d{8}-?\d$/.test(text)) return false;
  const check = digitAt(text, text.length - 1);
  return check === (10 - (weighted(text, DUI_WEIGHTS) % 10)) % 10;
}

/** Luhn over digits of any length; fourteen of La Poste by their own rule. */
export function isLuhn(text: string): boolean {
  if (text.length === 14) return isSiret(text);
  return /^\d{2,}$/.test(text) && luhn(text);
}

/** The nine digits inside a SIREN, a SIRET or a French VAT number; blanks do not count. */
export function sirenIn(text: string): string | undefined {
  const [, inVat, inSiret] = /^(?:FR[0-9A-Z]{2})?(\d{9})$|^(\d{9})\d{5}$/.exec(withoutBlanks(text).toUpperCase()) ?? [];
  return inVat ?? inSiret;
}

/** `FR`, the key and the SIREN. */
export function frenchVatOf(siren: string): string {
  return `FR${String(vatKey(siren)).padStart(2, '0')}${siren}`;
}

function vatKey(siren: string): number {
  return (12 + 3 * (Number(siren) % 97)) % 97;
}

/**
 * The identifier that a damaged text most likely was: with the zeros at its start, without blanks and signs, with the
 * hyphen of a DUI. Undefined if its check digit is wrong even then. For a person to check, never to be sent by itself.
 */
export function repairIdentifier(type: IdentifierType, text: string): string | undefined {
  // 123456782.0 is how a spreadsheet writes a number.
  const digits = text.replace(/(?<=^\d+)[.,]0+$/, '').replace(/[\s.-]/g, '');
  const length = { siren: 9, siret: 14, nit: 14, dui: 9 }[type];
  if (!/^\d+$/.test(digits) || digits.length < length - MOST_LOST) return undefined;
  const whole = digits.padStart(length, '0');
  const valid = { siren: isSiren, siret: isSiret, nit: isNit, dui: isDui }[type];
  const repaired = type === 'dui' ? whole.replace(/(?=\d$)/, '-') : whole;
  return valid(whole) && repaired !== text ? repaired : undefined;
}

export function withoutBlanks(text: string): string {
  return text.replace(/\s/g, '');
}

function luhn(text: string): boolean {
  let sum = 0;
  for (let i = text.length - 1, even = false; i >= 0; i--, even = !even) {
    const value = digitAt(text, i) * (even ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function digitsFrom(text: string, start: number): boolean {
  for (let i = start; i < text.length; i++) {
    const digit = digitAt(text, i);
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}

/** 0-9 A-Z */
function isKeyCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

function digits(text: string): readonly number[] {
  return Array.from(text, Number);
}

function weighted(text: string, weights: readonly number[]): number {
  let sum = 0;
  let place = 0;
  for (const weight of weights) sum += digitAt(text, place++) * weight;
  return sum;
}

function digitAt(text: string, place: number): number {
  return codeUnitAt(text, place) - ZERO;
}

function plus(a: number, b: number): number {
  return a + b;
}
