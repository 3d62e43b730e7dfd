/**
 * `status`: whether anything waits, for whom, and whether the program may send. Reads only and stays fast in large
 * folders; the exit code is 0 whatever it finds, except with --check. Mappings with errors are reported and do not prevent the output.
 */
import type { Command } from 'commander';
import type { Message } from '../../i18n/message.ts';
import { LEFT_IN_INBOX, PROGRESS } from '../../i18n/messages/cli-report-messages.ts';
import { COUNT } from '../../i18n/messages/cli-session-messages.ts';
import {
  ACTOR,
  RUNS,
  STATUS,
  STATUS_CHECK,
  STATUS_COUNT,
  STATUS_TABLE,
} from '../../i18n/messages/cli-views-messages.ts';
import { NOTICE_STATUS } from '../../i18n/messages/console/console-notices-messages.ts';
import { INBOX_PROBLEM } from '../../i18n/messages/inbox-messages.ts';
import { QUARANTINE_CAUSE } from '../../i18n/messages/ledger-messages.ts';
import { ANSWERS_STATE } from '../../i18n/messages/report/report-answers-messages.ts';
import { loadMappings } from '../../instance/instance.ts';
import { localize, showFaultIn } from '../../model/fault.ts';
import { haltWords } from '../../model/recorded-words.ts';
import {
  CLOSED_IN_SENTENCE,
  SET_ASIDE_INFO,
  STATE_GROUP_NAMES,
  STATE_GROUPS,
  type State,
  stateInfo,
} from '../../model/state.ts';
import { lookIntoLedgerOf } from '../../runs/open-run.ts';
import { appendAll } from '../../text/long-lists.ts';
import { escapeControls } from '../../text/printable.ts';
import { type InstanceStatus, readStatus } from '../../views/queries/instance-status.ts';
import { mappingProposals } from '../../views/queries/mapping-proposals.ts';
import { fieldMessages, leftMessages } from '../../views/queries/reported-answers.ts';
import { checkLine, checkStatus, LEVELS, type StatusCheck } from '../../views/queries/status-check.ts';
import { verdictOf } from '../../views/queries/verdict.ts';
import { runOutcome } from '../../views/wording/run-lines.ts';
import { differingWords } from '../../views/wording/setup-words.ts';
import { taskWords } from '../../views/wording/worker-task-words.ts';
import { isUnfilled } from '../../yaml/unfilled-settings.ts';
import { type Column, table } from '../layout/layout.ts';
import { expectedLines } from '../output/expected-export-lines.ts';
import { proposalLines } from '../output/proposal-lines.ts';
import { codeAndMessage } from '../output/report-error.ts';
import { type CommandModule, InvalidValueError } from '../session/command-module.ts';
import { openOutput, openSessionForStatus } from '../session/command-session.ts';
import { bold, dim } from '../session/terminal.ts';

export const statusCommand: CommandModule = { run: showStatus, values: { 'max-age': { read: readAge } } };

type Options = { readonly check?: boolean; readonly maxAge?: number };

async function showStatus(given: Options, command: Command): Promise<void> {
  if (given.check) return await check(given, command);
  const session = openSessionForStatus(command);
  await using ledger = await lookIntoLedgerOf(session.instance);
  const status = await readStatus(session.instance, ledger);
  const proposals = await mappingProposals(ledger.queries, () => loadMappings(session.instance).mappings);
  if (session.options.json) session.terminal.out(JSON.stringify({ ...status, proposals }, null, 2));
  else for (const line of statusLines(session, status)) session.terminal.out(line);
  if (!session.options.json) for (const line of proposalLines(proposals, session.say)) session.terminal.out(line);
}

/** Prints one line, whatever happens: a monitoring program reads nothing else. */
async function check({ maxAge }: Options, command: Command): Promise<void> {
  const { terminal, options, language } = openOutput(command);
  const print = (level: 0 | 1 | 2 | 3, says: readonly string[], measures: StatusCheck['measures'] = {}) => {
    const data = { level: LEVELS[level], says, measures };
    terminal.out(options.json ? JSON.stringify(data, null, 2) : checkLine(level, says.map(escapeControls), measures));
    process.exitCode = level;
  };
  try {
    const { instance, say, time } = openSessionForStatus(command);
    await using ledger = await lookIntoLedgerOf(instance);
    const { level, says, measures } = checkStatus(await readStatus(instance, ledger), new Date(), {
      maxAgeMs: maxAge,
      time,
    });
    print(level, says.map(say), measures);
  } catch (error) {
    // Also of a defect: 1 and 5 are no codes of a check that cannot say anything.
    const { code, message } = codeAndMessage(error, language);
    const [line = ''] = message.split('\n');
    print(3, [`${code}: ${line}`]);
    if (code === 'internal') process.stderr.write(`${message}\n`);
  }
}

