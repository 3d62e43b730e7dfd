/**
 * Prints the table at the end of a run: for each file its documents by state and the amounts sent, then what to do. A
 * report comes in, lines on stdout come out; with --json the report itself.
 */
import type { Message, MessageMaker } from '../../i18n/message.ts';
import {
  CORRECTIONS,
  FILE_STATE,
  REPORT,
  REPORT_COUNT,
  REPORT_TABLE,
} from '../../i18n/messages/cli-report-messages.ts';
import { COUNT, STATE_COUNT } from '../../i18n/messages/cli-session-messages.ts';
import { NOTICE_STATUS } from '../../i18n/messages/console/console-notices-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { isError, showFaultIn } from '../../model/fault.ts';
import { isSourceMissing } from '../../model/ledger-entry.ts';
import { haltWords } from '../../model/recorded-words.ts';
import { STATE_GROUP_NAMES, STATE_GROUPS, type State, WAITING_STATES } from '../../model/state.ts';
import { durationText } from '../../text/duration-text.ts';
import { foldedLines } from '../../views/reporting/night-lines.ts';
import { filesNotTaken, isLineForPerson, missingExports, needPeople } from '../../views/reporting/night-report.ts';
import type { FileLine, NightReport } from '../../views/reporting/report-shape.ts';
import { amountTexts } from '../../views/wording/amount-texts.ts';
import { type Column, table } from '../layout/layout.ts';
import type { Session } from '../session/command-session.ts';
import { bold, green, yellow } from '../session/terminal.ts';
import { stateCount } from './counted-words.ts';
import { expectedLines } from './expected-export-lines.ts';
import { correctionCounts } from './progress.ts';

/** Columns of the table and the states that each counts. */
const COLUMNS = {
  authorized: ['authorized'],
  toCorrect: STATE_GROUPS['to-correct'].states,
  toApprove: STATE_GROUPS['to-approve'].states,
  toVerify: STATE_GROUPS['to-verify'].states,
  support: STATE_GROUPS['with-support'].states,
  underWay: STATE_GROUPS['under-way'].states,
  duplicate: ['duplicate'],
} as const satisfies { readonly [column in keyof typeof REPORT_TABLE]?: readonly State[] };

const COLUMN_NAMES = Object.keys(COLUMNS) as readonly (keyof typeof COLUMNS)[];

/** With --quiet it prints only if a person has to act, an export is missing, or a service stopped. */
export function printRunReport(session: Session, report: NightReport): void {
  const { options, terminal } = session;
  const hasNews = needPeople(report) + missingExports(report) + filesNotTaken(report) + report.stops.length > 0;
  if (options.json) terminal.out(JSON.stringify(report, null, 2));
  else if (!options.quiet || hasNews) for (const line of reportLines(session, report)) terminal.out(line);
}

/**
 * The order is that of reading: files, interruptions, refusals, missing exports, earlier documents, verdict, advice.
 */
export function reportLines(session: Session, report: NightReport): readonly string[] {
  const { options, language, locale, say, time } = session;
  const line = (message: Message) => `  ${say(message)}`;
  const { untoldSince, inbox, expected, earlier } = report;
  const documents = Object.entries(earlier).map(([state, count]) => stateCount(count, state as State));
  // Printed as they happened, except with --quiet.
  const refusals = options.quiet ? inbox.filter(isError) : [];
  return definedItems([
    report.files.length > 0 ? fileTable(session, report) : line(REPORT.nothingNew()),
    untoldSince === undefined ? undefined : line(REPORT.interruptedRuns({ since: time(untoldSince) })),
    ...refusals.map((fault) => `  ${showFaultIn(fault, language)}`),
    ...expectedLines(expected, locale),
    documents.length > 0 ? line(REPORT.earlier({ documents })) : undefined,
    ...warningMessages(report).map(line),
    ...noticeMessages(session, report).map(line),
    ...(report.rules ?? []).map((fault) => `  ${showFaultIn(fault, language)}`),
    verdictLine(session, report),
    ...adviceMessages(session, report).map(line),
  ]);
}

/** The columns after the name: those with a number in any line, and the authorized documents. */
type NumberColumn = { readonly title: Message; readonly count: (line: FileLine) => number };

/** Leaves out columns that are zero in every line. */
function numberColumns(files: readonly FileLine[]): readonly NumberColumn[] {
  const states = COLUMN_NAMES.map((name) => ({
    title: REPORT_TABLE[name](),
    count: (line: FileLine) => documentsOf(line, COLUMNS[name]),
    isShown: name === 'authorized',
  }));
  const others = [
    { title: REPORT_TABLE.warnings(), count: (line: FileLine) => line.warnings, isShown: false },
    { title: REPORT_TABLE.setAside(), count: (line: FileLine) => line.setAside, isShown: false },
  ];
  return [...states, ...others].filter(({ count, isShown }) => isShown || files.some((line) => count(line) > 0));
}

/** One row per file, amounts grouped by the language. */
function fileTable({ language, say, terminal }: Session, { files }: NightReport): string {
  const numbers = numberColumns(files);
  const columns: readonly Column[] = [
    { title: say(REPORT_TABLE.file()) },
    { title: say(REPORT_TABLE.docs()), align: 'right', fit: 'wrap' },
    ...numbers.map(({ title }): Column => ({ title: say(title), align: 'right', fit: 'whole' })),
    { title: say(REPORT_TABLE.sent()), align: 'right', fit: 'wrap' },
  ];
  const rowOf = (line: FileLine, name = line.file) => [
    name,
    say(documentsIn(line)),
    ...numbers.map(({ count }) => (hasDocuments(line) ? String(count(line)) : '')),
    amountTexts(line.sent, language).join(' + '),
  ];
  const { each, others } = foldedLines(files, isLineForPerson);
  const rows = each.map((line) => rowOf(line));
  if (others) rows.push(rowOf(others.line, say(REPORT_COUNT.otherFiles({ count: others.files }))));
  return table(columns, rows, terminal.width);
}

