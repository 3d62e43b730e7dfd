/**
 * What became of the rows of a correction file: the rule each of them stands under in its summary, and counts of them.
 */
import { wordsOf } from '../../i18n/message.ts';
import { ROW_RULE } from '../../i18n/messages/pipeline-messages.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';

export type RowRule = keyof typeof ROW_RULE;

/** As it was recorded, in the language of then. */
let rules: ReadonlyMap<string, RowRule> | undefined;

/** The rule that a summary names in one of its languages. */
function ruleNamed(text: string): RowRule | undefined {
  rules ??= new Map(
    Object.entries(ROW_RULE).flatMap(([rule, worded]) =>
      Object.values(wordsOf(worded())).map((one) => [one, rule as RowRule] as const),
    ),
  );
  return rules.get(text);
}

/** Documents of a correction file; `unknown`: rows that name none. */
export type CorrectionTally = { readonly corrected: number; readonly unchanged: number; readonly refused: number };

/** None of them is the row of an export: such a file has no mapping. */
export function isCorrectionRecord({ state, mapping }: Pick<SourceFile, 'state' | 'mapping'>): boolean {
  return state === 'admitted' && mapping === undefined;
}

export function correctionTally({ leftOut, faults }: Pick<SourceFile, 'leftOut' | 'faults'>): CorrectionTally {
  const ruleOf = new Map<string, RowRule | undefined>();
  for (const { rule, of } of leftOut) if (of) ruleOf.set(of.id, ruleNamed(rule));
  const count = (...rules: readonly RowRule[]) =>
    [...ruleOf.values()].filter((rule) => rule !== undefined && rules.includes(rule)).length;
  const unknown = faults.filter(
    ({ code, level }) => code === 'correction/unknown-document' && level === 'error',
  ).length;
  return {
    corrected: count('corrected', 'held', 'stillWrong'),
    unchanged: count('unchanged', 'late'),
    refused: count('refused') + unknown,
  };
}
