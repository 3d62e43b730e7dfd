/**
 * Errors of the XML parser as faults in plain words with line and column: error in, UnreadableFileError out, which the
 * caller throws (xml/not-well-formed). A text of saxes that is not in the table is quoted in the message.
 */

import type { Message } from '../../i18n/message.ts';
import { XML_SYNTAX } from '../../i18n/messages/readers-messages.ts';
import { type Localizable, withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';

const CUT = XML_SYNTAX.cut();
const ESCAPE = XML_SYNTAX.escape();
const EXPORT = XML_SYNTAX.export();

/** Pattern of the text of saxes; the message for people; what they can do. */
const ERROR_MESSAGES: readonly (readonly [RegExp, (found: string) => Message, Message])[] = [
  [/^unclosed tag: (.*)$/, (name) => XML_SYNTAX.unclosed({ name }), CUT],
  [/^document must contain a root/, XML_SYNTAX.noElement, CUT],
  [/^unexpected end/, XML_SYNTAX.middle, CUT],
  [/^unexpected close tag/, XML_SYNTAX.crossed, EXPORT],
  [/^unmatched closing tag: (.*)\.$/, (name) => XML_SYNTAX.unopened({ name }), EXPORT],
  [/^documents may contain only one root/, XML_SYNTAX.secondRoot, XML_SYNTAX.joined()],
  [/^text data outside of root/, XML_SYNTAX.outside, EXPORT],
  [/^undefined entity/, XML_SYNTAX.unknownEntity, ESCAPE],
  [/entity name|^malformed character entity/, XML_SYNTAX.noEntity, ESCAPE],
  [/^disallowed character in (?:tag|attribute) name/, XML_SYNTAX.malformedTag, ESCAPE],
  [/^disallowed character/, XML_SYNTAX.disallowed, EXPORT],
  [/^duplicate attribute: (.*)\.$/, (name) => XML_SYNTAX.attributeTwice({ name }), EXPORT],
  [/^unbound namespace prefix: (.*)\.$/, (name) => XML_SYNTAX.unboundPrefix({ name }), EXPORT],
];

/** An & that does not begin a reference, in the text or tag that the parser stopped in (not in a comment or CDATA). */
const BARE = /^(?![!?])[^<]*?(?:<[^!?<>][^<>]*?)?&(?!(?:#\d+|#x[\da-f]+|[\w.-]+);)/i;

/**
 * A bare & makes the parser read everything up to the next semicolon as a name, maybe into another document. So its
 * place is searched for in `since`, the text after the last element, which begins on `line`. Undefined if the error is
 * another one.
 */
export function bareAmpersand(file: string, since: string, line: number): UnreadableFileError | undefined {
  const found = BARE.exec(since)?.[0];
  if (found === undefined) return undefined;
  const at = line + found.split(/\r\n?|\n/).length - 1;
  const [before = ''] = /[^\r\n]{0,20}$/.exec(found) ?? [];
  const [after = ''] = /^[^<\r\n]{0,20}/.exec(since.slice(found.length)) ?? [];
  const shown = `${before}${after}`.trim();
  return notWellFormedAt(file, at, withMessage(XML_SYNTAX.bareAmpersand({ line: at, shown }), ESCAPE));
}

/** `error` is that of saxes, which begins with its own place. */
export function notWellFormed(file: string, at: ParserPlace, error: Error): UnreadableFileError {
  return notWellFormedAt(file, at.line, describeParserError(error, at));
}

/** Line from 1, column from 0, as saxes counts. */
export type ParserPlace = { readonly line: number; readonly column: number };

function describeParserError(error: Error, { line, column }: ParserPlace): Localizable {
  const said = error.message.replace(/^\d+:\d+: /, '');
  for (const [pattern, toMessage, hint] of ERROR_MESSAGES) {
    const found = pattern.exec(said);
    if (found) return withMessage(XML_SYNTAX.at({ line, column, what: toMessage(found[1] ?? '') }), hint);
  }
  const what = XML_SYNTAX.said({ said: said.replace(/\.$/, '') });
  return withMessage(XML_SYNTAX.at({ line, column, what }), EXPORT);
}

function notWellFormedAt(file: string, line: number, words: Localizable): UnreadableFileError {
  return new UnreadableFileError([
    { code: 'xml/not-well-formed', level: 'error', ...words, origin: { file, row: line, line } },
  ]);
}
