/** The judge of figures: a report, `status`, `list`, the metrics and the console say what happened, and the same of it. */
import { isDeepStrictEqual } from 'node:util';
import { centsIn, complete, identityOf, readExport, totalOf } from './exports.ts';
import { ENDED_BY_SIGNAL, type History, type Ran } from './history.ts';
import { type Complaint, jsonFiles } from './model.ts';
import type { Causes, Documents, Listed, Receipt, Report, Status, Views } from './shapes.ts';

/** The report of one run that ended by itself. `before`: the runs before it; of those that were stopped it may finish the exports. */
export function judgeReport(
  run: Ran,
  before: readonly Ran[],
  { service, recovered, attached }: Pick<History, 'service' | 'recovered' | 'attached'>,
): readonly Complaint[] {
  const isRecovered = recovered > 0 && recovered < run.to;
  const complaints: Complaint[] = [];
  const say = (says: string) => void complaints.push({ about: 'figures', says });
  const report = run.report as Report | undefined;
  if (!report || run.ended.code === undefined) return [];
  const { documents } = report.balance;
  const parts = documents.sent + documents.waiting + documents.setAside + documents.skipped + documents.difference;
  if (parts !== documents.read) say(`a report reads ${documents.read} documents and accounts for ${parts}`);
  const seen = new Set(before.flatMap(({ taken }) => complete(taken).map(identityOf)));
  const exports = complete(run.taken);
  const fresh = exports.filter((one) => !seen.has(identityOf(one)) && seen.add(identityOf(one)));
  // Bytes that were read before are not read again, unless other attachments have come since.
  const isReadAgain = attached.length > 0 && fresh.length < exports.length;
  const texts = fresh.map(readExport);
  const isWhole = texts.every((one) => one !== undefined);
  const isSimple = !isRecovered && !isReadAgain && isWhole && before.every(({ ended }) => ended.code !== undefined);
  const stated = texts.flatMap((one) => one ?? []);
  // A number that a second export states again is one document with the first, if that one waits to be corrected.
  const least = new Set(stated.map(({ number }) => number)).size;
  const isRead = documents.read >= least && documents.read <= stated.length;
  if (isSimple && stated.length > 0 && !isRead && documents.read !== 0)
    say(`a report reads ${documents.read} documents, and the exports state ${stated.length}`);
  const readCents = report.balance.currencies.reduce((all, { read }) => all + centsIn(read), 0);
  const statedCents = stated.reduce((all, { total }) => all + total, 0);
  if (isSimple && documents.read === stated.length && readCents !== statedCents)
    say(`a report reads ${readCents} cents, and the exports state ${statedCents}`);
  const during = service.arrivals.filter(({ at }) => at > run.from && at <= run.to);
  // A run after one that was stopped, or after a watch that was asked to end, reports for both.
  if (![undefined, ENDED_BY_SIGNAL].includes(before.at(-1)?.ended.code) || before.length === 0) {
    const sent = documents.sent + (report.settled?.documents.sent ?? 0);
    const reported = authorizedDuring(run, before, service);
    if (!isRecovered && sent !== reported.size)
      say(`a report counts ${sent} sent, the service authorized ${reported.size}`);
    const sums = [...report.balance.currencies, ...(report.settled?.currencies ?? [])];
    const cents = sums.reduce((all, one) => all + centsIn(one.sent), 0);
    const received = [...reported].reduce((all, number) => all + totalOf(number, centsOfLast(number, run, service)), 0);
    if (!isRecovered && sent === reported.size && cents !== received)
      say(`a report sends ${cents} cents, the service authorized ${received}`);
  }
  if (/no document/i.test(report.verdict.sentence.en) && (stated.length > 0 || during.length > 0))
    say(`"${report.verdict.sentence.en}", after ${stated.length} documents were read and ${during.length} sent`);
  return complaints;
}

/** Numbers that an answer of the service authorized for the first time during a run. An answer to a run that was stopped may be known to no one. */
function authorizedDuring(
  { from, to }: Ran,
  earlier: readonly Ran[],
  { arrivals, questions }: History['service'],
): ReadonlySet<string> {
  const stopped = earlier.filter(({ ended }) => ended.code === undefined);
  const isLost = (at: number) => stopped.some((one) => at > one.from && at <= one.to);
  const answers = [
    ...arrivals.flatMap(({ number, said, at }) => (said === 2 ? [{ number, at }] : [])),
    ...questions.flatMap(({ number, answer }) => (answer?.code === 2 ? [{ number, at: answer.at }] : [])),
  ];
  const before = new Set(answers.flatMap(({ number, at }) => (at <= from && !isLost(at) ? [number] : [])));
  return new Set(answers.flatMap(({ number, at }) => (at > from && at <= to && !before.has(number) ? [number] : [])));
}

