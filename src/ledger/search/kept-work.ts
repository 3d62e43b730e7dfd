/**
 * The documents that wait for a person, kept between two questions: to read and parse all of them costs more than every
 * answer. Rows of the index that changed since are read again. More than a limit of them are not kept but read each time.
 */
import type { DatabaseSync } from 'node:sqlite';
import { hasCause, type OpenWork, readCause } from '../../model/cause.ts';
import { selectWork, type WorkFilter } from './search-work.ts';

/** About 50 MiB. */
const MOST_KEPT = 120_000;
/** Answers to different filters, as long as nothing changes. */
const MOST_ANSWERS = 16;

type KeptRow = { readonly n: number; readonly since: number; readonly work: OpenWork };
type State = { readonly epoch: string; turn: number; readonly rows: Map<number, KeptRow>; sorted: readonly KeptRow[] };

/** The same array as long as nothing changes. */
export type KeptWork = (index: DatabaseSync, filter: WorkFilter) => readonly OpenWork[];

export function keepWork(most = MOST_KEPT): KeptWork {
  let state: State | undefined;
  const answers = new Map<string, readonly OpenWork[]>();

  /** Brings `state` up to the index; undefined where there is too much. */
  const refresh = (index: DatabaseSync): State | undefined => {
    const epoch = String(index.prepare(`SELECT value FROM mark WHERE name = 'epoch'`).get()?.value);
    const turn = Number(index.prepare('SELECT MAX(turn) AS turn FROM document WHERE turn > 0').get()?.turn ?? 0);
    if (state?.epoch !== epoch) {
      answers.clear();
      state = undefined;
      const [count] = Object.values(index.prepare('SELECT COUNT(*) FROM document WHERE work IS NOT NULL').get() ?? {});
      if (Number(count) > most) return undefined;
      const rows = index.prepare('SELECT n, since, work FROM document WHERE work IS NOT NULL').all();
      const read = rows.map((row) => [Number(row.n), rowOf(row)] as const);
      state = { epoch, turn, rows: new Map(read), sorted: [] };
      state.sorted = sortedRows(state);
    } else if (turn > state.turn && follow(index, state)) {
      answers.clear();
      state.sorted = sortedRows(state);
    }
    state.turn = turn;
    if (state.rows.size <= most) return state;
    state = undefined;
    return undefined;
  };
  return (index, filter) => {
    const kept = inOneRead(index, () => refresh(index));
    const key = JSON.stringify(filter);
    const known = answers.get(key);
    if (known) return known;
    // The terms of a run are in the index alone.
    const answer = kept && filter.run === undefined ? filtered(kept, filter) : selectWork(index, filter);
    if (!kept) return answer;
    answers.set(key, answer);
    for (const oldest of answers.keys()) {
      if (answers.size <= MOST_ANSWERS) break;
      answers.delete(oldest);
    }
    return answer;
  };
}

function rowOf({ n, since, work }: { readonly [column: string]: unknown }): KeptRow {
  return { n: Number(n), since: Number(since), work: JSON.parse(String(work)) as OpenWork };
}

/** Whether a document that waits, or waited, is among the changed rows. */
function follow(index: DatabaseSync, { rows, turn }: State): boolean {
  const changed = index.prepare('SELECT n, since, work FROM document WHERE turn > ?').all(turn);
  let isOther = false;
  for (const row of changed) {
    const n = Number(row.n);
    if (row.work !== null) rows.set(n, rowOf(row));
    else if (!rows.delete(n)) continue;
    isOther = true;
  }
  return isOther;
}

function sortedRows({ rows }: State): readonly KeptRow[] {
  return [...rows.values()].sort((a, b) => a.since - b.since || a.n - b.n);
}

function filtered({ sorted }: State, filter: WorkFilter): readonly OpenWork[] {
  const from = filter.since === undefined ? 0 : Date.parse(filter.since);
  const cause = filter.cause === undefined ? undefined : readCause(filter.cause);
  return sorted
    .filter(({ since, work }) => since >= from && fits(work, filter) && (!cause || hasCause(work, cause)))
    .map(({ work }) => work);
}

function fits(work: OpenWork, { states, mapping, file, withClosed }: WorkFilter): boolean {
  return (
    (withClosed || !work.closed) &&
    (states === undefined || states.includes(work.state)) &&
    (mapping === undefined || work.mapping === mapping) &&
    (file === undefined || work.file.id === file)
  );
}

function inOneRead<T>(index: DatabaseSync, read: () => T): T {
  index.exec('BEGIN');
  try {
    return read();
  } finally {
    index.exec('COMMIT');
  }
}
