/** Texts as an export writes them. */

/** A cell in quotes, whatever stands in it. */
export function csvCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** A text as content or attribute; line ends and tabs as references, so that no parser normalises them. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"'\t\n\r\u0085\u2028]/g, (found) => `&#${found.codePointAt(0)};`);
}

/** What XML 1.0 can hold at all. */
export function isXmlText(text: string): boolean {
  return /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(text);
}
