/**
 * The account of files: where each of their rows is, how many documents they have, control totals. It comes from the ledger
 * for files of few rows, else from the summary, if that is up to date and as the chain of receipts has it. Reads only.
 */
import { join } from 'node:path';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { Corrected, LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import { summaryName } from '../../receipts/compose-summary.ts';
import { beginningOf } from '../../receipts/output-folders.ts';
import { type CurrencyTotal, RowAccounting, type RowsReport } from '../../receipts/row-accounting.ts';

/** `read` is the sum of the places. `withoutAmount` documents are in no total. */
export type FileAccount = {
  readonly rows: RowsReport;
  readonly documents: { readonly [place in 'outbox' | 'pending' | 'error' | 'corrected' | 'withoutAmount']: number };
  readonly totals: readonly CurrencyTotal[];
};

type Place = { readonly instance: Pick<Instance, 'folder'>; readonly ledger: Pick<Ledger, 'receipts' | 'queries'> };

/** Rows of a file that is counted again: without reading a file, and if the summary is not up to date. */
const [FEW_ROWS, MANY_ROWS] = [100, 2000];
/** Bytes of a summary that are read. */
const MOST_BYTES = 512 * 1024;
/** After the account the summary lists the documents. */
const TABLE = ',\n  "table": [';

/**
 * In the order of the files; undefined while the summary of a large file is not up to date. `most`: rows that are counted again
 * in all, the first files first.
 */
export async function accountFiles(
  place: Place,
  files: readonly SourceFile[],
  most = Number.POSITIVE_INFINITY,
): Promise<readonly (FileAccount | undefined)[]> {
  const known = new Map<string, FileAccount>();
  for (const file of files) {
    const account = file.rows > FEW_ROWS ? await fromSummary(place, file) : undefined;
    if (account) known.set(file.id, account);
  }
  let left = most;
  const others = files.filter(({ id, rows }) => {
    if (known.has(id) || rows > MANY_ROWS || rows > left) return false;
    left -= rows;
    return true;
  });
  const entries = await place.ledger.queries.entriesByFile(others.map(({ id }) => id));
  for (const file of others) known.set(file.id, counted(file, entries.get(file.id) ?? []));
  return files.map(({ id }) => known.get(id));
}

function counted(file: SourceFile, entries: readonly (LedgerEntry | Corrected)[]): FileAccount {
  const accounting = new RowAccounting(file);
  for (const entry of entries) accounting.add(entry);
  return accountOf(accounting);
}

/** The account of a file of any size, counted from its documents one by one. */
export async function countFile(ledger: Pick<Ledger, 'queries'>, file: SourceFile): Promise<FileAccount> {
  const accounting = new RowAccounting(file);
  for await (const entry of ledger.queries.entriesOf(file.id)) accounting.add(entry);
  for await (const entry of ledger.queries.correctedOf(file.id)) accounting.add(entry);
  return accountOf(accounting);
}

function accountOf(accounting: RowAccounting): FileAccount {
  return { rows: accounting.rows(), documents: accounting.documents(), totals: accounting.totals() };
}

async function fromSummary({ instance, ledger }: Place, file: SourceFile): Promise<FileAccount | undefined> {
  const { summary } = file;
  if (summary?.link === undefined) return undefined;
  const begin = beginningOf(join(instance.folder, summary.folder, summary.day, summaryName(file)), MOST_BYTES);
  if (!begin || (begin.sha256 !== undefined && (await ledger.receipts.linkAt(summary.link))?.sha256 !== begin.sha256))
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
