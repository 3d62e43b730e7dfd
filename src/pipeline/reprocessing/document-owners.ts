/**
 * Which admitted documents an outcome of a second reading is made of: by its rows, and by the rows of the header file that
 * they are joined to. Pure.
 */
import { definedItems } from '../../model/defined-only.ts';
import { type DocumentOutcome, detailsOf } from '../../model/document.ts';
import { firstFileOf, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';

/** `rows`: of the entries that are read again. `of`: the entries that an outcome is made of, those of its headers last. */
type Owners<T> = {
  readonly rows: ReadonlySet<number>;
  readonly of: (outcome: DocumentOutcome) => { readonly own: readonly T[]; readonly headers: readonly T[] };
};

/** A header that waits alone is part of a document as a whole, or not at all. */
export function ownersAmong<T extends { readonly entry: LedgerEntry }>(
  { file }: { readonly file: SourceFile },
  all: readonly T[],
): Owners<T> {
  const [own, alone] = [new Map<number, T>(), new Map<number, T>()];
  for (const one of all) {
    const rows = firstFileOf(one.entry) === file.id ? own : alone;
    for (const row of one.entry.rows) rows.set(row, one);
  }
  return {
    rows: new Set(own.keys()),
    of: (outcome) => {
      const joined = alone.size > 0 ? (outcome.headerRows?.() ?? []) : [];
      const headers = [...new Set(definedItems(joined.map((row) => alone.get(row))))];
      return {
        own: [...new Set(definedItems(detailsOf(outcome).rows.map((row) => own.get(row))))],
        headers: headers.filter(({ entry }) => areWhole([entry], joined)),
      };
    },
  };
}

/**
 * The entry that has an identity of the document, its number before its never-twice values, or had one before its last correction: no
 * other one may take it.
 */
export function mainOf(touched: readonly LedgerEntry[], { keys, facts }: ReturnType<typeof detailsOf>): LedgerEntry {
  const { identifier } = facts;
  const [now] = keys.flatMap((key) => touched.filter(({ identity }) => identity.keys.includes(key)));
  const [before] = keys.flatMap((key) => touched.filter(({ identity: { former = [] } }) => former.includes(key)));
  return (
    now ??
    before ??
    touched.find((entry) => identifier !== '' && entry.facts.identifier === identifier) ??
    must(touched[0], 'an entry of these rows')
  );
}

export function areWhole(entries: readonly LedgerEntry[], rows: readonly number[]): boolean {
  const all = new Set(rows);
  return entries.every((entry) => entry.rows.every((row) => all.has(row)));
}
