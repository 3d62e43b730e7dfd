/** Input: the place of a server, and what to ask it over a connection that is closed after it. Throws the OperatorErrors of a server. */
import { toPostgresError } from './postgres-errors.ts';
import type { PostgresPlace } from './postgres-place.ts';
import { connectPostgres, type PostgresSession, type SessionOptions } from './postgres-session.ts';

export async function askPostgres<T>(
  place: PostgresPlace,
  ask: (session: PostgresSession) => Promise<T>,
  options?: SessionOptions,
): Promise<T> {
  let session: PostgresSession | undefined;
  try {
    session = await connectPostgres(place, options);
    return await ask(session);
  } catch (error) {
    throw toPostgresError(error, place);
  } finally {
    await session?.end();
  }
}
