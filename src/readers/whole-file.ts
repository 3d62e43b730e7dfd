/**
 * Format `file`: the file itself is the document, and becomes one row without columns. Nothing is decoded here; the
 * mapping reads name and content by its own functions. Throws UnreadableFileError (file/empty, file/too-large).
 */
import { z } from 'zod';
import { FILE_TEXT, WHOLE_FILE } from '../i18n/messages/readers-messages.ts';
import { type Localizable, withMessage } from '../model/fault.ts';
import { type Reader, UnreadableFileError } from './reader.ts';

const MIB = 1024 * 1024;

const wholeFileOptions = z.strictObject({
  'max-bytes': z
    .int()
    .min(1)
    .default(20 * MIB)
    .describe('Larger files are refused; 20 MiB unless the service takes another size'),
});

/** One row for a file that has from 1 byte to `max-bytes`. Its bytes are counted and not kept. */
export const wholeFileReader: Reader = {
  format: 'file',
  options: wholeFileOptions,
  read: async function* (bytes, { file, source }) {
    const limit = wholeFileOptions.parse(source ?? {})['max-bytes'];
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      // Checked per chunk: a file past the limit is refused before it is read to its end.
      if (size > limit)
        throw refuseFile(file, 'file/too-large', withMessage(WHOLE_FILE.tooLarge({ limit }), WHOLE_FILE.makeSmaller()));
    }
    if (size === 0) throw refuseFile(file, 'file/empty', withMessage(FILE_TEXT.empty(), FILE_TEXT.exportAgain()));
    yield { table: { file, columns: [] }, rows: [{ cells: [], row: 1 }], leftOut: [] };
  },
};

function refuseFile(file: string, code: string, words: Localizable): UnreadableFileError {
  return new UnreadableFileError([{ code, level: 'error', ...words, origin: { file, row: 0 } }]);
}
