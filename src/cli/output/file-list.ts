/** Files in the lines of `find` and `list`: one that was refused has no document, so nothing else shows it. */
import { format, type Language, type Message } from '../../i18n/message.ts';
import { FILE_OUTCOME, FILE_VIEW, SEARCH_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import { dayText } from '../../text/local-time.ts';
import { escapeControls } from '../../text/printable.ts';
import { typedWord } from '../../text/shell-word.ts';
import type { FileSummary } from '../../views/queries/file-summary.ts';
import { type Column, table } from '../layout/layout.ts';
import type { CommandOutput } from '../session/command-session.ts';

/** One line each, with the first error below it. */
function fileTable(
  files: readonly FileSummary[],
  { language, width }: { readonly language: Language; readonly width: number },
): string {
  const title = (of: () => Message) => format(of(), language);
  const columns: readonly Column[] = [
    { title: title(FILE_VIEW.file), fit: 'middle' },
    { title: title(SEARCH_TABLE.state), fit: 'whole' },
    { title: title(SEARCH_TABLE.date), fit: 'whole' },
    { title: title(FILE_VIEW.documentsTitle), align: 'right', fit: 'whole' },
    { title: '', fit: 'below' },
  ];
  const rows = files.map((file) => [
    file.name,
    format(FILE_OUTCOME[file.state](), language),
    dayText(file.day, language),
    String(Object.values(file.documents).reduce((sum, one) => sum + one, 0)),
    file.need === 'nothing' ? '' : (file.fault?.message ?? ''),
  ]);
  return table(columns, rows, width);
}

/** What a person has to do with the file, or why nothing; undefined for one with documents and no errors. */
export function fileNeedText({ need, name, state, first }: FileSummary): Message | undefined {
  const shown = escapeControls(name);
  if (need === 'action') return FILE_VIEW.action({ command: `nightpost set-aside ${typedWord(shown)} --reason "..."` });
  if (need === 'set-aside') return FILE_VIEW.setAside();
  if (need === 'replaced') return FILE_VIEW.replaced();
  return state === 'duplicate' && first ? FILE_VIEW.duplicate({ first: escapeControls(first.name) }) : undefined;
}

/** The table under its heading, and the command that shows all about one of them. */
export function printFiles({ terminal, say, language }: CommandOutput, files: readonly FileSummary[]): void {
  terminal.out(`  ${say(FILE_VIEW.found({ count: files.length }))}`);
  terminal.out(fileTable(files, { language, width: terminal.width }));
  const [first] = files;
  if (!first) return;
  const command = `nightpost show ${typedWord(escapeControls(first.name))}`;
  terminal.out(`  ${say(FILE_VIEW.details({ command }))}`);
}
