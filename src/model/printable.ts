/**
 * Foreign text for messages and terminals: file names and cells may carry line ends, escape sequences and characters
 * that turn the reading direction, and a message must show them instead of obeying them.
 */

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** The text with every control, direction and invisible character as \u{hex}. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
