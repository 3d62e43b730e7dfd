/**
 * File name patterns: `*` is any text, `?` one character. Case does not count, and a letter with an accent is the same
 * in each Unicode form, because macOS writes the accent as a character of its own. Nothing throws.
 */

/** True if the pattern matches the whole name. */
export function matchesName(pattern: string, name: string): boolean {
  return matches(folded(pattern), folded(name));
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Two cursors instead of a regular expression: a pattern of many stars stays quadratic in hostile names. */
function matches(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = n;
    } else if (pattern[p] === '?') {
      p++;
      n += widthAt(name, n);
    } else if (p < pattern.length && pattern[p] === name[n]) {
      p++;
      n++;
    } else if (star >= 0) {
      // The last * takes one character more.
      p = star + 1;
      resume += widthAt(name, resume);
      n = resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Code units of the character there. */
function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
