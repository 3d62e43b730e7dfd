/**
 * Bytes of a sample to text, with the encoding that fits best and how sure that is.
 *
 * A byte order mark and valid UTF-8 are proof. Between legacy code pages there is none: letters are scored as French,
 * Spanish and English write them, jschardet is asked for a second opinion, and the other reading is shown.
 */
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import jschardet from 'jschardet';
import { normalizeEncoding } from '../../readers/encoding/code-pages.ts';
import type { Notes } from '../findings/draft-findings.ts';

export type DecodedSample = {
  readonly text: string;
  /** As the `encoding` setting of a mapping names it. */
  readonly encoding: string;
  /** Text that is to go back into bytes (a cut of the sample), with the mark the sample had. */
  readonly encode: (text: string) => Uint8Array;
};

const MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;
/** In the order in which equal scores are settled: what western ERPs on Windows, DOS, Unix and old Macs write. */
const PAGES = ['windows-1252', 'cp850', 'iso-8859-15', 'cp437', 'macintosh', 'windows-1250'];
const USUAL = /[àâäçéèêëîïôöùûüÿœæáíñóúÀÂÇÉÈÊËÎÏÔÙÛÜŒÆÁÍÑÓÚ]/u;
const WELCOME = /[’‘“”«»€°–—ºª¿¡²³¼½¾×•…\u00a0]/u;

export function decodeSample(bytes: Uint8Array, notes: Notes): DecodedSample {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = byMark(buffer, notes) ?? byUtf16Zeros(buffer, notes) ?? byUtf8(buffer, notes);
  return marked ?? byLetters(buffer, notes);
}

function byMark(buffer: Buffer, notes: Notes): DecodedSample | undefined {
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, at) => buffer[at] === byte));
  if (!mark) return undefined;
  notes.found('source.encoding', `certain: the file begins with the byte order mark of ${mark.encoding}`);
  return decoded(buffer.subarray(mark.bytes.length), mark.encoding, Buffer.from(mark.bytes));
}

/** In an encoding the file names itself; undefined where that cannot read every byte. */
export function decodeAs(bytes: Uint8Array, encoding: string): DecodedSample | undefined {
  const known = normalizeEncoding(encoding);
  if (known === undefined) return undefined;
  const sample = decoded(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), known);
  return /[\ufffd\u0080-\u009f]/.test(sample.text) ? undefined : sample;
}

/** UTF-16 without mark: in western text every second byte is zero. */
function byUtf16Zeros(buffer: Buffer, notes: Notes): DecodedSample | undefined {
  const head = buffer.subarray(0, 4096);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++;
  const half = head.length / 2;
  const encoding = (['utf-16be', 'utf-16le'] as const).findLast((_, at) => zeros[at]! > half * 0.6);
  if (encoding === undefined) return undefined;
  notes.found('source.encoding', `certain: every second byte is zero, so it is ${encoding}, here without its mark`);
  return decoded(buffer, encoding);
}

function byUtf8(buffer: Buffer, notes: Notes): DecodedSample | undefined {
  if (!isUtf8(buffer)) return undefined;
  const letters = [...buffer.toString('utf8')].filter((letter) => letter > '\u007f').length;
  if (letters > 0) {
    notes.found('source.encoding', `certain: all ${letters} letters beyond ASCII are valid UTF-8`);
    return decoded(buffer, 'utf-8');
  }
  notes.found('source.encoding', 'no letter beyond ASCII in the sample: every encoding reads it alike');
  notes.ask(
    45,
    'source.encoding',
    'Encoding: the sample has no accented letter. "auto" takes UTF-8 and refuses anything else, so nothing is ' +
      'garbled; if the ERP writes "ANSI", put windows-1252.',
  );
  return { ...decoded(buffer, 'utf-8'), encoding: 'auto' };
}

type Reading = { readonly page: string; readonly text: string; readonly score: number };

