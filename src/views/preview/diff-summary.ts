/** Counts what two versions of a mapping make of files: by verdict, by field, by fault code. As large as the target. */
import { definedOnly } from '../../model/defined-only.ts';
import type { ArchiveDiff } from './diff-archive.ts';
import type { ComparedDocument } from './diff-mappings.ts';

/** The counts after all files; its size depends on the target, not on the files. */
export type DiffSummary = {
  readonly files: number;
  readonly documents: { readonly [what in ComparedDocument['what']]: number };
  /** All items of a list count as one field, with a star for their number. Most frequent first. */
  readonly fields: readonly FieldChanges[];
  readonly faults: readonly { readonly code: string; readonly appear: number; readonly disappear: number }[];
  /** Files of which the old, the new, or both versions make no documents. */
  readonly unreadable: { readonly old: number; readonly new: number; readonly both: number };
};

type FieldChanges = {
  readonly at: string;
  readonly documents: number;
  readonly example: { readonly identifier: string; readonly before?: string; readonly after?: string };
};

/** `see` counts one difference; `summary` may be called at any time. */
export type Counting = { readonly see: (difference: ArchiveDiff) => void; readonly summary: () => DiffSummary };

/** Keeps one example per field, of its first change. */
export function countDifferences(): Counting {
  const files = new Set<string>();
  const documents = { same: 0, changed: 0, added: 0, removed: 0, refused: 0, mended: 0 };
  const unreadable = { old: 0, new: 0, both: 0 };
  const fields = new Map<string, { documents: number; example: FieldChanges['example'] }>();
  const faults = new Map<string, { appear: number; disappear: number }>();
  const count = (code: string, key: 'appear' | 'disappear') => {
    const counts = faults.get(code) ?? { appear: 0, disappear: 0 };
    counts[key]++;
    faults.set(code, counts);
  };
  const seeDocument = ({ what, identifier, changes, appear, disappear }: ComparedDocument) => {
    documents[what]++;
    for (const [at, example] of fieldsOf(identifier, changes)) {
      const known = fields.get(at);
      if (known) known.documents++;
      else fields.set(at, { documents: 1, example });
    }
    for (const { code } of appear) count(code, 'appear');
    for (const { code } of disappear) count(code, 'disappear');
  };
  return {
    see: (difference) => {
      files.add(difference.path);
      if ('document' in difference) seeDocument(difference.document);
      else unreadable[unreadableSide(difference.unreadable)]++;
    },
    summary: () => ({
      files: files.size,
      documents,
      fields: [...fields]
        .map(([at, counted]) => ({ at, ...counted }))
        .sort((a, b) => b.documents - a.documents || a.at.localeCompare(b.at, 'en')),
      faults: [...faults].map(([code, counts]) => ({ code, ...counts })),
      unreadable,
    }),
  };
}

function unreadableSide({ old, new: young }: { old: readonly unknown[]; new: readonly unknown[] }) {
  if (old.length === 0) return 'new';
  return young.length === 0 ? 'old' : 'both';
}

/** Field -> its first change in the document. */
function fieldsOf(
  identifier: string,
  changes: ComparedDocument['changes'],
): ReadonlyMap<string, FieldChanges['example']> {
  const fields = new Map<string, FieldChanges['example']>();
  for (const { at, before, after } of changes) {
    const field = at.replace(/\/\d+(?=\/|$)/g, '/*');
    if (fields.has(field)) continue;
    fields.set(field, definedOnly({ identifier, before, after }));
  }
  return fields;
}
