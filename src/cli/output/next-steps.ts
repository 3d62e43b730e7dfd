/**
 * Composes the next step for the documents of one cause: one sentence with the commands to type. Faults of cells are
 * corrected in the cells; the mapping is suspected first only if every document of an export fails alike. An unreadable
 * source is no error here: `fix` reports it.
 */

import { DOCUMENT_KINDS } from '../../catalogue.ts';
import { variesAcrossRows } from '../../decisions/cell-edits.ts';
import { format, type Message, verbatimText } from '../../i18n/message.ts';
import { NEXT_STEP } from '../../i18n/messages/cli-views-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { CHECK_FAILED, rowTwice } from '../../model/cause.ts';
import { type Fault, isError, OperatorError } from '../../model/fault.ts';
import { firstFileOf, isClosed, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { actsFor, mayBeOut, SET_ASIDE_INFO } from '../../model/state.ts';
import { toFixPath } from '../../pipeline/publishing/correction-file-path.ts';
import { readDocumentCells } from '../../pipeline/reprocessing/document-cells.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { CauseGroup } from '../../views/queries/causes.ts';
import { fixOfAll } from '../../views/wording/starting-command.ts';
import { uniqueDocumentName } from '../session/document-selection.ts';

/** What the search for a cell or a neighbor reads. */
export type NextStepContext = Parameters<typeof readDocumentCells>[0] & {
  readonly instance: Instance;
  readonly ledger: Pick<Ledger, 'queries'>;
};

/** Rules about values that only the ERP may change, such as the number of a tax document. */
const ONLY_IN_ERP: ReadonlySet<string> = new Set(
  DOCUMENT_KINDS.flatMap(({ rules }) => rules.rules.filter(({ onlyInErp }) => onlyInErp).map(({ id }) => id)),
);

/** Documents: fewer that fail alike may do so by chance. */
const ALL_OF_A_FILE = 3;

/** Bytes of the largest export that is read again to find the row; for a larger one, `fix` asks for the row. */
const QUICKLY_READ = 32 * 1024 * 1024;

/** Commands with a selector for all documents of a cause; some always take one document. */
type Commands = {
  readonly number: string;
  readonly reject: string;
  readonly reprocess: string;
  readonly release: string;
  readonly retry: string;
  readonly consult: string;
  readonly resolve: string;
  readonly acknowledge: string;
};

async function commandsFor({ ledger }: NextStepContext, { key, first, count }: CauseGroup): Promise<Commands> {
  const number = shellWord(await uniqueDocumentName(ledger.queries, first));
  const byCause = key === first.state ? `--state ${key}` : `--cause ${shellWord(key)}`;
  const [all, byState] = count === 1 ? [number, number] : [byCause, `--state ${first.state}`];
  return {
    number,
    reject: `nightpost set-aside ${all} --reason "..."`,
    reprocess: `nightpost reprocess ${all} --reason "..."`,
    release: `nightpost release ${all} --reason "..."`,
    retry: `nightpost retry ${byState} --reason "..."`,
    consult: `nightpost consult ${all}`,
    resolve: `nightpost resolve ${number} --as ... --evidence ... --reason "..."`,
    acknowledge: `nightpost acknowledge ${all} --reason "..."`,
  };
}

/** The sentence in the language of the settings, for a terminal. */
export async function nextStepFor(context: NextStepContext, group: CauseGroup): Promise<string> {
  const { language } = context.instance.settings.rules;
  return format(await nextStep(context, group), language);
}

/** The acts that the state allows decide: fix, release, retry, consult; else `show`. */
async function nextStep(context: NextStepContext, group: CauseGroup): Promise<Message> {
  const { first: entry } = group;
  if (isClosed(entry)) return SET_ASIDE_INFO.says;
  const commands = await commandsFor(context, group);
  const { number, release, retry, consult, resolve, acknowledge } = commands;
  const acts = actsFor(entry.state, entry.hold?.rule);
  if (acts.includes('fix')) return await correctionStep(context, group, commands);
  if (acts.includes('release')) {
    const { reject } = commands;
    if (!mayBeOut(entry.hold?.rule)) return NEXT_STEP.release({ number, release, reject });
    // Each may have been sent from elsewhere: a person compares them one by one.
    const one = `nightpost release ${number} --reason "..."`;
    if (acts.includes('resolve')) return NEXT_STEP.outcomeArrived({ number, resolve, release: one });
    return NEXT_STEP.releaseCompared({ number, release: one, reject: `nightpost set-aside ${number} --reason "..."` });
  }
  if (acts.includes('retry')) return (entry.state === 'failed' ? NEXT_STEP.support : NEXT_STEP.resend)({ retry });
  if (acts.includes('consult')) {
    const isAsked = context.instance.destinations.some(({ name, consult: ask }) => name === entry.service && ask);
    return isAsked ? NEXT_STEP.resolve({ consult, resolve }) : NEXT_STEP.resolveInPortal({ resolve });
  }
  if (acts.includes('acknowledge')) return NEXT_STEP.acknowledge({ acknowledge });
  return verbatimText(`nightpost show ${number}`);
}

/**
 * From the most specific fault to the general one: a fix that only the ERP can make never shows a command for cells.
 */
async function correctionStep(context: NextStepContext, group: CauseGroup, commands: Commands): Promise<Message> {
  const { first: entry } = group;
  const fault = entry.faults.find(isError);
  const { reject, reprocess: again } = commands;
  if (!fault) return withoutCells(entry, fault, { again, reject }) ?? (await cellStep(context, group, commands));
  const { code, hint, rule } = fault;
  if (rule !== undefined && ONLY_IN_ERP.has(rule)) return NEXT_STEP.onlyInErp({ rule });
  if (fault.onlyInErp && entry.facts.identifier === '') return NEXT_STEP.onlyInErpNoNumber({ rule: code, reject });
  if (fault.onlyInErp) return NEXT_STEP.onlyInErp({ rule: code });
  if (code === 'map/totals-row') {
    return NEXT_STEP.totalsRow({ mapping: entry.file.mapping?.file ?? '', hint: hint ?? '', reject });
  }
  if (code === 'map/beside-broken-row' && hint !== undefined) {
    return await neighborStep(context, group, { hint, again, fault });
  }
  if (code === 'map/not-in-table' && entry.class === '' && hint !== undefined) {
    return NEXT_STEP.noSuchClass({ hint, again, reject });
  }
  return withoutCells(entry, fault, { again, reject }) ?? (await cellStep(context, group, commands));
}

/** A document that waits for the correction of the row next to it. */
async function neighborStep(
  context: NextStepContext,
  { first }: CauseGroup,
  { hint, again, fault }: { readonly hint: string; readonly again: string; readonly fault: Fault },
): Promise<Message> {
  const { language } = context.instance.settings.rules;
  const neighbor = await documentOfRow(context, first, fault);
  if (!neighbor || neighbor.faults.some(isOfMapping)) return NEXT_STEP.neighborRow({ hint, again });
  const name = shellWord(await uniqueDocumentName(context.ledger.queries, neighbor));
  const column = neighbor.faults.find(isError)?.origin?.column ?? format(NEXT_STEP.column(), language);
  const fix = `nightpost fix ${name} ${shellWord(`${column}=${format(NEXT_STEP.value(), language)}`)} --reason "..."`;
  return NEXT_STEP.neighborCell({ hint, fix, reject: `nightpost set-aside ${name} --reason "..."`, again });
}

/** A cell to correct; of many documents their files. */
async function cellStep(
  context: NextStepContext,
  group: CauseGroup,
  { number, reprocess: again }: Commands,
): Promise<Message> {
  const { first: entry } = group;
  const fault = entry.faults.find(isError);
  const isCheck = fault?.code === CHECK_FAILED;
  const fix = `nightpost fix ${number} ${await cellToFix(context, entry, isCheck ? undefined : fault)} --reason "..."`;
  const all = isCheck ? undefined : fixOfAll(group, context.instance.settings.rules.language);
  const step = await together(context, group, { fix, all, again });
  if (!isCheck) return step;
  return NEXT_STEP.compareWithOriginal({ number, values: fault.hint ?? fault.message, way: step });
}

/** What `fix` takes: `--suggested`, or the cell and a placeholder for its value. */
async function cellToFix(context: NextStepContext, entry: LedgerEntry, fault: Fault | undefined): Promise<string> {
  if (entry.faults.some(({ suggestion }) => suggestion !== undefined)) return '--suggested';
  const { language } = context.instance.settings.rules;
  const cell = await cellAtFault(context, entry, fault, format(NEXT_STEP.column(), language));
  return shellWord(`${cell}=${format(NEXT_STEP.value(), language)}`);
}

/** The document of the row that this one waits for; undefined if the row is a totals row or has no document. */
async function documentOfRow(
  { ledger }: NextStepContext,
  entry: LedgerEntry,
  { origin }: Fault,
): Promise<LedgerEntry | undefined> {
  if (origin === undefined) return undefined;
  for await (const other of ledger.queries.entriesOf(firstFileOf(entry))) {
    if (!other.rows.includes(origin.row)) continue;
    const isTotalsRow = other.faults.find(isError)?.code === 'map/totals-row';
    return other.id === entry.id || isTotalsRow ? undefined : other;
  }
  return undefined;
}

/** What the mapping says of a row, or of one that it leaves out, has to be changed: no cell is wrong, nor the export. */
const OF_MAPPING = /^(?:csv|fixed|xlsx)\/(?:nothing-to-fill-down|line-without-header|unknown-record-type)$/;

function isOfMapping({ code, level, onlyInErp }: Fault): boolean {
  return level === 'error' && !onlyInErp && OF_MAPPING.test(code);
}

/** The step for faults that no cell can fix: number, rows, mapping. Undefined if a cell can. */
function withoutCells(
  entry: LedgerEntry,
  fault: Fault | undefined,
  { again, reject }: { readonly again: string; readonly reject: string },
): Message | undefined {
  if (entry.state === 'conflict')
    return NEXT_STEP.newNumber({ first: shellWord(entry.first?.name ?? entry.name), reject });
  const mapping = entry.file.mapping?.file ?? '';
  if (fault?.code === 'map/key-came-back') return NEXT_STEP.rowsAnywhere({ mapping, again });
  if (fault?.hint !== undefined && isOfMapping(fault)) return NEXT_STEP.neighborRow({ hint: fault.hint, again });
  if (fault?.code.endsWith('/not-filled-in')) return NEXT_STEP.fillIn({ mapping, field: fault.at ?? '', again });
  const twice = rowTwice(entry);
  if (twice) return NEXT_STEP.rowTwice({ message: twice.message });
  const { at, hint, origin } = fault ?? {};
  if (at === undefined || hint === undefined || origin?.column !== undefined) return undefined;
  return NEXT_STEP.missingValue({ hint, mapping, again });
}

/** One document: its fix. Many: names the exports of which all documents fail, then the correction files of the others. */
async function together(
  { instance, ledger }: NextStepContext,
  { first, count: documents, files }: CauseGroup,
  { fix, all, again }: { readonly fix: string; readonly all: string | undefined; readonly again: string },
): Promise<Message> {
  if (documents === 1) return verbatimText(fix);
  if (first.faults.find(isError)?.code === 'map/not-in-table')
    return NEXT_STEP.missingTableEntry({ again, fix: all ?? fix });
  const { whole, others } = await wholeFiles(ledger.queries, files, again);
  if (whole && others.length === 0) return oneByOneOrAll(whole, fix, all);
  const paths = others.flatMap((file) => toFixPath(instance.folder, file) ?? []);
  const [onlyPath, secondPath] = paths;
  const path = onlyPath !== undefined && secondPath === undefined ? onlyPath : NEXT_STEP.toFixFiles();
  const cells = paths.length < others.length ? NEXT_STEP.editCellsInErp() : NEXT_STEP.editCells({ path });
  if (whole) return oneByOneOrAll(NEXT_STEP.otherDocuments({ whole, others: cells }), fix, all);
  return all === undefined ? NEXT_STEP.oneByOne({ way: cells, fix }) : NEXT_STEP.allAtOnce({ way: cells, fix: all });
}

/** The sentence about an export of which all documents fail, and the exports of which only some do. */
async function wholeFiles(ledger: QueryStore, files: CauseGroup['files'], again: string) {
  const others: SourceFile[] = [];
  let whole: Message | undefined;
  for (const { file, count } of files.values()) {
    if (whole || count < ALL_OF_A_FILE || count < (await documentsOf(ledger, file.id))) others.push(file);
    else whole = NEXT_STEP.allOfFile({ count, file: file.name, mapping: file.mapping?.file ?? '', again });
  }
  return { whole, others };
}

/** The mapping first: a correction of cells would hide that all documents of a file fail alike. */
function oneByOneOrAll(way: Message, fix: string, all: string | undefined): Message {
  return all === undefined ? NEXT_STEP.oneByOne({ way, fix }) : NEXT_STEP.orAllAtOnce({ way, fix: all });
}

/** All documents of a file, duplicates included: a mapping that made the same duplicates again is not at fault. */
async function documentsOf(ledger: QueryStore, file: string): Promise<number> {
  return Object.values(await ledger.counts({ file })).reduce((sum, one) => sum + one, 0);
}

/** As `fix` takes it: with its row where the column differs between the rows of the document. */
async function cellAtFault(
  context: NextStepContext,
  entry: LedgerEntry,
  fault: Fault | undefined,
  none: string,
): Promise<string> {
  const { column, row } = fault?.origin ?? {};
  if (column === undefined) return none;
  if (row === undefined || entry.rows.length < 2 || entry.file.size > QUICKLY_READ) return column;
  try {
    return variesAcrossRows(await readDocumentCells(context, entry), column) ? `${column}@${row}` : column;
  } catch (error) {
    // The source is gone: `fix` reports it.
    if (error instanceof OperatorError) return column;
    throw error;
  }
}
