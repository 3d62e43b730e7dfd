/**
 * Files next to an export that its documents contain: read when a document asks for them. What an earlier reading of the
 * same export took belongs to its documents by its hash: that content is taken again, from the archive, and never another
 * file of the name. A file that cannot be read is a fault of its document (map/...). Nothing here writes.
 */
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { OPEN_SAFELY } from '../../files/read-bounded.ts';
import type { Message } from '../../i18n/message.ts';
import { COMPANION } from '../../i18n/messages/pipeline-messages.ts';
import { judgeRest, type RestLook } from '../../inbox/at-rest.ts';
import { missingAttachment } from '../../mapping/expressions/attachment-expression.ts';
import type { RunProblem } from '../../mapping/runtime/value.ts';
import { MESSAGE, withMessage } from '../../model/fault.ts';
import type { Attachment, CarriedAttachment, KnownAttachment } from '../../model/ledger-entry.ts';
import { sha256Hex } from '../../text/sha256.ts';

/** The most bytes of one attachment. */
export const ATTACHMENT_BYTES = 20 * 1024 * 1024;
/** The most bytes that documents composed in one step may carry. */
const HEAVY_BYTES = 64 * 1024 * 1024;

/** `isDropped`: it was read from the inbox. */
type TakenAttachment = CarriedAttachment & { readonly isDropped: boolean };

/** The attachments of one file while it is converted. */
export type OpenAttachments = {
  /** Base64 of the file, or the problem of the field that asked for it. */
  readonly read: (name: string) => string | RunProblem;
  readonly decided: (admitted: boolean) => void;
  /** True once each time that HEAVY_BYTES were read. */
  readonly isHeavy: () => boolean;
  /** What documents have asked for. */
  readonly taken: () => readonly TakenAttachment[];
};

/** The file may still be growing: the export has to be read again in a moment. */
export class AttachmentGrowingError extends Error {
  constructor(name: string) {
    super(`${name} is not at rest`);
  }
}

/** What earlier readings of the same bytes have taken. */
export type RecordedAttachments = {
  readonly all: readonly KnownAttachment[];
  /** The archived copy. */
  readonly pathOf: (attachment: Attachment) => string | undefined;
  /** True for an export that was dropped again: it may have come with another file of the name. */
  readonly inboxFirst: boolean;
  /** True for a name that an earlier reading may have taken without a record: a file of the inbox is not known to be its file. */
  readonly isLost?: (name: string) => boolean;
};

export type AttachmentFolder = {
  /** The present look into the inbox; undefined in a preview, which takes a file as it is. */
  readonly look?: () => RestLook;
  /** Throws AttachmentGrowingError for a file that is not at rest, instead of refusing the document. */
  readonly patient?: boolean;
  /** True for a content that no document may carry: a secret of the instance. */
  readonly isSecret?: (content: Buffer) => boolean;
  readonly recorded?: RecordedAttachments;
};

/** `folder`: the one with the export. */
export function openAttachments(
  folder: string,
  { look, patient = false, isSecret = () => false, recorded }: AttachmentFolder = {},
): OpenAttachments {
  const earlier = new Map<string, string>();
  // Of a name that two readings have, the first one counts.
  for (const { name, sha256 } of recorded?.all ?? []) if (!earlier.has(name)) earlier.set(name, sha256);
  const moved = new Set(recorded?.all.flatMap(({ name, isWaiting }) => (isWaiting ? [] : [name])));
  const known = new Map<string, string>();
  const asked = new Map<string, Attachment & { readonly isDropped: boolean }>();
  const taken = new Map<string, TakenAttachment>();
  const isLeft = (name: string) => earlier.has(name) && !moved.has(name);
  let bytes = 0;
  const find = (name: string): Found | RunProblem => {
    const sha256 = earlier.get(name);
    const again = () => (sha256 === undefined ? undefined : recordedContent({ name, sha256 }, folder, recorded));
    if (sha256 === undefined && recorded?.isLost?.(name)) return notArchived(name);
    if (!recorded?.inboxFirst) return again() ?? droppedContent(folder, name, look);
    const dropped = droppedContent(folder, name, look);
    return 'code' in dropped && dropped.code === NO_COMPANION ? (again() ?? dropped) : dropped;
  };
  return {
    read: (name) => {
      const found = find(name);
      if ('code' in found) {
        if (found.code === GROWING && patient) throw new AttachmentGrowingError(name);
        return found;
      }
      const { content, isDropped } = found;
      const sha256 = sha256Hex(content);
      // Two documents of a reading have the same bytes under a name, because it is recorded once.
      if ((known.get(name) ?? sha256) !== sha256) {
        if (patient) throw new AttachmentGrowingError(name);
        return growing(name);
      }
      if (isSecret(content)) return secretInside(name);
      known.set(name, sha256);
      bytes += content.length;
      asked.set(name, { name, sha256, isDropped });
      return content.toString('base64');
    },
    decided: (isAdmitted) => {
      for (const [name, one] of asked) {
        if (!isAdmitted) taken.set(name, taken.get(name) ?? { ...one, place: 'waiting' });
        // What refused documents left in the inbox leaves it with the one that is admitted.
        else taken.set(name, { ...one, place: one.isDropped || isLeft(name) ? 'due' : 'archive' });
      }
      asked.clear();
    },
    isHeavy: () => {
      const heavy = bytes > HEAVY_BYTES;
      if (heavy) bytes = 0;
      return heavy;
    },
    taken: () => [...taken.values()],
  };
}

