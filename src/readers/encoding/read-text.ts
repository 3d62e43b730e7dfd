/**
 * Bytes of a file to its text, strictly and in constant memory: byte order mark, then the `encoding` setting, then
 * strict UTF-8. Bytes come in steps of bounded size with a turn of the event loop between them, so that nothing else
 * waits long. Throws UnreadableFileError (codes text/...) with the place; no byte is ever replaced.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { Message } from '../../i18n/message.ts';
import { FILE_TEXT, READER_OPTION } from '../../i18n/messages/readers-messages.ts';
import { type Localizable, withMessage } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { addProblem } from '../../model/shape-issue.ts';
import { UnreadableFileError } from '../reader.ts';
import { normalizeEncoding } from './code-pages.ts';
import { createDecoder, type Decoder } from './decoder.ts';

/** How to read one file as text. `file`: its name for messages. `chunkBytes`: bytes of one step, 32 KiB by default. */
export type TextOptions = {
  readonly file: string;
  /** `auto`, or an encoding; a byte order mark wins over it. */
  readonly encoding: string;
  readonly chunkBytes?: number | undefined;
  /**
   * Encoding that the first bytes of the file declare (XML), which replaces `auto`. `head` begins with the byte order
   * mark. `more` asks for more bytes, which is not allowed if `whole`: then the file has no more.
   */
  readonly declared?: (head: Buffer, mark: string | undefined, whole: boolean) => string | undefined | 'more';
};

/** One step of a file. `encoding` is the same for all its steps. */
export type DecodedPiece<T> = { readonly encoding: string; readonly data: T };

const STEP = 32 * 1024;
/**
 * The first step; each one after it is twice as large, up to STEP: at first the code of a reader is not compiled yet.
 */
const FIRST_STEP = 4 * 1024;
const NAME_IT = FILE_TEXT.nameIt({ setting: '`encoding: windows-1252`' });
const MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

/** Files that people take for an export, by their first bytes, which no text begins with in any encoding. */
const OTHER_KINDS = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], says: FILE_TEXT.workbook() },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], says: FILE_TEXT.oldWorkbook() },
  { bytes: [0x25, 0x50, 0x44, 0x46], says: FILE_TEXT.pdf() },
  { bytes: [0x1f, 0x8b, 0x08], says: FILE_TEXT.packed() },
  { bytes: [0xff, 0xd8, 0xff], says: FILE_TEXT.image() },
  { bytes: [0x89, 0x50, 0x4e, 0x47], says: FILE_TEXT.image() },
] as const;

