/**
 * One file through two versions of a mapping: documents that are added, removed, changed, refused or fixed. Both
 * conversions advance in step, so that at most WINDOW documents of each wait for their twin, however large the file is.
 * Twins have the same identity; among the others, documents of the same rows belong together.
 */
import type { ConversionInstance } from '../../instance/instance.ts';
import { NOTHING_AGAIN } from '../../mapping/compose/group-rows.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import { type Document, detailsOf, documentOf, faultsOfOutcome } from '../../model/document.ts';
import type { Draft } from '../../model/draft.ts';
import type { Fault } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { inputFor } from '../../pipeline/admission/admit-file.ts';
import { type Previewed, previewDrafts } from '../../pipeline/conversion/convert-file.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { changesOf, contentLeaves } from './diff-content.ts';
import { type TracedChange, traced } from './diff-ledger.ts';

const WINDOW = 1000;

/** One document under both versions. `mended`: refused by the old version, valid under the new one. */
export type ComparedDocument = {
  readonly what: 'same' | 'changed' | 'added' | 'removed' | 'refused' | 'mended';
  readonly identifier: string;
  /** Its number under the old version, if that differs. */
  readonly was?: string;
  readonly class: string;
  readonly rows: readonly number[];
  readonly changes: readonly TracedChange[];
  /** Faults and warnings of the new version only; `disappear`: those of the old version only. */
  readonly appear: readonly Fault[];
  readonly disappear: readonly Fault[];
};

/** A comparison that reads the file while its documents are consumed. */
export type ComparedFile = {
  readonly documents: AsyncIterable<ComparedDocument>;
  /** The reasons why a version makes nothing of the file; complete after the last document. */
  readonly unreadable: () => { readonly old: readonly Fault[]; readonly new: readonly Fault[] };
};

type File = Parameters<typeof inputFor>[1];

/** Reads no row before the first document is asked for. */
export function compareMappings(
  instance: ConversionInstance,
  file: File,
  versions: { old: Mapping; new: Mapping },
): ComparedFile {
  const sides = { old: sideOf(instance, file, versions.old), new: sideOf(instance, file, versions.new) };
  return {
    documents: inStep(sides),
    unreadable: () => ({ old: sides.old.faults(), new: sides.new.faults() }),
  };
}

type Side = {
  /** The first row of the document that was read last. */
  readonly progress: () => number;
  readonly pull: () => Promise<Previewed | undefined>;
  readonly waiting: Waiting;
  readonly faults: () => readonly Fault[];
  readonly close: () => void;
};

function sideOf(instance: ConversionInstance, file: File, mapping: Mapping): Side {
  const input = inputFor({ instance }, file, mapping);
  const reading = previewDrafts({ ...input, reappeared: NOTHING_AGAIN })[Symbol.asyncIterator]();
  let progress = 0;
  let faults: readonly Fault[] = [];
  const pull = async () => {
    try {
      const next = await reading.next();
      if (!next.done) {
        progress = detailsOf(next.value.outcome).rows[0] ?? progress;
        return next.value;
      }
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      faults = error.faults;
    }
    progress = Number.POSITIVE_INFINITY;
    return undefined;
  };
  return {
    progress: () => progress,
    pull,
    waiting: openWaiting(),
    faults: () => faults,
    close: () => void input.bytes.return(undefined),
  };
}

type Waiting = {
  readonly size: () => number;
  readonly add: (one: Previewed) => void;
  /** Takes out the twin of a document, or the document that has waited longest. */
  readonly twin: (one: Previewed) => Previewed | undefined;
  readonly sameRows: (one: Previewed) => Previewed | undefined;
  /** Takes out those that have waited longest, until no more than `keep` are left. */
  readonly beyond: (keep: number) => Iterable<Previewed>;
};

function openWaiting(): Waiting {
  const byKey = new Map<string, Previewed[]>();
  const byRows = new Map<string, Previewed>();
  const all = new Set<Previewed>();
  const take = (one: Previewed | undefined) => {
    if (!one) return undefined;
    all.delete(one);
    byRows.delete(rowsOf(one));
    const others = (byKey.get(keyOf(one)) ?? []).filter((other) => other !== one);
    if (others.length > 0) byKey.set(keyOf(one), others);
    else byKey.delete(keyOf(one));
    return one;
  };
  return {
    size: () => all.size,
    add: (one) => {
      all.add(one);
      byRows.set(rowsOf(one), one);
      byKey.set(keyOf(one), [...(byKey.get(keyOf(one)) ?? []), one]);
    },
    twin: (one) => take(byKey.get(keyOf(one))?.[0]),
    sameRows: (one) => take(byRows.get(rowsOf(one))),
    beyond: function* (keep) {
      for (const one of all) {
        if (all.size <= keep) return;
        take(one);
        yield one;
      }
    },
  };
}

