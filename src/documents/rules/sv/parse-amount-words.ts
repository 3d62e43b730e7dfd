/**
 * Reads an amount out of Spanish words, however they are laid out: "VEINTISIETE 73/100 DÓLARES", "son: cien dólares con
 * cincuenta centavos", "UN MIL 00/100 USD". No authority prescribes a form.
 */
import { Decimal } from '../../../model/decimal.ts';

const SMALL = numbered(
  0,
  'cero un|uno|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiun|veintiuno|veintiuna veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
);
const TENS = numbered(1, 'diez veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa', 10);
const HUNDREDS = numbered(
  1,
  'cien|ciento doscientos|doscientas trescientos|trescientas cuatrocientos|cuatrocientas quinientos|quinientas seiscientos|seiscientas setecientos|setecientas ochocientos|ochocientas novecientos|novecientas',
  100,
);
const VALUES: ReadonlyMap<string, number> = new Map([...SMALL, ...TENS, ...HUNDREDS]);

/** Undefined where the text begins with no number in words. */
export function amountInWords(text: string): Decimal | undefined {
  const words = plain(text).match(/\d+\/100|[a-z]+/g) ?? [];
  const whole = wholeFrom(words, 0);
  if (!whole) return undefined;
  const cents = centsFrom(words, whole.next);
  return Decimal.parse(`${whole.value}.${String(cents).padStart(2, '0')}`);
}

type Read = { readonly value: number /** Index of the first word after it. */; readonly next: number };

/** The first number in words from there on: hundreds and below, thousands, millions. */
function wholeFrom(words: readonly string[], from: number): Read | undefined {
  const start = words.findIndex((word, n) => n >= from && isNumberWord(word));
  if (start < 0) return undefined;
  let [millions, thousands, rest] = [0, 0, 0];
  let next = start;
  for (const word of words.slice(start)) {
    const value = VALUES.get(word);
    if (value !== undefined) rest += value;
    else if (word === 'mil') [thousands, rest] = [thousands + Math.max(rest, 1), 0];
    else if (word === 'millon' || word === 'millones')
      [millions, thousands, rest] = [millions + (thousands * 1000 + Math.max(rest, thousands === 0 ? 1 : 0)), 0, 0];
    else if (!joinsTens(words, next)) break;
    next++;
  }
  return { value: millions * 1e6 + thousands * 1000 + rest, next };
}

/** The "y" of "treinta y uno"; any other one ends the number. */
function joinsTens(words: readonly string[], at: number): boolean {
  const follows = VALUES.get(words[at + 1] ?? '') ?? 10;
  return words[at] === 'y' && TENS.has(words[at - 1] ?? '') && follows < 10;
}

/** "73/100", or words before "centavos"; none where there is neither. */
function centsFrom(words: readonly string[], from: number): number {
  const hundredths = words.slice(from).find((word) => word.endsWith('/100'));
  if (hundredths !== undefined) return Number.parseInt(hundredths, 10);
  const read = wholeFrom(words, from);
  return read && /^centavos?$/.test(words[read.next] ?? '') ? read.value : 0;
}

function isNumberWord(word: string): boolean {
  return VALUES.has(word) || word === 'mil';
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(\d{1,2})\s*\/\s*100\b/g, ' $1/100 ');
}

function numbered(first: number, text: string, step = 1): ReadonlyMap<string, number> {
  return new Map(text.split(' ').flatMap((words, i) => words.split('|').map((word) => [word, (first + i) * step])));
}
