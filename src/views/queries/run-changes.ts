/**
 * What is not as it was for a run before: the program, settings that decide what is made and sent, and mappings whose text
 * or tables changed since a run last used them. Records of runs in, changes by run out. Reads only.
 */
import type { RunRecord, RunSettings } from '../../ledger/contract/run-record.ts';
import type { RunStore } from '../../ledger/contract/run-store.ts';
import type { MappingStamp } from '../../model/ledger-entry.ts';

/**
 * `program`: the version before. `settings`: by dotted path; without `was` it is new, without `is` it is gone.
 * `mappings`: with the version that each had, which may be the same as now.
 */
export type RunChanges = {
  readonly program?: string;
  readonly settings: readonly SettingChange[];
  readonly mappings: readonly { readonly id: string; readonly was: string; readonly is: string }[];
};

export type SettingChange = { readonly path: string; readonly was?: string; readonly is?: string };

type Runs = Pick<RunStore, 'mappingsOfRuns' | 'settingsOfRuns'>;

/** Runs before a run that are read to find what it is compared with. */
export const RUNS_BEFORE = 15;

/** `runs`: the latest first, and RUNS_BEFORE more than are shown: the last ones have none before them to compare with. */
export async function runChanges(
  ledger: Runs,
  runs: readonly Pick<RunRecord, 'id' | 'version'>[],
): Promise<ReadonlyMap<string, RunChanges>> {
  const ids = runs.map(({ id }) => id);
  const used = await ledger.mappingsOfRuns(ids);
  const begunWith = await ledger.settingsOfRuns(ids);
  const known = new Map<string, MappingStamp>();
  const changes = new Map<string, RunChanges>();
  let program: string | undefined;
  let settings: RunSettings | undefined;
  for (const { id, version } of runs.toReversed()) {
    const mappings = (used.get(id) ?? []).flatMap((stamp) => {
      const before = known.get(stamp.id);
      known.set(stamp.id, stamp);
      return before && before.sha256 !== stamp.sha256 ? [{ id: stamp.id, was: before.version, is: stamp.version }] : [];
    });
    const now = begunWith.get(id);
    changes.set(id, {
      ...(program !== undefined && program !== version && { program }),
      settings: settings && now ? settingChanges(settings, now) : [],
      mappings,
    });
    program = version;
    settings = now ?? settings;
  }
  return changes;
}

/** What changed for one run; nothing for an unknown one. */
export async function changesOfRun(ledger: Runs & Pick<RunStore, 'list'>, id: string): Promise<RunChanges> {
  const runs = await ledger.list(RUNS_BEFORE + 1, id);
  return (await runChanges(ledger, runs)).get(id) ?? { settings: [], mappings: [] };
}

function settingChanges(before: RunSettings, now: RunSettings): readonly SettingChange[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return paths.flatMap((path) => {
    const was = before[path];
    const is = now[path];
    if (was === is) return [];
    return [{ path, ...(was !== undefined && { was }), ...(is !== undefined && { is }) }];
  });
}
