/**
 * Correction files: the values next to each row of a failed document, which lead the row back to its document.
 *
 * A document is named with its revision: a file that was written before the document changed is known to be old.
 */

export const HELPER_COLUMNS = ['_doc', '_row', '_error'] as const;

/** A row of a failed document, as a correction file has it. */
export type FailedRow = {
  /** See docMark. */
  readonly doc: string;
  readonly row: number;
  /** The faults of the row, and those of its document if it is the first of its rows; '' without faults. */
  readonly error: string;
  /** Of its cells, for a file that can show them there. */
  readonly faults?: readonly CellFault[];
};

/** A fault of one cell of a row, in the language of the instance. */
export type CellFault = { readonly column: string; readonly level: 'error' | 'warning'; readonly text: string };

/** Called in ascending order, once for each row. */
export type FailedRows = { readonly at: (row: number) => FailedRow | undefined | Promise<FailedRow | undefined> };

/** The corrected cells so far: row -> column -> text. */
export type Overlay = ReadonlyMap<number, ReadonlyMap<string, string>>;

export function docMark({ id, revision }: { readonly id: string; readonly revision: number }): string {
  return `${id}/${revision}`;
}

const GUARDED = '/guarded';

/** The mark of a row some of whose cells, or of whose column names, are guarded. */
export function guardedMark(mark: string): string {
  return mark + GUARDED;
}

const MARK = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([1-9]\d{0,8})(\/guarded)?$/i;

type DocMark = { readonly id: string; readonly revision: number; readonly isGuarded: boolean };

export function readDocMark(text: string): DocMark | undefined {
  const [, id, revision, guarded] = MARK.exec(text.trim()) ?? [];
  if (id === undefined) return undefined;
  return { id: id.toLowerCase(), revision: Number(revision), isGuarded: guarded !== undefined };
}

/** The mark as `docMark` makes it; anything else as it is. */
export function plainMark(text: string): string {
  const mark = readDocMark(text);
  return mark ? docMark(mark) : text;
}

/**
 * Texts that a spreadsheet may run (OWASP, CSV injection): = + - @, also in full width, after blanks and quotes; a tab or
 * an end of line in front. Apostrophes before it count too, so that a guard is never taken for a part of the text.
 */
const FORMULA = /^'*(?:[\t\r\n]|[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** A sign and digits, as amounts and telephone numbers are written: a number at worst. */
const SIGNED_NUMBER = /^ *[+-][\d., \u00a0\u202f]*%?$/;

export function isFormula(text: string): boolean {
  return FORMULA.test(text) && !SIGNED_NUMBER.test(text);
}

/** The text, with an apostrophe in front if a spreadsheet may run it: there it is a plain text then. */
export function guardFormula(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

/** The inverse of `guardFormula`. A spreadsheet may have removed the apostrophe: then the text stays as it is. */
export function unguarded(text: string): string {
  return text.startsWith("'") && isFormula(text.slice(1)) ? text.slice(1) : text;
}
