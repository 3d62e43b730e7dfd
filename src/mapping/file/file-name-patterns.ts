/**
 * File names by pattern: `FAC_*.csv`, where * stands for any characters and ? for one. Capitals do not count.
 */

/** In time proportional to both lengths multiplied, whatever the pattern. */
export function matchesPattern(name: string, pattern: string): boolean {
  const letters = [...name.normalize('NFC').toLowerCase()];
  const wanted = [...pattern.normalize('NFC').toLowerCase()];
  let at = 0;
  let star = -1;
  let from = 0;
  for (let n = 0; n < letters.length; ) {
    if (wanted[at] === '*') {
      star = at++;
      from = n;
    } else if (wanted[at] === '?' || wanted[at] === letters[n]) {
      at++;
      n++;
    } else if (star >= 0) {
      // The last * takes one letter more.
      at = star + 1;
      n = ++from;
    } else return false;
  }
  return wanted.slice(at).every((letter) => letter === '*');
}
