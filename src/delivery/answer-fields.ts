/**
 * The text of an answer comes in; the values at given JSON pointers come out, each with the number of times it is there.
 *
 * JSON.parse lets the last of two equal keys win and survives any depth; an answer that decides about a tax document
 * must not be read so. The scan is a loop with its own stack, so no depth can break it.
 */

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

/** Certainly no deeper than the bound, even if every bracket stood within all before it. */
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
  if (hits.some((times) => times > 1)) return { times: Math.max(...hits) };
  if (raw === undefined) return NOWHERE;
  const value: unknown = JSON.parse(raw);
  return { times: 1, value, digits: typeof value === 'number' ? raw : undefined };
}

const NOTHING: readonly Want[] = [];

/** Walks the tokens and notes the span of every wanted value; false when the text is too deep or plainly broken. */
function scan(text: string, wants: readonly Want[]): boolean {
  const stack: Frame[] = [];
  // The wants whose path leads to the value that comes next, and the ones it is the value of.
  let next = wants;
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const char = text[at]!;
    const top = stack.at(-1);
    if (char === '{' || char === '[') {
      if (stack.push({ array: char === '[', index: 0, from: at, onPath: next }) > MAX_DEPTH) return false;
      next = char === '[' ? stepInto(stack, '0') : NOTHING;
      at++;
    } else if (char === '}' || char === ']') {
      if (!stack.pop()) return false;
      note(text, top!.onPath, stack.length, top!.from, at + 1);
      at++;
    } else if (char === ',') {
      if (top?.array) next = stepInto(stack, String(++top.index));
      at++;
    } else if (char === ':') {
      at++;
    } else {
      const end = char === '"' ? endOfString(text, at) : endOfWord(text, at);
      if (end < 0) return false;
      const colon = skipSpace(text, end);
      if (top && !top.array && text[colon] === ':') {
        next = top.onPath.length === 0 ? NOTHING : stepInto(stack, keyOf(text.slice(at, end)));
      } else {
        note(text, next, stack.length, at, end);
      }
      at = end;
    }
    at = skipSpace(text, at);
  }
  return stack.length === 0;
}

/** The wants that a key (or array index) of the innermost container leads to; each such step is counted. */
function stepInto(stack: readonly Frame[], step: string): readonly Want[] {
  const depth = stack.length - 1;
  const reached = stack[depth]!.onPath.filter((want) => want.steps[depth] === step);
  for (const want of reached) want.hits[depth]!++;
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
  while (end < text.length && !ENDS_WORD.test(text[end]!)) end++;
  return end;
}
