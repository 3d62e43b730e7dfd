/**
 * `errors`: lists documents and files that wait for a person, one line each or grouped by cause with the next step.
 * Reads only; the exit code is 0 even if there are some.
 */
import type { Command } from 'commander';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { ERRORS, ERRORS_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import { SET_ASIDE_CAUSE } from '../../model/cause.ts';
import { type Fault, isError, isOnlyInErp, showFaultIn } from '../../model/fault.ts';
import { isNoDocument, isSetAside, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { allows, SET_ASIDE_INFO, STATE_NAMES, stateInfo } from '../../model/state.ts';
import { lookIntoLedgerOf, systemClock } from '../../pipeline/open-run.ts';
import { toFixPath } from '../../pipeline/publishing/correction-file-path.ts';
import { refusedFiles } from '../../pipeline/queries/refused-files.ts';
import { escapeControls } from '../../text/printable.ts';
import { table } from '../layout/layout.ts';
import { withDots, withMore } from '../output/counted-words.ts';
import { causeOf, type NextStepContext, nextStepFor } from '../output/next-steps.ts';
import { wordOf } from '../output/progress.ts';
import { entryIn, spokenIn } from '../output/spoken-faults.ts';
import { showWarnings } from '../output/warning-list.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSessionToLook, type Session } from '../session/command-session.ts';
import { SELECTOR_VALUES, type SelectorOptions, selectorOf } from '../session/document-selection.ts';

type Options = SelectorOptions & { readonly group?: string; readonly warnings?: true };

/** Names shown: of documents per correction file, and of documents per cause. */
const SHOWN = 5;
const NAMED = 3;

/** States that wait for a person, and `invalidated`, which the company must know. */
const WAITING = STATE_NAMES.filter((state) => {
  const { actor, folder } = stateInfo(state);
  return state === 'held' || (folder === 'error' && (actor !== 'nobody' || state === 'invalidated'));
});

export const errorsCommand: CommandModule = {
  run: listErrors,
  values: { group: { choices: ['cause'] }, ...SELECTOR_VALUES },
};

/** --json prints entries and files as the ledger has them, with faults in the language of the settings. */
async function listErrors(names: string[], given: Options, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { options, terminal, instance, say } = session;
  await using ledger = await lookIntoLedgerOf(instance);
  if (given.warnings) return await showWarnings(session, ledger, selectorOf(names, given));
  const waiting = await findWaiting(session, ledger, { names, given });
  if (options.json) return terminal.out(JSON.stringify(waiting, null, 2));
  if (waiting.documents.length + waiting.files.length > 0) {
    const context = { instance, ledger, clock: systemClock };
    const lines = given.group ? await causeLines(session, context, waiting) : documentLines(session, waiting);
    for (const line of lines) terminal.out(line);
  } else if (!options.quiet) terminal.out(`  ${say(nothingFound(names, given))}`);
}

/** What the tables show; `files` are those without documents. */
type Waiting = { readonly documents: readonly LedgerEntry[]; readonly files: readonly SourceFile[] };

/** Documents and files that wait for a person, or those that are named or selected. */
async function findWaiting(
  { language }: Session,
  ledger: Awaited<ReturnType<typeof lookIntoLedgerOf>>,
  { names, given }: { readonly names: readonly string[]; readonly given: Options },
): Promise<Waiting> {
  const isSelected = selectsSetAside(names, given);
  const documents: LedgerEntry[] = [];
  for await (const entry of ledger.find({ states: WAITING, ...selectorOf(names, given) })) {
    if (isSelected || !isSetAside(entry)) documents.push(entryIn(entry, language));
  }
  const hasFiles = names.length === 0 && !given.state && !given.mapping && !given.cause;
  const files = hasFiles ? await refusedFiles(ledger, given) : [];
  return { documents, files: files.map((file) => spokenIn(file, language)) };
}

/** Documents set aside are listed only if they are named, or selected by their state or cause. */
function selectsSetAside(names: readonly string[], { state, cause }: Options): boolean {
  return names.length > 0 || state !== undefined || cause === SET_ASIDE_CAUSE;
}

function documentLines({ instance, language, say }: Session, { documents, files }: Waiting): readonly string[] {
  return [
    ...documentTable(documents, language),
    ...toFixLines(instance.folder, documents).map((message) => `  ${say(message)}`),
    ...fileLines(files, language),
  ];
}

/** The table of causes with next steps, then the faults of files. */
async function causeLines(
  { language, say }: Session,
  context: NextStepContext,
  { documents, files }: Waiting,
): Promise<readonly string[]> {
  const lines = [...(await causeTable(context, documents, language)), ...fileLines(files, language)];
  if (files.length > 0) lines.push(`  ${say(ERRORS.noExport())}`);
  return lines;
}

function fileLines(files: readonly SourceFile[], language: Language): readonly string[] {
  return files.flatMap(({ day, faults }) => faults.map((fault) => `  ${day}  ${showFaultIn(fault, language)}`));
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
  const nameOf = namesOf(entries);
  for (const entry of entries) {
    if (isSetAside(entry) || !allows(entry.state, 'correct')) continue;
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

/** The cause in one phrase: the first fault, the hold, the response of the service, or the last attempt. */
function describeCause(entry: LedgerEntry, language: Language): string {
  const fault = entry.faults.find(isError);
  const { evidence, hold, answer } = entry;
  if (evidence && isSetAside(entry)) return format(ERRORS.setAside(evidence), language);
  if (fault && (entry.state === 'invalid' || entry.state === 'conflict')) return describeFault(fault, language);
  if (hold) return hold.says;
  if (answer) return [...new Set([answer.name, answer.message].filter(Boolean))].join(': ');
  return entry.attempts.at(-1)?.reason ?? format(stateInfo(entry.state).says, language);
}

/** The message, with the suggested value or the note that only the ERP can correct it. */
function describeFault({ message, suggestion, onlyInErp }: Fault, language: Language): string {
  if (onlyInErp) return format(ERRORS.inErp({ message }), language);
  if (suggestion === undefined) return message;
  return format(ERRORS.writeSuggestion({ message, suggestion }), language);
}

/** A function to the shortest unique name: the number, or the receipt name if two documents have the number. */
function namesOf(entries: readonly LedgerEntry[]): (entry: LedgerEntry) => string {
  const counts = new Map<string, number>();
  for (const { facts } of entries) counts.set(facts.identifier, (counts.get(facts.identifier) ?? 0) + 1);
  return ({ state, facts, name }) => {
    if (state === 'conflict' || counts.get(facts.identifier) !== 1) return name;
    return facts.identifier || name;
  };
}

/** A table as one text; none without documents. */
function documentTable(entries: readonly LedgerEntry[], language: Language): readonly string[] {
  if (entries.length === 0) return [];
  const nameOf = namesOf(entries);
  const rows = entries.map((entry) => {
    return [
      nameOf(entry),
      isSetAside(entry) ? format(SET_ASIDE_INFO.inSentence, language) : wordOf(entry.state, language),
      entry.facts.counterparty ?? '',
      placeOf(entry),
      causeOf(entry),
      describeCause(entry, language),
    ];
  });
  const { document, state, counterparty, from, cause } = ERRORS_TABLE;
  const titles = [document, state, counterparty, from, cause].map((title) => ({
    title: format(title(), language),
  }));
  return [table([...titles, { title: '' }], rows)];
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

/** The documents of one cause, with the names of the first three. */
type Collected = {
  readonly code: string;
  count: number;
  readonly says: string;
  readonly first: LedgerEntry;
  readonly documents: string[];
  readonly files: Map<string, { readonly file: SourceFile; readonly count: number }>;
};

/** The causes and the next steps as one text; none without documents. */
async function causeTable(
  context: NextStepContext,
  entries: readonly LedgerEntry[],
  language: Language,
): Promise<readonly string[]> {
  if (entries.length === 0) return [];
  const sorted = [...causesOf(entries, language).values()].sort((a, b) => b.count - a.count);
  const rows = sorted.map(({ code, count, says, documents }) => [
    String(count),
    code,
    says,
    withDots(documents, count),
  ]);
  const { count, cause, example, documents, whatToDo } = ERRORS_TABLE;
  const title = (of: typeof count) => ({ title: format(of(), language) });
  const causes = table([{ ...title(count), align: 'right' }, title(cause), title(example), title(documents)], rows);
  const steps: string[][] = [];
  for (const group of sorted) steps.push([group.code, await nextStepFor(context, group)]);
  const further = furtherFaults(entries);
  const more = further.size === 0 ? '' : `\n  ${format(ERRORS.further({ causes: shownCounts(further) }), language)}`;
  return [`${causes}${more}\n\n${table([title(cause), title(whatToDo)], steps)}`];
}

/** A document counts under its first cause; this counts the documents that have further errors, by code. */
function furtherFaults(entries: readonly LedgerEntry[]): ReadonlyMap<string, number> {
  const further = new Map<string, number>();
  for (const entry of entries) {
    if (entry.state !== 'invalid' || isSetAside(entry)) continue;
    const cause = causeOf(entry);
    const codes = new Set(entry.faults.filter(isError).map(({ code }) => code));
    for (const code of codes) if (!cause.startsWith(code)) further.set(code, (further.get(code) ?? 0) + 1);
  }
  return further;
}

function shownCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([code, count]) => `${code} (${count})`).join(', ');
}

/** Groups by cause and by who can correct it, in the order of the first document. */
function causesOf(entries: readonly LedgerEntry[], language: Language): ReadonlyMap<string, Collected> {
  const causes = new Map<string, Collected>();
  const nameOf = namesOf(entries);
  for (const entry of entries) {
    const { file } = entry;
    const code = causeOf(entry);
    const says = describeCause(entry, language);
    // A fault that only the ERP can correct has another next step than one that a cell corrects.
    const key = `${code} ${entry.faults.find(isError)?.onlyInErp === true}`;
    const group: Collected = causes.get(key) ?? {
      code,
      count: 0,
      says,
      first: entry,
      documents: [],
      files: new Map(),
    };
    group.count++;
    if (group.documents.length < NAMED) group.documents.push(nameOf(entry));
    group.files.set(file.id, { file, count: (group.files.get(file.id)?.count ?? 0) + 1 });
    causes.set(key, group);
  }
  return causes;
}
