/**
 * The state of an instance as data: what waits, for whom, whether it may send, and the last run. Reads only, and stays
 * fast in large ledgers and folders; `status` prints it, `status --check` judges it.
 */
import { isInboxAway } from '../../inbox/inbox-away.ts';
import { countInboxFiles } from '../../instance/inbox-files.ts';
import type { InstanceWith } from '../../instance/instance.ts';
import type { SiteOwner } from '../../instance/ledger-site-of.ts';
import type { MappingFiles } from '../../instance/mapping-files.ts';
import { profileEnds } from '../../instance/profile-expiry.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { LedgerCounts, QueryStore } from '../../ledger/contract/query-store.ts';
import type { RecordedWorker, WorkerQueries } from '../../ledger/contract/worker-store.ts';
import { SET_ASIDE_CAUSE } from '../../model/cause.ts';
import { headText } from '../../model/chain-link.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isSourceMissing, type Selector } from '../../model/ledger-entry.ts';
import { STATE_NAMES, type State, WAITING_STATES } from '../../model/state.ts';
import { differenceBetween, leadOf, type SetupDifference } from '../../pipeline/context/other-setup.ts';
import { expectedExports } from '../../pipeline/intake/expected-exports.ts';
import { leftByName, longInInbox } from '../../pipeline/intake/inbox-names.ts';
import { incompletePairs } from '../../pipeline/sources/file-pairs.ts';
import { whoIsAtWork } from './instance-health.ts';
import { readNoticeCounts } from './notice-counts.ts';
import { lastRunOf } from './recorded-runs.ts';
import { refusedFiles } from './refused-files.ts';
import { leftAnswers } from './reported-answers.ts';

/** The object of `status --json`; times are ISO 8601 in UTC. */
export type InstanceStatus = Awaited<ReturnType<typeof readStatus>>;

/** The object of --json: counts of documents by state, services, expected exports, and the end of the chain. */
export async function readStatus(instance: InstanceWith<MappingFiles>, ledger: Ledger) {
  const documents = await ledger.queries.counts();
  const closed = await closedCounts(ledger.queries);
  const services = await Promise.all(
    instance.destinations.map(async ({ name, baseUrl, consult }) => ({
      service: name,
      address: baseUrl,
      pause: (await ledger.submissions.pauseOf(name)) ?? null,
      answered: await ledger.intake.hasSeen({ of: 'answer', service: name }),
      consultation: consult ? ('configured' as const) : ('not configured' as const),
    })),
  );
  const expected = await expectedExports({ instance, ledger }, new Date());
  const files = await refusedFiles(ledger.queries);
  const { last, ahead } = await lastRunOf({ instance, ledger }, new Date());
  return {
    environment: instance.settings.environment,
    // What a ledger that never sent anything will be bound to is no part of the public shape.
    guard: ledger.guard.send ? ({ send: true } as const) : ledger.guard,
    mappingFaults: instance.unusable?.faults ?? [],
    rules: profileEnds(instance.settings, instance.mappings, new Date()),
    quarantine: (await ledger.intake.quarantine()) ?? null,
    witnessFolder: instance.settings.ledger['witness-folder'] ?? null,
    inbox: countInboxFiles(instance),
    inboxAway: isInboxAway(instance.paths.inbox),
    waiting: incompletePairs(instance),
    leftInInbox: leftByName(instance, Date.now()),
    stuck: longInInbox(instance, Date.now()),
    expected,
    documents,
    filesRefused: files.filter((file) => !isSourceMissing(file)).length,
    sourcesMissing: files.filter(isSourceMissing).length,
    setAside: closed.invalid ?? 0,
    closed,
    warnings: await warningsOf(ledger.queries),
    services,
    answers: { ...(await ledger.answers.answersWaiting()), left: await leftAnswers(instance, ledger.answers) },
    head: await chainHeadText(ledger),
    lastRun: last ?? null,
    ...definedOnly({ aheadRun: ahead && { id: ahead.id, startedAt: ahead.startedAt } }),
    notices: await readNoticeCounts({ instance, ledger }),
    ...definedOnly({ workers: await readWorkers(instance, ledger.workers) }),
  };
}

/** States in which a person may close a document. */
const CLOSABLE = STATE_NAMES.filter((state) => !['authorized', 'ready', 'sending'].includes(state));

