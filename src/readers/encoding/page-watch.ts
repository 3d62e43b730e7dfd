/**
 * Watches a file that is read in a single-byte page: are its letters those of another page? In the wrong page an accent
 * becomes a sign or a capital within a word ("Soci‚t‚", "SociÚtÚ"). A file is in another page if that page makes letters
 * of such places and makes hardly any itself. Letters that become other letters ("Dvoøák") are not noticed. Nothing
 * throws.
 */
import { singleBytePage, UNDEFINED } from './code-pages.ts';
import { indexesBeyondAscii, type LineAt, lineIn, wordAt } from './mojibake-detector.ts';

/** Fed with all bytes of a file in order; `found` answers for the bytes so far. */
export type PageWatch = {
  /** `beyond`: ascending indexes of the bytes beyond ASCII, if the caller already knows them. `lineAt` is asked rarely. */
  readonly see: (bytes: Buffer, beyond?: ArrayLike<number>, lineAt?: LineAt) => void;
  /** Undefined if the file may well be in the page. */
  readonly found: () => PageEvidence | undefined;
};

type Place = { readonly word: Buffer; readonly line: number };

/**
 * The page that fits, and the first word that shows it, as bytes. Lines count from 1. `isMixed`: only a considerable part of
 * the file is in that page.
 */
export type PageEvidence = Place & { readonly page: string; readonly isMixed: boolean };

/** In the order in which equal pages are named: what ERPs on Windows, DOS, Unix and old Macs write. */
export const USUAL_PAGES = [
  'windows-1252',
  'cp850',
  'iso-8859-15',
  'cp437',
  'macintosh',
  'windows-1250',
  'cp852',
  'iso-8859-2',
] as const;

/** The other page may itself make one odd place to so many that it explains: people make slips. */
const ODD_SHARE = 8;
/** A file is mixed from 3 places that no text has, and at least one of them to 20 that the other page would make odd. */
const MIXED_FROM = 3;
const MIXED_SHARE = 20;
/** The most bytes of a word that are shown on each side of the odd one. */
const LONGEST = 30;

/** Kinds of the character before or after. A `u` after it is a kind of its own: "c½ur" was "cœur", "1½ l" is a half. */
const [OTHER, BLANK, DIGIT, CAPITAL, SMALL, SMALL_U, BEYOND] = [0, 1, 2, 3, 4, 5, 6] as const;
const KINDS = 7;
const PLACES = KINDS * KINDS;
const KIND_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte));

/** The verdict on a character between two neighbors. DOUBTFUL: odd, but other texts have it, such as a "§" between words. */
const [NEUTRAL, USUAL, DOUBTFUL, ODD, ABSENT] = [0, 1, 2, 3, 4] as const;
const verdicts = new Map<string, Uint8Array>();

export function watchPage(encoding: string): PageWatch {
  const own = verdictsOf(encoding);
  const counts = new Uint32Array(own.length);
  const first = new Map<number, Place>();
  let before: number = OTHER;
  // A byte at the end of a step: the one after it comes with the next.
  let open: { readonly byte: number; readonly before: number; readonly place: Place } | undefined;
  /** The place if it is odd and the first of its kind, for which the caller keeps the word; else -1. */
  const count = (byte: number, kindBefore: number, kindAfter: number): number => {
    const index = (byte - 128) * PLACES + kindBefore * KINDS + kindAfter;
    const times = at(counts, index);
    counts[index] = times + 1;
    return times === 0 && isOdd(own[index]) ? index : -1;
  };
  const close = (after: number) => {
    if (!open) return;
    const index = count(open.byte, open.before, after);
    if (index >= 0) first.set(index, open.place);
    open = undefined;
  };
  const see: PageWatch['see'] = (bytes, beyond = indexesBeyondAscii(bytes), lineAt = lineIn(bytes)) => {
    if (bytes.length === 0) return;
    close(kindAt(bytes, 0));
    const placeOf = (index: number): Place => {
      const near = Math.max(0, index - LONGEST);
      return { word: Buffer.from(wordAt(bytes.subarray(near, index + LONGEST), index - near)), line: lineAt(index) };
    };
    for (let n = 0; n < beyond.length; n++) {
      const here = at(beyond, n);
      const byte = at(bytes, here);
      const kind = here === 0 ? before : kindAt(bytes, here - 1);
      if (here + 1 === bytes.length) open = { byte, before: kind, place: placeOf(here) };
      else {
        const index = count(byte, kind, kindAt(bytes, here + 1));
        if (index >= 0) first.set(index, placeOf(here));
      }
    }
    before = kindAt(bytes, bytes.length - 1);
  };
  const found = () => {
    close(OTHER);
    if (first.size === 0) return undefined;
    const fits = USUAL_PAGES.flatMap((page) => (page === encoding ? [] : compare(page, { own, counts, first })));
    const [best] = fits.toSorted((a, b) => Number(a.isMixed) - Number(b.isMixed) || b.score - a.score);
    return best && { page: best.page, isMixed: best.isMixed, ...best.place };
  };
  return { see, found };
}

/** Within bounds that the caller knows. */
function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}

function kindAt(bytes: Buffer, index: number): number {
  return at(KIND_OF_BYTE, at(bytes, index));
}

type Fit = {
  readonly page: string;
  /** The first odd place that the page explains. */
  readonly place: Place;
  readonly score: number;
  readonly isMixed: boolean;
};

