/** A text of the output that is the name of a column: its "$" was forgotten. */
import { OUTPUT_FIELDS } from '../../i18n/messages/mapping-messages.ts';
import type { Loading } from '../expressions/expression-types.ts';
import { columnSyntax } from '../runtime/column-name.ts';

/** As only columns are named: NomClient, Vencimiento, CODE_TVA. */
export function looksLikeColumn(text: string): boolean {
  return /\p{Lu}\p{Ll}|_/u.test(text);
}

/** `declared`: columns that the mapping names without using them, in accepts or by their positions or paths. */
export function warnOfUnquotedColumns({ columns, findings, texts }: Loading, declared: readonly string[]): void {
  const known = new Set([...columns.names(), ...declared]);
  for (const { path, field, text } of texts) {
    if (!known.has(text)) continue;
    findings.add(path, {
      code: 'map/column-as-text',
      level: 'warning',
      message: OUTPUT_FIELDS.columnAsText({ field, text }),
      hint: OUTPUT_FIELDS.writeColumn({ column: columnSyntax(text) }),
    });
  }
}
