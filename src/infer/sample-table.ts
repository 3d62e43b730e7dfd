/** What every format becomes before it is understood: named columns of trimmed cells, and the rows they came from. */

export type SampleColumn = {
  readonly name: string;
  /** Words the name is understood by: of an XML value, the elements it stands in, the outermost first. */
  readonly path: readonly string[];
  readonly cells: readonly string[];
  /** False where the name was made up, so that only the values speak. */
  readonly known: boolean;
  /** What holds the value and others of the same party: the element with its qualifier, or what names have in front. */
  readonly block?: string;
};

export type SampleTable = {
  readonly columns: readonly SampleColumn[];
  /** Row of each entry of `cells`, as a spreadsheet counts it. */
  readonly rows: readonly number[];
  /** The document each row stands in, where the form of the file tells. */
  readonly documents?: readonly number[];
  /** The sample with these rows only, as text in its own form. */
  readonly cut: (rows: readonly number[]) => string;
};
