/** "Did you mean": the candidate nearest to a misspelt word, if one is near enough to be meant. */

/**
 * The nearest candidate, or undefined. Case, accents, blanks and `_ - .` do not count; up to a third of the letters may
 * differ, and words in another order (due-date, date-due) are the same.
 */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word);
  const swapped = candidates.find((candidate) => parts(candidate) === parts(word));
  if (swapped !== undefined) return swapped;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(Math.max(wanted.length, 3) / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** due-date and date-due have the same parts. */
function parts(word: string): string {
  return word
    .toLowerCase()
    .split(/[\s_.-]+/)
    .sort()
    .join(' ');
}

function plain(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[\p{M}\s_.-]/gu, '')
    .toLowerCase()
    .slice(0, 64);
}

/**
 * Optimal string alignment: a swap of neighbors counts one. `limit` is returned as soon as it is certain to be reached.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let value = i;
    let diagonal = i - 1;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const above = last[j] ?? limit;
      const cost = Number(a[i - 1] !== b[j - 1]);
      value = Math.min(above + 1, value + 1, diagonal + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (beforeLast[j - 2] ?? limit) + 1);
      row.push(value);
      least = Math.min(least, value);
      diagonal = above;
    }
    if (least >= limit) return limit;
    beforeLast = last;
    last = row;
  }
  return Math.min(last.at(-1) ?? limit, limit);
}
