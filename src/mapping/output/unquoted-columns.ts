/** A text of the output that is the name of a column: its "$" was forgotten. */
import type { Loading } from '../expressions/expression-types.ts';

/** As only columns are named: NomClient, Vencimiento, CODE_TVA. */
export function looksLikeColumn(text: string): boolean {
  return /\p{Lu}\p{Ll}|_/u.test(text);
}

/** `declared`: columns that the mapping names without using them, in accepts or by their positions or paths. */
export function warnOfColumnsAsText({ columns, findings, texts }: Loading, declared: readonly string[]): void {
  const known = new Set([...columns.names(), ...declared]);
  for (const { path, field, text } of texts) {
    if (!known.has(text)) continue;
    const written = /^[\p{L}\p{M}\p{N}_]+$/u.test(text) ? `$${text}` : `$[${text.replaceAll(']', ']]')}]`;
    findings.add(path, {
      code: 'map/column-as-text',
      level: 'warning',
      message: `"${field}" is the text "${text}", which is the name of a column`,
      hint: `write ${written} for the column`,
    });
  }
}
