/**
 * Check digits as rules. Warnings where a rule says nothing else: no contract shows such a rule, but a wrong digit is
 * nearly always a typing error or a zero that a spreadsheet took away, and comes back as a rejection.
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

type Digits<View> = Omit<RuleInfo, 'severity'> & {
  readonly severity?: RuleInfo['severity'];
  /** Its type in the payload. */
  readonly type: string;
  readonly valid: (text: string) => boolean;
  /** Walks over the identifiers of the document. */
  readonly walk: (view: View, visit: Visit) => void;
};

export function digitRule<View>({ type, valid, walk, ...info }: Digits<View>): Rule<View> {
  return {
    severity: 'warning',
    ...info,
    test: (view: View, broken: Report) =>
      walk(view, (given, value, at, meant) => {
        // Blanks and hyphens are seldom there: they are taken out of what is not right as it stands.
        if (given !== type || value === undefined || valid(value) || valid(digitsOf(value))) return;
        broken(at(), offering(meant?.()));
      }),
  };
}

/** Blanks and hyphens are a matter of writing. */
function digitsOf(value: string): string {
  return value.replace(BLANKS_AND_HYPHENS, '');
}
