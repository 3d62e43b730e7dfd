/**
 * The fields of a form from the body of a request, of a bounded size. Throws ScreenError 413 for a longer body and 415
 * for another kind of body: what a form of another site can send without asking is not JSON.
 */
import pLimit from 'p-limit';
import { CONSOLE_ERROR } from '../../i18n/messages/console/console-server-messages.ts';
import { ScreenError } from './screen-context.ts';

/** Bytes of a body where the route says nothing. */
export const MOST_BODY_BYTES = 1024 ** 2;

/** Bodies of some 10 MiB are in memory as a whole: others wait. */
const largeBodies = pLimit(4);

const inTurn = async <T>(most: number, read: () => Promise<T>) =>
  await (most > MOST_BODY_BYTES ? largeBodies(read) : read());

export const isMultipart = (request: Request) => isOf(request, 'multipart/form-data');

function isOf(request: Request, kind: string): boolean {
  return (request.headers.get('content-type') ?? '').toLowerCase().startsWith(kind);
}

export async function readForm(request: Request, most: number): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  if (!isMultipart(request) && !isOf(request, 'application/x-www-form-urlencoded')) {
    throw new ScreenError({ status: 415, message: CONSOLE_ERROR.bodyType() });
  }
  return await inTurn(most, async () => {
    const body = await readBounded(request, most);
    return await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
      throw new ScreenError({ status: 400, message: CONSOLE_ERROR.bodyUnreadable() });
    });
  });
}

/** The body as JSON, for the API. */
export async function readJson(request: Request, most: number): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new ScreenError({ status: 415, message: CONSOLE_ERROR.bodyType() });
  }
  return await inTurn(most, async () => {
    const text = new TextDecoder().decode(await readBounded(request, most));
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new ScreenError({ status: 400, message: CONSOLE_ERROR.bodyUnreadable() });
    }
  });
}

async function readBounded(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new ScreenError({ status: 413, message: CONSOLE_ERROR.bodyTooLarge() });
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge();
  const parts: Uint8Array[] = [];
  let size = 0;
  // The stream ends with an error where the client leaves or is too slow.
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > most) throw tooLarge();
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
