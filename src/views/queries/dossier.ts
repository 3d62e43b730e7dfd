/**
 * Everything that shows how one document came to be and what became of it, from the row of the export to the answer, with
 * the proof of it as of now. Reads only. Parts that were purged, are missing or damaged are listed, not errors.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256OfFile } from '../../files/sha256-of-file.ts';
import type { RecordedAttempt, RecordedRevision } from '../../ledger/contract/query-store.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import type { MappingPart } from '../../mapping/mapping-world.ts';
import type { Link } from '../../model/chain-link.ts';
import { definedOnly } from '../../model/defined-only.ts';
import {
  type Correction,
  type HistoryLine,
  isPurged,
  type LedgerEntry,
  type SourceFile,
} from '../../model/ledger-entry.ts';
import { readCorrections, receiptObject } from '../../pipeline/publishing/publish-results.ts';
import { type Cells, readCells, sideOf } from '../../pipeline/reprocessing/reconvert-source.ts';
import { pairRoleOf } from '../../pipeline/sources/file-pairs.ts';
import { firstReading } from '../../pipeline/sources/first-reading.ts';
import { partnerOf } from '../../pipeline/sources/pair-partners.ts';
import { receiptFileName } from '../../receipts/compose-receipt.ts';
import { readTextIfAny } from '../../receipts/output-folders.ts';
import type { Receipt } from '../../receipts/receipt-schema.ts';
import { appendAll } from '../../text/long-lists.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { keptMappings, keptParts } from '../../verify/archived-mapping.ts';
import { type Break, type Proven, verify } from '../../verify/verify-instance.ts';
import { archivedPath, type VerifyContext } from '../../verify/verify-source.ts';
import { type SourcePart, sourceParts } from './source-parts.ts';

/** A part that the dossier should have and does not. `since`, `by` and `reason` of a purge. */
export type MissingPart = {
  readonly part: 'export' | 'rows' | 'mapping' | 'payload' | 'receipt' | 'answers';
  readonly why: 'purged' | 'missing' | 'damaged';
  /** payload: of an earlier revision. */
  readonly revision?: number;
  readonly since?: string;
  readonly by?: string;
  readonly reason?: string;
};

/** One revision of the document; `content` as it was made for the service, if it is kept. `readAt`: ISO 8601. */
type DossierRevision = Pick<RecordedRevision, 'revision' | 'outcome' | 'digest' | 'content' | 'contentSha256'> & {
  readonly readAt: string;
};

export type Dossier = {
  readonly entry: LedgerEntry;
  /** As the ledger has it now. */
  readonly receipt: Receipt;
  /** The file in its folder, with its path below the instance. */
  readonly receiptFile?: { readonly path: string; readonly text: string };
  /** Oldest first; the last one is the document as it is now. */
  readonly revisions: readonly DossierRevision[];
  /** The export that was read first: of a document that was reprocessed, the archived one. */
  readonly source: SourceFile;
  /** As exported, without corrections. */
  readonly rows: readonly Cells[];
  /** The rows as they are in the file, if each of them has a place of its own there. */
  readonly sourceParts: readonly SourcePart[];
  readonly mapping: readonly MappingPart[];
  readonly attempts: readonly RecordedAttempt[];
  readonly corrections: readonly Correction[];
  readonly history: readonly HistoryLine[];
  readonly links: readonly Link[];
  readonly proof: Proven & { readonly found: readonly Break[] };
  readonly missing: readonly MissingPart[];
};

export async function dossierOf(context: VerifyContext, entry: LedgerEntry): Promise<Dossier> {
  const { instance, ledger } = context;
  const source = await firstReading(ledger.queries, entry.file);
  const found: Break[] = [];
  const proven = await verify(context, { selector: { ids: [entry.id] }, onBreak: (one) => found.push(one) });
  const missing: MissingPart[] = [];
  const corrections = await readCorrections(ledger.queries)(entry);
  const revisions = await readRevisions(context, entry);
  appendAll(
    missing,
    revisions.flatMap((one) => missingContent(one, entry)),
  );
  const attempts = await ledger.queries.attemptsOf(entry.id);
  if (isPurged(entry, 'content')) missing.push(gone('answers', entry.purged));
  const receiptFile = await readReceiptFile(instance.folder, entry);
  if (!receiptFile) missing.push(gone('receipt', isPurged(entry, 'receipts') ? entry.purged : undefined));
  const { rows, parts, mapping, ...left } = await readSource(context, entry, source);
  return definedOnly({
    entry,
    receipt: receiptObject(instance, entry, corrections),
    receiptFile,
    revisions,
    source,
    rows,
    sourceParts: parts,
    mapping,
    attempts,
    corrections: (await ledger.queries.correctionsOf(entry.file.id)).filter(({ row }) => entry.rows.includes(row)),
    history: await ledger.queries.historyOf(entry.id),
    links: await ledger.receipts.linksOf(entry.id),
    proof: { ...proven, found },
    missing: [...missing, ...left.missing],
  });
}