/** Milliseconds of "26h", "90 m" or "2d". Throws InvalidValueError `duration`. */
function readAge(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})\s?([mhd])$/.exec(text) ?? [];
  const ms = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  if (ms === undefined) throw new InvalidValueError('duration');
  return Number(count) * ms;
}

type StatusSession = ReturnType<typeof openSessionForStatus>;
type Status = InstanceStatus;
type ServiceStatus = Status['services'][number];

/** The verdict in one sentence, the table, what needs attention, the services, and why nothing is sent. */
function statusLines(session: StatusSession, status: Status): readonly string[] {
  const { instance, locale, say, time } = session;
  const { sentence } = verdictOf(checkStatus(status, new Date(), { maxAgeMs: undefined, time }));
  const environment = `${say(STATUS.environment())} ${status.environment}`;
  const inbox = say(STATUS.inInbox({ count: status.inbox }));
  return [
    bold(escapeControls(`  ${say(sentence)}`)),
    bold(`  ${instance.settings.company ?? instance.folder}   ${environment}   ${inbox}`),
    stateTable(session, status),
    ...[...inboxMessages(status, instance), ...attentionMessages(status)].map((message) =>
      escapeControls(`  ${say(message)}`),
    ),
    ...expectedLines(status.expected, locale),
    ...localize(status.rules, locale.language).map((fault) =>
      escapeControls(`  ${showFaultIn(fault, locale.language)}`),
    ),
    ...footMessages(session, status).map((message) => dim(`  ${say(message)}`)),
    ...noticeMessages(session, status).map((message) => escapeControls(`  ${say(message)}`)),
    ...workerMessages(session, status).map((message) => escapeControls(`  ${say(message)}`)),
    ...haltMessages(session, status).map((message) => bold(`  ${say(message)}`)),
  ];
}

/** The groups with documents and their sum, and below each its states; documents that a person has closed are among those done. */
function stateTable({ say, terminal }: StatusSession, { documents, closed }: Status): string {
  const open = (state: State) => (documents[state] ?? 0) - (closed[state] ?? 0);
  const rows = STATE_GROUP_NAMES.flatMap((group) => {
    const { states, words } = STATE_GROUPS[group];
    const ofStates = states
      .filter((state) => open(state) > 0)
      .map((state): StatusRow => {
        const { name, actor, folder = '' } = stateInfo(state);
        const word = say(name);
        const shown = word === state ? word : `${word} (${state})`;
        return { name: shown, count: open(state), actor: actor === 'nobody' ? '' : say(ACTOR[actor]()), folder };
      });
    if (group === 'done') appendAll(ofStates, closedRows(closed, say));
    if (ofStates.length === 0) return [];
    const all = String(ofStates.reduce((sum, { count }) => sum + count, 0));
    return [
      [bold(say(words)), bold(all), '', ''],
      ...ofStates.map(({ name, count, actor, folder }) => [`  ${name}`, String(count), actor, folder]),
    ];
  });
  if (rows.length === 0) return `  ${say(STATUS.noDocuments())}`;
  const { state, documents: count, whoActs, folder } = STATUS_TABLE;
  const columns: readonly Column[] = [
    { title: say(state()), styled: true, fit: 'whole' },
    { title: say(count()), align: 'right', styled: true, fit: 'whole' },
    { title: say(whoActs()), fit: 'whole' },
    { title: say(folder()) },
  ];
  return table(columns, rows, terminal.width);
}

/** Documents that a person has set aside or acknowledged. */
function closedRows(closed: Status['closed'], say: StatusSession['say']): readonly StatusRow[] {
  const { invalidated: acknowledged = 0, ...others } = closed;
  const setAside = Object.values(others).reduce((sum, count) => sum + count, 0);
  const rows = [
    { name: say(SET_ASIDE_INFO.name), count: setAside },
    { name: say(CLOSED_IN_SENTENCE.acknowledged()), count: acknowledged },
  ];
  return rows.filter(({ count }) => count > 0).map((row) => ({ ...row, actor: '', folder: 'error' }));
}

type StatusRow = { readonly name: string; readonly count: number; readonly actor: string; readonly folder: string };

/** While it is away, nothing is taken and no count of its files means anything. */
function inboxMessages({ inboxAway }: Status, { paths }: StatusSession['instance']): readonly Message[] {
  return inboxAway ? [INBOX_PROBLEM.folderNotReadable({ folder: paths.inbox })] : [];
}

