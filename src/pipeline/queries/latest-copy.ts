/** The time of the newest copy among the names of a folder with backups; other names do not count. */

/** `nightpost backup` names its copies by their time in UTC. */
const COPY = /^ledger-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sqlite$/;

/** Undefined without a copy. */
export function latestCopy(names: readonly string[]): Date | undefined {
  const [latest] = names
    .filter((name) => COPY.test(name))
    .sort()
    .reverse();
  return latest === undefined ? undefined : new Date(latest.replace(COPY, '$1-$2-$3T$4:$5:$6Z'));
}
