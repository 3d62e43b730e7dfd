/** `errors`: what waits for a person, one line each or grouped by cause. */
import { type Command, Option } from 'commander';
import { KINDS } from '../catalogue.ts';
import { type Entry, isSetAside, type SourceFile } from '../model/entry.ts';
import { type Fault, isError, SetupError, showFault } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { STATE_NAMES, stateInfo } from '../model/state.ts';
import { inLanguage, type Language } from '../model/words.ts';
import { cellsOf, isCorrection, lookIntoLedgerOf, systemClock, toFixPath } from '../pipeline.ts';
import { ERRORS } from './errors-sentences.ts';
import { differs } from './fix.ts';
import { wordOf } from './progress.ts';
import { type SelectorOptions, selectorOf, withSelectors } from './selecting.ts';
import { openSession } from './session.ts';
import { table } from './terminal.ts';
import { showWarnings } from './warnings.ts';

type Options = SelectorOptions & { readonly group?: string; readonly warnings?: true };

/** Rules about what only the ERP may change: the number of a tax document. */
const ONLY_IN_ERP: ReadonlySet<string> = new Set(
  KINDS.flatMap(({ rules }) => rules.rules.flatMap(({ id, onlyInErp }) => (onlyInErp ? [id] : []))),
);

/** Bytes of an export that is read again to see in which rows a column differs; fix itself asks for the row beyond. */
const QUICKLY_READ = 32 * 1024 * 1024;

type Hands = Parameters<typeof cellsOf>[0];

/** Documents that are named for one file. */
const SHOWN = 5;

const WAITING = STATE_NAMES.filter((state) => {
  const { actor, folder } = stateInfo(state);
  return state === 'held' || (folder === 'error' && (actor !== 'nobody' || state === 'invalidated'));
});

export function addErrors(program: Command): void {
  withSelectors(
    program
      .command('errors')
      .description('documents that wait for a person, and files that could not be read')
      .argument('[documents...]', 'ids, document numbers or receipt names; - reads them from standard input')
      .addOption(new Option('--group <by>', 'one line per cause, most frequent first').choices(['cause']))
      .option('--warnings', 'instead: what is told of documents that passed the checks, by cause'),
  ).action(async (names: string[], given: Options, command: Command) => {
    const { options, terminal, instance } = openSession(command);
    const { language } = instance.settings.rules;
    await using ledger = await lookIntoLedgerOf(instance);
    if (given.warnings) return await showWarnings({ options, terminal }, ledger, selectorOf(names, given));
    const selector = { states: WAITING, ...selectorOf(names, given) };
    const entries: Entry[] = [];
    const asked = names.length > 0 || given.state !== undefined;
    for await (const entry of ledger.find(selector)) if (asked || !isSetAside(entry)) entries.push(entry);
    const files =
      names.length > 0 || given.state || given.mapping || given.cause ? [] : await refusedFiles(ledger, given);
    if (options.json) return terminal.out(JSON.stringify({ documents: entries, files }, null, 2));
    if (entries.length === 0 && files.length === 0) {
      return options.quiet ? undefined : terminal.out(`  ${nothingFound(given, asked)}`);
    }
    if (given.group !== undefined && entries.length > 0)
      terminal.out(await grouped({ instance, ledger, clock: systemClock }, entries, language));
    else if (entries.length > 0) terminal.out(listed(entries, language));
    if (given.group === undefined) for (const line of toFixLines(instance.folder, entries)) terminal.out(line);
    for (const file of files) for (const fault of file.faults) terminal.out(`  ${file.day}  ${showFault(fault)}`);
  });
}

/** Only where all was looked at, nothing waits at all. */
function nothingFound({ cause, mapping, run, since }: Options, asked: boolean): string {
  if (cause !== undefined)
    return `Nothing that waits has the cause "${printable(cause)}"; all: nightpost errors --group cause`;
  return asked || mapping || run || since
    ? 'Nothing of what you asked for waits for you; all: nightpost errors'
    : 'Nothing waits for you.';
}

