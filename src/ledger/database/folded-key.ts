/**
 * Input: the key of an identity. Output: the form that every spelling of the same number shares: capitals, no blanks, one
 * kind of hyphen, composed characters. Service, issuer and class, or the kind, stay as they are.
 */
import { codeUnitAt } from '../../text/code-unit.ts';

/** `service|issuer|class|` of a document's own key, `nt|kind|` of its `never-twice` values; bars inside are escaped. */
const BEFORE_NUMBER = /^(?:nt\|[^|]*|[^|]*\|(?:\\.|[^|\\])*\|[^|]*)\|/;

/** The key itself if it already has this form, as most keys do. */
export function foldKey(key: string): string {
  const start = BEFORE_NUMBER.exec(key)?.[0].length ?? key.length;
  if (isFolded(key, start)) return key;
  const number = key.slice(start).normalize('NFKC');
  return (
    key.slice(0, start) +
    number
      .replace(/[\s\p{Cf}]/gu, '')
      .replace(/[\p{Pd}\u2212]/gu, '-')
      .toUpperCase()
  );
}

/** Series, number and year, or the values, in a form for people. */
export function numberInKey(key: string): string {
  const start = BEFORE_NUMBER.exec(key)?.[0].length ?? 0;
  const parts = key.slice(start).match(/(?:\\.|[^|\\])+/g) ?? [];
  return parts.map((part) => part.replace(/\\(.)/g, '$1')).join(', ');
}

function isFolded(key: string, start: number): boolean {
  for (let n = start; n < key.length; n++) {
    const unit = codeUnitAt(key, n);
    if (unit <= 0x20 || unit >= 0x7f || (unit >= 0x61 && unit <= 0x7a)) return false;
  }
  return true;
}
