/** Where the ledger of an instance is, for those who only look at it and for the queue of requests. */
import type { PostgresPlace } from '../../database/postgres/postgres-place.ts';

export type LedgerSite = {
  /** The instance folder, absolute. */
  readonly folder: string;
  /** The server that keeps the ledger, with its password; absent for a ledger in the folder. */
  readonly postgres?: () => Promise<PostgresPlace>;
};