/** A fault of a file next to the export, which may be there, or be another one, at a later reading. */
export function isOfAttachment({ code }: { readonly code: string }): boolean {
  return /^map\/(?:no-)?companion(?:$|-)/.test(code) && code !== 'map/companion-name';
}

const NO_COMPANION = missingAttachment('').code;
const GROWING = 'map/companion-growing';

type Found = { readonly content: Buffer; readonly isDropped: boolean };

/** The bytes that were recorded: from the archive, or from the inbox where they have not left it yet, or came back. */
function recordedContent(
  one: Attachment,
  folder: string,
  recorded: RecordedAttachments | undefined,
): Found | RunProblem {
  const archived = recorded?.pathOf(one);
  for (const [path, isDropped] of [
    [archived, false],
    [join(folder, one.name), true],
  ] as const) {
    const found = path === undefined ? undefined : readPlain(path, one.name);
    if (found && 'content' in found && sha256Hex(found.content) === one.sha256)
      return { content: found.content, isDropped };
  }
  return notArchived(one.name);
}

function notArchived(name: string): RunProblem {
  return unreadable(name, COMPANION.notArchived(), COMPANION.restoreIt());
}

function droppedContent(folder: string, name: string, look: AttachmentFolder['look']): Found | RunProblem {
  const found = readPlain(join(folder, name), name, look?.());
  return 'code' in found ? found : { ...found, isDropped: look !== undefined };
}

/** With `look`, what is not at rest waits, and what is no plain file of one name is refused, as an export is. */
function readPlain(path: string, name: string, look?: RestLook): { readonly content: Buffer } | RunProblem {
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
    if (stats.size > ATTACHMENT_BYTES) return tooLarge(name, stats.size);
    const rest = look ? judgeRest(Buffer.from(name), stats, look) : 'at-rest';
    if (rest !== 'at-rest')
      return 'waiting' in rest ? growing(name) : unreadable(name, rest.refused[MESSAGE]?.message ?? rest.refused.code);
    if (stats.size === 0) return unreadable(name, COMPANION.empty());
    const content = readFileSync(file);
    return hasGrown(stats, fstatSync(file), content) ? growing(name) : { content };
  } finally {
    closeSync(file);
  }
}

function hasGrown(before: Stats, after: Stats, { length }: Buffer): boolean {
  return length !== before.size || after.mtimeMs !== before.mtimeMs;
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
      COMPANION.tooLarge({ name, size: Math.ceil(size / 1024 / 1024), most: ATTACHMENT_BYTES / 1024 / 1024 }),
      COMPANION.makeSmaller(),
    ),
    given: name,
  };
}

function growing(name: string): RunProblem {
  return {
    code: GROWING,
    ...withMessage(COMPANION.growing({ name }), COMPANION.waitForIt()),
    given: name,
  };
}

function unreadable(name: string, why: string | Message, hint = COMPANION.putReadable()): RunProblem {
  return {
    code: 'map/companion-unreadable',
    ...withMessage(COMPANION.unreadable({ name, why }), hint),
    given: name,
  };
}
