/** Input: the place of a server. Output: the settings of the server that decide whether a confirmed commit can be lost. */
import type { DatabaseRow } from '../database-driver.ts';
import { askPostgres } from './ask-postgres.ts';
import { NOW_MS } from './postgres-driver.ts';
import type { PostgresPlace } from './postgres-place.ts';

export type ServerDurability = {
  /** Servers that are connected now, follow this one and may become the primary. */
  readonly replicas: number;
  /** A commit waits for at least one server that is named. */
  readonly waits: boolean;
  /** A commit waits for at least one of the replicas. */
  readonly synchronous: boolean;
  /** Programs for which alone a commit may wait: they keep the log, and none of them becomes the primary. */
  readonly receivers: readonly string[];
  /** Settings with a value under which a confirmed commit can be lost: `fsync = off`. */
  readonly weak: readonly string[];
  /** Milliseconds since 1970 on its clock. */
  readonly now: number;
};

/** Only replicas report what they have replayed; the state of a follower takes rights that the user of a ledger needs not have. */
const FOLLOWERS = `SELECT application_name AS name, sync_state AS sync, state IS NOT NULL AS seen, replay_lsn IS NOT NULL AS replays
  FROM pg_stat_replication r WHERE NOT EXISTS
  (SELECT 1 FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')`;
const FACTS = `SELECT current_setting('synchronous_standby_names') AS names, ${NOW_MS} AS now`;
const WEAK = `SELECT name, setting FROM pg_settings WHERE (name IN ('fsync', 'full_page_writes') AND setting = 'off')
  OR (name = 'synchronous_commit' AND setting IN ('off', 'local', 'remote_write')) ORDER BY name`;

/** Throws the OperatorErrors of a server that does not answer. */
export async function readDurability(place: PostgresPlace): Promise<ServerDurability> {
  return await askPostgres(place, async ({ ask }) => {
    const [facts = {}] = (await ask(FACTS)).rows;
    const followers = (await ask(FOLLOWERS)).rows.map(toFollower);
    const weak = (await ask(WEAK)).rows.map(({ name, setting }) => `${name} = ${setting}`);
    return { ...judgeFollowers(followers, String(facts.names)), weak, now: Number(facts.now) };
  });
}

/** `sync`: as the server reports it; undefined where it may not be seen. */
type Follower = { readonly name: string; readonly sync: string | undefined; readonly isReplica: boolean };

/** By the names that they have if no other one is chosen: pg_receivewal, pg_basebackup, and that of Barman. */
const RECEIVERS = new Set(['pg_receivewal', 'pg_basebackup', 'barman_receive_wal']);

function toFollower({ name, sync, seen, replays }: DatabaseRow): Follower {
  const isReplica = seen === 1 ? replays === 1 : !RECEIVERS.has(name as string);
  return { name: name as string, sync: seen === 1 ? (sync as string) : undefined, isReplica };
}

/** `names`: the setting synchronous_standby_names. Pure. */
function judgeFollowers(followers: readonly Follower[], names: string) {
  const replicas = followers.filter(({ isReplica }) => isReplica);
  // Where the states are hidden, each that is named may be one of those that are waited for.
  const isWaitedFor = ({ name, sync }: Follower) =>
    sync === undefined ? names.includes('*') || names.includes(name) : sync === 'sync' || sync === 'quorum';
  const waitedFor = followers.filter(isWaitedFor);
  const receivers = waitedFor.filter(({ isReplica }) => !isReplica);
  // ANY: that many of those in parentheses, in any choice; otherwise all whose state is "sync".
  const any = /^\s*ANY\s+(\d+)/i.exec(names)?.[1];
  const others = any === undefined ? 0 : receivers.length;
  const synchronous = receivers.length < waitedFor.length && Number(any ?? 1) > others;
  return {
    replicas: replicas.length,
    waits: names !== '',
    synchronous,
    receivers: synchronous ? [] : receivers.map(({ name }) => name),
  };
}
