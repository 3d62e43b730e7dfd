/**
 * Reads the values of all metrics: a look at the instance and its ledger comes in, samples by metric come out. Reads only,
 * and stays fast in large ledgers. Errors of the ledger are thrown.
 */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { countInboxFiles } from '../../instance/inbox-files.ts';
import type { Instance } from '../../instance/instance.ts';
import { ledgerSiteOf } from '../../instance/ledger-site-of.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { RunRecord } from '../../ledger/contract/run-record.ts';
import { stateFolder } from '../../ledger/installation/state-folder.ts';
import { isLedgerBusy, readServerDurability } from '../../ledger/ledger-health.ts';
import { findRequestQueue } from '../../ledger/requests/open-request-queue.ts';
import { isSourceMissing } from '../../model/ledger-entry.ts';
import { PROGRAM_VERSION } from '../../model/program.ts';
import { type Expected, expectedExports } from '../../pipeline/intake/expected-exports.ts';
import type { Distribution, LedgerSums, StateTally } from '../../search/ledger-sums.ts';
import { tallyLedger } from '../../search/ledger-tally.ts';
import { matchesName } from '../../text/glob.ts';
import { freeBytes } from '../queries/instance-health.ts';
import { latestCopy } from '../queries/latest-copy.ts';
import { readNoticeCounts } from '../queries/notice-counts.ts';
import { refusedFiles } from '../queries/refused-files.ts';
import type { CarriedSums } from './carried-sums.ts';
import type { MetricName } from './metric-list.ts';
import { type RowTally, tallyRows } from './row-tally.ts';

/** One series: its labels, and a number or, of a histogram, a distribution. */
export type Sample = {
  readonly labels: { readonly [label: string]: string };
  readonly value: number | Distribution;
};

export type Samples = ReadonlyMap<MetricName, readonly Sample[]>;

export type MetricsPlace = {
  readonly instance: Instance;
  readonly ledger: Ledger;
  /** Of this process while it holds the lock; else what the last holder has kept. */
  readonly carried: CarriedSums;
  /** This process holds the lock: a run is at work until its record has an end. */
  readonly isHolder: boolean;
  readonly now: Date;
};

/** Runs among which the last success is looked for, and files among which the latest of an expected export is. */
const [MOST_RUNS, MOST_FILES] = [50, 1000];
/** Expected exports with series of their own, the missing ones first: settings may name any number. */
export const MOST_EXPECTED = 100;
/** The run did what it could: documents may wait for a person, or an export may be missing. */
const SUCCESS: ReadonlySet<number | undefined> = new Set([0, 3, 7]);

/** The samples, and the sums of the ledger and the rows to go on from at the next count. */
export async function readMetrics(
  place: MetricsPlace,
): Promise<{ readonly samples: Samples; readonly sums: LedgerSums; readonly rows: RowTally }> {
  const startedMs = performance.now();
  const found = new Map<MetricName, Sample[]>();
  const add: AddSample = (name, value, labels = {}) => {
    if (value !== undefined) found.set(name, [...(found.get(name) ?? []), { labels, value }]);
  };
  const { sums, states } = await tallyLedger(ledgerSiteOf(place.instance), place.carried.ledger);
  addDocuments(add, states, place.now);
  addSums(add, sums, place.carried);
  const rows = await addFiles(add, place);
  await addRuns(add, place);
  await addExports(add, place);
  await addGates(add, place);
  await addAnswers(add, place);
  await addNotices(add, place);
  await addMachine(add, place);
  add('build_info', 1, { version: PROGRAM_VERSION });
  add('scrape_duration_seconds', (performance.now() - startedMs) / 1000);
  return { samples: found, sums, rows };
}

/** A value that is undefined has no series. */
type AddSample = (name: MetricName, value: Sample['value'] | undefined, labels?: Sample['labels']) => void;

function addDocuments(add: AddSample, states: readonly StateTally[], now: Date): void {
  const closed = new Map<string, number>();
  for (const { service, state, count, since, ...one } of states) {
    if (one.closed) closed.set(service, (closed.get(service) ?? 0) + count);
    else {
      add('documents', count, { service, state });
      add('documents_oldest_seconds', since && secondsSince(since, now), { service, state });
    }
  }
  for (const [service, count] of closed) add('documents_closed', count, { service });
}

function addSums(add: AddSample, { outcomes, seconds }: LedgerSums, { tokens, commits }: CarriedSums): void {
  for (const { service, act, outcome, count } of outcomes)
    add(act === 'submit' ? 'submissions_total' : 'consultations_total', count, { service, outcome });
  for (const [service, times] of Object.entries(seconds)) add('submit_seconds', times, { service });
  for (const [service, count] of Object.entries(tokens)) add('token_renewals_total', count, { service });
  add('commit_seconds', commits);
}

async function addFiles(add: AddSample, place: MetricsPlace): Promise<RowTally> {
  const { instance, ledger } = place;
  const files = await refusedFiles(ledger.queries);
  const missing = files.filter(isSourceMissing).length;
  add('files_refused', files.length - missing);
  add('sources_missing', missing);
  add('inbox_files', countInboxFiles(instance));
  const rows = await tallyRows(place, place.carried.rows);
  add(
    'rows_unaccounted',
    Object.values(rows.open).reduce((sum, one) => sum + one, 0),
  );
  return rows;
}

