/** What is detected of a sample: the block `source` of the mapping, as its reader takes it. Types only. */
import type { ColumnHead, SampleSkipRule, SampleTable } from './sample-table.ts';

/** What the block `source` of a mapping says about rows of cells, whatever they are written in. */
export type TableSource = {
  readonly 'header-row'?: number | 'none';
  /** Of a file without a header row, or with one whose names cannot be used. */
  readonly 'column-names'?: readonly string[];
  readonly 'skip-rows'?: number;
  readonly 'leave-out': readonly (SampleSkipRule | { readonly blank: true })[];
  readonly 'fill-down'?: readonly string[];
  readonly 'record-types'?: {
    readonly column: 1;
    readonly levels: readonly { readonly value: string; readonly columns: readonly string[] }[];
  };
};

/** What the block `source` of a CSV mapping says. */
export type CsvSource = TableSource & {
  readonly format: 'csv';
  readonly encoding: string;
  readonly delimiter: string;
  readonly quote: '"' | "'" | 'none';
  readonly 'final-line-end': 'required' | 'optional';
};

/** What the block `source` of a mapping of workbooks says. `sheet` where the workbook has others as well. */
export type XlsxSource = TableSource & { readonly format: 'xlsx'; readonly sheet?: string };

/** What the block `source` of a mapping with `format: fixed` says. */
export type FixedSource = {
  readonly format: 'fixed';
  readonly encoding: string;
  /** Where all lines of data have one length. */
  readonly 'line-length'?: number;
  /** Cut where some lines end before the last column does. */
  readonly 'trailing-blanks': 'kept' | 'cut';
  /** Lines above the data. */
  readonly 'skip-rows': number;
  readonly 'leave-out': readonly { readonly at: string; readonly 'starts-with': string }[];
  readonly columns: { readonly [name: string]: string };
  readonly 'final-line-end': 'required' | 'optional';
};

/** What the block `source` of an XML mapping says. `columns`: of all values; the mapping has those that it uses. */
export type XmlSource = {
  readonly format: 'xml';
  readonly encoding: string;
  readonly namespaces: { readonly [prefix: string]: string };
  /** Absent where the rows are side by side and only their values separate documents. */
  readonly document?: string;
  readonly row: string;
  readonly columns: { readonly [name: string]: string };
};

/** The block `source` of the mapping, without the types of the columns. */
export type SampleSource = CsvSource | FixedSource | XlsxSource | XmlSource;

/** What a sample is taken for. */
export type Detected<Source extends SampleSource = SampleSource> = Pick<SampleTable, 'trailers' | 'siblings'> & {
  readonly source: Source;
  /** In any order, each with the name that the source gives it. */
  readonly columns: readonly ColumnHead[];
  /** Rows of the header records of a file of record types. */
  readonly headers?: readonly number[];
  /** What the document of a row is known by. */
  readonly documentOf?: (row: number) => unknown;
  /** The sample with these rows only, in its own form: as text, or the bytes of a workbook. */
  readonly cut: (rows: readonly number[]) => string | Promise<Uint8Array>;
};
