/** The fault for which a decoder refuses bytes that come in steps: the same one as text and as UTF-8. */
import { expect } from 'vitest';
import { FILE_TEXT } from '../../src/i18n/messages/readers-messages.ts';
import { createDecoder } from '../../src/readers/encoding/decoder.ts';
import { UnreadableFileError } from '../../src/readers/reader.ts';

export function refusalOf(bytes: Buffer, encoding: string, step = 5) {
  return refusalsOf(bytes, encoding, step)?.[0];
}

/** All of its faults. */
export function refusalsOf(bytes: Buffer, encoding: string, step: number) {
  const [asText, asUtf8] = (['text', 'utf8'] as const).map((form) => {
    try {
      const decoder = createDecoder(encoding, { file: 'F.csv', start: 0, hint: FILE_TEXT.exportAgain() });
      for (let at = 0; at < bytes.length; at += step) decoder[form](bytes.subarray(at, at + step));
      decoder.end();
      return undefined;
    } catch (error) {
      if (error instanceof UnreadableFileError) return error.faults;
      throw error;
    }
  });
  expect(asUtf8).toEqual(asText);
  return asText;
}
