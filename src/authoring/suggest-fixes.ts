/**
 * A finding of `check` in, the edit that fixes it out, where exactly one is right: quotes around a number or a formula
 * that YAML would change, blanks in place of tabs, brackets around the name of a column with a hyphen. A misspelt name is never corrected: only a person knows which one
 * was meant. No edit where in doubt; never fails.
 */
import type { Fault, Mark } from '../model/fault.ts';
import { leastOf } from '../text/long-lists.ts';
import type { Edit } from './text-edits.ts';

/**
 * `code`: the finding that it fixes. `keeps` is true for an error that may remain at its place without taking the edit
 * back.
 */
export type Fix = Edit & { readonly code: string; readonly keeps: (fault: Fault) => boolean };

/** `text` is the text that the fault was found in; offsets count its characters from 0. Warnings give no edits. */
export function fixesOf(fault: Fault, text: string): readonly Fix[] {
  if (!fault.mark || fault.level !== 'error') return [];
  const start = offsetOf(text, fault.mark);
  if (fault.code === 'yaml/number-changes' || fault.code === 'map/number-for-text') {
    return numberInQuotes(fault.code, text, start, fault.mark.length);
  }
  if (fault.code === 'yaml/tab') return tabsAsBlanks(text);
  if (fault.code === 'map/not-a-value') return columnInBrackets(text, start, fault.mark.length);
  if (fault.code === 'map/formula-syntax') {
    const hyphened = hyphenInFormula(text, start);
    if (hyphened.length > 0) return hyphened;
  }
  // A formula that ends its line is a block value: there only ": " and " #" cut.
  const onLine = formulaOnLine(text, start);
  if (onLine.length > 0) return onLine;
  if (fault.code === 'map/formula-cut') return formulaInFlow(text, start);
  if (fault.code === 'yaml/syntax') return formulasInFlow(text, start);
  return [];
}

/** Line and column of a mark count from 1; the offset counts from 0. */
export function offsetOf(text: string, { line, column }: Mark): number {
  let start = 0;
  for (let n = 1; n < line; n++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

const HYPHENED = String.raw`[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)+`;
const HYPHENED_VALUE = new RegExp(`^(["']?)\\$(${HYPHENED})\\1$`, 'u');
const HYPHENED_COLUMN = new RegExp(`\\$(${HYPHENED})`, 'gu');

/** `$Net-Total` as a whole value: the name of a column with a hyphen stands in brackets. */
function columnInBrackets(text: string, start: number, length: number): readonly Fix[] {
  const source = text.slice(start, start + length);
  const [, , name] = HYPHENED_VALUE.exec(source) ?? [];
  if (name === undefined) return [];
  return [{ start, end: start + length, text: `"$[${name}]"`, code: 'map/not-a-value', keeps: () => false }];
}

/** The fault is at a word that has no meaning alone: after a column and a hyphen, it is a part of the name. */
function hyphenInFormula(text: string, offset: number): readonly Fix[] {
  const { lineStart, line } = lineAround(text, offset);
  for (const { index, 0: whole, 1: name } of line.matchAll(HYPHENED_COLUMN)) {
    const start = lineStart + index;
    const end = start + whole.length;
    if (offset <= start || offset >= end) continue;
    return [
      { start, end, text: `$[${name}]`, code: 'map/formula-syntax', keeps: ({ code }) => code !== 'yaml/syntax' },
    ];
  }
  return [];
}

/** The digits as written, in quotes: YAML drops leading zeros and rewrites long numbers. */
function numberInQuotes(code: string, text: string, start: number, length: number): readonly Fix[] {
  const source = text.slice(start, start + length).trim();
  if (!/^[\w.+-]+$/.test(source)) return [];
  return [{ start, end: start + source.length, text: `"${source}"`, code, keeps: () => false }];
}

/**
 * All tabs of a file at once: one level is the indent that the file uses elsewhere. A tab between words becomes one
 * blank.
 */
function tabsAsBlanks(text: string): readonly Fix[] {
  const level = Math.min(leastOf([...text.matchAll(/^( +)\S/gm)].map(([, indent = '']) => indent.length)), 8);
  const unit = ' '.repeat(level === 8 ? 2 : level);
  return [...text.matchAll(/^[ \t]*\t[ \t]*(?=\S)/gm)].map(({ index, 0: indent }) => ({
    start: index,
    end: index + indent.length,
    text: indent.replaceAll('\t', unit),
    code: 'yaml/tab',
    keeps: ({ code }: Fault) => !code.startsWith('yaml/'),
  }));
}

/** Inside { } and [ ]: from the = to the comma or bracket that ends the formula when brackets are counted. */
function formulaInFlow(text: string, start: number): readonly Fix[] {
  if (text[start] !== '=') return [];
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length && text[at] !== '\n'; at++) {
    const char = text.charAt(at);
    if (char === '"') quoted = !quoted;
    if (quoted) continue;
    if (depth === 0 && /[,\]}]/.test(char)) return quotes(text, start, at);
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
  }
  return [];
}

