/**
 * Recognizes a correction file by its content, so that a person may give it any name. Path or first bytes in, true or
 * false out; a file that cannot be opened or read throws the system's error.
 */
import { open } from 'node:fs/promises';
import { isCorrectionCsv } from './read-correction-csv.ts';
import { isCorrectionXml } from './write-correction-xml.ts';

/** The first bytes of a file, which are enough for its header row or its first comment. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Text in which words of plain letters can be found, whether the file has 8 or 16 bits a character. Other letters are
 * not decoded.
 */
export function decodeLatin(head: Buffer): string {
  return head
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
}

/** Reads only the first 64 KiB of the file. */
export async function isCorrectionFile(path: string | Buffer): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return isCorrectionContent(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** `head`: the beginning of a file, or all of it. */
export function isCorrectionContent(head: Buffer): boolean {
  return isCorrectionCsv(head) || isCorrectionXml(decodeLatin(head));
}
