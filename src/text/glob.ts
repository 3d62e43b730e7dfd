/** File name patterns: `*` is any text, `?` one character, upper and lower case alike. */

export function matchesName(pattern: string, name: string): boolean {
  return matches(pattern.toLowerCase(), name.toLowerCase());
}

/** Two cursors instead of a regular expression: a pattern of many stars stays linear in hostile names. */
function matches(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
