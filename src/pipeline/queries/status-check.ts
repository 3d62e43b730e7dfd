/**
 * `status --check`: one line for a monitoring program, in the convention of its plugins (monitoring-plugins.org):
 * exit code 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN, and measures after a bar. Critical is what keeps documents from
 * being sent or an export from coming; a warning is work that waits for a person.
 */
import type { Message } from '../../i18n/message.ts';
import { STATUS_CHECK } from '../../i18n/messages/cli-views-messages.ts';
import { ANSWERS_STATE } from '../../i18n/messages/report/report-answers-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import type { State } from '../../model/state.ts';
import { type InstanceStatus, waitsForPerson } from './instance-status.ts';
import { fieldProblems } from './reported-answers.ts';

/** Exit code and words of each level. */
export const LEVELS = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const;

export type StatusCheck = {
  /** Place in LEVELS, which is the exit code. */
  readonly level: 0 | 1 | 2;
  /** The reasons of this level and of the one below it, the more severe first; one message if all is well. */
  readonly says: readonly Message[];
  /** For the graphs of the monitoring program; ages in seconds. */
  readonly measures: { readonly [name: string]: number };
};

/** `maxAgeMs`: the last run must have begun no longer ago; undefined: any age is right. `time` words an instant. */
type CheckOptions = { readonly maxAgeMs: number | undefined; readonly time: (at: string) => string };

export function checkStatus(status: InstanceStatus, now: Date, options: CheckOptions): StatusCheck {
  const critical = [...haltReasons(status), ...runReasons(status, now, options)];
  const warnings = workReasons(status, { isAll: critical.length === 0 });
  const age = ageOf(status, now);
  const measures = {
    waiting: waitingIn(status),
    files_refused: status.filesRefused,
    exports_missing: exportsIn(status, 'missing'),
    queued: status.documents.ready ?? 0,
    ...(age === undefined ? {} : { last_run_age: Math.max(0, Math.round(age / 1000)) }),
  };
  const says = [...critical, ...warnings];
  if (critical.length > 0) return { level: 2, says, measures };
  return warnings.length > 0 ? { level: 1, says, measures } : { level: 0, says: [STATUS_CHECK.ok()], measures };
}

/** What keeps documents from being sent. */
function haltReasons({
  guard,
  quarantine,
  mappingFaults,
  services,
  inboxAway,
  ...rest
}: InstanceStatus): readonly Message[] {
  const missing = exportsIn(rest, 'missing');
  return definedItems(
    [
      guard.send ? undefined : STATUS_CHECK.nothingSent({ code: guard.code }),
      quarantine ? STATUS_CHECK.quarantine() : undefined,
      mappingFaults.length > 0 ? STATUS_CHECK.mappings() : undefined,
      ...services.map(({ service, pause }) => pause && STATUS_CHECK.paused({ service, cause: pause.cause })),
      inboxAway ? STATUS_CHECK.inboxAway() : undefined,
      missing > 0 ? STATUS_CHECK.exportsMissing({ count: missing }) : undefined,
    ].map((message) => message ?? undefined),
  );
}

function runReasons(
  { lastRun, aheadRun }: InstanceStatus,
  now: Date,
  { maxAgeMs, time }: CheckOptions,
): readonly Message[] {
  if (!lastRun) return maxAgeMs === undefined ? [] : [STATUS_CHECK.noRun()];
  // Every age is wrong then: that of the last run, and of each export that is expected.
  if (aheadRun) return [STATUS_CHECK.clockBehind({ start: time(aheadRun.startedAt) })];
  const start = time(lastRun.startedAt);
  if (lastRun.outcome === 'failed') return [STATUS_CHECK.lastFailed({ start, error: lastRun.error ?? '' })];
  if (lastRun.outcome === 'died') return [STATUS_CHECK.lastDied({ start })];
  // A watch works until it is stopped: its begin may be months ago.
  if (maxAgeMs === undefined || (lastRun.outcome === 'running' && lastRun.kind === 'watch')) return [];
  return now.getTime() - Date.parse(lastRun.startedAt) > maxAgeMs ? [STATUS_CHECK.tooOld({ start })] : [];
}

/**
 * Work that waits for a person; `isAll`: there is no other reason. Documents and refused files have one verb where they are
 * all that is to be said. Next to other reasons each is a sentence without "and", so that the list has it once.
 */
function workReasons(status: InstanceStatus, { isAll }: { readonly isAll: boolean }): readonly Message[] {
  const [documents, files] = [waitingIn(status), status.filesRefused];
  const counts = [
    [documents, STATUS_CHECK.documents],
    [files, documents > 0 ? STATUS_CHECK.filesToo : STATUS_CHECK.filesRefused],
    [status.sourcesMissing, STATUS_CHECK.sourcesMissing],
    [exportsIn(status, 'refused'), STATUS_CHECK.exportRefused],
    [status.answers.delays.length, ANSWERS_STATE.delayed],
    [fieldProblems(status.answers.fields), ANSWERS_STATE.fields],
  ] as const;
  const reasons = counts.flatMap(([count, message]) => (count > 0 ? [message({ count })] : []));
  return isAll && reasons.length === 2 && documents > 0 && files > 0
    ? [STATUS_CHECK.documentsAndFiles({ documents, files })]
    : reasons;
}

function waitingIn({ documents, closed }: Pick<InstanceStatus, 'documents' | 'closed'>): number {
  const waiting = (Object.entries(documents) as [State, number][]).filter(([state]) => waitsForPerson(state));
  return waiting.reduce((sum, [state, count]) => sum + count - (closed[state] ?? 0), 0);
}

function exportsIn({ expected }: Pick<InstanceStatus, 'expected'>, state: 'missing' | 'refused'): number {
  return expected.filter((one) => one.state === state).length;
}

/** Milliseconds since the last run began. */
function ageOf({ lastRun }: InstanceStatus, now: Date): number | undefined {
  return lastRun ? now.getTime() - Date.parse(lastRun.startedAt) : undefined;
}

/** `NIGHTPOST WARNING - 45 documents need action | waiting=45 ...`, in one line, as the convention has it. */
export function checkLine(
  level: 0 | 1 | 2 | 3,
  says: readonly string[],
  measures: StatusCheck['measures'] = {},
): string {
  const text = says.join('; ').replaceAll('|', '/').replace(/\s+/g, ' ');
  const shown = Object.entries(measures).map(([name, value]) => `${name}=${value}${name.endsWith('_age') ? 's' : ''}`);
  return [`NIGHTPOST ${LEVELS[level]} - ${text}`, ...(shown.length > 0 ? [shown.join(' ')] : [])].join(' | ');
}
