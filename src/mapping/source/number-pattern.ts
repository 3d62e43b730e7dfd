/**
 * Patterns of numbers as spreadsheets write them ("0.00", "#,##0.00", "000000", "0,00"), for TEXT.
 */
import type { Decimal } from '../../model/decimal.ts';

/** `#,##0` groups thousands by the character in the comma's place; the mark after the zeros is the decimal mark. */
const PATTERN = /^(?:#(?<separator>[ ,.'’\u00a0\u202f])##)?(?<whole>0+)(?:(?<mark>[.,])(?<fixed>0*)(?<free>#*))?$/;

/** Undefined for a pattern that is not one. Rounds half away from zero. */
export function compileNumberPattern(pattern: string): ((value: Decimal) => string) | undefined {
  const groups = PATTERN.exec(pattern)?.groups;
  if (!groups || groups.separator === (groups.mark ?? '')) return undefined;
  const { separator, whole: zeros = '', mark = '', fixed = '', free = '' } = groups;
  return (value) => {
    const rounded = value.round(fixed.length + free.length);
    const text = rounded.abs().toText(Math.max(fixed.length, rounded.decimals()));
    const [whole = '', fraction = ''] = text.split('.');
    const padded = whole.padStart(zeros.length, '0');
    const grouped = separator ? padded.replace(/\B(?=(?:\d{3})+$)/g, separator) : padded;
    const sign = rounded.isZero() || rounded.units > 0 ? '' : '-';
    return sign + grouped + (fraction === '' ? '' : mark + fraction);
  };
}
