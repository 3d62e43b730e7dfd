/**
 * XML files: bytes in, batches of rows out, in memory bounded by one document element.
 *
 * saxes reads strictly and has no limits of its own: every DOCTYPE is refused (so no entity is ever declared), and
 * depth, attributes and text are bounded here.
 */
import { SaxesParser } from 'saxes';
import { says } from '../model/fault.ts';
import type { Batch } from '../model/row.ts';
import type { Phrase } from '../model/words.ts';
import { type Reader, type ReadOptions, Unreadable } from './reader.ts';
import { readText } from './text.ts';
import { xmlEncoding } from './xml-encoding.ts';
import { compileSource, xmlOptions } from './xml-options.ts';
import { recordElementsOf } from './xml-records.ts';
import { type Elements, elementsOf } from './xml-rows.ts';
import { FILE } from './xml-sentences.ts';
import { bareAmpersand, notWellFormed } from './xml-words.ts';

const MAX_DEPTH = 64;
/** Room for an attachment of 24 MiB as Base64. */
const MAX_TEXT = 32 * 1024 * 1024;
const MAX_MARKUP = 1024 * 1024;
/** Tags, comments and the like, but no CDATA section. */
const MARKUP = /^<(?!!\[CDATA\[)/;
const MAX_ATTRIBUTES = 256;

/** Format `xml`: a repeated element becomes rows with the columns that the mapping names by paths. */
export const xmlReader: Reader = { format: 'xml', options: xmlOptions, read };

async function* read(
  bytes: AsyncIterable<Uint8Array>,
  { file, source, chunkBytes }: ReadOptions,
): AsyncGenerator<Batch> {
  const options = xmlOptions.parse(source);
  const paths = compileSource(options);
  const rowsOptional = options['rows-optional'];
  const elements =
    'kinds' in paths ? recordElementsOf(file, paths, rowsOptional) : elementsOf(file, paths, rowsOptional);
  const parser = guarded(file, elements);
  const declared = xmlEncoding(file, options.encoding);
  let encoding = '';
  let yielded = false;
  const batch = (): Batch => ({ table: elements.table, ...elements.drain(), encoding });

  for await (const piece of readText(bytes, { file, encoding: options.encoding, chunkBytes, declared })) {
    encoding = piece.encoding;
    const failure = parser.write(piece.data);
    const next = batch();
    if (next.rows.length + next.leftOut.length + next.controls!.length > 0) {
      yielded = true;
      yield next;
    }
    if (failure) throw failure;
  }
  const failure = parser.end();
  if (failure) throw failure;
  elements.finish();
  const warnings = elements.warnings();
  if (warnings.length > 0) yield { ...batch(), warnings };
  else if (!yielded) yield batch();
}

type Guarded = {
  /** What the file was refused for; rows completed before are still to be had. */
  readonly write: (text: string) => Unreadable | undefined;
  readonly end: () => Unreadable | undefined;
};

function guarded(file: string, elements: Elements): Guarded {
  const parser = new SaxesParser({ xmlns: true, position: true });
  let depth = 0;
  let line = 1;
  /** Characters given to the parser, and where the last event was; what came since then is kept for the messages. */
  let fed = 0;
  let seen = 0;
  let seenLine = 1;
  let since = '';
  const note = () => {
    seen = parser.position;
    seenLine = parser.line;
  };
  const refuse = (code: string, message: Phrase, hint: Phrase): never => {
    throw new Unreadable([{ code, level: 'error', ...says(message, hint), origin: { file, row: line, line } }]);
  };
  const text = (more: string) => {
    note();
    if (more.length > MAX_TEXT) tooLong();
    elements.text(more);
  };
  const tooLong = () => {
    line = parser.line;
    refuse('xml/text-too-long', FILE.textTooLong({ line }), FILE.otherFile());
  };

  // Six handlers and no more: saxes sets them by computed names, and a seventh turns the parser object into a hash
  // table, which makes it three times slower. So its errors are caught, and comments and attributes have no handler.
  parser.on('doctype', () => {
    line = parser.line;
    refuse('xml/doctype', FILE.doctype({ line }), FILE.noDoctype());
  });
  parser.on('opentagstart', () => {
    // The line end that closes the name has been counted already.
    line = parser.column === 0 ? parser.line - 1 : parser.line;
    if (++depth > MAX_DEPTH) refuse('xml/too-deep', FILE.tooDeep({ most: MAX_DEPTH }), FILE.otherFile());
  });
  parser.on('opentag', (tag) => {
    note();
    let attributes = 0;
    for (const _ in tag.attributes) attributes++;
    if (attributes > MAX_ATTRIBUTES) {
      refuse('xml/too-many-attributes', FILE.tooManyAttributes({ most: MAX_ATTRIBUTES }), FILE.otherFile());
    }
    elements.open(tag, line);
  });
  parser.on('closetag', () => {
    note();
    depth--;
    elements.close();
  });
  parser.on('text', text);
  parser.on('cdata', text);

  const guard = (run: () => unknown, start: number): Unreadable | undefined => {
    try {
      run();
      return undefined;
    } catch (error) {
      if (error instanceof Unreadable) return error;
      if (error instanceof Error && saidBy(parser, error)) {
        return (
          bareAmpersand(file, since.slice(Math.max(0, seen - start)), seenLine) ?? notWellFormed(file, parser, error)
        );
      }
      throw error;
    }
  };
  let most = MAX_TEXT;
  const write = (chunk: string) => {
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
function saidBy(parser: { line: number; column: number }, error: Error): boolean {
  return error.message.startsWith(`${parser.line}:${parser.column}: `);
}
