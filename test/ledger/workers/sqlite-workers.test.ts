/** The leases on SQLite, which has one program at a time: the statements are those of PostgreSQL. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { groupCommit } from '../../../src/database/group-commit.ts';
import { createDatabase, openDatabase } from '../../../src/database/open-database.ts';
import { workersContract } from '../../contracts/ledger-workers.ts';
import { temporaryFolder } from '../folder.ts';

workersContract('SQLite', async () => {
  const file = join(temporaryFolder(), 'ledger.sqlite');
  createDatabase(file).close();
  return async () => {
    const db = openDatabase(file, { checked: true });
    onTestFinished(() => {
      if (db.isOpen) db.close();
    });
    return groupCommit(db, { seal: () => 0, committed: () => {}, makeRoom: () => false });
  };
});
