/** A mapping after it was compiled: what reads a source, and what composes its documents. */
import type { YamlPath } from '../yaml/yaml-document.ts';
import type { CompiledDocument } from './compose/compose-document.ts';
import type { CompiledControl } from './compose/control-total-definitions.ts';
import type { IdenticalRows } from './compose/duplicate-rows.ts';
import type { Columns, ValueExpression } from './expressions/expression-types.ts';
import type { ColumnSlot } from './runtime/composition.ts';
import type { Diagnostics } from './runtime/diagnostics.ts';
import type { Join } from './source/file-join.ts';

export type CompiledMapping = {
  readonly recipe: CompiledDocument;
  readonly columns: Columns;
  /** The format's part of `source`, parsed. */
  readonly options: unknown;
  readonly join: Join | undefined;
  readonly one: 'key' | 'file' | 'row';
  readonly rows: 'adjacent' | 'anywhere';
  readonly identical: IdenticalRows;
  readonly key: readonly ColumnSlot[];
  readonly controls: readonly CompiledControl[];
  readonly keep: { readonly form: ValueExpression; readonly says: string; readonly path: YamlPath } | undefined;
  readonly findings: Diagnostics;
};
