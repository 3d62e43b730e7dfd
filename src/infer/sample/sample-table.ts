/** What every format becomes before it is understood: named columns of trimmed cells, and the rows they came from. */

/** What the form of a file says about a column. */
export type ColumnHead = {
  readonly name: string;
  /** Words the name is understood by: of an XML value, the elements it is in, the outermost first. */
  readonly path: readonly string[];
  /** False where the name was made up, so that only the values speak. */
  readonly known: boolean;
  /** What holds the value and others of the same party: the element with its qualifier, or what names have in front. */
  readonly block?: string;
  /** The innermost element around an XML value, seen from the row. */
  readonly holder?: string;
  /** Of a file of record types: the kind of record that holds it. */
  readonly level?: 'header' | 'line';
};

export type SampleColumn = ColumnHead & { readonly cells: readonly string[] };

/** Cells that form no row of the table. `row` as a spreadsheet counts. */
export type SampleRecord = { readonly cells: readonly string[]; readonly row: number };

/** A rule of `leave-out`, as the mapping writes it. */
export type SampleSkipRule =
  | { readonly column: string | number; readonly 'starts-with': string }
  | { readonly column: number; readonly equals: string };

/** Records that a rule leaves out: a trailer of the file, totals between its rows. */
export type Trailer = { readonly rule: SampleSkipRule; readonly records: readonly SampleRecord[] };

/** Records of one kind next to the lines of a document, such as its VAT per rate. */
export type Siblings = {
  /** As a list is called: letters, digits and _. */
  readonly name: string;
  /** The marker of the kind. */
  readonly value: string;
  readonly columns: readonly string[];
  /** `owner` is the header record they belong to, by its row. */
  readonly records: readonly (SampleRecord & { readonly owner: number })[];
  /** The first line below one of them, under the same header record: they may be its header. */
  readonly lineBelow: number | undefined;
};

export type SampleTable = {
  readonly columns: readonly SampleColumn[];
  /** Row of each entry of `cells`, as the reader numbers it. */
  readonly rows: readonly number[];
  /** The document each row is in, where the form of the file shows it. */
  readonly documents?: readonly number[];
  readonly trailers?: readonly Trailer[];
  readonly siblings?: readonly Siblings[];
  /** For each row the header record it belongs to, where a file has such records. */
  readonly owners?: readonly number[];
  /** Documents of which the rows show nothing: headers without lines. */
  readonly lonely?: number;
};