/** Refused and missing files, warnings, exports that wait for their partner. */
function attentionMessages(status: Status): readonly Message[] {
  const { filesRefused, sourcesMissing, warnings, waiting, leftInInbox, stuck, answers } = status;
  const messages: Message[] = [];
  if (filesRefused > 0) messages.push(STATUS_COUNT.filesRefused({ count: filesRefused }));
  if (sourcesMissing > 0) messages.push(STATUS_COUNT.sourcesMissing({ count: sourcesMissing }));
  appendAll(messages, warningMessages(warnings));
  for (const { file, for: partner } of waiting) messages.push(STATUS.waits({ file, partner }));
  for (const { file, why } of leftInInbox) messages.push(PROGRESS.staysInInbox({ file, why: LEFT_IN_INBOX[why]() }));
  if (stuck.files > 0) messages.push(STATUS_CHECK.stuck({ count: stuck.files }));
  for (const { code, says } of answers.delays) messages.push(ANSWERS_STATE.delayedBy({ code, says }));
  appendAll(messages, [...fieldMessages(answers.fields), ...leftMessages(answers.left)]);
  return messages;
}

const CONSULTATION = { configured: STATUS.configured, 'not configured': STATUS.notConfigured };

/** The last run, the services, the end of the chain, a missing witness. */
function footMessages({ time }: StatusSession, { services, head, witnessFolder, lastRun }: Status): readonly Message[] {
  const last = lastRun ? RUNS.last({ start: time(lastRun.startedAt), outcome: runOutcome(lastRun) }) : RUNS.noneYet();
  const ofServices: readonly Message[] = services.map(({ service, consultation: configured, ...known }) => {
    return STATUS.service({ service, state: serviceState(known, time), consultation: CONSULTATION[configured]() });
  });
  const messages: Message[] = [last, ...ofServices];
  if (head !== null) messages.push(STATUS.receiptsEnd({ head }));
  if (witnessFolder === null) messages.push(STATUS.noWitness());
  return messages;
}

/** A service is active once it has answered a document: before, no one knows whether it would. */
function serviceState(
  { address, pause, answered }: Pick<ServiceStatus, 'address' | 'pause' | 'answered'>,
  time: StatusSession['time'],
): Message {
  if (isUnfilled(address)) return STATUS.notFilledIn();
  if (pause)
    return STATUS.stopped({ cause: haltWords(pause.cause), at: time(pause.at), says: escapeControls(pause.says) });
  return answered ? STATUS.active() : STATUS.notReached();
}

/** Notices that were not accepted yet, and channels that get none. Silent where all is sent. */
function noticeMessages({ time }: StatusSession, { notices }: Status): readonly Message[] {
  const { waiting, failed, off } = notices;
  return [
    ...(waiting > 0 ? [NOTICE_STATUS.waiting({ count: waiting })] : []),
    ...(failed > 0 ? [NOTICE_STATUS.failed({ count: failed })] : []),
    ...off.map(({ channel, since }) => NOTICE_STATUS.off({ channel, since: time(since) })),
  ];
}

/** Programs that share the ledger and have not ended. Silent where one works at a time. */
function workerMessages({ time }: StatusSession, { workers = [] }: Status): readonly Message[] {
  const open = workers.filter(({ state, files }) => state !== 'gone' || files > 0);
  return open.flatMap(({ host, pid, work, startedAt, state, roles, files, waits }) => {
    const who = { host, pid: String(pid), work, since: time(startedAt) };
    if (work !== 'watch') return [STATUS_COUNT.aloneAtWork(who)];
    const shown = STATUS_COUNT.worker({ ...who, state, held: roles.length, tasks: taskWords(roles), count: files });
    return waits ? [shown, STATUS.workerWaits({ host, pid: String(pid), what: differingWords(waits) })] : [shown];
  });
}

/** Why nothing, or nothing new, is sent. */
function haltMessages({ time }: StatusSession, { quarantine, guard }: Status): readonly Message[] {
  const messages: Message[] = [];
  if (quarantine) {
    const { at, why, by } = quarantine;
    messages.push(STATUS.quarantine({ why: QUARANTINE_CAUSE[why](), at: time(at), by }));
  }
  if (!guard.send) messages.push(STATUS.nothingSent(guard));
  return messages;
}

function warningMessages({ documents, latest }: Status['warnings']): readonly Message[] {
  if (documents === 0 || !latest) return [];
  const where = latest.documents > 0 ? ` --run ${latest.run}` : '';
  const command = `nightpost warnings${where}`;
  return [
    STATUS.warnings({ documents: COUNT.passedWithWarnings({ count: documents }), latest: latest.documents, command }),
  ];
}
