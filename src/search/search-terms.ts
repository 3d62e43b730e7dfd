/**
 * The words of a document as the search index keeps them, and those of a typed text: without case, accents and
 * separators, so that "muñoz", "MUNOZ" and "F 2026/12", "f2026-12" are equal. A term has only a-z and 0-9.
 */
import { dictionary } from '../text/dictionary.ts';
import { withoutTrailing } from '../text/trailing.ts';

/** What is searched of a document. */
export type SearchedValues = {
  /** Official number, number of the ERP, receipt name, id of the entry. */
  readonly numbers: readonly string[];
  /** Name and identifier of the counterparty. */
  readonly counterparty: readonly string[];
  readonly trackingIds: readonly string[];
  readonly requestIds: readonly string[];
  readonly file: string;
  readonly amount: string | undefined;
  readonly runs: readonly string[];
};

/**
 * What a term of the full-text table begins with, by the value that it is of: so a question never reads the documents
 * that have the same word elsewhere.
 */
const TAGS = {
  part: 'n',
  party: 'c',
  tracking: 't',
  request: 'q',
  file: 'f',
  amount: 'a',
  run: 'r',
} as const;
export type TermTag = keyof typeof TAGS;

/** Each a list of terms with spaces. */
export type DocumentTerms = {
  /** Its numbers, each as one term without tag. */
  readonly whole: string;
  /** The tagged terms. */
  readonly terms: string;
  /** Those that are words of names, which may be typed in part. */
  readonly words: string;
};

/** A longer term is cut; a number has at most 104 bytes in a receipt name. */
const LONGEST = 128;
/** How many signs of the end of a number are a term of their own: people type the last ones. */
const ENDS = [4, 5, 6];
/** Nearly all texts, of which nothing has to be folded but case. */
const IS_ASCII = /^[ -~]*$/;
const LETTERS = dictionary<string>({ œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o', ł: 'l', đ: 'd' });

export function termsOf(values: SearchedValues): DocumentTerms {
  const { file, amount } = values;
  const [numbers, counterparty] = [once(values.numbers), once(values.counterparty)];
  const words = counterparty.flatMap(termsIn).map((word) => tagged('party', word));
  const ofFile = termsIn(file).map((word) => tagged('file', word));
  const all: { readonly [tag in TermTag]: readonly string[] } = {
    part: numbers.flatMap(partTerms),
    party: counterparty.map(wholeTerm),
    tracking: once(values.trackingIds).map(wholeTerm),
    request: once(values.requestIds).map(wholeTerm),
    file: [wholeTerm(file)],
    amount: amount === undefined ? [] : [amountTerm(amount)],
    run: once(values.runs).map(wholeTerm),
  };
  const others = (Object.keys(TAGS) as TermTag[]).flatMap((tag) =>
    all[tag].filter((term) => term !== '').map((term) => tagged(tag, term)),
  );
  return {
    whole: joined(numbers.map(wholeTerm)),
    terms: joined([...words, ...ofFile, ...others]),
    words: joined([...words, ...ofFile]),
  };
}

/** Most documents have one number, one run and one submission, which several columns repeat. */
function once(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

export function tagged(tag: TermTag, term: string): string {
  return `${TAGS[tag]}${term}`;
}

/** All letters and digits of a text as one term: "F2026-30 109" is "f202630109". */
export function wholeTerm(text: string): string {
  return termsIn(text).join('').slice(0, LONGEST);
}

/** Each word of a text as a term. Letters other than a-z become their code, which no other letter shares. */
export function termsIn(text: string): readonly string[] {
  if (IS_ASCII.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.slice(0, LONGEST));
  const words =
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.replace(/[^a-z0-9]/gu, plainLetters).slice(0, LONGEST));
}

function plainLetters(letter: string): string {
  return LETTERS.get(letter) ?? `z${letter.codePointAt(0)?.toString(16) ?? ''}z`;
}

/** The digits alone of such a term; undefined if it has no others, or none. */
export function digitsTerm(whole: string): string | undefined {
  const digits = whole.replace(/\D/g, '');
  return digits === '' || digits === whole ? undefined : digits;
}

/** Its words, those without leading zeros, and its ends. */
function partTerms(number: string): readonly string[] {
  const [words, whole] = [termsIn(number), wholeTerm(number)];
  const ends = ENDS.filter((length) => length < whole.length).map((length) => whole.slice(-length));
  return [...words, ...ends].flatMap((term) => [term, term.replace(/^0+(?=.)/, '')]).filter((term) => term !== whole);
}

/** "-0134.50" is "134d5": the sign is left out, because credit notes are searched by their amount too. */
function amountTerm(amount: string): string {
  const [whole = '', cents = ''] = amount.replace(/^[-+]/, '').split('.');
  const [units, rest] = [whole.replace(/^0+(?=\d)/, ''), withoutTrailing(cents, '0')];
  return rest === '' ? units : `${units}d${rest}`;
}

/**
 * The terms of a typed amount: 134.50, 134,50, 1 234,50, 1.234,50, "134,50 EUR". A text such as 1,234 has two meanings,
 * so both. None if the text is not an amount.
 */
export function amountTermsIn(text: string): readonly string[] {
  const typed = text.replace(/[\s'\u2019]|(?:EUR|USD|[€$])/giu, '');
  if (!/^[-+]?\d[\d.,]*$/.test(typed)) return [];
  const found = new Set<string>();
  const [, whole = '', cents = ''] = /^[-+]?([\d.,]*?)(?:[.,](\d*))?$/.exec(typed) ?? [];
  const isGrouped = /^\d{1,3}(?:([.,])\d{3}(?:\1\d{3})*)?$|^\d+$/.test(whole);
  if (isGrouped) found.add(amountTerm(`${whole.replace(/[.,]/g, '')}.${cents}`));
  if (/^[-+]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(typed)) found.add(amountTerm(typed.replace(/[.,+-]/g, '')));
  return [...found];
}

function joined(terms: readonly string[]): string {
  return once(terms)
    .filter((term) => term !== '')
    .join(' ');
}
