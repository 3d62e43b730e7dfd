/** Input: the place of a server. Output: the settings of the server that decide whether a confirmed commit can be lost. */
import { askPostgres } from './ask-postgres.ts';
import { NOW_MS } from './postgres-driver.ts';
import type { PostgresPlace } from './postgres-place.ts';

export type ServerDurability = {
  /** Replicas that are connected now. */
  readonly replicas: number;
  /** A commit waits for at least one of them. */
  readonly synchronous: boolean;
  /** Settings with a value under which a confirmed commit can be lost: `fsync = off`. */
  readonly weak: readonly string[];
  /** Milliseconds since 1970 on its clock. */
  readonly now: number;
};

/** Everyone sees how many replicas there are; their names and states take rights that the user of a ledger needs not have. */
const FACTS = `SELECT (SELECT COUNT(*) FROM pg_stat_replication) AS replicas,
  current_setting('synchronous_standby_names') <> '' AS synchronous, ${NOW_MS} AS now`;
const WEAK = `SELECT name, setting FROM pg_settings WHERE (name IN ('fsync', 'full_page_writes') AND setting = 'off')
  OR (name = 'synchronous_commit' AND setting IN ('off', 'local', 'remote_write')) ORDER BY name`;

/** Throws the OperatorErrors of a server that does not answer. */
export async function readDurability(place: PostgresPlace): Promise<ServerDurability> {
  return await askPostgres(place, async ({ ask }) => {
    const [facts = {}] = (await ask(FACTS)).rows;
    const weak = (await ask(WEAK)).rows.map(({ name, setting }) => `${name} = ${setting}`);
    return { replicas: facts.replicas as number, synchronous: facts.synchronous === 1, weak, now: Number(facts.now) };
  });
}
