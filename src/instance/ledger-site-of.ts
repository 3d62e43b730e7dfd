/** Where the ledger of an instance is, by its settings, for those who only look at it and for the queue of requests. */
import type { LedgerSite } from '../ledger/contract/ledger-site.ts';
import type { Instance } from './instance.ts';

/** The part of an instance that says where its ledger is. */
export type SiteOwner = Pick<Instance, 'folder'>;

export function ledgerSiteOf({ folder }: SiteOwner): LedgerSite {
  return { folder };
}
