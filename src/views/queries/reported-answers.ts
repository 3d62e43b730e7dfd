/** What the ERP got: the latest answer files, what waits, and in words which fields fall short. Reads only. */
import type { Message } from '../../i18n/message.ts';
import { ANSWERS_STATE } from '../../i18n/messages/report/report-answers-messages.ts';
import type { InstanceWith } from '../../instance/instance.ts';
import type { AnswerFieldProblem, AnswerStore, AnswersFile } from '../../ledger/contract/answer-store.ts';

const PAGE = 1000;

/** The latest files first, at most `last`. */
export async function latestAnswers(
  ledger: Pick<AnswerStore, 'answerFiles' | 'answersWaiting' | 'lastAnswerFile'>,
  last: number,
): Promise<{
  readonly files: readonly AnswersFile[];
  readonly waiting: Awaited<ReturnType<AnswerStore['answersWaiting']>>;
}> {
  const end = await ledger.lastAnswerFile();
  const files = await ledger.answerFiles(Math.max(0, end - last), Math.max(last, PAGE));
  return { files: files.toReversed().slice(0, last), waiting: await ledger.answersWaiting() };
}

/** Answers that no mapping makes any more. */
export type LeftAnswers = { readonly mapping: string; readonly documents: number };

/** Mappings that are gone while documents wait for their answers; none where the mappings have errors and are not all known. */
export async function leftAnswers(
  { mappings, unusable }: Pick<InstanceWith<{ readonly id: string }>, 'mappings' | 'unusable'>,
  ledger: Pick<AnswerStore, 'dueBlocks' | 'documentsDueOf'>,
): Promise<readonly LeftAnswers[]> {
  if (unusable) return [];
  const known = new Set(mappings.map(({ id }) => id));
  const due = new Set((await ledger.dueBlocks()).map((block) => block.slice(0, block.indexOf(' '))));
  const gone = [...due].filter((mapping) => !known.has(mapping));
  return await Promise.all(gone.map(async (mapping) => ({ mapping, documents: await ledger.documentsDueOf(mapping) })));
}

/** One line for each mapping that is gone, with what to do. */
export function leftMessages(left: readonly LeftAnswers[]): readonly Message[] {
  return left.map((one) => ANSWERS_STATE.leftBy({ problem: ANSWERS_STATE.left(one), hint: ANSWERS_STATE.putBack() }));
}

/** Fields that a line names. */
const MOST_FIELDS = 3;

/** How many fields are not as the mapping means them; 0 without one. */
function fieldProblems(fields: readonly Pick<AnswerFieldProblem, 'count'>[]): number {
  return fields.reduce((sum, { count }) => sum + count, 0);
}

/** One line with the names of the first fields; nothing where all fields are right. */
export function fieldMessages(fields: readonly AnswerFieldProblem[]): readonly Message[] {
  const count = fieldProblems(fields);
  if (count === 0) return [];
  const names = [...new Set(fields.map(({ field }) => field))];
  const shown = names.length > MOST_FIELDS ? [...names.slice(0, MOST_FIELDS), '…'] : names;
  return [ANSWERS_STATE.fieldsWhere({ fields: ANSWERS_STATE.fields({ count }), names: shown.join(', ') })];
}

/** What is wrong with one field. */
export function fieldMessage({ field, why, count }: AnswerFieldProblem): Message {
  return ANSWERS_STATE[why]({ field, count });
}
