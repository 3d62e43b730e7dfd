/**
 * Types that the values of a mapping share: a compiled value, the columns, and the state of one compilation. Types
 * only.
 */
import type { YamlPath } from '../../yaml/yaml-document.ts';
import type { Readable } from '../formula/compile-formula.ts';
import type { ColumnSlot } from '../runtime/composition.ts';
import type { Diagnostics } from '../runtime/diagnostics.ts';
import type { Facts, Kind, ReadValue, Value } from '../runtime/value.ts';
import type { ColumnType } from '../source/source-columns.ts';
import type { Lookup } from '../tables/tables.ts';

/**
 * A value compiled: `read` gives the value of the current scope, '' where it is empty, FAILED after a reported fault.
 */
export type ValueExpression = {
  readonly kind: Kind;
  readonly read: ReadValue;
  /** The column that it shows unchanged. */
  readonly direct?: ColumnSlot;
  /** A literal: the same for every document. */
  readonly constant?: Value;
  /** Columns that it mentions. */
  readonly columns: readonly string[];
  readonly lookup?: Lookup;
  /** The part that goes over the rows of the document or group, as written. */
  readonly overRows?: string | undefined;
};

/** The values that @path can name at a place of the output. `output` gives undefined for an unknown path. */
export type OutputScope = {
  readonly output: (path: string) => Readable | undefined;
  readonly names: readonly string[];
};

/** The state that the parts of a mapping share while it is compiled. */
export type Loading = {
  readonly findings: Diagnostics;
  readonly tables: ReadonlyMap<string, Lookup>;
  readonly usedTables: Set<string>;
  readonly columns: Columns;
  /** Patterns of the names that files next to the export may have (`accepts.companions`). */
  readonly companions: readonly string[];
  /** Facts that the documents are made of, in addition to their rows. */
  readonly asks: Set<keyof Facts>;
  /** Texts of the output that look like a column's name: judged once all columns are known. */
  readonly texts: { readonly path: YamlPath; readonly field: string; readonly text: string }[];
};

/** The columns that a mapping uses; slots are added while it is compiled, and fixed afterwards. */
export type Columns = {
  readonly slots: readonly ColumnSlot[];
  /** The slot of a name, made at its first use; `path` is where the mapping mentions it. */
  readonly slot: (name: string, path: YamlPath, summed?: boolean) => ColumnSlot;
  /** The column with the items of this list; undefined for an unknown list, with a finding. */
  readonly list: (name: string, path: YamlPath) => ColumnSlot | undefined;
  /** Compiles the part inside `each: item of list`, where `$list.field` is allowed. */
  readonly inside: <T>(list: string | undefined, compile: () => T) => T;
  /** Every name known so far, for suggestions. */
  readonly names: () => readonly string[];
  /** True where a cell of the column can have this text: the code of a table is never found otherwise. */
  readonly canHold: (slot: ColumnSlot, text: string) => boolean;
  /** The declared kind of a column of the file, whether it is used or not. */
  readonly kindOf: (name: string) => Kind;
  /** How the text of a cell is read, by the declared type of its column; undefined where the text is the value. */
  readonly convertOf: (name: string) => ColumnType['convert'];
  /** The place where a column of the file is mentioned first. */
  readonly firstUse: ReadonlyMap<string, YamlPath>;
};
