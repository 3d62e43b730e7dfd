/**
 * Text columns with a known form, where spreadsheets do their damage: 123456789 becomes 1,23457E+08, 01000 becomes 1000.
 *
 * A guard never repairs: it says what happened and what to restore, and offers the value where its check digit speaks for it.
 */
import { isDui, isFrenchVat, mendedIdentifier } from '../model/identifiers.ts';
import type { RunProblem } from './value.ts';

/** The text as it goes on, or what is wrong with it; '' never comes here. */
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

function digits(least: number, most: number, type?: 'siren' | 'siret' | 'nit'): TextGuard {
  const wanted = least === most ? `${least} digits` : `${least} to ${most} digits`;
  return (text) => {
    const given = type ? text.replace(type === 'nit' ? /[\s-]/g : BLANKS, '') : text;
    if (/^\d+$/.test(given) && given.length >= least && given.length <= most) return given;
    const suggestion = type ? mendedIdentifier(type, text) : least === most ? filledUp(given, least) : undefined;
    if (EXPONENT.test(given) || NUMBER_TAIL.test(given)) return damaged(text, `restore the ${wanted}`, suggestion);
    if (/^\d+$/.test(given) && given.length < least) {
      const format = 'format the column as text in the spreadsheet';
      return {
        code: 'map/damaged-text',
        message: `"${text}" has ${given.length} of ${wanted}: a spreadsheet may have dropped zeros at its start`,
        given: text,
        ...(suggestion === undefined
          ? { hint: `${format} and restore the cell` }
          : { hint: `write ${suggestion}, and ${format}`, suggestion }),
      };
    }
    return wrong(text, wanted, suggestion);
  };
}

/** One or two zeros are lost, hardly ever more. */
function filledUp(text: string, length: number): string | undefined {
  const digits = text.replace(TAIL, '');
  const lost = length - digits.length;
  return /^\d+$/.test(digits) && lost <= 2 && lost >= 0 ? digits.padStart(length, '0') : undefined;
}

function vat(text: string): string | RunProblem {
  const given = text.replace(BLANKS, '');
  if (/^[A-Z]{2}[0-9A-Z]{2,13}$/.test(given)) return given;
  const bare = given.replace(TAIL, '').toUpperCase();
  const suggestion = [bare, `FR${bare}`].find((one) => one.startsWith('FR') && isFrenchVat(one));
  if (EXPONENT.test(given) || NUMBER_TAIL.test(given)) return damaged(text, 'restore the VAT number', suggestion);
  return wrong(text, 'a VAT number (two capital letters, then up to 13 letters and digits)', suggestion);
}

const DUI = 'a DUI (8 digits, a hyphen and a check digit)';
const toNit = digits(14, 14, 'nit');

/** Hyphens are a way of writing it; a DUI may stand for a NIT. */
function nit(text: string): string | RunProblem {
  const given = text.replace(/[\s-]/g, '');
  return /^\d{9}$/.test(given) && isDui(given) ? given : toNit(text);
}

/** The service wants the hyphen, so a DUI without it is told, and not written anew. */
function dui(text: string): string | RunProblem {
  const given = text.replace(BLANKS, '');
  if (/^\d{8}-\d$/.test(given)) return given;
  const suggestion = mendedIdentifier('dui', text);
  return EXPONENT.test(given) || NUMBER_TAIL.test(given)
    ? damaged(text, 'restore the DUI', suggestion)
    : wrong(text, DUI, suggestion);
}

function wrong(text: string, wanted: string, suggestion: string | undefined): RunProblem {
  const message = `"${text}" is not ${wanted}`;
  const otherwise = 'correct the cell, or the type of its column under source';
  const hint = suggestion === undefined ? otherwise : `write ${suggestion}; else ${otherwise}`;
  return { code: 'map/wrong-text', message, hint, given: text, ...(suggestion === undefined ? {} : { suggestion }) };
}

function damaged(text: string, what: string, suggestion: string | undefined): RunProblem {
  const message = `"${text}" was changed by a spreadsheet: ${what}`;
  const mended = suggestion === undefined ? {} : { hint: `write ${suggestion}`, suggestion };
  return { code: 'map/damaged-text', message, given: text, ...mended };
}
