/**
 * Loaded into a program that is measured from outside: counts what all its connections to PostgreSQL ask, and writes it at the end next
 * to what it has used. A statement begins a new round trip if an answer to one of the
 * round trip before was needed for it: those that are sent together are one.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';

type Query = (...values: unknown[]) => unknown;

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
process.on('exit', () => {
  const file = process.env.NIGHTPOST_BENCH_USAGE;
  if (file === undefined) return;
  writeFileSync(join(dirname(file), '.statements.json'), JSON.stringify({ statements, roundTrips }));
});
