/**
 * Every act of a person, as data: a command or the console makes one, a request carries it, `carryOut` does it. An act names
 * documents by id with the version that the person has seen, never by a selection: what changed since is left out.
 */
import { z } from 'zod';
import { isClosed, type LedgerEntry } from '../model/ledger-entry.ts';
import { STATE_NAMES, type State } from '../model/state.ts';

const text = z.string().min(1);
export const SEEN_STATE = z.enum(STATE_NAMES as [State, ...State[]]);
const DOCUMENT = z.strictObject({
  id: text,
  revision: z.int().nonnegative(),
  state: SEEN_STATE,
  /** ISO 8601; a later submission can end in the same state. Absent in requests of an earlier version. */
  since: z.iso.datetime().optional().describe('when its state began, which every decision has to name'),
  /** It was set aside already when the person saw it. */
  aside: z.literal(true).optional(),
});
const documents = z.array(DOCUMENT).min(1);
/** Name and SHA-256 (hex) of a file that proves the decision; the file itself is not kept. */
export const EVIDENCE = z.strictObject({ file: text, sha256: z.string().regex(/^[0-9a-f]{64}$/) }).optional();
const EDIT = z.strictObject({ row: z.int().positive(), column: z.string(), from: z.string(), to: z.string() });

/** The outcomes that a person can record, because no answer of the service gave them. */
export const RESOLVED_AS = ['authorized', 'invalidated', 'rejected', 'failed', 'contingency', 'returned'] as const;

const SHAPES = [
  /** Sends the same content once more. */
  z.strictObject({ act: z.literal('retry'), documents, evidence: EVIDENCE }),
  z.strictObject({ act: z.literal('release'), documents, evidence: EVIDENCE }),
  z.strictObject({ act: z.literal('set-aside'), documents, evidence: EVIDENCE }),
  z.strictObject({ act: z.literal('acknowledge'), documents, evidence: EVIDENCE }),
  z.strictObject({ act: z.literal('resolve'), documents, as: z.enum(RESOLVED_AS), evidence: EVIDENCE }),
  /** Corrects these cells, and reads the documents again. */
  z.strictObject({
    act: z.literal('fix'),
    documents: z.array(DOCUMENT.extend({ edits: z.array(EDIT).min(1) })).min(1),
  }),
  /** Corrects the cells of a column that have the text `from`, or, without `to`, writes what the faults suggest. */
  z.strictObject({
    act: z.literal('replace-cells'),
    documents,
    column: text,
    from: z.string().optional(),
    to: z.string().optional(),
  }),
  /** Reads documents again with today's mapping. */
  z.strictObject({ act: z.literal('reprocess'), documents }),
  /** Reads a refused file again as a whole; `file` is its id. */
  z.strictObject({ act: z.literal('reprocess-file'), file: text }),
  z.strictObject({ act: z.literal('set-file-aside'), file: text }),
  z.strictObject({ act: z.literal('undo'), document: DOCUMENT }),
  z.strictObject({ act: z.literal('undo-file'), file: text }),
  z.strictObject({ act: z.literal('undo-export'), export: text }),
  /** `due`: the hour (ISO 8601, UTC) for which the export is no longer expected. */
  z.strictObject({ act: z.literal('waive'), export: text, due: z.iso.datetime() }),
  /** Asks the services for the outcome of these documents, or of those that are due. */
  z.strictObject({ act: z.literal('consult'), documents: documents.optional() }),
  /** The ERP gets the answers of these documents, or of an export (by id), once more. */
  z.strictObject({ act: z.literal('report-again'), documents: documents.optional(), file: text.optional() }),
  /** A paused service takes documents again. */
  z.strictObject({ act: z.literal('resume'), service: text }),
] as const;

/** The shape of an act, for requests that come from elsewhere. */
export const ACT = z.discriminatedUnion('act', SHAPES);

/** One act of a person. */
export type PersonAct = z.infer<typeof ACT>;
export type ActName = PersonAct['act'];
export type ActOf<Name extends ActName> = Extract<PersonAct, { readonly act: Name }>;

/** A document in the version that a person has seen. */
export type SeenDocument = z.infer<typeof DOCUMENT>;

/** The documents that an act names. */
export function documentsOf(act: PersonAct): readonly SeenDocument[] {
  if (act.act === 'undo') return [act.document];
  return 'documents' in act ? (act.documents ?? []) : [];
}

/** Of an entry that a person looks at now. */
export function seenDocument(entry: LedgerEntry): SeenDocument {
  const { id, revision, state, since } = entry;
  return { id, revision, state, since, ...(isClosed(entry) && { aside: true }) };
}

/** Whether the document is still the version that the person has seen. */
export function isAsSeen(now: LedgerEntry, { revision, state, since = now.since }: SeenDocument): boolean {
  return now.revision === revision && now.state === state && now.since === since;
}

/** A document that was set aside, or put back, since the person saw it keeps its version where it keeps its state. */
export function isAsideAsSeen(now: LedgerEntry, { aside = false }: { readonly aside?: boolean | undefined }): boolean {
  return isClosed(now) === aside;
}
