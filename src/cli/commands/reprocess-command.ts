/**
 * `reprocess`: reads documents again from the archive, with the current mapping and all corrections. Names select
 * documents or one file. Output: what each became; exit code 3 if one still needs a person.
 */

import type { Command } from 'commander';
import type { ReadAgain } from '../../decisions/act-result.ts';
import { documentsAsked, mayBeAsked, proposeAct } from '../../decisions/propose-act.ts';
import { readAgainObject } from '../../decisions/read-again-object.ts';
import { format, type Language, type Message } from '../../i18n/message.ts';
import {
  CONFIRMATION,
  NOTHING_CHANGED,
  REPROCESS_FILE,
  REPROCESS_OUTCOME,
} from '../../i18n/messages/cli-decisions-messages.ts';
import { FILE_STATE } from '../../i18n/messages/cli-report-messages.ts';
import { COUNT, LIVE } from '../../i18n/messages/cli-session-messages.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { localize, OperatorError, showFaultIn } from '../../model/fault.ts';
import type { LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import { isReplaceable } from '../../model/state.ts';
import { documentsThatNeed } from '../../pipeline/sources/pair-partners.ts';
import { lookIntoLedgerOf, systemClock } from '../../runs/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import { isEmpty } from '../../views/queries/select-documents.ts';
import { becomingLines, needsPeople, readAgainLines, warningLines } from '../output/reprocess-result.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { fileCalled, SELECTOR_VALUES, type SelectorOptions, selectorOf } from '../session/document-selection.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import { withLiveLine } from '../session/live-work.ts';
import { confirmed, type DecisionOptions, decisionOf, submitDecision } from '../session/operator-decision.ts';

type Options = DecisionOptions & SelectorOptions & { readonly yes?: boolean };

export const reprocessCommand: CommandModule = { run: reprocess, values: SELECTOR_VALUES };

/** --dry-run converts without the lock and records nothing; a wide selection needs a confirmation. */
async function reprocess(names: string[], given: Options, self: Command): Promise<void> {
  const session = openSession(self);
  const { instance } = session;
  const { language } = instance.settings.rules;
  const decision = decisionOf(given);
  await using ledger = await lookIntoLedgerOf(instance);
  const selected = await select({ ...session, ledger }, names, given);
  if ('file' in selected) return await requeue(session, selected.file, given);
  const { entries } = selected;
  const foresees = given.dryRun === true;
  const context = { instance, ledger, clock: systemClock };
  const propose = () => proposeAct(context, entries, { act: 'reprocess' }, { foresees, at: decision.at });
  if (foresees) return show(session, (await withLiveLine(session, LIVE.reading(), propose)).foreseen, true);
  const selector = selectorOf(names.includes('-') ? [] : names, given, session.locale.zone);
  const asked = isEmpty(selector) ? { ids: names } : selector;
  if (!(await confirmed(asked, entries.length, { ...given, question: CONFIRMATION.reprocess, language }))) {
    return session.terminal.talk(format(NOTHING_CHANGED.plain(), language));
  }
  const { act } = await propose();
  if (!act) return show(session, [], false);
  const result = await submitDecision(session, act, decision);
  if (result) show(session, result.documents, false);
}

/**
 * The selected documents; for the name or id of a file its documents that may be replaced, of a pair those of both files, or the
 * refused file itself.
 */
async function select(
  { instance, locale, ledger }: Pick<Session, 'instance' | 'locale'> & { readonly ledger: Pick<Ledger, 'queries'> },
  names: readonly string[],
  given: Options,
): Promise<{ readonly entries: readonly LedgerEntry[] } | { readonly file: SourceFile }> {
  const [name, second] = names;
  const file = name === undefined || second !== undefined ? undefined : await fileCalled(ledger.queries, name);
  if (!file)
    return { entries: await documentsAsked(ledger.queries, selectorOf(names, given, locale.zone), 'reprocess') };
  if (file.state === 'refused') return { file };
  const entries: LedgerEntry[] = [];
  const filters = selectorOf([], given, locale.zone);
  for await (const entry of documentsThatNeed({ instance, ledger }, file, filters)) {
    const isMeant = mayBeAsked(entry, filters, 'reprocess');
    if (isMeant && isReplaceable(entry.state, entry.hold?.rule)) entries.push(entry);
  }
  return { entries };
}

/**
 * Imports a refused file again. --dry-run throws `reprocess/preview-instead`; exit code 3 if the file is refused again.
 */
async function requeue(session: Session, file: SourceFile, given: Options): Promise<void> {
  const { terminal, options, instance } = session;
  const { language } = instance.settings.rules;
  if (given.dryRun) {
    throw new OperatorError('reprocess/preview-instead', REPROCESS_FILE.refused({ file: file.name }), {
      hint: REPROCESS_FILE.preview({ path: file.path }),
    });
  }
  const decision = decisionOf(given);
  const result = await submitDecision(session, { act: 'reprocess-file', file: file.id }, decision);
  if (!result) return;
  const taken = result.files;
  if (options.json) terminal.out(JSON.stringify(taken, null, 2));
  else {
    for (const { name, state, rows, documents, faults } of taken) {
      const result = REPROCESS_OUTCOME.file({
        file: name,
        state: FILE_STATE[state](),
        rows: COUNT.row({ count: rows }),
        documents: COUNT.document({ count: documents }),
      });
      terminal.out(`  ${escapeControls(format(result, language))}`);
      for (const fault of localize(faults, language)) terminal.out(`    ${showFaultIn(fault, language)}`);
    }
  }
  process.exitCode = exitCodeIf(
    taken.some(({ state }) => state === 'refused'),
    3,
  );
}

/** One result per document, and a note if nothing was selected or recorded. */
function show({ options, terminal, instance }: Session, became: readonly ReadAgain[], dryRun: boolean): void {
  const { language } = instance.settings.rules;
  const say = (phrase: Message) => `  ${format(phrase, language)}`;
  if (options.json) terminal.out(JSON.stringify({ dryRun, documents: became.map(readAgainObject) }, null, 2));
  else {
    const errorsOnly = !options.full;
    const each = became.flatMap((one) => linesOf(one, dryRun, { language, errorsOnly }));
    const grouped = errorsOnly ? warningLines(became, language) : [];
    for (const line of [...each, ...grouped]) terminal.out(escapeControls(line));
  }
  if (became.length === 0 && !options.quiet) terminal.talk(say(NOTHING_CHANGED.noneSelected()));
  if (dryRun && !options.quiet) terminal.talk(say(NOTHING_CHANGED.dryRun()));
  process.exitCode = exitCodeIf(became.some(needsPeople), 3);
}

function linesOf(
  one: ReadAgain,
  dryRun: boolean,
  { language, errorsOnly }: { readonly language: Language; readonly errorsOnly: boolean },
): readonly string[] {
  return dryRun && !('done' in one)
    ? becomingLines(one, true, language, { errorsOnly })
    : readAgainLines(one, language, { errorsOnly });
}
