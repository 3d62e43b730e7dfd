/** The judge of notices: each arrives once, at every receiver that takes it, and has the sums of its run. */
import { centsIn, isExport, readExport, states, totalOf } from './exports.ts';
import type { History, Ran } from './history.ts';
import { type Complaint, statedAmounts } from './model.ts';
import type { Report } from './shapes.ts';

/** Notices arrive once, at every receiver that takes them, with the sums of the report of their run. */
export function judgeNotices(history: History): readonly Complaint[] {
  const { notices, runs, stops, jumps, recovered, always } = history;
  const complaints: Complaint[] = [];
  const say = (about: Complaint['about'], says: string) => void complaints.push({ about, says });
  const stated = statedAmounts(history);
  for (const run of runs as readonly (Ran & { readonly report?: Report })[]) {
    const { report, up, ended } = run;
    if (!report) continue;
    const own = notices.filter(({ run }) => run === report.run);
    for (const channel of ended.code === undefined || recovered > 0 ? [] : up)
      if (!own.some((one) => one.channel === channel) && (always.has(channel) || hasNews(run, history)))
        say('program', `no ${channel} for run ${report.run}`);
    for (const { channel, verdict, lines, ...notice } of own) {
      const where = `the ${channel} of run ${report.run}`;
      if (notice.report && JSON.stringify(notice.report) !== JSON.stringify(report))
        say('figures', `${where} has another report than the run`);
      const [, needed] = /(\d+) documents? needs? you/.exec(verdict) ?? [];
      if (verdict !== report.verdict.sentence.en && Number(needed ?? report.waiting) !== report.waiting)
        say('figures', `${where} says "${verdict}", the report has ${report.waiting} that wait`);
      for (const says of waitingSums(lines, stated)) say('figures', `${where}: ${says}`);
    }
  }
  // Under a clock that is set a receiver takes too long, and is asked again.
  const cuts = [...stops, ...jumps];
  for (const [id, tries] of Map.groupBy(notices, (one) => one.id))
    for (const [nth, { at }] of tries.entries())
      if (nth > 0 && recovered === 0 && !cuts.some((cut) => cut > (tries[nth - 1]?.at ?? 0) && cut < at))
        say('program', `notice ${id} arrived again`);
  return complaints;
}

/** It took a document in that no other export states, and that a person has to correct. */
function hasNews({ taken }: Ran, { dropped }: History): boolean {
  const wrong = taken
    .filter(isExport)
    .flatMap((one) => readExport(one) ?? [])
    .filter(({ cents }) => cents === undefined);
  return wrong.some(({ number }) => dropped.filter((one) => states(one, number)).length === 1);
}

/** "2 documents of fr are in doubt", "Numbers: F1, F2", "Amounts: 1 293.86 EUR": lines whose numbers and amount are not theirs. */
function waitingSums(lines: readonly string[], stated: ReadonlyMap<string, Set<number>>): readonly string[] {
  return lines.flatMap((line, n) => {
    const count = Number(/^(?:- )?(\d+) documents? /.exec(line)?.[1]);
    const numbers = /^ *Numbers: (.*)$/.exec(lines[n + 1] ?? '')?.[1]?.split(', ') ?? [];
    if (!count || numbers.length === 0) return [];
    const amounts = numbers.map((number) => [...(stated.get(number) ?? [])]);
    const isKnown = amounts.every((all) => all.length === 1 && !all.some(Number.isNaN));
    const sum = numbers.reduce((all, number, nth) => all + totalOf(number, amounts[nth]?.[0] ?? 0), 0);
    const amount = /^ *Amounts: (.*) (?:EUR|USD)$/.exec(lines[n + 2] ?? '')?.[1]?.replaceAll(/[^\d.-]/g, '');
    if (numbers.length < 10 && count !== numbers.length) return [`"${line}" names ${numbers.join(', ')}`];
    if (!isKnown || numbers.length < count || centsIn(amount) === sum) return [];
    return [`"${line}" has ${amount}, the exports of ${numbers.join(', ')} state ${(sum / 100).toFixed(2)}`];
  });
}
