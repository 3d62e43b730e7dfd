/**
 * The rows of a correction workbook, gathered while its CSV is written, up to what a spreadsheet and the memory can hold.
 * Rows in; the workbook out, or undefined once it would be too large. Nothing throws.
 */
import { format, type Language } from '../../i18n/message.ts';
import { CORRECTION_SHEET } from '../../i18n/messages/receipts-messages.ts';
import type { TakeRow } from '../../readers/correction-file/write-correction-csv.ts';
import {
  type CorrectionWorkbook,
  LONGEST_CELL,
  MOST_COLUMNS,
  type WorkbookRow,
} from '../../readers/correction-file/write-correction-workbook.ts';

/** Rows of a workbook: more are no work for a person, and a spreadsheet opens them slowly. */
export const MOST_ROWS = 20_000;
/** Characters of all cells. */
const MOST_TEXT = 32 * 1024 * 1024;

/** `workbook` is complete after the last row. */
export function collectWorkbook(language: Language): {
  readonly take: TakeRow;
  readonly workbook: () => CorrectionWorkbook | undefined;
} {
  let columns: readonly string[] = [];
  let rows: WorkbookRow[] = [];
  let text = 0;
  let fits = true;
  const take: TakeRow = (names, cells, found) => {
    if (!fits) return;
    columns = names;
    for (const cell of cells) {
      text += cell.length;
      fits &&= cell.length <= LONGEST_CELL;
    }
    fits &&= rows.length < MOST_ROWS && text <= MOST_TEXT && names.length <= MOST_COLUMNS;
    if (fits) rows.push({ cells, found });
    else rows = [];
  };
  const say = (one: Parameters<typeof format>[0]) => format(one, language);
  const { sheet, howTo, keep } = CORRECTION_SHEET;
  const texts = { sheet: say(sheet()), howTo: say(howTo()), keep: say(keep()) };
  return { take, workbook: () => (fits ? { columns, rows, texts } : undefined) };
}
