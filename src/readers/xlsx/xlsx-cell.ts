/**
 * One cell of a sheet to its value, by the type that the cell names (ECMA-376-1, 18.18.11 ST_CellType). A value that its
 * type does not allow is a problem of the cell; a text or style that the workbook does not have refuses the file
 * (UnreadableFileError), because other cells may then have the wrong one.
 */
import type { Message } from '../../i18n/message.ts';
import { XLSX_FILE } from '../../i18n/messages/readers-messages.ts';
import { type CellValue, isoValue, isReadableText, numberValue, unescapeText } from './xlsx-cell-value.ts';
import type { NumberForm } from './xlsx-number-format.ts';
import type { Workbook } from './xlsx-workbook.ts';

/** What the attributes and elements of a cell say. `value`: the text of its `v` element. */
export type RawCell = {
  readonly row: number;
  /** From 0. */
  readonly column: number;
  readonly type: string;
  readonly style: string | undefined;
  value: string;
  hasValue: boolean;
  hasFormula: boolean;
  /** The first characters of the formula. */
  formula: string;
};

/** LibreOffice saves true and false as formulas: TRUE(). */
const CONSTANT = /^(?:TRUE|FALSE)\(\)$/;

/** True if the value of the cell was calculated from others. */
export function isCalculated({ hasFormula, formula }: RawCell): boolean {
  return hasFormula && !CONSTANT.test(formula);
}

/** `refuse` makes the error of a damaged part. Undefined out: the cell is empty. */
export function createCellReader(
  workbook: Pick<Workbook, 'strings' | 'formOf' | 'is1904' | 'isUncalculated'>,
  refuse: (problem: Message) => Error,
): (cell: RawCell, inline: string | undefined) => CellValue | undefined {
  const sharedText = (index: string, { row }: RawCell): string => {
    const text = /^\d+$/.test(index) ? workbook.strings[Number(index)] : undefined;
    if (text === undefined) throw refuse(XLSX_FILE.noSharedText({ index, row }));
    return text;
  };
  const formOf = ({ style = '0', row }: RawCell): NumberForm => {
    const form = workbook.formOf(Number(style));
    if (form === undefined) throw refuse(XLSX_FILE.noStyle({ style, row }));
    return form;
  };
  const stored = (text: string, cell: RawCell): CellValue | undefined => {
    switch (cell.type) {
      case 's':
        return textValue(sharedText(text, cell), cell.hasFormula);
      case 'n':
        return numberValue(text, formOf(cell), workbook.is1904);
      case 'd':
        return isoValue(text, formOf(cell));
      case 'b':
        return booleanValue(text);
      case 'e':
        return { kind: 'error', text, problem: 'xlsx/error-value' };
      default:
        return { kind: 'error', text, problem: 'xlsx/damaged-cell' };
    }
  };
  return (cell, inline) => {
    const { type, value, hasFormula } = cell;
    if (hasFormula && (workbook.isUncalculated || lacksValue(cell))) {
      return { kind: 'error', text: value, problem: 'xlsx/formula-without-value' };
    }
    if (type === 'str' || type === 'inlineStr') return textValue(inline ?? unescapeText(value), hasFormula);
    // An inline text is in its own type only: dropped, it would be an empty cell.
    if (inline) return { kind: 'error', text: inline, problem: 'xlsx/damaged-cell' };
    const text = value.trim();
    return text === '' ? undefined : stored(text, cell);
  };
}

/** A formula whose result is an empty text has an empty value. */
function lacksValue({ type, value, hasValue }: RawCell): boolean {
  return !hasValue || (value === '' && type !== 'str');
}

/** As English spreadsheets show them. */
const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['1', 'TRUE'],
  ['true', 'TRUE'],
  ['0', 'FALSE'],
  ['false', 'FALSE'],
]);

function booleanValue(stored: string): CellValue {
  const text = BOOLEANS.get(stored);
  if (text === undefined) return { kind: 'error', text: stored, problem: 'xlsx/damaged-cell' };
  return { kind: 'boolean', text };
}

function textValue(text: string, isFormula: boolean): CellValue | undefined {
  if (text === '' && !isFormula) return undefined;
  return isReadableText(text) ? { kind: 'text', text } : { kind: 'text', text: '', problem: 'xlsx/damaged-cell' };
}
