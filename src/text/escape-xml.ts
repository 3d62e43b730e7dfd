/** Text as XML writes it, in an element or in an attribute of double quotes. */
import { dictionary } from './dictionary.ts';

const ENTITIES = dictionary<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES.get(sign) ?? sign);
}

/** With U+FFFD for characters that XML 1.0 cannot hold, not even escaped (section 2.2). */
export function withoutNotXml(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