/** The files to correct them in: several of one export hold different documents of it. */
function toFixLines(folder: string, entries: readonly Entry[]): readonly string[] {
  const numbers = new Map<string, string[]>();
  for (const { state, file, facts, name } of entries) {
    if (!(stateInfo(state).acts as readonly string[]).includes('correct')) continue;
    const path = toFixPath(folder, file);
    if (path !== undefined) numbers.set(path, [...(numbers.get(path) ?? []), facts.identifier || name]);
  }
  return [...numbers].map(([path, all]) => {
    const more = all.length > SHOWN ? ` and ${all.length - SHOWN} more` : '';
    return `  to correct in ${printable(path)}: ${printable(all.slice(0, SHOWN).join(', '))}${more}`;
  });
}

/**
 * Refused ones, and correction files that were refused in part, the same bytes once, unless a later file of the same name or with the same bytes was taken: then nobody
 * waits any more.
 */
async function refusedFiles(
  ledger: Awaited<ReturnType<typeof lookIntoLedgerOf>>,
  { run, since = '' }: Options,
): Promise<readonly SourceFile[]> {
  const mended = new Set<string>();
  const refused: SourceFile[] = [];
  for (const file of await ledger.files({ limit: Number.MAX_SAFE_INTEGER })) {
    const isFaulty = isCorrection(file) && file.faults.some(isError);
    const isAdmitted = file.state === 'admitted' && file.rereads === undefined;
    if (isAdmitted && !isFaulty) mended.add(file.name).add(file.sha256);
    if ((file.state !== 'refused' && !isFaulty) || mended.has(file.name) || mended.has(file.sha256)) continue;
    const open = isFaulty ? await stillToCorrect(ledger, file) : file;
    if (open && (run === undefined || file.run === run) && file.claimedAt >= since) refused.push(open);
    mended.add(file.sha256);
  }
  return refused;
}

/** A correction file with what it says of documents that can be corrected, and that nobody has corrected since; undefined where there is none. */
async function stillToCorrect(
  ledger: Awaited<ReturnType<typeof lookIntoLedgerOf>>,
  file: SourceFile,
): Promise<SourceFile | undefined> {
  const revisions = new Map(file.leftOut.flatMap(({ of }) => (of ? [[of.id, of.revision]] : [])));
  const changed = new Set<string>();
  for await (const { id, revision, state } of ledger.find({ ids: [...revisions.keys()] })) {
    const acts: readonly string[] = stateInfo(state).acts;
    if (revision !== revisions.get(id) || !acts.includes('correct')) changed.add(id);
  }
  const done = new Set(file.leftOut.flatMap(({ row, of }) => (of && changed.has(of.id) ? [row] : [])));
  const faults = file.faults.filter((fault) => isError(fault) && !done.has(fault.origin?.row ?? 0));
  return faults.length === 0 ? undefined : { ...file, faults };
}

/** The cause in one phrase: the first fault, the service's answer, or why nobody knows. */
function causeOf(entry: Entry, language: Language): { readonly code: string; readonly says: string } {
  const fault = entry.faults.find(({ level }) => level === 'error');
  if (fault && (entry.state === 'invalid' || entry.state === 'conflict'))
    return { code: fault.code, says: saysOf(fault, language) };
  if (entry.hold) return { code: entry.hold.rule, says: entry.hold.says };
  if (entry.answer) {
    const { code, name, message } = entry.answer;
    return { code: `${entry.service} ${code}`, says: [...new Set([name, message].filter(Boolean))].join(': ') };
  }
  const last = entry.attempts.at(-1);
  return { code: entry.state, says: last?.reason ?? stateInfo(entry.state).says };
}

function saysOf({ message, suggestion }: Fault, language: Language): string {
  return suggestion === undefined ? message : inLanguage(ERRORS.write({ message, suggestion }), language);
}

function listed(entries: readonly Entry[], language: Language): string {
  const rows = entries.map((entry) => {
    const { code, says } = causeOf(entry, language);
    return [
      entry.facts.identifier || entry.name,
      wordOf(entry.state, language),
      entry.facts.counterparty ?? '',
      sourceOf(entry),
      code,
      says,
    ];
  });
  return table(
    ['document', 'state', 'counterparty', 'from', 'cause', ''].map((title) => ({ title })),
    rows,
  );
}