/** A number that a sequence will assign does not identify the document; then its rows do. */
function keyOf(one: Previewed): string {
  return detailsOf(one.outcome).keys.find((key) => !key.includes('\u0000')) ?? rowsOf(one);
}

function rowsOf(one: Previewed): string {
  return detailsOf(one.outcome).rows.join(',');
}

async function* inStep(sides: { readonly old: Side; readonly new: Side }): AsyncIterable<ComparedDocument> {
  try {
    while (Math.min(sides.old.progress(), sides.new.progress()) < Number.POSITIVE_INFINITY) {
      const isOld = sides.old.progress() <= sides.new.progress();
      const [side, other] = isOld ? [sides.old, sides.new] : [sides.new, sides.old];
      const one = await side.pull();
      if (!one) continue;
      const twin = other.waiting.twin(one);
      if (twin) yield isOld ? compared(one, twin) : compared(twin, one);
      else side.waiting.add(one);
      if (side.waiting.size() > WINDOW) yield* leftOver(sides, WINDOW);
    }
    yield* leftOver(sides, 0);
  } finally {
    sides.old.close();
    sides.new.close();
  }
}

function* leftOver(sides: { readonly old: Side; readonly new: Side }, keep: number): Iterable<ComparedDocument> {
  for (const gone of sides.old.waiting.beyond(keep)) yield compared(gone, sides.new.waiting.sameRows(gone));
  for (const come of sides.new.waiting.beyond(keep)) yield compared(sides.old.waiting.sameRows(come), come);
}

function compared(old: Previewed | undefined, young: Previewed | undefined): ComparedDocument {
  const was = old && detailsOf(old.outcome).facts.identifier;
  const before = old && documentOf(old.outcome);
  const after = young && documentOf(young.outcome);
  const changes = before && after && young?.draft ? changesBetween(before, after, young.draft) : [];
  const details = detailsOf(must(young ?? old, 'a document of one of the versions').outcome);
  const { identifier } = details.facts;
  return definedOnly({
    what: verdictOf({ old, young, before, after }, changes.length),
    identifier,
    was: young && was !== identifier ? was : undefined,
    class: details.class,
    rows: details.rows,
    changes,
    ...faultsBetween(faultsOf(old), faultsOf(young)),
  });
}

function faultsOf(one: Previewed | undefined): readonly Fault[] {
  return one ? faultsOfOutcome(one.outcome) : [];
}

function changesBetween(before: Document, after: Document, draft: Draft): readonly TracedChange[] {
  if (before.digest === after.digest) return [];
  const ofClass = { at: 'class', before: before.class, after: after.class, from: [] };
  const changes = changesOf(contentLeaves(before.content.toString()), contentLeaves(after.content.toString()));
  return definedItems([before.class === after.class ? undefined : ofClass, ...traced(changes, draft)]);
}

/** `before` and `after` are the valid documents of both versions. */
function verdictOf(
  { old, young, before, after }: { readonly [side in 'old' | 'young' | 'before' | 'after']: object | undefined },
  changes: number,
): ComparedDocument['what'] {
  if (!old) return 'added';
  if (!young) return 'removed';
  if (before && !after) return 'refused';
  if (after && !before) return 'mended';
  return changes > 0 ? 'changed' : 'same';
}

function faultsBetween(old: readonly Fault[], young: readonly Fault[]): Pick<ComparedDocument, 'appear' | 'disappear'> {
  const place = ({ code, level, at = '', origin }: Fault) => `${code} ${level} ${origin?.row} ${origin?.column} ${at}`;
  const [before, after] = [new Set(old.map(place)), new Set(young.map(place))];
  return {
    appear: young.filter((fault) => !before.has(place(fault))),
    disappear: old.filter((fault) => !after.has(place(fault))),
  };
}
