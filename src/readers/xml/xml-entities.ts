/**
 * The references of XML without a DOCTYPE: five names, and characters by their numbers (XML 1.0, 4.1 and 4.6). Text in,
 * text with the characters out; an invalid reference gives undefined.
 */

const REFERENCE = /&(?:#x([\da-fA-F]+)|#(\d+)|([a-z]+));|&/g;
const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
/** The characters that XML allows (XML 1.0, 2.2). */
const CHARACTER = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u;

/** Undefined if an & does not begin one of these references: the strict parser then reports it. */
export function resolveReferences(text: string): string | undefined {
  let isRegular = true;
  const all = text.replace(REFERENCE, (_, hex?: string, decimal?: string, name?: string) => {
    const character =
      hex || decimal ? toCharacter(hex ? Number.parseInt(hex, 16) : Number(decimal)) : NAMED.get(name ?? '');
    isRegular &&= character !== undefined;
    return character ?? '';
  });
  return isRegular ? all : undefined;
}

function toCharacter(code: number): string | undefined {
  if (code > 0x10ffff) return undefined;
  const character = String.fromCodePoint(code);
  return CHARACTER.test(character) ? character : undefined;
}
