/**
 * Formula text in, without its "="; an expression tree out, or one problem. Offsets count UTF-16 code units from 0.
 * Precedence as in a spreadsheet, loosest first: comparison, &, + and -, * and /, unary minus, %.
 */
import type { Message } from '../../i18n/message.ts';
import { FORMULA_SYNTAX } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { must } from '../../model/must.ts';
import { dictionary } from '../../text/dictionary.ts';
import { truthSpelled } from '../functions/localized-names.ts';
import type { FormulaProblem, FormulaSpan } from '../runtime/diagnostics.ts';
import { FormulaStop, type FormulaToken, tokenize } from './tokenize-formula.ts';

/** Binary operators; a unary minus and % are expressions of their own. */
export type Operator = '+' | '-' | '*' | '/' | '&' | '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A node of the tree with its span in the text, for messages. */
export type Expression = FormulaSpan &
  (
    | { readonly type: 'literal'; readonly value: string | Decimal | boolean }
    | { readonly type: 'column'; readonly name: string }
    | { readonly type: 'output'; readonly path: string }
    | { readonly type: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
    | { readonly type: 'negative' | 'percent'; readonly of: Expression }
    | { readonly type: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  );

/**
 * The names that a formula mentions, each once, in order of appearance: columns, output paths, functions in capitals.
 */
export type References = {
  readonly columns: readonly string[];
  readonly outputs: readonly string[];
  readonly functions: readonly string[];
};

/**
 * Characters of a formula; far above any that a person can read, low enough that parsing is instant. Likewise levels
 * and operators.
 */
const MAX_LENGTH = 4000;
const MAX_DEPTH = 40;
const MAX_OPERATORS = 300;

const COMPARISONS = new Set(['=', '<>', '<', '<=', '>', '>=']);
/** The chaining operators, loosest first; comparisons do not chain. */
const LEVELS: readonly ReadonlySet<string>[] = [new Set(['&']), new Set(['+', '-']), new Set(['*', '/'])];

type Reading = { readonly tokens: readonly FormulaToken[]; at: number; depth: number; operators: number };

/**
 * One problem at most: after a syntax error the rest has no certain meaning. Codes `map/formula-syntax` and
 * `map/formula-too-large`.
 */
export function parseFormula(
  text: string,
): { readonly expression: Expression } | { readonly problems: readonly FormulaProblem[] } {
  if (text.length > MAX_LENGTH) {
    const message = FORMULA_SYNTAX.tooLong({ length: text.length, most: MAX_LENGTH });
    return { problems: [tooLarge(message, { offset: 0, length: 1 })] };
  }
  try {
    const reading: Reading = { tokens: tokenize(text), at: 0, depth: 0, operators: 0 };
    const expression = comparison(reading);
    const next = peek(reading);
    if (next.type !== 'end') unexpected(reading, next, FORMULA_SYNTAX.complete());
    return { expression };
  } catch (error) {
    if (error instanceof FormulaStop) return { problems: [error.problem] };
    throw error;
  }
}

/** Visits the whole tree once. */
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

/** At most one comparison per level: a < b < c is refused with a hint to AND. */
function comparison(reading: Reading): Expression {
  const left = chain(reading, 0);
  if (!COMPARISONS.has(peek(reading).text) || peek(reading).type !== 'sign') return left;
  const operator = take(reading).text as Operator;
  const right = chain(reading, 0);
  const next = peek(reading);
  if (next.type === 'sign' && COMPARISONS.has(next.text)) {
    stop(next, FORMULA_SYNTAX.twoCompared(), FORMULA_SYNTAX.writeAndChain());
  }
  return binary(operator, left, right);
}

/** Left-associative; each level reads operands of the next tighter one. */
function chain(reading: Reading, level: number): Expression {
  const operators = LEVELS[level];
  if (!operators) return unary(reading);
  let left = chain(reading, level + 1);
  while (peek(reading).type === 'sign' && operators.has(peek(reading).text)) {
    const sign = take(reading);
    if (++reading.operators > MAX_OPERATORS) {
      throw new FormulaStop(tooLarge(FORMULA_SYNTAX.tooManyOperators({ most: MAX_OPERATORS }), sign));
    }
    left = binary(sign.text as Operator, left, chain(reading, level + 1));
  }
  return left;
}

/** A sign binds tighter than * and looser than %. */
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

/** A literal, a name, a call or a part in parentheses. */
function primary(reading: Reading): Expression {
  const token = take(reading);
  const { offset, length } = token;
  if (token.type === 'number') return { type: 'literal', value: numberOf(token), offset, length };
  if (token.type === 'text') return { type: 'literal', value: token.text, offset, length };
  if (token.type === 'column') return { type: 'column', name: token.text, offset, length };
  if (token.type === 'output') return { type: 'output', path: token.text, offset, length };
  if (token.type === 'word') return word(reading, token);
  if (!isSign(token, '(')) return unexpected(reading, token, FORMULA_SYNTAX.valueMissing());
  const inner = deeper(reading, token, comparison);
  return { ...inner, ...spanning(token, expect(reading, ')', token)) };
}

/**
 * A call, or TRUE and FALSE in three languages; any other word is an error. `$Net-Total` without brackets gets a hint.
 */
function word(reading: Reading, token: FormulaToken): Expression {
  const { text, offset, length } = token;
  if (isSign(peek(reading), '(')) return call(reading, token);
  const truth = truthSpelled(text);
  if (truth !== undefined) return { type: 'literal', value: truth, offset, length };
  const [column, sign] = reading.tokens.slice(Math.max(reading.at - 3, 0), reading.at - 1);
  const isHyphened = column?.type === 'column' && sign && isSign(sign, '-');
  const hint = isHyphened ? FORMULA_SYNTAX.hyphenColumn({ name: `${column.text}-${text}` }) : FORMULA_SYNTAX.forms();
  return stop(token, FORMULA_SYNTAX.wordAlone({ word: text }), hint);
}

/** Arguments are separated by a comma or a semicolon. */
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

/** Counts the levels of nesting: recursion stays far below the stack limit. */
function deeper(reading: Reading, from: FormulaToken, read: (reading: Reading) => Expression): Expression {
  if (++reading.depth > MAX_DEPTH) {
    throw new FormulaStop(tooLarge(FORMULA_SYNTAX.tooManyLevels({ most: MAX_DEPTH }), from));
  }
  const expression = read(reading);
  reading.depth--;
  return expression;
}

function numberOf(token: FormulaToken): Decimal {
  return Decimal.parse(token.text) ?? stop(token, FORMULA_SYNTAX.tooManyDigits());
}

function binary(operator: Operator, left: Expression, right: Expression): Expression {
  return { type: 'binary', operator, left, right, ...spanning(left, right) };
}

function spanning(from: FormulaSpan, to: FormulaSpan): FormulaSpan {
  return { offset: from.offset, length: to.offset + to.length - from.offset };
}

function peek(reading: Reading): FormulaToken {
  return must(reading.tokens[reading.at], 'the end of the formula');
}

/** The next token; the end token is never passed. */
function take(reading: Reading): FormulaToken {
  const token = peek(reading);
  if (token.type !== 'end') reading.at++;
  return token;
}

/** Takes the sign, or reports the bracket that is not closed. */
function expect(reading: Reading, sign: string, open: FormulaToken): FormulaToken {
  const token = take(reading);
  if (isSign(token, sign)) return token;
  if (token.type === 'end') {
    return stop(open, FORMULA_SYNTAX.notClosed({ sign: open.text }), FORMULA_SYNTAX.addSign({ sign }));
  }
  return unexpected(reading, token, FORMULA_SYNTAX.signMissing({ sign }));
}

function isSign(token: FormulaToken, sign: string): boolean {
  return token.type === 'sign' && token.text === sign;
}

/** At the end of the formula the message points at its last character. */
function unexpected(reading: Reading, token: FormulaToken, why: Message): never {
  if (token.type === 'end') {
    const last = { offset: Math.max(token.offset - 1, 0), length: 1 };
    stop(last, FORMULA_SYNTAX.endsEarly(), FORMULA_SYNTAX.valueMissingAfter());
  }
  const before = reading.tokens[reading.tokens.indexOf(token) - 1];
  return stop(token, FORMULA_SYNTAX.unexpected({ token: asWritten(token), why }), habitHint(before, token));
}

/** Words that authors write between conditions, in three languages; the formula needs AND(...) or OR(...). */
const JOINS = dictionary<() => Message>({
  and: FORMULA_SYNTAX.writeAnd,
  et: FORMULA_SYNTAX.writeAnd,
  y: FORMULA_SYNTAX.writeAnd,
  or: FORMULA_SYNTAX.writeOr,
  ou: FORMULA_SYNTAX.writeOr,
  o: FORMULA_SYNTAX.writeOr,
});

/** The correct form where the unexpected token is a habit from another language or program. */
function habitHint(before: FormulaToken | undefined, token: FormulaToken): Message | undefined {
  if (before && isSign(before, '=') && isSign(token, '=')) return FORMULA_SYNTAX.oneEquals();
  if (isSign(token, ')')) return FORMULA_SYNTAX.removeOrOpen();
  const join = token.type === 'word' ? JOINS.get(token.text.toLowerCase()) : undefined;
  if (join) return join();
  if (before?.type === 'number' && isSign(token, ',')) return FORMULA_SYNTAX.decimalDot();
  if (before?.type !== 'column' || token.type !== 'word') return undefined;
  return FORMULA_SYNTAX.spaceColumn({ name: `${before.text} ${token.text}` });
}

function asWritten(token: FormulaToken): string {
  if (token.type === 'column') return `$${token.text}`;
  if (token.type === 'output') return `@${token.text}`;
  return `"${token.text}"`;
}

/** Throws the syntax error at this span. */
function stop({ offset, length }: FormulaSpan, message: Message, hint?: Message): never {
  throw new FormulaStop({ code: 'map/formula-syntax', message, hint, offset, length });
}

function tooLarge(message: Message, { offset, length }: FormulaSpan): FormulaProblem {
  return { code: 'map/formula-too-large', message, hint: FORMULA_SYNTAX.split(), offset, length };
}