/** What the service last took in of it until the end of the run. */
function centsOfLast(number: string, { to }: Ran, { arrivals }: History['service']): number {
  return centsIn(arrivals.findLast((one) => one.number === number && one.at <= to && one.fate !== undefined)?.amount);
}

/** `status`, `errors`, `list`, receipts, metrics, console: the same question has the same answer everywhere. */
export function judgeViews({ root, service, decisions, purged }: History, views: Views): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const say = (says: string) => void complaints.push({ about: 'figures', says });
  const status = JSON.parse(views.status) as Status;
  for (const { says } of status.answers?.delays ?? []) complaints.push({ about: 'answers', says });
  const errors = (JSON.parse(views.errors) as Documents).documents;
  const list = (JSON.parse(views.list) as Documents).documents;
  const statesOf = (all: readonly { readonly state: string }[]) => counted(all.map(({ state }) => [state, 1]));
  const isDuplicate = ({ state }: { readonly state: string }) => state === 'duplicate';
  const inStatus = counted(Object.entries(status.documents));
  if (statesOf(list) !== inStatus) say(`status counts ${inStatus}, list ${statesOf(list)}`);
  // A duplicate is in the summary of its export alone.
  const receipts = jsonFiles<Receipt>(root, '.receipt.json').filter((one) => !isDuplicate(one));
  const filed = statesOf(list.filter((one) => !isDuplicate(one)));
  if (purged === 0 && statesOf(receipts) !== filed) say(`receipts are ${statesOf(receipts)}, list ${filed}`);
  for (const { state } of errors)
    if (!(state in status.documents)) say(`errors lists a document ${state}, status none`);
  // Without those that a person has closed, which the metrics count apart.
  const open = counted(
    Object.entries(status.documents).map(([state, count]) => [state, count - (status.closed[state] ?? 0)]),
  );
  const measured = [...views.metrics.matchAll(/^nightpost_documents\{[^}]*state="([\w-]+)"[^}]*\} (\d+)/gm)];
  const inMetrics = counted(measured.map(([, state = '', count]) => [state, Number(count)]));
  if (measured.length > 0 && inMetrics !== open) say(`metrics count ${inMetrics}, status ${open}`);
  const said = new Set(decisions.filter(({ act }) => act === 'resolve').map(({ number }) => number));
  for (const { number, state, amount } of list) {
    if (state !== 'authorized' || said.has(number) || purged > 0) continue;
    const arrival = service.arrivals.findLast((one) => one.number === number && one.fate !== undefined);
    if (centsIn(amount) !== totalOf(number, centsIn(arrival?.amount)))
      say(`${number} is listed with ${amount}, and the service received ${arrival?.amount} before tax`);
  }
  for (const says of views.console ? consoleDiffers(views.console, { status, errors, list }) : []) say(says);
  return complaints;
}

function consoleDiffers(
  { status, list, causes, home, work }: NonNullable<Views['console']>,
  typed: { readonly status: Status; readonly errors: readonly Listed[]; readonly list: readonly Listed[] },
): readonly string[] {
  const { groups } = JSON.parse(causes) as Causes;
  const isWaiting = new Set(typed.errors.map(({ id }) => id));
  const waiting = typed.list.filter(({ id }) => isWaiting.has(id));
  const pairs: { readonly [what: string]: readonly [shown: unknown, typed: unknown] } = {
    status: [JSON.parse(status), typed.status],
    documents: [(JSON.parse(list) as Documents).documents, typed.list],
    'documents by cause': [groups.reduce((all, { count }) => all + count, 0), isWaiting.size],
    'cents that wait': [
      groups.reduce((all, { amounts }) => all + centsIn(amounts.EUR) + centsIn(amounts.USD), 0),
      waiting.reduce((all, { amount }) => all + centsIn(amount), 0),
    ],
    'documents on the home page': [Number(/class="badge" title="(\d+)/.exec(home)?.[1] ?? 0), isWaiting.size],
    'documents to do': [Number(/(\d+) documents? waits? for a/.exec(work)?.[1] ?? 0), isWaiting.size],
  };
  return Object.entries(pairs)
    .filter(([, [shown, own]]) => !isDeepStrictEqual(shown, own))
    .map(
      ([what, [shown, own]]) =>
        `${what} in the console: ${JSON.stringify(shown)}, in the terminal ${JSON.stringify(own)}`,
    );
}

function counted(states: readonly (readonly [state: string, count: number])[]): string {
  const sums = new Map<string, number>();
  for (const [state, count] of states) if (count !== 0) sums.set(state, (sums.get(state) ?? 0) + count);
  return JSON.stringify([...sums].sort());
}
