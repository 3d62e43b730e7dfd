/**
 * The morning report as data: is it complete, does what was read agree with what was sent and what waits, what waits and why,
 * what changed. The context of a run and its stops come in, one plain object comes out that every face of the report shows.
 */

import { profileEnds } from '../../instance/profile-expiry.ts';
import type { RecordedReport, ReportWindow } from '../../ledger/contract/report-store.ts';
import type { RunKind, RunTotals } from '../../ledger/contract/run-record.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, isError, localize } from '../../model/fault.ts';
import { isSourceMissing, type SourceFile } from '../../model/ledger-entry.ts';
import { PROGRAM_VERSION } from '../../model/program.ts';
import { SignedSums } from '../../model/signed-sums.ts';
import { type State, stateInfo } from '../../model/state.ts';
import type { RunContext, ServiceHalt } from '../../pipeline/context/run-context.ts';
import { expectedExports } from '../../pipeline/intake/expected-exports.ts';
import { chainHeadText, waitingForPeople } from '../queries/instance-status.ts';
import { readNoticeCounts } from '../queries/notice-counts.ts';
import { refusedFiles } from '../queries/refused-files.ts';
import { leftAnswers } from '../queries/reported-answers.ts';
import { changesOfRun } from '../queries/run-changes.ts';
import { completenessOf } from './completeness.ts';
import { tallyNight } from './night-tally.ts';
import { nightVerdict } from './night-verdict.ts';
import { openCausesOf } from './report-causes.ts';
import { nightProof } from './report-proof.ts';
import type { FileLine, NightReport } from './report-shape.ts';

/** What a run knows that the ledger does not. */
export type NightEnd = {
  readonly kind: RunKind;
  readonly stops: readonly ServiceHalt[];
  /** Entries of the inbox that cannot be imported. */
  readonly inbox?: readonly Fault[];
  /** A signal requested the end. */
  readonly isStopped?: boolean;
  /** The exit code for what the report says; absent while a watch goes on. */
  readonly exitOf?: (report: ExitFacts) => number;
};

type ExitFacts = Pick<NightReport, 'files' | 'inbox' | 'expected' | 'stops'>;

/**
 * Files since the last report, with what the run did to documents of earlier ones; and what interrupted runs left unreported.
 * A watch has no report window: what happened since the last report, or since its begin, is in it.
 */