async function readRevisions({ ledger }: VerifyContext, entry: LedgerEntry): Promise<readonly DossierRevision[]> {
  const found: DossierRevision[] = [];
  for (const { revision, outcome, digest, content, contentSha256, file } of await ledger.queries.revisionsOfEntry(
    entry.id,
  )) {
    const readAt = (await ledger.queries.sourceFile(file))?.claimedAt ?? '';
    found.push(definedOnly({ revision, outcome, digest, content, contentSha256, readAt }));
  }
  return found;
}

/** What is missing of the content of a revision, or is not as it was recorded. */
function missingContent(one: DossierRevision, { purged, revision }: LedgerEntry): readonly MissingPart[] {
  const { content, contentSha256 } = one;
  if (contentSha256 === undefined || (content !== undefined && sha256Hex(content) === contentSha256)) return [];
  const part: MissingPart = content === undefined ? gone('payload', purged) : { part: 'payload', why: 'damaged' };
  return [one.revision === revision ? part : { ...part, revision: one.revision }];
}

function gone(part: MissingPart['part'], purged: LedgerEntry['purged']): MissingPart {
  if (!purged) return { part, why: 'missing' };
  return { part, why: 'purged', since: purged.at, by: purged.by, reason: purged.reason };
}

async function readReceiptFile(folder: string, { receipt, name }: LedgerEntry): Promise<Dossier['receiptFile']> {
  if (!receipt) return undefined;
  const path = `${receipt.folder}/${receipt.day}/${receiptFileName(name)}`;
  const text = readTextIfAny(join(folder, path));
  return text === undefined ? undefined : { path, text };
}

/** The largest export of which the bytes of rows are looked for. */
const MOST_BYTES = 256 * 1024 * 1024;

type SourceRead = {
  readonly rows: readonly Cells[];
  readonly parts: readonly SourcePart[];
  readonly mapping: readonly MappingPart[];
  readonly missing: readonly MissingPart[];
};

async function readSource(context: VerifyContext, entry: LedgerEntry, source: SourceFile): Promise<SourceRead> {
  const { instance } = context;
  const kept = readMapping(context, entry.file.mapping ?? source.mapping);
  const without = (part: MissingPart): SourceRead => ({
    ...kept,
    rows: [],
    parts: [],
    missing: [...kept.missing, part],
  });
  if (isPurged(source, 'archive')) return without(gone('export', source.purged));
  const path = archivedPath(instance, source);
  if (!existsSync(path)) return without({ part: 'export', why: 'missing' });
  if ((await sha256OfFile(path)) !== source.sha256) return without({ part: 'export', why: 'damaged' });
  const stamp = entry.file.mapping ?? source.mapping;
  const mapping = stamp && keptMappings(instance)(stamp);
  const found = mapping && !('code' in mapping) ? { mapping, file: { ...source, path } } : undefined;
  const rows = found && (await readRows(context, entry, found));
  if (!rows) return without({ part: 'rows', why: 'damaged' });
  const parts = statSync(path).size <= MOST_BYTES ? await partsOf(context, found, rows) : [];
  return { ...kept, rows, parts };
}

/** The archived file at its path, and the mapping as of then. */
type Readable = { readonly mapping: Mapping; readonly file: SourceFile };

async function partsOf(
  { instance }: VerifyContext,
  { mapping, file: { name, path, encoding } }: Readable,
  rows: readonly Cells[],
): Promise<readonly SourcePart[]> {
  const isLines = pairRoleOf([mapping], name)?.role === 'lines';
  const bounds = { ...instance.limits.document, key: mapping.key };
  const { format } = mapping.source;
  const options = (isLines ? mapping.join : mapping.source)?.options;
  try {
    const numbers = rows.map(({ row }) => row);
    return await sourceParts({ name, path, format, options, encoding, bounds }, numbers);
  } catch {
    // The rows could be read: the dossier has them as cells.
    return [];
  }
}

function readMapping(
  { instance }: VerifyContext,
  stamp: SourceFile['mapping'],
): Pick<SourceRead, 'mapping' | 'missing'> {
  if (!stamp) return { mapping: [], missing: [] };
  const kept = keptParts(instance, stamp.sha256);
  if (!('code' in kept)) return { mapping: kept, missing: [] };
  const why = kept.code === 'verify/mapping-missing' ? 'missing' : 'damaged';
  return { mapping: [], missing: [{ part: 'mapping', why }] };
}

/** Undefined if the mapping cannot read them any more. */
async function readRows(
  context: VerifyContext,
  entry: LedgerEntry,
  { mapping, file }: Readable,
): Promise<readonly Cells[] | undefined> {
  const partner = await partnerOf(context.ledger.queries, mapping, file);
  const there = partner && { ...partner, path: archivedPath(context.instance, partner) };
  const source = definedOnly({ file, mapping, of: sideOf(pairRoleOf([mapping], file.name)), partner: there });
  try {
    return await readCells(context, {
      source,
      claimedAt: file.claimedAt,
      corrections: [],
      rows: new Set(entry.rows),
    });
  } catch {
    // `verify` reports why.
    return undefined;
  }
}
