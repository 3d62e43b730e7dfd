/** The search index for a command: its first filling takes a while in a large ledger, so it is followed on the screen. */
import { SEARCH } from '../../i18n/messages/cli-views-messages.ts';
import { openSearchIndexOf } from '../../pipeline/queries/find-documents.ts';
import type { CommandOutput } from './command-session.ts';

type Opened = CommandOutput & { readonly instance: { readonly folder: string } };

export async function openIndexFor({ instance, terminal, say }: Opened) {
  const index = await openSearchIndexOf(instance, (done, all) =>
    terminal.live(`  ${say(SEARCH.filling({ done: String(done), all: String(all) }))}`),
  );
  terminal.live('');
  if (index.inMemory) terminal.talk(`  ${say(SEARCH.inMemory())}`);
  return index;
}