export async function buildNightReport(context: RunContext, end: NightEnd): Promise<NightReport> {
  const { ledger, clock, run, startedAt, instance } = context;
  const { kind, stops, inbox = [], isStopped = false, exitOf } = end;
  const { settings } = instance;
  const now = clock.now();
  const [previous] = await ledger.reports.list({ limit: 1 });
  const started = kind === 'watch' && previous ? previous.at : startedAt.toISOString();
  const unreported = kind === 'run' ? await ledger.maintenance.unreportedSince() : undefined;
  const untoldSince = unreported?.at === started ? undefined : unreported?.at;
  const since = untoldSince !== undefined && untoldSince < started ? untoldSince : started;
  const isWhole = kind === 'run' && untoldSince === undefined;
  const window: ReportWindow = {
    ...{ run, isWhole: kind === 'run', since: beforeSetBack(context, since, previous) },
    ...{ after: Math.max(previous?.link ?? 0, unreported?.link ?? 0), until: now },
  };
  const all = await ledger.queries.files({
    ...(isWhole ? { run } : { since: window.since }),
    limit: Number.MAX_SAFE_INTEGER,
  });
  const imported = all.filter((file) => isOfWindow(file, window));
  const waitingFiles = await refusedFiles(ledger.queries);
  // Files of earlier runs too, if this run found that they cannot be read or that their copy is missing.
  const unreadable = waitingFiles.filter((file) => (file.archivedAt ?? '') >= window.since && isOfWindow(file, window));
  const tally = await tallyNight(context, { ...window, imported, unreadable });
  const seconds = Math.round((now.getTime() - Date.parse(started)) / 100) / 10;
  const facts = {
    files: tally.files,
    inbox: [...localize(inbox, settings.rules.language)],
    stops: [...stops],
    expected: await completenessOf(context, await expectedExports(context, now)),
  };
  const report = {
    report: 1 as const,
    run,
    kind,
    outcome: isStopped ? ('stopped' as const) : ('completed' as const),
    exit: exitOf?.(facts),
    environment: settings.environment,
    company: settings.company,
    program: PROGRAM_VERSION,
    startedAt: startedAt.toISOString(),
    endedAt: now.toISOString(),
    since,
    untoldSince,
    seconds,
    needPeople: needPeople(facts),
    filesRefused: countRefused([...imported, ...unreadable]),
    balance: tally.balance,
    queued: (await ledger.queries.counts({ states: ['ready'] })).ready ?? 0,
    waiting: await waitingForPeople(ledger.queries),
    waitingFiles: waitingFiles.length,
    ...(await openCausesOf(context)),
    earlier: tally.earlier,
    decisions: [...(await ledger.reports.decisionsAfter(previous?.events ?? 0))],
    folders: tally.folders,
    changes: { ...(await changesOfRun(ledger.runs, run)), pauses: await pausesOf(context) },
    proof: await nightProof(context, definedOnly({ tally, seconds, now: now.toISOString(), lastAt: previous?.at })),
    ...definedOnly({ settled: tally.settled, rules: endingRules(context, now), answers: await answersOf(context) }),
    notices: await noticesOf(context),
    head: await chainHeadText(ledger),
    previous: previous ? { id: previous.id, sha256: previous.sha256, link: previous.link } : null,
    ...facts,
  };
  const needing = tally.files.reduce((sum, line) => sum + documentsNeeding(line), 0);
  const ofNight = new Set([...imported, ...unreadable].map((file) => file.id));
  const earlierFiles = waitingFiles.filter((file) => !ofNight.has(file.id)).length;
  const { pauses } = report.changes;
  const verdict = nightVerdict({
    ...{ ...report, needing, stuck: stuckFiles(facts), earlierFiles },
    ...{ pauses, guard: ledger.guard },
  });
  return definedOnly({ ...report, verdict });
}

/**
 * The time from which the ledger may have what belongs to this report, where the clock was set back meanwhile: in this run, or
 * behind the report before. What that one had is left out by the chain.
 */
function beforeSetBack(
  { clock, startedAt, startedMonotonic }: RunContext,
  since: string,
  previous: RecordedReport | undefined,
): string {
  const now = clock.now().getTime();
  const setBack = clock.monotonic() - startedMonotonic - (now - startedAt.getTime());
  const shown = Date.parse(since) - (setBack > CLOCK_STEP_MS ? setBack : 0);
  const isBehind = previous !== undefined && previous.at === since && Date.parse(previous.at) > now;
  return new Date(isBehind ? 0 : Math.max(0, shown)).toISOString();
}

/** Less is the adjustment of a clock that is right, and the work between two looks at it. */
const CLOCK_STEP_MS = 1000;

/** No earlier report has had it: its summary is later, or is due. A file of this run is of it in any case. */
function isOfWindow({ run, claimedAt, summary }: SourceFile, window: ReportWindow): boolean {
  if (window.isWhole && run === window.run) return true;
  return summary?.link === undefined ? Date.parse(claimedAt) <= window.until.getTime() : summary.link > window.after;
}

function endingRules({ instance }: RunContext, now: Date): NightReport['rules'] | undefined {
  const ends = profileEnds(instance.settings, instance.mappings, now);
  return ends.length === 0 ? undefined : [...localize(ends, instance.settings.rules.language)];
}

async function pausesOf({ ledger, instance }: RunContext): Promise<NightReport['changes']['pauses']> {
  const pauses: NightReport['changes']['pauses'][number][] = [];
  for (const { name: service } of instance.destinations) {
    const pause = await ledger.submissions.pauseOf(service);
    if (pause) pauses.push({ service, cause: pause.cause, at: pause.at, says: pause.says });
  }
  return pauses;
}

async function answersOf({ ledger, instance }: RunContext): Promise<NightReport['answers'] | undefined> {
  const left = [...(await leftAnswers(instance, ledger.answers))];
  if (left.length === 0 && instance.mappings.every(({ answers }) => answers.length === 0)) return undefined;
  const { documents, files, delays, fields } = await ledger.answers.answersWaiting();
  const waiting = { documents, files, delays: delays.map(({ at: _, ...delay }) => delay), fields: [...fields] };
  return left.length === 0 ? waiting : { ...waiting, left };
}

