/**
 * Dates as an export writes them: cell text to ISO 8601 text, strictly by the pattern the mapping declares.
 */
import type { FormulaProblem } from './formula.ts';
import type { RunProblem } from './value.ts';

/** ISO text ("2026-09-05", "2026-09-05T14:30:00"), or what is wrong with the cell. */
export type ReadDate = (text: string) => string | RunProblem;

export type DateOptions = {
  /** Years written with two digits: 26 is 2026 up to this pivot, 1999 above it; without it `yy` is refused. */
  readonly twoDigitYearsUntil?: number;
};

/** "dd/MM/yyyy", "yyyyMMdd", "dd/MM/yyyy HH:mm:ss", "excel-serial". */
export function compileDateFormat(
  _pattern: string,
  _options: DateOptions = {},
): { readonly read: ReadDate } | { readonly problem: Omit<FormulaProblem, 'offset' | 'length'> } {
  return { read: () => '' };
}
