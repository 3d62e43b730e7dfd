/**
 * The account of a file: where each of its rows is, how many documents it has, control totals. It comes from the summary,
 * if that is up to date and as the chain of receipts has it, else from the ledger for files of few rows. Reads only.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { summaryName } from '../../receipts/compose-summary.ts';
import { type CurrencyTotal, RowAccounting, type RowsReport } from '../../receipts/row-accounting.ts';
import { sha256Hex } from '../../text/sha256.ts';

/** `read` is the sum of the places. `withoutAmount` documents are in no total. */
export type FileAccount = {
  readonly rows: RowsReport;
  readonly documents: { readonly [place in 'outbox' | 'pending' | 'error' | 'corrected' | 'withoutAmount']: number };
  readonly totals: readonly CurrencyTotal[];
};

type Place = { readonly instance: Pick<Instance, 'folder'>; readonly ledger: Pick<Ledger, 'linkAt' | 'entriesByFile'> };

/** Rows of a file that is counted anew for a page. */
const FEW_ROWS = 1000;
/** Bytes of a summary that are read: its hash is compared if that is all of it. */
const MOST_BYTES = 512 * 1024;
/** After the account the summary lists the documents. */
const TABLE = ',\n  "table": [';

/** Undefined while the summary of a large file is not up to date. */
export async function accountFile(place: Place, file: SourceFile): Promise<FileAccount | undefined> {
  const known = await fromSummary(place, file);
  if (known) return known;
  if (file.rows > FEW_ROWS) return undefined;
  const accounting = new RowAccounting(file);
  const entries = await place.ledger.entriesByFile([file.id]);
  for (const entry of entries.get(file.id) ?? []) accounting.add(entry);
  return { rows: accounting.rows(), documents: accounting.documents(), totals: accounting.totals() };
}

async function fromSummary({ instance, ledger }: Place, file: SourceFile): Promise<FileAccount | undefined> {
  const { summary } = file;
  if (summary?.link === undefined) return undefined;
  const begin = await beginOf(join(instance.folder, summary.folder, summary.day, summaryName(file)));
  if (!begin || (begin.isWhole && (await ledger.linkAt(summary.link))?.sha256 !== sha256Hex(begin.bytes)))
    return undefined;
  const text = begin.bytes.toString('utf8');
  const end = text.indexOf(TABLE);
  return end < 0 ? undefined : parsed(`${text.slice(0, end)}}`);
}

function parsed(text: string): FileAccount | undefined {
  try {
    return JSON.parse(text) as FileAccount;
  } catch {
    return undefined;
  }
}

/** Undefined if a person has moved or removed it. */
async function beginOf(path: string): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean } | undefined> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, MOST_BYTES)), 0, undefined, 0);
    return { bytes: buffer.subarray(0, bytesRead), isWhole: bytesRead === size };
  } catch {
    return undefined;
  }
}
