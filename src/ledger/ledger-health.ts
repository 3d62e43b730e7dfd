/**
 * Checks a ledger without opening it for work: whether a run uses it, whether everything stored is sound, when it was last
 * written.
 */

import type { Statements } from '../database/database-driver.ts';
import type { ServerDurability } from '../database/postgres/durability.ts';
import type { Message } from '../i18n/message.ts';
import { chooseEngine } from './choose-engine.ts';
import type { LedgerSite } from './contract/ledger-site.ts';

/** The state of a ledger for `doctor`, found without opening it for work. */
export type LedgerHealth = {
  /** Another program holds the lock of the instance. */
  readonly busy: boolean;
  /** What the checks of the engine found; undefined if they were not run. */
  readonly problems?: readonly Message[];
  /** ISO time of the latest thing recorded. */
  readonly lastAt?: string;
};

/** Whether another process works with the ledger of this instance. Not for a process that does so itself. */
export async function isLedgerBusy(place: LedgerSite): Promise<boolean> {
  return await (await chooseEngine(place)).isBusy();
}

/** `deep` reads every page and every index; OperatorError if there is no ledger. */
export async function inspectLedger(place: LedgerSite, options: { readonly deep: boolean }): Promise<LedgerHealth> {
  const engine = await chooseEngine(place);
  const busy = await engine.isBusy();
  const look = await engine.look();
  try {
    const lastAt = await look.read(readLastAt);
    return { busy, ...(options.deep && { problems: await engine.findProblems() }), ...(lastAt && { lastAt }) };
  } finally {
    await look.close();
  }
}

/** Removes from the disk what rows had before, for the holder of the lock. Errors of the disk are OperatorError `ledger/*`. */
export async function eraseFreed(place: LedgerSite): Promise<void> {
  await (await chooseEngine(place)).eraseFreed();
}

/** A submission that is under way, or has ended, is recorded only in its entry. */
async function readLastAt(sql: Statements): Promise<string | undefined> {
  const times: string[] = [];
  for (const latest of ['MAX(at) AS at FROM event', 'MAX(at) AS at FROM attempt', 'MAX(since) AS at FROM entry']) {
    const [row] = await sql.all(`SELECT ${latest}`);
    if (row?.at) times.push(new Date(row.at).toISOString());
  }
  return times.toSorted().at(-1);
}

/** Undefined where the ledger is in the folder. The driver of the server is loaded only here. */
export async function readServerDurability({ postgres }: LedgerSite): Promise<ServerDurability | undefined> {
  if (!postgres) return undefined;
  const { readDurability } = await import('../database/postgres/durability.ts');
  return await readDurability(await postgres());
}
