/**
 * The order of the line, and nothing else: bring to order what a stop left, take in what arrived, send what is due, ask
 * what became of the doubtful, file everything away. A run goes through it once, a watch again and again.
 */

import { diskTrouble } from '../files/write-durable.ts';
import type { Look } from '../inbox/scan-inbox.ts';
import { watchInbox } from '../inbox/watch-inbox.ts';
import type { DueDocument } from '../ledger/contract/ledger.ts';
import { OperatorError } from '../model/fault.ts';
import {
  type Correction,
  type Evidence,
  FILE_SET_ASIDE,
  type LedgerEntry,
  type SourceFile,
} from '../model/ledger-entry.ts';
import { endingTogether } from './context/end-together.ts';
import { type Intake, openIntake } from './context/intake-signal.ts';
import type { PipelineEvent, RunContext, ServiceHalt, ServiceRuntime } from './context/run-context.ts';
import { candidatesFor, claimPages, scanForRun } from './intake/claim-inbox-files.ts';
import { expectedExports } from './intake/expected-exports.ts';
import { mappingsNow } from './intake/mapping-changes.ts';
import { ingestClaimed } from './intake/take-file.ts';
import { ingestSmallFiles } from './intake/take-small-files.ts';
import { localDay } from './open-run.ts';
import {
  completeFiles,
  type ReceiptWriter,
  startReceiptWriter,
  writeDueReceipts,
} from './publishing/publish-results.ts';
import { recover } from './recover-run.ts';
import { takeDecisions } from './reprocessing/folder-decisions.ts';
import { type ReprocessDecision, type ReprocessResult, reprocess } from './reprocessing/reprocess-documents.ts';
import { copyToInbox } from './reprocessing/requeue-file.ts';
import { excludeIncompletePairs } from './sources/file-pairs.ts';
import { type Consulted, consultDue, consultNext } from './submission/consult-due.ts';
import { holdQueuedOfMapping } from './submission/hold-queued-documents.ts';
import { sendDue } from './submission/send-due.ts';

export type RunOptions = {
  /** Paths of files to take at once, whatever their age; absent: everything the inbox holds. */
  readonly files?: readonly string[];
  /** Convert and admit, but send nothing. */
  readonly takeInOnly?: boolean;
  /** A report follows, and then `closeReportWindow`: until then the ledger keeps since when there is no report. */
  readonly reported?: boolean;
};

/** One night: ends when everything that can be done now is done. */
export async function run(work: RunContext, options: RunOptions = {}): Promise<readonly ServiceHalt[]> {
  if (options.reported) await allowed(work).ledger.openReportWindow(work.startedAt.toISOString());
  await recover(allowed(work));
  const { ready = 0 } = await work.ledger.counts({ states: ['ready'] });
  if (ready > 0) work.tell({ what: 'queued', documents: ready });
  // Before a receipt is written or a document sent: a person has moved receipts as they were then.
  await takeDecisions(work);
  const { own, failed, throwFailure } = endingTogether(work);
  const receipts = startReceiptWriter(work, failed);
  const intake = openIntake();
  return await filedAway(work, receipts, async () => {
    const hearing = waking(own, receipts.wake, intake.admitted);
    const takenIn = takeInAll(hearing, 'run', {
      files: options.files,
      between: intake.letSend,
    })
      .then(async () => await tellMissing(own, new Set()))
      .catch(failed)
      .finally(intake.ended);
    const send = async () => (options.takeInOnly ? [] : await sendEverything(own, receipts.wake, intake));
    const stops = (await send().catch(failed)) ?? [];
    await takenIn;
    throwFailure();
    const more = (await takeSuspects(hearing)) ? await send() : [];
    const others = more.filter(
      ({ service, cause }) => !stops.some((one) => one.service === service && one.cause === cause),
    );
    return [...stops, ...others, ...(await heldLate(work))];
  });
}

/** Each hour of each export is looked at once: a file that comes later is no news, and its absence is told once. */
async function tellMissing(work: RunContext, seen: Set<string>): Promise<void> {
  const now = work.clock.now();
  for (const { state, file: _, ...one } of await expectedExports(work, now)) {
    const key = `${one.name} ${one.due}`;
    if (state === 'missing' && !seen.has(key)) work.tell({ what: 'export-missing', ...one });
    seen.add(key);
  }
}

export type ConsultationRequest = Consulted & { readonly service: string };

/** Asks the services for the outcome of these documents, then files away what was learnt. */
export async function consult(
  work: RunContext,
  documents: ReadonlyMap<string, readonly DueDocument[]>,
): Promise<readonly ConsultationRequest[]> {
  await recover(allowed(work));
  const receipts = startReceiptWriter(work);
  const following = waking(work, receipts.wake);
  return await filedAway(work, receipts, async () =>
    Promise.all(
      [...documents].map(async ([service, due]) => {
        const line = work.lines.get(service)!;
        return { service, ...(await consultDue(following, line, due.length, due)) };
      }),
    ),
  );
}

