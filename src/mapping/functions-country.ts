/**
 * What France and El Salvador ask of a number or an amount: SIREN and SIRET check digits, the VAT key, amounts in words.
 */
import { Decimal } from '../model/decimal.ts';
import { type Argument, type FunctionEntry, fail, plain, type Refusal } from './function-entry.ts';
import { FAILED, type Read } from './value.ts';
import { inWords, type Language } from './words.ts';

const NINE_DIGITS = 'correct the cell: a SIREN has 9 digits, a SIRET 14, a French VAT number FR and 11 digits';

/** No authority prescribes a format; both put the cents in figures, as cheques do. */
const TEMPLATES: { readonly [L in Language]: string } = {
  es: '{WORDS} {cc}/100 DÓLARES DE LOS ESTADOS UNIDOS DE AMÉRICA',
  fr: '{words} EUR et {cc}/100',
};

export const COUNTRY_FUNCTIONS: readonly FunctionEntry[] = [
  plain({
    name: 'LUHN',
    syntax: 'LUHN(text)',
    sentence:
      'TRUE when the check digit of a SIREN or SIRET is right; blanks do not count. Establishments of La Poste (356000000) also pass by their digit sum.',
    examples: [
      { formula: 'LUHN("73282932000074")', gives: 'TRUE' },
      { formula: 'LUHN("73282932000015")', gives: 'FALSE' },
      { formula: 'LUHN("35600000049837")', gives: 'TRUE' },
      { formula: 'LUHN("35600000000048")', gives: 'TRUE' },
      { formula: 'LUHN("100 000 009")', gives: 'TRUE' },
    ],
    takes: ['text'],
    gives: 'boolean',
    apply: ([text]) => luhn(withoutBlanks(text)),
  }),
  plain({
    name: 'SIREN-OF',
    syntax: 'SIREN-OF(text)',
    sentence: 'The nine digits of the company inside a SIRET, a French VAT number or a SIREN.',
    examples: [
      { formula: 'SIREN-OF("73282932000074")', gives: '732829320' },
      { formula: 'SIREN-OF("FR44732829320")', gives: '732829320' },
      { formula: 'SIREN-OF("732 829 320")', gives: '732829320' },
    ],
    takes: ['text'],
    gives: 'text',
    apply: ([text], context) => {
      if (text === '') return '';
      const message = `"${text}" is no SIREN, SIRET or French VAT number`;
      return sirenOf(text) ?? fail(context, { code: 'map/not-an-identifier', message, hint: NINE_DIGITS, given: text });
    },
  }),
  plain({
    name: 'FR-VAT',
    syntax: 'FR-VAT(text)',
    sentence: 'The French VAT number of a SIREN or SIRET, with its key.',
    examples: [
      { formula: 'FR-VAT("732829320")', gives: 'FR44732829320' },
      { formula: 'FR-VAT("404833048")', gives: 'FR83404833048' },
      { formula: 'FR-VAT("100000009")', gives: 'FR88100000009' },
      { formula: 'FR-VAT("35600000000048")', gives: 'FR39356000000' },
    ],
    takes: ['text'],
    gives: 'text',
    apply: ([text], context) => {
      if (text === '') return '';
      const siren = sirenOf(text);
      if (siren !== undefined) return `FR${String((12 + 3 * (Number(siren) % 97)) % 97).padStart(2, '0')}${siren}`;
      const message = `"${text}" is no SIREN or SIRET`;
      return fail(context, { code: 'map/not-an-identifier', message, hint: NINE_DIGITS, given: text });
    },
  }),
  {
    name: 'AMOUNT-IN-WORDS',
    syntax: 'AMOUNT-IN-WORDS(amount, "es" or "fr", template)',
    sentence:
      'An amount in words, rounded to cents. A template of your own holds {WORDS}, {Words} or {words} for the whole part and {cc} for the cents.',
    examples: [
      { formula: 'AMOUNT-IN-WORDS(27.73, "es")', gives: 'VEINTISIETE 73/100 DÓLARES DE LOS ESTADOS UNIDOS DE AMÉRICA' },
      { formula: 'AMOUNT-IN-WORDS(113; "es"; "{WORDS} {cc}/100 USD")', gives: 'CIENTO TRECE 00/100 USD' },
      { formula: 'AMOUNT-IN-WORDS(222.59, "fr")', gives: 'deux cent vingt-deux EUR et 59/100' },
      { formula: 'AMOUNT-IN-WORDS(80, "fr", "{Words} euros")', gives: 'Quatre-vingts euros' },
    ],
    takes: ['number', 'text', 'text?'],
    gives: 'text',
    build: amountInWords,
  },
];

function withoutBlanks(text: string): string {
  return text.replace(/\s/g, '');
}

function luhn(digits: string): boolean {
  if (!/^\d{2,}$/.test(digits)) return false;
  let sum = 0;
  let plainSum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
    plainSum += digit;
  }
  // La Poste has more establishments than Luhn leaves numbers for: there a digit sum that 5 divides is right, too.
  return sum % 10 === 0 || (digits.length === 14 && digits.startsWith('356000000') && plainSum % 5 === 0);
}

function sirenOf(text: string): string | undefined {
  return /^(?:FR[0-9A-Z]{2})?(\d{9})$|^(\d{9})\d{5}$/
    .exec(withoutBlanks(text).toUpperCase())
    ?.slice(1)
    .find((siren) => siren !== undefined);
}

function amountInWords(given: readonly Argument[]): Read | Refusal {
  const language = given[1]!.literal;
  if (language !== 'es' && language !== 'fr') return { argument: 1, message: 'the language must be "es" or "fr"' };
  const template = given[2] ? given[2].literal : TEMPLATES[language];
  if (typeof template !== 'string' || !/\{words\}/i.test(template)) {
    return { argument: 2, message: 'the template must be a "text" that holds {WORDS}, {Words} or {words}' };
  }
  const read = given[0]!.read;
  return (context) => {
    const amount = read(context);
    if (!(amount instanceof Decimal)) return amount === FAILED ? FAILED : '';
    const text = amount.abs().toText(2);
    const words = inWords(Number(text.slice(0, -3)), language);
    if (words === undefined) {
      const message = `${amount.toText()} is too large to be written in words`;
      return fail(context, { code: 'map/wrong-argument', message, given: amount.toText() });
    }
    const negative = amount.round(2).compare(Decimal.zero) < 0;
    const sign = negative ? (language === 'es' ? 'menos ' : 'moins ') : '';
    return fill(template, sign + words, text.slice(-2));
  };
}

function fill(template: string, words: string, cents: string): string {
  return template.replace(/\{(WORDS|Words|words|cc)\}/g, (_all, name) => {
    if (name === 'cc') return cents;
    if (name === 'WORDS') return words.toUpperCase();
    return name === 'Words' ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  });
}
