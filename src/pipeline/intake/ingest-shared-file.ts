/**
 * One file under several mappings that share it, such as invoices and the report of the day. Under each mapping it is a
 * file of its own in the ledger, with its own documents and summary. All are recorded before the first is admitted, and
 * all read one private copy: after a stop, the next run continues with the mappings that are left.
 */

import type { Mapping } from '../../mapping/mapping.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { admit } from '../admission/admit-file.ts';
import type { RunContext } from '../context/run-context.ts';
import { compareExports, repeatedBy } from './same-export.ts';

/** Admits the file under each mapping that has not read these bytes yet; records that remain become duplicates. */
export async function ingestSharedFile(
  context: RunContext,
  file: SourceFile,
  mappings: readonly Mapping[],
): Promise<void> {
  const records = await context.ledger.intake.openFilesAt(file.path);
  const loading = records.filter(({ state }) => state === 'loading');
  // Another record of the file may have done all already.
  if (!loading.some(({ id }) => id === file.id)) return;
  const { compared, inPlace } = await comparedUnder(context, file, mappings);
  const closed = [...records.filter(({ state }) => state !== 'loading').map(({ mapping }) => mapping?.id), ...inPlace];
  const known = new Map([...compared].flatMap(([id, { earlier, as }]) => (as === 'same' ? [[id, earlier]] : [])));
  const left = mappings.filter(({ id }) => !closed.includes(id) && !known.has(id));
  while (loading.length < left.length) loading.push(await context.ledger.intake.openFile(copyOf(file)));
  const own = recordsFor(left, loading);
  for (const mapping of left) {
    if (context.stop.aborted) return;
    const { as = 'other' } = compared.get(mapping.id) ?? {};
    await admit(context, must(own.get(mapping), 'a record of the shared file'), mapping, repeatedBy(as));
  }
  const [first] = [...known.values()];
  const used = new Set(own.values());
  for (const spare of loading.filter((one) => !used.has(one))) {
    const before = first ?? records.find(({ state }) => state === 'admitted') ?? spare;
    await context.ledger.intake.duplicateFile(spare.id, before.id);
    context.emit({ what: 'file-duplicate', file: file.name, first: before.name });
  }
}

/** A restored ledger has documents of a record under its mapping; any other one serves for any mapping. */
function recordsFor(mappings: readonly Mapping[], loading: readonly SourceFile[]): ReadonlyMap<Mapping, SourceFile> {
  const own = new Map<Mapping, SourceFile>();
  for (const mapping of mappings) {
    const record = loading.find((one) => one.mapping?.id === mapping.id);
    if (record) own.set(mapping, record);
  }
  const used = new Set(own.values());
  const others = loading.filter((one) => !used.has(one));
  for (const mapping of mappings) {
    const record = own.has(mapping) ? undefined : others.shift();
    if (record) own.set(mapping, record);
  }
  return own;
}

type Compared = { readonly earlier: SourceFile; readonly as: Awaited<ReturnType<typeof compareExports>> };

/** By mapping id: the earlier drop of the same bytes under the mapping. `inPlace`: this drop was read under these. */
async function comparedUnder(
  context: RunContext,
  file: SourceFile,
  mappings: readonly Mapping[],
): Promise<{ readonly compared: ReadonlyMap<string, Compared>; readonly inPlace: readonly string[] }> {
  const compared = new Map<string, Compared>();
  const inPlace: string[] = [];
  for (const mapping of mappings) {
    const earlier = await context.ledger.intake.fileBySha256(file.sha256, mapping.id);
    if (earlier && earlier.path !== file.path)
      compared.set(mapping.id, { earlier, as: await compareExports(context, { earlier, file, mapping }) });
    else if (earlier && earlier.state !== 'loading') inPlace.push(mapping.id);
  }
  return { compared, inPlace };
}

function copyOf({ name, sha256, size, modifiedAt, claimedAt, day, run, path }: SourceFile) {
  return { name, sha256, size, modifiedAt, claimedAt, day, run, path };
}
