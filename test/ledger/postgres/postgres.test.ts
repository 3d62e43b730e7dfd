import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSqlLedger } from '../../../src/ledger/sql-ledger.ts';
import { ledgerContract } from '../../contracts/ledger.ts';
import { openDriver, temporarySchema } from '../../database/postgres/schema.ts';
import { admit, all, INTENT } from '../acts.ts';
import { faulty, valid } from '../make.ts';

ledgerContract('PostgreSQL', {
  open: async (options) => {
    const place = await temporarySchema();
    const open = async () =>
      await createSqlLedger({ driver: await openDriver(place), guard: { send: true }, ...options });
    const ledger = await open();
    const reopen = async () => {
      await ledger[Symbol.asyncDispose]();
      return await open();
    };
    return { ledger, reopen };
  },
});

test('an invalid document whose number is a text of many kilobytes is kept, and found by it', async () => {
  const driver = await openDriver(await temporarySchema());
  const ledger = await createSqlLedger({ driver, guard: { send: true }, now: () => new Date() });
  const identifier = randomBytes(8000).toString('hex');
  await admit(ledger, [faulty({ identifier })]);
  expect(await all(ledger.queries.find({ ids: [identifier] }))).toMatchObject([{ facts: { identifier } }]);
});

test('a document whose content was changed in the ledger is not begun: nothing of it is recorded', async () => {
  const driver = await openDriver(await temporarySchema());
  const ledger = await createSqlLedger({ driver, guard: { send: true }, now: () => new Date() });
  await admit(ledger, [valid({ identifier: 'F1' })]);
  const due = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1);
  await driver.write(async (sql) => await sql.run(`UPDATE revision SET content = content || ' '`));
  await expect(ledger.submissions.begin(due[0]!, INTENT)).rejects.toMatchObject({ code: 'ledger/damaged' });
  expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1)).toEqual(due);
});
