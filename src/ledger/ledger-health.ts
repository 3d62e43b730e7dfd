/**
 * Checks a ledger without opening it for work: whether a run uses it, whether every page is sound, when it was last written.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Message, verbatimText } from '../i18n/message.ts';
import { LEDGER_FILE } from '../i18n/messages/ledger-messages.ts';
import { definedItems } from '../model/defined-only.ts';
import { findIdentityDamage } from './database/identity-index.ts';
import { openDatabase } from './database/open-database.ts';
import { isLocked } from './installation/instance-lock.ts';

/** The state of a ledger for `doctor`, found without opening it for work. */
export type LedgerHealth = {
  /** Another program holds the lock of the instance. */
  readonly busy: boolean;
  /** What `integrity_check` and `foreign_key_check` found; undefined if they were not run. */
  readonly problems?: readonly Message[];
  /** ISO time of the latest thing recorded. */
  readonly lastAt?: string;
};

/** Whether another process holds the lock of the instance in this folder. */
export function isInstanceLocked(instance: string): boolean {
  const lock = join(instance, 'state', 'lock.sqlite');
  return existsSync(lock) && isLocked(lock);
}

/** `deep` reads every page and every index; SetupError if there is no ledger. */
export function inspectLedger(instance: string, options: { readonly deep: boolean }): LedgerHealth {
  const busy = isInstanceLocked(instance);
  const db = openDatabase(join(instance, 'state', 'ledger.sqlite'), { readOnly: true });
  try {
    const lastAt = readLastAt(db);
    if (!options.deep) return { busy, ...lastAt };
    const found = db.prepare('PRAGMA integrity_check(10)').all().flatMap(Object.values).map(String);
    const loose = db.prepare('PRAGMA foreign_key_check').all();
    const identities = findIdentityDamage(db);
    const problems = definedItems([
      identities,
      ...found.filter((text) => text !== 'ok').map(verbatimText),
      loose.length > 0 ? LEDGER_FILE.looseRows({ count: loose.length }) : undefined,
    ]);
    return { busy, problems, ...lastAt };
  } finally {
    db.close();
  }
}

/** A submission that is under way, or has ended, is recorded only in its entry. */
function readLastAt(db: DatabaseSync): Pick<LedgerHealth, 'lastAt'> {
  const times = db
    .prepare(
      'SELECT MAX(at) AS at FROM event UNION ALL SELECT MAX(at) FROM attempt UNION ALL SELECT MAX(since) FROM entry',
    )
    .all()
    .flatMap(({ at }) => (at === null ? [] : [new Date(at as string | number).toISOString()]));
  const last = times.toSorted().at(-1);
  return last === undefined ? {} : { lastAt: last };
}
