/** A zip archive of files in memory. The same files give the same bytes: each has the time 1980-01-01, the first that a zip can name. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** `path` has slashes and is relative. */
export type ZipPart = { readonly path: string; readonly content: string | Uint8Array };

export async function zipOf(parts: readonly ZipPart[]): Promise<Buffer> {
  const zip = new ZipFile();
  // Without the field for a time in UTC: the time of the machine's zone is the same text in each zone.
  const options = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };
  for (const { path, content } of parts) zip.addBuffer(Buffer.from(content as Uint8Array), path, options);
  zip.end();
  return await buffer(zip.outputStream);
}
