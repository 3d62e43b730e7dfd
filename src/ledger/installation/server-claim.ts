/**
 * `state/server.json`: the server that the latest program to start works with, and the start that it counted there. A replica that was
 * promoted while its former primary lives has the same documents queued, and neither server knows of the other one. So a program
 * claims the folder for its server before it compares the witnesses, and reads the claim after it has witnessed a commit and before
 * it sends: of two programs at least one then sees the other.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../../files/fsync-directory.ts';
import { writeDurable } from '../../files/write-durable.ts';
import { LEDGER_UNAVAILABLE } from '../../i18n/messages/ledger-messages.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';

const CLAIM = z.object({
  installation: z.string(),
  /** The count of commits of this start, and its name: two servers may count alike. */
  generation: z.int(),
  start: z.string(),
  /** The start of the server itself, which no two servers share. */
  server: z.string(),
});

export type ServerClaim = z.infer<typeof CLAIM>;

/** The key in `meta` of the name of the last start. */
export const START_KEY = 'start';

type Folder = { readonly folder: string };

const pathOf = ({ folder }: Folder) => join(folder, 'server.json');

/** Undefined if it is missing, unreadable, or of another installation. */
export function readServerClaim(state: Folder, installation: string): ServerClaim | undefined {
  try {
    const claim = CLAIM.parse(JSON.parse(readFileSync(pathOf(state), 'utf8')));
    return claim.installation === installation ? claim : undefined;
  } catch {
    return undefined;
  }
}

/** Durable when it resolves. `expectOurs` throws LedgerUnavailable once another server is claimed. */
export async function claimServer(state: Folder, claim: ServerClaim): Promise<{ readonly expectOurs: () => void }> {
  const path = pathOf(state);
  await writeDurable(path, `${JSON.stringify(claim)}\n`);
  await syncFolder(dirname(path));
  return {
    expectOurs: () => {
      // On a share, a file that is replaced while it is read fails once.
      const found = readServerClaim(state, claim.installation) ?? readServerClaim(state, claim.installation);
      if (found?.server === claim.server) return;
      const words = { says: LEDGER_UNAVAILABLE.otherServer(), hint: LEDGER_UNAVAILABLE.otherServerHint() };
      throw new LedgerUnavailable('ledger/write-failed', undefined, words);
    },
  };
}
