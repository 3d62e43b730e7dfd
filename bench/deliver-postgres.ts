/** Documents to a service with the ledger on PostgreSQL, as deliver.ts does with SQLite; and what that asks of the server. */
import { answering, deliverAll } from './deliver.ts';
import { onPostgres } from './postgres-server.ts';
import type { Measurement } from './result.ts';
import { countStatements } from './statement-count.ts';

export const deliverOnPostgres =
  (latencyMs: number): Measurement =>
  ({ size, out }) =>
    onPostgres((postgres, serverSeconds) => {
      const asked = countStatements();
      const counts = () => ({ ...asked(), server: serverSeconds() });
      return deliverAll({ ...answering(latencyMs), ledger: { postgres } }, size, out, counts);
    });
