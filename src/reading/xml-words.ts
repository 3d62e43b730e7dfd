/** What the XML parser refused, as a fault in plain words with line and column. */
import { Unreadable } from './reader.ts';

const CUT = 'The file may be cut: run the export again';
const ESCAPE = 'Write &amp; for & and &lt; for < inside texts, or put the text into a CDATA section';
const EXPORT = 'The export writes broken XML: have it corrected at its source';

/** Pattern of what saxes says; what people read; what they can do. */
const WORDS: readonly (readonly [RegExp, (found: string) => string, string])[] = [
  [/^unclosed tag: (.*)$/, (name) => `the element <${name}> is never closed`, CUT],
  [/^document must contain a root/, () => 'there is no element in it', CUT],
  [/^unexpected end/, () => 'it ends in the middle of an element', CUT],
  [/^unexpected close tag/, () => 'an element is closed while another one inside it is still open', EXPORT],
  [/^unmatched closing tag: (.*)\.$/, (name) => `</${name}> closes an element that was never opened`, EXPORT],
  [/^documents may contain only one root/, () => 'there is a second root element', 'Two exports were joined: keep one'],
  [/^text data outside of root/, () => 'there is text outside the root element', EXPORT],
  [/^undefined entity/, () => 'an entity is used that XML does not know', ESCAPE],
  [/entity name|^malformed character entity/, () => 'an & begins no entity', ESCAPE],
  [/^disallowed character in (?:tag|attribute) name/, () => 'a < or a tag is malformed', ESCAPE],
  [/^disallowed character/, () => 'a character stands there that XML does not allow', EXPORT],
  [/^duplicate attribute: (.*)\.$/, (name) => `the attribute ${name} is given twice`, EXPORT],
  [/^unbound namespace prefix: (.*)\.$/, (name) => `the namespace prefix ${name} is not declared`, EXPORT],
];

/** In the text or tag that the file was left in (no comment, no CDATA section): an & that begins no reference. */
const BARE = /^(?![!?])[^<]*?(?:<[^!?<>][^<>]*?)?&(?!(?:#\d+|#x[\da-f]+|[\w.-]+);)/i;

/**
 * A bare & makes the parser take everything up to the next semicolon for a name, maybe in another document: its place
 * is looked up in the text since the last element, which began on `line`. Undefined: that is not what is wrong.
 */
export function bareAmpersand(file: string, since: string, line: number): Unreadable | undefined {
  const found = BARE.exec(since)?.[0];
  if (found === undefined) return undefined;
  const at = line + found.split(/\r\n?|\n/).length - 1;
  const shown = /[^\r\n]{0,20}$/.exec(found)![0] + /^[^<\r\n]{0,20}/.exec(since.slice(found.length))![0];
  const text = `Line ${at}: "${shown.trim()}" holds a bare &`;
  return broken(file, at, text, ESCAPE);
}

/** `error` is what saxes said, its own place in front. */
export function notWellFormed(file: string, at: { line: number; column: number }, error: Error): Unreadable {
  const said = error.message.replace(/^\d+:\d+: /, '');
  const [pattern, words, hint] = WORDS.find(([each]) => each.test(said)) ?? [
    /$/,
    () => said.replace(/\.$/, ''),
    EXPORT,
  ];
  const message = `Line ${at.line}, column ${at.column}: ${words(pattern.exec(said)?.[1] ?? '')}`;
  return broken(file, at.line, message, hint);
}

function broken(file: string, line: number, message: string, hint: string): Unreadable {
  return new Unreadable([
    { code: 'xml/not-well-formed', level: 'error', message, origin: { file, row: line, line }, hint },
  ]);
}
