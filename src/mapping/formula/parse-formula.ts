/**
 * Formula text to expression tree. The text is what follows the "="; offsets count its characters from 0.
 *
 * Precedence as in a spreadsheet, loosest first: comparison, &, + and -, * and /, unary minus, %.
 */
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { truthSpelled } from '../functions/localized-names.ts';
import type { FormulaProblem, FormulaSpan } from '../runtime/diagnostics.ts';
import { FormulaStop, type FormulaToken, tokensOf } from './tokenize-formula.ts';

export type Operator = '+' | '-' | '*' | '/' | '&' | '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Expression = FormulaSpan &
  (
    | { readonly type: 'literal'; readonly value: string | Decimal | boolean }
    | { readonly type: 'column'; readonly name: string }
    | { readonly type: 'output'; readonly path: string }
    | { readonly type: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
    | { readonly type: 'negative' | 'percent'; readonly of: Expression }
    | { readonly type: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  );

/** The names a formula mentions, each once, in order of appearance: columns, output paths, functions in capitals. */
export type References = {
  readonly columns: readonly string[];
  readonly outputs: readonly string[];
  readonly functions: readonly string[];
};

/** Far above any formula that a person can still read, low enough that reading one stays instant. */
const MAX_LENGTH = 4000;
const MAX_DEPTH = 40;
const MAX_OPERATORS = 300;

const COMPARISONS = new Set(['=', '<>', '<', '<=', '>', '>=']);
/** The chaining operators, loosest first; comparisons do not chain. */
const LEVELS: readonly ReadonlySet<string>[] = [new Set(['&']), new Set(['+', '-']), new Set(['*', '/'])];

type Reading = { readonly tokens: readonly FormulaToken[]; at: number; depth: number; operators: number };

export function parseFormula(
  text: string,
): { readonly expression: Expression } | { readonly problems: readonly FormulaProblem[] } {
  if (text.length > MAX_LENGTH) {
    return { problems: [tooLarge(`the formula has ${text.length} characters, at most ${MAX_LENGTH} are read`, 0, 1)] };
  }
  try {
    const reading: Reading = { tokens: tokensOf(text), at: 0, depth: 0, operators: 0 };
    const expression = comparison(reading);
    const next = peek(reading);
    if (next.type !== 'end') unexpected(reading, next, 'the formula is complete before it');
    return { expression };
  } catch (error) {
    if (error instanceof FormulaStop) return { problems: [error.problem] };
    throw error;
  }
}

export function referencesOf(expression: Expression): References {
  const columns = new Set<string>();
  const outputs = new Set<string>();
  const functions = new Set<string>();
  const visit = (part: Expression): void => {
    if (part.type === 'column') columns.add(part.name);
    else if (part.type === 'output') outputs.add(part.path);
    else if (part.type === 'call') functions.add(part.name);
    for (const child of childrenOf(part)) visit(child);
  };
  visit(expression);
  return { columns: [...columns], outputs: [...outputs], functions: [...functions] };
}

function childrenOf(part: Expression): readonly Expression[] {
  if (part.type === 'call') return part.arguments;
  if (part.type === 'binary') return [part.left, part.right];
  return part.type === 'negative' || part.type === 'percent' ? [part.of] : [];
}

function comparison(reading: Reading): Expression {
  const left = chain(reading, 0);
  if (!COMPARISONS.has(peek(reading).text) || peek(reading).type !== 'sign') return left;
  const operator = take(reading).text as Operator;
  const right = chain(reading, 0);
  const next = peek(reading);
  if (next.type === 'sign' && COMPARISONS.has(next.text)) {
    stop(next, 'only two values can be compared at a time', 'write AND(a < b, b < c)');
  }
  return binary(operator, left, right);
}

function chain(reading: Reading, level: number): Expression {
  const operators = LEVELS[level];
  if (!operators) return unary(reading);
  let left = chain(reading, level + 1);
  while (peek(reading).type === 'sign' && operators.has(peek(reading).text)) {
    const sign = take(reading);
    if (++reading.operators > MAX_OPERATORS) {
      throw new FormulaStop(tooLarge(`more than ${MAX_OPERATORS} operators`, sign.offset, sign.length));
    }
    left = binary(sign.text as Operator, left, chain(reading, level + 1));
  }
  return left;
}

function unary(reading: Reading): Expression {
  const sign = peek(reading);
  if (sign.type !== 'sign' || (sign.text !== '-' && sign.text !== '+')) return percent(reading);
  take(reading);
  const of = deeper(reading, sign, unary);
  return sign.text === '+' ? of : { type: 'negative', of, ...spanning(sign, of) };
}

function percent(reading: Reading): Expression {
  let of = primary(reading);
  while (isSign(peek(reading), '%')) of = { type: 'percent', of, ...spanning(of, take(reading)) };
  return of;
}

function primary(reading: Reading): Expression {
  const token = take(reading);
  const { offset, length } = token;
  if (token.type === 'number') return { type: 'literal', value: numberOf(token), offset, length };
  if (token.type === 'text') return { type: 'literal', value: token.text, offset, length };
  if (token.type === 'column') return { type: 'column', name: token.text, offset, length };
  if (token.type === 'output') return { type: 'output', path: token.text, offset, length };
  if (token.type === 'word') return word(reading, token);
  if (!isSign(token, '(')) return unexpected(reading, token, 'a value is missing');
  const inner = deeper(reading, token, comparison);
  return { ...inner, ...spanning(token, expect(reading, ')', token)) };
}

function word(reading: Reading, token: FormulaToken): Expression {
  const { text, offset, length } = token;
  if (isSign(peek(reading), '(')) return call(reading, token);
  const truth = truthSpelled(text);
  if (truth !== undefined) return { type: 'literal', value: truth, offset, length };
  const [column, sign] = reading.tokens.slice(Math.max(reading.at - 3, 0), reading.at - 1);
  const hint =
    column?.type === 'column' && sign && isSign(sign, '-')
      ? `a column name with a hyphen stands in brackets: $[${column.text}-${text}]`
      : 'columns are written $Column, texts "text", functions with parentheses';
  return stop(token, `${text} stands alone`, hint);
}

function call(reading: Reading, token: FormulaToken): Expression {
  const open = take(reading);
  const given: Expression[] = [];
  if (!isSign(peek(reading), ')')) {
    do given.push(deeper(reading, open, comparison));
    while ((isSign(peek(reading), ',') || isSign(peek(reading), ';')) && take(reading));
  }
  const close = expect(reading, ')', open);
  return { type: 'call', name: token.text.toUpperCase(), arguments: given, ...spanning(token, close) };
}

function deeper(reading: Reading, from: FormulaToken, read: (reading: Reading) => Expression): Expression {
  if (++reading.depth > MAX_DEPTH) {
    throw new FormulaStop(tooLarge(`more than ${MAX_DEPTH} levels inside one another`, from.offset, from.length));
  }
  const expression = read(reading);
  reading.depth--;
  return expression;
}

function numberOf(token: FormulaToken): Decimal {
  return Decimal.parse(token.text) ?? stop(token, 'the number has too many digits');
}

function binary(operator: Operator, left: Expression, right: Expression): Expression {
  return { type: 'binary', operator, left, right, ...spanning(left, right) };
}

function spanning(from: FormulaSpan, to: FormulaSpan): FormulaSpan {
  return { offset: from.offset, length: to.offset + to.length - from.offset };
}

function peek(reading: Reading): FormulaToken {
  return reading.tokens[reading.at]!;
}

/** The next token; the end is never passed. */
function take(reading: Reading): FormulaToken {
  const token = peek(reading);
  if (token.type !== 'end') reading.at++;
  return token;
}

function expect(reading: Reading, sign: string, open: FormulaToken): FormulaToken {
  const token = take(reading);
  if (isSign(token, sign)) return token;
  if (token.type === 'end') return stop(open, `"${open.text}" is not closed`, `add the missing "${sign}"`);
  return unexpected(reading, token, `"${sign}" or an operator is missing before it`);
}

function isSign(token: FormulaToken, sign: string): boolean {
  return token.type === 'sign' && token.text === sign;
}

function unexpected(reading: Reading, token: FormulaToken, why: string): never {
  if (token.type === 'end') {
    stop(
      { offset: Math.max(token.offset - 1, 0), length: 1 },
      'the formula stops too early',
      'a value is missing behind it',
    );
  }
  const before = reading.tokens[reading.tokens.indexOf(token) - 1];
  return stop(token, `${shown(token)} is not expected here: ${why}`, habit(before, token));
}

const AND = 'write AND(first, second)';
const OR = 'write OR(first, second)';
const JOINS: { readonly [word: string]: string | undefined } = { and: AND, et: AND, y: AND, or: OR, ou: OR, o: OR };

function habit(before: FormulaToken | undefined, token: FormulaToken): string | undefined {
  if (before && isSign(before, '=') && isSign(token, '=')) return 'equal is written with one =';
  if (isSign(token, ')')) return 'remove it, or add the "(" it belongs to';
  if (token.type === 'word' && JOINS[token.text.toLowerCase()]) return JOINS[token.text.toLowerCase()];
  if (before?.type === 'number' && isSign(token, ',')) return 'in formulas decimals are written with a dot: 0.5';
  if (before?.type !== 'column' || token.type !== 'word') return undefined;
  return `a column name with spaces stands in brackets: $[${before.text} ${token.text}]`;
}

function shown(token: FormulaToken): string {
  if (token.type === 'column') return `$${token.text}`;
  if (token.type === 'output') return `@${token.text}`;
  return `"${token.text}"`;
}

function stop(at: FormulaSpan, message: string, hint?: string): never {
  const { offset, length } = at;
  throw new FormulaStop(
    definedOnly({ code: 'map/formula-syntax', message, hint: hint ? hint : undefined, offset, length }),
  );
}

function tooLarge(message: string, offset: number, length: number): FormulaProblem {
  const hint = 'split it: put a part of it into calculated-columns';
  return { code: 'map/formula-too-large', message, hint, offset, length };
}
