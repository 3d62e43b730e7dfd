/**
 * How fields of documents are shown everywhere: value, cells, line of the mapping, changes. Texts from exports are
 * shortened; `changeText` escapes controls, the others leave that to the table.
 */

import { format, type Language } from '../../i18n/message.ts';
import { PREVIEW } from '../../i18n/messages/cli-previews-messages.ts';
import type { Origin } from '../../model/origin.ts';
import { escapeControls } from '../../text/printable.ts';
import type { TracedChange } from '../../views/preview/diff-ledger.ts';
import type { Field } from '../../views/preview/preview-files.ts';
import { green, red } from '../session/terminal.ts';

/** Characters of a value that is shown. */
const SHOWN_VALUE = 48;
const SHOWN_CELLS = 4;

/** At most 48 characters of a text, the last of them an ellipsis if the text is longer. */
export function cut(text: string): string {
  if (text.length <= SHOWN_VALUE) return text;
  return `${text.slice(0, SHOWN_VALUE - 1)}…`;
}

/** The cells of a field as `row:column`, or `line:path` for XML; four at most, then the count of the others. */
export function cellsIn(from: readonly Origin[], language: Language): string {
  // A value around all rows of an XML document is a cell of each of them.
  const names = [...new Set(from.map(({ row, line, column }) => `${line ?? row}:${shortened(column ?? '')}`))];
  const cells = names.slice(0, SHOWN_CELLS).join(' ');
  const count = names.length - SHOWN_CELLS;
  if (count <= 0) return cells;
  return format(PREVIEW.andMore({ cells, count }), language);
}

/** A path of an XML file by its last two steps: the others are the same for all of its columns. */
function shortened(column: string): string {
  if (!column.startsWith('/')) return column;
  const steps = column.slice(1).split(/\/(?![^[]*\])/);
  return steps.length > 2 ? `…/${steps.slice(-2).join('/')}` : column;
}

/** `mappings/sage.yaml:63`, and as long as the file stays the same only `:64`. */
export function rulesIn(fields: readonly Pick<Field, 'rule'>[]): readonly string[] {
  let file: string | undefined;
  return fields.map(({ rule }) => {
    if (!rule) return '';
    const shown = rule.file === file ? `:${rule.line}` : `${rule.file}:${rule.line}`;
    file = rule.file;
    return shown;
  });
}

/** `/totals/final-amount  222.59 -> 222.60   from 2:Qte   mappings/sage.yaml:63`. */
export function changeText({ at, before, after, from, rule }: TracedChange, language: Language): string {
  const shown = (text?: string) =>
    text === undefined ? format(PREVIEW.nothing(), language) : escapeControls(cut(text));
  const place = [cellsIn(from, language), rule && `${rule.file}:${rule.line}`].filter(Boolean);
  return [`    ${escapeControls(at)}  ${red(shown(before))} -> ${green(shown(after))}`, ...place].join('   ');
}
