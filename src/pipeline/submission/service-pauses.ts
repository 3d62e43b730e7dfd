/**
 * Pauses of a service that outlast a run: why it takes nothing, what a person or the settings have to do first, and how long it has
 * asked to be left alone. One that is not for a person ends with the first trustworthy answer.
 */
import { format } from '../../i18n/message.ts';
import { STOPPED } from '../../i18n/messages/pipeline-messages.ts';
import type { Pause, Resumption, SubmissionStore } from '../../ledger/contract/submission-store.ts';
import type { RunContext, ServiceHalt, ServiceRuntime } from '../context/run-context.ts';

/**
 * A service that echoes other documents gets none until a person resumes it, or until the settings read the echo from
 * another place: each probe would be one more document of unknown outcome.
 */
export function haltForPerson(
  context: RunContext,
  { name, echoes }: ServiceRuntime['destination'],
  pause: Pause | undefined,
): ServiceHalt | undefined {
  if (pause?.cause !== 'foreign-echo' || pause.echoes !== echoes) return undefined;
  return { service: name, cause: 'foreign-echo', says: withWayOut(context, name, pause.says) };
}

export function withWayOut({ instance }: RunContext, service: string, reason: string): string {
  return format(STOPPED.resume({ reason, service }), instance.settings.rules.language);
}

/** A person lets a service continue; the next run sends one document first. False if the service was not paused, or is for another cause now. */
export async function resumeService(ledger: SubmissionStore, service: string, decision: Resumption): Promise<boolean> {
  const pause = await ledger.pauseOf(service);
  if (!pause) return false;
  const { untilMs: _, ...rest } = pause;
  return await ledger.pause(service, { ...rest, cause: 'paused' }, decision);
}

/** The cause stays visible after the run, and the next run starts with a single document. */
export async function remembered(
  context: RunContext,
  runtime: ServiceRuntime,
  stop: ServiceHalt,
): Promise<ServiceHalt> {
  const { ledger, clock } = context;
  await keepLimit(context, runtime);
  if (stop.cause === 'errors' || (await ledger.submissions.pauseOf(stop.service))) return stop;
  await ledger.submissions.pause(stop.service, { cause: stop.cause, says: stop.says, at: clock.now().toISOString() });
  return stop;
}

/** A wait that the service has asked for outlasts the run. */
export async function keepLimit(
  { ledger, clock }: RunContext,
  { destination, breaker: gate }: ServiceRuntime,
): Promise<void> {
  const [closed, waitMs] = [gate.closed(), gate.waitMs()];
  if (closed?.cause !== 'rate-limited' || waitMs === 0) return;
  const now = clock.now();
  const untilMs = now.getTime() + Math.round(waitMs);
  const before = await ledger.submissions.pauseOf(destination.name);
  if (before && (before.cause === 'foreign-echo' || (before.untilMs ?? 0) >= untilMs - LIMIT_GRACE_MS)) return;
  await ledger.submissions.pause(destination.name, {
    cause: 'unreachable',
    says: closed.says,
    at: now.toISOString(),
    untilMs,
  });
}

/** Two clocks measure one wait. */
const LIMIT_GRACE_MS = 1000;

/** What is left of it; a clock that was set back makes it no longer than it was. */
export function limitOf({ clock }: RunContext, pause: Pause | undefined) {
  if (pause?.untilMs === undefined) return undefined;
  const ms = Math.min(pause.untilMs - clock.now().getTime(), pause.untilMs - Date.parse(pause.at));
  return ms > 0 ? { says: pause.says, ms } : undefined;
}
