/**
 * `status --check`: one line for a monitoring program, in the convention of its plugins (monitoring-plugins.org):
 * exit code 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN, and measures after a bar. Critical is what keeps documents from
 * being sent or an export from coming; a warning is work that waits for a person.
 */
import type { Message } from '../../i18n/message.ts';
import { STATUS_CHECK } from '../../i18n/messages/cli-views-messages.ts';
import { ANSWERS_STATE } from '../../i18n/messages/report/report-answers-messages.ts';
import { haltWords } from '../../model/recorded-words.ts';
import type { State } from '../../model/state.ts';
import { type AlarmFacts, type AlarmTable, readAlarms } from './alarms.ts';
import { type InstanceStatus, waitsForPerson } from './instance-status.ts';

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
  const alarms = readAlarms(factsOf(status), alarmWords(status));
  const critical = [...alarms.critical, ...runReasons(status, now, options)];
  const warnings = workReasons(status, alarms.attention, { isAll: critical.length === 0 });
  const age = ageOf(status, now);
  const measures = {
    waiting: waitingIn(status),
    files_refused: status.filesRefused,
    exports_missing: status.expected.filter(({ state }) => state === 'missing').length,
    queued: status.documents.ready ?? 0,
    ...(age === undefined ? {} : { last_run_age: Math.max(0, Math.round(age / 1000)) }),
  };
  const says = [...critical, ...warnings];
  if (critical.length > 0) return { level: 2, says, measures };
  return warnings.length > 0 ? { level: 1, says, measures } : { level: 0, says: [STATUS_CHECK.ok()], measures };
}

function factsOf(status: InstanceStatus): AlarmFacts {
  const pauses = status.services.flatMap(({ service, pause }) => (pause ? [{ service, ...pause }] : []));
  return { ...status, pauses };
}

const NOT_OF_NOW = () => [];

/** What only a night knows has no words here. Documents and refused files have one verb where they are all that is to be said. */
function alarmWords(status: InstanceStatus): AlarmTable<Message> {
  const files = waitingIn(status) > 0 ? STATUS_CHECK.filesToo : STATUS_CHECK.filesRefused;
  const stuck: AlarmTable<Message>['not-plain'] = ([{ count }]) => [STATUS_CHECK.stuck({ count })];
  return {
    'no-send': ([{ code }]) => [STATUS_CHECK.nothingSent({ code })],
    quarantine: () => [STATUS_CHECK.quarantine()],
    mappings: () => [STATUS_CHECK.mappings()],
    paused: (pauses) => pauses.map(({ service, cause }) => STATUS_CHECK.paused({ service, cause: haltWords(cause) })),
    halted: NOT_OF_NOW,
    'inbox-away': () => [STATUS_CHECK.inboxAway()],
    'export-missing': (missing) => [STATUS_CHECK.exportsMissing({ count: missing.length })],
    uneven: NOT_OF_NOW,
    unaccounted: NOT_OF_NOW,
    'not-taken': stuck,
    'clock-behind': NOT_OF_NOW,
    stopped: NOT_OF_NOW,
    'files-refused': ([{ count }]) => [files({ count })],
    'files-before': NOT_OF_NOW,
    'sources-missing': ([{ count }]) => [STATUS_CHECK.sourcesMissing({ count })],
    'not-plain': stuck,
    'export-refused': (refused) => [STATUS_CHECK.exportRefused({ count: refused.length })],
    // The report of the night says so, and the first page.
    'export-old': NOT_OF_NOW,
    'export-differs': NOT_OF_NOW,
    'export-unusual': NOT_OF_NOW,
    'answers-delayed': ([{ count }]) => [ANSWERS_STATE.delayed({ count })],
    'answer-fields': ([{ count }]) => [ANSWERS_STATE.fields({ count })],
  };
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
 * Work that waits for a person; `isAll`: there is no other reason. Next to other reasons each is a sentence without "and", so
 * that the list has it once.
 */
function workReasons(
  status: InstanceStatus,
  others: readonly Message[],
  { isAll }: { readonly isAll: boolean },
): readonly Message[] {
  const [documents, files] = [waitingIn(status), status.filesRefused];
  const reasons = documents > 0 ? [STATUS_CHECK.documents({ count: documents }), ...others] : others;
  return isAll && reasons.length === 2 && documents > 0 && files > 0
    ? [STATUS_CHECK.documentsAndFiles({ documents, files })]
    : reasons;
}

function waitingIn({ documents, closed }: Pick<InstanceStatus, 'documents' | 'closed'>): number {
  const waiting = (Object.entries(documents) as [State, number][]).filter(([state]) => waitsForPerson(state));
  return waiting.reduce((sum, [state, count]) => sum + count - (closed[state] ?? 0), 0);
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
