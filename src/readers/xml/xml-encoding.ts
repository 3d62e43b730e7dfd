/**
 * The encoding that an XML file declares, checked against its byte order mark and the mapping: two that disagree are a
 * fault, because one of them would read letters wrongly without any error. First bytes in, encoding out; throws
 * UnreadableFileError (xml/encoding-conflict, xml/unknown-encoding).
 */

import type { Message } from '../../i18n/message.ts';
import { XML_ENCODING } from '../../i18n/messages/readers-messages.ts';
import { withMessage } from '../../model/fault.ts';
import { normalizeEncoding } from '../encoding/code-pages.ts';
import { UnreadableFileError } from '../reader.ts';

/** The most characters of an XML declaration: a longer one is not read. */
const DECLARATION = 1024;

/** A function for `TextOptions.declared` of `readText`. `configured`: the mapping's `encoding` setting, or `auto`. */
export function detectXmlEncoding(file: string, configured: string) {
  return (head: Buffer, mark: string | undefined, whole: boolean): string | undefined | 'more' => {
    const wide = mark?.startsWith('utf-16') ? mark : detectUtf16(head);
    const text = decodeHead(head, wide).replace(/^\ufeff|^\xef\xbb\xbf/, '');
    const begins = '<?xml'.startsWith(text.slice(0, 5));
    if (begins && !text.includes('?>') && text.length < DECLARATION && !whole) return 'more';
    const name = begins ? /^<\?xml\s[^?]*?\sencoding\s*=\s*(["'])([A-Za-z][\w.-]*)\1/.exec(text)?.[2] : undefined;
    const declared = name === undefined ? undefined : normalizeEncoding(name);
    if (name !== undefined && declared === undefined) throw unknownEncoding(file, name);
    return reconcileEncodings(file, { declared, name, mark, wide, configured });
  };
}

/**
 * What each source claims: the declaration (`name` as written), the byte order mark, the first two bytes, the mapping.
 */
type EncodingClaims = {
  readonly declared: string | undefined;
  readonly name: string | undefined;
  readonly mark: string | undefined;
  readonly wide: string | undefined;
  readonly configured: string;
};

/**
 * The encoding that all claims agree on; the bytes themselves win over the declaration, and all of them over `auto`.
 */
function reconcileEncodings(
  file: string,
  { declared, name, mark, wide, configured }: EncodingClaims,
): string | undefined {
  const found = mark ?? wide;
  const declares = XML_ENCODING.declares({ name: name ?? '' });
  if (declared && found && !isCompatible(declared, found))
    throw encodingConflict(file, declares, XML_ENCODING.written({ found }));
  // A declaration that can be read byte by byte is not in UTF-16.
  if (declared?.startsWith('utf-16') && !found) throw encodingConflict(file, declares, XML_ENCODING.notWritten());
  if (configured === 'auto') return found ?? declared;
  const mapping = XML_ENCODING.mappingSays({ setting: `\`encoding: ${configured}\`` });
  if (found && !isCompatible(configured, found)) throw encodingConflict(file, XML_ENCODING.written({ found }), mapping);
  // Windows programs often declare ISO-8859-1 and write Windows-1252, which holds all its letters and the euro sign.
  if (declared === 'iso-8859-1' && configured === 'windows-1252') return configured;
  if (declared && !isCompatible(declared, configured)) throw encodingConflict(file, declares, mapping);
  return found ?? configured;
}

function isCompatible(a: string, b: string): boolean {
  return a === b || (a === 'utf-16' && b.startsWith('utf-16')) || (b === 'utf-16' && a.startsWith('utf-16'));
}

/** UTF-16 shows in the first two bytes of any XML file, mark or not (XML 1.0, appendix F). */
function detectUtf16(head: Buffer): string | undefined {
  if (head[0] === 0x3c && head[1] === 0) return 'utf-16le';
  return head[0] === 0 && head[1] === 0x3c ? 'utf-16be' : undefined;
}

function decodeHead(head: Buffer, wide: string | undefined): string {
  const start = head.subarray(0, 2 * DECLARATION);
  if (wide === undefined) return start.toString('latin1');
  const even = Buffer.from(start.subarray(0, start.length - (start.length % 2)));
  return (wide === 'utf-16be' ? even.swap16() : even).toString('utf16le');
}

function encodingConflict(file: string, one: Message, other: Message): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'xml/encoding-conflict',
      level: 'error',
      ...withMessage(XML_ENCODING.conflict({ one, other }), XML_ENCODING.correct()),
      origin: { file, row: 1, line: 1 },
    },
  ]);
}

function unknownEncoding(file: string, name: string): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'xml/unknown-encoding',
      level: 'error',
      ...withMessage(XML_ENCODING.unknown({ name }), XML_ENCODING.exportUtf8()),
      origin: { file, row: 1, line: 1 },
      given: name,
    },
  ]);
}
