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
  work: RunContext,
  file: SourceFile,
  mappings: readonly Mapping[],
): Promise<void> {
  const records = await work.ledger.openFilesAt(file.path);
  const loading = records.filter(({ state }) => state === 'loading');
  // Another record of the file may have done all already.
  if (!loading.some(({ id }) => id === file.id)) return;
  const closed = records.filter(({ state }) => state !== 'loading').map(({ mapping }) => mapping?.id);
  const compared = await comparedUnder(work, file, mappings);
  const known = new Map([...compared].flatMap(([id, { earlier, as }]) => (as === 'same' ? [[id, earlier]] : [])));
  const left = mappings.filter(({ id }) => !closed.includes(id) && !known.has(id));
  while (loading.length < left.length) loading.push(await work.ledger.openFile(copyOf(file)));
  for (const [n, mapping] of left.entries()) {
    if (work.stop.aborted) return;
    const { as = 'other' } = compared.get(mapping.id) ?? {};
    await admit(work, must(loading[n], 'a record of the shared file'), mapping, repeatedBy(as));
  }
  const [first] = [...known.values()];
  for (const spare of loading.slice(left.length)) {
    const before = first ?? records.find(({ state }) => state === 'admitted') ?? spare;
    await work.ledger.duplicateFile(spare.id, before.id);
    work.emit({ what: 'file-duplicate', file: file.name, first: before.name });
  }
}

type Compared = { readonly earlier: SourceFile; readonly as: Awaited<ReturnType<typeof compareExports>> };

/** By mapping id: the earlier drop of the same bytes under the mapping. */
async function comparedUnder(
  work: RunContext,
  file: SourceFile,
  mappings: readonly Mapping[],
): Promise<ReadonlyMap<string, Compared>> {
  const compared = new Map<string, Compared>();
  for (const mapping of mappings) {
    const earlier = await work.ledger.fileBySha256(file.sha256, mapping.id);
    if (!earlier || earlier.path === file.path) continue;
    compared.set(mapping.id, { earlier, as: await compareExports(work, { earlier, file, mapping }) });
  }
  return compared;
}

function copyOf({ name, sha256, size, modifiedAt, claimedAt, day, run, path }: SourceFile) {
  return { name, sha256, size, modifiedAt, claimedAt, day, run, path };
}
