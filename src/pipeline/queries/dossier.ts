/**
 * Everything that shows how one document came to be and what became of it, from the row of the export to the answer, with
 * the proof of it as of now. Reads only. Parts that were purged, are missing or damaged are listed, not errors.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile } from '../../files/sha256-of-file.ts';
import type { RecordedAttempt } from '../../ledger/contract/query-store.ts';
import type { MappingPart } from '../../mapping/mapping-world.ts';
import type { Link } from '../../model/chain-link.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Correction, HistoryLine, LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import { receiptFileName } from '../../receipts/compose-receipt.ts';
import type { Receipt } from '../../receipts/receipt-schema.ts';
import { readCorrections, receiptObject } from '../publishing/publish-results.ts';
import { type Cells, partnerOf, readCells, sideOf } from '../reprocessing/reconvert-source.ts';
import { pairRoleOf } from '../sources/file-pairs.ts';
import { firstReading } from '../sources/first-reading.ts';
import { keptMappings, keptParts } from '../verify/archived-mapping.ts';
import { type Break, type Proven, verify } from '../verify/verify-instance.ts';
import { archivedPath, type VerifyContext } from '../verify/verify-source.ts';
import { rowBytes } from './row-bytes.ts';

/** A part that the dossier should have and does not. `since`, `by` and `reason` of a purge. */
export type MissingPart = {
  readonly part: 'export' | 'rows' | 'mapping' | 'payload' | 'receipt' | 'answers';
  readonly why: 'purged' | 'missing' | 'damaged';
  readonly since?: string;
  readonly by?: string;
  readonly reason?: string;
};

export type Dossier = {
  readonly entry: LedgerEntry;
  /** As the ledger has it now. */
  readonly receipt: Receipt;
  /** The file in its folder, with its path below the instance. */
  readonly receiptFile?: { readonly path: string; readonly text: string };
  readonly payload?: string;
  /** The export that was read first: of a document that was reprocessed, the archived one. */
  readonly source: SourceFile;
  /** As exported, without corrections. */
  readonly rows: readonly Cells[];
  /** The bytes of the rows in the export, if each row has a place of its own there. */
  readonly rowBytes?: Buffer;
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
  const source = await firstReading(ledger, entry.file);
  const found: Break[] = [];
  const proven = await verify(context, { selector: { ids: [entry.id] }, onBreak: (one) => found.push(one) });
  const missing: MissingPart[] = [];
  const corrections = await readCorrections(ledger)(entry);
  const payload = await ledger.contentOf(entry.id);
  if (entry.contentSha256 !== undefined && payload === undefined) missing.push(gone('payload', entry.purged));
  const attempts = await ledger.attemptsOf(entry.id);
  if (entry.purged?.what.includes('content')) missing.push(gone('answers', entry.purged));
  const receiptFile = await readReceiptFile(instance.folder, entry);
  if (!receiptFile) missing.push(gone('receipt', entry.purged?.what.includes('receipts') ? entry.purged : undefined));
  const { rows, bytes, mapping, ...left } = await readSource(context, entry, source);
  return definedOnly({
    entry,
    receipt: receiptObject(instance, entry, corrections),
    receiptFile,
    payload,
    source,
    rows,
    rowBytes: bytes,
    mapping,
    attempts,
    corrections: (await ledger.correctionsOf(entry.file.id)).filter(({ row }) => entry.rows.includes(row)),
    history: await ledger.historyOf(entry.id),
    links: await ledger.linksOf(entry.id),
    proof: { ...proven, found },
    missing: [...missing, ...left.missing],
  });
}

function gone(part: MissingPart['part'], purged: LedgerEntry['purged']): MissingPart {
  if (!purged) return { part, why: 'missing' };
  return { part, why: 'purged', since: purged.at, by: purged.by, reason: purged.reason };
}

async function readReceiptFile(folder: string, { receipt, name }: LedgerEntry): Promise<Dossier['receiptFile']> {
  if (!receipt) return undefined;
  const path = `${receipt.folder}/${receipt.day}/${receiptFileName(name)}`;
  const text = await readFile(join(folder, path), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { path, text };
}

/** The largest export of which the bytes of rows are looked for. */
const MOST_BYTES = 256 * 1024 * 1024;

type SourceRead = {
  readonly rows: readonly Cells[];
  readonly bytes?: Buffer;
  readonly mapping: readonly MappingPart[];
  readonly missing: readonly MissingPart[];
};

async function readSource(context: VerifyContext, entry: LedgerEntry, source: SourceFile): Promise<SourceRead> {
  const { instance } = context;
  const kept = readMapping(context, entry.file.mapping ?? source.mapping);
  const without = (part: MissingPart): SourceRead => ({ ...kept, rows: [], missing: [...kept.missing, part] });
  if (source.purged?.what.includes('archive')) return without(gone('export', source.purged));
  const path = archivedPath(instance, source);
  if (!existsSync(path)) return without({ part: 'export', why: 'missing' });
  if ((await sha256OfFile(path)) !== source.sha256) return without({ part: 'export', why: 'damaged' });
  const rows = await readRows(context, entry, { ...source, path });
  if (!rows) return without({ part: 'rows', why: 'damaged' });
  const bytes = statSync(path).size <= MOST_BYTES ? rowBytes(readFileSync(path), rows) : undefined;
  return definedOnly({ ...kept, rows, bytes });
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

/** With the mapping as of then; undefined if it cannot read them any more. */
async function readRows(
  context: VerifyContext,
  entry: LedgerEntry,
  file: SourceFile,
): Promise<readonly Cells[] | undefined> {
  const stamp = entry.file.mapping ?? file.mapping;
  const mapping = stamp && keptMappings(context.instance)(stamp);
  if (!mapping || 'code' in mapping) return undefined;
  const partner = await partnerOf(context.ledger, mapping, file);
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
