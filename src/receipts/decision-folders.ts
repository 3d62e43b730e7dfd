/** The folders whose files are decisions of a person: their README, notes beside what was refused, receipts put back. */
import { existsSync } from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { diskTrouble, ensureFolder, writeDurable } from '../files/write-durable.ts';
import type { Language } from '../i18n/message.ts';
import type { LedgerEntry } from '../model/ledger-entry.ts';
import { payloadName, receiptFileName } from './compose-receipt.ts';
import { leftoverNoteText, type NoteCause, noteText } from './decision-note.ts';
import { README_NAME, type ReadmeOf } from './readme-text.ts';
import { writeReadme } from './write-readme.ts';

export async function prepareDecisionFolder(path: string, of: ReadmeOf, language: Language): Promise<void> {
  if (existsSync(join(path, README_NAME))) return;
  await ensureFolder(path);
  await writeReadme(path, of, language);
}

export async function writeDecisionNote(
  folder: string,
  name: string,
  cause: NoteCause,
  language: Language,
): Promise<void> {
  await writeDurable(join(folder, name), noteText(cause, language));
}

export const LEFTOVER_NOTE_NAME = 'left-alone.note.txt';

/** One note for all that is no receipt, with as many names as anybody reads. True where it says something new. */
export async function writeLeftoverNote(
  folder: string,
  names: readonly string[],
  language: Language,
): Promise<boolean> {
  const path = join(folder, LEFTOVER_NOTE_NAME);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (names.length === 0) {
    if (before !== undefined) await removeDecisionFiles(folder, [LEFTOVER_NOTE_NAME]);
    return false;
  }
  const text = leftoverNoteText(names, language);
  if (text === before) return false;
  await writeDurable(path, text);
  return true;
}

/** Notes whose receipt is gone or settled. */
export async function removeNotes(folder: string, names: readonly string[]): Promise<void> {
  if (names.length > 0) await removeDecisionFiles(folder, names);
}

/** Durable: a decision that was taken is not found again. */
export async function removeDecisionFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const path = join(folder, name);
    await unlink(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw diskTrouble(error, path);
    });
  }
  await syncFolder(folder);
}

/** A receipt that somebody took away is put back where it was, with the same bytes. */
export async function restoreReceipt(
  root: string,
  entry: LedgerEntry,
  text: string,
  payload: string | undefined,
): Promise<void> {
  const { name, receipt } = entry;
  if (receipt && !existsSync(join(root, receipt.folder, receipt.day, receiptFileName(name)))) {
    await rewriteReceipt(root, entry, text, payload);
  }
}

/** The same bytes in the same place, whatever lies there. */
export async function rewriteReceipt(
  root: string,
  { name, receipt }: LedgerEntry,
  text: string,
  payload: string | undefined,
): Promise<void> {
  const folder = join(root, receipt!.folder, receipt!.day);
  await ensureFolder(folder);
  if (payload !== undefined) await writeDurable(join(folder, payloadName(name)), payload);
  await writeDurable(join(folder, receiptFileName(name)), text);
  await syncFolder(folder);
}
