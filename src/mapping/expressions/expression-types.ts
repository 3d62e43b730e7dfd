/** Types that the values of a mapping share: a compiled value, the columns, and what is shared while a mapping is compiled. */
import type { YamlPath } from '../../yaml/yaml-document.ts';
import type { Readable } from '../formula/compile-formula.ts';
import type { ColumnSlot } from '../runtime/composition.ts';
import type { Diagnostics } from '../runtime/diagnostics.ts';
import type { Kind, ReadValue, Value } from '../runtime/value.ts';
import type { Lookup } from '../tables/tables.ts';

export type ValueExpression = {
  readonly kind: Kind;
  readonly read: ReadValue;
  /** The column it shows as it is. */
  readonly direct?: ColumnSlot;
  /** A literal: the same for every document. */
  readonly constant?: Value;
  /** Columns it mentions. */
  readonly columns: readonly string[];
  readonly lookup?: Lookup;
};

/** What @path may name, where a form stands in the output. */
export type OutputScope = {
  readonly output: (path: string) => Readable | undefined;
  readonly names: readonly string[];
};

/** What loading a mapping shares among its parts. */
export type Loading = {
  readonly findings: Diagnostics;
  readonly tables: ReadonlyMap<string, Lookup>;
  readonly usedTables: Set<string>;
  readonly columns: Columns;
  /** Names that files beside the export may have. */
  readonly companions: readonly string[];
  /** Texts of the output that have the look of a column's name: judged once all columns are known. */
  readonly texts: { readonly path: YamlPath; readonly field: string; readonly text: string }[];
};

export type Columns = {
  readonly slots: readonly ColumnSlot[];
  /** The slot of a name, made at its first use; `path` is where the mapping mentions it. */
  readonly slot: (name: string, path: YamlPath, summed?: boolean) => ColumnSlot;
  /** The column that holds the list of this name; undefined where there is none, with a finding. */
  readonly list: (name: string, path: YamlPath) => ColumnSlot | undefined;
  /** Compiles what stands inside `each: item of list`. */
  readonly inside: <T>(list: string | undefined, compile: () => T) => T;
  /** Every name known so far, for suggestions. */
  readonly names: () => readonly string[];
  /** Can the column ever hold this text? A look-up of any other is never found. */
  readonly canHold: (slot: ColumnSlot, text: string) => boolean;
  /** What a column of the file holds, whether it is used or not. */
  readonly kindOf: (name: string) => Kind;
  /** Where a column of the file is mentioned first. */
  readonly firstUse: ReadonlyMap<string, YamlPath>;
};
