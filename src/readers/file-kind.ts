/**
 * Files that are not text, by their first bytes: the beginning of a file in, its kind in words out. For messages about
 * files that no reader takes; the readers themselves look closer.
 */
import type { Message } from '../i18n/message.ts';
import { FILE_TEXT, XLSX_FILE } from '../i18n/messages/readers-messages.ts';

/** `sheet`: set for a spreadsheet, which a person can save in another format, or `encrypted` after its password is removed; `xlsx` for the one that is read. */
export type FileKind = { readonly kind: Message; readonly sheet?: 'xlsx' | 'encrypted' | 'other' };

const OLD_WORKBOOK = FILE_TEXT.oldWorkbook();

const KINDS: readonly (FileKind & { readonly begins: RegExp })[] = [
  { begins: /^PK\x03\x04.{22,64}?mimetypeapplication\/vnd\.oasis/s, kind: XLSX_FILE.openDocument(), sheet: 'other' },
  {
    begins: /^PK\x03\x04.*xl\/(?:workbook|worksheets|styles|sharedStrings|_rels|theme)/s,
    kind: XLSX_FILE.workbook(),
    sheet: 'xlsx',
  },
  { begins: /^PK\x03\x04/, kind: XLSX_FILE.archive() },
  { begins: /^\xd0\xcf\x11\xe0/, kind: OLD_WORKBOOK, sheet: 'other' },
  { begins: /^%PDF/, kind: FILE_TEXT.pdf() },
  { begins: /^\x1f\x8b\x08/, kind: FILE_TEXT.packed() },
  { begins: /^(?:\xff\xd8\xff|\x89PNG|GIF8|II\*\0|MM\0\*)/, kind: FILE_TEXT.image() },
];

/** The name of the stream with the content in a compound file of OLE that a password encrypts ([MS-OFFCRYPTO] 2.3.4.4). */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');

/** Whether a compound file, which old workbooks are too, is a new workbook that a password encrypts. */
export function isEncryptedWorkbook(content: Uint8Array): boolean {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes(ENCRYPTED_PACKAGE);
}

/** `head`: 64 KiB of the file, or all of it. Undefined for text and for what is not known. */
export function fileKindOf(head: Uint8Array): FileKind | undefined {
  const start = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const known = KINDS.find(({ begins }) => begins.test(start));
  return known?.kind === OLD_WORKBOOK && isEncryptedWorkbook(head)
    ? { kind: FILE_TEXT.encryptedWorkbook(), sheet: 'encrypted' }
    : known;
}