/** Records what a person found out or decided; receipts follow. Ids where the state does not allow it come back. */
export async function resolveDocuments(
  work: RunContext,
  ids: readonly string[],
  evidence: Evidence,
): Promise<{ readonly refused: readonly string[] }> {
  await recover(allowed(work));
  const receipts = startReceiptWriter(work);
  return await filedAway(work, receipts, async () => {
    const refused: string[] = [];
    for (const id of ids) if (!(await work.ledger.resolve(id, evidence))) refused.push(id);
    return { refused };
  });
}

/** Reads documents again, with today's mapping and what people have corrected; receipts follow, nothing is sent. */
export async function reprocessDocuments(
  work: RunContext,
  ids: readonly string[],
  decided: ReprocessDecision & { readonly corrections?: readonly Correction[] },
): Promise<readonly ReprocessResult[]> {
  await recover(allowed(work));
  for (const file of await work.ledger.loadingFiles()) {
    if (file.rereads !== undefined) await ingestClaimed(work, file);
  }
  const receipts = startReceiptWriter(work);
  return await filedAway(work, receipts, async () => {
    const entries: LedgerEntry[] = [];
    for (const id of ids) for await (const entry of work.ledger.find({ ids: [id] })) entries.push(entry);
    return await reprocess(work, entries, decided);
  });
}

/** A refused file is taken in once more as a whole, as if it were dropped again; a pair with its other half. */
export async function takeAgain(
  work: RunContext,
  file: SourceFile,
  { by, reason, at }: ReprocessDecision,
): Promise<void> {
  await recover(allowed(work));
  const receipts = startReceiptWriter(work);
  await filedAway(work, receipts, async () => {
    const paths = await copyToInbox(work, file);
    await work.ledger.recordEvent({ what: 'file-taken-again', file: file.id, at, person: by, detail: { reason } });
    await takeDecisions(work);
    await takeInAll(work, 'run', { files: paths });
  });
}

/** Nobody has to act on a refused file any more; its bytes stay in the archive, and dropped again it is a file as any other. */
export async function setFileAside(
  work: RunContext,
  file: SourceFile,
  { by, reason, at }: ReprocessDecision,
): Promise<void> {
  await recover(allowed(work));
  await work.ledger.recordEvent({ what: FILE_SET_ASIDE, file: file.id, at, person: by, detail: { reason } });
}

/** A ledger that may not send is only looked at: the inbox and the documents stay as they are. */
function allowed(work: RunContext): RunContext {
  const { guard } = work.ledger;
  if (guard.send) return work;
  throw new OperatorError(guard.code, guard.reason, { hint: 'nothing was taken in or sent; see: nightpost doctor' });
}

/** However the work ends, everything that is known becomes files; its own error is the one that counts. */
async function filedAway<T>(work: RunContext, receipts: ReceiptWriter, act: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await act();
  } catch (error) {
    await fileAway(work, receipts).catch(() => undefined);
    throw asTrouble(work, error);
  }
  await fileAway(work, receipts).catch((error: unknown) => {
    throw asTrouble(work, error);
  });
  return result;
}

/** A full disk is told as one wherever it was met first. */
function asTrouble({ instance }: RunContext, error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? diskTrouble(error, path ?? instance.folder) : error;
}

async function fileAway(work: RunContext, receipts: ReceiptWriter): Promise<void> {
  await receipts.end();
  await writeDueReceipts(work, { waiting: true });
  await completeFiles(work);
}

type TakeIn = {
  readonly files?: readonly string[] | undefined;
  /** What has its turn between two groups of files. */
  readonly between?: Intake['letSend'];
};

async function takeInAll(work: RunContext, mode: 'run' | 'watch', { files, between }: TakeIn = {}): Promise<void> {
  const loading = await work.ledger.loadingFiles();
  const unsuspected = loading.filter(({ id }) => work.readingMarks.deathsOf(id) === 0);
  await ingestSmallFiles(work, unsuspected, between);
  if (work.stop.aborted) return;
  let waiting: Look['waiting'] = [];
  const look = async () => {
    const seen = await scanForRun(work, mode);
    waiting = seen.waiting;
    return await excludeIncompletePairs(work, seen.ready);
  };
  let ready = files ? await excludeIncompletePairs(work, await candidatesFor(work, files)) : await look();
  while (ready.length > 0 && !work.stop.aborted) {
    for await (const page of claimPages(work, ready)) {
      await ingestSmallFiles(work, page, between);
      if (work.stop.aborted) return;
    }
    if (files) return;
    // What arrived meanwhile, and what one look did not list.
    ready = await look();
  }
  if (mode === 'watch' || files) return;
  for (const { name, why } of waiting) if (why !== 'held') work.tell({ what: 'left-waiting', file: name, why });
}

/** Files during whose reading the program died come last and alone, once all else is on its way. Were there any? */
async function takeSuspects(work: RunContext): Promise<boolean> {
  const loading = await work.ledger.loadingFiles();
  const suspects = loading.filter(({ id }) => work.readingMarks.deathsOf(id) > 0);
  for (const file of suspects) if (!work.stop.aborted) await ingestClaimed(work, file);
  return suspects.length > 0;
}

