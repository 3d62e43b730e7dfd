/** The judge of exports that should arrive each day until three: which of them a report and `status` must name as missing. */
import { isExport, readExport } from './exports.ts';
import type { History, Ran } from './history.ts';
import type { Complaint } from './model.ts';
import type { Expecting, Report } from './shapes.ts';

const DAY_MS = 86_400_000;
const DUE_MS = 3 * 3_600_000;

/** The last hour before this time; in UTC, as a life is. */
function dueAt(time: number): number {
  return Math.floor((time - DUE_MS) / DAY_MS) * DAY_MS + DUE_MS;
}

const isExpected = ({ name }: { readonly name: string }) => name.startsWith('ventes');

/** `status`: what it printed at the end. */
export function judgeExpected(history: History, status: string): readonly Complaint[] {
  const last = history.runs.at(-1);
  if (!last) return [];
  const end = { says: JSON.parse(status) as Expecting, run: last, where: 'status' };
  return [
    ...history.runs.map((run) => ({ says: run.report as Report | undefined, run, where: 'a report' })),
    end,
  ].flatMap(({ says, run, where }): readonly Complaint[] => {
    const [expected] = says?.expected ?? [];
    const due = dueAt(run.hours.from);
    // Of an hour that passes while a run works, one cannot say.
    if (!expected || due !== dueAt(run.hours.to)) return [];
    const isMissing = expected.state === 'missing';
    const complain = (text: string): Complaint => ({ about: isMissing ? 'figures' : 'rows', says: `${where} ${text}` });
    if (Date.parse(expected.due) !== due) return [complain(`expects exports until ${expected.due}`)];
    const found: Complaint[] = [];
    if (!isMissing && mustBeMissing(history, run, due))
      found.push(complain(`says "${expected.state}" (${expected.file}), and no export came for ${expected.due}`));
    if (isMissing && hasCome(history, run, due)) found.push(complain(`misses an export that came for ${expected.due}`));
    if (isMissing && where !== 'status' && run.ended.code === 0)
      found.push(complain('misses an export, and the run ends with 0'));
    return found;
  });
}

/** Nothing came since the hour before. Of a ledger that was replaced one cannot say when it began. */
function mustBeMissing({ runs, halves, recovered }: History, run: Ran, due: number): boolean {
  const until = runs.slice(0, runs.indexOf(run) + 1);
  const isInUse = until.some(({ ended, hours }) => ended.code !== undefined && hours.to < due);
  // What a stopped run took is read by the next one.
  const isNone = until.every(({ taken, hours }, n) => {
    const readAt = until.slice(n).find(({ ended }) => ended.code !== undefined)?.hours.to ?? Infinity;
    return Math.max(hours.to, readAt) <= due - DAY_MS || !taken.some((one) => isExport(one) && isExpected(one));
  });
  // Of a clock that went back during a run, and of a half that a watch reads between two of its looks, one cannot say.
  const isUnsure = until.some(({ hours }) => hours.to < hours.from) || halves.some((at) => at < run.to);
  return isInUse && isNone && !isUnsure && (recovered === 0 || recovered > run.to);
}

/**
 * A whole export came in the second half of the day before the hour, or after it. In the last quarter before the next hour it is that of
 * the next one. By which clock a watch took it in, while the clock was set, one cannot say.
 */
function hasCome({ runs, recovered, jumps }: History, run: Ran, due: number): boolean {
  const until = runs.slice(0, runs.indexOf(run) + 1);
  const own = until.filter(
    ({ ended, hours, from, to }) =>
      ended.code !== undefined &&
      !jumps.some((at) => at > from && at < to) &&
      Math.min(hours.from, hours.to) > due - DAY_MS / 2 &&
      Math.max(hours.from, hours.to) <= due + (DAY_MS * 3) / 4 &&
      to > recovered,
  );
  return own.some(({ taken }) =>
    taken.some((one) => isExport(one) && isExpected(one) && readExport(one) !== undefined),
  );
}
