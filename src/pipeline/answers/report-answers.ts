/**
 * Reports to the ERP: files that an earlier try left come first, then the documents whose answer has changed. Runs after
 * the receipts, next to nothing that is sent or decided: whatever goes wrong here delays answers, is recorded with the
 * folder, and is tried again. Never throws.
 */

import pLimit from 'p-limit';
import { format } from '../../i18n/message.ts';
import { ANSWERS_FAULT } from '../../i18n/messages/receipts-messages.ts';
import { localeOf } from '../../instance/locale.ts';
import type { AnsweredDocument, AnswerOutcome, DueAnswer, DueOutcome } from '../../ledger/contract/answer-store.ts';
import { isReported } from '../../mapping/answers/compile-answers.ts';
import type { CompiledAnswers } from '../../mapping/answers/compiled-answers.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import { DOCUMENT_TOO_LARGE } from '../../model/fault.ts';
import { firstFileOf, isPurged, type SourceFile } from '../../model/ledger-entry.ts';
import type { Row } from '../../model/row.ts';
import type { Locale } from '../../text/local-time.ts';
import { pagesAfter } from '../../text/long-lists.ts';
import type { RunContext } from '../context/run-context.ts';
import { readCorrections } from '../publishing/publish-results.ts';
import { correctedValues } from '../reprocessing/apply-corrections.ts';
import { sideOf } from '../reprocessing/reconvert-source.ts';
import { pairRoleOf } from '../sources/file-pairs.ts';
import { partnerOf } from '../sources/pair-partners.ts';
import { readableSource } from '../sources/source-now.ts';
import { type AnswerDraft, type AnswerLine, createAnswerDraft } from './answer-draft.ts';
import { answerDigest, documentScope, isSettled, outcomeOf, reportedState } from './answer-facts.ts';
import { type AnswerFolders, createAnswerFolders } from './answer-folders.ts';
import { openRows, type PlacedRow, type RowCursor } from './source-rows.ts';

/** Documents composed at a time, and the rows they may have together: what lives longer is copied by the garbage collector. */
const PAGE = 250;
const ROWS_AT_ONCE = 20_000;
/** Exports at a time, so that their commits are made together. */
const AT_ONCE = 8;

/** The longest time that a program asked to end makes answers; the next one makes the others at its start. */
const AT_THE_END_MS = 5000;

/** At the end of a run or a watch: what ended before a stop is reported too. */
export async function reportLastAnswers(context: RunContext): Promise<void> {
  const stop = context.stop.aborted ? AbortSignal.timeout(AT_THE_END_MS) : context.stop;
  await reportAnswers({ ...context, stop });
}

export async function reportAnswers(context: RunContext): Promise<void> {
  const { ledger, instance } = context;
  const blocks = instance.mappings.flatMap((mapping) => mapping.answers.map((block) => ({ mapping, block })));
  const folders = createAnswerFolders(context);
  try {
    const pending = await ledger.answers.pendingAnswerFiles();
    if (blocks.length > 0 || pending.length > 0) await ledger.answers.discardComposing();
    for (const file of pending) await folders.place(file);
    await moveDue(context);
    for (const { mapping, block } of blocks) {
      if (context.stop.aborted) return;
      await folders.within(block.to, async () => await reportBlock(context, mapping, block, folders));
    }
    await folders.end();
  } catch (error) {
    context.emit({ what: 'answers-failed', problem: (error as Error).message });
  }
}

/** A block that got another name has left documents that are due: they are reported under the new name, once. */
async function moveDue({ ledger, instance }: RunContext): Promise<void> {
  for (const due of await ledger.answers.dueBlocks()) {
    const mapping = instance.mappings.find(({ id }) => due.startsWith(`${id} `));
    // A mapping that is away may come back.
    if (!mapping || mapping.answers.some(({ id }) => id === due)) continue;
    const { answers } = mapping;
    await ledger.answers.moveDueAnswers(
      due,
      answers.map(({ id }) => id),
    );
  }
}

async function reportBlock(
  context: RunContext,
  mapping: Mapping,
  block: CompiledAnswers,
  folders: AnswerFolders,
): Promise<void> {
  // Once: the zone of the machine costs as much as some hundred lines.
  const locale = localeOf(context.instance.settings);
  const together = block.name.perFile ? undefined : createAnswerDraft(context, mapping, block);
  const one = async (id: string) => {
    const source = await context.ledger.queries.sourceFile(id);
    if (!source || context.stop.aborted) return;
    if (isPurged(source, 'archive')) return await forgetPurged(context, block, source, folders);
    const draft = together ?? createAnswerDraft(context, mapping, block);
    try {
      const isFirst = block.name.perFile && !(await context.ledger.answers.hasAnswered(block.id, id));
      await composeSource(context, { mapping, block, source, draft, locale, isFirst });
    } catch (error) {
      // Its documents stay due; the other exports are reported.
      folders.notMade(block.to, source.name, (error as Error).message);
      if (!together) return await draft.abandon();
    }
    if (!together) await placeChosen(draft, folders);
  };
  // One after the other where they share a file: its lines are in the order of intake.
  const limit = pLimit(together ? 1 : AT_ONCE);
  for await (const page of pagesAfter(PAGE, (after: string = '') =>
    context.ledger.answers.answerSources(block.id, after, PAGE),
  ))
    await Promise.all(page.map((id) => limit(one, id)));
  if (together) await placeChosen(together, folders);
}

