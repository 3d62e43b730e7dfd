/**
 * Text columns with a known form, where spreadsheets do their damage: 123456789 becomes 1,23457E+08, 01000 becomes 1000.
 *
 * A guard never repairs: its fault reports what happened, and suggests a value where the check digit confirms it.
 */

import type { Message } from '../../i18n/message.ts';
import { CORRECT, FORMS } from '../../i18n/messages/mapping-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { withMessage } from '../../model/fault.ts';
import { hasDigits, isDui, isFrenchVat, repairIdentifier } from '../../model/identifiers.ts';
import type { RunProblem } from '../runtime/value.ts';

/** The text to use, or what is wrong with it; never called with ''. */
export type TextGuard = (text: string) => string | RunProblem;

const EXPONENT = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i;
const NUMBER_TAIL = /^\d+[.,]0+$/;
const TAIL = /(?<=^\d+)[.,]0+$/;
const BLANKS = /[\s\u00a0\u202f]/g;

/** siren, siret, vat, nit, dui, "5 digits", "4-5 digits"; undefined for anything else. */
export function compileTextGuard(form: string): TextGuard | undefined {
  if (form === 'siren') return digits(9, 9, 'siren');
  if (form === 'siret') return digits(14, 14, 'siret');
  if (form === 'vat') return vat;
  if (form === 'nit') return nit;
  if (form === 'dui') return dui;
  const match = /^(\d{1,3})(?:-(\d{1,3}))? digits?$/.exec(form);
  if (!match) return undefined;
  const least = Number(match[1]);
  const most = Number(match[2] ?? match[1]);
  return least > 0 && least <= most ? digits(least, most) : undefined;
}

/** What people write between the digits. */
const PUNCTUATION = { siren: BLANKS, siret: BLANKS, nit: /[\s-]/g } as const;

function digits(least: number, most: number, type?: 'siren' | 'siret' | 'nit'): TextGuard {
  const wanted = least === most ? FORMS.digits({ count: least }) : FORMS.someDigits({ least, most });
  return (text) => {
    if (text.length >= least && text.length <= most && hasDigits(text, text.length)) return text;
    const given = type ? text.replace(PUNCTUATION[type], '') : text;
    if (/^\d+$/.test(given) && given.length >= least && given.length <= most) return given;
    const suggestion = type ? repairIdentifier(type, text) : filledUp(given, least, most);
    if (EXPONENT.test(given) || NUMBER_TAIL.test(given))
      return damaged(text, FORMS.damagedDigits({ text, wanted }), suggestion);
    if (/^\d+$/.test(given) && given.length < least) {
      const hint = suggestion === undefined ? FORMS.restoreCell() : FORMS.writeAndFormat({ suggestion });
      return definedOnly({
        code: 'map/damaged-text',
        ...withMessage(FORMS.lostZeros({ text, count: given.length, wanted }), hint),
        given: text,
        suggestion,
      });
    }
    return wrong(text, FORMS.notDigits({ text, wanted }), suggestion);
  };
}

/** One or two zeros are lost, hardly ever more. Undefined where several lengths are possible. */
function filledUp(text: string, length: number, most: number): string | undefined {
  if (length < most) return undefined;
  const digits = text.replace(TAIL, '');
  const lost = length - digits.length;
  return /^\d+$/.test(digits) && lost <= 2 && lost >= 0 ? digits.padStart(length, '0') : undefined;
}

function vat(text: string): string | RunProblem {
  const given = text.replace(BLANKS, '');
  if (/^[A-Z]{2}[0-9A-Z]{2,13}$/.test(given)) return given;
  const bare = given.replace(TAIL, '').toUpperCase();
  const suggestion = [bare, `FR${bare}`].find((one) => one.startsWith('FR') && isFrenchVat(one));
  if (EXPONENT.test(given) || NUMBER_TAIL.test(given)) return damaged(text, FORMS.damagedVat({ text }), suggestion);
  return wrong(text, FORMS.noVat({ text }), suggestion);
}

const toNit = digits(14, 14, 'nit');

/** With or without hyphens; a DUI is valid in place of a NIT. */
function nit(text: string): string | RunProblem {
  const given = text.replace(/[\s-]/g, '');
  return /^\d{9}$/.test(given) && isDui(given) ? given : toNit(text);
}

/** The service requires the hyphen. A DUI without it is a fault, because a guard never changes a text. */
function dui(text: string): string | RunProblem {
  const given = text.replace(BLANKS, '');
  if (/^\d{8}-\d$/.test(given)) return given;
  const suggestion = repairIdentifier('dui', text);
  if (EXPONENT.test(given) || NUMBER_TAIL.test(given)) return damaged(text, FORMS.damagedDui({ text }), suggestion);
  return wrong(text, FORMS.noDui({ text }), suggestion);
}

function wrong(text: string, message: Message, suggestion: string | undefined): RunProblem {
  const otherwise = CORRECT.cellOrType();
  if (suggestion === undefined) return { code: 'map/wrong-text', ...withMessage(message, otherwise), given: text };
  const hint = CORRECT.writeElse({ suggestion, otherwise });
  return { code: 'map/wrong-text', ...withMessage(message, hint), given: text, suggestion };
}

function damaged(text: string, message: Message, suggestion: string | undefined): RunProblem {
  if (suggestion === undefined) return { code: 'map/damaged-text', ...withMessage(message), given: text };
  return { code: 'map/damaged-text', ...withMessage(message, CORRECT.write({ suggestion })), given: text, suggestion };
}
