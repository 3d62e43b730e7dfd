/** A mapping after compilation: how its source is read, and how its documents are composed. Data only. */
import type { YamlPath } from '../yaml/yaml-document.ts';
import type { CompiledAnswers } from './answers/compiled-answers.ts';
import type { CompiledDocument } from './compose/compose-document.ts';
import type { CompiledControl } from './compose/control-total-definitions.ts';
import type { IdenticalRows } from './compose/duplicate-rows.ts';
import type { Columns, ValueExpression } from './expressions/expression-types.ts';
import type { ColumnSlot } from './runtime/composition.ts';
import type { Diagnostics } from './runtime/diagnostics.ts';
import type { Facts } from './runtime/value.ts';
import type { Join } from './source/file-join.ts';

/** Valid for every file of the mapping; `bindMapping` adds the header of one file. */
export type CompiledMapping = {
  readonly recipe: CompiledDocument;
  readonly columns: Columns;
  readonly asks: ReadonlySet<keyof Facts>;
  readonly sequences: readonly string[];
  /** The format's part of `source`, parsed. */
  readonly options: unknown;
  readonly join: Join | undefined;
  /** One document per key, per file or per row (`documents.one-per`). */
  readonly one: 'key' | 'file' | 'row';
  /** Rows of a document follow each other, or are anywhere in the file (`documents.rows`). */
  readonly rows: 'adjacent' | 'anywhere';
  readonly identical: IdenticalRows;
  /** Columns of the key in the order of the mapping; empty unless `one` is `key`. */
  readonly key: readonly ColumnSlot[];
  readonly controls: readonly CompiledControl[];
  readonly answers: readonly CompiledAnswers[];
  readonly keep: { readonly form: ValueExpression; readonly says: string; readonly path: YamlPath } | undefined;
  readonly findings: Diagnostics;
};
