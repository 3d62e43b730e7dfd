/**
 * Numbers and dates of a workbook in the spelling of the export: what a spreadsheet stores as 12.5 is 12,5 where the
 * mapping reads a comma. A cell and the reading of its column in, a text out that means the same; else the text as it is.
 */
import type { Mapping } from '../../mapping/mapping.ts';
import { Decimal } from '../../model/decimal.ts';
import type { XlsxCell } from '../../readers/xlsx/read-xlsx-table.ts';

type Spelling = (year: string, month: string, day: string) => string;

/** Ways to write a day, the usual ones first; the mapping decides which one is right. */
const DAYS: readonly Spelling[] = [
  (year, month, day) => `${year}-${month}-${day}`,
  ...['/', '.', '-'].flatMap((sign): readonly Spelling[] => [
    (year, month, day) => [day, month, year].join(sign),
    (year, month, day) => [month, day, year].join(sign),
    (year, month, day) => [year, month, day].join(sign),
    (year, month, day) => [day, month, year.slice(2)].join(sign),
  ]),
  (year, month, day) => `${year}${month}${day}`,
  (year, month, day) => `${day}${month}${year}`,
  (year, month, day) => `${year.slice(2)}${month}${day}`,
  (year, month, day) => `${day}${month}${year.slice(2)}`,
];

/** `convert`: how the mapping reads the column; undefined for a column of text. */
export function spelledAsExport({ kind, text }: XlsxCell, convert: ReturnType<Mapping['convertOf']>): string {
  if (!convert) return text;
  if (kind === 'number') {
    const value = Decimal.parse(text);
    const isValue = (spelling: string) => {
      const read = convert(spelling);
      return value !== undefined && read instanceof Decimal && read.equals(value);
    };
    return [text, text.replace('.', ',')].find(isValue) ?? text;
  }
  const [, year, month, day] = kind === 'date' ? (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []) : [];
  if (year === undefined || month === undefined || day === undefined) return text;
  return DAYS.map((spell) => spell(year, month, day)).find((one) => convert(one) === text) ?? text;
}
