/** Reads every page and every index of a ledger on SQLite. Output: what is wrong with it. Changes nothing. */
import { type Message, verbatimText } from '../i18n/message.ts';
import { LEDGER_FILE } from '../i18n/messages/ledger-messages.ts';
import { definedItems } from '../model/defined-only.ts';
import { findIdentityDamage } from './identity-index.ts';
import { openDatabase } from './open-database.ts';

export function findSqliteProblems(file: string): readonly Message[] {
  const db = openDatabase(file, { readOnly: true });
  try {
    const found = db.prepare('PRAGMA integrity_check(10)').all().flatMap(Object.values).map(String);
    const loose = db.prepare('PRAGMA foreign_key_check').all();
    return definedItems([
      findIdentityDamage(db),
      ...found.filter((text) => text !== 'ok').map(verbatimText),
      loose.length > 0 ? LEDGER_FILE.looseRows({ count: loose.length }) : undefined,
    ]);
  } finally {
    db.close();
  }
}
