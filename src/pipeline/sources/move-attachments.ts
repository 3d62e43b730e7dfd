/**
 * Attachments of an admitted file move from the inbox to the archive: a private copy, because another account may own the
 * file and have it open. Which bytes move is decided by the hash that the ledger has; another file of the name stays and is
 * reported (intake/companion-stays). Due work of the file: done twice it changes nothing, and recovery does what a stop left.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, type Stats, unlinkSync } from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFolder } from '../../files/write-durable.ts';
import { COMPANION } from '../../i18n/messages/pipeline-messages.ts';
import { claimNames } from '../../inbox/claim-names.ts';
import { copyHashed } from '../../inbox/private-copy.ts';
import { systemErrorFault } from '../../inbox/system-errors.ts';
import { type Fault, withMessage } from '../../model/fault.ts';
import type { Attachment, SourceFile } from '../../model/ledger-entry.ts';
import { archiveSources, type SourceToArchive } from '../../receipts/archive-source.ts';
import type { RunContext } from '../context/run-context.ts';
import { processingOf } from '../context/worker-folders.ts';
import { ATTACHMENT_BYTES, OPEN_SAFELY } from './open-attachments.ts';

/** Of all files whose attachments a stop left in the inbox. */
export async function moveLeftAttachments(work: RunContext): Promise<void> {
  for (const { file, attachments } of await work.ledger.attachmentsToMove()) {
    await moveAttachments(work, file, attachments);
  }
}

/**
 * An export that came a second time takes its attachments along, which are those of the first: left in the inbox, they would go
 * into the next document that names them.
 */
export async function moveRepeatedAttachments(
  work: RunContext,
  { file, first }: { readonly file: SourceFile; readonly first: SourceFile },
): Promise<void> {
  await moveAttachments(work, file, await work.ledger.attachmentsOfReadings(first.id));
}

type Copy = SourceToArchive & { readonly from: string; readonly stats: Stats };

/** Their bytes are already in the ledger. One that the system does not let move now is due for the next run. */
export async function moveAttachments(
  work: RunContext,
  file: Pick<SourceFile, 'id' | 'name' | 'day'>,
  attachments: readonly Attachment[],
): Promise<void> {
  if (attachments.length === 0) return;
  const copies: Copy[] = [];
  let isHeld = false;
  for (const one of attachments) {
    const found = await copyDropped(work, one, file.day.slice(0, 7));
    if (found === 'replaced') report(work, one.name, stays(file, one.name, found));
    else if ('fault' in found) {
      isHeld = true;
      report(work, one.name, found.fault);
    } else if ('path' in found) copies.push(found);
  }
  await archiveSources(work.instance.folder, copies);
  for (const copy of copies) {
    const why = await removeDropped(copy);
    if (why) report(work, copy.name, stays(file, copy.name, why));
  }
  if (!isHeld) await work.ledger.recordMoved(file.id);
}

function report(work: RunContext, file: string, fault: Fault): void {
  work.emit({ what: 'inbox-refused', file, fault });
}

/** It stays in the inbox: another file is in its place now, or this account may not remove it. */
function stays(file: Pick<SourceFile, 'name'>, name: string, why: 'replaced' | 'kept'): Fault {
  const message = why === 'replaced' ? COMPANION.stays : COMPANION.kept;
  return {
    code: 'intake/companion-stays',
    level: 'warning',
    origin: { file: name, row: 0 },
    ...withMessage(message({ name, file: file.name }), COMPANION.remove()),
  };
}

/** Durable, in processing/ under the run, where a recovery removes what a stop leaves. `gone`: it has moved before. */
async function copyDropped(
  work: RunContext,
  { name, sha256 }: Attachment,
  month: string,
): Promise<Copy | 'replaced' | { readonly fault: Fault } | { readonly gone: true }> {
  const { inbox } = work.instance.paths;
  const from = join(inbox, name);
  let source: number;
  try {
    source = openSync(from, OPEN_SAFELY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { gone: true };
    if (code === 'ELOOP') return 'replaced';
    return { fault: systemErrorFault(error as NodeJS.ErrnoException, name) };
  }
  try {
    const stats = fstatSync(source);
    if (!stats.isFile() || stats.size > ATTACHMENT_BYTES) return 'replaced';
    const folder = join(processingOf(work), work.run);
    await ensureFolder(folder);
    const { copying } = claimNames({ folder: inbox, name: Buffer.from(name) }, folder, work.run, randomUUID());
    return (await isCopied(source, copying, stats, sha256))
      ? { path: copying, month, sha256, name, from, stats }
      : 'replaced';
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
async function removeDropped({ from, stats }: Copy): Promise<'replaced' | 'kept' | undefined> {
  const now = await lstat(from).catch(() => undefined);
  if (!now) return undefined;
  if (!isSame(now, stats)) return 'replaced';
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

/** True if the file in this place is the one that was copied, and not a later one. */
function isSame(now: Stats, { dev, ino, size, mtimeMs }: Stats): boolean {
  return now.isFile() && now.dev === dev && now.ino === ino && now.size === size && now.mtimeMs === mtimeMs;
}
