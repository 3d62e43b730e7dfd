/** A workbook whose parts are changed as texts: as a person or another program may leave it. */

import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

/** Path of a part -> its text. */
export type Parts = Map<string, string>;

export async function partsOf(bytes: Buffer): Promise<Parts> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const parts: Parts = new Map();
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return parts;
}

export async function workbookOf(parts: Parts): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, part] of parts) zip.addBuffer(Buffer.from(part), path);
  zip.end();
  return await buffer(zip.outputStream as Readable);
}

/** The first sheet changed by `edit`; other parts stay. */
export async function withSheet(bytes: Buffer, edit: (xml: string) => string): Promise<Buffer> {
  const parts = await partsOf(bytes);
  const path = 'xl/worksheets/sheet1.xml';
  return await workbookOf(parts.set(path, edit(parts.get(path)!)));
}
