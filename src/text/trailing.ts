/**
 * The end of a text without characters of one kind. A pattern such as /0+$/ begins again at each of them: in a cell of a
 * million blanks or zeros it would take hours.
 */

/** The text without those of `characters` at its end; each is one UTF-16 unit. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}
