/** Shows what a command changes in a file that people write, as a small diff: place, lines before, lines after. */
import { escapeControls } from '../../text/printable.ts';
import { dim, green, red } from '../session/terminal.ts';

/** A replaced text; `line` counts from 1. */
type Changed = { readonly line: number; readonly before: string; readonly after: string };

/** The changes of one file in their order; the text is colored on a terminal. */
export function showChanges(file: string, changes: readonly Changed[]): string {
  return changes
    .flatMap(({ line, before, after }) => [
      dim(`${file}:${line}`),
      ...linesOf(before).map((text) => red(`- ${text}`)),
      ...linesOf(after).map((text) => green(`+ ${text}`)),
    ])
    .join('\n');
}

/** Tabs appear as arrows, because some changes replace tabs. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => escapeControls(line.replace(/\r$/, '').replaceAll('\t', '→')));
}
