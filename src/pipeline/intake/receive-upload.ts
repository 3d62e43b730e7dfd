/**
 * A file that a person sends through the console goes into the inbox: streamed under a name that no run takes, then whole under
 * its own. It never replaces a file, and one that no mapping takes is refused with the reason. Errors of the disk are thrown.
 */

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createEmpty } from '../../files/create-empty.ts';
import { syncFolder } from '../../files/fsync-directory.ts';
import type { Message } from '../../i18n/message.ts';
import { UPLOAD_REFUSED } from '../../i18n/messages/pipeline-messages.ts';
import { isIgnored } from '../../inbox/inbox-rules.ts';
import { moveIfFree } from '../../inbox/return-to-inbox.ts';
import type { Instance } from '../../instance/instance.ts';
import { isError, MESSAGE } from '../../model/fault.ts';
import { timeOfFiles } from '../../receipts/remove-temporary-files.ts';
import { classify } from './classify-file.ts';

/** What takes a file: ids of mappings, or `correction` where it corrects documents. */
export type FileTaker = { readonly mappings: readonly string[]; readonly correction: boolean };

/** `refused`: nothing is in the inbox. `size` in bytes. */
export type ReceivedUpload =
  | { readonly name: string; readonly size: number; readonly taker: FileTaker }
  | { readonly refused: Message; readonly hint?: Message };

/** Bytes of a name in UTF-8: a file system takes 255, and a name of Nightpost is longer than that of the file. */
const LONGEST_NAME = 180;

/** A connection of the console lasts half a minute: larger files are copied into the folder. */
const MOST_UPLOAD_BYTES = 256 * 1024 ** 2;

/** Bytes of a file that the console takes. */
export function uploadLimit({ limits }: Pick<Instance, 'limits'>): number {
  return Math.min(limits.maxBytes, MOST_UPLOAD_BYTES);
}

const PART_START = '.nightpost-upload-';
const PART = /^\.nightpost-upload-[\da-f-]{36}\.part$/;

/** A connection of the console has ended long before: its program was killed during the upload. */
const LEFT_MS = 60 * 60_000;

/**
 * Removes uploads that a killed console left an hour ago by the clock of the folder, and at once the second name of one that is
 * in place. What cannot be removed stays.
 */
export async function removeLeftUploads({
  folder,
  paths: { inbox },
}: Pick<Instance, 'folder' | 'paths'>): Promise<void> {
  const names = (await readdir(inbox).catch(() => [])).filter((name) => PART.test(name));
  if (names.length === 0) return;
  const beforeMs = (await timeOfFiles(folder)) - LEFT_MS;
  for (const path of names.map((name) => join(inbox, name))) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() && (found.nlink > 1 || found.mtimeMs < beforeMs))
      await rm(path, { force: true }).catch(() => undefined);
  }
}

/** `name`: as the sender calls it. Throws what `bytes` throws, and leaves nothing then. */
export async function receiveUpload(
  instance: Instance,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedUpload> {
  const refusal = refuseName(instance, name);
  if (refusal) return { refused: refusal };
  const { inbox } = instance.paths;
  const part = join(inbox, `${PART_START}${randomUUID()}.part`);
  try {
    const size = await writePart(part, bytes, uploadLimit(instance));
    if (size === undefined) return { refused: UPLOAD_REFUSED.tooLarge({ limit: uploadLimit(instance) }) };
    if (size === 0) return { refused: UPLOAD_REFUSED.empty() };
    const taker = await takerOf(instance, name, part);
    if ('refused' in taker) return taker;
    if (!(await putInPlace(instance, part, name))) {
      return { refused: UPLOAD_REFUSED.nameTaken({ name }), hint: UPLOAD_REFUSED.nameTakenHint() };
    }
    await syncFolder(inbox);
    return { name, size, taker };
  } finally {
    await rm(part, { force: true });
  }
}

/** What a run would take this file with, by its name and content; `path` is where it is. */
export async function takerOf(
  instance: Instance,
  name: string,
  path: string,
): Promise<FileTaker | { readonly refused: Message; readonly hint?: Message }> {
  const file = { name, path, claimedAt: new Date().toISOString() };
  const found = await classify({ instance }, file);
  if (found.kind === 'correction') return { mappings: [], correction: true };
  if (found.kind === 'shared') return { mappings: found.mappings.map(({ id }) => id), correction: false };
  if (found.kind === 'pair-half') return { mappings: [found.half.mapping.id], correction: false };
  if (found.kind === 'ordinary' && found.mapping) return { mappings: [found.mapping.id], correction: false };
  const fault = found.kind === 'ordinary' ? found.faults?.find(isError) : undefined;
  const words = fault?.[MESSAGE];
  return { refused: words?.message ?? UPLOAD_REFUSED.noMapping(), ...(words?.hint && { hint: words.hint }) };
}

/** A name with a path, with characters that are not seen, of another program's unfinished file, or reserved by Windows. */
function refuseName({ settings }: Instance, name: string): Message | undefined {
  if (name === '') return UPLOAD_REFUSED.noFile();
  const isPlain = basename(name) === name && !/[\\/:*?"<>|]/.test(name) && !/\p{C}/u.test(name);
  const isKept = !/[. ]$/.test(name) && !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name);
  if (!isPlain || !isKept || Buffer.byteLength(name) > LONGEST_NAME) return UPLOAD_REFUSED.name({ name });
  const { marker, ignore } = settings.inbox;
  const isMarker = marker !== undefined && name.endsWith(marker);
  return isIgnored(name, ignore) || isMarker ? UPLOAD_REFUSED.ignored({ name }) : undefined;
}

/** How many bytes were written, flushed; undefined beyond `most`. */
async function writePart(path: string, bytes: AsyncIterable<Uint8Array>, most: number): Promise<number | undefined> {
  let size = 0;
  const bounded = async function* () {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > most) return;
      yield chunk;
    }
  };
  await pipeline(bounded, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  return size > most ? undefined : size;
}

async function putInPlace({ paths, settings }: Instance, part: string, name: string): Promise<boolean> {
  if (!(await moveIfFree(part, paths.inbox, Buffer.from(name), replaceEmpty))) return false;
  if (settings.inbox.marker !== undefined) await createEmpty(join(paths.inbox, name + settings.inbox.marker));
  return true;
}

/** Without links an empty file holds the name until the whole one replaces it: runs leave empty files alone for a minute. */
async function replaceEmpty(part: string, place: Buffer): Promise<boolean> {
  if (!(await createEmpty(place))) return false;
  try {
    await rename(part, place);
  } catch (error) {
    await rm(place, { force: true });
    throw error;
  }
  return true;
}
