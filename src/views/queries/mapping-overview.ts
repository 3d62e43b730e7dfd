/**
 * The mappings of an instance with their use: what they take, the last file, how many documents wait for a correction.
 * Reads the ledger and the search index; nothing throws but these.
 */

import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { stateGroup } from '../../model/state.ts';
import type { SearchIndex } from '../../search/search-index.ts';
import { type MappingProposal, mappingProposals } from './mapping-proposals.ts';

/** `failing` documents are refused or rejected and open; `last` is the latest of the files that are looked through. */
export type MappingUse = {
  readonly mapping: Mapping;
  readonly failing: number;
  readonly last?: SourceFile;
  readonly proposals: readonly MappingProposal[];
};

/** Files that are looked through for the last use of each mapping, and for samples. */
const RECENT = 300;

type Place = {
  readonly instance: Pick<Instance, 'mappings'>;
  readonly ledger: Pick<Ledger, 'queries'>;
  readonly index: Pick<SearchIndex, 'work'>;
};

export async function mappingUses({ instance, ledger, index }: Place): Promise<readonly MappingUse[]> {
  const { mappings } = instance;
  const files = await ledger.queries.files({ limit: RECENT });
  const proposals = await mappingProposals(ledger.queries, () => mappings);
  const failing = Map.groupBy(
    (await index.work({})).filter(({ state }) => stateGroup(state) === 'to-correct'),
    ({ mapping }) => mapping,
  );
  return mappings.map((mapping) =>
    definedOnly({
      mapping,
      failing: failing.get(mapping.id)?.length ?? 0,
      last: files.find((file) => file.mapping?.id === mapping.id),
      proposals: proposals.filter((one) => one.mapping === mapping.id),
    }),
  );
}

/** The latest files of a mapping whose bytes are in the archive, at most `limit`; `since`: claimed then or later. */
export async function recentFilesOf(
  ledger: QueryStore,
  id: string,
  { limit, since }: { readonly limit: number; readonly since?: string },
): Promise<readonly SourceFile[]> {
  const files = await ledger.files(definedOnly({ limit: RECENT, since }));
  return files
    .filter(({ mapping, purged, rereads, state }) => {
      return mapping?.id === id && !purged && rereads === undefined && state !== 'duplicate' && state !== 'loading';
    })
    .slice(0, limit);
}
