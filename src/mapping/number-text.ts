/**
 * Numbers as an export writes them: cell text to Decimal, strictly by the format the mapping declares.
 */
import type { Decimal } from '../model/decimal.ts';
import type { RunProblem } from './value.ts';

export type NumberFormat = { readonly decimal: ',' | '.'; readonly thousands: readonly string[] };

/** The text is trimmed; '' is the caller's business. `given` is set on a problem. */
export type ReadNumber = (text: string) => Decimal | RunProblem;

export function compileNumberFormat(_format: NumberFormat): ReadNumber {
  return () => ({ code: 'map/not-a-number', message: '' });
}
