/**
 * Correction files: what stands beside each row of a failed document, so that the row finds its document again.
 *
 * A document is named with its revision: a file that was written before the document changed is known to be old.
 */

export const HELPER_COLUMNS = ['_doc', '_row', '_error'] as const;

/** A row of a failed document, as it goes into a correction file. */
export type FailedRow = {
  /** See docMark. */
  readonly doc: string;
  readonly row: number;
  /** What is wrong with the row, and with its document where it is the first of its rows; '' where nothing is. */
  readonly error: string;
};

/** Asked in ascending order, each row once. */
export type FailedRows = { readonly at: (row: number) => FailedRow | undefined | Promise<FailedRow | undefined> };

/** Cells as they were corrected so far: row -> column -> text. */
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
 * What a spreadsheet may run (OWASP, CSV injection): = + - @, also in full width, behind blanks and quotes; a tab or an
 * end of line in front. Apostrophes before it count too, so that a guard is never taken for a part of the text.
 */
const FORMULA = /^'*(?:[\t\r\n]|[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** A sign and digits, as amounts and telephone numbers are written: a number at worst. */
const SIGNED_NUMBER = /^ *[+-][\d., \u00a0\u202f]*%?$/;

export function isFormula(text: string): boolean {
  return FORMULA.test(text) && !SIGNED_NUMBER.test(text);
}

/** The text with an apostrophe in front where a spreadsheet may run it, which makes it a plain text there. */
export function guardFormula(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

/** What `guarded` made the text of. A spreadsheet may have taken the apostrophe away: then it is this text already. */
export function unguarded(text: string): string {
  return text.startsWith("'") && isFormula(text.slice(1)) ? text.slice(1) : text;
}
