/**
 * Reads the values of a control file: lines of name and value, a head line with one line of values, or XML elements. A text
 * and a name come in, an exact text or a problem in words comes out. Pure; a value with two meanings is a problem.
 */
import type { Message } from '../../i18n/message.ts';
import { CONTROL_PROBLEM } from '../../i18n/messages/report/report-settings-messages.ts';

export type ControlValue = { readonly value: string } | { readonly problem: Message };

/** Between name and value, or between columns; the first that a line has. */
const SEPARATORS = [';', '\t', '|', '=', ':', ','];
const BLANKS = /[\s\u00a0\u202f']/g;

/** The number with this name, as exact decimal text; `decimal` decides where a sign could be either. */
export function readControlValue(content: string, name: string, decimal?: ',' | '.'): ControlValue {
  const found = [...new Set(valuesNamed(content, name))];
  // The name of the next column, or of the next line, may be where a value is in files of the other kind.
  const numbers = found.filter((one) => /^[+-]?\d/.test(one));
  const given = numbers.length > 0 ? numbers : found;
  const [text] = given;
  if (text === undefined) return { problem: CONTROL_PROBLEM.noValue({ name }) };
  if (given.length > 1) return { problem: CONTROL_PROBLEM.twice({ name }) };
  return exactNumber(text, name, decimal);
}

function valuesNamed(content: string, name: string): readonly string[] {
  const lines = content.split(/\r\n|\r|\n/).map((line) => line.trim());
  const found = [...elementsNamed(content, name)];
  for (const [at, line] of lines.entries()) {
    const separator = SEPARATORS.find((one) => line.includes(one)) ?? ';';
    const cells = cellsOf(line, separator);
    const column = cells.findIndex((one) => isNamed(one, name));
    if (column < 0) continue;
    if (column === 0 && cells.length === 2) found.push(cells[1] ?? '');
    const below = cellsOf(lines[at + 1] ?? '', separator)[column];
    if (below !== undefined) found.push(below);
  }
  return found;
}

function cellsOf(line: string, separator: string): readonly string[] {
  return line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

function isNamed(cell: string | undefined, name: string): boolean {
  return cell?.toLowerCase() === name.toLowerCase();
}

/** `<NB>600</NB>`, with or without a prefix: found by position, so that no text makes it slow. */
function* elementsNamed(content: string, name: string): Iterable<string> {
  for (const part of content.split('<').slice(1)) {
    const end = part.indexOf('>');
    const tag = part.slice(0, end).split(/\s/, 1)[0]?.split(':').at(-1);
    if (end > 0 && isNamed(tag, name) && !part.startsWith('/')) yield part.slice(end + 1).trim();
  }
}

/** 134 080,49 and 134080.49 alike. A sign that occurs once before three digits could be either. */
function exactNumber(given: string, name: string, decimal: ',' | '.' | undefined): ControlValue {
  const text = given.replace(BLANKS, '');
  if (!/^[+-]?\d[\d.,]*$/.test(text)) return { problem: CONTROL_PROBLEM.notANumber({ name, given }) };
  const signs = text.match(/[.,]/g) ?? [];
  const sign = decimal ?? decimalSignOf(text, signs);
  if (sign === 'either') return { problem: CONTROL_PROBLEM.twoReadings({ name, given }) };
  const [whole = '', ...cents] = sign === 'none' ? [text] : text.split(sign);
  const groups = whole.replace(/[.,]/g, '');
  if (cents.length > 1 || cents.some((one) => !/^\d+$/.test(one))) {
    return { problem: CONTROL_PROBLEM.notANumber({ name, given }) };
  }
  return { value: [groups.replace('+', ''), ...cents].join('.') };
}

function decimalSignOf(text: string, signs: readonly string[]): ',' | '.' | 'none' | 'either' {
  const last = signs.at(-1);
  if (last !== ',' && last !== '.') return 'none';
  const isOnce = signs.filter((one) => one === last).length === 1;
  // 1.234.567: the same sign again groups digits.
  if (!isOnce) return 'none';
  if (signs.length > 1) return last;
  return /[.,]\d{3}$/.test(text) ? 'either' : last;
}
