/** The search index for a command: its first filling takes a while in a large ledger, so it is followed on the screen. */
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { SEARCH } from '../../i18n/messages/cli-views-messages.ts';
import type { SiteOwner } from '../../instance/ledger-site-of.ts';
import { openSearchIndexOf } from '../../views/queries/find-documents.ts';
import type { CommandOutput } from './command-session.ts';
import { withLiveLine } from './live-work.ts';

type Opened = CommandOutput & { readonly instance: SiteOwner };

export async function openIndexFor(output: Opened) {
  const { instance, terminal, say } = output;
  const index = await withLiveLine(output, LIVE.indexing(), async (step) => await openSearchIndexOf(instance, step));
  if (index.inMemory) terminal.talk(`  ${say(SEARCH.inMemory())}`);
  return index;
}
