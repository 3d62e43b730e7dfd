/**
 * The zip around a workbook: the bytes of the file in, its parts out, each as a stream that is checked against its
 * CRC-32. The whole file is held, at most 64 MiB; what is unpacked is counted and never believed from a header. Throws
 * UnreadableFileError (file/empty, xlsx/other-kind, xlsx/protected, xlsx/too-large, xlsx/damaged).
 */
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { FILE_TEXT, XLSX_FILE } from '../../i18n/messages/readers-messages.ts';
import { isEncryptedWorkbook } from '../file-kind.ts';
import { damagedPart, damagedWorkbook, emptyWorkbook, otherKind, refuseWorkbook } from './xlsx-file-faults.ts';

const MIB = 1024 * 1024;
/** Bytes of a workbook file; a sheet with the most rows that Excel allows has about half of this. */
const MOST_BYTES = 64 * MIB;
const MOST_UNPACKED = 1024 * MIB;
/** Sheets shrink to a tenth, repeated ones to a hundredth: a file that shrinks further was made to fill a memory. */
const MOST_RATIO = 400;
/** Unpacked bytes that every file may have, so that the ratio is asked of large ones only. */
const ALWAYS_UNPACKED = 64 * MIB;
const MOST_PARTS = 10_000;
/** The first bytes, which show what kind of file it is. */
const HEAD = 512;

const ZIP = Buffer.from('PK\x03\x04', 'latin1');
/** A compound file of OLE: an old workbook, or a new one that a password encrypts. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const OTHER_KINDS = [
  { begins: /^%PDF/, kind: FILE_TEXT.pdf() },
  { begins: /^\x1f\x8b\x08/, kind: FILE_TEXT.packed() },
  { begins: /^(?:\xff\xd8\xff|\x89PNG|GIF8|II\*\0|MM\0\*)/, kind: FILE_TEXT.image() },
  { begins: /^(?:\xef\xbb\xbf)?\s*<\?xml/, kind: FILE_TEXT.xml() },
  { begins: /^(?:\xef\xbb\xbf)?\s*<(?:!DOCTYPE\s+html|html|table)/i, kind: FILE_TEXT.html() },
  { begins: /^PK\x05\x06/, kind: XLSX_FILE.archive() },
  { begins: /^(?:\xff\xfe|\xfe\xff|[\t\r\n\x20-\x7e\x80-\xff]+$)/, kind: XLSX_FILE.text() },
] as const;

/** Parts are found without regard to upper and lower case, as the Open Packaging Conventions ask (ISO/IEC 29500-2). */
export type WorkbookArchive = {
  readonly file: string;
  readonly has: (path: string) => boolean;
  /** Names of all parts, as the file writes them. */
  readonly paths: readonly string[];
  /** The unpacked bytes of a part; refuses the file if it does not have the part. */
  readonly open: (path: string) => AsyncGenerator<Uint8Array>;
};

/** Reads the file to its end and lists its parts. `file`: its name, for messages. */
export async function openArchive(bytes: AsyncIterable<Uint8Array>, file: string): Promise<WorkbookArchive> {
  const content = await collectBytes(bytes, file);
  const { zip, entries } = await listEntries(content, file);
  const most = Math.min(MOST_UNPACKED, Math.max(ALWAYS_UNPACKED, content.length * MOST_RATIO));
  let unpacked = 0;
  const count = (bytes: number) => {
    unpacked += bytes;
    if (unpacked > most) throw refuseWorkbook(file, 'xlsx/too-large', XLSX_FILE.unpacksTooLarge(), XLSX_FILE.saveCsv());
  };
  return {
    file,
    has: (path) => entries.has(path.toLowerCase()),
    paths: [...entries.values()].map(({ fileName }) => fileName),
    open: (path) => openPart(zip, entries.get(path.toLowerCase()), { file, path, count }),
  };
}

async function collectBytes(bytes: AsyncIterable<Uint8Array>, file: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isKnown = false;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MOST_BYTES) {
      throw refuseWorkbook(file, 'xlsx/too-large', XLSX_FILE.tooLarge({ most: MOST_BYTES / MIB }), XLSX_FILE.saveCsv());
    }
    // Another kind of file is refused before it is read to its end.
    if (isKnown || size < HEAD) continue;
    refuseOtherKind(Buffer.concat(chunks), file);
    isKnown = true;
  }
  const content = Buffer.concat(chunks);
  if (content.length === 0) throw emptyWorkbook(file);
  refuseOtherKind(content, file);
  if (content.subarray(0, COMPOUND.length).equals(COMPOUND)) throw compoundFile(content, file);
  return content;
}

/** Passes zips, and compound files, which have to be read to their end. */
function refuseOtherKind(content: Buffer, file: string): void {
  const head = content.subarray(0, HEAD);
  if (head.subarray(0, ZIP.length).equals(ZIP) || head.subarray(0, COMPOUND.length).equals(COMPOUND)) return;
  const start = head.toString('latin1');
  throw otherKind(file, OTHER_KINDS.find(({ begins }) => begins.test(start))?.kind ?? XLSX_FILE.unknownKind());
}

function compoundFile(content: Buffer, file: string) {
  if (!isEncryptedWorkbook(content)) return otherKind(file, FILE_TEXT.oldWorkbook(), XLSX_FILE.saveXlsx());
  return refuseWorkbook(file, 'xlsx/protected', XLSX_FILE.password(), XLSX_FILE.removePassword());
}

async function listEntries(content: Buffer, file: string): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  // Loaded for the first workbook: most instances have none.
  const { fromBufferPromise } = await import('yauzl');
  const entries = new Map<string, Entry>();
  const zip = await fromZip(() => fromBufferPromise(content, { lazyEntries: true }), file);
  if (zip.entryCount > MOST_PARTS) throw damagedWorkbook(file, XLSX_FILE.tooManyParts({ most: MOST_PARTS }));
  await fromZip(async () => {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.toLowerCase();
      // Two readers would take different ones.
      if (entries.has(name)) throw damagedWorkbook(file, XLSX_FILE.partTwice({ part: entry.fileName }));
      if (!name.endsWith('/')) entries.set(name, entry);
    }
  }, file);
  return { zip, entries };
}

/** yauzl throws plain errors for a directory that is cut, contradicts itself or has names outside of the archive. */
async function fromZip<T>(act: () => Promise<T>, file: string): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw damagedWorkbook(file, error);
  }
}

type PartContext = { readonly file: string; readonly path: string; readonly count: (bytes: number) => void };

async function* openPart(
  zip: ZipFile,
  entry: Entry | undefined,
  { file, path, count }: PartContext,
): AsyncGenerator<Uint8Array> {
  if (!entry) throw damagedWorkbook(file, XLSX_FILE.partMissing({ part: path }));
  if (entry.isEncrypted()) {
    throw refuseWorkbook(file, 'xlsx/protected', XLSX_FILE.password(), XLSX_FILE.removePassword());
  }
  let sum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      count(chunk.length);
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw damagedPart(file, path, error);
  }
  if (sum !== entry.crc32) throw damagedPart(file, path, XLSX_FILE.wrongSum());
}
