/** What the ERP got: the latest answer files, what waits, and the reports about one document. Reads only. */
import type { AnswerStore, AnswersFile } from '../../ledger/contract/answer-store.ts';

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
