/** The part of the ledger with a record of each run: an empty night leaves one too, and one that was killed. */
import type { MappingStamp } from '../../model/ledger-entry.ts';
import type { ChannelReport } from './notice-store.ts';
import type { RunEnd, RunRecord, RunSettings, RunStart } from './run-record.ts';

export type RunStore = {
  /**
   * Only one run works in an instance at a time, so this marks earlier records without an end as `died`. Written again
   * with the same id, it changes nothing.
   */
  beginRun(run: RunStart, settings?: RunSettings): Promise<void>;
  /** Records the end once, and its notices in the same commit; a second end of the same run changes nothing. */
  endRun(id: string, end: RunEnd, reports?: readonly ChannelReport[]): Promise<void>;
  /** The latest first, at most `limit`; `from`: this run and those before it, none if it is unknown. */
  list(limit: number, from?: string): Promise<readonly RunRecord[]>;
  /** The mappings that files of these runs were read with, each once, by run; a run without any is absent. */
  mappingsOfRuns(ids: readonly string[]): Promise<ReadonlyMap<string, readonly MappingStamp[]>>;
  /** The settings that these runs began with, by run; a run that recorded none is absent. */
  settingsOfRuns(ids: readonly string[]): Promise<ReadonlyMap<string, RunSettings>>;
};
