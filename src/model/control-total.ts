/**
 * Control totals: values in a trailer or preamble of a file about the file as a whole, and their places.
 *
 * The reader finds the values, the mapping counts and adds, the pipeline compares the two.
 */

import type { DataFault } from './fault.ts';

/** What a control value is to be compared with. */
export type Control = {
  readonly 'count-of'?: 'documents' | 'rows' | undefined;
  /** Name of a number column of the source, or of a calculated one. */
  readonly 'sum-of'?: string | undefined;
  readonly 'once-per'?: 'document' | 'row' | undefined;
  /** The value has no decimal mark: its last digits are decimals. */
  readonly 'implied-decimals'?: number | undefined;
};

/** The value of one control, as it is in the file. */
export type FoundControl = {
  /** Index in `source.controls`. */
  readonly control: number;
  readonly text: string;
  /** If it is not the file of the batch: the header file of a join. */
  readonly file?: string;
  /** See Origin.row and Origin.line. */
  readonly row: number;
  readonly line?: number;
  readonly column?: string;
  /** Why the cell cannot be read: its text counts for nothing. */
  readonly unreadable?: DataFault;
};
