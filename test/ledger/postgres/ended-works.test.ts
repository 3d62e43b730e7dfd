/** A work of several rows that fails in one of them stores nothing of the others. */
import { expect, test } from 'vitest';
import { createSqlLedger } from '../../../src/ledger/sql-ledger.ts';
import { openDriver, temporarySchema } from '../../database/postgres/schema.ts';
import { all } from '../acts.ts';
import { ADMITTED, newFile, valid } from '../make.ts';

test('documents of a file count together, or none of them where the facts of one are damaged', async () => {
  const driver = await openDriver(await temporarySchema());
  await using ledger = await createSqlLedger({ driver, guard: { send: true }, now: () => new Date() });
  const setFacts = (facts: string) =>
    driver.write(async (sql) => await sql.run('UPDATE revision SET facts = ? WHERE first_row = 2', facts));
  const file = await ledger.intake.openFile(newFile());
  await ledger.intake.stage(
    file.id,
    Array.from({ length: 40 }, (_, n) => valid({ number: `F-${n}`, row: n + 2 })),
  );
  await setFacts('{');
  await expect(ledger.intake.admit(file.id, ADMITTED)).rejects.toThrow('JSON');
  await setFacts('{"identifier":"F-0"}');
  expect(await ledger.queries.counts()).toEqual({});
  expect(await all(ledger.queries.find({}))).toEqual([]);
  const events = 'SELECT COUNT(*) AS n FROM event WHERE entry IS NOT NULL';
  expect(await driver.read(async (sql) => await sql.all(events))).toEqual([{ n: 0 }]);
});
