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

const MARK = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([1-9]\d{0,8})$/i;

export function readDocMark(text: string): { readonly id: string; readonly revision: number } | undefined {
  const found = MARK.exec(text.trim());
  return found ? { id: found[1]!.toLowerCase(), revision: Number(found[2]) } : undefined;
}

/** A text of ours that a spreadsheet would run as a formula gets an apostrophe in front. */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
