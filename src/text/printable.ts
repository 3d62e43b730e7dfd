/**
 * Foreign text for messages and terminals: file names and cells may carry line ends, escape sequences and characters
 * that turn the reading direction, and a message must show them instead of obeying them.
 */

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** The text with every control, direction and invisible character as \u{hex}. */
export function escapeControls(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * The colors of Nightpost: bold, dim, red, green, yellow and their ends. Any other sequence, such as hidden text, comes
 * from outside.
 */
const SHOWN_AS_IS = /^(\u001b\[(1|2|22|31|32|33|39)m|[\n\t])$/;
const SEQUENCE_OR_UNSEEN = /\u001b\[\d+m|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/**
 * Outside of Latin, Greek accents and usual punctuation. Most texts have none of it, and this test is ten times faster.
 */
const PERHAPS_UNSEEN = /[^\n\t\x20-\x7e\xa0-\xac\xae-\u0377\u2010-\u2027\u20ac]/;

const LAYOUT_OR_UNSEEN = /\n *<|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/**
 * Whole output with its lines and colors, and every other control, direction and invisible character as \\uXXXX. In JSON
 * that is the same text, so that one rule serves tables, JSON and files that people look at in a terminal.
 */
export function stripTerminalControls(text: string): string {
  return PERHAPS_UNSEEN.test(text) ? withoutUnseen(text) : text;
}

function withoutUnseen(text: string): string {
  return text.replace(SEQUENCE_OR_UNSEEN, (found) => (SHOWN_AS_IS.test(found) ? found : asUnits(found)));
}

/** The same for XML, whose parser reads the same characters; a line end is kept only before a tag. */
export function harmlessXml(text: string): string {
  return text.replace(LAYOUT_OR_UNSEEN, (found) =>
    found.startsWith('\n') && found.length > 1 ? found : `&#x${found.codePointAt(0)?.toString(16)};`,
  );
}

function asUnits(text: string): string {
  const unit = (one: string) => (/[[\dm]/.test(one) ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return text.split('').map(unit).join('');
}
