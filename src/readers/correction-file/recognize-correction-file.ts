/**
 * Recognizes a correction file by its content, so that a person may give it any name, or by the name that Nightpost gave
 * it, so that one in a format that cannot be read is refused as what it is. Path or first bytes in, true or false out; a file that cannot be opened or read, or is no plain file, throws the system's error.
 */

import { createReadStream, openSync } from 'node:fs';
import { inOnePiece } from '../../files/in-one-piece.ts';
import { OPEN_SAFELY, readPlain } from '../../files/read-bounded.ts';
import { UnreadableFileError } from '../reader.ts';
import { isCorrectionCsv } from './read-correction-csv.ts';
import { isCorrectionWorkbook, isZip } from './read-correction-workbook.ts';
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

/** The part of a name that Nightpost writes and no export has: whatever is in such a file, it is never an export. */
const OWN_NAME = /\.to-fix\b/i;

export function isCorrectionName(name: string): boolean {
  return OWN_NAME.test(name);
}

/**
 * `name`: that under which it was dropped. Reads only the first 64 KiB of the file, and of a workbook the first row of
 * each sheet.
 */
export async function isCorrectionFile(path: string | Buffer, name: string): Promise<boolean> {
  const head = readPlain(path, HEAD_BYTES).subarray(0, HEAD_BYTES);
  if (isCorrectionName(name)) return true;
  if (!isZip(head)) return isCorrectionText(head);
  return await isWorkbook(createReadStream(path, { fd: openSync(path, OPEN_SAFELY) }), name);
}

/** `content`: the whole file. */
export async function isCorrectionContent(content: Buffer, name: string): Promise<boolean> {
  if (isCorrectionName(name)) return true;
  return isZip(content) ? await isWorkbook(inOnePiece(content), name) : isCorrectionText(content);
}

function isCorrectionText(head: Buffer): boolean {
  return isCorrectionCsv(head) || isCorrectionXml(decodeLatin(head));
}

/** A workbook that cannot be read is no correction file: the search for a mapping reports what it is. */
async function isWorkbook(bytes: AsyncIterable<Uint8Array>, name: string): Promise<boolean> {
  try {
    return await isCorrectionWorkbook(bytes, name);
  } catch (error) {
    if (error instanceof UnreadableFileError) return false;
    throw error;
  }
}