/** A purge has removed its cells: what is due of it can never be made. */
async function forgetPurged(
  context: RunContext,
  block: CompiledAnswers,
  { id, name }: SourceFile,
  folders: AnswerFolders,
): Promise<void> {
  for await (const page of duePages(context, block, id))
    await context.ledger.answers.dropDueAnswers(block.id, id, page);
  folders.notMade(block.to, name, format(ANSWERS_FAULT.purged(), context.instance.settings.rules.language));
}

async function placeChosen(draft: AnswerDraft, { place }: AnswerFolders): Promise<void> {
  const file = await draft.choose();
  if (file) await place(file);
}

type Composing = {
  readonly mapping: Mapping;
  readonly block: CompiledAnswers;
  readonly source: SourceFile;
  readonly draft: AnswerDraft;
  readonly locale: Locale;
  /** Files of one export each, and this one has none yet: nothing of it was reported in this revision. */
  readonly isFirst: boolean;
};

/** What is due of one export; all of its documents where the files of the block list them all. */
async function composeSource(context: RunContext, composing: Composing): Promise<void> {
  const cursor = await rowsOf(context, composing);
  try {
    await composeFrom(context, composing, cursor);
  } finally {
    await cursor.close();
  }
}

async function composeFrom(context: RunContext, composing: Composing, cursor: RowCursor): Promise<void> {
  const { block, source } = composing;
  const { ledger } = context;
  const isWhole = block.when !== 'change';
  let due = 0;
  const asked = { document: block.readsDocument };
  const outcomes = pagesAfter(PAGE, (after: DueOutcome | undefined) =>
    ledger.answers.dueOutcomes(asked, block.id, source.id, after, PAGE),
  );
  for await (const page of outcomes) {
    const { changed, unchanged } = await judge(context, composing, page);
    if (isWhole) {
      due += changed.length;
      if (due > 0) break;
    } else if (changed.length > 0) await addPage(context, composing, cursor, changed);
    if (unchanged.length > 0) await ledger.answers.dropDueAnswers(block.id, source.id, unchanged);
  }
  if (!isWhole || due === 0) return;
  if (block.when === 'settled' && !(await maySettle(context, composing))) return;
  for await (const page of wholePages(context, source.id)) {
    const entries = await outcomesOf(context, composing, page);
    const known = new Map((await dueOf(context, block, source.id, page)).map((one) => [one.entry, one]));
    await addPage(
      context,
      composing,
      cursor,
      entries.map((entry) => ({ entry, changes: known.get(entry.id)?.changes ?? 0 })),
    );
  }
}

type Changed = { readonly entry: AnswerOutcome; readonly changes: number; readonly digest?: string };

/** Documents with a change to report, in the order of the source, and those without. */
async function judge({ ledger }: RunContext, { block, source, isFirst }: Composing, page: readonly DueOutcome[]) {
  const ids = isFirst ? [] : page.map(({ entry }) => entry);
  const digests = await ledger.answers.reportedDigests(block.id, ids);
  const changed: Changed[] = [];
  const unchanged: DueAnswer[] = [];
  for (const due of page) {
    const { outcome: entry } = due;
    const isOurs =
      entry !== undefined && firstFileOf(entry) === source.id && isReported(outcomeOf(entry).state, block.when);
    const digest = isOurs ? answerDigest(entry) : undefined;
    const isNew = isOurs && (due.again || digests.get(entry.id) !== digest);
    if (isNew && digest !== undefined) changed.push({ entry, changes: due.changes, digest });
    else unchanged.push(due);
  }
  return { changed, unchanged };
}

/** Once for an export, when all its documents are settled; again only if a person asked. */
async function maySettle(context: RunContext, composing: Composing): Promise<boolean> {
  const { block, source } = composing;
  const { ledger } = context;
  if (await ledger.answers.hasAnswered(block.id, source.id)) {
    let again = false;
    for await (const page of duePages(context, block, source.id)) {
      again ||= page.some((one) => one.again);
      if (!again) await ledger.answers.dropDueAnswers(block.id, source.id, page);
    }
    if (!again) return false;
  }
  for await (const page of wholePages(context, source.id)) {
    const entries = await outcomesOf(context, composing, page);
    if (!entries.every(isSettled)) return false;
  }
  return true;
}

type Place = Pick<DueAnswer, 'firstRow' | 'entry'>;

function duePages({ ledger }: RunContext, block: CompiledAnswers, file: string) {
  return pagesAfter(PAGE, (after: DueAnswer | undefined) => ledger.answers.dueAnswers(block.id, file, after, PAGE));
}

function wholePages({ ledger }: RunContext, file: string) {
  return pagesAfter(PAGE, (after: Place | undefined) => ledger.answers.documentsOfSource(file, after, PAGE));
}

