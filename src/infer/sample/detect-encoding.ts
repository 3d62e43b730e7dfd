/**
 * Bytes of a sample to the encoding that fits best, and how sure that is.
 *
 * A byte order mark and valid UTF-8 are proof. Between legacy code pages there is none: letters are scored as French,
 * Spanish and English write them, jschardet is asked for a second opinion, and the other reading is shown.
 */
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import jschardet from 'jschardet';
import type { Message } from '../../i18n/message.ts';
import { ENCODING_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { USUAL_PAGES, watchPage } from '../../readers/encoding/page-watch.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';

const MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;
const USUAL = /[àâäçéèêëîïôöùûüÿœæáíñóúÀÂÇÉÈÊËÎÏÔÙÛÜŒÆÁÍÑÓÚ]/u;
const WELCOME = /[’‘“”«»€°–—ºª¿¡²³¼½¾×•…\u00a0]/u;

/**
 * By byte order mark, zero bytes, valid UTF-8, else by letters; adds the evidence, and a question for a guess. As the
 * `encoding` setting of a mapping names it.
 */
export function detectEncoding(bytes: Uint8Array, notes: DraftNotes): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const proven = detectMark(buffer, notes) ?? detectZeros(buffer, notes) ?? detectUtf8(buffer, notes);
  return proven ?? detectByLetters(buffer, notes);
}

function detectMark(buffer: Buffer, notes: DraftNotes): string | undefined {
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, at) => buffer[at] === byte));
  if (mark) notes.addEvidence('source.encoding', ENCODING_EVIDENCE.byteOrderMark({ encoding: mark.encoding }));
  return mark?.encoding;
}

/** UTF-16 without mark: in western text every second byte is zero. */
function detectZeros(buffer: Buffer, notes: DraftNotes): string | undefined {
  const head = buffer.subarray(0, 4096);
  const zeros = [0, 1].map((odd) => head.filter((byte, at) => byte === 0 && at % 2 === odd).length);
  const half = head.length / 2;
  const encoding = (['utf-16be', 'utf-16le'] as const).findLast((_, at) => (zeros[at] ?? 0) > half * 0.6);
  if (encoding !== undefined) notes.addEvidence('source.encoding', ENCODING_EVIDENCE.zeros({ encoding }));
  return encoding;
}

function detectUtf8(buffer: Buffer, notes: DraftNotes): string | undefined {
  if (!isUtf8(buffer)) return undefined;
  const letters = [...buffer.toString('utf8')].filter((letter) => letter > '\u007f').length;
  if (letters > 0) {
    notes.addEvidence('source.encoding', ENCODING_EVIDENCE.utf8({ count: letters }));
    return 'utf-8';
  }
  notes.addEvidence('source.encoding', ENCODING_EVIDENCE.ascii());
  notes.addQuestion(45, 'source.encoding', SAMPLE_QUESTION.ascii());
  return 'auto';
}

type Reading = { readonly page: string; readonly text: string; readonly score: number };

function detectByLetters(buffer: Buffer, notes: DraftNotes): string {
  const all = USUAL_PAGES.flatMap((page) => readAs(buffer, page)).sort((a, b) => b.score - a.score);
  // A page in which the reader would refuse the sample is none to propose.
  const accepted = all.filter(({ page }) => !isOtherPage(buffer, page));
  const readings = accepted.length > 0 ? accepted : all;
  const best = readings[0];
  if (!best) {
    notes.addEvidence('source.encoding', ENCODING_EVIDENCE.noPage());
    notes.addQuestion(100, 'source.encoding', SAMPLE_QUESTION.noEncoding());
    return 'windows-1252';
  }
  const bytes = [...buffer].filter((byte) => byte > 0x7f).length;
  const opinion = normalizeDetected(jschardet.detect(buffer.subarray(0, 65_536)).encoding);
  const other = readings.find(({ text }) => text !== best.text);
  const alike = readings.filter(({ page, text }) => page !== best.page && text === best.text).map(({ page }) => page);
  const isClear = other === undefined || best.score - other.score >= 0.25 * bytes;
  const word = wordBeyondAscii(best.text);
  const shown = isClear ? ENCODING_EVIDENCE.likely : ENCODING_EVIDENCE.guess;
  const evidence = [
    shown({ count: bytes, word }),
    other && compareReadings(best, other),
    alike.length > 0 ? ENCODING_EVIDENCE.alike({ pages: alike }) : undefined,
    opinion === undefined ? undefined : secondOpinion(opinion, best.page),
  ];
  for (const one of evidence) if (one) notes.addEvidence('source.encoding', one);
  if (other && !isClear) {
    const question = SAMPLE_QUESTION.whichEncoding({ page: best.page, word, other: compareReadings(best, other) });
    notes.addQuestion(80, 'source.encoding', question);
  }
  return best.page;
}

function isOtherPage(buffer: Buffer, page: string): boolean {
  const watch = watchPage(page);
  watch.see(buffer);
  return watch.found() !== undefined;
}

function readAs(buffer: Buffer, page: string): Reading[] {
  const text = iconv.decode(buffer, page);
  // Control characters where another page has letters: no export holds them.
  if (/[\ufffd\u0080-\u009f]/.test(text)) return [];
  return [{ page, text, score: scoreLetters(text) }];
}

/** Letters of French and Spanish count for a reading; signs, and capitals inside a word of small letters, against it. */
function scoreLetters(text: string): number {
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

function secondOpinion(encoding: string, page: string): Message {
  return encoding === page ? ENCODING_EVIDENCE.secondAgrees() : ENCODING_EVIDENCE.secondDiffers({ encoding });
}

/** A place where the two readings differ shows more than the first word. */
function compareReadings(best: Reading, { page, text: other }: Reading): Message {
  for (const { index, 0: found } of best.text.matchAll(/[^\s;,|"<>]{0,40}[^\0-\u007f][^\s;,|"<>]{0,40}/gu)) {
    if (other.slice(index, index + found.length) === found) continue;
    const word = found.slice(0, 30);
    return ENCODING_EVIDENCE.otherPageShows({ page, word, shown: other.slice(index, index + word.length) });
  }
  const word = wordBeyondAscii(best.text);
  const at = best.text.indexOf(word);
  return ENCODING_EVIDENCE.otherPage({ page, word: other.slice(at, at + word.length) });
}

function normalizeDetected(name: string | null | undefined): string | undefined {
  const lower = name?.toLowerCase();
  const known: { readonly [name: string]: string } = { ibm850: 'cp850', ibm437: 'cp437', 'iso-8859-1': 'windows-1252' };
  return lower === undefined ? undefined : (known[lower] ?? lower);
}
