/** The judge of what the console shows of nights: a night is what its exports brought, whatever people do with it later. */
import { isExport } from './exports.ts';
import { ENDED_BY_SIGNAL, type History, type Ran } from './history.ts';
import type { Complaint } from './model.ts';
import type { Night, Report } from './shapes.ts';

/** `nights`: what the API answers for the runs that ended with a report. `home`: the first page. */
export function judgeNights(
  { runs, recovered, purged }: History,
  { nights, home }: { readonly nights: readonly string[]; readonly home: string },
): readonly Complaint[] {
  if (recovered + purged > 0) return [];
  // What a stop kept a run from reading to its end is read in another night.
  const isStopped = ({ ended }: Ran) => ended.code === undefined || ended.code === ENDED_BY_SIGNAL;
  const whole = runs.slice(0, runs.findIndex(isStopped) + 1 || undefined);
  const reports = whole.flatMap(({ report }) => (report ? [report as Report] : []));
  const shown = new Map(
    nights
      .filter(Boolean)
      .map((text) => JSON.parse(text) as Night)
      .map((one) => [one.run.id, one]),
  );
  const complaints = reports.flatMap(({ run, balance }): readonly Complaint[] => {
    const read = shown.get(run)?.documents.read;
    if (read === undefined || read === balance.documents.read) return [];
    const says = `the console reads ${read} documents in a night, its report ${balance.documents.read}`;
    return [{ about: 'figures', says }];
  });
  // By the clock on which each began, as everywhere; it may have been set back since.
  const last = runs
    .filter(({ taken }) => taken.some(isExport))
    .toSorted((one, other) => one.hours.from - other.hours.from)
    .at(-1);
  const night = (last?.report as Report | undefined)?.run;
  const [, own = ''] = /[?&;]run=([\w-]+)/.exec(home) ?? [];
  if (night !== undefined && own !== night && own !== '')
    complaints.push({
      about: 'figures',
      says: `the first page shows run ${own}, and the last exports came with ${night}`,
    });
  return complaints;
}
