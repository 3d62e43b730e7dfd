/**
 * Formula text to tokens. Throws FormulaStop at the first character that fits nothing; parseFormula catches it.
 */
import type { FormulaProblem } from '../runtime/diagnostics.ts';

export type FormulaToken = {
  readonly type: 'number' | 'text' | 'column' | 'output' | 'word' | 'sign' | 'end';
  /** Digits, text without its quotes, name without $ or @, word or sign as written. */
  readonly text: string;
  readonly offset: number;
  readonly length: number;
};

/** Ends the reading of a formula; never leaves the two files that read formulas. */
export class FormulaStop extends Error {
  readonly problem: FormulaProblem;

  constructor(problem: FormulaProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

const SPACE = /[\s\u00a0\u202f]+/y;
const PATTERNS: readonly (readonly [FormulaToken['type'], RegExp, (match: RegExpExecArray) => string])[] = [
  ['number', /\d+(?:\.\d+)?/y, (match) => match[0]],
  ['text', /"((?:[^"]|"")*)"/y, (match) => match[1]!.replaceAll('""', '"')],
  // No hyphen in a bare name, so that $Qte-$Rem subtracts.
  ['column', /\$([\p{L}\p{M}\p{N}_]+(?:\.[\p{L}\p{M}\p{N}_]+)*)/uy, (match) => match[1]!],
  ['column', /\$\[((?:[^\]]|\]\])+)\]/y, (match) => match[1]!.replaceAll(']]', ']')],
  ['output', /@([A-Za-z][A-Za-z0-9]*(?:-+[A-Za-z0-9]+)*(?:\.[A-Za-z][A-Za-z0-9]*(?:-+[A-Za-z0-9]+)*)*)/y, (m) => m[1]!],
  // MONTH-END, and MOIS.DECALER as a French spreadsheet has it.
  ['word', /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:[-.][\p{L}_][\p{L}\p{M}\p{N}_]*)*/uy, (match) => match[0]],
  ['sign', /<>|<=|>=|[-+*/&=<>%(),;]/y, (match) => match[0]],
];

/** What people write from habit, and what it is called here. */
const HABITS: readonly (readonly [RegExp, string, string])[] = [
  [/"/y, 'a text is not closed', 'end it with "; a quote inside a text is doubled: "12"" pipe"'],
  [/'/y, "text stands in double quotes, not in '", 'write "text"'],
  [/[“”„«»]/y, 'this is a printed quote, not a straight one', 'type the quotes again as "'],
  [/\$\[/y, 'a column name is not closed', 'end it with ]: $[Column with spaces]'],
  [/\$/y, 'a column name must follow $', 'write $Column, or $[Column with spaces]'],
  [/@/y, 'the path of an output value must follow @', 'write @path, such as @totals.final-amount'],
  [/!=|≠/y, '"not equal" is written <>', 'write <>'],
  [/&&/y, '"and" is written AND(..., ...)', 'write AND(first, second)'],
  [/\|\|?/y, '"or" is written OR(..., ...)', 'write OR(first, second)'],
  [/[×·]/y, 'a product is written with *', 'write *'],
  [/[÷:]/y, 'a quotient is written with /', 'write /'],
  [/[–—−]/y, 'this is a dash, not a minus', 'type it again as -'],
  [/\.\d/y, 'a number starts with a digit', 'write 0.5, not .5'],
  [/\^/y, 'there are no powers', 'multiply instead'],
];

export function tokensOf(text: string): readonly FormulaToken[] {
  const tokens: FormulaToken[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const token = tokenAt(text, at) ?? stopAt(text, at);
    tokens.push(token);
    at = skipSpace(text, at + token.length);
  }
  tokens.push({ type: 'end', text: '', offset: text.length, length: 0 });
  return tokens;
}

function tokenAt(text: string, offset: number): FormulaToken | undefined {
  for (const [type, pattern, read] of PATTERNS) {
    const match = matchAt(pattern, text, offset);
    if (match) return { type, text: read(match), offset, length: match[0].length };
  }
  return undefined;
}

function stopAt(text: string, offset: number): never {
  const code = 'map/formula-syntax';
  for (const [pattern, message, hint] of HABITS) {
    const match = matchAt(pattern, text, offset);
    if (match) throw new FormulaStop({ code, message, hint, offset, length: match[0].length });
  }
  const found = String.fromCodePoint(text.codePointAt(offset)!);
  throw new FormulaStop({ code, message: `${found} has no meaning here`, offset, length: found.length });
}

function skipSpace(text: string, at: number): number {
  return at + (matchAt(SPACE, text, at)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
