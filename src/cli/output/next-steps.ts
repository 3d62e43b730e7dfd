/**
 * What gets the documents of one cause out of it, as one sentence with the commands to type. Faults of cells are
 * corrected where the cells are; only where every document of an export fails alike is the mapping the first suspect.
 */
import { DOCUMENT_KINDS } from '../../catalogue.ts';
import { format, type Message } from '../../i18n/message.ts';
import { NEXT_STEP } from '../../i18n/messages/cli-views-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { answerCause, faultCause, SET_ASIDE_CAUSE } from '../../model/cause.ts';
import { type Fault, isError, OperatorError } from '../../model/fault.ts';
import { isDismissed, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { DISMISSED, mayBeOut, stateInfo } from '../../model/state.ts';
import { readDocumentCells } from '../../pipeline/preview/document-cells.ts';
import { toFixPath } from '../../pipeline/publishing/correction-file-path.ts';
import { variesAcrossRows } from '../session/cell-edits.ts';
import { uniqueDocumentName } from '../session/document-selection.ts';

/** The documents of one cause: how many, one of them, and how many of which export. */
export type CauseGroup = {
  readonly count: number;
  readonly first: LedgerEntry;
  readonly files: ReadonlyMap<string, { readonly file: LedgerEntry['file']; readonly count: number }>;
};

export type NextStepContext = Parameters<typeof readDocumentCells>[0] & {
  readonly instance: Instance;
  readonly ledger: QueryStore;
};

/** Rules about what only the ERP may change: the number of a tax document. */
const ONLY_IN_ERP: ReadonlySet<string> = new Set(
  DOCUMENT_KINDS.flatMap(({ rules }) => rules.rules.flatMap(({ id, onlyInErp }) => (onlyInErp ? [id] : []))),
);

const CHECK_FAILED = 'map/check-failed';
const IDENTICAL_ROWS = 'map/identical-rows';

/** What a row that was exported twice brings about. */
const FROM_A_ROW_TWICE: ReadonlySet<string> = new Set([IDENTICAL_ROWS, CHECK_FAILED, 'fr-invoice/line-number-twice']);

/** Fewer documents that fail alike may do so by chance. */
const ALL_OF_A_FILE = 3;

/** Bytes of an export that is read again to see in which rows a column differs; fix itself asks for the row beyond. */
const QUICKLY_READ = 32 * 1024 * 1024;

export async function nextStepFor(hands: NextStepContext, group: CauseGroup): Promise<string> {
  const { language } = hands.instance.settings.rules;
  const { first: entry, count } = group;
  const number = quoted(await uniqueDocumentName(hands.ledger, entry));
  const fault = entry.faults.find(isError);
  const acts: readonly string[] = stateInfo(entry.state).acts;
  const cause = causeOf(entry);
  const all = cause === entry.state ? `--state ${cause}` : `--cause ${quoted(cause)}`;
  const say = (phrase: Message) => format(phrase, language);
  if (isDismissed(entry)) return say(DISMISSED.says);
  if (acts.includes('correct')) {
    if (fault?.rule !== undefined && ONLY_IN_ERP.has(fault.rule)) return say(NEXT_STEP.onlyInErp({ rule: fault.rule }));
    const reject = `nightpost reject ${count === 1 ? number : all} --reason "..."`;
    if (fault?.onlyInErp) {
      const rule = fault.code;
      return say(
        entry.facts.identifier === '' ? NEXT_STEP.onlyInErpNoNumber({ rule, reject }) : NEXT_STEP.onlyInErp({ rule }),
      );
    }
    if (fault?.code === 'map/totals-row') {
      const mapping = entry.file.mapping?.file ?? '';
      return say(NEXT_STEP.totalsRow({ mapping, hint: fault.hint ?? '', reject }));
    }
    const again = `nightpost reprocess ${count === 1 ? number : all} --reason "..."`;
    if (fault?.code === 'map/beside-broken-row' && fault.hint !== undefined) {
      const row = fault.onlyInErp ? undefined : await documentOfRow(hands, entry, fault);
      if (!row) return say(NEXT_STEP.neighborRow({ hint: fault.hint, again }));
      const name = quoted(await uniqueDocumentName(hands.ledger, row));
      const cell = quoted(
        `${row.faults.find(isError)?.origin?.column ?? say(NEXT_STEP.column())}=${say(NEXT_STEP.value())}`,
      );
      const fix = `nightpost fix ${name} ${cell} --reason "..."`;
      const aside = `nightpost reject ${name} --reason "..."`;
      return say(NEXT_STEP.neighborCell({ hint: fault.hint, fix, reject: aside, again }));
    }
    if (fault?.code === 'map/not-in-table' && entry.class === '' && fault.hint !== undefined) {
      return say(NEXT_STEP.noSuchClass({ hint: fault.hint, again, reject }));
    }
    const beyondCells = withoutCells(entry, fault, { again, reject });
    if (beyondCells) return say(beyondCells);
    const isCheck = fault?.code === CHECK_FAILED;
    const cell = entry.faults.some(({ suggestion }) => suggestion !== undefined)
      ? '--suggested'
      : quoted(
          `${await cellAtFault(hands, entry, isCheck ? undefined : fault, say(NEXT_STEP.column()))}=${say(NEXT_STEP.value())}`,
        );
    const fix = `nightpost fix ${number} ${cell} --reason "..."`;
    const way = count === 1 ? fix : await together(hands, group, { fix, again });
    if (isCheck) return say(NEXT_STEP.compareWithOriginal({ number, values: fault.hint ?? fault.message, way }));
    return typeof way === 'string' ? way : say(way);
  }
  if (acts.includes('release')) {
    const [release, reject] = ['release', 'reject'].map((act) => `nightpost ${act} ${number} --reason "..."`);
    const way = mayBeOut(entry.hold?.rule) ? NEXT_STEP.releaseCompared : NEXT_STEP.release;
    return say(way({ number, release: release!, reject: reject! }));
  }
  if (acts.includes('resend')) {
    const retry = `nightpost retry ${count === 1 ? number : `--state ${entry.state}`} --reason "..."`;
    return say((entry.state === 'failed' ? NEXT_STEP.support : NEXT_STEP.resend)({ retry }));
  }
  if (acts.includes('consult')) {
    const consult = `nightpost consult ${count === 1 ? number : all}`;
    return say(NEXT_STEP.resolve({ consult, resolve: `nightpost resolve ${number} --as ... --reason "..."` }));
  }
  return `nightpost show ${number}`;
}

/** The document of the row that this one waits for; undefined where a totals row or nothing of its own stands there. */
async function documentOfRow(
  { ledger }: NextStepContext,
  entry: LedgerEntry,
  { origin }: Fault,
): Promise<LedgerEntry | undefined> {
  if (origin === undefined) return undefined;
  for await (const other of ledger.entriesOf(entry.file.rereads ?? entry.file.id)) {
    if (!other.rows.includes(origin.row)) continue;
    const own = other.faults.find(isError);
    return other.id === entry.id || own?.code === 'map/totals-row' ? undefined : other;
  }
  return undefined;
}

/** Of what no cell at fault gets a document out: its number, its rows, the mapping. */
function withoutCells(
  entry: LedgerEntry,
  fault: Fault | undefined,
  { again, reject }: { readonly again: string; readonly reject: string },
): Message | undefined {
  if (entry.state === 'conflict')
    return NEXT_STEP.newNumber({ first: quoted(entry.first?.name ?? entry.name), reject });
  const mapping = entry.file.mapping?.file ?? '';
  if (fault?.code === 'map/key-came-back') return NEXT_STEP.rowsAnywhere({ mapping, again });
  if (fault?.code.endsWith('/not-filled-in')) return NEXT_STEP.fillIn({ mapping, field: fault.at ?? '', again });
  const twice = rowTwice(entry);
  if (twice) return NEXT_STEP.rowTwice({ message: twice.message });
  const { at, hint, origin } = fault ?? {};
  const isNowhere = at !== undefined && hint !== undefined && origin?.column === undefined;
  return isNowhere ? NEXT_STEP.missingValue({ hint, mapping, again }) : undefined;
}

/** A row that is in the document twice, where that explains its first fault. */
function rowTwice({ faults }: LedgerEntry): Fault | undefined {
  const fault = faults.find(isError);
  return fault && FROM_A_ROW_TWICE.has(fault.code) ? faults.find(({ code }) => code === IDENTICAL_ROWS) : undefined;
}

/**
 * What documents with one way out have in common, as `--cause` takes it: each check of a mapping is a cause of its own,
 * and so is a row that is there twice.
 */
export function causeOf(entry: LedgerEntry): string {
  const { state, service, answer, hold } = entry;
  const fault = entry.faults.find(isError);
  if (isDismissed(entry)) return SET_ASIDE_CAUSE;
  if (fault && (state === 'invalid' || state === 'conflict')) {
    if (rowTwice(entry)) return IDENTICAL_ROWS;
    return fault.code === CHECK_FAILED && fault.mark ? faultCause(fault.code, fault.mark) : fault.code;
  }
  if (hold) return hold.rule;
  return answer ? answerCause(service, answer.code) : state;
}

async function together(
  { instance, ledger }: NextStepContext,
  { first, files }: CauseGroup,
  { fix, again }: { readonly fix: string; readonly again: string },
): Promise<Message> {
  if (first.faults.find(isError)?.code === 'map/not-in-table') return NEXT_STEP.missingTableEntry({ again, fix });
  const others: SourceFile[] = [];
  let whole: Message | undefined;
  for (const { file, count } of files.values()) {
    if (whole || count < ALL_OF_A_FILE || count < (await documentsOf(ledger, file.id))) others.push(file);
    else whole = NEXT_STEP.allOfFile({ count, file: file.name, mapping: file.mapping?.file ?? '', again });
  }
  if (others.length === 0) return NEXT_STEP.oneByOne({ way: whole!, fix });
  const paths = others.flatMap((file) => toFixPath(instance.folder, file) ?? []);
  const path = paths.length === 1 ? paths[0]! : NEXT_STEP.toFixFiles();
  const cells = paths.length < others.length ? NEXT_STEP.editCellsInErp() : NEXT_STEP.editCells({ path });
  return NEXT_STEP.oneByOne({ way: whole ? NEXT_STEP.otherDocuments({ whole, others: cells }) : cells, fix });
}

/** With the copies of what was there before: the mapping made the same of them once more, so it is not at fault. */
async function documentsOf(ledger: QueryStore, file: string): Promise<number> {
  return Object.values(await ledger.counts({ file })).reduce((sum, one) => sum + one, 0);
}

/** As `fix` takes it: with its row where the column differs between the rows of the document. */
async function cellAtFault(
  hands: NextStepContext,
  entry: LedgerEntry,
  fault: Fault | undefined,
  none: string,
): Promise<string> {
  const { column, row } = fault?.origin ?? {};
  if (column === undefined) return none;
  if (row === undefined || entry.rows.length < 2 || entry.file.size > QUICKLY_READ) return column;
  try {
    return variesAcrossRows(await readDocumentCells(hands, entry), column) ? `${column}@${row}` : column;
  } catch (error) {
    // The source is gone: fix would say so.
    if (error instanceof OperatorError) return column;
    throw error;
  }
}

function quoted(text: string): string {
  return /^[\w@=.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
