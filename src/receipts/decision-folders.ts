/**
 * Writes into pending/release and pending/reject, whose files are decisions of a person: README, notes about refused
 * decisions, receipts put back. Each write is durable when it resolves; a refusal of the disk throws its OperatorError.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { ensureFolder, writeDurable } from '../files/write-durable.ts';
import type { Language } from '../i18n/message.ts';
import type { LedgerEntry } from '../model/ledger-entry.ts';
import { must } from '../model/must.ts';
import { payloadName, receiptFileName } from './compose-receipt.ts';
import { leftoverNoteText, type NoteCause, noteText } from './decision-note.ts';
import { readTextIfAny, removeOutput } from './output-folders.ts';
import { README_NAME, type ReadmeOf } from './readme-text.ts';
import { writeReadme } from './write-readme.ts';

/** Folders below pending/ into which a person moves the receipts of held documents. */
export const DECISION_FOLDERS: readonly string[] = ['release', 'reject'];

/** Makes the folder with its README; does nothing if the README is there. */
export async function prepareDecisionFolder(path: string, of: ReadmeOf, language: Language): Promise<void> {
  await ensureFolder(path);
  if (existsSync(join(path, README_NAME))) return;
  await writeReadme(path, of, language);
}

/**
 * Writes a note next to a moved receipt, with the cause for which it decides nothing. `name` is the name of the note.
 */
export async function writeDecisionNote(
  folder: string,
  name: string,
  cause: NoteCause,
  language: Language,
): Promise<void> {
  await writeDurable(join(folder, name), noteText(cause, language));
}

/** The one note about all files in a decision folder that are no receipts. */
export const LEFTOVER_NOTE_NAME = 'left-alone.note.txt';

/**
 * Writes one note for all files that are no receipts, with their first names; removes it if there are none. Resolves to
 * true if the text is new, so that a run reports it once.
 */
export async function writeLeftoverNote(
  folder: string,
  names: readonly string[],
  language: Language,
): Promise<boolean> {
  const path = join(folder, LEFTOVER_NOTE_NAME);
  const before = readTextIfAny(path);
  if (names.length === 0) {
    if (before !== undefined) await removeDecisionFiles(folder, [LEFTOVER_NOTE_NAME]);
    return false;
  }
  const text = leftoverNoteText(names, language);
  if (text === before) return false;
  await writeDurable(path, text);
  return true;
}

/** Removes notes whose receipt is gone or settled. */
export async function removeNotes(folder: string, names: readonly string[]): Promise<void> {
  if (names.length > 0) await removeDecisionFiles(folder, names);
}

/** Removes files of decisions durably: a decision that was carried out must not be found again after a power cut. */
export async function removeDecisionFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await removeOutput(join(folder, name));
  }
  await syncFolder(folder);
}

/**
 * Puts a receipt that a person moved away back into its recorded place, with the same bytes, if it is missing there.
 */
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

/** Writes the same bytes into the recorded place and replaces what is there. The payload comes first. */
export async function rewriteReceipt(
  root: string,
  { name, receipt }: LedgerEntry,
  text: string,
  payload: string | undefined,
): Promise<void> {
  const place = must(receipt, 'the place of a receipt');
  const folder = join(root, place.folder, place.day);
  await ensureFolder(folder);
  if (payload !== undefined) await writeDurable(join(folder, payloadName(name)), payload);
  await writeDurable(join(folder, receiptFileName(name)), text);
  await syncFolder(folder);
}
