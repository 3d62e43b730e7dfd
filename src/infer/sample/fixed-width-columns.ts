/**
 * Where columns begin and end in lines of data: by a ruler, or by the positions that are blank in all of them. Lines come in,
 * spans of characters come out, both ends included, counted from 1.
 */
import { greatestOf, leastOf } from '../../text/long-lists.ts';

export type FixedSpan = { readonly start: number; readonly end: number };

/** The trimmed text of each span. */
export function spansOf(line: string, spans: readonly FixedSpan[]): readonly string[] {
  const signs = [...line];
  return spans.map(({ start, end }) =>
    signs
      .slice(start - 1, end)
      .join('')
      .trim(),
  );
}

/** The groups of dashes; undefined where a line of data has text outside of them. */
export function rulerSpans(ruler: string, data: readonly string[]): readonly FixedSpan[] | undefined {
  const spans = [...ruler.matchAll(/\S+/g)].map(({ index, 0: group }) => ({
    start: index + 1,
    end: index + group.length,
  }));
  const isInside = (at: number) => spans.some(({ start, end }) => at >= start && at <= end);
  return data.every((line) => [...line].every((sign, at) => sign === ' ' || isInside(at + 1))) ? spans : undefined;
}

/** What lies between positions that are blank in all lines and in the header; the words of one text are put together. */
export function columnSpans(data: readonly string[], header: string | undefined): readonly FixedSpan[] {
  const spans = filledSpans(header === undefined ? data : [...data, header]);
  const joined: FixedSpan[] = [];
  for (const span of spans) {
    const before = joined.at(-1);
    if (before && span.start - before.end === 2 && isOneColumn(before, span, data, header)) {
      joined[joined.length - 1] = { start: before.start, end: span.end };
    } else joined.push(span);
  }
  return joined;
}

function filledSpans(lines: readonly string[]): readonly FixedSpan[] {
  const isFilled: boolean[] = [];
  for (const line of lines) for (const [at, sign] of [...line].entries()) if (sign !== ' ') isFilled[at] = true;
  const spans: FixedSpan[] = [];
  for (let at = 0; at < isFilled.length; at++) {
    if (!isFilled[at]) continue;
    const start = at + 1;
    while (isFilled[at + 1]) at++;
    spans.push({ start, end: at + 1 });
  }
  return spans;
}

/** Two spans with one blank between them: words of a header above one column of data, or words of a text. */
function isOneColumn(a: FixedSpan, b: FixedSpan, data: readonly string[], header: string | undefined): boolean {
  const [left, right] = [a, b].map((span) => data.map((line) => spansOf(line, [span])[0] ?? ''));
  const isEmpty = (cells: readonly string[] | undefined) => cells?.every((cell) => cell === '') ?? true;
  if (header !== undefined) {
    const [, ofRight] = spansOf(header, [a, b]);
    return ofRight === '' || isEmpty(left) || isEmpty(right);
  }
  if (isParted(left, right)) return true;
  if (!isText(left)) return false;
  // The last word of the longest text: what is before it reaches up to the blank.
  const isRest = right?.every((cell, row) => cell === '' || [...(left?.[row] ?? '')].length === a.end - a.start + 1);
  return isText(right) || (isRest === true && right?.every((cell) => cell === '' || /^\p{L}/u.test(cell)) === true);
}

/** Thousands with a blank after them: 1 234,25. */
function isParted(left: readonly string[] = [], right: readonly string[] = []): boolean {
  return right.every((cell, row) =>
    left[row] === '' ? /^[-+]?\d*[.,]\d+-?$/.test(cell) : /^[-+]?\d{1,3} \d{3}[.,]\d+-?$/.test(`${left[row]} ${cell}`),
  );
}

/** Most cells have a small letter. */
function isText(cells: readonly string[] = []): boolean {
  return cells.filter((cell) => /\p{Ll}/u.test(cell)).length > 0.5 * cells.filter((cell) => cell !== '').length;
}

/**
 * With the blanks next to them, which longer values fill: a number that ends where the others do takes those before it, a text
 * those after it. `length`: of every line.
 */
export function widenSpans(
  spans: readonly FixedSpan[],
  data: readonly string[],
  length: number | undefined,
): readonly FixedSpan[] {
  const atRight = spans.map((span) => isAtRight(span, data));
  return spans.map(({ start, end }, n) => {
    const before = spans[n - 1]?.end ?? 0;
    const after = spans[n + 1]?.start ?? (length ?? end) + 1;
    return {
      start: atRight[n] ? before + 1 : start,
      end: atRight[n] || atRight[n + 1] ? end : Math.max(end, after - 1),
    };
  });
}

/** Cells that end at one position and begin at several. */
function isAtRight({ start, end }: FixedSpan, data: readonly string[]): boolean {
  const cells = data
    .map((line) =>
      [...line]
        .slice(start - 1, end)
        .join('')
        .padEnd(end - start + 1),
    )
    .filter((cell) => cell.trim() !== '');
  return (
    cells.length > 0 &&
    cells.every((cell) => !cell.endsWith(' ')) &&
    (cells.some((cell) => cell.startsWith(' ')) || cells.every((cell) => /^[-+]?\d[\d ]*[.,]\d+-?$/.test(cell)))
  );
}

/** Letters or digits that begin lines, if there are few: each may be a kind of record. */
const MOST_KINDS = 6;

/** Whether lines that begin alike agree on columns, and all lines together do not. */
export function hasSeveralKinds(data: readonly string[]): boolean {
  const kinds = Map.groupBy(data, (line) => line.charAt(0));
  if (kinds.size < 2 || kinds.size > MOST_KINDS || ![...kinds.keys()].every((mark) => /[A-Z0-9]/.test(mark)))
    return false;
  const groups = [...kinds.values()];
  const lengths = groups.map((lines) => new Set(lines.map((line) => line.length)));
  const [first] = lengths;
  if (lengths.every((one) => one.size === 1) && lengths.some((one) => [...one][0] !== [...(first ?? [])][0]))
    return true;
  const all = filledSpans(data);
  // Columns of digits in the lines of one kind, and of words in those of another one.
  const unlike = all.filter((span) => {
    const shares = groups.map((lines) => {
      const cells = lines.map((line) => spansOf(line, [span])[0] ?? '');
      return cells.filter((cell) => /^[\d., -]+$/.test(cell)).length / cells.length;
    });
    return greatestOf(shares) > 0.9 && leastOf(shares) < 0.1;
  });
  const most = greatestOf(groups.map((lines) => filledSpans(lines).length));
  return unlike.length >= 2 || (groups.some((lines) => lines.length > 1) && all.length < 0.7 * most);
}
