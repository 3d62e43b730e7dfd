/**
 * What was found in a sample and why, and what could not be decided: collected while the sample is looked at.
 *
 * Evidence stands beside the line of the draft it justifies; questions stand at the top, the most important first.
 */

/** `at` is the place in the mapping, such as `source.encoding` or `output.document.date`. */
export type DraftEvidence = { readonly at: string; readonly says: string };

/** The higher the weight, the more documents would be wrong if nobody answered. */
export type Question = { readonly weight: number; readonly at: string; readonly says: string };

export type Notes = {
  readonly evidence: readonly DraftEvidence[];
  /** Most important first; one for each place and wording. */
  readonly questions: () => readonly Question[];
  readonly found: (at: string, says: string) => void;
  readonly ask: (weight: number, at: string, says: string) => void;
  /** What was found for a place, as one comment. */
  readonly of: (at: string) => string | undefined;
};

export function takeNotes(): Notes {
  const evidence: DraftEvidence[] = [];
  const questions: Question[] = [];
  return {
    evidence,
    questions: () => [...questions].sort((a, b) => b.weight - a.weight),
    found: (at, says) => {
      if (!evidence.some((one) => one.at === at && one.says === says)) evidence.push({ at, says });
    },
    ask: (weight, at, says) => {
      if (!questions.some((one) => one.says === says)) questions.push({ weight, at, says });
    },
    of: (at) => {
      const found = evidence.filter((one) => one.at === at).map(({ says }) => says);
      return found.length > 0 ? found.join('; ') : undefined;
    },
  };
}

/** "1 row", "4 rows". */
export function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
