/**
 * Identifiers of companies and people in France and El Salvador: check digits, and one number calculated from another.
 * Fault: `map/not-an-identifier`, with a suggestion where a check digit supports it.
 */

import type { Message } from '../../i18n/message.ts';
import { CORRECT, IDENTIFIERS } from '../../i18n/messages/mapping-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { withMessage } from '../../model/fault.ts';
import { frenchVatOf, isDui, isLuhn, isNit, repairIdentifier, sirenIn } from '../../model/identifiers.ts';
import { type FunctionEntry, fail, plainFunction } from '../runtime/function-definition.ts';
import type { Context, Value } from '../runtime/value.ts';

/** Blanks and hyphens, which NIT and DUI are written with. */
const PUNCTUATION = /[\s-]/g;

/** The manual of each function is its entry; its examples run as tests. */
export const IDENTIFIER_FUNCTIONS: readonly FunctionEntry[] = [
  plainFunction({
    name: 'LUHN',
    syntax: 'LUHN(text)',
    sentence:
      'TRUE when the check digit of a SIREN or SIRET is right; blanks do not count. Establishments of La Poste (356000000) pass by their digit sum.',
    examples: [
      { formula: 'LUHN("73282932000074")', gives: 'TRUE' },
      { formula: 'LUHN("73282932000015")', gives: 'FALSE' },
      { formula: 'LUHN("35600000049837")', gives: 'TRUE' },
      { formula: 'LUHN("35600000000048")', gives: 'TRUE' },
      { formula: 'LUHN("100 000 009")', gives: 'TRUE' },
      { formula: 'LUHN("10000000900017")', gives: 'TRUE' },
    ],
    takes: ['text'],
    gives: 'boolean',
    apply: ([text]) => isLuhn(text.replace(/\s/g, '')),
  }),
  plainFunction({
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
    apply: ([text], context) =>
      text === '' ? '' : (sirenIn(text) ?? notOne(context, text, IDENTIFIERS.noSirenSiretVat({ text }))),
  }),
  plainFunction({
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
      const siren = sirenIn(text);
      return siren === undefined ? notOne(context, text, IDENTIFIERS.noSirenSiret({ text })) : frenchVatOf(siren);
    },
  }),
  plainFunction({
    name: 'SV-NIT',
    syntax: 'SV-NIT(text)',
    sentence:
      'TRUE when a Salvadoran NIT has its 14 digits and the right check digit, under the old scheme or the new one; hyphens and blanks do not count. A DUI used as NIT (9 digits) passes by its own.',
    examples: [
      { formula: 'SV-NIT("0614-050707-104-8")', gives: 'TRUE' },
      { formula: 'SV-NIT("06140512861294")', gives: 'TRUE' },
      { formula: 'SV-NIT("06142004981074")', gives: 'TRUE' },
      { formula: 'SV-NIT("06141809480014")', gives: 'TRUE' },
      { formula: 'SV-NIT("06140711071030")', gives: 'TRUE' },
      { formula: 'SV-NIT("06140507071049")', gives: 'FALSE' },
    ],
    takes: ['text'],
    gives: 'boolean',
    apply: ([text]) => isNit(text.replace(PUNCTUATION, '')),
  }),
  plainFunction({
    name: 'SV-DUI',
    syntax: 'SV-DUI(text)',
    sentence: 'TRUE when a Salvadoran DUI has its 9 digits and the right check digit, with or without its hyphen.',
    examples: [
      { formula: 'SV-DUI("00016297-5")', gives: 'TRUE' },
      { formula: 'SV-DUI("024950463")', gives: 'TRUE' },
      { formula: 'SV-DUI("12345678-1")', gives: 'FALSE' },
    ],
    takes: ['text'],
    gives: 'boolean',
    apply: ([text]) => isDui(text.replace(/\s/g, '')),
  }),
  plainFunction({
    name: 'FORMAT-DUI',
    syntax: 'FORMAT-DUI(text)',
    sentence:
      'A DUI with its hyphen, and with the zeros that a spreadsheet took from its start: these are put back only where the check digit is right then.',
    examples: [
      { formula: 'FORMAT-DUI("000162975")', gives: '00016297-5' },
      { formula: 'FORMAT-DUI("162975")', gives: '00016297-5' },
      { formula: 'FORMAT-DUI("2495046-3")', gives: '02495046-3' },
    ],
    takes: ['text'],
    gives: 'text',
    apply: ([text], context) => {
      const digits = text.replace(PUNCTUATION, '');
      if (text === '' || /^\d{9}$/.test(digits)) return digits.replace(/(?=\d$)/, '-');
      // A spreadsheet drops leading zeros; the check digit decides whether they are put back.
      const whole = digits.padStart(9, '0');
      if (/^\d+$/.test(digits) && isDui(whole)) return whole.replace(/(?=\d$)/, '-');
      const words = withMessage(IDENTIFIERS.noDui({ text }), IDENTIFIERS.duiDigits());
      return fail(context, { code: 'map/not-an-identifier', ...words, given: text });
    },
  }),
];

/** `map/not-an-identifier` with the SIREN that the text most likely was, if there is one. */
function notOne(context: Context, text: string, message: Message): Value {
  const suggestion = repairIdentifier('siren', text);
  const otherwise = IDENTIFIERS.sirenDigits();
  const hint = suggestion === undefined ? otherwise : CORRECT.writeElse({ suggestion, otherwise });
  return fail(
    context,
    definedOnly({
      code: 'map/not-an-identifier',
      ...withMessage(message, hint),
      given: text,
      suggestion,
    }),
  );
}