/** The cell of the cause, else the first row; of an XML the line and the end of the path: the row of an element is no line. */
function sourceOf({ file, rows, faults }: Entry): string {
  const { row = rows[0], line, path, column } = faults.find(isError)?.origin ?? {};
  const element = path ?? column;
  if (element === undefined || (line === undefined && path !== undefined)) return `${file.name}:${row ?? ''}`;
  const steps = element.split('/');
  return `${file.name}:${line ?? row ?? ''} ${steps.length > 4 ? `…/${steps.slice(-2).join('/')}` : element}`;
}

async function grouped(hands: Hands, entries: readonly Entry[], language: Language): Promise<string> {
  const groups = new Map<string, { count: number; says: string; first: Entry; documents: string[] }>();
  for (const entry of entries) {
    const { code, says } = causeOf(entry, language);
    const group = groups.get(code) ?? { count: 0, says, first: entry, documents: [] };
    group.count++;
    if (group.documents.length < 3) group.documents.push(entry.facts.identifier || entry.name);
    groups.set(code, group);
  }
  const sorted = [...groups].sort(([, a], [, b]) => b.count - a.count);
  const rows = sorted.map(([code, { count, says, documents }]) => [
    String(count),
    code,
    says,
    documents.join(', ') + (count > documents.length ? ', ...' : ''),
  ]);
  const told = table(
    [{ title: 'count', align: 'right' }, { title: 'cause' }, { title: 'for example' }, { title: 'documents' }],
    rows,
  );
  const ways: string[][] = [];
  for (const [code, { count, first }] of sorted) ways.push([code, await wayOut(hands, first, count)]);
  return `${told}\n\n${table([{ title: 'cause' }, { title: 'what to do' }], ways)}`;
}

/** The command that gets documents of one cause out of it; several are mended together where the mapping is at fault. */
async function wayOut(hands: Hands, entry: Entry, count: number): Promise<string> {
  const number = quoted(entry.facts.identifier || entry.name);
  const fault = entry.faults.find(({ level }) => level === 'error');
  const acts: readonly string[] = stateInfo(entry.state).acts;
  const answered = entry.answer ? String(entry.answer.code) : undefined;
  const code = entry.state === 'invalid' || entry.state === 'conflict' ? fault?.code : answered;
  const all = code === undefined ? `--state ${entry.state}` : `--cause ${code}`;
  if (acts.includes('correct') && fault?.rule !== undefined && ONLY_IN_ERP.has(fault.rule)) {
    return `correct it in the ERP and export it again, nothing alters it here: nightpost explain ${fault.rule}`;
  }
  if (acts.includes('correct')) {
    const cell = entry.faults.some(({ suggestion }) => suggestion !== undefined)
      ? '--suggested'
      : quoted(`${await cellAtFault(hands, entry, fault)}=VALUE`);
    const one = `nightpost fix ${number} ${cell} --reason "..."`;
    return count === 1
      ? one
      : `mend mapping or table, then nightpost reprocess ${all} --reason "..."; one by one: ${one}`;
  }
  if (acts.includes('resend')) {
    return `mend the cause, then nightpost retry ${count === 1 ? number : `--state ${entry.state}`} --reason "..."`;
  }
  if (acts.includes('consult')) {
    return `nightpost consult ${count === 1 ? number : all}; look it up at the service, then nightpost resolve ${number} --as ... --reason "..."`;
  }
  return `nightpost show ${number}`;
}

/** As `fix` takes it: with its row where the column differs between the rows of the document. */
async function cellAtFault(hands: Hands, entry: Entry, fault: Fault | undefined): Promise<string> {
  const { column, row } = fault?.origin ?? {};
  if (column === undefined) return 'COLUMN';
  if (row === undefined || entry.rows.length < 2 || entry.file.size > QUICKLY_READ) return column;
  try {
    return differs(await cellsOf(hands, entry), column) ? `${column}@${row}` : column;
  } catch (error) {
    // The source is gone: fix would say so.
    if (error instanceof SetupError) return column;
    throw error;
  }
}

function quoted(text: string): string {
  return /^[\w@=.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