/** Of the own page the verdicts; how often each place was there; the first of each odd one. */
type Seen = {
  readonly own: Uint8Array;
  readonly counts: Uint32Array;
  readonly first: ReadonlyMap<number, Place>;
};

/** None if the page is not better than the own one. */
function compare(page: string, { own, counts, first }: Seen): Fit[] {
  const other = verdictsOf(page);
  const seen = Array.from(counts.keys()).filter((index) => at(counts, index) > 0);
  const sum = (indexes: readonly number[]) => indexes.reduce((times, index) => times + at(counts, index), 0);
  const explained = seen.filter((index) => isOdd(own[index]) && other[index] === USUAL);
  const clear = explained.filter((index) => own[index] === ODD);
  // A single doubtful character may be the sign that an ERP writes between words.
  const shown = clear.length > 0 ? clear : explained;
  const isEnough = clear.length > 0 || new Set(explained.map(byteOf)).size > 1;
  const [place] = shown.flatMap((index) => first.get(index) ?? []).toSorted((one, other) => one.line - other.line);
  const strange = sum(seen.filter((index) => at(other, index) >= DOUBTFUL && !isOdd(own[index])));
  const isMixed = sum(explained) <= ODD_SHARE * strange;
  const isPart = sum(clear) >= MIXED_FROM && sum(clear) * MIXED_SHARE >= strange;
  if (!place || !isEnough || (isMixed && !isPart)) return [];
  const usual = sum(seen.filter((index) => other[index] === USUAL));
  return [{ page, place, isMixed, score: isMixed ? sum(explained) : usual - ODD_SHARE * strange }];
}

function verdictsOf(page: string): Uint8Array {
  const known = verdicts.get(page);
  if (known) return known;
  const units = singleBytePage(page);
  const made = Uint8Array.from({ length: 128 * PLACES }, (_, index) => {
    const unit = units?.[byteOf(index)] ?? UNDEFINED;
    const [before, after] = [Math.floor((index % PLACES) / KINDS), index % KINDS];
    return unit === UNDEFINED ? ABSENT : verdictOn(String.fromCharCode(unit), before, after);
  });
  verdicts.set(page, made);
  return made;
}

function byteOf(index: number): number {
  return 128 + Math.floor(index / PLACES);
}

function isOdd(verdict: number | undefined): boolean {
  return verdict === DOUBTFUL || verdict === ODD;
}

/** Signs that texts have between letters: apostrophes, dashes, dots, abbreviations, and the lines of a printed table. */
const JOINS = /[’‘´·–—…ªº«»│║─═\u00a0\u00ad]/;
/** Signs that may separate words, or that follow a word without a blank. */
const SEPARATES = /[¤§£¬¦¶•“”„²³¹±°€×®©™µ¯¿]/;
const LETTER = /(?![ƒﬁﬂ])(?=\p{Script=Latin})[\p{Ll}\p{Lu}]/u;
const BOX = /[\u2500-\u259f]/;

function verdictOn(character: string, before: number, after: number): number {
  // Diameters: "TubeØ20".
  if (character === 'Ø' && isSmall(before)) return NEUTRAL;
  if (LETTER.test(character)) return /\p{Lu}/u.test(character) ? onCapital(before, after) : onSmall(before, after);
  if (before === DIGIT && after === DIGIT && character === '\u00a0') return USUAL;
  if (character === '½') return after === SMALL_U ? ODD : NEUTRAL;
  return JOINS.test(character) ? NEUTRAL : onSign(character, before, after);
}

function onSign(character: string, before: number, after: number): number {
  // É and other capitals at the beginning of a word; é at the end of a cell.
  if (BOX.test(character) && !isLetter(before) && isSmall(after)) return ODD;
  if (character === '‚' && isSmall(before) && after === OTHER) return ODD;
  const isInside = isLetter(before) && isLetter(after) && !(isSmall(before) && after === CAPITAL);
  if (!isInside) return NEUTRAL;
  return SEPARATES.test(character) ? DOUBTFUL : ODD;
}

function onSmall(before: number, after: number): number {
  if (before === DIGIT && after === DIGIT) return DOUBTFUL;
  return isLetter(before) || isLetter(after) ? USUAL : NEUTRAL;
}

/** "LaÉ" may be a name of two words; in "laÉe" the É is odd, and so is it at the end, in "laÉ". */
function onCapital(before: number, after: number): number {
  if (before === CAPITAL || after === CAPITAL) return isSmall(before) ? NEUTRAL : USUAL;
  if (isSmall(before)) return after === BEYOND || after === DIGIT ? NEUTRAL : ODD;
  return isSmall(after) ? USUAL : NEUTRAL;
}

function isLetter(kind: number): boolean {
  return kind === CAPITAL || isSmall(kind);
}

function isSmall(kind: number): boolean {
  return kind === SMALL || kind === SMALL_U;
}

function kindOf(byte: number): number {
  if (byte >= 0x80) return BEYOND;
  const character = String.fromCharCode(byte);
  if (character === 'u') return SMALL_U;
  if (/[a-z]/.test(character)) return SMALL;
  if (/[A-Z]/.test(character)) return CAPITAL;
  if (/[0-9]/.test(character)) return DIGIT;
  return character === ' ' ? BLANK : OTHER;
}
