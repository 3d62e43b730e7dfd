/**
 * `fix`: corrects cells of documents, records who and why, and converts them again at once. Output: cells and results; of
 * several documents a table first. Exit code 3 if one still needs a person; a wrong cell throws OperatorError `fix/*` and
 * changes nothing.
 */

import type { Command } from 'commander';
import type { ReadAgain } from '../../decisions/act-result.ts';
import { correctionsOf } from '../../decisions/fix-documents.ts';
import { withFormer } from '../../decisions/plan-fix.ts';
import { documentsAsked, type ProposedAct, proposeAct } from '../../decisions/propose-act.ts';
import { CONFIRMATION, NOTHING_CHANGED } from '../../i18n/messages/cli-decisions-messages.ts';
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { FIX } from '../../i18n/messages/pipeline-messages.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { documentName } from '../../model/ledger-entry.ts';
import { lookIntoLedgerOf, systemClock } from '../../runs/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import { type MappingProposal, mappingProposals } from '../../views/queries/mapping-proposals.ts';
import { bulkResultLines, bulkTable, fixObject } from '../output/fix-result.ts';
import { proposalLines } from '../output/proposal-lines.ts';
import { becomingLines, needsPeople } from '../output/reprocess-result.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { SELECTOR_VALUES, type SelectorOptions, selectorOf } from '../session/document-selection.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import { withLiveLine } from '../session/live-work.ts';
import { confirmed, type DecisionOptions, decisionOf, submitDecision } from '../session/operator-decision.ts';
import { refusePrintedValue } from '../session/printed-placeholders.ts';

export const fixCommand: CommandModule = { run: fixCells, values: SELECTOR_VALUES };

type Options = DecisionOptions &
  SelectorOptions & {
    readonly column?: string;
    readonly from?: string;
    readonly suggested?: boolean;
    readonly yes?: boolean;
  };

/** The result for no document. */
const NOTHING = { documents: [] };

/** Reads the cells from the archived exports before the lock: a typing error never waits for a run. */
async function fixCells(words: readonly string[], given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  const { instance, language } = session;
  const decision = decisionOf(given);
  await using ledger = await lookIntoLedgerOf(instance);
  const { names, cells } = await splitWords(ledger.queries, words);
  const selector = selectorOf(names, given, session.locale.zone);
  const entries = await documentsAsked(ledger.queries, selector, 'fix');
  if (entries.length === 0) {
    showNothing(session);
    return;
  }
  const { suggested, column, from } = given;
  const former = from === undefined ? undefined : { text: from, exactly: true };
  const asked = {
    act: 'fix',
    request: withFormer(definedOnly({ cells, suggested, column, former }), selector),
  } as const;
  const context = { instance, ledger, clock: systemClock };
  const isBulk = entries.length > 1;
  const look = { foresees: isBulk || given.dryRun === true, at: decision.at };
  const propose = async () => await proposeAct(context, entries, asked, look);
  const proposed = await withLiveLine(session, LIVE.reading(), propose);
  const view = {
    proposed,
    proposals: await mappingProposals(ledger.queries, () => instance.mappings),
    corrections: correctionsOf(proposed.planned, decision),
    isBulk,
    isNamed: names.length > 0,
  };
  if (given.dryRun) return show(session, { ...view, results: proposed.foreseen, dryRun: true });
  if (isBulk && !session.options.json) for (const line of bulkTable(session, proposed)) session.terminal.out(line);
  const { act, documents } = proposed;
  if (!(await confirmed(selector, documents.length, { ...given, question: CONFIRMATION.fix, language }))) {
    return session.terminal.talk(`  ${session.say(NOTHING_CHANGED.plain())}`);
  }
  const result = act ? await submitDecision(session, act, decision) : NOTHING;
  if (!result) return;
  show(session, {
    ...view,
    proposals: await mappingProposals(ledger.queries, () => instance.mappings),
    results: [...result.documents, ...stayingIn(proposed)],
    dryRun: false,
  });
}

/** Documents first, then cells. A word with = is a cell unless a document is called so. */
async function splitWords(ledger: QueryStore, words: readonly string[]) {
  const names: string[] = [];
  const cells: string[] = [];
  for (const word of words) {
    const isName = word === '-' || (names.length === 0 && !word.includes('=')) || (await isDocument(ledger, word));
    if (isName && cells.length === 0) names.push(word);
    else cells.push(word);
  }
  for (const text of cells) for (const { index } of text.matchAll(/=/g)) refusePrintedValue(text.slice(index + 1));
  return { names, cells };
}

async function isDocument(ledger: QueryStore, name: string): Promise<boolean> {
  for await (const _ of ledger.find({ ids: [name], limit: 1 })) return true;
  return false;
}

/** The results of documents that stay as they are with their cells: nothing of them is recorded. */
function stayingIn({ planned, documents, foreseen }: ProposedAct<'fix'>): ProposedAct['foreseen'] {
  const staying = new Set(planned.map(({ entry }) => entry.id));
  for (const { id } of documents) staying.delete(id);
  return foreseen.filter(({ entry }) => staying.has(entry.id));
}

/** What was planned and what became of it. */
type Fixed = {
  readonly proposed: ProposedAct<'fix'>;
  readonly corrections: ReturnType<typeof correctionsOf>;
  readonly proposals: readonly MappingProposal[];
  readonly isBulk: boolean;
  /** Documents were named one by one: each that is left out is one that the person meant. */
  readonly isNamed: boolean;
  readonly results: readonly ReadAgain[];
  readonly dryRun: boolean;
};

function show(session: Session, fixed: Fixed): void {
  const { options, terminal, language, say } = session;
  const { proposed, results, proposals, dryRun, isNamed } = fixed;
  process.exitCode = exitCodeIf(results.some(needsPeople) || (isNamed && proposed.leftOut.length > 0), 3);
  if (options.json) {
    terminal.data(JSON.stringify(fixObject(fixed, language), null, 2));
    return;
  }
  for (const line of [...linesOf(session, fixed), ...proposalLines(proposals, say)]) terminal.out(line);
  const isUnchanged = results.every((one) => 'fault' in one || ('state' in one && one.state === 'unchanged'));
  if (dryRun) terminal.talk(`  ${say(NOTHING_CHANGED.dryRun())}`);
  else if (isUnchanged) terminal.talk(`  ${say(NOTHING_CHANGED.plain())}`);
}

/** Of several documents the table, or after it the results; of one its cells and its result. */
function linesOf(session: Session, fixed: Fixed): readonly string[] {
  const { language, say } = session;
  const { proposed, results, dryRun, isBulk } = fixed;
  if (isBulk) return dryRun ? bulkTable(session, proposed) : bulkResultLines(session, results);
  const cells = proposed.planned.flatMap(({ entry, edits }) =>
    edits.map((edit) => `  ${say(FIX.cell({ number: documentName(entry), ...edit }))}`),
  );
  const lines = results.flatMap((one) => ('done' in one ? [] : becomingLines(one, dryRun, language)));
  return [...cells, ...lines].map(escapeControls);
}

function showNothing({ options, terminal, say }: Session): void {
  if (options.json)
    terminal.data(
      JSON.stringify({ dryRun: false, corrections: [], documents: [], leftOut: [], proposals: [] }, null, 2),
    );
  else if (!options.quiet) terminal.talk(`  ${say(NOTHING_CHANGED.noneSelected())}`);
}
