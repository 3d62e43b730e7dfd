/**
 * Attachments of a file: in the archive before the commit, through a private copy, because another account may own the file,
 * have it open, or replace it at any time, also after a stop; out of the inbox once every export of the same look has been read, for two exports may
 * name one file. Which bytes move is decided by the hash that the ledger has; another file of the name stays and is reported
 * (intake/companion-stays). Due work of the file: done twice it changes nothing, and recovery does what a stop left.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, type Stats, unlinkSync } from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { OPEN_SAFELY } from '../../files/read-bounded.ts';
import { ensureFolder } from '../../files/write-durable.ts';
import { COMPANION } from '../../i18n/messages/pipeline-messages.ts';
import { claimNames } from '../../inbox/claim-names.ts';
import { isSameFile } from '../../inbox/plain-file.ts';
import { copyHashed } from '../../inbox/private-copy.ts';
import { systemErrorFault } from '../../inbox/system-errors.ts';
import { definedItems } from '../../model/defined-only.ts';
import { type Fault, withMessage } from '../../model/fault.ts';
import type { Attachment, SourceFile } from '../../model/ledger-entry.ts';
import { archivedSource, archiveSources, type SourceToArchive } from '../../receipts/archive-source.ts';
import { appendAll } from '../../text/long-lists.ts';
import { sha256Hex } from '../../text/sha256.ts';
import type { RunContext } from '../context/run-context.ts';
import { processingOf } from '../context/worker-folders.ts';
import { ATTACHMENT_BYTES, AttachmentGrowingError, type OpenAttachments } from './open-attachments.ts';

/** The file in the inbox; `copy`: a private one, where the archive of the month does not have the bytes yet. */
type Dropped = { readonly from: string; readonly stats: Stats; readonly copy?: SourceToArchive };
type OfFile = Pick<SourceFile, 'id' | 'name' | 'day'>;
type Staying = { readonly name: string; readonly fault: Fault };

/**
 * Archives what documents are about to carry, or would. Throws AttachmentGrowingError, with nothing archived, if one is no longer
 * as it was read, or cannot be opened any more: the export has to be read again.
 */
export async function keepAttachments(
  context: RunContext,
  file: OfFile,
  attachments: ReturnType<OpenAttachments['taken']>,
): Promise<void> {
  const copies: SourceToArchive[] = [];
  for (const one of attachments.filter(({ isDropped }) => isDropped)) {
    const found = await findDropped(context, file, one);
    const isRead = typeof found === 'object' && 'stats' in found;
    const isKept =
      isRead || (found !== 'replaced' && (await archivedSource(context.instance.folder, placeOf(file, one))));
    if (!isKept) {
      for (const { path } of copies) unlinkSync(path);
      throw new AttachmentGrowingError(one.name);
    }
    if (isRead && found.copy) copies.push(found.copy);
  }
  await archiveSources(context.instance.folder, copies);
}

/** Of all files whose attachments are still in the inbox. */
export async function moveLeftAttachments(context: RunContext): Promise<void> {
  const due = await context.ledger.intake.attachmentsToMove();
  const staying: Staying[] = [];
  for (const { file, attachments } of due) appendAll(staying, await moveAttachments(context, file, attachments));
  reportStaying(context, staying);
}

/** Of one file that a person has corrected, at once. */
export async function moveAttachmentsOf(
  context: RunContext,
  file: OfFile,
  attachments: readonly Attachment[],
): Promise<void> {
  if (attachments.length > 0) reportStaying(context, await moveAttachments(context, file, attachments));
}

