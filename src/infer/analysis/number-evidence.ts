/**
 * The cells of one column in, the number marks that they prove out: "12,5" can only have a decimal comma, "1.234,50"
 * shows both marks, "1.234" shows neither. The marks of the file are those of most proofs. Undefined where the cells
 * are not numbers.
 */
import { Decimal } from '../../model/decimal.ts';

/** `comma` and `point` contain the cells that prove each decimal mark; `cells` is the number of all. */
export type NumberProof = {
  /** Cells that can only have this decimal mark, with an example each. */
  readonly comma: readonly string[];
  readonly point: readonly string[];
  /** One mark before exactly three digits: thousands or decimals. */
  readonly unclear: readonly string[];
  readonly cells: number;
  readonly thousands: ReadonlySet<string>;
  readonly negatives: number;
  /** The currency sign of some cells, the same in all of them. */
  readonly sign: string | undefined;
};

/** The marks of a file, as `source.numbers` of a mapping states them. */
export type NumberMarks = {
  readonly decimal: ',' | '.';
  readonly thousands: readonly string[];
  /** The currency sign of most amounts that have one. */
  readonly sign?: string | undefined;
};

const BLANKS = ' \u00a0\u202f\u2009';
const SHAPE = /^[-+(]?(?=[\d.,])\d*(?:[ \u00a0\u202f\u2009'’.,]\d+)*[-)]?$/;
/** Currency signs, and the codes that exports write in their place. */
const CURRENCY = String.raw`\p{Sc}|EUR|USD|CHF|GBP|Euros?`;
/** Its digits are looked for from the end: from the start, a long cell would be read once for each of its digits. */
const SIGNED = new RegExp(
  String.raw`^(?<before>[-+(]?)(?<front>${CURRENCY})[${BLANKS}]?(?<rest>.*)$|^(?<whole>.*\d[.,]*-?)[${BLANKS}]?(?<back>${CURRENCY})(?<after>[-)]?)$`,
  'u',
);
const EXPONENT = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i;

/** A cell without its currency sign, and the sign. */
function splitCurrency(cell: string): readonly [text: string, sign: string | undefined] {
  const found = SIGNED.exec(cell)?.groups;
  if (!found) return [cell, undefined];
  const text = found.front === undefined ? `${found.whole}${found.after}` : `${found.before}${found.rest}`;
  return [text, found.front ?? found.back];
}

/** Undefined where a cell is not a number, or for several currency signs; `given` are trimmed and not empty. */
export function proveNumbers(given: readonly string[]): NumberProof | undefined {
  const pairs = given.map(splitCurrency);
  const cells = pairs.map(([text]) => text);
  const signs = new Set(pairs.flatMap(([, sign]) => sign ?? []));
  if (cells.length === 0 || signs.size > 1 || !cells.every((cell) => SHAPE.test(cell))) return undefined;
  const comma: string[] = [];
  const point: string[] = [];
  const unclear: string[] = [];
  const thousands = new Set<string>();
  let negatives = 0;
  for (const cell of cells) {
    if (/^[-(]|-$/.test(cell)) negatives++;
    for (const blank of cell.matchAll(/\d([ \u00a0\u202f\u2009'’])\d{3}(?!\d)/g)) thousands.add(blank[1] ?? '');
    const found = findMarks(cell);
    if (!found) continue;
    if (found.thousands) thousands.add(found.thousands);
    if (found.isUnclear && thousands.size === 0) unclear.push(cell);
    else (found.decimal === ',' ? comma : point).push(cell);
  }
  return { comma, point, unclear, cells: cells.length, thousands, negatives, sign: [...signs][0] };
}

/** The marks of one number; undefined where it has none. `isUnclear`: its only mark may also separate thousands. */
function findMarks(cell: string): { decimal: string; thousands?: string; isUnclear?: boolean } | undefined {
  const marks = cell.replace(/[^.,]/g, '');
  const last = marks.at(-1);
  if (last === undefined) return undefined;
  const other = last === ',' ? '.' : ',';
  if (marks.includes(other)) return { decimal: last, thousands: other };
  if (marks.length > 1) return { decimal: other, thousands: last };
  const [before = '', after = ''] = cell.split(last).map((part) => part.replace(/\D/g, ''));
  return { decimal: last, isUnclear: after.length === 3 && before.length <= 3 && !before.startsWith('0') };
}

/**
 * Groups of cells that agree, the largest first: by currency sign, and then by possible decimal mark. One "1,5" in a
 * column of decimal points is another number, or unreadable.
 */
export function numberForms(cells: readonly string[]): readonly (readonly string[])[] {
  const signs = new Set(cells.map((cell) => splitCurrency(cell)[1]));
  const same = [...signs].map((sign) => cells.filter((cell) => [undefined, sign].includes(splitCurrency(cell)[1])));
  const cannotHave = (some: readonly string[], mark: 'comma' | 'point') =>
    some.filter((cell) => proveNumbers([cell])?.[mark].length === 0);
  const oneMark = same.flatMap((some) => [cannotHave(some, 'comma'), cannotHave(some, 'point')]);
  return [oneMark, same].flatMap((forms) => forms.toSorted((a, b) => b.length - a.length));
}

/** The marks of most proofs; undefined where no cell shows any. */
export function commonMarks(proofs: readonly NumberProof[]): NumberMarks | undefined {
  const commas = proofs.reduce((sum, { comma }) => sum + comma.length, 0);
  const points = proofs.reduce((sum, { point }) => sum + point.length, 0);
  if (commas + points === 0) return undefined;
  const decimal = commas >= points ? ',' : '.';
  const seen = new Set(proofs.flatMap(({ thousands }) => [...thousands]));
  const signs = [...Map.groupBy(proofs, ({ sign }) => sign)].filter(([sign]) => sign !== undefined);
  const sign = signs.sort((a, b) => b[1].length - a[1].length)[0]?.[0];
  return { decimal, thousands: [...seen].filter((mark) => mark !== decimal), sign };
}

/** A cell as a number with this decimal mark; undefined where it is not one. */
export function parseSampleNumber(given: string, decimal: ',' | '.'): Decimal | undefined {
  const [cell] = splitCurrency(given);
  if (!SHAPE.test(cell)) return undefined;
  const negative = /^[-(]|-$/.test(cell);
  const [whole = '', ...rest] = cell.replace(/[^\d.,]/g, '').split(decimal);
  if (rest.length > 1) return undefined;
  const digits = whole.replace(/\D/g, '') || '0';
  return Decimal.parse(`${negative ? '-' : ''}${digits}${rest[0] ? `.${rest[0]}` : ''}`);
}

/** 1,23457E+08: an identifier after a spreadsheet has saved it. */
export function isExponent(cell: string): boolean {
  return EXPONENT.test(cell);
}

/** The name of a thousands mark in a mapping. */
export function markName(mark: string): string {
  if (mark === ' ') return '" "';
  if (mark === '\u00a0') return 'nbsp';
  if (BLANKS.includes(mark)) return 'narrow-nbsp';
  return mark === '’' || mark === "'" ? 'apostrophe' : `"${mark}"`;
}
