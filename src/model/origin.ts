/** Where a value came from: the cell an operator has to open. */

export type Origin = {
  /** Name of the source file, without folder. */
  readonly file: string;
  /** CSV: the row as a spreadsheet numbers it, from 1, the header included. XML: the ordinal of the row element. */
  readonly row: number;
  /** CSV: the column's name in the header. XML: the path of the element or attribute. */
  readonly column?: string;
  /** XML only: `column` with the number of each element that has siblings of its name, down to the field of a list. */
  readonly path?: string;
  /** XML only: the line of the file where that element starts, or, if it is missing, the one around it; editors jump there. */
  readonly line?: number;
};
