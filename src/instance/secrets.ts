/**
 * Reads secrets through their references at each use and never keeps them in settings. A file is searched in
 * $CREDENTIALS_DIRECTORY (systemd), then in the instance folder; a file that others may read is refused. The scrubber
 * knows every revealed value, so no log line, screen or receipt contains it. Failures are OperatorErrors `secret/*`.
 */

import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readPlain } from '../files/read-bounded.ts';
import { isNotPlain } from '../files/read-plain.ts';
import { verbatimText } from '../i18n/message.ts';
import { SECRET_FAULT } from '../i18n/messages/settings-messages.ts';
import { definedItems } from '../model/defined-only.ts';
import { OperatorError } from '../model/fault.ts';
import { must } from '../model/must.ts';
import { type Reveal, type SecretReference, secretReference } from '../model/secret-reference.ts';
import { dictionary } from '../text/dictionary.ts';
import { escapeXml } from '../text/escape-xml.ts';
import { appendAll } from '../text/long-lists.ts';
import { typedWord } from '../text/shell-word.ts';

const run = promisify(execFile);

/** One reference as `doctor` reports it, without its value. */
type InspectedSecret = {
  readonly name: string;
  readonly problem?: OperatorError;
  readonly forGroup: boolean;
  /** The owner of the file is neither this account nor root: the owner can read and change it. */
  readonly foreign: boolean;
  /** Too short to distinguish from a part of other text: it is not scrubbed from data and answers. */
  readonly short: boolean;
};

/** The secrets of one instance; the list of revealed values belongs to the whole process. */
export type Secrets = {
  readonly reveal: Reveal;
  /** Reads every secret of the settings; throws for a missing one before a run claims or sends anything. */
  readonly tryAll: (settings: unknown) => Promise<void>;
  /** The text with every secret revealed so far, in any of its forms, replaced by "[secret]". */
  readonly scrub: (text: string) => string;
  /**
   * The same for an answer that is kept, except secrets of fewer than 8 characters: they may be part of a number there.
   */
  readonly scrubAnswer: (text: string) => string;
  /** One line per reference: whether it can be read, and whether a file is open to a group. */
  readonly inspect: (settings: unknown) => Promise<readonly InspectedSecret[]>;
  /**
   * Whether a file contains a revealed secret in any form; false for files larger than 64 KiB, as no secret file is so
   * long.
   */
  readonly isIn: (content: Buffer) => boolean;
  /** Scrubs this token from now on; only the last 16 tokens are remembered. */
  readonly hide: (token: string) => void;
};

/** Services issue new tokens all the time; tokens that expired long ago need no scrubbing. */
const TOKENS_REMEMBERED = 16;
/** Characters of the shortest secret that is scrubbed from data and answers. */
export const SHORTEST_IN_DATA = 8;
const SHOWN_INSTEAD = '[secret]';

/** Any of its forms in a text means that one of the marks is there: the forms that hold no other one. */
type SecretForms = { readonly forms: readonly string[]; readonly marks: readonly string[] };

/** Of the whole process: no part of it may show a secret, least of all a crash that knows no instance. */
const revealed = new Map<string, SecretForms>();
const tokens: string[] = [];

/** Replaces each revealed value in the text; `atLeast` is the length in characters of the shortest form replaced. */
export function scrubRevealed(text: string, atLeast = 4): string {
  let scrubbed = text;
  for (const { forms, marks } of revealed.values()) {
    // A match is rare, and every answer of a service is searched.
    if (!marks.some((mark) => scrubbed.includes(mark))) continue;
    for (const form of forms) if (form.length >= atLeast) scrubbed = scrubbed.replaceAll(form, SHOWN_INSTEAD);
  }
  return scrubbed;
}

