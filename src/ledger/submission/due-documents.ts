/** Documents that may be sent, or about which their service can be consulted, as rows and as what the pipeline takes. */

import type { DatabaseRow } from '../../database/database-driver.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { MappingStamp } from '../../model/ledger-entry.ts';
import { text } from '../contract/ledger-context.ts';
import type { DueDocument } from '../contract/submission-store.ts';

/** Of the tries in a row those that HTTP 429 ended, the last one not counted while it is under way. */
const RATE_LIMITED = `CASE WHEN e.tries = 0 THEN 0 ELSE (SELECT COUNT(*) FROM attempt t WHERE t.entry = e.id AND t.act = 'submit'
  AND t.n > e.submits - e.tries - CASE WHEN e.state = 'sending' THEN 1 ELSE 0 END AND t.http = 429 AND t.outcome = 'ready') END`;

function selectDue(columns: string): string {
  return `SELECT e.id, e.revision, e.service, e.class, e.identifier, e.request_id, e.tries, e.due_at, r.kind, f.mapping, ${columns}
    FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision JOIN source_file f ON f.id = r.file`;
}

/** With what a consultation needs: no submission follows the tries before it. */
export const SELECT_DUE = selectDue('0 AS rate_limited');

export const SELECT_READY = selectDue(
  `${RATE_LIMITED} AS rate_limited, e.submits, r.file, r.digest, r.content_sha256, r.keys`,
);

/** Joined with its attempt, `a`. */
export const SELECT_INTERRUPTED = selectDue(`${RATE_LIMITED} AS rate_limited, e.submits, e.begun_by, a.exchange`);

/** Parses each mapping once: most rows have the same one. */
export function toDueDocuments(rows: readonly DatabaseRow[]): readonly DueDocument[] {
  const mappings = new Map<string, DueDocument['mapping']>();
  return rows.map((row) => {
    const stamp = text(row, 'mapping');
    const mapping = mappings.get(stamp) ?? toMapping(stamp);
    mappings.set(stamp, mapping);
    return toDueDocument(row, mapping);
  });
}

export function toDueDocument(row: DatabaseRow, mapping: DueDocument['mapping']): DueDocument {
  return definedOnly({
    id: text(row, 'id'),
    revision: row.revision as number,
    kind: text(row, 'kind'),
    service: text(row, 'service'),
    class: text(row, 'class'),
    identifier: text(row, 'identifier'),
    requestId: (row.request_id as string | null) ?? undefined,
    mapping,
    tries: row.tries as number,
    rateLimited: row.rate_limited === 0 ? undefined : (row.rate_limited as number),
    dueMs: (row.due_at as number | null) ?? undefined,
    seen: row.keys === undefined ? undefined : toSeen(row),
  });
}

export function toSeen(row: DatabaseRow): NonNullable<DueDocument['seen']> {
  return {
    submits: row.submits as number,
    file: text(row, 'file'),
    digest: text(row, 'digest'),
    contentSha256: text(row, 'content_sha256'),
    keys: (row.keys as string | null) ?? '[]',
  };
}

/** The mapping of a file; every admitted file has one. */
export function toMapping(stamp: string): DueDocument['mapping'] {
  const { id, sha256 } = JSON.parse(stamp) as MappingStamp;
  return { id, sha256 };
}
