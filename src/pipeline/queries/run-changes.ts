/**
 * What is not as it was for a run before: the program, and mappings whose text or tables changed since a run last used them.
 * Records of runs in, changes by run out. Reads only.
 */
import type { RunRecord } from '../../ledger/contract/run-record.ts';
import type { RunStore } from '../../ledger/contract/run-store.ts';
import type { MappingStamp } from '../../model/ledger-entry.ts';

/** `program`: the version before. `mappings`: with the version that each had, which may be the same as now. */
export type RunChanges = {
  readonly program?: string;
  readonly mappings: readonly { readonly id: string; readonly was: string; readonly is: string }[];
};

/** `runs`: the latest first, and more of them than are shown: the last ones have none before them to compare with. */
export async function runChanges(
  ledger: Pick<RunStore, 'mappingsOfRuns'>,
  runs: readonly Pick<RunRecord, 'id' | 'version'>[],
): Promise<ReadonlyMap<string, RunChanges>> {
  const used = await ledger.mappingsOfRuns(runs.map(({ id }) => id));
  const known = new Map<string, MappingStamp>();
  const changes = new Map<string, RunChanges>();
  let program: string | undefined;
  for (const { id, version } of runs.toReversed()) {
    const mappings = (used.get(id) ?? []).flatMap((stamp) => {
      const before = known.get(stamp.id);
      known.set(stamp.id, stamp);
      return before && before.sha256 !== stamp.sha256 ? [{ id: stamp.id, was: before.version, is: stamp.version }] : [];
    });
    changes.set(id, { ...(program !== undefined && program !== version && { program }), mappings });
    program = version;
  }
  return changes;
}
