/** A mapping as the generator draws it, and as both the program and the other evaluator are given it. */
import type { Expression } from './expression.ts';

export type Kind = 'number' | 'text' | 'date' | 'boolean';

/** `of`: the cells of a document column are the same on all rows of a document. */
export type Column = { readonly name: string; readonly kind: Kind; readonly of: 'document' | 'row' };

export type Form =
  | { readonly is: 'literal'; readonly value: string; readonly kind: Kind }
  | { readonly is: 'column'; readonly name: string }
  | { readonly is: 'formula'; readonly formula: Expression }
  | { readonly is: 'lookup'; readonly from: string; readonly table: string; readonly otherwise?: Form };

export type Calculated = Column & { readonly form: Form };

export type Table = { readonly name: string; readonly kind: Kind; readonly entries: ReadonlyMap<string, string> };

export type Value = { readonly is: 'value'; readonly form: Form; readonly kind: Kind };
export type Block = {
  readonly is: 'block';
  readonly entries: readonly (readonly [key: string, part: Part])[];
  readonly when?: Expression;
};
export type Each = {
  readonly is: 'each';
  readonly by: 'row' | readonly string[];
  readonly order?: 'ascending' | 'descending';
  readonly make: Block;
};
export type List = { readonly is: 'list'; readonly items: readonly (Block | Each)[] };
export type Part = Value | Block | Each | List;

export type Check = { readonly that: Expression; readonly isError: boolean };

export type Drawn = {
  readonly columns: readonly Column[];
  readonly calculated: readonly Calculated[];
  readonly tables: readonly Table[];
  readonly key: readonly string[];
  readonly rows: 'adjacent' | 'anywhere';
  readonly keep?: Expression;
  readonly class: Form;
  readonly output: Block;
  readonly checks: readonly Check[];
};

/** Cells as the export has them, by row and column of the mapping. */
export type Cells = readonly string[];

/** One document as JSON text, or the codes of its errors. */
export type Outcome = { readonly rows: readonly number[] } & (
  | { readonly class: string; readonly json: string; readonly codes?: undefined }
  | { readonly codes: readonly string[]; readonly json?: undefined }
);
