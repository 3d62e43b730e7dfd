/**
 * A person asks for answers once more: of a document, or of all documents of an export. They are due from now on, under
 * new numbers; nothing is sent. Throws OperatorError `answers/no-block` where the mapping has no answers.
 */

import { ANSWERS_AGAIN } from '../../i18n/messages/pipeline-messages.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { OperatorError } from '../../model/fault.ts';
import { firstFileOf, type LedgerEntry, placeOf } from '../../model/ledger-entry.ts';
import { pagesAfter } from '../../text/long-lists.ts';
import type { RunContext } from '../context/run-context.ts';
import { halvesFrom } from '../sources/pair-partners.ts';

type Who = { readonly by: string; readonly at: string; readonly reason: string };
type AgainContext = {
  readonly instance: RunContext['instance'];
  readonly ledger: Pick<Ledger, 'answers' | 'queries'>;
};
type About = {
  readonly documents?: readonly { readonly id: string }[] | undefined;
  readonly file?: string | undefined;
};

const PAGE = 500;

/** Resolves to the number of documents whose answers are due. */
export async function answerAgain(context: AgainContext, about: About, decision: Who): Promise<number> {
  return await countOf(dueAgain(context, about), (due) => context.ledger.answers.answerAgain(due, decision));
}

/** The number of documents whose answers would be due. Records nothing. */
export async function foreseeAgain(context: AgainContext, about: About): Promise<number> {
  return await countOf(dueAgain(context, about));
}

type Due = Parameters<AgainContext['ledger']['answers']['answerAgain']>[0];

async function countOf(pages: AsyncIterable<Due>, mark?: (due: Due) => Promise<void>): Promise<number> {
  let count = 0;
  for await (const due of pages) {
    await mark?.(due);
    count += new Set(due.map(({ entry }) => entry)).size;
  }
  if (count > 0) return count;
  throw new OperatorError('answers/no-block', ANSWERS_AGAIN.noBlock(), { hint: ANSWERS_AGAIN.addBlock() });
}

/** Pages of what would be due. Of a pair the documents of both files are meant. */
async function* dueAgain(context: AgainContext, about: About): AsyncGenerator<Due> {
  const { ledger } = context;
  if (about.documents) yield dueOf(context, await ledger.queries.entriesById(about.documents.map(({ id }) => id)));
  const file = about.file === undefined ? undefined : await ledger.queries.sourceFile(about.file);
  for (const { id } of file ? await halvesFrom(context, file) : []) {
    type Place = { readonly firstRow: number; readonly entry: string };
    for await (const page of pagesAfter(PAGE, (after?: Place) => ledger.answers.documentsOfSource(id, after, PAGE)))
      yield dueOf(context, await ledger.queries.entriesById(page.map(({ entry }) => entry)));
  }
}

function dueOf(context: AgainContext, entries: readonly LedgerEntry[]) {
  return entries.flatMap((entry) =>
    blocksOf(context, entry).map((answers) => ({
      ...{ answers, file: firstFileOf(entry), firstRow: placeOf(entry), entry: entry.id },
    })),
  );
}

function blocksOf({ instance }: AgainContext, { file }: LedgerEntry): readonly string[] {
  return instance.mappings.find(({ id }) => id === file.mapping?.id)?.answers.map(({ id }) => id) ?? [];
}
