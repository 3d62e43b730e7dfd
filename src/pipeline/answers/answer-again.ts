/**
 * A person asks for answers once more: of a document, or of all documents of an export. They are due from now on, under
 * new numbers; nothing is sent. Throws OperatorError `answers/no-block` where the mapping has no answers.
 */
import { ANSWERS_AGAIN } from '../../i18n/messages/pipeline-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import type { RunContext } from '../context/run-context.ts';
import { sourceOf } from './answer-facts.ts';

type Who = { readonly by: string; readonly at: string; readonly reason: string };
type AgainWork = Pick<RunContext, 'instance' | 'ledger'>;

const PAGE = 500;

/** Resolves to the number of documents whose answers are due. */
export async function answerAgain(
  work: AgainWork,
  about: { readonly documents?: readonly { readonly id: string }[] | undefined; readonly file?: string | undefined },
  decision: Who,
): Promise<number> {
  let count = 0;
  const mark = async (entries: readonly LedgerEntry[]) => {
    const due = entries.flatMap((entry) =>
      blocksOf(work, entry).map((answers) => ({
        ...{ answers, file: sourceOf(entry), firstRow: entry.rows[0] ?? 0, entry: entry.id },
      })),
    );
    await work.ledger.answerAgain(due, decision);
    count += new Set(due.map(({ entry }) => entry)).size;
  };
  if (about.documents) await mark(await work.ledger.entriesById(about.documents.map(({ id }) => id)));
  if (about.file !== undefined) {
    for (let after: { readonly firstRow: number; readonly entry: string } | undefined; ; ) {
      const page = await work.ledger.documentsOfSource(about.file, after, PAGE);
      await mark(await work.ledger.entriesById(page.map(({ entry }) => entry)));
      after = page.at(-1);
      if (page.length < PAGE) break;
    }
  }
  if (count > 0) return count;
  throw new OperatorError('answers/no-block', ANSWERS_AGAIN.noBlock(), { hint: ANSWERS_AGAIN.addBlock() });
}

function blocksOf({ instance }: AgainWork, { file }: LedgerEntry): readonly string[] {
  return instance.mappings.find(({ id }) => id === file.mapping?.id)?.answers.map(({ id }) => id) ?? [];
}
