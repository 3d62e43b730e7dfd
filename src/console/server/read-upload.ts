/**
 * A form with a file as it comes in (RFC 7578), so that no file is in memory. Throws ScreenError 400, 413 or 415.
 */
import { CONSOLE_ERROR } from '../../i18n/messages/console/console-server-messages.ts';
import { beginSha256 } from '../../text/sha256.ts';
import { MOST_BODY_BYTES } from './read-form.ts';
import { type FileProof, ScreenError } from './screen-context.ts';

/** `bytes` is read once; `name` is what the browser calls the file. */
export type UploadedForm = {
  readonly fields: FormData;
  readonly file?: { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };
};

const MOST_FIELD_BYTES = 8 * 1024;
const MOST_FIELDS = 20;
const LINE_END = Buffer.from('\r\n');
const HEADER_END = Buffer.from('\r\n\r\n');
const TYPE = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const NAME = /^content-disposition:\s*form-data\b.*?;\s*name="([^"]*)"/im;
const FILE_NAME = /^content-disposition:.*;\s*filename="([^"]*)"/im;

/** Fields first, then the file as a stream. What comes after the file is not read. */
export async function readUpload(request: Request): Promise<UploadedForm> {
  const { next, rest } = partsOf(request);
  const fields = new FormData();
  for (let n = 0; n < MOST_FIELDS; n++) {
    const part = await next(MOST_FIELD_BYTES);
    if (!part) break;
    if (part.fileName !== undefined) return { fields, file: { name: part.fileName, bytes: rest() } };
    fields.append(part.name, String(await wholeOf(rest(), MOST_FIELD_BYTES)));
  }
  throw unreadable();
}

/** The whole form, with at most one file, of at most so many bytes, before, between or after its fields. */
export async function readProvenForm(
  request: Request,
  most: number,
): Promise<{ readonly fields: FormData; readonly proof?: FileProof }> {
  const { next, rest } = partsOf(request);
  const fields = new FormData();
  let proof: FileProof | undefined;
  let left = MOST_BODY_BYTES;
  for (let hasFile = false; ; ) {
    const part = await next(Math.min(left, MOST_FIELD_BYTES));
    if (!part) return { fields, ...(proof && { proof }) };
    left -= part.size;
    if (part.fileName === undefined) {
      const value = await wholeOf(rest(), left);
      left -= value.length;
      fields.append(part.name, String(value));
      continue;
    }
    if (hasFile) throw unreadable();
    hasFile = true;
    const sha256 = await hashOf(rest(), most);
    // A field without a chosen file is sent with an empty name.
    if (part.fileName !== '') proof = { file: part.fileName, sha256 };
  }
}

type Part = { readonly name: string; readonly fileName?: string; readonly size: number };

/** `next` reads the head of a part, undefined after the last one; `rest` gives what is in it, to be read to its end. */
function partsOf(request: Request) {
  const [, quoted, plain] = TYPE.exec(request.headers.get('content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || !request.body)
    throw new ScreenError({ status: 415, message: CONSOLE_ERROR.bodyType() });
  const until = createCutter(request.body);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let isBegun = false;
  const next = async (most: number): Promise<Part | undefined> => {
    if (!isBegun) await wholeOf(until(delimiter), most);
    isBegun = true;
    // Nothing is between a delimiter and its line end; after the last one are two hyphens.
    const end = String(await wholeOf(until(LINE_END), most));
    if (end.startsWith('--')) return undefined;
    const header = await wholeOf(until(HEADER_END), most);
    const [, name] = NAME.exec(String(header)) ?? [];
    if (name === undefined) throw unreadable();
    const [, fileName] = FILE_NAME.exec(String(header)) ?? [];
    return { name, ...(fileName !== undefined && { fileName: decodedName(fileName) }), size: header.length };
  };
  return { next, rest: () => until(delimiter) };
}

/** Browsers write these three signs of a name so (HTML, multipart form data). */
function decodedName(name: string): string {
  return name.replace(/%22|%0D|%0A/gi, decodeURIComponent);
}

/** A function that gives the bytes up to a mark, which it takes off. The first mark may begin the body. */
function createCutter(body: ReadableStream<Uint8Array>): (mark: Buffer) => AsyncGenerator<Uint8Array> {
  const source = withLineEnd(body);
  let rest = Buffer.from('\r\n');
  return async function* (mark) {
    for (;;) {
      const at = rest.indexOf(mark);
      if (at >= 0) {
        const found = rest.subarray(0, at);
        rest = rest.subarray(at + mark.length);
        if (found.length > 0) yield found;
        return;
      }
      // The mark may have begun.
      const sure = Math.max(0, rest.length - mark.length + 1);
      if (sure > 0) yield rest.subarray(0, sure);
      const next = await source.next();
      if (next.done) throw unreadable();
      rest = Buffer.concat([rest.subarray(sure), next.value]);
    }
  };
}

/** The line of the last delimiter may have no end (RFC 2046). */
async function* withLineEnd(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body;
  yield LINE_END;
}

async function wholeOf(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  await eachOf(bytes, most, (part) => parts.push(part));
  return Buffer.concat(parts);
}

async function hashOf(bytes: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const hash = beginSha256();
  await eachOf(bytes, most, (part) => hash.update(part));
  return hash.digest('hex');
}

async function eachOf(bytes: AsyncIterable<Uint8Array>, most: number, take: (part: Uint8Array) => unknown) {
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > most) throw new ScreenError({ status: 413, message: CONSOLE_ERROR.bodyTooLarge() });
    take(part);
  }
}

function unreadable(): ScreenError {
  return new ScreenError({ status: 400, message: CONSOLE_ERROR.bodyUnreadable() });
}
