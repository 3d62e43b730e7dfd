/**
 * Brings what the search index has of open documents up to the ledger: those that wait for a person, and those in contingency.
 * They are read first and by themselves, so that a night of many documents costs little more than those that it left open. It
 * follows the same changes as fill-search-index.ts, and several processes may do this at the same time.
 */
import type { DatabaseSync } from 'node:sqlite';
import { workOf } from '../model/cause.ts';
import type { DocumentFacts } from '../model/document.ts';
import { readStoredFaults } from '../model/fault.ts';
import type { Closing, Evidence, LedgerEntry } from '../model/ledger-entry.ts';
import { readStoredHold } from '../model/recorded-words.ts';
import type { State } from '../model/state.ts';
import { hasOwnCauses, inOneCommit, readMarks, startOpen, startOver, writeMark } from './index-marks.ts';
import type { LedgerMark, LedgerReader, LedgerSource, OpenRow } from './ledger-source.ts';

/** Rows of the ledger for one commit of the index, and the mark that they move; `gone`: ids that are open no more. */
type Batch =
  | { readonly as: 'first'; readonly mark: LedgerMark }
  | { readonly as: 'again'; readonly mark: LedgerMark }
  | { readonly as: 'opening'; readonly rows: readonly OpenRow[]; readonly after: string | undefined }
  | {
      readonly as: 'changes';
      readonly rows: readonly OpenRow[];
      readonly gone: readonly string[];
      readonly mark: LedgerMark;
    };

/** Documents in one commit, and changes: of these only a few are of documents that are open. */
const [MANY, MANY_CHANGES] = [1000, 10_000];

/** One commit; false once the index has all that were open at that moment. */
export async function openStep(index: DatabaseSync, ledger: LedgerReader): Promise<boolean> {
  const marks = readMarks(index, 'open', 'opening');
  const batch = await ledger.read((source) => nextBatch(index, source, marks));
  if (!batch) return false;
  inOneCommit(index, () => {
    // Another process was faster: what it wrote is newer.
    if (readMarks(index, 'open', 'opening').text === marks.text) putBatch(index, batch);
  });
  return true;
}

/** Whether all open documents were read once; changes may still have to be followed. */
export async function isOpenRead(index: DatabaseSync, source: LedgerSource): Promise<boolean> {
  const { open, opening } = readMarks(index, 'open', 'opening');
  return open !== undefined && opening === undefined && hasOwnCauses(index) && (await source.fits(open));
}

type Marks = Pick<ReturnType<typeof readMarks<'open' | 'opening'>>, 'open' | 'opening'>;

/** Undefined if the index has everything. */
async function nextBatch(
  index: DatabaseSync,
  source: LedgerSource,
  { open, opening }: Marks,
): Promise<Batch | undefined> {
  // The mark comes first: what changes while all are read is then followed.
  if (!open || !(await source.fits(open))) return { as: 'first', mark: await source.mark() };
  if (!hasOwnCauses(index)) return { as: 'again', mark: await source.mark() };
  if (opening) {
    const rows = await source.open(opening.after, MANY);
    return { as: 'opening', rows, after: rows.length === MANY ? rows.at(-1)?.id : undefined };
  }
  const changes = await source.changesAfter(open, MANY_CHANGES);
  if (!changes) return undefined;
  const { entries, mark } = changes;
  const rows = entries.length > 0 ? await source.openById(entries) : [];
  const isOpen = new Set(rows.map(({ id }) => id));
  return { as: 'changes', rows, gone: knownOf(index, entries).filter((id) => !isOpen.has(id)), mark };
}

function knownOf(index: DatabaseSync, ids: readonly string[]): readonly string[] {
  const select = 'SELECT id FROM open WHERE work IS NOT NULL AND id IN (SELECT value FROM json_each(?))';
  return index
    .prepare(select)
    .all(JSON.stringify(ids))
    .map(({ id }) => String(id));
}

function putBatch(index: DatabaseSync, batch: Batch): void {
  if (batch.as === 'first' || batch.as === 'again') {
    (batch.as === 'first' ? startOver : startOpen)(index, batch.mark);
    return;
  }
  const turn = batch.as === 'opening' ? 0 : lastTurn(index) + 1;
  const put = index.prepare('INSERT OR REPLACE INTO open (id, state, since, work, turn) VALUES (?, ?, ?, ?, ?)');
  for (const row of batch.rows) put.run(row.id, row.state, row.since, JSON.stringify(workOf(entryOf(row))), turn);
  if (batch.as === 'opening') {
    writeMark(index, 'opening', batch.after === undefined ? undefined : { after: batch.after });
    return;
  }
  // The row stays: whoever keeps the documents has to see that it is open no more.
  const close = index.prepare('UPDATE open SET work = NULL, turn = ? WHERE id = ?');
  for (const id of batch.gone) close.run(turn, id);
  writeMark(index, 'open', batch.mark);
}

/** Of the last commit that changed open documents. */
export function lastTurn(index: DatabaseSync): number {
  return Number(index.prepare('SELECT MAX(turn) AS turn FROM open').get()?.turn ?? 0);
}

function entryOf(row: OpenRow): Parameters<typeof workOf>[0] {
  const { id, revision, service, answer, hold, evidence, closed, reason, file_id, file_name, rereads, mapping_id } =
    row;
  return {
    ...{ id, revision, class: row.class, service, state: row.state as State },
    since: new Date(row.since).toISOString(),
    faults: readStoredFaults(row.faults),
    facts: JSON.parse(row.facts) as DocumentFacts,
    file: {
      ...{ id: file_id, name: file_name },
      ...(rereads !== null && { rereads }),
      ...(mapping_id !== null && { mapping: { id: mapping_id } }),
    },
    ...(answer !== null && { answer: JSON.parse(answer) as NonNullable<LedgerEntry['answer']> }),
    ...(hold !== null && { hold: readStoredHold(hold) }),
    ...(evidence !== null && { evidence: JSON.parse(evidence) as Evidence }),
    ...(closed !== null && { closed: JSON.parse(closed) as Closing }),
    attempts: reason === null ? [] : [{ reason }],
  };
}
