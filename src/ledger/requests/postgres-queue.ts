/**
 * The queue of requests in the table `request` of a ledger on PostgreSQL (postgres-schema.ts), for instances whose folder several
 * machines share: an addition is committed before it resolves. Errors of the server are LedgerUnavailable.
 */

import type { PostgresPlace } from '../../database/postgres/postgres-place.ts';
import { sharePostgres } from '../../database/postgres/shared-postgres.ts';
import type { RequestQueue } from '../contract/request-queue.ts';
import { requestsIn } from './queue-statements.ts';

export function openPostgresQueue(place: PostgresPlace): RequestQueue {
  // Each look asks for the next request, which costs as much as a look whether there may be one.
  return requestsIn({ ...sharePostgres(place), hasChanged: async () => true });
}
