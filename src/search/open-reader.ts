/** Opens a ledger for those who only look at it, next to the programs that write it. Errors as by `openLedger`. */
import { statSync } from 'node:fs';
import type { LedgerSite } from '../ledger/contract/ledger-site.ts';
import { stateFolder } from '../ledger/installation/state-folder.ts';
import type { LedgerReader } from './ledger-source.ts';
import { openSqliteReader } from './sqlite-source.ts';

export async function openLedgerReader({ folder, postgres }: LedgerSite): Promise<LedgerReader> {
  // The client of PostgreSQL is loaded where the settings name a server.
  if (postgres) return (await import('./postgres-source.ts')).openPostgresReader(await postgres());
  return openSqliteReader(stateFolder(folder).ledger);
}

/** Of some 10,000 documents: its index is made in about a second. */
export async function isSmallLedger(site: LedgerSite): Promise<boolean> {
  if (site.postgres) {
    const { postgresBytes } = await import('./postgres-source.ts');
    return (await postgresBytes(await site.postgres())) < SMALL_BYTES;
  }
  return (statSync(stateFolder(site.folder).ledger, { throwIfNoEntry: false })?.size ?? 0) < SMALL_BYTES;
}

const SMALL_BYTES = 64 * 1024 ** 2;
