/** Leases, roles and what is left of workers that are gone, on PostgreSQL. */
import { workersContract } from '../../contracts/ledger-workers.ts';
import { openDriver, temporarySchema } from '../../database/postgres/schema.ts';

workersContract('PostgreSQL', async () => {
  const place = await temporarySchema();
  return () => openDriver(place);
});
