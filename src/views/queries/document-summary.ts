/** A document in one line of a list: what people recognize it by. Reads only. */
import { z } from 'zod';
import { definedOnly, type Exact } from '../../model/defined-only.ts';
import { isPurged, isSetAside, type LedgerEntry, sourceNumberOf } from '../../model/ledger-entry.ts';
import { STATE_NAMES, type State } from '../../model/state.ts';

const text = z.string();
export const stateShape = z.enum(STATE_NAMES as [State, ...State[]]);

const documentKeys = {
  id: text.describe('UUID version 7, the same for every revision'),
  /** The official number; that of the ERP, or empty, as long as there is none. */
  number: text,
  sourceNumber: text.optional().describe('number of the ERP, if it differs'),
  receipt: text.describe('stem of the names of its receipt and payload'),
  state: stateShape,
  /** A person has set it aside or acknowledged it: no one has to act. */
  closed: z.enum(['set-aside', 'acknowledged']).optional(),
  since: text.describe('ISO 8601, UTC'),
  service: text,
  kind: text,
  class: text,
  date: text.optional(),
  counterparty: text.optional(),
  receiver: text.optional(),
  amount: text.optional().describe('exact'),
  currency: text.optional(),
  file: z.strictObject({ id: text, name: text }),
  rows: z.array(z.int()),
  /** Local day of the run that took the file in. */
  day: text.describe('YYYY-MM-DD'),
  run: text,
  mapping: text.optional(),
  trackingId: text.optional(),
  /** That of the last attempt. */
  requestId: text.optional(),
  warnings: z.int().nonnegative(),
  /** Its content was removed. */
  purged: z.literal(true).optional(),
};
/** A document in `find --json`, `list --json` and the API. */
export const documentShape = z.strictObject(documentKeys);
export type DocumentSummary = Exact<z.infer<typeof documentShape>>;

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
