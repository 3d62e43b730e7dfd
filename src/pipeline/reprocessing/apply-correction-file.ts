/**
 * A correction file from the inbox: its changed cells become corrections of the archived source, and the documents are
 * read again, matched by `_doc` and `_row`, never by the name of the file. Faults (correction/...) concern one document
 * each, and its summary accounts for every row. Done twice it changes nothing: a document that has changed since is
 * left.
 */

import { format, languagesFrom } from '../../i18n/message.ts';
import { ROW_RULE } from '../../i18n/messages/pipeline-messages.ts';
import type { LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import type { SkippedRow } from '../../model/row.ts';
import type { State } from '../../model/state.ts';
import { mistakeFault, refuse } from '../admission/admit-file.ts';
import { findEntry } from '../context/find-entry.ts';
import type { RunContext } from '../context/run-context.ts';
import { whileGrowing } from '../sources/attachments-of.ts';
import { UNKNOWN_OWNER } from '../sources/file-owner.ts';
import { correctionTally, type RowRule } from './correction-results.ts';
import { recordIgnored } from './late-corrections.ts';
import { type CorrectedDocument, type MatchedDocuments, matchDocuments, placeOfDocument } from './match-corrections.ts';
import type { CorrectionContent, CorrectionLine } from './parse-correction-file.ts';
import { faultsOf, groupsOf, openCorrection, planGroup, reasonFor, settleDocument } from './plan-corrections.ts';
import { reprocess } from './reprocess-documents.ts';
import { passingSince, settleReread } from './reread-unchanged.ts';
import { isTakenBefore } from './taken-before.ts';

/** Closes the file as admitted, duplicate or refused. Corrections are recorded under the owner of the file. */
export async function ingestCorrectionFile(context: RunContext, file: SourceFile): Promise<void> {
  const earlier = await context.ledger.intake.fileBySha256(file.sha256);
  // What was refused of it may pass now: a mapping is back, or an archive.
  if (earlier && earlier.id !== file.id && (await isTakenBefore(context.ledger.queries, earlier))) {
    await context.ledger.intake.duplicateFile(file.id, earlier.id);
    context.emit({ what: 'file-duplicate', file: file.name, first: earlier.name });
    return;
  }
  const opened = await openCorrection(file);
  if ('faults' in opened) return await refuse(context, file, { faults: opened.faults, rows: 0, leftOut: [] });
  const { content } = opened;
  const { docs, faults } = await matchDocuments(context, file, {
    lines: content.lines,
    isDone: correctedBefore(context, file),
  });
  for (const group of groupsOf(docs)) {
    // The private copy stays in processing/: the next run starts the file over, and finds done what was done.
    if (context.stop.aborted) return;
    await correctGroup(context, file, group, content).catch((error: unknown) => failGroup(context, file, group, error));
  }
  await account(context, file, content, { docs, faults });
}

/** Rows, by source, that exactly this file corrected before a crash: their documents are read again, or will be. */
function correctedBefore({ ledger, instance }: RunContext, file: SourceFile): (entry: LedgerEntry) => Promise<boolean> {
  // The settings may have another language since.
  const reasons = languagesFrom(instance.settings.rules.language).map((language) => reasonFor(file, language));
  const bySource = new Map<string, Promise<ReadonlySet<number>>>();
  const rowsOf = async (id: string) => {
    const all = await ledger.queries.correctionsOf(id);
    return new Set(
      all.filter(({ at, reason }) => at === file.claimedAt && reasons.includes(reason)).map(({ row }) => row),
    );
  };
  return async ({ file: { id, rereads = id }, rows }) => {
    const ofSource = bySource.get(rereads) ?? rowsOf(rereads);
    bySource.set(rereads, ofSource);
    const corrected = await ofSource;
    return rows.some((row) => corrected.has(row));
  };
}

/** The documents of one archived source. */
async function correctGroup(
  context: RunContext,
  file: SourceFile,
  docs: readonly CorrectedDocument[],
  content: CorrectionContent,
) {
  await planGroup(context, file, docs, content);
  for (const doc of docs) await recordIgnored(context, file, doc);
  const decision = {
    by: file.owner ?? UNKNOWN_OWNER,
    reason: reasonFor(file, context.instance.settings.rules.language),
    at: file.claimedAt,
  };
  const changed = docs.filter(({ corrections }) => corrections.length > 0);
  if (changed.length > 0) {
    const corrections = changed.flatMap((doc) => doc.corrections);
    const entries = changed.map(({ entry }) => entry);
    for (const one of await reprocess(context, entries, { ...decision, corrections })) {
      const doc = docs.find(({ entry }) => entry.id === one.entry.id);
      // A document that only waited for a row of another one may not be in the file, or be in it unchanged.
      if (doc && (changed.includes(doc) || 'state' in one)) settleDocument(file, doc, one);
    }
  }
  const passing = await whileGrowing(context, (patient) => passingSince(context, docs, { at: decision.at, patient }));
  if (passing.length === 0) return;
  const entries = passing.map(({ doc }) => doc.entry);
  settleReread(docs, await reprocess(context, entries, decision));
}

/**
 * A defect of the program at one source: its documents stay as they are, and those of the other sources are corrected. After the
 * commit it takes nothing back: a document with its next revision is what that made of it.
 */
async function failGroup(
  { ledger }: Pick<RunContext, 'ledger'>,
  file: SourceFile,
  docs: readonly CorrectedDocument[],
  error: unknown,
): Promise<void> {
  const fault = mistakeFault(error, file);
  for (const doc of docs) {
    if (doc.rule !== undefined) continue;
    const now = await findEntry(ledger.queries, doc.entry.id);
    if (now && now.revision > doc.entry.revision) doc.rule = ruleOfState(now.state);
    else doc.faults.push({ ...fault, origin: placeOfDocument(file, doc) });
  }
}

function ruleOfState(state: State): RowRule {
  if (state === 'held') return 'held';
  return state === 'invalid' || state === 'conflict' || state === 'duplicate' ? 'stillWrong' : 'corrected';
}

/** Records one result for each row of the file, for its summary. */
async function account(
  context: RunContext,
  file: SourceFile,
  content: CorrectionContent,
  { docs, faults: unknown }: MatchedDocuments,
) {
  const said = (rule: RowRule) => format(ROW_RULE[rule](), context.instance.settings.rules.language);
  const accounts = new Map<CorrectionLine, Omit<SkippedRow, 'row'>>();
  for (const { entry, lines, rule = 'refused' } of docs) {
    const one = { rule: said(rule), of: { id: entry.id, revision: entry.revision } };
    for (const line of lines) accounts.set(line, one);
  }
  const leftOut: SkippedRow[] = content.lines.map((line) => ({
    row: line.line,
    ...(accounts.get(line) ?? { rule: said('refused') }),
  }));
  const faults = faultsOf(file, content, { docs, faults: unknown });
  await context.ledger.intake.admit(file.id, { encoding: content.encoding, rows: leftOut.length, leftOut, faults });
  context.emit({ what: 'corrections', file: file.name, ...correctionTally({ leftOut, faults }), faults });
}
