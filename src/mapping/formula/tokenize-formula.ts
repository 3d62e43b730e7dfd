/**
 * Formula text in, tokens with their offsets out; the last one is `end`. Throws FormulaStop at the first character that
 * fits nothing; parseFormula catches it.
 */
import type { Message } from '../../i18n/message.ts';
import { FORMULA_SYNTAX } from '../../i18n/messages/mapping-messages.ts';
import type { FormulaProblem } from '../runtime/diagnostics.ts';

/** `offset` and `length` cover the token as written, quotes and $ included. */
export type FormulaToken = {
  readonly type: 'number' | 'text' | 'column' | 'output' | 'word' | 'sign' | 'end';
  /** Digits, text without its quotes, name without $ or @, word or sign as written. */
  readonly text: string;
  readonly offset: number;
  readonly length: number;
};

/** Ends the parsing of a formula; only the tokenizer and the parser see it. */
export class FormulaStop extends Error {
  readonly problem: FormulaProblem;

  constructor(problem: FormulaProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

const SPACE = /[\s\u00a0\u202f]+/y;
/** Tried in order at each place: (type, pattern, text of the token). All are sticky. */
const PATTERNS: readonly (readonly [FormulaToken['type'], RegExp, (match: string, inner: string) => string])[] = [
  ['number', /\d+(?:\.\d+)?/y, (match) => match],
  ['text', /"((?:[^"]|"")*)"/y, (_, inner) => inner.replaceAll('""', '"')],
  // No hyphen in a bare name, so that $Qte-$Rem subtracts.
  ['column', /\$([\p{L}\p{M}\p{N}_]+(?:\.[\p{L}\p{M}\p{N}_]+)*)/uy, (_, inner) => inner],
  ['column', /\$\[((?:[^\]]|\]\])+)\]/y, (_, inner) => inner.replaceAll(']]', ']')],
  [
    'output',
    /@([A-Za-z][A-Za-z0-9]*(?:-+[A-Za-z0-9]+)*(?:\.[A-Za-z][A-Za-z0-9]*(?:-+[A-Za-z0-9]+)*)*)/y,
    (_, path) => path,
  ],
  // MONTH-END, and MOIS.DECALER as a French spreadsheet has it.
  ['word', /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:[-.][\p{L}_][\p{L}\p{M}\p{N}_]*)*/uy, (match) => match],
  ['sign', /<>|<=|>=|[-+*/&=<>%(),;]/y, (match) => match],
];

/** Signs that authors write from habit: pattern, message, hint. */
const HABITS: readonly (readonly [RegExp, () => Message, () => Message])[] = [
  [/"/y, FORMULA_SYNTAX.textNotClosed, FORMULA_SYNTAX.closeText],
  [/'/y, FORMULA_SYNTAX.singleQuote, FORMULA_SYNTAX.writeText],
  [/[“”„«»]/y, FORMULA_SYNTAX.printedQuote, FORMULA_SYNTAX.typeQuotes],
  [/\$\[/y, FORMULA_SYNTAX.columnNotClosed, FORMULA_SYNTAX.closeColumn],
  [/\$/y, FORMULA_SYNTAX.columnMissing, FORMULA_SYNTAX.writeColumn],
  [/@/y, FORMULA_SYNTAX.pathMissing, FORMULA_SYNTAX.writePath],
  [/!=|≠/y, FORMULA_SYNTAX.notEqual, FORMULA_SYNTAX.writeNotEqual],
  [/&&/y, FORMULA_SYNTAX.andSign, FORMULA_SYNTAX.writeAnd],
  [/\|\|?/y, FORMULA_SYNTAX.orSign, FORMULA_SYNTAX.writeOr],
  [/[×·]/y, FORMULA_SYNTAX.product, FORMULA_SYNTAX.writeProduct],
  [/[÷:]/y, FORMULA_SYNTAX.quotient, FORMULA_SYNTAX.writeQuotient],
  [/[–—−]/y, FORMULA_SYNTAX.dash, FORMULA_SYNTAX.typeMinus],
  [/\.\d/y, FORMULA_SYNTAX.leadingDot, FORMULA_SYNTAX.writeZero],
  [/\^/y, FORMULA_SYNTAX.power, FORMULA_SYNTAX.multiply],
];

/** Blanks between tokens are skipped, no-break blanks too. */
export function tokenize(text: string): readonly FormulaToken[] {
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

/** Undefined where no pattern fits. */
function tokenAt(text: string, offset: number): FormulaToken | undefined {
  for (const [type, pattern, read] of PATTERNS) {
    const match = matchAt(pattern, text, offset);
    if (match) return { type, text: read(match[0], match[1] ?? ''), offset, length: match[0].length };
  }
  return undefined;
}

/** Throws `map/formula-syntax`, with a hint where the text is a known habit. */
function stopAt(text: string, offset: number): never {
  const code = 'map/formula-syntax';
  for (const [pattern, message, hint] of HABITS) {
    const match = matchAt(pattern, text, offset);
    if (match) throw new FormulaStop({ code, message: message(), hint: hint(), offset, length: match[0].length });
  }
  const [character = ''] = text.slice(offset);
  throw new FormulaStop({ code, message: FORMULA_SYNTAX.stranger({ character }), offset, length: character.length });
}

function skipSpace(text: string, at: number): number {
  return at + (matchAt(SPACE, text, at)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
