/**
 * The documents that need a person most: those that may have been sent first, then those that the company must know of, then
 * by age. Open documents come in, the first of them come out, for the morning report and the home page of the console.
 */
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { OpenWork } from '../../model/cause.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { documentName, isClosed, type LedgerEntry } from '../../model/ledger-entry.ts';
import { type State, stateInfo, URGENT_STATES } from '../../model/state.ts';
import type { OpenDocuments } from '../../search/search-index.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import type { NightReport } from './report-shape.ts';

type WaitingDocument = NightReport['oldest'][number];

type Place = {
  readonly ledger: { readonly queries: Pick<QueryStore, 'entriesById'> };
  readonly index: Pick<OpenDocuments, 'longestIn'>;
};

/** At most `limit` of these works, which come as the index gives them, and of the documents that wait for the service. */
export async function oldestWaiting(
  { ledger, index }: Place,
  works: readonly OpenWork[],
  limit: number,
): Promise<readonly LedgerEntry[]> {
  const ids = [...urgentIds(works, limit), ...(await index.longestIn('contingency', limit))];
  const entries = await ledger.queries.entriesById(ids);
  return entries
    .filter((entry) => !isClosed(entry))
    .sort(byUrgency)
    .slice(0, limit);
}

/** Ids of the works that may be among the first `limit`; the works have waited longest first. */
function urgentIds(works: readonly OpenWork[], limit: number): readonly string[] {
  const places = new Map<number, string[]>();
  for (const { id, state } of works) {
    const place = placeOf(state);
    const ids = places.get(place) ?? [];
    if (ids.length === 0) places.set(place, ids);
    if (ids.length < limit) ids.push(id);
  }
  return [...places.values()].flat();
}

function byUrgency(a: LedgerEntry, b: LedgerEntry): number {
  return placeOf(a.state) - placeOf(b.state) || compareTexts(a.since, b.since) || compareTexts(a.id, b.id);
}

function placeOf(state: State): number {
  return URGENT_STATES.includes(state) ? URGENT_STATES.indexOf(state) : URGENT_STATES.length;
}

export function waitingDocument(entry: LedgerEntry): WaitingDocument {
  const { id, state, since, service, file, dueAt } = entry;
  return definedOnly({
    id,
    number: documentName(entry),
    state,
    since,
    responsible: stateInfo(state).actor,
    service,
    file: file.name,
    nextAt: state === 'contingency' ? dueAt : undefined,
  });
}
