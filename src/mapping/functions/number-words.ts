/**
 * Whole numbers from 0 to 999,999,999,999 in, Spanish or French words in small letters out; undefined outside this
 * range. Spanish numbers have the form before a noun ("veintiún dólares"); French uses the traditional hyphens.
 */

import { must } from '../../model/must.ts';

/** Languages of documents; English is not one of them. */
export type WordLanguage = 'es' | 'fr';

const spanishSmall = words(
  'cero un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiún veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
);
const spanishTens = words('- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa');
const spanishHundreds = words(
  '- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
);
const frenchSmall = words(
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
);
const frenchTens = words('- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt');

/** A million millions: more than any amount on a document. */
const LIMIT = 1e12;

/** Undefined where the value is not a whole number of that range. */
export function numberInWords(value: number, language: WordLanguage): string | undefined {
  if (!Number.isInteger(value) || value < 0 || value >= LIMIT) return undefined;
  return language === 'es' ? spanish(value) : french(value);
}

/** One thousand is "mil" without "un", one million is "un millón". */
function spanish(value: number): string {
  if (value < 1000) return spanishBelow1000(value);
  if (value < 1e6) {
    const thousands = Math.floor(value / 1000);
    return joined(thousands === 1 ? 'mil' : `${spanishBelow1000(thousands)} mil`, value % 1000, spanish);
  }
  const millions = Math.floor(value / 1e6);
  return joined(millions === 1 ? 'un millón' : `${spanish(millions)} millones`, value % 1e6, spanish);
}

/** 100 alone is "cien", with a rest "ciento". */
function spanishBelow1000(value: number): string {
  if (value < 30) return spanishSmall(value);
  if (value < 100) {
    const [tens, rest] = [spanishTens(Math.floor(value / 10)), value % 10];
    return rest === 0 ? tens : `${tens} y ${spanishSmall(rest)}`;
  }
  if (value === 100) return 'cien';
  return joined(spanishHundreds(Math.floor(value / 100)), value % 100, spanishBelow1000);
}

/** Groups of three digits; "mille" is invariable, "million" and "milliard" take an s. */
function french(value: number): string {
  if (value < 1000) return frenchBelow1000(value, true);
  if (value < 1e6) {
    const thousands = Math.floor(value / 1000);
    // "mille" is a number word: "quatre-vingt mille", "deux cent mille" lose their s before it.
    return joined(thousands === 1 ? 'mille' : `${frenchBelow1000(thousands, false)} mille`, value % 1000, french);
  }
  const unit = value < 1e9 ? 1e6 : 1e9;
  const noun = unit === 1e6 ? 'million' : 'milliard';
  const count = Math.floor(value / unit);
  return joined(`${frenchBelow1000(count, true)} ${noun}${count > 1 ? 's' : ''}`, value % unit, french);
}

/** `last`: only a noun follows, so that "cents" and "quatre-vingts" keep their s. */
function frenchBelow1000(value: number, last: boolean): string {
  if (value < 100) return frenchBelow100(value, last);
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  const head = hundreds === 1 ? 'cent' : `${frenchSmall(hundreds)} cent${rest === 0 && last ? 's' : ''}`;
  return joined(head, rest, (below) => frenchBelow100(below, last));
}

function frenchBelow100(value: number, last: boolean): string {
  if (value < 20) return frenchSmall(value);
  const ten = Math.floor(value / 10);
  const head = frenchTens(ten);
  // 70 to 79 and 90 to 99 count on from sixty and eighty.
  const rest = ten === 7 || ten === 9 ? value - ten * 10 + 10 : value % 10;
  if (rest === 0) return value === 80 && last ? 'quatre-vingts' : head;
  const link = (rest === 1 || rest === 11) && value < 80 ? ' et ' : '-';
  return head + link + frenchSmall(rest);
}

function joined(head: string, rest: number, spell: (rest: number) => string): string {
  return rest === 0 ? head : `${head} ${spell(rest)}`;
}

/** Finds a word of the list by its number, from 0. */
function words(text: string): (value: number) => string {
  const list = text.split(' ');
  return (value) => must(list[value], 'the word of a number');
}
