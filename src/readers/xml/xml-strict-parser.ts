/**
 * The strict parser of XML: text in, events to the element walk; errors of saxes come out as UnreadableFileError in
 * plain words (xml/not-well-formed). saxes has no limits, so they are here: xml/doctype (so that no entity is ever
 * declared), xml/too-deep, xml/too-many-attributes, xml/text-too-long, xml/unknown-version.
 */

import type { Message } from '../../i18n/message.ts';
import { XML_FILE } from '../../i18n/messages/readers-messages.ts';
import { withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';
import { createCheckedParser, malformedName, paddedNamespace } from './xml-checked-parser.ts';
import { bareAmpersand, notWellFormed } from './xml-error-messages.ts';
import { MAX_ATTRIBUTES, MAX_DEPTH, toTag, type XmlEventSink } from './xml-events.ts';
import type { XmlRest } from './xml-fast-parser.ts';

/** UTF-16 units of one text: room for an attachment of 24 MiB as Base64. */
const MAX_TEXT = 32 * 1024 * 1024;
const MAX_MARKUP = 1024 * 1024;
/** The text begins with a tag, comment or the like, but not with a CDATA section. */
const MARKUP = /^<(?!!\[CDATA\[)/;

/** After an error it must not be used again. */
export type XmlStrictParser = {
  /** The error that refuses the file, if any; the rows completed before it are still given. */
  readonly write: (text: string) => UnreadableFileError | undefined;
  readonly end: () => UnreadableFileError | undefined;
};

/** Continues from `start`, where the fast parser stopped; the caller writes the text of `start` first. */
export function createXmlStrictParser(
  file: string,
  elements: XmlEventSink,
  start: Omit<XmlRest, 'text'>,
): XmlStrictParser {
  const parser = createCheckedParser();
  parser.write(start.before);
  parser.line = start.line;
  parser.column = start.column;
  let { depth, line } = start;
  /** Characters given to the parser, and where the last event was; what came since then is kept for the messages. */
  let fed = start.before.length;
  let seen = fed;
  let seenLine = line;
  let since = '';
  const note = () => {
    seen = parser.position;
    seenLine = parser.line;
  };
  const refuse = (code: string, message: Message, hint: Message): never => {
    throw new UnreadableFileError([
      { code, level: 'error', ...withMessage(message, hint), origin: { file, row: line, line } },
    ]);
  };
  const text = (more: string) => {
    note();
    if (more.length > MAX_TEXT) tooLong();
    elements.text(more);
  };
  /** XML 1.1 allows control characters that a tax document must not contain. */
  const refuseVersion = () => {
    const { version } = parser.xmlDecl;
    if (version !== undefined && version !== '1.0') {
      refuse('xml/unknown-version', XML_FILE.unknownVersion({ version }), XML_FILE.exportVersion());
    }
  };
  const refuseMark = () => refuse('xml/not-well-formed', XML_FILE.twoMarks(), XML_FILE.exportAgain());
  const tooLong = () => {
    line = parser.line;
    refuse('xml/text-too-long', XML_FILE.textTooLong({ line }), XML_FILE.otherFile());
  };

  // Six handlers and no more: saxes sets them by computed names, and a seventh turns the parser object into a hash
  // table, which makes it three times slower. So its errors are caught, and comments and attributes have no handler.
  parser.on('doctype', () => {
    line = parser.line;
    refuse('xml/doctype', XML_FILE.doctype({ line }), XML_FILE.noDoctype());
  });
  parser.on('opentagstart', () => {
    // The line end that closes the name has been counted already.
    line = parser.column === 0 ? parser.line - 1 : parser.line;
    if (depth === 0) refuseVersion();
    if (++depth > MAX_DEPTH) refuse('xml/too-deep', XML_FILE.tooDeep({ most: MAX_DEPTH }), XML_FILE.otherFile());
  });
  parser.on('opentag', (tag) => {
    note();
    const known = toTag(tag);
    if (known.attributes.length > MAX_ATTRIBUTES) {
      refuse('xml/too-many-attributes', XML_FILE.tooManyAttributes({ most: MAX_ATTRIBUTES }), XML_FILE.otherFile());
    }
    const malformed = malformedName(tag);
    if (malformed !== undefined)
      refuse('xml/not-well-formed', XML_FILE.malformedName({ name: malformed, line }), XML_FILE.exportAgain());
    const padded = paddedNamespace(tag);
    if (padded !== undefined)
      refuse('xml/not-well-formed', XML_FILE.paddedNamespace({ uri: padded.trim(), line }), XML_FILE.exportAgain());
    elements.open(known, line);
  });
  parser.on('closetag', () => {
    note();
    depth--;
    elements.close();
  });
  parser.on('text', text);
  parser.on('cdata', text);

  const guard = (run: () => unknown, start: number): UnreadableFileError | undefined => {
    try {
      run();
      return undefined;
    } catch (error) {
      if (error instanceof UnreadableFileError) return error;
      if (error instanceof Error && isParserError(parser, error)) {
        const looked = since.slice(Math.max(0, seen - start), parser.position - start);
        return bareAmpersand(file, looked, seenLine) ?? notWellFormed(file, parser, error);
      }
      throw error;
    }
  };
  let most = MAX_TEXT;
  const write = (chunk: string) => {
    // A second byte order mark is no white space; the first was taken off with the encoding.
    if (fed === 0 && chunk.startsWith('\ufeff')) return guard(refuseMark, 0);
    const start = fed - since.length;
    const isLong = since.length >= '<![CDATA['.length;
    since += chunk;
    fed += chunk.length;
    const failure = guard(() => parser.write(chunk), start);
    // `position` is right inside an event only: between two writes it counts the chunk twice.
    const consumed = Math.max(0, seen - start);
    // A long text is not looked at again with each chunk: to look is to copy all of it.
    if (consumed > 0 || !isLong) {
      since = since.slice(consumed);
      most = MARKUP.test(since) ? MAX_MARKUP : MAX_TEXT;
    }
    return failure ?? (since.length > most ? guard(tooLong, seen) : undefined);
  };
  return { write, end: () => guard(() => parser.close(), fed - since.length) };
}

/** saxes throws plain errors, its present place in front. */
function isParserError(parser: { line: number; column: number }, error: Error): boolean {
  return error.message.startsWith(`${parser.line}:${parser.column}: `);
}
