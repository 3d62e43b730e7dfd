/** `doctor --deep` on PostgreSQL: it reads every page where the server lets it, and says what it did not look at otherwise. */
import { expect, inject, onTestFinished, test } from 'vitest';
import { connectPostgres } from '../../../src/database/postgres/postgres-session.ts';
import { pagesCheck } from '../../../src/doctor/doctor-postgres.ts';
import { localizeCheck } from '../../../src/doctor/run-doctor.ts';
import { verbatimText } from '../../../src/i18n/message.ts';
import { createSqlLedger } from '../../../src/ledger/sql-ledger.ts';
import { admit } from '../../ledger/acts.ts';
import { valid } from '../../ledger/make.ts';
import { openDriver, temporarySchema } from './schema.ts';
import { placeOf } from './server.ts';

async function administrator() {
  const session = await connectPostgres(placeOf(inject('postgres'), 'public'));
  onTestFinished(() => session.end());
  return session;
}

test('sound pages, a damaged index, damaged identities, and a user who may not look', async () => {
  const place = await temporarySchema();
  const ledger = await createSqlLedger({
    driver: await openDriver(place),
    guard: { send: true },
    now: () => new Date(),
  });
  await admit(ledger, [valid(), valid({ number: 'F-2', row: 3 })]);
  const { ask } = await administrator();
  const sound = await pagesCheck(place, []);
  expect(sound).toMatchObject({
    result: 'ok',
    says: expect.stringMatching(/^\d{2} tables and \d{2} indexes are sound/),
  });
  expect((await ask(`SELECT 1 FROM pg_extension WHERE extname = 'amcheck'`)).rows).toEqual([]);
  expect(await pagesCheck(place, [verbatimText('changed')])).toMatchObject({ result: 'error', says: 'changed' });

  const turn = `UPDATE pg_index SET indoption = ?::int2vector WHERE indexrelid = '"${place.schema}".identity_pkey'::regclass`;
  await ask(turn, '3');
  const damaged = await pagesCheck(place, []);
  await ask(turn, '0');
  expect(damaged).toMatchObject({
    result: 'error',
    says: expect.stringContaining('identity_pkey: item order invariant'),
  });
  expect(await pagesCheck(place, [])).toEqual(sound);

  const user = `reader_${process.pid}`;
  await ask(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
  await ask(`GRANT USAGE, CREATE ON SCHEMA "${place.schema}" TO ${user}`);
  const unlooked = await pagesCheck({ ...place, user, password: 'secret' }, []);
  for (const end of ['OWNED BY', 'ROLE']) await ask(`DROP ${end} ${user}`);
  expect(unlooked).toMatchObject({ result: 'warning', says: expect.stringContaining('permission denied') });
  expect(unlooked.hint).toContain(`pg_amcheck --host ${place.host} --port ${place.port}`);
  expect(localizeCheck(unlooked, 'fr').says).toContain('n’ont pas été examinées');
});
