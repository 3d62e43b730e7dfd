/** Two texts, line by line: what only the first has, what only the second has, and lines around them. Pure. */

/** `line` counts from 1 in the second text, or in the first for a line that is gone. */
export type DifferentLine = { readonly what: 'same' | 'gone' | 'come'; readonly line: number; readonly text: string };

/** Lines in the middle of both texts up to which the shortest difference is searched for; beyond, all are different. */
const MOST = 2_000;
/** Equal lines that are shown before and after a difference. */
const AROUND = 2;

export function lineDifference(before: string, after: string): readonly DifferentLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  if (start === a.length && start === b.length) return [];
  const lines = [
    ...b.slice(Math.max(0, start - AROUND), start).map((text, n): DifferentLine => {
      return { what: 'same', line: Math.max(0, start - AROUND) + n + 1, text };
    }),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end), start),
    ...b.slice(b.length - end, b.length - end + AROUND).map((text, n): DifferentLine => {
      return { what: 'same', line: b.length - end + n + 1, text };
    }),
  ];
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ what }) => what !== 'same');
  return lines.filter((_, at) => isNear(at));
}

/** By the longest common subsequence. */
function middle(a: readonly string[], b: readonly string[], offset: number): readonly DifferentLine[] {
  const gone = (at: number): DifferentLine => ({ what: 'gone', line: offset + at + 1, text: a[at] ?? '' });
  const come = (at: number): DifferentLine => ({ what: 'come', line: offset + at + 1, text: b[at] ?? '' });
  if (a.length > MOST || b.length > MOST) return [...a.map((_, at) => gone(at)), ...b.map((_, at) => come(at))];
  const common = commonLengths(a, b);
  const lines: DifferentLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ ...come(j), what: 'same' });
      i++;
      j++;
    } else if (common(i + 1, j) >= common(i, j + 1)) lines.push(gone(i++));
    else lines.push(come(j++));
  }
  return [...lines, ...a.slice(i).map((_, n) => gone(i + n)), ...b.slice(j).map((_, n) => come(j + n))];
}

/** How many lines the ends of both texts from these places have in common. */
function commonLengths(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}
