/**
 * Files next to an export that its documents contain: read when a document asks for them, archived and removed when the
 * export is admitted. The bytes are in the content of the document before a file is moved. The archive gets a private
 * copy, because another account may own the file and have it open. A file of a refused document stays in the inbox for
 * the corrected export. A file that cannot be read is a fault of its document (map/...).
 */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, type Stats, unlinkSync } from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ensureFolder } from '../../files/write-durable.ts';
import type { Message } from '../../i18n/message.ts';
import { COMPANION } from '../../i18n/messages/pipeline-messages.ts';
import { claimNames } from '../../inbox/claim-names.ts';
import { checkPlainFile } from '../../inbox/plain-file.ts';
import { copyHashed } from '../../inbox/private-copy.ts';
import { missingAttachment } from '../../mapping/expressions/attachment-expression.ts';
import type { RunProblem } from '../../mapping/runtime/value.ts';
import { type Fault, MESSAGE, withMessage } from '../../model/fault.ts';
import type { Attachment, SourceFile } from '../../model/ledger-entry.ts';
import { archiveSources, type SourceToArchive } from '../../receipts/archive-source.ts';
import { safeName } from '../../text/safe-file-name.ts';
import { sha256Hex } from '../../text/sha256.ts';
import type { RunContext } from '../context/run-context.ts';
import { processingOf } from '../context/worker-folders.ts';

const MAX_BYTES = 20 * 1024 * 1024;
/** The most bytes that documents composed in one step may carry. */
const HEAVY_BYTES = 64 * 1024 * 1024;

/** It stays in the inbox: another file is in its place now, or this account may not remove it. */
type Stayed = { readonly name: string; readonly why: 'replaced' | 'kept' };

/** `month`: YYYY-MM. Copies are made in processing/ under the run, where a recovery removes what a stop leaves. */
type ArchivePlace = {
  readonly root: string;
  readonly processing: string;
  readonly run: string;
  readonly month: string;
};

/** The attachments of one file while it is converted. */
export type OpenAttachments = {
  /** Base64 of the file, or the problem of the field that asked for it. */
  readonly read: (name: string) => string | RunProblem;
  readonly decided: (admitted: boolean) => void;
  /** True once each time that HEAVY_BYTES were read. */
  readonly isHeavy: () => boolean;
  /** The attachments of admitted documents. */
  readonly taken: () => readonly Attachment[];
  /** Copies the files of admitted documents to the archive and removes them; resolves to those that had to stay. */
  readonly archive: (to: ArchivePlace) => Promise<readonly Stayed[]>;
};

/** The file may still be growing: the export has to be read again in a moment. */
export class AttachmentGrowingError extends Error {
  constructor(name: string) {
    super(`${name} is too young to be read`);
  }
}

/** Without `stats` the file is already in the archive. */
type Seen = { readonly stats?: Stats; readonly sha256: string };

export type AttachmentFolder = {
  /** Milliseconds without a change that a file needs; undefined in a preview, which takes it as it is. */
  readonly settleMs?: number;
  /** Throws AttachmentGrowingError for a younger file, instead of refusing the document. */
  readonly patient?: boolean;
  /** True for a content that no document may carry: a secret of the instance. */
  readonly isSecret?: (content: Buffer) => boolean;
  /** The archive, for a document that is made again: its attachments were moved there with its first revision. */
  readonly archive?: string;
  readonly now: () => number;
};

/** `folder`: the one with the export. Nothing is moved before `archive` is called. */
export function openAttachments(
  folder: string,
  { settleMs, patient, archive, now, isSecret = () => false }: AttachmentFolder,
): OpenAttachments {
  const asked = new Map<string, Seen>();
  const admitted = new Map<string, Seen>();
  let bytes = 0;
  return {
    read: (name) => {
      const found = readAttachment(join(folder, name), name, settleMs === undefined ? 'anywhere' : 'inbox');
      if ('code' in found && found.code === NO_COMPANION && archive !== undefined) {
        const there = fromArchive(archive, name);
        if ('code' in there) return there;
        asked.set(name, { sha256: sha256Hex(there.content) });
        return there.content.toString('base64');
      }
      if ('code' in found) return found;
      const age = now() - found.stats.mtimeMs;
      if (found.grew || (settleMs !== undefined && age >= 0 && age < settleMs)) {
        if (patient) throw new AttachmentGrowingError(name);
        return growing(name);
      }
      if (isSecret(found.content)) return secretInside(name);
      bytes += found.content.length;
      asked.set(name, { stats: found.stats, sha256: sha256Hex(found.content) });
      return found.content.toString('base64');
    },
    decided: (isAdmitted) => {
      if (isAdmitted) for (const [name, seen] of asked) admitted.set(name, seen);
      asked.clear();
    },
    isHeavy: () => {
      const heavy = bytes > HEAVY_BYTES;
      if (heavy) bytes = 0;
      return heavy;
    },
    taken: () => [...admitted].map(([name, { sha256 }]) => ({ name, sha256 })),
    archive: async (to) => {
      const stayed: Stayed[] = [];
      const copies: (SourceToArchive & { readonly from: string; readonly stats: Stats })[] = [];
      for (const [name, { stats, sha256 }] of admitted) {
        if (!stats) continue;
        const from = join(folder, name);
        const path = await privateCopy({ from, name, stats, sha256 }, to);
        if (path === undefined) stayed.push({ name, why: 'replaced' });
        else copies.push({ path, month: to.month, sha256, name, from, stats });
      }
      await archiveSources(to.root, copies);
      for (const { name, from, stats } of copies) {
        if (!(await isSame(from, stats))) stayed.push({ name, why: 'replaced' });
        else if (!(await isRemoved(from))) stayed.push({ name, why: 'kept' });
      }
      return stayed;
    },
  };
}

