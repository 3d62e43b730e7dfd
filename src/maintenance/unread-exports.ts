/**
 * Exports that were under way when a ledger was replaced: the ledger before had read them, and this one knows at most the
 * documents with a receipt. Until they are read again, the others are in no place, and may have been sent.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { plainBytes } from '../files/read-plain.ts';
import { sha256OfFile } from '../files/sha256-of-file.ts';
import { LEDGER_COMMAND } from '../i18n/messages/cli-maintenance-messages.ts';
import { readClaimName, readWholeNames, wholeNameFile } from '../inbox/claim-names.ts';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { OperatorError } from '../model/fault.ts';
import { isExport, isNeverRead, isOfReceipts, isSourceMissing, type SourceFile } from '../model/ledger-entry.ts';
import { must } from '../model/must.ts';
import { RowAccounting } from '../receipts/row-accounting.ts';
import { lookIntoLedgerOf } from '../runs/open-run.ts';
import { nameText, originalName } from '../text/safe-file-name.ts';

/** The private copies in processing/, of all runs and workers. */
function copiesIn({ paths: { processing } }: Pick<Instance, 'paths'>): readonly string[] {
  if (!existsSync(processing)) return [];
  return readdirSync(processing, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readClaimName(entry.name)?.role === 'copy')
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * A function that finds the private copy of a file by its bytes and its name: equal bytes may be two exports. Each copy is read once,
 * when the first one is asked for.
 */
export function copyFinder(
  instance: Pick<Instance, 'paths'>,
): (file: { readonly name: string; readonly sha256: string }) => Promise<string | undefined> {
  let found: Promise<ReadonlyMap<string, string>> | undefined;
  const hashAll = async () => {
    const copies = new Map<string, string>();
    for (const path of copiesIn(instance)) copies.set(`${await sha256OfFile(path)} ${nameOfCopy(path)}`, path);
    return copies;
  };
  return async ({ name, sha256 }) => {
    found ??= hashAll();
    return (await found).get(`${sha256} ${name}`);
  };
}

/** What the export of a private copy is called. */
function nameOfCopy(path: string): string {
  const whole = plainBytes(wholeNameFile(path));
  const { safe } = must(readClaimName(basename(path)), 'the name of a private copy');
  return nameText(whole ? readWholeNames(whole).name : originalName(safe));
}

/** Throws `ledger/unread-exports` while documents of an export may be in no place. */
export async function requireAllRead(instance: Instance): Promise<void> {
  const names = await unreadExports(instance);
  if (names.length === 0) return;
  throw new OperatorError('ledger/unread-exports', LEDGER_COMMAND.unread({ names, count: names.length }), {
    hint: LEDGER_COMMAND.readFirst(),
  });
}

/** Names of exports that were taken and not read, or known from receipts alone where their bytes are gone. */
export async function unreadExports(instance: Instance): Promise<readonly string[]> {
  await using ledger = await lookIntoLedgerOf(instance);
  const replacedAt = await ledger.intake.replacedAt();
  if (replacedAt === undefined) return [];
  const names = new Set<string>();
  const known = new Set<string>();
  const lost = await ledger.intake.unreadFiles();
  const repeats = repeatsOfLost();
  for await (const file of ledger.queries.allFiles()) {
    repeats.look(file);
    if (file.archivedAt === undefined) known.add(file.path);
    if (isOfReplaced(file, replacedAt, lost) && (await isUnread(ledger, file, lost))) names.add(file.name);
  }
  for (const name of repeats.names()) names.add(name);
  for (const path of copiesIn(instance)) {
    if (!known.has(path) && isOfBefore(path, replacedAt)) names.add(nameOfCopy(path));
  }
  return [...names].sort();
}

function isOfReplaced(file: SourceFile, replacedAt: string, lost: ReadonlySet<string>): boolean {
  return isExport(file) && (file.claimedAt <= replacedAt || lost.has(file.id) || isOfReceipts(file));
}

/** Names of exports whose bytes came before, and of which no summary, no receipt and no copy of that time is left. */
function repeatsOfLost() {
  const [repeats, read] = [[] as SourceFile[], new Set<string>()];
  return {
    look: (file: SourceFile): void => {
      if (file.state === 'duplicate' && file.first === undefined) repeats.push(file);
      else read.add(file.sha256);
    },
    names: () => repeats.filter(({ sha256 }) => !read.has(sha256)).map(({ name }) => name),
  };
}

/** The documents of these rows are known only from a summary. */
async function hasRowsInNoPlace(ledger: Ledger, file: SourceFile): Promise<boolean> {
  const accounting = new RowAccounting(file);
  for await (const entry of ledger.queries.entriesOf(file.id)) accounting.add(entry);
  for await (const entry of ledger.queries.correctedOf(file.id)) accounting.add(entry);
  return accounting.rows().unaccounted.count > 0;
}

/** A watch at work may just be taking another one. */
function isOfBefore(path: string, replacedAt: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.ctimeMs <= Date.parse(replacedAt);
}

async function isUnread(ledger: Ledger, file: SourceFile, lost: ReadonlySet<string>): Promise<boolean> {
  // It was there when the backup was made, and was read then.
  if (isNeverRead(file)) return await ledger.intake.hasSeen({ of: 'refusal', sha256: file.sha256 });
  if (file.state === 'loading' || (isSourceMissing(file) && isOfReceipts(file))) return true;
  return lost.has(file.id) && (await hasRowsInNoPlace(ledger, file));
}
