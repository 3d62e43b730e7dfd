/**
 * Hides what may be a secret that a person wrote into the settings literally, in every fault of the file: quoted lines,
 * messages in all languages, hints, found values. A line is judged by its text, so that a file that is not YAML is
 * covered too: values of known keys without a secret are shown, everything else below `services` is hidden. Never
 * throws.
 */

import type { Message, MessageValues } from '../i18n/message.ts';
import { definedOnly } from '../model/defined-only.ts';
import { type Fault, type Mark, MESSAGE } from '../model/fault.ts';
import { appendAll } from '../text/long-lists.ts';
import { isPlainObject } from './plain-object.ts';

const HIDDEN = '***';
const LIKE_A_SECRET = /secret|passw|token|credential|pin$|(?:^|-)key$|^url$/i;
/** The keys of a reference to a secret, which is not one itself. */
const REFERENCE = /^(?:env|file|command)$/;
/** `key: value`, in a block or between braces; a value ends at the comma, the brace or the end of the line. */
const PAIR =
  /(?<key>"[^"]*"|'[^']*'|[\w.-]+)(?<colon>\s*:(?:\s+|$))(?<value>"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s{[,}\]#][^,{}[\]]*?(?=\s*(?:[,}\]]|\s#|$)))?/g;
const USER_IN_ADDRESS = /(?<=:\/\/)[^\s/@"']+(?=@)/g;

/** The settings file as text, and what is known about its keys. */
export type SettingsText = {
  readonly text: string;
  /** Names of the settings that hold no secret. */
  readonly shown: ReadonlySet<string>;
  /** Values of settings as they are in force, also from variables of the environment. */
  readonly merged?: unknown;
};

/** A part of a line to hide: its first character from 0, and its length. */
type Piece = { readonly at: number; readonly length: number };

/** The same fault with `***` in texts and stars of equal length in the marked line, so that its column stays right. */
export function maskSecrets(fault: Fault, settings: SettingsText): Fault {
  const { mark } = fault;
  const pieces = mark ? piecesOf(mark.text, sectionOf(settings, mark.line), settings.shown) : [];
  const secrets = isPlainObject(settings.merged) ? literalsIn(settings.merged.services, settings.shown) : [];
  const literals = [
    ...pieces.flatMap(({ at, length }) => wordsIn((mark?.text ?? '').slice(at, at + length))),
    ...secrets,
  ];
  const hide = (text: string) => hideAll(text, literals);
  const { hint, given, [MESSAGE]: phrases } = fault;
  return definedOnly({
    ...fault,
    message: hide(fault.message),
    hint: hint && hide(hint),
    given: given && hide(given),
    mark: mark && maskedMark(mark, pieces),
    [MESSAGE]: phrases && maskedPhrases(phrases, hide),
  });
}

type Hide = (text: string) => string;

/** The words in other languages are made of these values later, so each value is masked as well. */
function maskedPhrases({ message, hint }: NonNullable<Fault[typeof MESSAGE]>, hide: Hide) {
  return definedOnly({ message: maskedMessage(message, hide), hint: hint && maskedMessage(hint, hide) });
}

function maskedMessage(message: Message, hide: Hide): Message {
  if (message.id === undefined) {
    const { en, fr, es } = message.words;
    return { words: { en: hide(en), fr: hide(fr), es: hide(es) } };
  }
  const values = Object.entries(message.values).map(([name, value]) => [name, maskedValue(value, hide)] as const);
  return { id: message.id, values: Object.fromEntries(values) };
}

function maskedValue(value: MessageValues[string], hide: Hide): MessageValues[string] {
  if (typeof value === 'object') {
    return 'length' in value ? value.map((one) => maskedPart(one, hide)) : maskedMessage(value, hide);
  }
  const hidden = hide(String(value));
  return hidden === String(value) ? value : hidden;
}

function maskedPart(part: string | Message, hide: Hide): string | Message {
  return typeof part === 'string' ? hide(part) : maskedMessage(part, hide);
}

/** The hidden text as a whole, and its words of 6 or more characters: a message may quote a part of it as a key. */
function wordsIn(text: string): readonly string[] {
  return [unquoted(text), ...text.split(/[\s:,"']+/).filter((word) => word.length >= 6)];
}

/**
 * Lines of the settings that are shown for another reason, such as an edit. `line`: number of the first one, from 1.
 */
export function maskedLines(lines: string, line: number, settings: SettingsText): string {
  return lines
    .split('\n')
    .map(
      (text, n) =>
        maskedMark(
          { file: '', line, column: 1, length: 0, text },
          piecesOf(text, sectionOf(settings, line + n), settings.shown),
        ).text,
    )
    .join('\n');
}

type Section = 'services' | 'other';

/** The section by the nearest key at the margin above the line. Environments and unknown keys count as services. */
function sectionOf({ text, shown }: SettingsText, line: number): Section {
  const above = text.split('\n').slice(0, line);
  const margin = above.findLast((one) => /^[^\s#-]/.test(one)) ?? '';
  const key = unquoted(/^("[^"]*"|'[^']*'|[^\s:]+)/.exec(margin)?.[1] ?? '');
  return key === 'services' || key === 'environments' || !shown.has(key) ? 'services' : 'other';
}

/** The parts of one line to hide. Outside of `services` only keys with the name of a secret are hidden. */
function piecesOf(line: string, section: Section, shown: ReadonlySet<string>): readonly Piece[] {
  const isHidden = (key: string) => !shown.has(key) && (section === 'services' || LIKE_A_SECRET.test(key));
  const pieces: Piece[] = [];
  let pairs = 0;
  for (const { index, groups } of line.matchAll(PAIR)) {
    pairs++;
    const { key = '', colon = '', value = '' } = groups ?? {};
    const at = index + key.length + colon.length;
    if (!isHidden(unquoted(key))) continue;
    if (value !== '') pieces.push({ at, length: value.length });
    else appendAll(pieces, insideOf(line, at));
  }
  // The rest of a text over several lines, or a line that is not YAML.
  const rest = /[^\s{}[\],-].*$/.exec(line);
  if (pairs === 0 && section === 'services' && rest && !/^#|:$/.test(rest[0].trim())) {
    pieces.push({ at: rest.index, length: rest[0].trimEnd().length });
  }
  const comment = pieces.length > 0 ? /(?<=\s)#.*$/.exec(line) : undefined;
  if (comment) pieces.push({ at: comment.index, length: comment[0].length });
  for (const { index, 0: user } of line.matchAll(USER_IN_ADDRESS)) pieces.push({ at: index, length: user.length });
  return withoutOverlap(pieces);
}

/** A list or block in place of a text is hidden as a whole, unless it begins as a reference to a secret does. */
function insideOf(line: string, from: number): readonly Piece[] {
  const inside = /^([{[]\s*)([^}\]]*[^}\]\s])/.exec(line.slice(from));
  if (!inside) return [];
  const [, open = '', content = ''] = inside;
  const first = /^["']?([\w-]+)["']?\s*:/.exec(content)?.[1] ?? '';
  if (open.startsWith('{') && REFERENCE.test(first)) return [];
  return [{ at: from + open.length, length: content.length }];
}

function withoutOverlap(pieces: readonly Piece[]): readonly Piece[] {
  const kept: Piece[] = [];
  for (const piece of pieces.toSorted((a, b) => a.at - b.at || b.length - a.length)) {
    const last = kept.at(-1);
    if (!last || piece.at >= last.at + last.length) kept.push(piece);
  }
  return kept;
}

/** Stars of the same length, so that every column stays. */
function maskedMark(mark: Mark, pieces: readonly Piece[]): Mark {
  let { text } = mark;
  for (const { at, length } of pieces) text = text.slice(0, at) + '*'.repeat(length) + text.slice(at + length);
  return { ...mark, text };
}

/**
 * Longest first, so that a literal inside another one leaves no rest. Fewer than 3 characters would hide common words.
 */
function hideAll(text: string, literals: readonly string[]): string {
  let hidden = text;
  for (const literal of literals.toSorted((a, b) => b.length - a.length)) {
    if (literal.length >= 3) hidden = hidden.replaceAll(literal, HIDDEN);
  }
  return hidden.replaceAll(USER_IN_ADDRESS, HIDDEN);
}

/**
 * Texts and numbers below settings that hold a secret, and below unknown ones; also a key in the place of a reference.
 */
function literalsIn(value: unknown, shown: ReadonlySet<string>, isHidden = false): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => literalsIn(one, shown, isHidden));
  if (!isPlainObject(value))
    return isHidden && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (isHidden && REFERENCE.test(key)) return [];
    const own = isHidden && inner === null ? [key] : [];
    return [...own, ...literalsIn(inner, shown, isHidden || !shown.has(key))];
  });
}

function unquoted(text: string): string {
  return text.replace(/^(["'])([\s\S]*?)\1?$/, '$2');
}
