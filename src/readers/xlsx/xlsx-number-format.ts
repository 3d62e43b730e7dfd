/**
 * The number format of a cell: whether a number is a date, a time, both, an elapsed time, a code with leading zeros, or
 * a plain number. In: an id of ECMA-376-1 18.8.30 and the codes that the workbook defines. Nothing throws; a code that
 * is no format of dates makes a plain number.
 */

/** `zeros`: the digits that a code such as 00000 pads a whole number to. */
export type NumberForm = 'number' | 'date' | 'time' | 'date-time' | 'elapsed' | { readonly zeros: number };

/** Ids that every workbook knows without a code; those from 27 to 36 and 50 to 58 are of Chinese, Japanese and Korean. */
const BUILT_IN: { readonly [form: string]: readonly number[] } = {
  date: [14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58],
  time: [18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56],
  'date-time': [22],
  elapsed: [46],
};
const FORMS: ReadonlyMap<number, NumberForm> = new Map(
  Object.entries(BUILT_IN).flatMap(([form, ids]) => ids.map((id) => [id, form as NumberForm] as const)),
);

/** `code`: the text that the workbook gives for the id; it wins over the built-in meaning. */
export function numberForm(id: number, code: string | undefined): NumberForm {
  return code === undefined ? (FORMS.get(id) ?? 'number') : formOfCode(code);
}

/** Quoted text, escaped and padding characters, colors, conditions and locales show no part of the value. */
const LITERALS = /"[^"]*"?|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]?/gi;
const ELAPSED = /\[(?:h+|m+|s+)\]/i;
const PARTS = /AM\/PM|A\/P|y+|m+|d+|h+|s+/gi;

function formOfCode(code: string): NumberForm {
  const plain = code.replace(LITERALS, '').split(';')[0] ?? '';
  if (ELAPSED.test(plain)) return 'elapsed';
  if (/^\s*(?:general|standard)\s*$/i.test(plain)) return 'number';
  if (/^0{2,15}$/.test(plain)) return { zeros: plain.length };
  const parts = plain.match(PARTS)?.map((part) => part[0]?.toLowerCase() ?? '') ?? [];
  const hasTime = parts.some((part) => part === 'h' || part === 's' || part === 'a');
  const hasDate = parts.some((part, at) => part === 'y' || part === 'd' || (part === 'm' && isMonth(parts, at)));
  if (hasDate) return hasTime ? 'date-time' : 'date';
  return hasTime ? 'time' : 'number';
}

/** `m` is minutes after hours and before seconds, else the month. */
function isMonth(parts: readonly string[], at: number): boolean {
  return parts[at - 1] !== 'h' && parts[at + 1] !== 's';
}
