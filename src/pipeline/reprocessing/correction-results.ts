/**
 * Results of the rows of a correction file: the rule of each row in its summary, and their counts. Pure; a rule in
 * unknown words is not counted.
 */
import { wordsOf } from '../../i18n/message.ts';
import { ROW_RULE } from '../../i18n/messages/pipeline-messages.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';

/** The result of one row. */
export type RowRule = keyof typeof ROW_RULE;

/** Recorded rules by their words, in any of the languages: the settings may have changed since. Ledgers have plain spaces and no-break ones. */
let rules: ReadonlyMap<string, RowRule> | undefined;

/** The rule for the words of a summary. */
function ruleNamed(text: string): RowRule | undefined {
  rules ??= new Map(
    Object.entries(ROW_RULE).flatMap(([rule, worded]) =>
      Object.values(wordsOf(worded())).map((one) => [plainSpaces(one), rule as RowRule] as const),
    ),
  );
  return rules.get(plainSpaces(text));
}

function plainSpaces(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

/** Counts of documents; `refused` includes marks that are not documents. */
export type CorrectionTally = {
  readonly corrected: number;
  /** Unchanged in the file, and read again because the mapping has changed. */
  readonly readAgain: number;
  readonly unchanged: number;
  readonly refused: number;
};

/** True for the record of a correction file, which is admitted without a mapping. */
export function isCorrectionRecord({ state, corrects }: Pick<SourceFile, 'state' | 'corrects'>): boolean {
  return state === 'admitted' && corrects === true;
}

/** Each document counts once, whatever the number of its rows. */
export function correctionTally({ leftOut, faults }: Pick<SourceFile, 'leftOut' | 'faults'>): CorrectionTally {
  const ruleOf = new Map<string, RowRule | undefined>();
  for (const { rule, of } of leftOut) if (of) ruleOf.set(of.id, ruleNamed(rule));
  const count = (...rules: readonly RowRule[]) =>
    [...ruleOf.values()].filter((rule) => rule !== undefined && rules.includes(rule)).length;
  const unknown = faults
    .filter(({ code, level }) => code === 'correction/unknown-document' && level === 'error')
    .reduce((sum, { moreRows = [] }) => sum + 1 + moreRows.length, 0);
  return {
    corrected: count('corrected', 'held', 'stillWrong'),
    readAgain: count('readAgain'),
    unchanged: count('unchanged', 'late'),
    refused: count('refused') + unknown,
  };
}
