/**
 * `fix`: corrects cells of documents, records who and why, and converts them again at once. Output: cells and results; of
 * several documents a table first. Exit code 3 if one still needs a person; a wrong cell throws OperatorError `fix/*` and
 * changes nothing.
 */
import type { Command } from 'commander';
import { CONFIRMATION, NOTHING_CHANGED } from '../../i18n/messages/cli-decisions-messages.ts';
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { FIX } from '../../i18n/messages/pipeline-messages.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { readCellCause } from '../../model/cause.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { seenDocument } from '../../pipeline/decisions/act.ts';
import type { ReadAgain } from '../../pipeline/decisions/act-result.ts';
import { correctionsOf, foreseeFix } from '../../pipeline/decisions/fix-documents.ts';
import {
  type FixPlan,
  type FixRequest,
  formerMissing,
  type PlannedFix,
  planFix,
} from '../../pipeline/decisions/plan-fix.ts';
import { documentsAsked } from '../../pipeline/decisions/propose-act.ts';
import { documentName } from '../../pipeline/decisions/read-again-object.ts';
import { lookIntoLedgerOf, systemClock } from '../../pipeline/open-run.ts';
import { type MappingProposal, mappingProposals } from '../../pipeline/queries/mapping-proposals.ts';
import type { ReprocessResult } from '../../pipeline/reprocessing/reread-result.ts';
import { escapeControls } from '../../text/printable.ts';
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
  const { names, cells } = await splitWords(ledger, words);
  const selector = selectorOf(names, given, session.locale.zone);
  const entries = await documentsAsked(ledger, selector, 'fix');
  if (entries.length === 0) {
    showNothing(session);
    return;
  }
  const request = requestOf(cells, given, { isFiltered: names.length === 0 });
  const context = { instance, ledger, clock: systemClock };
  const plan = await withLiveLine(session, LIVE.reading(), async () => await planFix(context, entries, request));
  const isBulk = entries.length > 1;
  const foreseen =
    isBulk || given.dryRun
      ? await withLiveLine(session, LIVE.reading(), async () => await foreseeFix(context, plan.documents, decision))
      : [];
  const proposals = await mappingProposals(ledger, () => instance.mappings);
  const view = {
    plan,
    foreseen,
    proposals,
    corrections: correctionsOf(plan.documents, decision),
    isBulk,
    isNamed: names.length > 0,
  };
  if (given.dryRun) return show(session, { ...view, results: foreseen, dryRun: true });
  if (isBulk && !session.options.json) for (const line of bulkTable(session, view)) session.terminal.out(line);
  const planned = isBulk ? withResult(plan.documents, foreseen) : plan.documents;
  const asked = { ...given, question: CONFIRMATION.fix, language };
  if (!(await confirmed(selector, planned.length, asked))) {
    return session.terminal.talk(`  ${session.say(NOTHING_CHANGED.plain())}`);
  }
  const left = foreseen.filter(({ entry }) => !planned.some((one) => one.entry.id === entry.id));
  const documents = planned.map(({ entry, edits }) => ({ ...seenDocument(entry), edits: [...edits] }));
  const result = documents.length === 0 ? NOTHING : await submitDecision(session, { act: 'fix', documents }, decision);
  if (!result) return;
  show(session, {
    ...view,
    proposals: await mappingProposals(ledger, () => instance.mappings),
    results: [...result.documents, ...left.filter(isOf(plan.documents))],
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

/**
 * The former value is that of --from, else that of --cause. Documents that a filter selects may have any value: throws
 * `fix/no-former` without one.
 */
function requestOf(
  cells: readonly string[],
  { suggested, column, from, cause }: Options,
  { isFiltered }: { readonly isFiltered: boolean },
): FixRequest {
  const cell = cause === undefined ? undefined : readCellCause(cause);
  const isOfCause = cell?.value !== undefined && cells.every((text) => text.startsWith(`${cell.column}=`));
  const ofCause = isOfCause ? { text: cell.value ?? '', exactly: false } : undefined;
  const former = from === undefined ? ofCause : { text: from, exactly: true };
  if (isFiltered && cells.length > 0 && former === undefined) {
    throw formerMissing();
  }
  const wanted = column ?? (isOfCause ? cell.column : undefined);
  return definedOnly({ cells, suggested, column: wanted, former });
}

/** Documents that become another revision: the corrections of the others are not recorded. */
function withResult(planned: readonly PlannedFix[], foreseen: readonly ReprocessResult[]): readonly PlannedFix[] {
  const without = new Set(
    foreseen.flatMap((one) => ('fault' in one || one.state === 'unchanged' ? [one.entry.id] : [])),
  );
  return planned.filter(({ entry }) => !without.has(entry.id));
}

function isOf(planned: readonly PlannedFix[]): (result: ReprocessResult) => boolean {
  const ids = new Set(planned.map(({ entry }) => entry.id));
  return ({ entry }) => ids.has(entry.id);
}

/** What was planned and what became of it. */
type Fixed = {
  readonly plan: FixPlan;
  readonly foreseen: readonly ReprocessResult[];
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
  const { plan, results, proposals, dryRun, isNamed } = fixed;
  process.exitCode = exitCodeIf(results.some(needsPeople) || (isNamed && plan.leftOut.length > 0), 3);
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
  const { plan, results, dryRun, isBulk } = fixed;
  if (isBulk) return dryRun ? bulkTable(session, fixed) : bulkResultLines(session, results);
  const cells = plan.documents.flatMap(({ entry, edits }) =>
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
