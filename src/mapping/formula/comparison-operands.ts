/**
 * Which two values a check holds against each other, so that a failed one can show both.
 *
 * `A <= B` compares A with B; `ABS(A - B) <= 0.02` and `A - B = 0` allow A and B a distance. Anything else shows nothing.
 */
import { type Expression, parseFormula } from './parse-formula.ts';

/** The compared parts as they are written; without those that say their value themselves. */
export function comparedIn(check: string): readonly string[] {
  const text = check.replace(/^=/, '');
  const parsed = parseFormula(text);
  if ('problems' in parsed) return [];
  return sidesOf(parsed.expression)
    .filter(({ type }) => type !== 'literal')
    .map(({ offset, length }) => text.slice(offset, offset + length).trim());
}

const COMPARISONS = new Set(['=', '<>', '<', '<=', '>', '>=']);

function sidesOf(whole: Expression): readonly Expression[] {
  if (whole.type !== 'binary' || !COMPARISONS.has(whole.operator)) return [];
  const distance = [whole.left, whole.right].map(distanceIn).find((sides) => sides !== undefined);
  return distance ?? [whole.left, whole.right];
}

function distanceIn(part: Expression): readonly Expression[] | undefined {
  const [only, second] = part.type === 'call' && part.name.toUpperCase() === 'ABS' ? part.arguments : [part];
  if (!only || second || only.type !== 'binary' || only.operator !== '-') return undefined;
  return [only.left, only.right];
}