type Dropped = { readonly from: string; readonly name: string; readonly stats: Stats; readonly sha256: string };

/** Durable; undefined if the bytes are no longer those that the document carries. */
async function privateCopy(
  { from, name, stats, sha256 }: Dropped,
  { processing, run }: ArchivePlace,
): Promise<string | undefined> {
  if (!(await isSame(from, stats))) return undefined;
  const folder = join(processing, run);
  await ensureFolder(folder);
  const { copying } = claimNames({ folder: dirname(from), name: Buffer.from(name) }, folder, run, randomUUID());
  const source = openSync(from, OPEN_SAFELY);
  const copy = openSync(copying, 'wx', 0o600);
  let isWhole = false;
  try {
    isWhole = (await copyHashed(source, copy, stats)).sha256 === sha256;
  } finally {
    closeSync(copy);
    closeSync(source);
    if (!isWhole) unlinkSync(copying);
  }
  return isWhole ? copying : undefined;
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

const NO_COMPANION = missingAttachment('').code;

/** The hash of the bytes is before the name. If several files have the name, none of them can be chosen. */
function fromArchive(archive: string, name: string): Content | RunProblem {
  const wanted = `-${safeName(name, 150)}`;
  const paths = readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((path) => {
    const hash = basename(path).slice(0, -wanted.length);
    return path.endsWith(wanted) && /^(?:[0-9a-f]{16}|[0-9a-f]{64})$/.test(hash);
  });
  const [path, second] = paths;
  if (path === undefined) return missingAttachment(name);
  if (second !== undefined) return unreadable(name, `the archive holds ${paths.length} files of this name`);
  return readAttachment(join(archive, path), name, 'anywhere');
}

type Content = { readonly content: Buffer; readonly stats: Stats; readonly grew: boolean };

/** How often a file gets the settle time before the document that asks for it is refused. */
const WAITS = 3;

/** `waited`: how often this export has already waited for an attachment. */
export function attachmentsOf({ instance, clock }: RunContext, waited: number): OpenAttachments {
  return openAttachments(instance.paths.inbox, {
    settleMs: instance.settings.inbox.settle,
    patient: waited < WAITS,
    now: () => clock.now().getTime(),
    isSecret: instance.secrets.isIn,
  });
}

/** Their bytes are already in the ledger: a file that cannot be removed stays in the inbox and is reported. */
export async function archiveAttachments(
  work: RunContext,
  file: SourceFile,
  attachments: OpenAttachments,
): Promise<void> {
  const to = {
    root: work.instance.folder,
    processing: processingOf(work),
    run: work.run,
    month: file.day.slice(0, 7),
  };
  for (const { name, why } of await attachments.archive(to)) {
    const message = why === 'replaced' ? COMPANION.stays : COMPANION.kept;
    const fault: Fault = {
      code: 'intake/companion-stays',
      level: 'warning',
      origin: { file: name, row: 0 },
      ...withMessage(message({ name, file: file.name }), COMPANION.remove()),
    };
    work.emit({ what: 'inbox-refused', file: name, fault });
  }
}

const OPEN_SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** In the inbox what is no plain file of one name is refused, as an export is. */
function readAttachment(path: string, name: string, where: 'inbox' | 'anywhere'): Content | RunProblem {
  let file: number;
  try {
    file = openSync(path, OPEN_SAFELY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? missingAttachment(name) : unreadable(name, code ?? COMPANION.unknownTrouble());
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return unreadable(name, COMPANION.noPlainFile());
    if (stats.size > MAX_BYTES) return tooLarge(name, stats.size);
    if (stats.size === 0) return unreadable(name, COMPANION.empty());
    const fault = where === 'inbox' ? checkPlainFile(stats, name, MAX_BYTES) : undefined;
    if (fault) return unreadable(name, fault[MESSAGE].message);
    const content = readFileSync(file);
    const after = fstatSync(file);
    return { content, stats, grew: content.length !== stats.size || after.mtimeMs !== stats.mtimeMs };
  } finally {
    closeSync(file);
  }
}

function secretInside(name: string): RunProblem {
  return {
    code: 'map/companion-secret',
    ...withMessage(COMPANION.secretInside({ name }), COMPANION.findOutWho()),
    given: name,
  };
}

function tooLarge(name: string, size: number): RunProblem {
  return {
    code: 'map/companion-too-large',
    ...withMessage(
      COMPANION.tooLarge({ name, size: Math.ceil(size / 1024 / 1024), most: MAX_BYTES / 1024 / 1024 }),
      COMPANION.makeSmaller(),
    ),
    given: name,
  };
}

function growing(name: string): RunProblem {
  return {
    code: 'map/companion-growing',
    ...withMessage(COMPANION.growing({ name }), COMPANION.waitForIt()),
    given: name,
  };
}

function unreadable(name: string, why: string | Message): RunProblem {
  return {
    code: 'map/companion-unreadable',
    ...withMessage(COMPANION.unreadable({ name, why }), COMPANION.putReadable()),
    given: name,
  };
}

/** True if the file in this place is the one that was read, and not a later one. */
async function isSame(path: string, { dev, ino, size, mtimeMs }: Stats): Promise<boolean> {
  const now = await lstat(path).catch(() => undefined);
  return now?.isFile() === true && now.dev === dev && now.ino === ino && now.size === size && now.mtimeMs === mtimeMs;
}
