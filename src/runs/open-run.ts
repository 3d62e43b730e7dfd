/**
 * Opens the parts of a run besides the instance: the ledger and a connection to each service; closes them in the right
 * order. Throws OperatorError (config/not-filled-in, ledger/locked and other codes of the ledger).
 */

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHttp } from '../delivery/http-exchange.ts';
import type { Http } from '../delivery/service.ts';
import { tokenSource } from '../delivery/token-cache.ts';
import { format, type Language, type Message } from '../i18n/message.ts';
import { SETTINGS_REFUSED } from '../i18n/messages/pipeline-messages.ts';
import { emptyMemory } from '../inbox/at-rest.ts';
import { refuseRootElsewhere } from '../instance/foreign-writers.ts';
import { type Instance, type InstanceWith, makeOwnFolders, SETTINGS_FILE } from '../instance/instance.ts';
import { ledgerSiteOf } from '../instance/ledger-site-of.ts';
import { localeOf } from '../instance/locale.ts';
import { settingsOfRun } from '../instance/settings-of-run.ts';
import { shareFolders } from '../instance/share-folders.ts';
import type { Binding, Ledger } from '../ledger/contract/ledger.ts';
import type { WorkerSetup } from '../ledger/contract/worker-store.ts';
import { refuseNetworkFolder } from '../ledger/installation/installation-place.ts';
import { LockedError, lockedBy } from '../ledger/installation/instance-lock.ts';
import type { HolderWork } from '../ledger/installation/lock-holder.ts';
import type { LedgerPlace } from '../ledger/ledger-place.ts';
import { initLedger, type OpenOptions, openLedger } from '../ledger/open-ledger.ts';
import { definedOnly } from '../model/defined-only.ts';
import { localize, OperatorError } from '../model/fault.ts';
import { must } from '../model/must.ts';
import { purgedIdentitiesOf } from '../pipeline/context/purged-identities.ts';
import { openReadingMarks } from '../pipeline/context/reading-marks.ts';
import type { Clock, PipelineEvent, RunContext, ServiceRuntime } from '../pipeline/context/run-context.ts';
import { createCanaryPolicy } from '../pipeline/service-state/canary-release.ts';
import { createCircuitBreaker } from '../pipeline/service-state/circuit-breaker.ts';
import { createCommonCauseDetector } from '../pipeline/service-state/common-cause-stop.ts';
import { createRateController } from '../pipeline/service-state/rate-controller.ts';
import { openAccounts } from '../pipeline/service-state/sender-accounts.ts';
import { findNewestFiles } from '../receipts/newest-files.ts';
import { timeOfFiles } from '../receipts/remove-temporary-files.ts';
import { compareTexts } from '../text/compare-texts.ts';
import { isoDayIn, localTime } from '../text/local-time.ts';
import { sha256Hex } from '../text/sha256.ts';
import { isUnfilled } from '../yaml/unfilled-settings.ts';
import type { RunMeters } from './run-meters.ts';

const MINUTE_MS = 60_000;
/** A timer that is set for longer fires at once. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/** The clock of the machine, for everything but tests. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await sleep(Math.min(ms, LONGEST_SLEEP_MS), undefined, definedOnly({ signal })).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
  },
};

/** `onEvent` gets each event with the name of its run, in the language of the settings. */
export type WorkOptions = {
  readonly onEvent: (event: PipelineEvent, run: string) => void;
  readonly stop: AbortSignal;
  readonly clock?: Clock;
  readonly meters?: Pick<RunMeters, 'onToken'> | undefined;
};

type Accepting = { readonly acceptsName: (name: string) => boolean };

/** The services and environment that the ledger is bound to, always in the same order. */
function bindingOf({ destinations, settings }: InstanceWith<unknown>): Binding {
  return {
    services: Object.fromEntries(destinations.map(({ name, baseUrl }) => [name, baseUrl])),
    environment: settings.environment,
  };
}

type OnCommit = NonNullable<OpenOptions['onCommit']>;

/** For a command that writes: takes the lock of the instance, or throws `ledger/locked`. */
export function openLedgerOf(
  instance: Instance,
  work: HolderWork = 'act',
  { onCommit, onWait }: Opening = {},
): Promise<Ledger> {
  const place = { ...ownLedgerPlace(instance, onWait), sequences: sequencesOf(instance) };
  return openLedger(definedOnly({ ...place, work, onCommit, setup: setupOf(instance) }));
}

/** Gets what a program waits for before it is alone with the ledger. */
export type OnWait = (says: Message) => void;
type Opening = { readonly onWait?: OnWait | undefined; readonly onCommit?: OnCommit | undefined };

/** Of everything that decides what is made of an export, and where it is sent. */
function setupOf({ config, mappings }: Instance): WorkerSetup {
  const used = mappings.map(({ id, sha256 }) => [id, sha256] as const).toSorted(([a], [b]) => compareTexts(a, b));
  return { settings: sha256Hex(JSON.stringify(settingsOfRun(config))), mappings: Object.fromEntries(used) };
}