/** What is not moved stays in the inbox. One that the system does not let move now is due for the next run. */
async function moveAttachments(
  context: RunContext,
  file: OfFile,
  attachments: readonly Attachment[],
): Promise<readonly Staying[]> {
  const moving: (Dropped & { readonly name: string })[] = [];
  const staying: Staying[] = [];
  let isHeld = false;
  for (const one of attachments) {
    const { name } = one;
    const found = await findDropped(context, file, one);
    if (found === 'replaced') staying.push({ name, fault: stays(file, name, found) });
    else if (typeof found === 'object' && 'fault' in found) {
      isHeld = true;
      staying.push({ name, fault: found.fault });
    } else if (found !== 'gone') moving.push({ ...found, name });
  }
  await archiveSources(context.instance.folder, definedItems(moving.map(({ copy }) => copy)));
  for (const { name, ...one } of moving) {
    const why = await removeDropped(one);
    if (why) staying.push({ name, fault: stays(file, name, why) });
  }
  if (!isHeld) await context.ledger.intake.recordMoved(file.id);
  return staying;
}

/** A file that another document took since, under the same name, is gone by now. */
function reportStaying({ instance, emit }: RunContext, staying: readonly Staying[]): void {
  for (const { name, fault } of staying)
    if (existsSync(join(instance.paths.inbox, name))) emit({ what: 'inbox-refused', file: name, fault });
}

/** It stays in the inbox: another file is in its place now, or this account may not remove it. */
function stays(file: OfFile, name: string, why: 'replaced' | 'kept'): Fault {
  const message = why === 'replaced' ? COMPANION.stays : COMPANION.kept;
  return {
    code: 'intake/companion-stays',
    level: 'warning',
    origin: { file: name, row: 0 },
    ...withMessage(message({ name, file: file.name }), COMPANION.remove()),
  };
}

function placeOf({ day }: OfFile, { name, sha256 }: Attachment): Omit<SourceToArchive, 'path'> {
  return { month: day.slice(0, 7), sha256, name };
}

/** A copy is durable, in processing/ under the run, where a recovery removes what a stop leaves. */
async function findDropped(
  context: RunContext,
  file: OfFile,
  one: Attachment,
): Promise<Dropped | 'replaced' | 'gone' | { readonly fault: Fault }> {
  const { folder: root, paths } = context.instance;
  const { name, sha256 } = one;
  const from = join(paths.inbox, name);
  let source: number;
  try {
    source = openSync(from, OPEN_SAFELY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'gone';
    if (code === 'ELOOP') return 'replaced';
    return { fault: systemErrorFault(error as NodeJS.ErrnoException, name) };
  }
  try {
    const stats = fstatSync(source);
    if (!stats.isFile() || stats.size > ATTACHMENT_BYTES) return 'replaced';
    if (await archivedSource(root, placeOf(file, one)))
      return sha256Hex(readFileSync(source)) === sha256 ? { from, stats } : 'replaced';
    const folder = join(processingOf(context), context.run);
    await ensureFolder(folder);
    const { copying } = claimNames({ folder: paths.inbox, name: Buffer.from(name) }, folder, context.run, randomUUID());
    if (!(await isCopied(source, copying, stats, sha256))) return 'replaced';
    return { from, stats, copy: { path: copying, ...placeOf(file, one) } };
  } finally {
    closeSync(source);
  }
}

/** False, without a copy, if the bytes are not those that the document carries. */
async function isCopied(source: number, path: string, stats: Stats, sha256: string): Promise<boolean> {
  const copy = openSync(path, 'wx', 0o600);
  let isWhole = false;
  try {
    isWhole = (await copyHashed(source, copy, stats)).sha256 === sha256;
    return isWhole;
  } finally {
    closeSync(copy);
    if (!isWhole) unlinkSync(path);
  }
}

/** Why it stays, if it does. */
async function removeDropped({ from, stats }: Dropped): Promise<'replaced' | 'kept' | undefined> {
  const now = await lstat(from).catch(() => undefined);
  if (!now) return undefined;
  if (!isSameFile(stats, now)) return 'replaced';
  return (await isRemoved(from)) ? undefined : 'kept';
}

/** False where the folder or its owner does not allow it, as in an inbox with the sticky bit. */
async function isRemoved(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (['EPERM', 'EACCES', 'EROFS', 'EBUSY'].includes(code ?? '')) return false;
    throw error;
  }
}
