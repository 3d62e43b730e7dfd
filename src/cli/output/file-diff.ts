/** What a command changes in a file that people write, as a small diff: place, line before, line after. */
import { escapeControls } from '../../text/printable.ts';
import { dim, green, red } from '../session/terminal.ts';

type Changed = { readonly line: number; readonly before: string; readonly after: string };

export function showChanges(file: string, changes: readonly Changed[]): string {
  return changes
    .flatMap(({ line, before, after }) => [
      dim(`${file}:${line}`),
      ...linesOf(before).map((text) => red(`- ${text}`)),
      ...linesOf(after).map((text) => green(`+ ${text}`)),
    ])
    .join('\n');
}

/** Tabs are what some of the changes are about, so they are shown as arrows. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => escapeControls(line.replace(/\r$/, '').replaceAll('\t', '→')));
}
