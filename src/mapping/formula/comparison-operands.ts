/**
 * A check in; the two values that it compares out, so that a failed one can show both. `A <= B` compares A with B;
 * `ABS(A - B) <= 0.02` and `A - B = 0` compare A and B with a tolerance. Anything else gives nothing, and so does a
 * wrong formula.
 */
import { type Expression, parseFormula } from './parse-formula.ts';

/** The compared parts as written in the formula; literals are left out, since their text is their value. */
export function comparedIn(check: string): readonly string[] {
  const text = check.replace(/^=/, '');
  const parsed = parseFormula(text);
  if ('problems' in parsed) return [];
  return sidesOf(parsed.expression)
    .filter(({ type }) => type !== 'literal')
    .map(({ offset, length }) => text.slice(offset, offset + length).trim());
}

const COMPARISONS = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** The sides of a comparison, or those of the difference in it. */
function sidesOf(whole: Expression): readonly Expression[] {
  if (whole.type !== 'binary' || !COMPARISONS.has(whole.operator)) return [];
  const distance = [whole.left, whole.right].map(distanceIn).find((sides) => sides !== undefined);
  return distance ?? [whole.left, whole.right];
}

/** The sides of `A - B` or `ABS(A - B)`. */
function distanceIn(part: Expression): readonly Expression[] | undefined {
  const [only, second] = part.type === 'call' && part.name.toUpperCase() === 'ABS' ? part.arguments : [part];
  if (!only || second || only.type !== 'binary' || only.operator !== '-') return undefined;
  return [only.left, only.right];
}
