/** The text of a sample as the reader decodes it, and the way back. Throws UnreadableFileError where a byte has no letter. */
import { inOnePiece } from '../../files/in-one-piece.ts';
import { ENCODING_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { createEncoder } from '../../readers/encoding/encoder.ts';
import { readText, type TextOptions } from '../../readers/encoding/read-text.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { detectXmlEncoding } from '../../readers/xml/xml-encoding.ts';
import { copyNotes, createNotes, type DraftNotes } from '../findings/draft-findings.ts';
import { detectEncoding } from './detect-encoding.ts';
import type { SampleBytes } from './read-detected.ts';

export type SampleText = {
  readonly text: string;
  /** As the block `source` of the mapping will name it. */
  readonly encoding: string;
  /** Text that is to go back into bytes (a cut of the sample), with the byte order mark of the sample. */
  readonly encode: (text: string) => Uint8Array;
};

/** A text of rows, in the encoding that fits best. */
export async function readRowsText(sample: SampleBytes, notes: DraftNotes): Promise<SampleText> {
  return await readAs(sample, { encoding: detectEncoding(sample.bytes, notes) });
}

/** In the encoding that the file declares or shows; what it declares needs no guess. */
export async function readXmlText(sample: SampleBytes, notes: DraftNotes): Promise<SampleText> {
  const guesses = createNotes();
  const guess = detectEncoding(sample.bytes, guesses);
  const read = (encoding: string) => readAs(sample, { encoding, declared: detectXmlEncoding(sample.file, encoding) });
  const encoding = /^<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/.exec(beginningOf(sample))?.[1];
  if (encoding === undefined) {
    copyNotes(guesses, notes);
    return await read(guess);
  }
  try {
    const text = await read('auto');
    notes.addEvidence('source.encoding', ENCODING_EVIDENCE.declared({ encoding }));
    return text;
  } catch (error) {
    // ISO-8859-1 is often declared where Windows-1252 is written: a mapping may say so.
    const text = error instanceof UnreadableFileError ? await read(guess).catch(() => undefined) : undefined;
    if (!text) throw error;
    copyNotes(guesses, notes);
    notes.addQuestion(80, 'source.encoding', SAMPLE_QUESTION.unreadDeclaration({ encoding }));
    return text;
  }
}

export function isXmlSample(sample: SampleBytes): boolean {
  return beginningOf(sample).startsWith('<');
}

/** Without byte order marks and white space. Letters beyond ASCII are not decoded. */
function beginningOf({ bytes }: SampleBytes): string {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return start
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)+/, '')
    .replaceAll('\0', '')
    .trimStart();
}

async function readAs(
  { bytes, file }: SampleBytes,
  options: Pick<TextOptions, 'encoding' | 'declared'>,
): Promise<SampleText> {
  let text = '';
  let found = '';
  for await (const { encoding, data } of readText(inOnePiece(bytes), { file, ...options })) {
    found = encoding;
    text += data;
  }
  const { mark, bytes: encode } = createEncoder(found);
  const own = mark.equals(bytes.subarray(0, mark.length)) ? mark : Buffer.alloc(0);
  return { text, encoding: options.encoding, encode: (cut) => Buffer.concat([own, encode(Buffer.from(cut))]) };
}