/** A text after its escapes are read; `at`: where each of its characters began in the original text, and where that ended. */
type View = { readonly text: string; readonly at: Uint32Array };
/** Begin and end in UTF-16 units; the end is exclusive. */
type Span = readonly [from: number, to: number];

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g;
const SHORT = dictionary<string>({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' });

/**
 * As scrubRevealed, for secrets that appear only after escapes are read: JSON may write any character as \u002B, and / as \/.
 */
function scrubEscaped(text: string, atLeast: number): string {
  if (!text.includes('\\')) return text;
  // A quick search first: an answer may be megabytes of escapes, and seldom hides one.
  const once = text.replace(ESCAPE, readEscape);
  if (!isMarked(once) && !isMarked(once.replace(ESCAPE, readEscape))) return text;
  const found: Span[] = [];
  let view: View = { text, at: new Uint32Array(text.length + 1).map((_, index) => index) };
  // A message in JSON may quote JSON.
  for (let times = 0; times < 2; times++) {
    view = unescapeView(view);
    for (const { forms } of revealed.values()) {
      for (const form of forms) if (form.length >= atLeast) appendAll(found, findPlaces(form, view));
    }
  }
  return scrubSpans(text, found);
}

/** Spans that overlap count as one. */
function scrubSpans(text: string, spans: readonly Span[]): string {
  let clean = '';
  let from = 0;
  for (const [begin, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (begin >= from) clean += text.slice(from, begin) + SHOWN_INSTEAD;
    from = Math.max(from, end);
  }
  return clean + text.slice(from);
}

function isMarked(text: string): boolean {
  return [...revealed.values()].some(({ marks }) => marks.some((mark) => text.includes(mark)));
}

function readEscape(written: string): string {
  const letter = written.charAt(1);
  return letter === 'u' ? String.fromCharCode(Number.parseInt(written.slice(2), 16)) : (SHORT.get(letter) ?? letter);
}

/** Reads the escapes of a text once and keeps, for each character, its place in the original text. */
function unescapeView({ text, at }: View): View {
  const places = new Uint32Array(text.length + 1);
  let read = '';
  let from = 0;
  const keep = (to: number) => {
    places.set(at.subarray(from, to), read.length);
    read += text.slice(from, to);
  };
  for (const { 0: written, index } of text.matchAll(ESCAPE)) {
    keep(index);
    places.set(at.subarray(index, index + 1), read.length);
    read += readEscape(written);
    from = index + written.length;
  }
  keep(text.length);
  places.set(at.subarray(text.length, text.length + 1), read.length);
  return { text: read, at: places };
}

function* findPlaces(form: string, { text, at }: View): Iterable<Span> {
  for (let index = text.indexOf(form); index >= 0; index = text.indexOf(form, index + form.length)) {
    const [from, to] = [at[index], at[index + form.length]];
    yield [must(from, 'the place of a secret'), must(to, 'the end of a secret')];
  }
}

function hide(token: string): void {
  if (revealed.has(token)) return;
  revealed.set(token, secretForms(token));
  tokens.push(token);
  for (const old of tokens.splice(0, tokens.length - TOKENS_REMEMBERED)) revealed.delete(old);
}

/**
 * `folder`: the instance, for relative files. `reveal` reads at each call and throws an OperatorError: `secret/empty`,
 * `variable-not-set`, `command-failed`, `no-such-file`, `not-a-file`, `too-large` or `readable-by-others`.
 */
export function openSecrets(folder: string, variables: { readonly [name: string]: string | undefined }): Secrets {
  const reveal: Reveal = async (reference) => {
    const value = (await readSecret(reference, folder, variables)).replace(/\r?\n$/, '');
    if (value === '') throw new OperatorError('secret/empty', SECRET_FAULT.empty({ name: referenceName(reference) }));
    if (!revealed.has(value)) revealed.set(value, secretForms(value));
    return value;
  };
  const tryAll = async (settings: unknown) => {
    for (const reference of referencesIn(settings)) await reveal(reference);
  };
  const inspect = async (settings: unknown) => {
    const inspected: InspectedSecret[] = [];
    for (const reference of referencesIn(settings)) {
      const name = referenceName(reference);
      const forGroup = 'file' in reference && (await isForGroup(reference.file, folder));
      const read = await reveal(reference).catch(asOperatorError);
      const short = typeof read === 'string' && read.length < SHORTEST_IN_DATA;
      const foreign = 'file' in reference && (await isForeign(reference.file, folder));
      inspected.push({ name, forGroup, foreign, short, ...(read instanceof OperatorError && { problem: read }) });
    }
    return inspected;
  };
  return {
    reveal,
    tryAll,
    inspect,
    scrub: (text) => scrubRevealed(text),
    scrubAnswer: (text) => scrubEscaped(scrubRevealed(text, SHORTEST_IN_DATA), SHORTEST_IN_DATA),
    isIn,
    hide,
  };
}

/** Larger than any file that a secret is read from. */
const MOST_SECRET_BYTES = 64 * 1024;

function isIn(content: Buffer): boolean {
  if (content.length > MOST_SECRET_BYTES) return false;
  const text = content.toString('utf8');
  return revealed.has(text.trim()) || scrubRevealed(text, SHORTEST_IN_DATA) !== text;
}

function asOperatorError(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  throw error;
}

/** Not for a credential of systemd: its group bits show the mask of an access list, and it is private all the same. */
async function isForGroup(name: string, folder: string): Promise<boolean> {
  const found = await stat(resolve(folder, name)).catch(() => undefined);
  return process.platform !== 'win32' && found !== undefined && (found.mode & 0o070) !== 0;
}

async function isForeign(name: string, folder: string): Promise<boolean> {
  const found = await stat(resolve(folder, name)).catch(() => undefined);
  return process.geteuid !== undefined && found !== undefined && ![0, process.geteuid()].includes(found.uid);
}

function* referencesIn(value: unknown): Iterable<SecretReference> {
  if (typeof value !== 'object' || value === null) return;
  const read = secretReference.safeParse(value);
  if (read.success) yield read.data;
  else for (const inner of Object.values(value)) yield* referencesIn(inner);
}

function referenceName(reference: SecretReference): string {
  if ('env' in reference) return `{ env: ${reference.env} }`;
  return 'file' in reference ? `{ file: ${reference.file} }` : `{ command: ${reference.command[0]} }`;
}

function secretForms(value: string): SecretForms {
  const forms = listForms(value);
  return { forms, marks: forms.filter((form) => !forms.some((other) => other !== form && form.includes(other))) };
}

/**
 * The forms that a value may take in a message: raw, Base64 (alone or inside a longer text, such as user:password), hex
 * in small and capital letters, also with blanks, colons or hyphens between the bytes, percent of what needs it and of
 * every byte, form, JSON once and twice, XML, numeric references of every character. A form of fewer than four
 * characters would scrub half of every line. Longest first, so that no part of a longer form stays.
 */
function listForms(value: string): string[] {
  const percent = encodeURIComponent(value);
  const form = new URLSearchParams([['', value]]).toString().slice(1);
  const forms = [
    value,
    ...base64Forms(value),
    ...byteForms(value),
    ...xmlReferenceForms(value),
    ...[percent, form].flatMap((text) => [text, text.replace(/%../g, (code) => code.toLowerCase())]),
    escapeXml(value),
  ];
  // A log line is JSON, and its message may contain JSON already.
  const once = forms.flatMap((text) => [escapeJson(text), escapeAsciiJson(text)]);
  return [...new Set([...forms, ...once, ...once.map(escapeJson)])]
    .filter((text) => text.length >= 4)
    .sort((a, b) => b.length - a.length);
}

const BETWEEN_BYTES = ['', ' ', ':', '-'] as const;

function byteForms(value: string): string[] {
  const pairs = Array.from(Buffer.from(value), (byte) => byte.toString(16).padStart(2, '0'));
  const small = [...BETWEEN_BYTES.map((between) => pairs.join(between)), pairs.map((pair) => `%${pair}`).join('')];
  return small.flatMap((text) => [text, text.toUpperCase()]);
}

/** XML and HTML: decimal, hexadecimal in both cases. */
function xmlReferenceForms(value: string): string[] {
  const points = Array.from(value, (char) => char.codePointAt(0) ?? 0);
  const small = points.map((point) => point.toString(16));
  const capital = small.map((point) => point.toUpperCase());
  const references = [points.map(String), ...[small, capital].map((all) => all.map((point) => `x${point}`))];
  return [...references, capital.map((point) => `X${point}`)].map((all) => all.map((one) => `&#${one};`).join(''));
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeAsciiJson(text: string): string {
  return escapeJson(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** At each of the three places where it can begin within Base64, without the characters shared with its neighbours. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const alone = [bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  if (bytes.length < 6) return alone;
  const inside = [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 4) / 3);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    return [shifted.toString('base64'), shifted.toString('base64url')].map((text) => text.slice(first, last));
  });
  return [...alone, ...inside];
}

async function readSecret(
  reference: SecretReference,
  folder: string,
  variables: { readonly [name: string]: string | undefined },
) {
  if ('env' in reference) {
    const value = variables[reference.env];
    if (value === undefined) {
      throw new OperatorError('secret/variable-not-set', SECRET_FAULT.notSet({ name: reference.env }), {
        hint: SECRET_FAULT.notSetHint(),
      });
    }
    return value;
  }
  if ('command' in reference) {
    const [program = '', ...args] = reference.command;
    try {
      return (await run(program, args, { timeout: 30_000, maxBuffer: 64 * 1024 })).stdout;
    } catch {
      // The message of the failure may quote the output of the command, hence the secret: it is dropped.
      throw new OperatorError('secret/command-failed', SECRET_FAULT.command({ program }), {
        hint: SECRET_FAULT.commandHint(),
      });
    }
  }
  return await readSecretFile(reference.file, folder, variables.CREDENTIALS_DIRECTORY);
}

/** Refuses a pipe without waiting for it, and does not read a file whole that is too long for a secret. */
async function readSecretText(place: string, name: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = readPlain(await realpath(place), MOST_SECRET_BYTES);
  } catch (cause) {
    if (!isNotPlain(cause)) throw cause;
    throw new OperatorError('secret/not-a-file', SECRET_FAULT.notFile({ name }), {
      cause,
      hint: SECRET_FAULT.notFileHint(),
    });
  }
  if (bytes.length <= MOST_SECRET_BYTES) return bytes.toString('utf8');
  throw new OperatorError('secret/too-large', SECRET_FAULT.tooLarge({ name, size: MOST_SECRET_BYTES / 1024 }), {
    hint: SECRET_FAULT.tooLargeHint(),
  });
}

async function readSecretFile(name: string, folder: string, credentials: string | undefined): Promise<string> {
  const places = isAbsolute(name)
    ? [name]
    : definedItems([credentials ? join(credentials, name) : undefined, join(folder, name)]);
  for (const place of places) {
    const found = await stat(place).catch(() => undefined);
    if (!found) continue;
    if (process.platform !== 'win32' && (found.mode & 0o007) !== 0) {
      throw new OperatorError('secret/readable-by-others', SECRET_FAULT.readable({ name }), {
        hint: verbatimText(`chmod 600 ${name}`),
      });
    }
    return await readSecretText(place, name);
  }
  throw new OperatorError('secret/no-such-file', SECRET_FAULT.noFile({ name }), {
    hint: SECRET_FAULT.noFileHint({ folder: typedWord(folder), name: typedWord(basename(name)) }),
  });
}
