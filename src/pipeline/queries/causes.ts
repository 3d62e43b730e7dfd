/**
 * Groups of open documents with one cause, and of refused files: what `errors --group` prints, as data. Entries and files
 * of the ledger come in; groups come out, those with the most documents first. Nothing throws.
 */
import { answerCause, cellCause, type DamageKind, damageKind, faultCause, SET_ASIDE_CAUSE } from '../../model/cause.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, isError } from '../../model/fault.ts';
import { isClosed, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { type StateInfo, stateInfo } from '../../model/state.ts';
import { compareTexts } from '../../text/compare-texts.ts';

/** What documents are grouped by; `cause` also separates mappings, columns and values. */
export const GROUPINGS = ['cause', 'column', 'customer', 'file'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Documents with one cause, or of one column, customer or file. */
export type CauseGroup = {
  /** As `--cause` takes it where `by` is `cause`; else the column, customer or file, empty for documents without one. */
  readonly key: string;
  readonly by: Grouping;
  /** `causeOf` the first document. */
  readonly cause: string;
  readonly kind?: DamageKind;
  readonly mapping?: string;
  readonly column?: string;
  /** The text that all have in the column. */
  readonly value?: string;
  /** Of all documents, if they have one and the same. */
  readonly customer?: string;
  /** What the faults suggest to write, if all suggest the same. */
  readonly suggestion?: string;
  readonly count: number;
  /** Exact sums by currency. */
  readonly amounts: { readonly [currency: string]: string };
  readonly actor: StateInfo['actor'];
  readonly first: LedgerEntry;
  readonly documents: readonly LedgerEntry[];
  /** Documents of each file, by its id. */
  readonly files: ReadonlyMap<string, { readonly file: SourceFile; readonly count: number }>;
};

export const CHECK_FAILED = 'map/check-failed';
const IDENTICAL_ROWS = 'map/identical-rows';

/** Faults that a row exported twice can cause. */
const FROM_A_ROW_TWICE: ReadonlySet<string> = new Set([IDENTICAL_ROWS, CHECK_FAILED, 'fr-invoice/line-number-twice']);

/** Faults that show a cell and are corrected elsewhere: in the mapping, or in the row next to it. */
const NO_CELL: ReadonlySet<string> = new Set(['map/key-came-back', 'map/totals-row', 'map/beside-broken-row']);
const NOT_FILLED_IN = /\/not-filled-in$/;

/** Values that only one document has, in one column: from this number on they are one group. */
const SINGLE_VALUES = 3;

/** Characters. A longer value is not part of a key that people copy. */
const LONGEST_VALUE = 80;

/** A row that is in the document twice, where that explains its first fault. */
export function rowTwice({ faults }: LedgerEntry): Fault | undefined {
  const fault = faults.find(isError);
  if (!fault || !FROM_A_ROW_TWICE.has(fault.code)) return undefined;
  return faults.find(({ code }) => code === IDENTICAL_ROWS);
}

/**
 * The cause that documents with the same next step share, as `--cause` takes it: a fault code, a check of a mapping
 * with its place, a hold rule, a code of the service, or the state.
 */
export function causeOf(entry: LedgerEntry): string {
  const { state, service, answer, hold } = entry;
  const fault = firstFault(entry);
  if (isClosed(entry)) return SET_ASIDE_CAUSE;
  if (fault) {
    if (rowTwice(entry)) return IDENTICAL_ROWS;
    if (fault.code === CHECK_FAILED && fault.mark) return faultCause(fault.code, fault.mark);
    return fault.code;
  }
  if (hold) return hold.rule;
  if (answer) return answerCause(service, answer.code);
  return state;
}

/** The error that a document counts under; undefined for one that passed the checks. */
function firstFault({ state, faults }: LedgerEntry): Fault | undefined {
  return state === 'invalid' || state === 'conflict' ? faults.find(isError) : undefined;
}

/** The groups, by count, then by key. A document is in one group, that of its first error. */
export function groupDocuments(entries: readonly LedgerEntry[], by: Grouping): readonly CauseGroup[] {
  const groups = by === 'cause' ? byCause(entries) : Map.groupBy(entries, (entry) => placeOf(entry, by));
  return [...groups.values()]
    .map((documents) => groupOf(documents, by))
    .sort((a, b) => b.count - a.count || compareTexts(a.key, b.key));
}

/** What a document is grouped under in its cell; undefined where its cause is no fault of a cell. */
function cellOf(entry: LedgerEntry) {
  const fault = firstFault(entry);
  const column = fault?.origin?.column;
  if (!fault || column === undefined || causeOf(entry) !== fault.code) return undefined;
  if (entry.state !== 'invalid' || fault.onlyInErp || NO_CELL.has(fault.code) || NOT_FILLED_IN.test(fault.code)) {
    return undefined;
  }
  const kind = damageKind(fault);
  const mapping = entry.file.mapping?.id;
  const value = (fault.given?.length ?? 0) > LONGEST_VALUE ? undefined : fault.given;
  return definedOnly({ code: fault.code, kind, mapping, column, value });
}

/** Documents by code, mapping, column and value; values of one document each are together if there are many. */
function byCause(entries: readonly LedgerEntry[]): ReadonlyMap<string, readonly LedgerEntry[]> {
  const groups = new Map<string, LedgerEntry[]>();
  const families = Map.groupBy(entries, (entry) => {
    const cell = cellOf(entry);
    return separated(entry, cell ? cellCause(definedOnly({ ...cell, value: undefined })) : causeOf(entry));
  });
  for (const [family, members] of families) {
    const values = Map.groupBy(members, (entry) => cellOf(entry)?.value);
    const single = [...values.values()].filter((own) => own.length === 1).length;
    for (const [value, own] of values) {
      const isAlone = value === undefined || (own.length === 1 && single >= SINGLE_VALUES);
      const key = isAlone ? family : `${family}=${value}`;
      groups.set(key, [...(groups.get(key) ?? []), ...own]);
    }
  }
  return groups;
}

/** A fault that only the ERP can correct has another next step than one that a cell corrects. */
function separated(entry: LedgerEntry, key: string): string {
  return `${firstFault(entry)?.onlyInErp === true} ${key}`;
}

function placeOf(entry: LedgerEntry, by: Exclude<Grouping, 'cause'>): string {
  if (by === 'customer') return entry.facts.counterparty ?? '';
  if (by === 'file') return entry.file.rereads ?? entry.file.id;
  return firstFault(entry)?.origin?.column ?? '';
}

function groupOf(documents: readonly LedgerEntry[], by: Grouping): CauseGroup {
  const first = must(documents[0], 'a document of the group');
  const { actor } = stateInfo(first.state);
  const column = shared(documents, (entry) => firstFault(entry)?.origin?.column);
  const mapping = shared(documents, ({ file }) => file.mapping?.id);
  const value = shared(documents, (entry) => firstFault(entry)?.given);
  const customer = shared(documents, ({ facts }) => facts.counterparty);
  const about = {
    by,
    cause: causeOf(first),
    kind: shared(documents, (entry) => damageKindOf(entry)),
    mapping,
    column,
    value,
    customer,
    suggestion: shared(documents, (entry) => firstFault(entry)?.suggestion),
    count: documents.length,
    amounts: amountsOf(documents),
    actor: isClosed(first) ? ('nobody' as const) : actor,
    first,
    documents,
    files: filesOf(documents),
  };
  return definedOnly({ key: keyOf(documents, by, about), ...about });
}

type Shared = { readonly column: string | undefined; readonly value: string | undefined };

function keyOf(documents: readonly LedgerEntry[], by: Grouping, { column, value }: Shared): string {
  const first = must(documents[0], 'a document of the group');
  if (by === 'column') return column ?? '';
  if (by === 'customer') return first.facts.counterparty ?? '';
  if (by === 'file') return first.file.name;
  const cell = cellOf(first);
  if (!cell) return causeOf(first);
  // The value has its kind in itself.
  if (value !== undefined && cell.value !== undefined) return cellCause(definedOnly({ ...cell, kind: undefined }));
  return cellCause(definedOnly({ ...cell, value: undefined }));
}

function damageKindOf(entry: LedgerEntry): DamageKind | undefined {
  const fault = firstFault(entry);
  return fault && damageKind(fault);
}

/** The value that all documents have; undefined if they differ. */
function shared<T>(documents: readonly LedgerEntry[], read: (entry: LedgerEntry) => T): T | undefined {
  const values = new Set(documents.map(read));
  return values.size === 1 ? [...values][0] : undefined;
}

/** Credit notes have the sign that their amount has in the facts. */
function amountsOf(documents: readonly LedgerEntry[]): CauseGroup['amounts'] {
  const sums = new Map<string, Decimal>();
  for (const { facts } of documents) {
    const amount = facts.amount === undefined ? undefined : Decimal.parse(facts.amount);
    const currency = facts.currency ?? '';
    if (amount) sums.set(currency, (sums.get(currency) ?? Decimal.zero).plus(amount));
  }
  return Object.fromEntries([...sums].map(([currency, sum]) => [currency, withCents(sum)]));
}

function withCents(sum: Decimal): string {
  const [whole = '', cents = ''] = sum.toString().split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
}

function filesOf(documents: readonly LedgerEntry[]): CauseGroup['files'] {
  const files = new Map<string, { readonly file: SourceFile; readonly count: number }>();
  for (const { file } of documents) files.set(file.id, { file, count: (files.get(file.id)?.count ?? 0) + 1 });
  return files;
}

/** Codes of further errors -> documents that have them: each document counts once, under its first error. */
export function furtherFaults(entries: readonly LedgerEntry[]): ReadonlyMap<string, number> {
  const further = new Map<string, number>();
  for (const entry of entries) {
    if (entry.state !== 'invalid' || isClosed(entry)) continue;
    const cause = causeOf(entry);
    const codes = new Set(entry.faults.filter(isError).map(({ code }) => code));
    for (const code of codes) if (!cause.startsWith(code)) further.set(code, (further.get(code) ?? 0) + 1);
  }
  return further;
}

/** Faults of one code in one column of one file, such as 376 damaged cells of a correction file. */
export type RefusalGroup = {
  readonly code: string;
  readonly column?: string;
  readonly file: SourceFile;
  readonly count: number;
  readonly first: Fault;
};

/** The faults of files by file, code and column; the file of the first fault first, then by count. */
export function groupRefusals(files: readonly SourceFile[]): readonly RefusalGroup[] {
  return files.flatMap((file) => {
    const groups = Map.groupBy(file.faults.filter(isError), ({ code, origin }) => `${code} ${origin?.column ?? ''}`);
    return [...groups.values()]
      .map((faults) => {
        const first = must(faults[0], 'a fault of the group');
        return definedOnly({ code: first.code, column: first.origin?.column, file, count: faults.length, first });
      })
      .sort((a, b) => b.count - a.count);
  });
}

/** A function to the shortest unique name: the number, or the receipt name if two documents have the number. */
export function shortNamesOf(entries: readonly LedgerEntry[]): (entry: LedgerEntry) => string {
  const counts = new Map<string, number>();
  for (const { facts } of entries) counts.set(facts.identifier, (counts.get(facts.identifier) ?? 0) + 1);
  return ({ state, facts, name }) => {
    if (state === 'conflict' || counts.get(facts.identifier) !== 1) return name;
    return facts.identifier || name;
  };
}
