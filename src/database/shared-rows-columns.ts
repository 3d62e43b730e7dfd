/**
 * The columns for rows that several documents have had, as a migration: like all of them, never changed. A ledger that is made of receipts
 * learns in the same way what later attempts say of submissions.
 */

/** `s`: a submission that may be processed. */
const OPEN = `(s.outcome IS NULL OR s.outcome NOT IN ('ready', 'refused', 'returned', 'rejected', 'failed'))`;
const LATER = `FROM attempt c WHERE c.entry = s.entry AND c.ordinal > s.ordinal`;
/** `s`, a submission, is the last one before `c`. */
const IS_LAST = `NOT EXISTS (SELECT 1 FROM attempt b WHERE b.entry = s.entry AND b.act = 'submit' AND b.ordinal > s.ordinal AND b.ordinal < c.ordinal)`;

/** The column `known`. That the service has the document may be about any submission before; that it has not, about the last one alone. */
export const KNOWN_LATER = `UPDATE attempt AS s SET known = (SELECT CASE WHEN c.outcome IN ('rejected', 'failed') THEN 'no' ELSE 'there' END
  ${LATER} AND c.act = 'consult' AND c.outcome IN ('authorized', 'invalidated', 'contingency', 'rejected', 'failed')
  AND (${IS_LAST} OR (${OPEN} AND c.outcome NOT IN ('rejected', 'failed')))
  ORDER BY c.ordinal DESC LIMIT 1) WHERE s.known IS NULL AND s.act = 'submit'`;

/** The column `cleared`. */
export const CLEARED_LATER = `UPDATE attempt AS s SET cleared = (SELECT CASE WHEN c.outcome IN ('rejected', 'failed', 'returned', 'ready') THEN c.n END
  ${LATER} AND c.act = 'resolve' AND c.outcome <> 'invalid' ORDER BY c.ordinal DESC LIMIT 1)
  WHERE s.known IS NULL AND s.cleared IS NULL AND s.act = 'submit' AND ${OPEN}`;

/**
 * Rows that are, or were, in several documents. `moved`: the file first read, of a content of which a correction has moved rows;
 * `known`: what later answers say of a submission (`no`, or since when it is there); `cleared`: the decision by which a person says
 * that it is not there; `let_go`: the submissions of others with rows of the document that a person has seen when they let it go.
 * Of a ledger of before, moved is each content that was read again, but for those with the rows that their document had at first: no other
 * one had these at first. The file is asked for each content: a join of all contents with all readings took minutes on a server.
 */
export const SHARED_ROWS = `
ALTER TABLE revision ADD COLUMN moved TEXT;
ALTER TABLE attempt ADD COLUMN known TEXT;
ALTER TABLE attempt ADD COLUMN cleared BIGINT;
ALTER TABLE entry ADD COLUMN let_go TEXT;
UPDATE revision SET moved = (SELECT f.rereads FROM source_file f WHERE f.id = revision.file)
  WHERE file IN (SELECT id FROM source_file WHERE rereads IS NOT NULL) AND source_rows <> '[]'
  AND NOT EXISTS (SELECT 1 FROM revision o WHERE o.entry = revision.entry AND o.source_rows = revision.source_rows
    AND o.file = (SELECT f.rereads FROM source_file f WHERE f.id = revision.file));
CREATE INDEX revision_moved ON revision (moved) WHERE moved IS NOT NULL;
${KNOWN_LATER} AND s.entry IN (SELECT c.entry FROM attempt c WHERE c.act = 'consult');
${CLEARED_LATER} AND s.entry IN (SELECT c.entry FROM attempt c WHERE c.act = 'resolve');
`;