/** Services side by side: one that is closed does not keep the other waiting. */
async function sendEverything(work: RunContext, wake: () => void, intake: Intake): Promise<readonly ServiceHalt[]> {
  const { run: settings } = work.instance.settings;
  const following = waking(work, wake, undefined, intake.sent);
  const stops = await Promise.all(
    [...work.lines.values()].map(async (line) => {
      const stop = await sendDue(following, line, settings['give-up-after'], intake.follow());
      if (stop) work.tell({ what: 'service-stopped', ...stop });
      await consultDue(following, line, settings['consult-per-minute']);
      return stop ?? [];
    }),
  );
  return stops.flat();
}

/** Documents that came after their mapping was held; and each mapping that goes no further, for the end of the run. */
async function heldLate(work: RunContext): Promise<readonly ServiceHalt[]> {
  const stops: ServiceHalt[] = [];
  for (const { sameCause } of work.lines.values()) {
    for (const kept of sameCause.allKept()) {
      await holdQueuedOfMapping(work, kept);
      const { due, says, documents } = kept;
      const [service, mapping] = [due.service, due.mapping.id];
      if (documents > 0) work.tell({ what: 'mapping-held', service, mapping, says, documents });
      stops.push({ service, cause: 'same-cause', mapping, says });
    }
  }
  return stops;
}

/** What comes to rest wakes the writer of receipts. */
function waking(work: RunContext, wake: (more?: 'waiting') => void, admitted = () => {}, sent = () => {}): RunContext {
  const tell: RunContext['tell'] = (happening) => {
    work.tell(happening);
    if (happening.what === 'file-admitted') admitted();
    if (happening.what === 'document') sent();
    if (RECEIPTS_FOLLOW.has(happening.what)) wake();
  };
  return { ...work, tell };
}

const RECEIPTS_FOLLOW: ReadonlySet<PipelineEvent['what']> = new Set([
  'document',
  'mapping-held',
  'file-admitted',
  'file-refused',
  'file-duplicate',
]);

/** Stays until it is asked to end: the inbox wakes it, a scan at fixed intervals is the truth. */
export async function watch(outer: RunContext): Promise<void> {
  const { own: work, failed, throwFailure } = endingTogether(outer);
  const { settings, paths } = work.instance;
  await recover(allowed(work));
  const bell = alarm(work);
  const receipts = startReceiptWriter(work, failed);
  const intake = openIntake();
  const hearing = waking(work, receipts.wake, bell.ring);
  const seen = new Set<string>();
  const mappings = mappingsNow(work);
  const look = async () => {
    const today = { ...hearing, day: localDay(work.clock.now()) };
    await takeDecisions(today);
    await takeInAll(today, 'watch', { between: intake.letSend });
    await takeSuspects(today);
    await tellMissing(work, seen);
    mappings.tellChanges();
    receipts.wake('files');
    bell.ring();
  };
  const rules = { polling: settings.inbox.polling, intervalMs: settings.inbox.scan };
  const watcher = watchInbox(paths.inbox, rules, () => look().catch(failed));
  await filedAway(work, receipts, async () => {
    const sending = [...work.lines.values()].map((line) =>
      keepSending(work, line, receipts, bell, intake.sent).catch(failed),
    );
    await Promise.all([...sending, untilAborted(work.stop)]);
    await watcher[Symbol.asyncDispose]();
    throwFailure();
  });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function keepSending(
  work: RunContext,
  line: ServiceRuntime,
  receipts: ReceiptWriter,
  bell: ReturnType<typeof alarm>,
  sent: () => void,
): Promise<void> {
  const { run: settings, inbox } = work.instance.settings;
  const following = waking(work, receipts.wake, undefined, sent);
  let told: string | undefined;
  while (!work.stop.aborted) {
    const stop = await sendDue(following, line, settings['give-up-after']);
    if (stop && told !== stop.says) work.tell({ what: 'service-stopped', ...stop });
    told = stop?.says;
    // One at a time: documents that arrive meanwhile go first.
    const consultMs = await consultNext(following, line);
    if (stop) receipts.wake('waiting');
    // A class that is not configured keeps only its own documents waiting.
    if (!stop || stop.cause === 'not-configured') await bell.wait(Math.min(inbox.scan, consultMs));
    else await leaveAlone(work, line);
  }
}

/** As long as its back-off says, and where only a person could tell, a quarter of an hour; then one document tries. */
async function leaveAlone({ clock, stop }: RunContext, { gate }: ServiceRuntime): Promise<void> {
  const waitMs = gate.waitMs();
  await clock.sleep(Number.isFinite(waitMs) ? waitMs : PAUSED_MS, stop);
  gate.startPaused();
}

const PAUSED_MS = 15 * 60_000;

/** Lets several loops sleep until their interval is over, somebody rings, or the program is asked to end. */
function alarm({ clock, stop }: Pick<RunContext, 'clock' | 'stop'>) {
  let ringing = new AbortController();
  const ring = () => {
    ringing.abort();
    ringing = new AbortController();
  };
  return {
    ring,
    wait: (ms: number) => clock.sleep(ms, AbortSignal.any([ringing.signal, stop])),
  };
}
