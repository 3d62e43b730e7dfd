/**
 * The name of an answer file: `RET_{file.stem}_{n}.csv` in, a name for each number out. A pattern without `{n}`, or with
 * a character that no file system takes in a name, is refused with the reason. Made names are one path segment.
 */

import { dictionary } from '../../text/dictionary.ts';
import { safeName } from '../../text/safe-file-name.ts';
import { stemOf } from './answer-scope.ts';

/** What a name is made of; `day` is YYYY-MM-DD. */
type NameFacts = {
  readonly n: number;
  readonly mapping: string;
  readonly run: string;
  readonly day: string;
  readonly file: { readonly name: string; readonly id: string };
};

type Part = string | ((facts: NameFacts) => string);

/** `perFile`: the name differs by export, so that each export has files of its own. */
export type NamePattern = {
  readonly text: string;
  readonly perFile: boolean;
  readonly make: (facts: NameFacts) => string;
  /** The number in a name that the pattern may have made; undefined for another name. */
  readonly numberIn: (name: string) => number | undefined;
};

export type NameProblem = { readonly problem: 'unknown' | 'no-number' | 'not-a-name'; readonly part: string };

const TOKENS = dictionary<(facts: NameFacts, width: number) => string>({
  n: ({ n }, width) => String(n).padStart(width, '0'),
  mapping: ({ mapping }) => mapping,
  run: ({ run }) => run,
  day: ({ day }) => day,
  'file.stem': ({ file }) => stemOf(file.name),
  'file.name': ({ file }) => file.name,
  'file.id': ({ file }) => file.id.slice(-8),
});
export const NAME_TOKENS = [...TOKENS.keys()];
/** Of a whole name in UTF-8; its number and ending always stay. */
const MOST_BYTES = 180;

/** The pattern, or why it is none. */
export function readNamePattern(text: string): NamePattern | NameProblem {
  const parts: Part[] = [];
  let shape = '';
  let perFile = false;
  let numbered = false;
  for (const piece of text.split(/(\{[^{}]*\})/).filter((one) => one !== '')) {
    const [, token = '', width = '0'] = /^\{([a-z.]+)(?::(\d{1,2}))?\}$/.exec(piece) ?? [];
    if (!piece.startsWith('{')) {
      if (/[/\\:*?"<>|{}\p{C}]/u.test(piece)) return { problem: 'not-a-name', part: piece };
      parts.push(piece);
      shape += piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      continue;
    }
    const read = TOKENS.get(token);
    if (!read || (width !== '0' && token !== 'n')) return { problem: 'unknown', part: piece };
    shape += shapeOf(token, numbered);
    numbered ||= token === 'n';
    perFile ||= token.startsWith('file.');
    parts.push((facts) => read(facts, Number(width)));
  }
  if (!numbered) return { problem: 'no-number', part: text };
  if (/^[.\s]|[.\s]$/.test(text)) return { problem: 'not-a-name', part: text };
  const made = new RegExp(`^${shape}$`, 'iu');
  const numberIn = (name: string) => {
    const [, n] = made.exec(name) ?? [];
    return n === undefined ? undefined : Number(n);
  };
  return { text, perFile, make: (facts) => madeOf(parts, facts), numberIn };
}

/** The first number of a name is captured. */
function shapeOf(token: string, isLater: boolean): string {
  if (token !== 'n') return '.+';
  return isLater ? '\\d+' : '(\\d{1,15})';
}

/** Only what the export is called may be long: it is cut, and the rest of the name stays whole. */
function madeOf(parts: readonly Part[], facts: NameFacts): string {
  const texts = parts.map((part) => (typeof part === 'string' ? part : safeName(part(facts), MOST_BYTES)));
  const tooLong = Buffer.byteLength(texts.join('')) - MOST_BYTES;
  if (tooLong <= 0) return texts.join('');
  const longest = texts.reduce((at, one, n) => (one.length > (texts[at] ?? '').length ? n : at), 0);
  const room = Math.max(40, Buffer.byteLength(texts[longest] ?? '') - tooLong);
  return texts.map((one, n) => (n === longest ? safeName(one, room) : one)).join('');
}
