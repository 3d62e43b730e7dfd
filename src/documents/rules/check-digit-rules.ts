/**
 * Makes rules about check digits. They are warnings unless a rule says otherwise: no contract requires them, but a
 * wrong digit is nearly always a typing error or a lost zero, and the service rejects it later.
 */
import type { RuleInfo } from '../../model/rule.ts';
import { offering } from './rule-faults.ts';
import type { Report, Rule } from './rule-pack.ts';

const BLANKS_AND_HYPHENS = /[\s-]/g;

/**
 * An identifier of the payload, and the pointer to it, made only where it is needed; and what was meant, where it is
 * known.
 */
export type Visit = (
  type: string | undefined,
  value: string | undefined,
  at: () => string,
  meant?: () => string | undefined,
) => void;

/** The rule without its test, and what the test needs. */
type Digits<View> = Omit<RuleInfo, 'severity'> & {
  readonly severity?: RuleInfo['severity'];
  /** Its type in the payload. */
  readonly type: string;
  readonly valid: (text: string) => boolean;
  /** Walks over the identifiers of the document. */
  readonly walk: (view: View, visit: Visit) => void;
};

/**
 * Breaks for each identifier of the type with wrong digits, with the value that was certainly meant, if there is one.
 */
export function digitRule<View>({ type, valid, walk, ...info }: Digits<View>): Rule<View> {
  return {
    severity: 'warning',
    ...info,
    test: (view: View, broken: Report) =>
      walk(view, (given, value, at, meant) => {
        // Blanks and hyphens are rare: they are removed only from a value that is not valid as it is.
        if (given !== type || value === undefined || valid(value) || valid(digitsOf(value))) return;
        broken(at(), offering(meant?.()));
      }),
  };
}

/** Blanks and hyphens are a matter of writing. */
function digitsOf(value: string): string {
  return value.replace(BLANKS_AND_HYPHENS, '');
}
