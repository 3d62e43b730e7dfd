/** Text as XML writes it, in an element or in an attribute of double quotes. */
import { dictionary } from './dictionary.ts';

const ENTITIES = dictionary<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES.get(sign) ?? sign);
}
