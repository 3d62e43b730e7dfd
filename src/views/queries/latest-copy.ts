/** The time of the newest copy among the names of a folder with backups; other names do not count. */

/** `nightpost backup` names its copies by their time in UTC. */
const COPY = /^ledger-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sqlite$/;

/** Undefined without a copy. One of a time after `now` was made under a clock that was ahead: its age is not known. */
export function latestCopy(names: readonly string[], now = new Date()): Date | undefined {
  const times = names.flatMap((name) => (COPY.test(name) ? Date.parse(name.replace(COPY, '$1-$2-$3T$4:$5:$6Z')) : []));
  const latest = times
    .filter((ms) => ms <= now.getTime())
    .toSorted((a, b) => a - b)
    .at(-1);
  return latest === undefined ? undefined : new Date(latest);
}