/** Text that the mapping cannot read: an export of another format, or a web page with the name .xls. */
const OTHER_FORMATS = {
  rows: [
    {
      begins: /^<\?xml[ \t\r\n]/,
      says: FILE_TEXT.xml(),
      hint: FILE_TEXT.mapIt({ setting: '`source: { format: xml }`' }),
    },
    { begins: /^(?:\[\s*)?\{\s*(?:"|\})/, says: FILE_TEXT.json(), hint: FILE_TEXT.exportRows() },
    { begins: /^<(?:!DOCTYPE\s+html|html)[\s>]/i, says: FILE_TEXT.html(), hint: FILE_TEXT.exportRows() },
  ],
  xml: [
    { begins: /^\s*[[{]/, says: FILE_TEXT.json(), hint: FILE_TEXT.exportRows() },
    {
      begins: /^(?=[\s\0]*[^\s\0])[^<]*$/,
      says: FILE_TEXT.noMarkup(),
      hint: FILE_TEXT.mapIt({ setting: '`source: { format: csv }`' }),
    },
  ],
};
/** The most bytes that a format needs to be recognized. */
const BEGINNING = 24;

/** The `encoding` key of a mapping's `source` block; parses to `auto` or to a name in its usual spelling. */
export const encodingSetting = z
  .string()
  .superRefine((name, context) => {
    if (name === 'auto' || normalizeEncoding(name) !== undefined) return;
    addProblem(context, READER_OPTION.encoding({ name }));
  })
  .transform((name) => normalizeEncoding(name) ?? name)
  .default('auto')
  .describe(
    'How the bytes of the file are read: auto (byte order mark, or valid UTF-8), windows-1252, cp850, utf-16le ...',
  );

/** The file as text, step by step; a character never spans two steps. */
export function readText(bytes: AsyncIterable<Uint8Array>, options: TextOptions): AsyncGenerator<DecodedPiece<string>> {
  return decodePieces(bytes, options, (decoder, step) => decoder.text(step));
}

/** The file as UTF-8 bytes, step by step, for parsers that take bytes: a file in UTF-8 is checked and passed on. */
export function readUtf8(bytes: AsyncIterable<Uint8Array>, options: TextOptions): AsyncGenerator<DecodedPiece<Buffer>> {
  return decodePieces(bytes, options, (decoder, step) => decoder.utf8(step));
}

async function* decodePieces<T extends string | Buffer>(
  bytes: AsyncIterable<Uint8Array>,
  options: TextOptions,
  decode: (decoder: Decoder, step: Buffer) => T,
): AsyncGenerator<DecodedPiece<T>> {
  let head: Buffer = Buffer.alloc(0);
  let decoder: Decoder | undefined;
  for await (const step of splitSteps(bytes, options.chunkBytes ?? STEP)) {
    let rest = step;
    if (!decoder) {
      head = Buffer.concat([head, step]);
      const choice = chooseDecoder(head, options, false);
      if (!choice) continue;
      ({ decoder, rest } = choice);
    }
    const data = decode(decoder, rest);
    if (data.length > 0) yield { encoding: decoder.encoding, data };
    await turn();
  }
  if (!decoder) {
    const choice = must(chooseDecoder(head, options, true), 'a decoder for the whole file');
    decoder = choice.decoder;
    if (choice.rest.length === 0) throw emptyFile(options.file);
    const data = decode(decoder, choice.rest);
    if (data.length > 0) yield { encoding: decoder.encoding, data };
  }
  decoder.end();
}

/** Views of the chunks, without a copy: a step never spans two chunks. */
async function* splitSteps(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let next = Math.min(FIRST_STEP, size);
  for await (const chunk of bytes) {
    const whole = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < whole.length; ) {
      yield whole.subarray(at, at + next);
      at += next;
      next = Math.min(2 * next, size);
    }
  }
}

/**
 * Undefined if more bytes are needed; with `whole` there are no more. Throws if the file is not text, or not the
 * format.
 */
function chooseDecoder(
  head: Buffer,
  options: TextOptions,
  whole: boolean,
): { decoder: Decoder; rest: Buffer } | undefined {
  if (!whole && head.length < BEGINNING) return undefined;
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  const other = OTHER_KINDS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  if (other) throw otherKind(options.file, other.says);
  const declared = options.declared?.(head, mark?.encoding, whole);
  if (declared === 'more') return undefined;
  const named = declared ?? (options.encoding === 'auto' ? undefined : options.encoding);
  if (!mark && named === 'utf-16') throw missingMark(options.file);
  const start = mark?.bytes.length ?? 0;
  const reads = options.declared ? 'xml' : 'rows';
  const beginning = head.toString('latin1', start, start + BEGINNING);
  const format = OTHER_FORMATS[reads].find(({ begins }) => begins.test(beginning));
  if (format) {
    const { says: kind, hint } = format;
    throw otherFormat(
      options.file,
      withMessage(reads === 'xml' ? FILE_TEXT.notXml({ kind }) : FILE_TEXT.notRows({ kind }), hint),
    );
  }
  const hint = named === undefined ? NAME_IT : FILE_TEXT.checkEncoding({ encoding: named });
  const declares = declared !== undefined && declared !== options.encoding;
  const decoder = createDecoder(mark?.encoding ?? named ?? 'utf-8', { file: options.file, start, hint, declares });
  if (whole && head.length === start) throw emptyFile(options.file);
  return { decoder, rest: head.subarray(start) };
}

function emptyFile(file: string): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'text/empty',
      level: 'error',
      ...withMessage(FILE_TEXT.empty(), FILE_TEXT.runAgain()),
      origin: { file, row: 0 },
    },
  ]);
}

function otherKind(file: string, kind: Message): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'text/other-kind',
      level: 'error',
      ...withMessage(FILE_TEXT.otherKind({ kind }), FILE_TEXT.exportText()),
      origin: { file, row: 0 },
    },
  ]);
}

function otherFormat(file: string, said: Localizable): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'text/other-format',
      level: 'error',
      ...said,
      origin: { file, row: 1 },
    },
  ]);
}

function missingMark(file: string): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'text/no-byte-order-mark',
      level: 'error',
      ...withMessage(FILE_TEXT.noMark(), FILE_TEXT.whichUtf16()),
      origin: { file, row: 1 },
    },
  ]);
}
