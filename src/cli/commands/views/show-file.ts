/**
 * `show FILE`: what the ledger has about the files with a name or an id, the latest first, also about refused ones, of which
 * there is no document. Undefined if no file is called so.
 */
import { relative } from 'node:path';
import { FILE_OUTCOME, FILE_VIEW, SHOW_LABEL } from '../../../i18n/messages/cli-views-messages.ts';
import type { QueryStore } from '../../../ledger/contract/query-store.ts';
import type { SourceFile } from '../../../model/ledger-entry.ts';
import { dayText } from '../../../text/local-time.ts';
import { greatestOf } from '../../../text/long-lists.ts';
import { escapeControls } from '../../../text/printable.ts';
import { typedWord } from '../../../text/shell-word.ts';
import { type FileSummary, summarizeFiles } from '../../../views/queries/file-summary.ts';
import { spokenIn } from '../../../views/wording/spoken-faults.ts';
import { wrapped } from '../../layout/layout.ts';
import { refusalLines } from '../../output/cause-lines.ts';
import { fileNeedText } from '../../output/file-list.ts';
import type { Session } from '../../session/command-session.ts';
import { bold } from '../../session/terminal.ts';

/** A file with its faults and its summary, for --json; `text` for people. */
export type ShownFile = { readonly data: object; readonly text: string };

export async function showFiles(session: Session, ledger: QueryStore, name: string): Promise<readonly ShownFile[]> {
  const files = (await ledger.filesCalled(name)).map((file) => spokenIn(file, session.language));
  const summaries = await summarizeFiles(ledger, files);
  return files.map((file, at) => {
    const summary = summaries[at];
    if (!summary) throw new Error('a file without a summary');
    const { sha256, path, owner, encoding, faults, purged } = file;
    return {
      data: { ...summary, sha256, path, owner, encoding, faults, purged },
      text: fileText(session, file, summary),
    };
  });
}

function fileText(
  { say, time, language, terminal, instance }: Session,
  file: SourceFile,
  summary: FileSummary,
): string {
  const { id, name, claimedAt, owner, size, rows, mapping, sha256, path } = file;
  const count = Object.values(summary.documents).reduce((sum, one) => sum + one, 0);
  const fields = [
    [say(SHOW_LABEL.id()), id],
    [say(FILE_VIEW.claimed()), [time(claimedAt), owner, say(FILE_VIEW.ofRun({ run: file.run }))]],
    [say(FILE_VIEW.content()), [`${size} B`, say(FILE_VIEW.rows({ count: rows })), `sha-256 ${sha256.slice(0, 16)}`]],
    [say(SHOW_LABEL.mapping()), mapping && `${mapping.id} ${mapping.version}`],
    [say(FILE_VIEW.kept()), relative(instance.folder, path)],
  ] as const;
  const width = greatestOf(fields.map(([label]) => label.length)) + 3;
  const lines = fields.flatMap(([label, value]) => {
    const text = [value].flat().filter(Boolean).join('   ');
    return text === '' ? [] : [wrapped(`  ${label.padEnd(width)}${escapeControls(text)}`, terminal.width, width + 2)];
  });
  const need = fileNeedText(summary);
  return [
    bold(`  ${escapeControls(name)}   ${say(FILE_OUTCOME[file.state]())}   ${dayText(file.day, language)}`),
    ...(need ? [`  ${say(need)}`] : []),
    '',
    ...lines,
    ...refusalLines([file], language),
    `  ${say(FILE_VIEW.documents({ count, command: `nightpost list --file ${typedWord(id)}` }))}`,
  ].join('\n');
}
