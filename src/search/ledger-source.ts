/**
 * What the search index reads of a ledger, whichever engine keeps it: entries and files as it needs them, and the changes
 * after a mark, none of which is ever left out. Reads only; errors are those of the engine.
 */

import { IS_OPEN } from '../ledger/records/selector.ts';
import { type State, WAITING_STATES } from '../model/state.ts';

type Soon<T> = T | Promise<T>;

/** Up to which change of which ledger something has read. JSON; only the engine that made it understands its fields. */
export type LedgerMark = { readonly installation: string; readonly [field: string]: unknown };

/** Ids of entries and files that changed, each once, and the mark after these changes. */
type LedgerFeed = {
  readonly entries: readonly string[];
  readonly files: readonly string[];
  readonly mark: LedgerMark;
};

export type EntryRow = {
  readonly [column in
    | 'id'
    | 'state'
    | 'service'
    | 'identifier'
    | 'name'
    | 'facts'
    | 'file_id'
    | 'file_name'
    | 'file_state'
    | 'run'
    | 'day'
    | 'attempts']: string;
} & {
  readonly [column in 'request_id' | 'begun_run' | 'keys' | 'tracking' | 'mapping_id' | 'rereads']: string | null;
} & { readonly since: number; readonly warnings: number };

/** An open document. `reason`: of its last attempt, where the service has given no answer. */
export type OpenRow = {
  readonly [column in 'id' | 'state' | 'service' | 'class' | 'facts' | 'faults' | 'file_id' | 'file_name']: string;
} & {
  readonly [column in 'answer' | 'hold' | 'evidence' | 'closed' | 'reason' | 'mapping_id' | 'rereads']: string | null;
} & { readonly revision: number; readonly since: number };

export type FileRow = {
  readonly [column in 'id' | 'name' | 'state' | 'run' | 'day']: string;
} & { readonly mapping_id: string | null; readonly rereads: number };

/** One look at the ledger. Ids that are not there are left out; rows come in the order of their ids. */
export type LedgerSource = {
  /** Its end as of now. */
  mark(): Soon<LedgerMark>;
  /** Whether the changes since are all there is to read: false for another ledger or an earlier copy, and after a purge. */
  fits(mark: LedgerMark): Soon<boolean>;
  /** The next changes, about `most`; undefined without any. */
  changesAfter(mark: LedgerMark, most: number): Soon<LedgerFeed | undefined>;
  files(afterId: string, most: number): Soon<readonly FileRow[]>;
  filesById(ids: readonly string[]): Soon<readonly FileRow[]>;
  /** Without those that are staged. */
  entries(afterId: string, most: number): Soon<readonly EntryRow[]>;
  entriesById(ids: readonly string[]): Soon<readonly EntryRow[]>;
  /** Open documents alone: in a state that waits for a person, or in contingency. */
  open(afterId: string, most: number): Soon<readonly OpenRow[]>;
  openById(ids: readonly string[]): Soon<readonly OpenRow[]>;
  /** Ids of entries on their way: their end adds no row. */
  sending(): Soon<readonly string[]>;
  countEntries(): Soon<number>;
};

export type LedgerReader = {
  /** What is read in one call is of one moment where the engine can do that. */
  readonly read: <T>(look: (source: LedgerSource) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

export const SELECT_FILE = `SELECT id, name, state, mapping_id, run, day, rereads IS NOT NULL AS rereads FROM source_file WHERE`;
const OPEN_STATES: readonly State[] = [...WAITING_STATES, 'contingency'];

export const SELECT_OPEN = `SELECT e.id, e.state, e.since, e.service, r.revision, r.class, r.facts, r.faults,
  e.answer, e.hold, e.evidence, CASE WHEN e.closed_since = e.since THEN e.closed END AS closed,
  CASE WHEN e.answer IS NULL THEN
    (SELECT a.reason FROM attempt a WHERE a.entry = e.id ORDER BY a.ordinal DESC LIMIT 1) END AS reason,
  f.id AS file_id, f.name AS file_name, f.mapping_id, f.rereads
  FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision JOIN source_file f ON f.id = r.file
  WHERE ${IS_OPEN} AND e.state IN (${OPEN_STATES.map((state) => `'${state}'`).join(', ')}) AND`;

/**
 * `answer`: the JSON answer of an entry, or what the engine selects of it as column `tracking`; `attempts`: a JSON array with
 * request id, run and tracking id of each attempt of the entry `e`.
 */
export function selectEntry({ answer, attempts }: { readonly answer: string; readonly attempts: string }): string {
  // The tracking id of an attempt is in its answer; the facts of a purged document have only its number.
  return `SELECT e.id, e.state, e.since, e.service, e.identifier, e.name, e.request_id, e.begun_run, r.facts, r.keys,
  ${answer}, instr(r.faults, '"level":"warning"') > 0 AS warnings,
  f.id AS file_id, f.name AS file_name, f.mapping_id, f.run, f.day, f.state AS file_state, f.rereads,
  ${attempts} AS attempts
  FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision JOIN source_file f ON f.id = r.file
  WHERE e.state <> 'staged' AND`;
}

/** Events after which a reader begins again: what was purged must leave it, and another ledger has other rows. */
export const CLEARS = `((what = 'purged' AND entry IS NOT NULL) OR what LIKE 'ledger-%')`;