async function outcomesOf({ ledger }: RunContext, { block }: Composing, page: readonly Place[]) {
  const ids = page.map(({ entry }) => entry);
  return await ledger.answers.answerOutcomes(ids, { document: block.readsDocument });
}

/** The due marks of a page of documents, at the places that these have now. */
async function dueOf(
  { ledger }: RunContext,
  block: CompiledAnswers,
  file: string,
  page: readonly Place[],
): Promise<readonly DueAnswer[]> {
  const [first] = page;
  if (!first) return [];
  const places = new Map(page.map(({ entry, firstRow }) => [entry, firstRow]));
  const found = await ledger.answers.dueAnswers(
    block.id,
    file,
    { firstRow: first.firstRow - 1, entry: '\uffff' },
    4 * PAGE,
  );
  return found.filter(({ entry, firstRow }) => places.get(entry) === firstRow);
}

async function rowsOf({ ledger, instance }: RunContext, { mapping, source }: Composing): Promise<RowCursor> {
  const { source: reads, join } = mapping;
  const half = join ? pairRoleOf([mapping], source.name) : undefined;
  const file = readableSource(instance.folder, source);
  if (sideOf(half) === 'headers') return openRows({ mapping: { source: reads }, file });
  const other = half && (await partnerOf(ledger.queries, mapping, source));
  const headers = other && readableSource(instance.folder, other);
  const valuesOf = headers && correctedValues(await ledger.queries.correctionsOf(source.id));
  return openRows(definedOnly({ mapping: definedOnly({ source: reads, join }), file, headers, valuesOf }));
}

/** One page of documents, in parts whose rows fit into memory. */
async function addPage(
  context: RunContext,
  { block, source, draft, locale }: Composing,
  cursor: RowCursor,
  documents: readonly Changed[],
): Promise<void> {
  const correctionsOf = block.readsCorrections ? readCorrections(context.ledger.queries) : async () => [];
  for (const part of partsOf(documents, block)) {
    const wanted = new Set(part.flatMap(({ entry }) => rowsAtOnce(entry, block)));
    const found = wanted.size === 0 ? new Map<number, PlacedRow>() : await cursor.take(wanted);
    const lines: AnswerLine[] = [];
    for (const { entry, changes, digest } of part) {
      const placed = rowsAtOnce(entry, block).flatMap((row) => found.get(row) ?? []);
      lines.push({
        scope: documentScope(entry, locale, await correctionsOf(entry)),
        table: placed[0]?.table ?? { file: source.name, columns: [] },
        rows: placed.map(({ row }) => row),
        ...(block.each === 'row' && placed.length < entry.rows.length ? { more: otherRows(entry, block, cursor) } : {}),
        isPart: block.readsRows && (entry.rows.length === 0 || !isReadWhole(entry, block)),
        reported: reportedOf(entry, changes, digest),
      });
    }
    await draft.add(source, lines);
  }
}

/**
 * Whether all rows of the document are read at once, because a value is of all of them. One that was refused for its size
 * may have a million.
 */
function isReadWhole({ faults }: AnswerOutcome, { readsRows }: CompiledAnswers): boolean {
  return readsRows && !faults.some(({ code }) => code === DOCUMENT_TOO_LARGE);
}

/**
 * The rows of a document that are read with the others of its part: all, the first, or the first of many. One whose rows are
 * part of another document now has a line with what the ERP knows it by, which its former row has.
 */
function rowsAtOnce(entry: AnswerOutcome, block: CompiledAnswers): readonly number[] {
  if (entry.rows.length === 0 && block.each === 'document') return definedItems([entry.formerRow]);
  if (isReadWhole(entry, block)) return entry.rows;
  return entry.rows.slice(0, block.each === 'row' ? ROWS_AT_ONCE : 1);
}

async function* otherRows(
  entry: AnswerOutcome,
  block: CompiledAnswers,
  cursor: RowCursor,
): AsyncIterable<readonly Row[]> {
  for (let from = rowsAtOnce(entry, block).length; from < entry.rows.length; from += ROWS_AT_ONCE) {
    const numbers = entry.rows.slice(from, from + ROWS_AT_ONCE);
    const found = await cursor.take(new Set(numbers));
    yield numbers.flatMap((row) => found.get(row)?.row ?? []);
  }
}

/** Documents that have some thousand rows together; one of more is alone. */
function* partsOf(documents: readonly Changed[], block: CompiledAnswers): Iterable<readonly Changed[]> {
  let part: Changed[] = [];
  let rows = 0;
  for (const one of documents) {
    const more = rowsAtOnce(one.entry, block).length;
    if (part.length > 0 && rows + more > ROWS_AT_ONCE) {
      yield part;
      [part, rows] = [[], 0];
    }
    part.push(one);
    rows += more;
  }
  yield part;
}

function reportedOf(entry: AnswerOutcome, changes: number, known: string | undefined): AnsweredDocument {
  const outcome = outcomeOf(entry);
  return {
    entry: entry.id,
    state: reportedState(outcome),
    code: outcome.answer?.code,
    digest: known ?? answerDigest(entry),
    changes,
  };
}