/** The command selects exactly the documents of this report: by the run, or by the time since interrupted runs. */
function warningMessages({ run, untoldSince, files }: NightReport): readonly Message[] {
  const count = files.reduce((sum, { warnings }) => sum + warnings, 0);
  if (count === 0) return [];
  const selector = untoldSince === undefined ? `--run ${run}` : `--since ${untoldSince}`;
  const command = `nightpost warnings ${selector}`;
  return [REPORT.warnings({ documents: COUNT.passedWithWarnings({ count }), command })];
}

/** Mail and webhooks that do not arrive. */
function noticeMessages({ time }: Session, { notices }: NightReport): readonly Message[] {
  if (!notices) return [];
  const { failed, off } = notices;
  return [
    ...(failed > 0 ? [NOTICE_STATUS.failed({ count: failed })] : []),
    ...off.map(({ channel, since }) => NOTICE_STATUS.off({ channel, since: time(since) })),
  ];
}

/** Where to read on, if a person has to act. */
function adviceMessages({ instance }: Session, report: NightReport): readonly Message[] {
  if (needPeople(report) === 0) return [];
  const readmes = report.folders.map((folder) => `${instance.folder}/${folder}/README.txt`);
  if (readmes.length === 0) return [REPORT.receipts()];
  return [REPORT.receiptsAndReadmes({ readmes })];
}

function hasDocuments({ state, corrections }: FileLine): boolean {
  return state === 'admitted' && !corrections;
}

/**
 * The number of documents; for a correction file its result, because its documents count in the line of their export.
 */
function documentsIn({ state, documents, corrections }: FileLine): Message {
  if (corrections) return correctionCounts(corrections) ?? CORRECTIONS.none();
  if (state !== 'admitted') return FILE_STATE[state]();
  return REPORT.number({ count: documents });
}

/** The run, its duration, and everything that waits for a person or stopped. */
function verdictLine({ say }: Session, report: NightReport): string {
  const verdict = [...documentVerdicts(report), ...fileVerdicts(report), ...haltVerdicts(report)].map(say).join(', ');
  const head = `  ${say(REPORT.run({ run: report.run }))}   ${durationText(report.seconds)}   `;
  if (verdict !== '') return head + bold(yellow(verdict));
  const before = fromBefore(report);
  if (before) return head + say(before);
  return head + green(say(REPORT.nothingToDo()));
}

/** Documents that need a person, by the groups of states. */
function documentVerdicts({ files }: NightReport): readonly Message[] {
  return STATE_GROUP_NAMES.flatMap((group) => {
    const { states, inSentence: state } = STATE_GROUPS[group];
    const needing = states.filter((one) => WAITING_STATES.includes(one));
    const count = files.reduce((sum, line) => sum + documentsOf(line, needing), 0);
    return count === 0 ? [] : [STATE_COUNT.inState({ count, state })];
  });
}

/** Counts of files and exports that need attention; zeros are left out. */
function fileVerdicts(report: NightReport): readonly Message[] {
  const { files, inbox } = report;
  const notImported = filesNotTaken(report);
  const counts: readonly (readonly [count: number, message: MessageMaker<'count'>])[] = [
    [report.filesRefused, REPORT_COUNT.filesRefused],
    // The table has a line for each of the files that have the same bytes.
    [files.filter(({ state }) => state === 'refused').length - report.filesRefused, REPORT_COUNT.refusedAgain],
    [files.filter(isSourceMissing).length, REPORT_COUNT.sourcesMissing],
    [files.reduce((sum, { corrections }) => sum + (corrections?.refused ?? 0), 0), REPORT_COUNT.correctionsRefused],
    [notImported, REPORT_COUNT.notImported],
    [inbox.filter(isError).length - notImported, REPORT_COUNT.refusedInInbox],
    [missingExports(report), REPORT_COUNT.exportsMissing],
    [report.queued, REPORT.queued],
  ];
  return counts.filter(([count]) => count > 0).map(([count, message]) => message({ count }));
}

function haltVerdicts({ stops }: NightReport): readonly Message[] {
  return stops.map(({ service, cause, mapping }) =>
    mapping === undefined
      ? REPORT.serviceStopped({ service, cause: haltWords(cause) })
      : REPORT.mappingStopped({ mapping, cause: haltWords(cause) }),
  );
}

/** Work of earlier nights that still waits, if this night has none. */
function fromBefore({ waiting, waitingFiles }: NightReport): Message | undefined {
  if (waiting > 0 && waitingFiles > 0) {
    const documents = COUNT.document({ count: waiting });
    return REPORT.bothFromBefore({ documents, files: COUNT.file({ count: waitingFiles }) });
  }
  if (waiting > 0) return REPORT_COUNT.fromBefore({ count: waiting });
  if (waitingFiles > 0) return REPORT_COUNT.filesFromBefore({ count: waitingFiles });
  return undefined;
}

function documentsOf(line: FileLine, states: readonly State[]): number {
  return states.reduce((sum, state) => sum + (line.counts[state] ?? 0), 0);
}
