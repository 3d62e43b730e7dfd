/**
 * `errors`: lists documents and files that wait for a person, one line each or grouped by cause with the next step.
 * Reads only; the exit code is 0 even if there are some.
 */
import type { Command } from 'commander';
import { format, type Message } from '../../i18n/message.ts';
import { ERRORS, ERRORS_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import { causeOf, SET_ASIDE_CAUSE } from '../../model/cause.ts';
import { isError, isOnlyInErp } from '../../model/fault.ts';
import {
  isClosed,
  isNoDocument,
  type LedgerEntry,
  type Selector,
  type SourceFile,
  stateInWords,
} from '../../model/ledger-entry.ts';
import { allows, WAITING_STATES } from '../../model/state.ts';
import { toFixPath } from '../../pipeline/publishing/correction-file-path.ts';
import { lookIntoLedgerOf, systemClock } from '../../runs/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import { GROUPINGS, type Grouping, groupDocuments, shortNamesOf } from '../../views/queries/causes.ts';
import { refuseUnknownSelection } from '../../views/queries/list-values.ts';
import { mappingProposals } from '../../views/queries/mapping-proposals.ts';
import { refusedFiles } from '../../views/queries/refused-files.ts';
import { describeCause } from '../../views/wording/cause-words.ts';
import { entryIn, spokenIn } from '../../views/wording/spoken-faults.ts';
import { type Column, table } from '../layout/layout.ts';
import { groupedObject, refusalLines } from '../output/cause-lines.ts';
import { groupedLines } from '../output/cause-screen.ts';
import { withMore } from '../output/counted-words.ts';
import { wordOf } from '../output/progress.ts';
import { proposalLines } from '../output/proposal-lines.ts';
import { showWarnings } from '../output/warning-list.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSessionToLook, type Session } from '../session/command-session.ts';
import { SELECTOR_VALUES, type SelectorOptions, selectorOf } from '../session/document-selection.ts';

type Options = SelectorOptions & { readonly group?: Grouping | true; readonly warnings?: true };

/** Names of documents shown per correction file. */
const SHOWN = 5;

export const errorsCommand: CommandModule = {
  run: listErrors,
  values: { group: { choices: GROUPINGS }, ...SELECTOR_VALUES },
};

/** `warnings`: the same as errors --warnings. */
export const warningsCommand: CommandModule = {
  run: (names: string[], given: SelectorOptions, command: Command) =>
    listErrors(names, { ...given, warnings: true }, command),
  values: SELECTOR_VALUES,
};

/**
 * --json prints entries and files as the ledger has them, with faults in the language of the settings; with --group the
 * groups.
 */
async function listErrors(names: string[], given: Options, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { options, terminal, instance, say } = session;
  await using ledger = await lookIntoLedgerOf(instance);
  const selector = selectorOf(names, given, session.locale.zone);
  await refuseUnknownSelection({ instance, ledger }, selector);
  if (given.warnings) return await showWarnings(session, ledger.queries, selector);
  const waiting = await findWaiting(session, ledger, { names, given, selector });
  const by = given.group === true ? 'cause' : given.group;
  const context = { instance, ledger, clock: systemClock };
  const proposals = await mappingProposals(ledger.queries, () => instance.mappings);
  const grouped = by && { by, ...waiting, proposals, groups: groupDocuments(waiting.documents, by) };
  if (options.json) {
    const data = grouped ? await groupedObject(context, grouped) : { ...waiting, proposals };
    return terminal.data(JSON.stringify(data, null, 2));
  }
  if (waiting.documents.length + waiting.files.length > 0) {
    const lines = grouped
      ? await groupedLines(session, context, grouped)
      : [...documentLines(session, waiting), ...proposalLines(proposals, say)];
    for (const line of lines) terminal.out(line);
  } else if (!options.quiet) terminal.out(`  ${say(nothingFound(names, given))}`);
}

/** What the tables show; `files` are those without documents. */
type Waiting = { readonly documents: readonly LedgerEntry[]; readonly files: readonly SourceFile[] };

/** Documents and files that wait for a person, or those that are named or selected. */
async function findWaiting(
  { language }: Session,
  ledger: Awaited<ReturnType<typeof lookIntoLedgerOf>>,
  {
    names,
    given,
    selector,
  }: { readonly names: readonly string[]; readonly given: Options; readonly selector: Selector },
): Promise<Waiting> {
  const isSelected = selectsSetAside(names, given);
  const documents: LedgerEntry[] = [];
  for await (const entry of ledger.queries.find({ states: WAITING_STATES, ...selector })) {
    if (isSelected || !isClosed(entry)) documents.push(entryIn(entry, language));
  }
  const hasFiles = names.length === 0 && !given.state && !given.mapping && !given.cause;
  const files = hasFiles ? await refusedFiles(ledger.queries, given) : [];
  return { documents, files: files.map((file) => spokenIn(file, language)) };
}

/** Documents set aside are listed only if they are named, or selected by their state or cause. */
function selectsSetAside(names: readonly string[], { state, cause }: Options): boolean {
  return names.length > 0 || state !== undefined || cause === SET_ASIDE_CAUSE;
}

function documentLines(session: Session, { documents, files }: Waiting): readonly string[] {
  const { instance, language, say } = session;
  return [
    ...documentTable(session, documents),
    ...toFixLines(instance.folder, documents).map((message) => `  ${say(message)}`),
    ...refusalLines(files, language),
  ];
}

/** "Nothing waits" is printed only if nothing limits the search. */
function nothingFound(names: readonly string[], given: Options): Message {
  const { cause, mapping, run, since } = given;
  if (cause !== undefined) return ERRORS.noCause({ cause: escapeControls(cause) });
  if (selectsSetAside(names, given) || mapping || run || since) return ERRORS.nothingSelected();
  return ERRORS.nothing();
}

/** The correction files with the documents in each. Documents that only the ERP can correct are left out. */
function toFixLines(folder: string, entries: readonly LedgerEntry[]): readonly Message[] {
  const numbers = new Map<string, string[]>();
  const nameOf = shortNamesOf(entries);
  for (const entry of entries) {
    if (isClosed(entry) || !allows(entry.state, 'fix')) continue;
    if (entry.faults.some(isOnlyInErp) || isNoDocument(entry)) continue;
    const path = toFixPath(folder, entry.file);
    if (path !== undefined) numbers.set(path, [...(numbers.get(path) ?? []), nameOf(entry)]);
  }
  return [...numbers].map(([path, all]) => {
    const documents = escapeControls(all.slice(0, SHOWN).join(', '));
    return ERRORS.toCorrectIn({
      path: escapeControls(path),
      documents: withMore(documents, all.length - SHOWN),
    });
  });
}

/** A table as one text; none without documents. */
function documentTable({ language, terminal }: Session, entries: readonly LedgerEntry[]): readonly string[] {
  if (entries.length === 0) return [];
  const nameOf = shortNamesOf(entries);
  const rows = entries.map((entry) => {
    return [
      nameOf(entry),
      isClosed(entry) ? format(stateInWords(entry), language) : wordOf(entry.state, language),
      entry.facts.counterparty ?? '',
      placeOf(entry),
      causeOf(entry),
      describeCause(entry, language),
    ];
  });
  const { document, state, counterparty, from, cause } = ERRORS_TABLE;
  const title = (of: typeof document) => format(of(), language);
  const columns: readonly Column[] = [
    { title: title(document), fit: 'whole' },
    { title: title(state), fit: 'whole' },
    { title: title(counterparty), fit: 'end' },
    { title: title(from) },
    { title: title(cause), fit: 'below' },
    { title: '', fit: 'below' },
  ];
  return [table(columns, rows, terminal.width)];
}

/**
 * The cell of the first error, else the first row. For XML the line and the end of the path, because editors show
 * lines.
 */
function placeOf({ file, rows, faults }: LedgerEntry): string {
  const { row = rows[0], line, path, column } = faults.find(isError)?.origin ?? {};
  const element = path ?? column;
  if (element === undefined || (line === undefined && path !== undefined)) return `${file.name}:${row ?? ''}`;
  const steps = element.split('/');
  return `${file.name}:${line ?? row ?? ''} ${steps.length > 4 ? `…/${steps.slice(-2).join('/')}` : element}`;
}