async function addRuns(add: AddSample, { instance, ledger, isHolder, now }: MetricsPlace): Promise<void> {
  const runs = await ledger.runs.list(MOST_RUNS);
  const [last] = runs;
  const isAtWork =
    last !== undefined && last.outcome === undefined && (isHolder || (await isLedgerBusy(ledgerSiteOf(instance))));
  for (const kind of ['run', 'watch']) add('run_at_work', isAtWork && last.kind === kind ? 1 : 0, { kind });
  const success = runs.find(({ outcome, exit }) => outcome === 'completed' && SUCCESS.has(exit));
  add('last_success_timestamp_seconds', epochSeconds(success?.endedAt));
  if (last) addLastRun(add, last, isAtWork ? now : undefined);
}

/** `now`: it works until now. */
function addLastRun(add: AddSample, { startedAt, endedAt, exit, outcome }: RunRecord, now: Date | undefined): void {
  const start = epochSeconds(startedAt) ?? 0;
  const end = epochSeconds(endedAt);
  add('last_run_start_timestamp_seconds', start);
  add('last_run_end_timestamp_seconds', end);
  add('last_run_exit_code', exit);
  add('last_run_died', !now && (outcome ?? 'died') === 'died' ? 1 : 0);
  const until = end ?? (now && now.getTime() / 1000);
  add('last_run_duration_seconds', until && Math.max(0, until - start));
}

async function addExports(add: AddSample, { instance, ledger, now }: MetricsPlace): Promise<void> {
  const expected = await expectedExports({ instance, ledger }, now);
  if (expected.length === 0) return;
  const files = await ledger.queries.files({ whole: true, limit: MOST_FILES });
  const isMissing = ({ state }: Expected) => ['missing', 'refused', 'duplicate'].includes(state);
  const shown = [...expected.filter(isMissing), ...expected.filter((one) => !isMissing(one))].slice(0, MOST_EXPECTED);
  // Of two with one name, the first: the missing one.
  for (const one of new Map(shown.toReversed().map((each) => [each.name, each])).values()) {
    const { name, files: pattern } = one;
    const labels = { expect: name };
    add('expected_export_missing', isMissing(one) ? 1 : 0, labels);
    const latest = files.find((file) => file.state !== 'refused' && matchesName(pattern, file.name));
    add('export_age_seconds', latest && secondsSince(Date.parse(latest.claimedAt), now), labels);
  }
}

/** What keeps documents from being sent. */
async function addGates(add: AddSample, { instance, ledger }: MetricsPlace): Promise<void> {
  for (const { name } of instance.destinations)
    add('service_paused', (await ledger.submissions.pauseOf(name)) ? 1 : 0, { service: name });
  add('send_allowed', ledger.guard.send ? 1 : 0);
  add('quarantine', (await ledger.intake.quarantine()) ? 1 : 0);
  add('mapping_faults', instance.unusable?.faults.length ?? 0);
}

async function addAnswers(add: AddSample, { ledger, now }: MetricsPlace): Promise<void> {
  const { documents, files, since, delays } = await ledger.answers.answersWaiting();
  add('answers_waiting', documents);
  add('answer_files_waiting', files);
  add('answer_file_oldest_seconds', since === undefined ? undefined : secondsSince(Date.parse(since), now));
  add('answer_folders_delayed', delays.length);
  add('answer_field_problems_total', await ledger.answers.answerFieldProblems());
}

async function addNotices(add: AddSample, place: MetricsPlace): Promise<void> {
  const { waiting, failed, off } = await readNoticeCounts(place);
  add('notifications_waiting', waiting);
  add('notifications_failed', failed);
  add('notification_channels_off', off.length);
}

async function addMachine(add: AddSample, { instance, now }: MetricsPlace): Promise<void> {
  if (!instance.settings.ledger.postgres) {
    const { ledger } = stateFolder(instance.folder);
    add('ledger_bytes', statSync(ledger).size);
    add('ledger_wal_bytes', statSync(`${ledger}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  }
  const durability = await readServerDurability(ledgerSiteOf(instance));
  add('ledger_replicas', durability?.replicas);
  add('ledger_synchronous', durability && (durability.synchronous ? 1 : 0));
  await addRequests(add, instance, now);
  add('backup_age_seconds', backupAge(instance.folder, now));
  add('disk_free_bytes', freeBytes(instance.paths.state));
}

/** Undefined without copies, and where the folder cannot be read. */
function backupAge(folder: string, now: Date): number | undefined {
  try {
    const latest = latestCopy(readdirSync(join(folder, 'backups')), now);
    return latest && secondsSince(latest.getTime(), now);
  } catch {
    return undefined;
  }
}

/** Acts that wait for a run, and those that wait for another person. */
async function addRequests(add: AddSample, instance: Instance, now: Date): Promise<void> {
  await using queue = await findRequestQueue(ledgerSiteOf(instance), 'asks');
  if (!queue) {
    for (const name of ['requests_waiting', 'approvals_waiting'] as const) add(name, 0);
    return;
  }
  const at = now.toISOString();
  add('requests_waiting', await queue.waiting());
  add('approvals_waiting', (await queue.waitingForPeople(at)).length);
  const oldest = await queue.next(Number.MAX_SAFE_INTEGER, at);
  add('request_oldest_seconds', oldest && secondsSince(Date.parse(oldest.at), now));
}

function secondsSince(ms: number, now: Date): number {
  return Math.max(0, (now.getTime() - ms) / 1000);
}

function epochSeconds(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at) / 1000;
}
