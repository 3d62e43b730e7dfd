/**
 * Amounts in, words out as France and El Salvador write them on documents; `map/wrong-argument` beyond the range of
 * number-words.
 */

import { ARGUMENTS, FUNCTION_ARGUMENTS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import {
  type Argument,
  type ArgumentRefusal,
  builtFunction,
  type FunctionEntry,
  fail,
} from '../runtime/function-definition.ts';
import { FAILED, type ReadValue } from '../runtime/value.ts';
import { numberInWords, type WordLanguage } from './number-words.ts';

/** No authority prescribes a format; both write the cents in figures, as checks do. */
const TEMPLATES: { readonly [L in WordLanguage]: string } = {
  es: '{WORDS} {cc}/100 DÓLARES DE LOS ESTADOS UNIDOS DE AMÉRICA',
  fr: '{words} EUR et {cc}/100',
};

/** What comes before the words of a negative amount. */
const MINUS: { readonly [L in WordLanguage]: string } = { es: 'menos ', fr: 'moins ' };

/** The manual of the function is its entry; its examples run as tests. */
export const WORD_FUNCTIONS: readonly FunctionEntry[] = [
  builtFunction({
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
  }),
];

/** Language and template are literals. The amount is rounded to cents, half away from zero. */
function amountInWords([value, { literal: language }, pattern]: readonly [Argument, Argument, Argument?]):
  | ReadValue
  | ArgumentRefusal {
  if (language !== 'es' && language !== 'fr') return { argument: 1, message: FUNCTION_ARGUMENTS.wordLanguage() };
  const template = pattern ? pattern.literal : TEMPLATES[language];
  if (typeof template !== 'string' || !/\{words\}/i.test(template)) {
    return { argument: 2, message: FUNCTION_ARGUMENTS.wordTemplate() };
  }
  return (context) => {
    const amount = value.read(context);
    if (!(amount instanceof Decimal)) return amount === FAILED ? FAILED : '';
    const text = amount.abs().toText(2);
    const words = numberInWords(Number(text.slice(0, -3)), language);
    if (words === undefined) {
      const given = amount.toText();
      return fail(context, {
        code: 'map/wrong-argument',
        ...withMessage(ARGUMENTS.tooLargeForWords({ amount: given })),
        given,
      });
    }
    const sign = amount.round(2).compare(Decimal.zero) < 0 ? MINUS[language] : '';
    return fill(template, sign + words, text.slice(-2));
  };
}

/** Replaces {WORDS}, {Words}, {words} and {cc} of a template. */
function fill(template: string, words: string, cents: string): string {
  return template.replace(/\{(WORDS|Words|words|cc)\}/g, (_all, name) => {
    if (name === 'cc') return cents;
    if (name === 'WORDS') return words.toUpperCase();
    return name === 'Words' ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  });
}
