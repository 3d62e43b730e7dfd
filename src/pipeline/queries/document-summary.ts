/** A document in one line of a list: what people recognize it by. Reads only. */
import { definedOnly } from '../../model/defined-only.ts';
import { type Closing, isPurged, isSetAside, type LedgerEntry, sourceNumberOf } from '../../model/ledger-entry.ts';
import type { State } from '../../model/state.ts';

/** The shape of a document in `find --json` and `list --json`; times are ISO 8601 in UTC. */
export type DocumentSummary = {
  readonly id: string;
  /** The official number; that of the ERP, or empty, as long as there is none. */
  readonly number: string;
  /** The number of the ERP, if it differs. */
  readonly sourceNumber?: string;
  /** Stem of the names of its receipt and payload. */
  readonly receipt: string;
  readonly state: State;
  /** A person has set it aside or acknowledged it: no one has to act. */
  readonly closed?: Closing['as'];
  readonly since: string;
  readonly service: string;
  readonly kind: string;
  readonly class: string;
  readonly date?: string;
  readonly counterparty?: string;
  readonly receiver?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly file: { readonly id: string; readonly name: string };
  readonly rows: readonly number[];
  /** Local day of the run that took the file in. */
  readonly day: string;
  readonly run: string;
  readonly mapping?: string;
  readonly trackingId?: string;
  /** That of the last attempt. */
  readonly requestId?: string;
  readonly warnings: number;
  /** Its content was removed. */
  readonly purged?: true;
};

export function summarizeDocument(entry: LedgerEntry): DocumentSummary {
  const { id, facts, identity, name, state, since, service, kind, file, rows, answer, attempts, faults, purged } =
    entry;
  const { identifier: number, date, counterparty, receiver, amount, currency } = facts;
  return definedOnly({
    id,
    number,
    sourceNumber: sourceNumberOf(identity.keys, number),
    receipt: name,
    state,
    closed: entry.closed?.as ?? (isSetAside(entry) ? 'set-aside' : undefined),
    since,
    service,
    kind,
    class: entry.class,
    date,
    counterparty,
    receiver,
    amount,
    currency,
    file: { id: file.id, name: file.name },
    rows,
    day: file.day,
    run: file.run,
    mapping: file.mapping?.id,
    trackingId: answer?.trackingId,
    requestId: attempts.at(-1)?.requestId,
    warnings: faults.filter(({ level }) => level === 'warning').length,
    purged: isPurged({ purged }, 'content') || undefined,
  });
}
