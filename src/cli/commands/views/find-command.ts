/**
 * `find TEXT`: the documents that a number, a part of one, a name, an amount, an id or a file name finds; one is printed
 * in short, several as a list, the best first. Reads only; exit code 0 also if there is none.
 */
import type { Command } from 'commander';
import { SEARCH } from '../../../i18n/messages/cli-views-messages.ts';
import { lookIntoLedgerOf } from '../../../runs/open-run.ts';
import { escapeControls } from '../../../text/printable.ts';
import { findDocuments } from '../../../views/queries/find-documents.ts';
import { documentInShort, foundTable } from '../../output/document-list.ts';
import { printFiles } from '../../output/file-list.ts';
import { type CommandModule, readWholeNumber } from '../../session/command-module.ts';
import { openSessionForStatus } from '../../session/command-session.ts';
import { openIndexFor } from '../../session/open-index.ts';

const LIMIT = 20;

export const findCommand: CommandModule = {
  run: find,
  values: { limit: { read: readWholeNumber(1), default: LIMIT } },
};

async function find(words: readonly string[], { limit }: { readonly limit: number }, command: Command): Promise<void> {
  const session = openSessionForStatus(command);
  const { options, terminal, say, language } = session;
  const screen = { language, width: terminal.width };
  const text = words.join(' ');
  await using ledger = await lookIntoLedgerOf(session.instance);
  using index = await openIndexFor(session);
  const found = await findDocuments({ index, ledger }, text, limit);
  if (options.json) return terminal.data(JSON.stringify({ text, ...found }, null, 2));
  const [first, ...others] = found.documents;
  if (found.files.length > 0) printFiles(session, found.files);
  if (!first) {
    if (found.files.length === 0) terminal.out(`  ${say(SEARCH.nothing({ text: escapeControls(text) }))}`);
    return;
  }
  const isOnly = first.state !== 'duplicate' && others.every(({ state }) => state === 'duplicate');
  if (isOnly && !found.more) {
    terminal.out(documentInShort(first, say, language));
    if (others.length > 0) terminal.out(`\n  ${say(SEARCH.alsoFound())}\n${foundTable(others, screen)}`);
    return;
  }
  terminal.out(`  ${say(SEARCH.several({ count: found.documents.length }))}`);
  terminal.out(foundTable(found.documents, screen));
  if (found.more) terminal.out(`  ${say(SEARCH.more({ limit: String(limit * 10) }))}`);
}
