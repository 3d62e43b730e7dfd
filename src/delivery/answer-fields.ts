/**
 * The text of an answer comes in; the values at given JSON pointers come out, each with the number of times it is there.
 *
 * JSON.parse lets the last of two equal keys win and survives any depth; an answer that decides about a tax document
 * must not be read so. The scan is a loop with its own stack, so no depth can break it.
 */
import { greatestOf } from '../text/long-lists.ts';

/** Deeper than any answer of the contracts by far; a deeper body is not read at all. */
const MAX_DEPTH = 100;
const ENDS_WORD = /[\s,:{}[\]"]/;

/** The result for one pointer. */
export type AnswerPlace = {
  /** 0: not there. 1: there once. More: a key on the way to it is repeated and no value can be trusted. */
  readonly times: number;
  /** Only if it is there once. */
  readonly value?: unknown;
  /** A number as it is written: 2, 2.0 and 2e0 have one value. */
  readonly digits?: string | undefined;
};

type Want = { readonly pointer: string; readonly steps: readonly string[]; readonly hits: number[]; raw?: string };
type Frame = { readonly array: boolean; index: number; readonly from: number; onPath: readonly Want[] };

/** The result for a pointer of the list that was read. */
export type Places = (pointer: string | undefined) => AnswerPlace;

const NOWHERE: AnswerPlace = { times: 0 };

/** undefined when the text as a whole is not JSON or too deep. */
export function readPlaces(text: string, pointers: readonly (string | undefined)[]): Places | undefined {
  const whole = parsed(text);
  if (whole === undefined) return undefined;
  // Written as JSON.stringify writes: so no key is repeated, and each number is written as its value is shown.
  if (isShallow(text) && JSON.stringify(whole) === text)
    return (pointer) => (pointer === undefined ? NOWHERE : placeIn(whole, stepsOf(pointer)));
  const wants = [...new Set(pointers)].flatMap((pointer): readonly Want[] => {
    if (pointer === undefined) return [];
    const steps = stepsOf(pointer);
    return [{ pointer, steps, hits: steps.map(() => 0) }];
  });
  if (!scan(text, wants)) return undefined;
  const places = new Map<string | undefined, AnswerPlace>(wants.map((want) => [want.pointer, placeOf(want)]));
  return (pointer) => places.get(pointer) ?? NOWHERE;
}

/** Certainly no deeper than the bound, even if every bracket were within all before it. */
function isShallow(text: string): boolean {
  return bracketsIn(text, '{') + bracketsIn(text, '[') <= MAX_DEPTH;
}

function bracketsIn(text: string, bracket: string): number {
  let count = 0;
  for (let at = text.indexOf(bracket); at >= 0 && count <= MAX_DEPTH; at = text.indexOf(bracket, at + 1)) count++;
  return count;
}

/** undefined for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function placeIn(whole: unknown, steps: readonly string[]): AnswerPlace {
  let value = whole;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return NOWHERE;
    // The one key of a list that is no index of it.
    if (step === 'length' && Array.isArray(value)) return NOWHERE;
    value = (value as { readonly [step: string]: unknown })[step];
  }
  return { times: 1, value, digits: typeof value === 'number' ? String(value) : undefined };
}

/** The settings name a handful of pointers, the same for every answer. */
const knownSteps = new Map<string, readonly string[]>();

/** RFC 6901; the empty pointer is the whole text. */
function stepsOf(pointer: string): readonly string[] {
  const known = knownSteps.get(pointer);
  if (known) return known;
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  knownSteps.set(pointer, steps);
  return steps;
}

function placeOf({ hits, raw }: Want): AnswerPlace {
  if (hits.some((times) => times > 1)) return { times: greatestOf(hits) };
  if (raw === undefined) return NOWHERE;
  const value: unknown = JSON.parse(raw);
  return { times: 1, value, digits: typeof value === 'number' ? raw : undefined };
}

const NOTHING: readonly Want[] = [];

/** `next`: the wants whose path leads to the value that comes next, and those that it is the value of. */
type Walk = { readonly text: string; readonly stack: Frame[]; next: readonly Want[] };

/** Takes the token at an offset; the result is the offset after it, negative if the text is too deep or plainly broken. */
type TakeToken = (walk: Walk, at: number) => number;

/** A token that begins with another character is a string, a number or a word. */
const TOKENS: ReadonlyMap<string, TakeToken> = new Map([
  ['{', openContainer],
  ['[', openContainer],
  ['}', closeContainer],
  [']', closeContainer],
  [',', takeComma],
  [':', (_, at) => at + 1],
]);

/** Walks the tokens and notes the span of every wanted value; false when the text is too deep or plainly broken. */
function scan(text: string, wants: readonly Want[]): boolean {
  const walk: Walk = { text, stack: [], next: wants };
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const take = TOKENS.get(text.charAt(at)) ?? takeScalar;
    const end = take(walk, at);
    if (end < 0) return false;
    at = skipSpace(text, end);
  }
  return walk.stack.length === 0;
}

function openContainer(walk: Walk, at: number): number {
  const { text, stack } = walk;
  const array = text[at] === '[';
  if (stack.push({ array, index: 0, from: at, onPath: walk.next }) > MAX_DEPTH) return -1;
  walk.next = array ? stepInto(stack, '0') : NOTHING;
  return at + 1;
}

function closeContainer({ text, stack }: Walk, at: number): number {
  const closed = stack.pop();
  if (!closed) return -1;
  note(text, closed.onPath, stack.length, closed.from, at + 1);
  return at + 1;
}

function takeComma(walk: Walk, at: number): number {
  const top = walk.stack.at(-1);
  if (top?.array) walk.next = stepInto(walk.stack, String(++top.index));
  return at + 1;
}

/** A key of an object, or a value. */
function takeScalar(walk: Walk, at: number): number {
  const { text, stack } = walk;
  const end = text[at] === '"' ? endOfString(text, at) : endOfWord(text, at);
  if (end < 0) return -1;
  const top = stack.at(-1);
  if (!top || top.array || text[skipSpace(text, end)] !== ':') note(text, walk.next, stack.length, at, end);
  else if (top.onPath.length === 0) walk.next = NOTHING;
  else walk.next = stepInto(stack, keyOf(text.slice(at, end)));
  return end;
}

/** The wants that a key (or array index) of the innermost container leads to; each such step is counted. */
function stepInto(stack: readonly Frame[], step: string): readonly Want[] {
  const depth = stack.length - 1;
  const reached = (stack.at(-1)?.onPath ?? NOTHING).filter((want) => want.steps[depth] === step);
  for (const want of reached) want.hits[depth] = (want.hits[depth] ?? 0) + 1;
  return reached;
}

function note(text: string, wants: readonly Want[], depth: number, from: number, to: number): void {
  for (const want of wants) if (want.steps.length === depth) want.raw = text.slice(from, to);
}

function keyOf(raw: string): string {
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return JSON.parse(raw) as string;
  } catch {
    return raw;
  }
}

function skipSpace(text: string, at: number): number {
  let index = at;
  while (index < text.length && isSpace(text.charCodeAt(index))) index++;
  return index;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return -1;
}

function endOfWord(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && !ENDS_WORD.test(text.charAt(end))) end++;
  return end;
}