/**
 * A cut formula with texts in it is not valid YAML. The candidates are formulas with a comma on a line with an open
 * bracket.
 */
function formulasInFlow(text: string, offset: number): readonly Fix[] {
  const { lineStart, line } = lineAround(text, offset);
  const bracket = line.search(/[{[]/);
  if (bracket < 0) return [];
  return [...line.matchAll(/(?<=[:,[{]\s*)=/g)]
    .filter(({ index }) => index > bracket)
    .flatMap(({ index }) => formulaInFlow(text, lineStart + index))
    .filter(({ start, end }) => text.slice(start, end).includes(','));
}

/** A key and its formula on one line, also in an item of a list: (lead)(formula). */
const FORMULA_LINE = /^(\s*(?:-\s+)*[A-Za-z][^:#"'{}[\]]*:[ \t]+)(=.*)$/;

/** `key: = ... "a: b #1"`: YAML reads ": " as a key and " #" as the start of a comment, in the texts of a formula too. */
function formulaOnLine(text: string, offset: number): readonly Fix[] {
  const { lineStart, line } = lineAround(text, offset);
  const [, lead, formula] = FORMULA_LINE.exec(line) ?? [];
  if (lead === undefined || formula === undefined) return [];
  const end = endIfCut(formula);
  const start = lineStart + lead.length;
  return end === undefined ? [] : quotes(text, start, start + end);
}

/** The length of the formula without a comment after it; undefined if YAML does not cut it, or if a text does not end. */
function endIfCut(formula: string): number | undefined {
  let quoted = false;
  let isCut = false;
  let at = 0;
  for (; at < formula.length; at++) {
    if (formula[at] === '"') quoted = !quoted;
    const isComment = /\s#/.test(formula.slice(at, at + 2));
    if (!quoted && isComment) break;
    if (quoted && (isComment || formula.startsWith(': ', at))) isCut = true;
  }
  return isCut && !quoted ? at : undefined;
}

/** The line with the offset, without its end. */
function lineAround(text: string, offset: number): { readonly lineStart: number; readonly line: string } {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const stop = text.indexOf('\n', offset);
  return { lineStart, line: text.slice(lineStart, stop < 0 ? undefined : stop) };
}

/** Single quotes where the formula contains a double quote or a backslash: nothing else has to be escaped then. */
function quotes(text: string, start: number, stop: number): readonly Fix[] {
  const formula = text.slice(start, stop).trimEnd();
  const inside = /["\\]/.test(formula) ? `'${formula.replaceAll("'", "''")}'` : `"${formula}"`;
  // Errors of the whole formula could not be seen while it was cut.
  const keeps = ({ code }: Fault) => !code.startsWith('yaml/') && code !== 'map/formula-cut';
  return [{ start, end: start + formula.length, text: inside, code: 'map/formula-cut', keeps }];
}
