/**
 * Counts what all connections of this process to PostgreSQL ask. A statement begins a new round trip if an answer to one of the
 * round trip before was needed for it: those that are sent together are one.
 */
import pg from 'pg';

type Query = (...values: unknown[]) => unknown;

/** From now on; `read` gives the counts so far. */
export function countStatements(): () => { readonly statements: number; readonly roundTrips: number } {
  let [statements, roundTrips] = [0, 0];
  /** How many round trips of a connection are over. */
  const over = new WeakMap<object, number>();
  const begun = new WeakMap<object, number>();
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function counted(this: object, ...values) {
    const trip = (over.get(this) ?? 0) + 1;
    statements++;
    if (trip > (begun.get(this) ?? 0)) roundTrips++;
    begun.set(this, trip);
    const answer = query.apply(this, values);
    const arrived = () => void over.set(this, Math.max(trip, over.get(this) ?? 0));
    void Promise.resolve(answer).then(arrived, arrived);
    return answer;
  };
  return () => ({ statements, roundTrips });
}
