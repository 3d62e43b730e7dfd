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
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, beforeLast[j - 2]! + 1);
      row.push(value);
    }
    if (Math.min(...row) >= limit) return limit;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length]!, limit);
}