/** A decision of a person ends within this time: a night that begins meanwhile waits for it. */
const WAIT_FOR_ACT_MS = 60_000;
/** A purge ends within this time, unless it has a great many documents: the night waits for that too. */
const WAIT_FOR_UPKEEP_MS = 600_000;
/** A holder writes who it is right after it took the lock; an earlier version of the program never does. */
const UNKNOWN_MS = 2000;
const LOOK_MS = 100;

/** For a run or a watch: as `afterActs`, and after a purge, a restore or a rebuild. */
export async function openLedgerForRun(instance: Instance, work: HolderWork, opening: Opening = {}): Promise<Ledger> {
  return await afterActs(() => openLedgerOf(instance, work, opening), opening.onWait, WAIT_FOR_UPKEEP_MS);
}

/**
 * Resolves to what `take` returns once no act holds the lock that it takes. Throws `ledger/locked` at once for a run, and for
 * an act, or other upkeep, that takes too long. `onWait` is called once, with who holds it.
 */
export async function afterActs<T>(
  take: (onWait: OnWait) => T | Promise<T>,
  onWait: OnWait = () => {},
  upkeepMs = 0,
): Promise<T> {
  const startedMs = performance.now();
  let isReported = false;
  for (;;) {
    try {
      return await take(onWait);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      const { holder } = error;
      const mostMs = { act: WAIT_FOR_ACT_MS, unknown: UNKNOWN_MS, run: 0, watch: 0, upkeep: upkeepMs }[
        holder?.work ?? 'unknown'
      ];
      if (performance.now() - startedMs >= mostMs) throw error;
      if (!isReported && holder) {
        onWait(lockedBy(holder));
        isReported = true;
      }
      await sleep(LOOK_MS);
    }
  }
}

/** For a command that only reads, also during a run that has the lock. */
export function lookIntoLedgerOf(instance: InstanceWith<Accepting>): Promise<Ledger> {
  return openLedger({ ...ledgerPlaceOf(instance), readOnly: true });
}

/** Throws `ledger/network-folder` before anything is made there: the ledger of a new instance is a file in its folder. */
export function refuseFolderOfNew(folder: string): void {
  refuseNetworkFolder(folder);
}

/** Creates an empty ledger; refuses to replace one. It is not bound to an address that is still to be filled in. */
export async function createLedgerOf(instance: Instance): Promise<void> {
  const place = ledgerPlaceOf(instance);
  const known = Object.entries(place.binding.services).filter(([, address]) => !isUnfilled(address));
  await initLedger({ ...place, binding: { ...place.binding, services: Object.fromEntries(known) } });
}

/** The place of the ledger with the facts that its guard checks. `onWait`: what a program that has to be alone waits for. */
export function ledgerPlaceOf(instance: InstanceWith<Accepting>, onWait?: OnWait) {
  const { folder, settings, mappings } = instance;
  const witnessFolder = settings.ledger['witness-folder'];
  const isExport = (name: string) => mappings.some((mapping) => mapping.acceptsName(name));
  return definedOnly({
    ...ledgerSiteOf(instance),
    binding: bindingOf(instance),
    now: () => new Date(),
    language: settings.rules.language,
    witnessFolder: witnessFolder === undefined ? undefined : resolve(folder, witnessFolder),
    newestOutputs: () => findNewestFiles(folder, isExport),
    isPurged: purgedIdentitiesOf(folder),
    onWait,
  } satisfies { [Key in keyof LedgerPlace]: LedgerPlace[Key] | undefined });
}

/** The same for a program that writes. Throws `config/other-account`. */
export function ownLedgerPlace(instance: InstanceWith<Accepting>, onWait?: OnWait) {
  refuseRootElsewhere(instance);
  return ledgerPlaceOf(instance, onWait);
}

function sequencesOf({ settings }: Instance): { readonly [name: string]: number } {
  return Object.fromEntries(Object.entries(settings.sequences).map(([name, { start }]) => [name, start]));
}

function refuseUnfilled({ unfilled }: Instance): void {
  if (unfilled.length === 0) return;
  throw new OperatorError('config/not-filled-in', SETTINGS_REFUSED.notFilledIn({ file: SETTINGS_FILE }), {
    faults: unfilled,
    hint: SETTINGS_REFUSED.nothingTaken(),
  });
}

/**
 * The context of a run; disposing it closes connections and reading marks, but not the ledger, which its caller opened.
 */
