/**
 * Two file name patterns in; whether some name, or every name of one of them, matches both. Signs, case and accents count as
 * in glob.ts. Nothing throws.
 */

/** True if at least one name matches both; also where the comparison would take too long. */
export function patternsOverlap(one: string, other: string): boolean {
  for (const end of endsOf(one, other)) if (end === 'too-many' || (end.one && end.other)) return true;
  return false;
}

/** True if every name that matches `narrow` matches `wide` too; false where the comparison would take too long. */
export function patternCovers(wide: string, narrow: string): boolean {
  for (const end of endsOf(wide, narrow)) if (end === 'too-many' || (end.other && !end.one)) return false;
  return true;
}

/** Whether the names that lead to one state match each pattern. */
type End = { readonly one: boolean; readonly other: boolean };

/** A character that no name has: it stands for all that are in neither pattern. */
const ANY_OTHER = '\0';
const MOST_STATES = 20_000;

/** Follows all names at once, as far as they can still match `other`. */
function* endsOf(one: string, other: string): Generator<End | 'too-many'> {
  const [first, second] = [signsOf(one), signsOf(other)];
  const characters = new Set([...first, ...second, ANY_OTHER].filter((sign) => sign !== '*' && sign !== '?'));
  const open = [{ a: reached(first, [0]), b: reached(second, [0]) }];
  const seen = new Set<string>();
  for (let state = open.pop(); state; state = open.pop()) {
    const { a, b } = state;
    const key = `${a.join()} ${b.join()}`;
    if (seen.has(key)) continue;
    if (seen.size === MOST_STATES) return yield 'too-many';
    seen.add(key);
    yield { one: a.includes(first.length), other: b.includes(second.length) };
    for (const character of characters) {
      const next = after(second, b, character);
      if (next.length > 0) open.push({ a: after(first, a, character), b: next });
    }
  }
}

/** One sign per character, folded as names are. */
function signsOf(pattern: string): readonly string[] {
  return [...pattern.normalize('NFC').toLowerCase()];
}

/** The places of the pattern where a match may be, with those that a star reaches without a character; sorted. */
function reached(pattern: readonly string[], places: Iterable<number>): readonly number[] {
  const all = new Set<number>();
  for (const start of places) {
    let place = start;
    all.add(place);
    while (pattern[place] === '*') all.add(++place);
  }
  return [...all].sort((a, b) => a - b);
}

function after(pattern: readonly string[], places: readonly number[], character: string): readonly number[] {
  const next = new Set<number>();
  for (const place of places) {
    const sign = pattern[place];
    if (sign === '*') next.add(place);
    else if (sign === '?' || sign === character) next.add(place + 1);
  }
  return reached(pattern, next);
}
