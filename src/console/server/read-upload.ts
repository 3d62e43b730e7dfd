/**
 * A form with a file as it comes in (RFC 7578): fields first, then the file as a stream, so that no file is in memory.
 * Throws ScreenError 400, 413 or 415. What comes after the file is not read.
 */
import { CONSOLE_ERROR } from '../../i18n/messages/console/console-server-messages.ts';
import { ScreenError } from './screen-context.ts';

/** `bytes` is read once; `name` is what the browser calls the file. */
export type UploadedForm = {
  readonly fields: FormData;
  readonly file?: { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };
};

const MOST_FIELD_BYTES = 8 * 1024;
const MOST_FIELDS = 20;
const HEADER_END = Buffer.from('\r\n\r\n');
const TYPE = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const NAME = /^content-disposition:\s*form-data\b.*?;\s*name="([^"]*)"/im;
const FILE_NAME = /^content-disposition:.*;\s*filename="([^"]*)"/im;

export async function readUpload(request: Request): Promise<UploadedForm> {
  const [, quoted, plain] = TYPE.exec(request.headers.get('content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || !request.body)
    throw new ScreenError({ status: 415, message: CONSOLE_ERROR.bodyType() });
  const until = createCutter(request.body);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const fields = new FormData();
  await wholeOf(until(delimiter));
  for (let n = 0; n < MOST_FIELDS; n++) {
    // Nothing is between a delimiter and its line end; after the last one are two hyphens in place of it.
    const header = String(await wholeOf(until(HEADER_END)));
    const [, name] = NAME.exec(header) ?? [];
    if (name === undefined) throw unreadable();
    const [, fileName] = FILE_NAME.exec(header) ?? [];
    if (fileName !== undefined) return { fields, file: { name: decodedName(fileName), bytes: until(delimiter) } };
    fields.append(name, String(await wholeOf(until(delimiter))));
  }
  throw unreadable();
}

/** Browsers write these three signs of a name so (HTML, multipart form data). */
function decodedName(name: string): string {
  return name.replace(/%22|%0D|%0A/gi, decodeURIComponent);
}

/** A function that gives the bytes up to a mark, which it takes off. The first mark may begin the body. */
function createCutter(body: ReadableStream<Uint8Array>): (mark: Buffer) => AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
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

async function wholeOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > MOST_FIELD_BYTES) throw new ScreenError({ status: 413, message: CONSOLE_ERROR.bodyTooLarge() });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function unreadable(): ScreenError {
  return new ScreenError({ status: 400, message: CONSOLE_ERROR.bodyUnreadable() });
}