async function noticesOf({ ledger, instance }: RunContext): Promise<NightReport['notices'] | undefined> {
  if (instance.settings.notify.length === 0) return undefined;
  return await readNoticeCounts({ instance, ledger });
}

/** What the record of the run keeps of its report. */
export function totalsOf(report: NightReport): RunTotals {
  const { files, filesRefused, queued, waiting, proof } = report;
  const documents: { [state in State]?: number } = {};
  const authorized = new SignedSums();
  for (const { counts, sent } of files) {
    for (const [state, count] of Object.entries(counts) as [State, number][]) {
      documents[state] = (documents[state] ?? 0) + count;
    }
    authorized.addAll(sent);
  }
  return {
    files: proof.files,
    filesRefused,
    exportsMissing: missingExports(report),
    documents,
    authorized: authorized.amounts(),
    queued,
    waiting,
  };
}

/** Different contents of refused files. */
function countRefused(files: readonly SourceFile[]): number {
  return new Set(files.flatMap(({ state, sha256 }) => (state === 'refused' ? [sha256] : []))).size;
}

/** The same for a whole watch: it may be months of documents, so amounts are not added up. */
export async function totalsOfWatch({ ledger, run, clock, instance }: RunContext): Promise<RunTotals> {
  const files = await ledger.queries.files({ run, whole: true, limit: Number.MAX_SAFE_INTEGER });
  const expected = await expectedExports({ ledger, instance }, clock.now());
  return {
    files: files.length,
    filesRefused: countRefused(files),
    exportsMissing: missingExports({ expected }),
    documents: await ledger.queries.counts({ run }),
    authorized: {},
    queued: (await ledger.queries.counts({ states: ['ready'] })).ready ?? 0,
    waiting: await waitingForPeople(ledger.queries),
  };
}

/** Documents of the line whose state waits for one of these actors. */
const needed = (line: FileLine, actors: readonly string[]) =>
  Object.entries(line.counts)
    .filter(([state]) => actors.includes(stateInfo(state as State).actor))
    .reduce((sum, [, count]) => sum + count, 0);

/** A refusal of the system is not a fault of the file: a later run imports it once the cause is gone. */
const SYSTEM_REFUSES: ReadonlySet<string> = new Set([
  'inbox/read-only',
  'inbox/disk-full',
  'inbox/too-many-open-files',
  'inbox/cannot-take',
]);

/** Exports that stay in the inbox because the system refused. */
export function filesNotTaken({ inbox }: Pick<NightReport, 'inbox'>): number {
  return inbox.filter(({ code }) => SYSTEM_REFUSES.has(code)).length;
}

/** Files that stay in the inbox, for whichever cause. */
export function stuckFiles({ inbox }: Pick<NightReport, 'inbox'>) {
  return { files: inbox.filter(isError).length, bySystem: filesNotTaken({ inbox }) };
}

/** Documents that wait for a person, files without documents, and what cannot be imported at all. */
export function needPeople({ files, inbox }: Pick<NightReport, 'files' | 'inbox'>): number {
  const refused = inbox.filter(isError).length - filesNotTaken({ inbox });
  return files.reduce((sum, line) => sum + waitingIn(line), refused);
}

function documentsNeeding(line: FileLine): number {
  return needed(line, ['finance', 'support', 'admin']) + (line.counts.invalidated ?? 0);
}

function waitingIn(line: FileLine): number {
  return documentsNeeding(line) + Number(line.state === 'refused' || line.faults.some(isError));
}

/** Also if a correction was refused, or a copy is missing. */
export function isLineForPerson(line: FileLine): boolean {
  return waitingIn(line) > 0 || (line.corrections?.refused ?? 0) > 0 || isSourceMissing(line);
}

/** Expected exports that are missing: they make the exit code 7. */
export function missingExports({ expected }: { readonly expected: readonly { readonly state: string }[] }): number {
  return expected.filter(({ state }) => state === 'missing').length;
}