export async function openRun(
  instance: Instance,
  ledger: Ledger,
  options: WorkOptions,
): Promise<RunContext & AsyncDisposable> {
  const clock = options.clock ?? systemClock;
  const { language } = instance.settings.rules;
  refuseUnfilled(instance);
  makeOwnFolders(instance.paths);
  shareFolders(instance);
  const startedFilesMs = await timeOfFiles(instance.folder);
  await instance.secrets.tryAll(instance.settings.services);
  await using opening = new AsyncDisposableStack();
  const readingMarks = opening.adopt(openReadingMarks(instance.folder, ledger.roles?.id), (marks) => marks.close());
  const services = new Map<string, ServiceRuntime>();
  for (const destination of instance.destinations) {
    const opened = await openHttp(destination.connection, {
      readFile: (name) => readFile(resolve(instance.folder, name)),
      reveal: instance.secrets.reveal,
      rejectUnauthorized: process.env.NODE_TLS_REJECT_UNAUTHORIZED,
    });
    const { http } = opening.use(opened);
    const authorized = async (authorize: typeof destination.authorize) => {
      const token = await authorize(http, instance.secrets.reveal);
      instance.secrets.hide(token.value);
      options.meters?.onToken(destination.name);
      return token;
    };
    const source = (authorize: typeof destination.authorize) =>
      tokenSource(() => authorized(authorize), { monotonicMs: clock.monotonic, random: Math.random });
    const accounts = openAccounts(destination, source(destination.authorize), source, {
      contentOf: ledger.queries.contentOf,
      language,
    });
    const { authorizeConsultation } = destination;
    const breaker = createCircuitBreaker({
      maxErrors: instance.settings.run['max-errors'],
      monotonic: clock.monotonic,
      language,
    });
    const { canary: alone, 'same-cause': limit } = instance.settings.run;
    const canary = createCanaryPolicy(alone, ledger.intake.hasSeen, () =>
      localDay(clock.now(), localeOf(instance.settings).zone),
    );
    const commonCause = createCommonCauseDetector(limit);
    const { monotonic } = clock;
    const rate = createRateController({ ...destination.pacing, monotonic });
    const spacingMs = MINUTE_MS / instance.settings.run['consult-per-minute'];
    const consultRate = createRateController({ concurrency: 1, adaptive: false, spacingMs, monotonic });
    const scrubbed = withoutSecrets(http, instance);
    services.set(
      destination.name,
      definedOnly({
        destination,
        http: scrubbed,
        accounts,
        consultTokens: authorizeConsultation ? source(authorizeConsultation) : undefined,
        breaker,
        canary,
        commonCause,
        rate,
        consultRate,
      }),
    );
  }
  const [startedAt, startedMonotonic] = [clock.now(), clock.monotonic()];
  const { zone } = localeOf(instance.settings);
  const day = localDay(startedAt, zone);
  const run = nameRun(startedAt, zone);
  const open = opening.move();
  const emit = (event: PipelineEvent) => options.onEvent(localized(event, language), run);
  if (ledger.guard.send && ledger.guard.rebinds) {
    emit({ what: 'ledger-bound', says: format(ledger.guard.rebinds, language) });
  }
  return {
    instance,
    ledger,
    services,
    clock,
    random: Math.random,
    run,
    startedAt,
    startedMonotonic,
    startedFilesMs,
    day,
    readingMarks,
    inboxMemory: emptyMemory(),
    stop: options.stop,
    emit,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Some services repeat the request in their error pages: an answer is kept without secrets and tokens. */
function withoutSecrets(http: Http, { secrets }: Instance): Http {
  return async (request) => {
    const exchange = await http(request);
    if ('error' in exchange) {
      return { ...exchange, error: { ...exchange.error, message: secrets.scrubAnswer(exchange.error.message) } };
    }
    // Secrets in answers are rare: a quick check saves the work on all others.
    const isClean = (text: string) => secrets.scrubAnswer(text) === text;
    if (isClean(exchange.body ?? '') && isClean(Object.values(exchange.headers).join('\n'))) return exchange;
    const body = exchange.body === undefined ? undefined : secrets.scrubAnswer(exchange.body);
    const headers = Object.entries(exchange.headers).map(([name, value]) => [name, secrets.scrubAnswer(value)]);
    return { ...exchange, headers: Object.fromEntries(headers) as typeof exchange.headers, body };
  };
}

/** Faults in events are in the same language as in the ledger. */
function localized(event: PipelineEvent, language: Language): PipelineEvent {
  if ('faults' in event) return { ...event, faults: localize(event.faults, language) };
  if (!('fault' in event)) return event;
  const [fault = event.fault] = localize([event.fault], language);
  return { ...event, fault };
}

/** YYYY-MM-DD in the zone of the instance, for the folder of receipts. */
export function localDay(now: Date, zone: string): string {
  return must(isoDayIn(now, zone), 'the day of a clock');
}

/** 2026-11-20 01:30 local -> 20261120-0130-7f3a. */
function nameRun(now: Date, zone: string): string {
  const time = localTime(now, { zone, language: 'en' }).replaceAll(/[-:]/g, '').replace(' ', '-');
  return `${time}-${randomBytes(2).toString('hex')}`;
}
