/**
 * What waits, by cause: the one author of its groups, counts and sums. A *family* has a key that stays while documents come and
 * go, which is what notices store; a *group* is what a list prints, where values of one cell are apart (`errors --group`). And
 * groups of refused files. Documents of the search index, entries and files of the ledger come in; families and groups come
 * out, those with the most documents first. Nothing throws.
 */

import { causeOf, cellCause, type DamageKind, type OpenWork, workOf } from '../../model/cause.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import { type Fault, isError } from '../../model/fault.ts';
import { documentName, isClosed, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { type CurrencyAmounts, SignedSums } from '../../model/signed-sums.ts';
import { type State, type StateInfo, stateInfo, URGENT_STATES } from '../../model/state.ts';
import { compareTexts } from '../../text/compare-texts.ts';

/** What documents are grouped by; `cause` also separates mappings, columns and values. */
export const GROUPINGS = ['cause', 'column', 'customer', 'file'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Documents with one cause, or of one column, customer or file. */
export type WorkGroup = {
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
  /** Exact sums by currency; credit notes subtract. */
  readonly amounts: CurrencyAmounts;
  /** Words about the first document are not true of each. */
  readonly differs: boolean;
  readonly actor: StateInfo['actor'];
  readonly ids: readonly string[];
};

/** The same with the documents themselves. */
export type CauseGroup = Omit<WorkGroup, 'ids'> & {
  readonly first: LedgerEntry;
  readonly documents: readonly LedgerEntry[];
  /** Documents of each file, by its id. */
  readonly files: ReadonlyMap<string, { readonly file: SourceFile; readonly count: number }>;
};

/** Documents of one service that are in one state for one cause, those that have waited longest first. */
export type Family = {
  /** Stored by notices. It never depends on other documents, nor on values. */
  readonly key: string;
  readonly state: State;
  readonly service: string;
  /** `causeOf` them. */
  readonly cause: string;
  readonly mapping?: string;
  readonly column?: string;
  readonly count: number;
  readonly amounts: CurrencyAmounts;
  /** Of the one that has waited longest, and of the latest; ISO 8601. */
  readonly since: string;
  readonly newest: string;
  readonly differs: boolean;
  readonly ids: readonly string[];
};

/** The families, by count, then by key. A document is in one family, that of its first error. */
export function familiesOf(works: readonly OpenWork[]): readonly Family[] {
  const families = [...Map.groupBy(works, familyKey)].map(([key, own]) => {
    const { state, service, cause, mapping, column } = must(own[0], 'a document of the family');
    return definedOnly({ key, state, service, cause, mapping, column, ...figuresOf(own), ...spanOf(own) });
  });
  return families.sort((a, b) => b.count - a.count || compareTexts(a.key, b.key));
}

function familyKey({ state, service, cause, mapping, column }: OpenWork): string {
  // How these came about is no next step of a person.
  if (URGENT_STATES.includes(state)) return `${state}:${service}`;
  return `cause:${state}:${service}:${cause}:${mapping ?? ''}:${column ?? ''}`;
}

function spanOf(works: readonly OpenWork[]): Pick<Family, 'since' | 'newest'> {
  const times = works.map(({ since }) => since).sort(compareTexts);
  return { since: times[0] ?? '', newest: times.at(-1) ?? '' };
}

/** Characters. A longer value is not part of a key that people copy. */
const LONGEST_VALUE = 80;

/** Values that only one document has, in one column: from this number on they are one group. */
const SINGLE_VALUES = 3;

/** Groups of documents that are grouped again and again: pages of a console ask with the same array until something changes. */
const grouped = new WeakMap<readonly OpenWork[], Map<Grouping, readonly WorkGroup[]>>();

/** The groups, by count, then by key. A document is in one group, that of its first error. */
export function groupWork(works: readonly OpenWork[], by: Grouping): readonly WorkGroup[] {
  const own = grouped.get(works) ?? new Map<Grouping, readonly WorkGroup[]>();
  const groups = own.get(by) ?? groupsOf(works, by);
  grouped.set(works, own.set(by, groups));
  return groups;
}

function groupsOf(works: readonly OpenWork[], by: Grouping): readonly WorkGroup[] {
  const groups = by === 'cause' ? byCause(works) : Map.groupBy(works, (work) => placeOf(work, by));
  return [...groups.values()]
    .map((own) => groupOf(own, by))
    .sort((a, b) => b.count - a.count || compareTexts(a.key, b.key));
}

/** The same with the documents. */
export function groupDocuments(entries: readonly LedgerEntry[], by: Grouping): readonly CauseGroup[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return groupWork(entries.map(workOf), by).map(({ ids, ...group }) => {
    const documents = definedItems(ids.map((id) => byId.get(id)));
    return { ...group, first: must(documents[0], 'a document of the group'), documents, files: filesOf(documents) };
  });
}

/** What a document is grouped under in its cell; undefined where its cause is no fault of a cell. */
function cellOf({ inCell, cause: code, kind, mapping, column, given }: OpenWork) {
  if (!inCell) return undefined;
  const value = (given?.length ?? 0) > LONGEST_VALUE ? undefined : given;
  return definedOnly({ code, kind, mapping, column, value });
}

/** Documents by code, mapping, column and value; values of one document each are together if there are many. */
function byCause(works: readonly OpenWork[]): ReadonlyMap<string, readonly OpenWork[]> {
  const groups = new Map<string, OpenWork[]>();
  const families = Map.groupBy(works, (work) => {
    const cell = cellOf(work);
    // A fault that only the ERP can correct has another next step than one that a cell corrects.
    return `${work.onlyInErp === true} ${cell ? cellCause(definedOnly({ ...cell, value: undefined })) : work.cause}`;
  });
  for (const [family, members] of families) {
    const values = Map.groupBy(members, (work) => cellOf(work)?.value);
    const single = [...values.values()].filter((own) => own.length === 1).length;
    for (const [value, own] of values) {
      const isAlone = value === undefined || (own.length === 1 && single >= SINGLE_VALUES);
      const key = isAlone ? family : `${family}=${value}`;
      groups.set(key, groups.get(key)?.concat(own) ?? own);
    }
  }
  return groups;
}

function placeOf({ customer, file, column }: OpenWork, by: Exclude<Grouping, 'cause'>): string {
  if (by === 'customer') return customer ?? '';
  if (by === 'file') return file.rereads ?? file.id;
  return column ?? '';
}

function groupOf(works: readonly OpenWork[], by: Grouping): WorkGroup {
  const first = must(works[0], 'a document of the group');
  const { actor } = stateInfo(first.state);
  const group = {
    by,
    cause: first.cause,
    kind: shared(works, ({ kind }) => kind),
    mapping: shared(works, ({ mapping }) => mapping),
    column: shared(works, ({ column }) => column),
    value: shared(works, ({ given }) => given),
    customer: shared(works, ({ customer }) => customer),
    suggestion: shared(works, ({ suggestion }) => suggestion),
    ...figuresOf(works),
    actor: first.closed ? ('nobody' as const) : actor,
  };
  return definedOnly({ key: keyOf(first, by, group), ...group });
}

type Shared = { readonly column: string | undefined; readonly value: string | undefined };

function keyOf(first: OpenWork, by: Grouping, { column, value }: Shared): string {
  if (by === 'column') return column ?? '';
  if (by === 'customer') return first.customer ?? '';
  if (by === 'file') return first.file.name;
  const cell = cellOf(first);
  if (!cell) return first.cause;
  // The value has its kind in itself.
  if (value !== undefined && cell.value !== undefined) return cellCause(definedOnly({ ...cell, kind: undefined }));
  return cellCause(definedOnly({ ...cell, value: undefined }));
}

/** The value that all documents have; undefined if they differ. */
function shared<T>(works: readonly OpenWork[], read: (work: OpenWork) => T): T | undefined {
  const [first] = works;
  const value = first && read(first);
  return works.every((work) => read(work) === value) ? value : undefined;
}

/** The count and the sums of what waits: everyone who shows one takes it from here. */
function figuresOf(works: readonly OpenWork[]): Pick<Family, 'count' | 'amounts' | 'differs' | 'ids'> {
  const sums = new SignedSums();
  for (const { amount = '', currency = '' } of works) {
    const exact = Decimal.parse(amount);
    if (exact) sums.add(currency, exact);
  }
  return {
    count: works.length,
    amounts: sums.amounts(),
    differs: works.some(({ words }) => words !== works[0]?.words),
    ids: works.map(({ id }) => id),
  };
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
  return (entry) => {
    const isShort = entry.state !== 'conflict' && counts.get(entry.facts.identifier) === 1;
    return isShort ? documentName(entry) : entry.name;
  };
}