/** Documents of any run that need an action of a person. */
export async function waitingForPeople(ledger: QueryStore): Promise<number> {
  let waiting = 0;
  for (const [state, count] of Object.entries(await ledger.counts())) {
    if (waitsForPerson(state as State)) waiting += count;
  }
  const closed = Object.entries(await closedCounts(ledger)) as [State, number][];
  return closed.reduce((left, [state, count]) => left - (waitsForPerson(state) ? count : 0), waiting);
}

/** Whether documents in this state wait for a person, unless one has closed them: the work list has the same. */
export function waitsForPerson(state: State): boolean {
  return WAITING_STATES.includes(state);
}

/** Documents that a person has set aside or acknowledged, by their state. */
async function closedCounts(ledger: QueryStore): Promise<LedgerCounts> {
  return await ledger.counts({ states: CLOSABLE, cause: SET_ASIDE_CAUSE });
}

/** The end of the chain of receipts as N:HASH; null without receipts. */
export async function chainHeadText(ledger: Pick<Ledger, 'receipts'>): Promise<string | null> {
  const head = await ledger.receipts.chainHead();
  return head ? headText(head) : null;
}

type Warnings = { readonly documents: number; readonly latest?: { readonly run: string; readonly documents: number } };

/** Documents that passed the checks with warnings: of all runs, and of the latest one. */
async function warningsOf(ledger: QueryStore): Promise<Warnings> {
  const count = async (selector: Selector) =>
    Object.values(await ledger.counts({ ...selector, warnings: true })).reduce((sum, one) => sum + one, 0);
  const run = await ledger.latestRun();
  const latest = run === undefined ? undefined : { run, documents: await count({ run }) };
  return definedOnly({ documents: await count({}), latest });
}

type WorkerStatus = {
  readonly host: string;
  readonly pid: number;
  readonly work: RecordedWorker['work'];
  readonly version: string;
  /** ISO 8601, UTC, on the clock of its machine. */
  readonly startedAt: string;
  /** `silent`: it did not renew its lease in time; `gone`: it ended, or others have taken its work over. */
  readonly state: 'works' | 'silent' | 'gone';
  readonly roles: readonly string[];
  /** Files under way. */
  readonly files: number;
  /** It has other settings, mappings or another version than the one at work that was started last. */
  readonly differs: boolean;
  /** It takes no files, because of what differs from the one that writes receipts; null if it takes them. */
  readonly waits: SetupDifference | null;
};

/** The programs that share a ledger on PostgreSQL, or the one that is alone with it; undefined for a ledger on SQLite. */
async function readWorkers(instance: SiteOwner, ledger: WorkerQueries): Promise<readonly WorkerStatus[] | undefined> {
  const workers = await ledger.list();
  const alone = await aloneAtWork(instance, workers);
  if (alone) return [...workersOf(workers), alone];
  return workers.length === 0 ? undefined : workersOf(workers);
}

/** A run, a decision or maintenance has no lease: it holds the ledger until it ends. Its version is not known. */
async function aloneAtWork(instance: SiteOwner, workers: readonly RecordedWorker[]): Promise<WorkerStatus | undefined> {
  if (!instance.settings.ledger.postgres || workers.some(({ goneMs }) => goneMs === undefined)) return undefined;
  const holder = await whoIsAtWork(instance);
  if (!holder || holder.work === 'watch') return undefined;
  const { host, pid, work, since: startedAt } = holder;
  return { host, pid, work, version: '', startedAt, state: 'works', roles: [], files: 0, differs: false, waits: null };
}

function workersOf(workers: readonly RecordedWorker[]): readonly WorkerStatus[] {
  const latest = workers.findLast(({ goneMs }) => goneMs === undefined);
  const lead = leadOf(workers);
  return workers.map((one) => {
    const { host, pid, work, version, startedAt, roles, files } = one;
    const state = stateOfWorker(one);
    const differs = state !== 'gone' && latest !== undefined && !isSame(one, latest);
    const waits = (state !== 'gone' && lead && differenceBetween(one, lead)) || null;
    return { host, pid, work, version, startedAt, state, roles, files, differs, waits };
  });
}

function stateOfWorker({ goneMs, leftMs }: RecordedWorker): WorkerStatus['state'] {
  if (goneMs !== undefined) return 'gone';
  return leftMs > 0 ? 'works' : 'silent';
}

function isSame(a: RecordedWorker, b: RecordedWorker): boolean {
  return a.version === b.version && a.settingsSha256 === b.settingsSha256;
}
