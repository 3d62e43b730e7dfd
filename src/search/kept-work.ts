/**
 * The documents that wait for a person, as the index has them: those that have waited longest first. They are kept between two
 * questions, because to read and parse all of them costs more than every answer; documents of the index that changed since are
 * read again. More than a limit of them are not kept but read each time.
 */
import type { DatabaseSync } from 'node:sqlite';
import { hasCause, type OpenWork, readCause } from '../model/cause.ts';
import { type State, WAITING_STATES } from '../model/state.ts';
import { compareTexts } from '../text/compare-texts.ts';
import { lastTurn } from './fill-open.ts';
import { readMarks } from './index-marks.ts';
import { runTerm } from './search-documents.ts';

/** Together they narrow it. */
export type WorkFilter = {
  readonly states?: readonly State[];
  /** As `readCause` takes it. */
  readonly cause?: string;
  readonly mapping?: string;
  /** Id of a file. */
  readonly file?: string;
  /** Id or name of an export: documents that were read of it, or of it once more. */
  readonly export?: string;
  readonly ids?: readonly string[];
  /** Exactly so; empty: documents without one. */
  readonly customer?: string;
  readonly column?: string;
  /** The run that took it in, or tried to send it or consulted about it. */
  readonly run?: string;
  /** In its state since then or later, ISO 8601. */
  readonly since?: string;
  /** With those that a person has closed, which need no action; without them by default. */
  readonly withClosed?: true;
};

/** About 50 MiB. */
const MOST_KEPT = 120_000;
/** Answers to different filters, as long as nothing changes. */
const MOST_ANSWERS = 16;
/** Turn 0 is that of the first reading. */
const BEFORE_ALL = -1;

type Kept = {
  readonly epoch: string | undefined;
  turn: number;
  readonly works: Map<string, OpenWork>;
  sorted: readonly OpenWork[];
};

/** The same array as long as nothing changes. */
export type KeptWork = (index: DatabaseSync, filter: WorkFilter) => readonly OpenWork[];

export function keepWork(most = MOST_KEPT): KeptWork {
  let kept: Kept | undefined;
  const answers = new Map<string, readonly OpenWork[]>();

  /** Brings `kept` up to the index; all documents, also where there are too many to keep. */
  const refresh = (index: DatabaseSync): readonly OpenWork[] => {
    const [epoch, turn] = [readMarks(index, 'epoch').epoch?.id, lastTurn(index)];
    if (!kept || kept.epoch !== epoch) {
      kept = { epoch, turn: BEFORE_ALL, works: new Map(), sorted: [] };
      answers.clear();
    }
    if (kept.turn < turn && followInto(kept.works, index, kept.turn)) {
      kept.sorted = sortedWorks(kept.works);
      answers.clear();
    }
    kept.turn = turn;
    const { works, sorted } = kept;
    if (works.size > most) kept = undefined;
    return sorted;
  };
  return (index, filter) => {
    const { works, ofRun } = inOneRead(index, () => ({
      works: refresh(index),
      ofRun: filter.run === undefined ? undefined : openOfRun(index, filter.run),
    }));
    // What is of a run may change while nothing else does.
    const key = JSON.stringify([filter, ofRun?.size]);
    const known = answers.get(key);
    if (known) return known;
    const answer = selected(works, filter, ofRun);
    if (!kept) return answer;
    answers.set(key, answer);
    for (const oldest of answers.keys()) {
      if (answers.size <= MOST_ANSWERS) break;
      answers.delete(oldest);
    }
    return answer;
  };
}

/** Whether a document that waits, or waited, changed after this turn. */
function followInto(works: Map<string, OpenWork>, index: DatabaseSync, turn: number): boolean {
  let isNew = false;
  for (const { id, work } of index.prepare('SELECT id, work FROM open WHERE turn > ?').iterate(turn)) {
    if (work !== null) works.set(String(id), JSON.parse(String(work)) as OpenWork);
    else if (!works.delete(String(id))) continue;
    isNew = true;
  }
  return isNew;
}

function sortedWorks(works: ReadonlyMap<string, OpenWork>): readonly OpenWork[] {
  return [...works.values()].sort((a, b) => compareTexts(a.since, b.since) || compareTexts(a.id, b.id));
}

/** The runs of a document are in its terms alone. */
function openOfRun(index: DatabaseSync, run: string): ReadonlySet<string> {
  const select = `SELECT o.id FROM open o JOIN document d ON d.id = o.id
    WHERE o.work IS NOT NULL AND d.n IN (SELECT rowid FROM term WHERE term MATCH ?)`;
  return new Set(
    index
      .prepare(select)
      .all(runTerm(run))
      .map(({ id }) => String(id)),
  );
}

function selected(
  works: readonly OpenWork[],
  { states, mapping, file, since, withClosed, customer, column, ...filter }: WorkFilter,
  ofRun: ReadonlySet<string> | undefined,
): readonly OpenWork[] {
  const from = since === undefined ? 0 : Date.parse(since);
  const cause = filter.cause === undefined ? undefined : readCause(filter.cause);
  const ids = filter.ids && new Set(filter.ids);
  return works.filter(
    (work) =>
      WAITING_STATES.includes(work.state) &&
      (withClosed || !work.closed) &&
      (states === undefined || states.includes(work.state)) &&
      (mapping === undefined || work.mapping === mapping) &&
      (file === undefined || work.file.id === file) &&
      (filter.export === undefined || [work.file.name, work.file.id, work.file.rereads].includes(filter.export)) &&
      (customer === undefined || (work.customer ?? '') === customer) &&
      (column === undefined || (work.column ?? '') === column) &&
      (!ids || ids.has(work.id)) &&
      (!ofRun || ofRun.has(work.id)) &&
      (from === 0 || Date.parse(work.since) >= from) &&
      (!cause || hasCause(work, cause)),
  );
}

/** Ids of documents in this open state, those that are in it longest first, at most `limit`. */
export function longestIn(index: DatabaseSync, state: State, limit: number): readonly string[] {
  const select = 'SELECT id FROM open WHERE state = ? AND work IS NOT NULL ORDER BY since, id LIMIT ?';
  return index
    .prepare(select)
    .all(state, limit)
    .map(({ id }) => String(id));
}

function inOneRead<T>(index: DatabaseSync, read: () => T): T {
  index.exec('BEGIN');
  try {
    return read();
  } finally {
    index.exec('COMMIT');
  }
}
