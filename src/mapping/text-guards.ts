/**
 * Text columns with a known form, where spreadsheets do their damage: 123456789 becomes 1,23457E+08, 01000 becomes 1000.
 *
 * A guard never repairs: it says what happened and what to restore.
 */
import type { RunProblem } from './value.ts';

/** The text as it goes on, or what is wrong with it; '' never comes here. */
export type TextGuard = (text: string) => string | RunProblem;

const EXPONENT = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i;
const NUMBER_TAIL = /^\d+[.,]0+$/;
const BLANKS = /[\s\u00a0\u202f]/g;

/** siren, siret, vat, "5 digits", "4-5 digits"; undefined for anything else. */
export function compileTextGuard(form: string): TextGuard | undefined {
  if (form === 'siren') return digits(9, 9, true);
  if (form === 'siret') return digits(14, 14, true);
  if (form === 'vat') return vat;
  const match = /^(\d{1,3})(?:-(\d{1,3}))? digits?$/.exec(form);
  if (!match) return undefined;
  const least = Number(match[1]);
  const most = Number(match[2] ?? match[1]);
  return least > 0 && least <= most ? digits(least, most, false) : undefined;
}

function digits(least: number, most: number, joins: boolean): TextGuard {
  const wanted = least === most ? `${least} digits` : `${least} to ${most} digits`;
  return (text) => {
    const given = joins ? text.replace(BLANKS, '') : text;
    if (/^\d+$/.test(given) && given.length >= least && given.length <= most) return given;
    if (EXPONENT.test(given) || NUMBER_TAIL.test(given)) return damaged(text, `restore the ${wanted}`);
    if (/^\d+$/.test(given) && given.length < least) {
      return {
        code: 'map/damaged-text',
        message: `"${text}" has ${given.length} of ${wanted}: a spreadsheet may have dropped zeros at its start`,
        hint: 'format the column as text in the spreadsheet and restore the cell',
        given: text,
      };
    }
    return { code: 'map/wrong-text', message: `"${text}" is not ${wanted}`, hint: CORRECT, given: text };
  };
}

const CORRECT = 'correct the cell, or the type of its column under source';

function vat(text: string): string | RunProblem {
  const given = text.replace(BLANKS, '');
  if (/^[A-Z]{2}[0-9A-Z]{2,13}$/.test(given)) return given;
  if (EXPONENT.test(given) || NUMBER_TAIL.test(given)) return damaged(text, 'restore the VAT number');
  return {
    code: 'map/wrong-text',
    message: `"${text}" is not a VAT number (two capital letters, then up to 13 letters and digits)`,
    hint: CORRECT,
    given: text,
  };
}

function damaged(text: string, what: string): RunProblem {
  return { code: 'map/damaged-text', message: `"${text}" was changed by a spreadsheet: ${what}`, given: text };
}
