/**
 * Findings about a sample, collected while it is read: evidence is a comment next to the line of the draft that it justifies,
 * questions are at the top, the most important first.
 */
import type { Message } from '../../i18n/message.ts';

/** `at` is the place in the mapping, such as `source.encoding` or `output.document.date`. */
export type DraftEvidence<Text = Message> = { readonly at: string; readonly says: Text };

/** The higher the weight, the more documents would be wrong without an answer. */
export type DraftQuestion<Text = Message> = { readonly weight: number; readonly at: string; readonly says: Text };

export type DraftNotes = {
  readonly evidence: readonly DraftEvidence[];
  /** Most important first; one for each wording. */
  readonly questions: () => readonly DraftQuestion[];
  readonly addEvidence: (at: string, says: Message) => void;
  readonly addQuestion: (weight: number, at: string, says: Message) => void;
  readonly evidenceAt: (at: string) => readonly Message[];
};

export function createNotes(): DraftNotes {
  const evidence: DraftEvidence[] = [];
  const questions: DraftQuestion[] = [];
  const isSame = (a: Message, b: Message) => JSON.stringify(a) === JSON.stringify(b);
  return {
    evidence,
    questions: () => questions.toSorted((a, b) => b.weight - a.weight),
    addEvidence: (at, says) => {
      if (!evidence.some((one) => one.at === at && isSame(one.says, says))) evidence.push({ at, says });
    },
    addQuestion: (weight, at, says) => {
      if (!questions.some((one) => isSame(one.says, says))) questions.push({ weight, at, says });
    },
    evidenceAt: (at) => evidence.filter((one) => one.at === at).map(({ says }) => says),
  };
}

export function copyNotes(from: DraftNotes, to: DraftNotes): void {
  for (const { at, says } of from.evidence) to.addEvidence(at, says);
  for (const { weight, at, says } of from.questions()) to.addQuestion(weight, at, says);
}
