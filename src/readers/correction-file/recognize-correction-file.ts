/** Recognizes a correction file by its content, so that it may have any name. */
import { open } from 'node:fs/promises';
import { isCorrectionCsv } from './read-correction-csv.ts';
import { isCorrectionXml } from './write-correction-xml.ts';

export const HEAD_BYTES = 64 * 1024;

/** Enough to find words of plain letters, in eight bits or sixteen. */
export function decodeLatin(head: Buffer): string {
  return head
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
}

/** Recognized by its content, so that it may have any name. */
export async function isCorrectionFile(path: string | Buffer): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return isCorrectionContent(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The beginning of a file, or all of it. */
export function isCorrectionContent(head: Buffer): boolean {
  return isCorrectionCsv(head) || isCorrectionXml(decodeLatin(head));
}
