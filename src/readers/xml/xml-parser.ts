/**
 * The parser of XML: bytes (UTF-8) in, tags and texts to `elements`. xml-fast-parser.ts reads regular markup; from the
 * first irregular one, saxes reads and judges (xml-strict-parser.ts). Errors come back as UnreadableFileError, which
 * refuses the file.
 */
import { UnreadableFileError } from '../reader.ts';
import type { XmlEventSink } from './xml-events.ts';
import { createXmlFastParser } from './xml-fast-parser.ts';
import { createXmlStrictParser, type XmlStrictParser } from './xml-strict-parser.ts';

/** The fast parser as long as it accepts the file, then the strict one. */
export type XmlParser = {
  /** The error that refuses the file, if any; the rows completed before it are still given. */
  readonly write: (bytes: Buffer) => UnreadableFileError | undefined;
  /** The error in the bytes that were written and wait for more. */
  readonly waiting: () => UnreadableFileError | undefined;
  readonly end: () => UnreadableFileError | undefined;
};

/** `file`: its name, for messages. */
export function createXmlParser(file: string, elements: XmlEventSink): XmlParser {
  const quick = createXmlFastParser(elements);
  let strict: XmlStrictParser | undefined;
  let failure: UnreadableFileError | undefined;
  const startStrict = () => {
    const { text, ...start } = quick.rest();
    strict = createXmlStrictParser(file, elements, start);
    return strict.write(text);
  };
  const write = (bytes: Buffer) => {
    if (strict) return strict.write(bytes.toString());
    try {
      if (quick.take(bytes)) return undefined;
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      failure = error;
      return failure;
    }
    return startStrict();
  };
  const waiting = () => failure ?? (strict ? undefined : startStrict());
  return { write, waiting, end: () => strict?.end() };
}
