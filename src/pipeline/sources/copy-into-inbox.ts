/** Copies a file that a person names into the inbox, and never over an existing one. */
import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { NAMED_FILE } from '../../i18n/messages/pipeline-messages.ts';
import { OperatorError } from '../../model/fault.ts';

/** `place`: the new path. Throws an OperatorError if the name is taken or the file is not there. */
export async function copyInto(path: string, place: string): Promise<void> {
  try {
    await copyFile(path, place, constants.COPYFILE_EXCL);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new OperatorError('inbox/no-such-file', NAMED_FILE.notThere({ path }), {
        cause,
        hint: NAMED_FILE.nothingTaken(),
      });
    }
    if (code === 'EEXIST') {
      throw new OperatorError('inbox/name-taken', NAMED_FILE.nameTaken({ file: basename(path) }), {
        cause,
        hint: NAMED_FILE.letRun(),
      });
    }
    throw new OperatorError('inbox/cannot-copy', NAMED_FILE.cannotCopy({ path }), {
      cause,
      hint: NAMED_FILE.checkPath(),
    });
  }
}
