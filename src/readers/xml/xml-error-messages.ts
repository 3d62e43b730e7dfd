/** What the XML parser refused, as a fault in plain words with line and column. */

import type { Message } from '../../i18n/message.ts';
import { BROKEN } from '../../i18n/messages/readers-messages.ts';
import { type Localizable, withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';

const CUT = BROKEN.cut();
const ESCAPE = BROKEN.escape();
const EXPORT = BROKEN.export();

/** Pattern of what saxes says; what people read; what they can do. */
const WORDS: readonly (readonly [RegExp, (found: string) => Message, Message])[] = [
  [/^unclosed tag: (.*)$/, (name) => BROKEN.unclosed({ name }), CUT],
  [/^document must contain a root/, BROKEN.noElement, CUT],
  [/^unexpected end/, BROKEN.middle, CUT],
  [/^unexpected close tag/, BROKEN.crossed, EXPORT],
  [/^unmatched closing tag: (.*)\.$/, (name) => BROKEN.unopened({ name }), EXPORT],
  [/^documents may contain only one root/, BROKEN.secondRoot, BROKEN.joined()],
  [/^text data outside of root/, BROKEN.outside, EXPORT],
  [/^undefined entity/, BROKEN.unknownEntity, ESCAPE],
  [/entity name|^malformed character entity/, BROKEN.noEntity, ESCAPE],
  [/^disallowed character in (?:tag|attribute) name/, BROKEN.malformedTag, ESCAPE],
  [/^disallowed character/, BROKEN.disallowed, EXPORT],
  [/^duplicate attribute: (.*)\.$/, (name) => BROKEN.attributeTwice({ name }), EXPORT],
  [/^unbound namespace prefix: (.*)\.$/, (name) => BROKEN.unboundPrefix({ name }), EXPORT],
];

/** In the text or tag that the file was left in (no comment, no CDATA section): an & that begins no reference. */
const BARE = /^(?![!?])[^<]*?(?:<[^!?<>][^<>]*?)?&(?!(?:#\d+|#x[\da-f]+|[\w.-]+);)/i;

/**
 * A bare & makes the parser take everything up to the next semicolon for a name, maybe in another document: its place
 * is looked up in the text since the last element, which began on `line`. Undefined: that is not what is wrong.
 */
export function bareAmpersand(file: string, since: string, line: number): UnreadableFileError | undefined {
  const found = BARE.exec(since)?.[0];
  if (found === undefined) return undefined;
  const at = line + found.split(/\r\n?|\n/).length - 1;
  const shown = /[^\r\n]{0,20}$/.exec(found)![0] + /^[^<\r\n]{0,20}/.exec(since.slice(found.length))![0];
  return broken(file, at, withMessage(BROKEN.bareAmpersand({ line: at, shown: shown.trim() }), ESCAPE));
}

/** `error` is what saxes said, its own place in front. */
export function notWellFormed(file: string, at: { line: number; column: number }, error: Error): UnreadableFileError {
  const said = error.message.replace(/^\d+:\d+: /, '');
  const [pattern, words, hint] = WORDS.find(([each]) => each.test(said)) ?? [
    /$/,
    () => BROKEN.said({ said: said.replace(/\.$/, '') }),
    EXPORT,
  ];
  const what = words(pattern.exec(said)?.[1] ?? '');
  return broken(file, at.line, withMessage(BROKEN.at({ line: at.line, column: at.column, what }), hint));
}

function broken(file: string, line: number, words: Localizable): UnreadableFileError {
  return new UnreadableFileError([
    { code: 'xml/not-well-formed', level: 'error', ...words, origin: { file, row: line, line } },
  ]);
}