function byLetters(buffer: Buffer, notes: Notes): DecodedSample {
  const readings = PAGES.flatMap((page) => readingOf(buffer, page)).sort((a, b) => b.score - a.score);
  const best = readings[0];
  if (!best) {
    notes.found('source.encoding', 'no code page known here reads every byte');
    notes.ask(100, 'source.encoding', 'Encoding: no encoding reads every byte of the sample. The file may be damaged.');
    return decoded(buffer, 'windows-1252');
  }
  const bytes = [...buffer].filter((byte) => byte > 0x7f).length;
  const opinion = normal(jschardet.detect(buffer.subarray(0, 65_536)).encoding);
  const other = readings.find(({ text }) => text !== best.text);
  const alike = readings.filter(({ page, text }) => page !== best.page && text === best.text).map(({ page }) => page);
  const clear = other === undefined || best.score - other.score >= 0.25 * bytes;
  const word = wordBeyondAscii(best.text);
  const words = [
    `${clear ? 'likely' : 'a guess'}: reads ${bytes} accented letters as "${word}"`,
    ...(other ? [`${other.page} would show "${sameWord(best.text, other.text)}"`] : []),
    ...(alike.length > 0 ? [`${alike.join(', ')} would read this sample alike`] : []),
    ...(opinion === best.page ? ['a second detector agrees'] : opinion ? [`a second detector says ${opinion}`] : []),
  ];
  notes.found('source.encoding', words.join('; '));
  if (!clear) {
    notes.ask(
      80,
      'source.encoding',
      `Encoding: ${best.page} reads "${word}", ${other!.page} reads "${sameWord(best.text, other!.text)}". Which is right?`,
    );
  }
  return decoded(buffer, best.page);
}

function readingOf(buffer: Buffer, page: string): Reading[] {
  const text = iconv.decode(buffer, page);
  // Control characters where another page has letters: no export holds them.
  if (/[\ufffd\u0080-\u009f]/.test(text)) return [];
  return [{ page, text, score: scoreOf(text) }];
}

/** Letters of French and Spanish count for a reading; signs, and capitals inside a word of small letters, against it. */
function scoreOf(text: string): number {
  let score = 0;
  for (const match of text.matchAll(/[^\0-\u007f]/gu)) {
    const letter = match[0];
    const before = text[match.index - 1] ?? '';
    const after = text[match.index + 1] ?? '';
    const inWord = /\p{L}/u.test(before) || /\p{L}/u.test(after);
    const wrongCase = /\p{Ll}/u.test(before) && /\p{Lu}/u.test(letter);
    // An o and an e between capitals: cp437 and cp850 differ here.
    if (isLoneLigature(letter, before, after)) score -= 1;
    else if (USUAL.test(letter)) score += wrongCase ? -1 : 1;
    else if (WELCOME.test(letter)) score += inWord && /[²³×•…°]/u.test(letter) ? -0.5 : 0.5;
    else score -= /\p{L}/u.test(letter) ? 0.3 : 1;
  }
  return score;
}

/** The byte of ½ in windows-1252 is œ in iso-8859-15, that of ¼ is Œ: no word begins like œ'' or œL, and none is œ alone. */
function isLoneLigature(letter: string, before: string, after: string): boolean {
  if (!/[œŒ]/.test(letter) || /\p{L}/u.test(before)) return false;
  return letter === 'œ' ? !/[uinscdr]/.test(after) : !/[uinscdr]/i.test(after);
}

function wordBeyondAscii(text: string): string {
  const words = text.match(/[\p{L}\p{M}'’°€½]{0,40}[^\0-\u007f][^\s;,|"\t<>]{0,40}/gu) ?? [];
  return (words.find((word) => word.length > 3) ?? words[0] ?? '').slice(0, 30);
}

function sameWord(best: string, other: string): string {
  const word = wordBeyondAscii(best);
  const at = best.indexOf(word);
  // A differing place says more than the first one.
  const different = [...best.matchAll(/[^\s;,|"<>]{0,40}[^\0-\u007f][^\s;,|"<>]{0,40}/gu)].find(
    ({ index, 0: found }) => other.slice(index, index + found.length) !== found,
  );
  return different
    ? `${different[0].slice(0, 30)}" as "${other.slice(different.index, different.index + Math.min(30, different[0].length))}`
    : other.slice(at, at + word.length);
}

function normal(name: string | null | undefined): string | undefined {
  const lower = name?.toLowerCase();
  const known: { readonly [name: string]: string } = { ibm850: 'cp850', ibm437: 'cp437', 'iso-8859-1': 'windows-1252' };
  return lower === undefined ? undefined : (known[lower] ?? lower);
}

function decoded(buffer: Buffer, encoding: string, mark: Buffer = Buffer.alloc(0)): DecodedSample {
  return {
    text: iconv.decode(buffer, encoding, { stripBOM: false }),
    encoding,
    encode: (text) => Buffer.concat([mark, iconv.encode(text, encoding)]),
  };
}
