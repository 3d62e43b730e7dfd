/** What became of the rows of a correction file: the rule each of them stands under in its summary, and counts of them. */
import type { SourceFile } from '../../model/entry.ts';

export const RULES = {
  corrected: 'corrected: its document is read again',
  held: 'corrected: its document is held for a person',
  stillWrong: 'corrected, but its document still has faults: see its receipt',
  unchanged: 'unchanged: nothing to do',
  refused: 'refused: see faults',
  late: 'its document has changed since this file was written: nothing was done',
} as const;

/** Documents of a correction file; `unknown`: rows that name none. */
export type CorrectionTally = { readonly corrected: number; readonly unchanged: number; readonly refused: number };

/** None of them is the row of an export: such a file has no mapping. */
export function isCorrection({ state, mapping }: Pick<SourceFile, 'state' | 'mapping'>): boolean {
  return state === 'admitted' && mapping === undefined;
}

export function correctionTally({ leftOut, faults }: Pick<SourceFile, 'leftOut' | 'faults'>): CorrectionTally {
  const ruleOf = new Map<string, string>();
  for (const { rule, of } of leftOut) if (of) ruleOf.set(of.id, rule);
  const count = (...rules: readonly string[]) => [...ruleOf.values()].filter((rule) => rules.includes(rule)).length;
  const unknown = faults.filter(
    ({ code, level }) => code === 'correction/unknown-document' && level === 'error',
  ).length;
  return {
    corrected: count(RULES.corrected, RULES.held, RULES.stillWrong),
    unchanged: count(RULES.unchanged, RULES.late),
    refused: count(RULES.refused) + unknown,
  };
}
