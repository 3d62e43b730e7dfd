/**
 * Copies a file that a person names into the inbox, and never over an existing one. It appears there whole, or not at all: a
 * run never reads an export of which a stop has cut the copy.
 */
import { constants } from 'node:fs';
import { copyFile, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createEmpty } from '../../files/create-empty.ts';
import { OPEN_SAFELY } from '../../files/read-bounded.ts';
import { TEMPORARY } from '../../files/write-durable.ts';
import { NAMED_FILE } from '../../i18n/messages/pipeline-messages.ts';
import { moveIfFree } from '../../inbox/return-to-inbox.ts';
import { OperatorError } from '../../model/fault.ts';
import { sha256Hex } from '../../text/sha256.ts';

/**
 * `place`: the new path. `marker`: the suffix by which the inbox knows a complete file, if the settings have one. Throws an
 * OperatorError if the name is taken or the file is not there.
 */
export async function copyInto(path: string, place: string, marker?: string): Promise<void> {
  const folder = dirname(place);
  // The inbox ignores names that begin with a dot, and the next run removes what a stop left.
  const temporary = join(folder, `.${sha256Hex(basename(place)).slice(0, 16)}${TEMPORARY}`);
  try {
    await rm(temporary, { force: true });
    await copyFile(path, temporary, constants.COPYFILE_EXCL);
    await openForAll(temporary);
    if (!(await moveIfFree(temporary, folder, Buffer.from(basename(place))))) throw nameTaken(place);
    if (marker !== undefined) await createEmpty(place + marker);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw cause instanceof OperatorError ? cause : errorOf(cause as NodeJS.ErrnoException, path);
  }
}

/** A copy of the archive is read-only, and a file in the inbox is not. Of the file that is open: others may write to the inbox. */
async function openForAll(path: string): Promise<void> {
  const file = await open(path, OPEN_SAFELY);
  try {
    await file.chmod((await file.stat()).mode | 0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

function nameTaken(place: string): OperatorError {
  return new OperatorError('inbox/name-taken', NAMED_FILE.nameTaken({ file: basename(place) }), {
    hint: NAMED_FILE.letRun(),
  });
}

function errorOf(cause: NodeJS.ErrnoException, path: string): OperatorError {
  if (cause.code === 'ENOENT') {
    return new OperatorError('inbox/no-such-file', NAMED_FILE.notThere({ path }), {
      cause,
      hint: NAMED_FILE.nothingTaken(),
    });
  }
  return new OperatorError('inbox/cannot-copy', NAMED_FILE.cannotCopy({ path }), {
    cause,
    hint: NAMED_FILE.checkPath(),
  });
}
