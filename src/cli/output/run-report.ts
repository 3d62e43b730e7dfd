/** The table at the end of a run: per file, how many documents came to what, and what was sent in which currency. */

import { format, type Language, type Message } from '../../i18n/message.ts';
import {
  CORRECTIONS,
  FILE_STATE,
  REPORT,
  REPORT_COUNT,
  REPORT_TABLE,
} from '../../i18n/messages/cli-report-messages.ts';
import { COUNT } from '../../i18n/messages/cli-session-messages.ts';
import { headText } from '../../model/chain-link.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, isError, showFaultIn } from '../../model/fault.ts';
import {
  isDismissed,
  isSourceMissing,
  type LedgerEntry,
  passedWithWarnings,
  type SourceFile,
} from '../../model/ledger-entry.ts';
import { type State, stateInfo } from '../../model/state.ts';
import type { RunContext, ServiceHalt } from '../../pipeline/context/run-context.ts';
import { type Expected, expectedExports } from '../../pipeline/intake/expected-exports.ts';
import { correctionTally, isCorrectionRecord } from '../../pipeline/reprocessing/correction-results.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import type { Session } from '../session/command-session.ts';
import { refusedFiles } from '../session/refused-files.ts';
import { bold, type Column, green, table, yellow } from '../session/terminal.ts';
import { stateCount } from './counted-words.ts';
import { expectedLines } from './expected-export-lines.ts';
import { type FileLine, foldedLines } from './night-lines.ts';
import { correctionCounts, durationText, wordOf } from './progress.ts';

export type RunReport = {
  readonly run: string;
  /** ISO 8601: what happened before this run and was told by none, because each was cut off, is told from here on. */
  readonly untoldSince?: string;
  readonly seconds: number;
  readonly files: readonly FileLine[];
  readonly stops: readonly ServiceHalt[];
  /** Documents of any run that wait to be sent. */
  readonly queued: number;
  /** Documents of any run that wait for a person. */
  readonly waiting: number;
  /** Refused files of any run that nobody replaced or set aside. */
  readonly waitingFiles: number;
  /** Documents that earlier runs took in and sent, by the state that consultations of this run told. */
  readonly earlier: { readonly [state in State]?: number };
  /** What lies in the inbox and cannot be taken: links, pipes, folders. */
  readonly inbox: readonly Fault[];
  /** What `expect` asks for, with what came of it. */
  readonly expected: readonly Expected[];
  /** Below the instance: the folders of the days in which receipts and summaries lie that wait for a person. */
  readonly folders: readonly string[];
  /** The end of the chain of receipts, N:HASH, to be kept elsewhere; null while there is no receipt. */
  readonly head: string | null;
};

/** Files this run took in, and of earlier ones what this run did to their documents; with what runs that were cut off left untold. */
export async function buildRunReport(
  { ledger, clock, run, startedAt, instance }: RunContext,
  stops: readonly ServiceHalt[],
  inbox: readonly Fault[] = [],
): Promise<RunReport> {
  const lines = new Map<string, Line>();
  const started = startedAt.toISOString();
  const since = (await ledger.unreportedSince()) ?? started;
  const isLate = since < started;
  const taken = await ledger.files({ ...(isLate ? { since } : { run }), limit: Number.MAX_SAFE_INTEGER });
  // What is read again belongs to the line of the export that was read first.
  for (const file of [...taken].reverse()) if (file.rereads === undefined) lines.set(file.id, emptyLine(file));
  const earlier: { [state in State]?: number } = {};
  // Also of earlier runs, where it came out now that they cannot be read or that their copy is missing.
  const waitingFiles = await refusedFiles(ledger);
  const unreadable = waitingFiles.filter(({ archivedAt = '' }) => archivedAt >= (isLate ? since : started));
  for (const file of unreadable) if (!lines.has(file.id)) lines.set(file.id, emptyLine(file));
  const folders = new Set([...taken, ...unreadable].filter(isUnreadable).map(({ day }) => `error/${day}`));
  for await (const entry of ledger.find({ since: isLate ? since : started })) {
    const { rereads = entry.file.id } = entry.file;
    const line = lines.get(rereads) ?? emptyLine((await ledger.sourceFile(rereads)) ?? entry.file);
    lines.set(rereads, line);
    line.documents++;
    if (passedWithWarnings(entry)) line.warnings++;
    if (isOfEarlier(entry, run)) earlier[entry.state] = (earlier[entry.state] ?? 0) + 1;
    if (waitsInError(entry)) folders.add(`error/${entry.file.day}`);
    if (isDismissed(entry)) line.setAside++;
    else line.counts[entry.state] = (line.counts[entry.state] ?? 0) + 1;
    addAmount(line.sent, entry);
  }
  return definedOnly({
    run,
    untoldSince: isLate ? since : undefined,
    seconds: Math.round((clock.now().getTime() - startedAt.getTime()) / 100) / 10,
    files: [...lines.values()].sort(byName).map(({ sent, ...line }) => ({
      ...line,
      sent: Object.fromEntries([...sent].map(([currency, amount]) => [currency, amount.toText(2)])),
    })),
    stops,
    queued: (await ledger.counts({ states: ['ready'] })).ready ?? 0,
    waiting: await waitingForPeople(ledger),
    waitingFiles: waitingFiles.length,
    earlier,
    inbox,
    expected: await expectedExports({ ledger, instance }, clock.now()),
    folders: [...folders].sort(),
    head: await chainHeadText(ledger),
  });
}

/** Not what was taken in before and sent now, as after a correction or a stop: that is work of this run. */
function waitsInError(entry: LedgerEntry): boolean {
  const { actor, folder } = stateInfo(entry.state);
  return folder === 'error' && (actor !== 'nobody' || entry.state === 'invalidated') && !isDismissed(entry);
}

function isOfEarlier({ file, attempts }: LedgerEntry, run: string): boolean {
  const own = new Set(attempts.filter((one) => one.run === run).map(({ act }) => act));
  return file.run !== run && own.has('consult') && !own.has('submit');
}

function isUnreadable(file: SourceFile): boolean {
  return file.state === 'refused' || isSourceMissing(file);
}

/** Several files are taken at once: by their names the table is the same whatever came first. */
function byName(a: Line, b: Line): number {
  return compareTexts(a.file, b.file);
}

/** Documents of any run that a person has something to do about. */
async function waitingForPeople(ledger: RunContext['ledger']): Promise<number> {
  let waiting = 0;
  for (const [state, count] of Object.entries(await ledger.counts())) {
    if (['finance', 'support', 'admin'].includes(stateInfo(state as State).actor)) waiting += count;
  }
  for await (const entry of ledger.find({ states: ['invalid'] })) if (isDismissed(entry)) waiting--;
  return waiting;
}

export async function chainHeadText(ledger: Pick<RunContext['ledger'], 'chainHead'>): Promise<string | null> {
  const head = await ledger.chainHead();
  return head ? headText(head) : null;
}

type Line = ReturnType<typeof emptyLine>;

function emptyLine(file: SourceFile) {
  const { name, state, rows, faults } = file;
  const counts: { [state in State]?: number } = {};
  const corrections = isCorrectionRecord(file) ? { corrections: correctionTally(file) } : {};
  const sent = new Map<string, Decimal>();
  return { file: name, state, documents: 0, rows, ...corrections, counts, warnings: 0, setAside: 0, sent, faults };
}

/** Credit notes carry positive amounts and take away from what was invoiced, as in the books they are compared with. */
function addAmount(sent: Map<string, Decimal>, { state, facts, class: documentClass }: LedgerEntry): void {
  const amount = state === 'authorized' && facts.amount !== undefined ? Decimal.parse(facts.amount) : undefined;
  if (!amount) return;
  const currency = facts.currency ?? '';
  const before = sent.get(currency) ?? Decimal.zero;
  sent.set(currency, documentClass === 'credit-note' ? before.minus(amount) : before.plus(amount));
}

const needed = (line: FileLine, actors: readonly string[]) =>
  Object.entries(line.counts).reduce(
    (sum, [state, count]) => sum + (actors.includes(stateInfo(state as State).actor) ? count : 0),
    0,
  );

/** What the system refuses is no fault of the file: it is taken by itself once there is room, a right, an open file less. */
const SYSTEM_REFUSES: ReadonlySet<string> = new Set([
  'inbox/read-only',
  'inbox/disk-full',
  'inbox/too-many-open-files',
  'inbox/cannot-take',
]);

/** Exports that stay in the inbox because the system refused. */
export function filesNotTaken({ inbox }: Pick<RunReport, 'inbox'>): number {
  return inbox.filter(({ code }) => SYSTEM_REFUSES.has(code)).length;
}

/** Documents that wait for a person, files nobody could make documents of, and what cannot be taken at all. */
export function needPeople({ files, inbox }: RunReport): number {
  const refused = inbox.filter(isError).length - filesNotTaken({ inbox });
  return files.reduce((sum, line) => sum + waitingIn(line), refused);
}

function waitingIn(line: FileLine): number {
  const documents = needed(line, ['finance', 'support', 'admin']) + (line.counts.invalidated ?? 0);
  return documents + (line.state === 'refused' || line.faults.some(isError) ? 1 : 0);
}

/** Also where a person corrected something that was not accepted, or a copy is missing. */
function waitsForPerson(line: FileLine): boolean {
  return waitingIn(line) > 0 || (line.corrections?.refused ?? 0) > 0 || isSourceMissing(line);
}

export function missingExports({ expected }: Pick<RunReport, 'expected'>): number {
  return expected.filter(({ state }) => state === 'missing').length;
}

const COLUMNS = {
  authorized: ['authorized'],
  toCorrect: ['invalid', 'rejected'],
  numberUsed: ['conflict'],
  toVerify: ['in-doubt', 'returned', 'refused'],
  support: ['failed'],
  contingency: ['contingency'],
  held: ['held'],
  queued: ['ready', 'sending'],
  duplicate: ['duplicate'],
  invalidated: ['invalidated'],
} as const satisfies { readonly [column in keyof typeof REPORT_TABLE]?: readonly State[] };

const COLUMN_NAMES = Object.keys(COLUMNS) as readonly (keyof typeof COLUMNS)[];

export function printRunReport(session: Session, report: RunReport): void {
  const { options, terminal } = session;
  if (options.json) terminal.out(JSON.stringify(report, null, 2));
  else if (
    !options.quiet ||
    needPeople(report) > 0 ||
    missingExports(report) + filesNotTaken(report) > 0 ||
    report.stops.length > 0
  )
    showTable(session, report);
}

function showTable({ options, terminal, instance }: Session, report: RunReport): void {
  const { language } = instance.settings.rules;
  const say = (phrase: Message) => format(phrase, language);
  const shown = COLUMN_NAMES.filter(
    (name) => name === 'authorized' || report.files.some((line) => documentsOf(line, COLUMNS[name]) > 0),
  );
  const warnings = report.files.reduce((sum, line) => sum + line.warnings, 0);
  const setAside = report.files.reduce((sum, line) => sum + line.setAside, 0);
  const columns: Column[] = [
    { title: say(REPORT_TABLE.file()) },
    { title: say(REPORT_TABLE.docs()), align: 'right' },
    ...shown.map((name): Column => ({ title: say(REPORT_TABLE[name]()), align: 'right' })),
    ...(warnings > 0 ? [{ title: say(REPORT_TABLE.warnings()), align: 'right' } as const] : []),
    ...(setAside > 0 ? [{ title: say(REPORT_TABLE.dismissed()), align: 'right' } as const] : []),
    { title: say(REPORT_TABLE.sent()), align: 'right' },
  ];
  const { each, others } = foldedLines(report.files, waitsForPerson);
  const rowOf = (line: FileLine, name = line.file) => [
    name,
    say(documentsIn(line)),
    ...shown.map((name) => (hasDocuments(line) ? String(documentsOf(line, COLUMNS[name])) : '')),
    ...(warnings > 0 ? [hasDocuments(line) ? String(line.warnings) : ''] : []),
    ...(setAside > 0 ? [hasDocuments(line) ? String(line.setAside) : ''] : []),
    Object.entries(line.sent)
      .map(([currency, amount]) => `${grouped(amount, language)} ${currency}`.trim())
      .join(' + '),
  ];
  const rows = each.map((line) => rowOf(line));
  if (others) rows.push(rowOf(others.line, say(REPORT_COUNT.otherFiles({ count: others.files }))));
  if (rows.length > 0) terminal.out(table(columns, rows));
  else terminal.out(`  ${say(REPORT.nothingNew())}`);
  if (report.untoldSince !== undefined) terminal.out(`  ${say(REPORT.interruptedRuns({ since: report.untoldSince }))}`);
  // Told as it happened, unless nobody listened.
  if (options.quiet)
    for (const fault of report.inbox.filter(isError)) terminal.out(`  ${showFaultIn(fault, language)}`);
  for (const line of expectedLines(report.expected, language)) terminal.out(line);
  const earlier = Object.entries(report.earlier).map(([state, count]) => stateCount(count, state as State));
  if (earlier.length > 0) terminal.out(`  ${say(REPORT.earlier({ documents: earlier }))}`);
  if (warnings > 0) {
    const { run, untoldSince } = report;
    const which = untoldSince === undefined ? `--run ${run}` : `--since ${untoldSince}`;
    const command = `nightpost errors --warnings ${which}`;
    terminal.out(`  ${say(REPORT.warnings({ documents: COUNT.passedWithWarnings({ count: warnings }), command }))}`);
  }
  terminal.out(verdictLine(report, language));
  if (needPeople(report) > 0) {
    const readmes = report.folders.map((folder) => `${instance.folder}/${folder}/README.txt`);
    terminal.out(`  ${say(readmes.length > 0 ? REPORT.receiptsAndReadmes({ readmes }) : REPORT.receipts())}`);
  }
}

function hasDocuments({ state, corrections }: FileLine): boolean {
  return state === 'admitted' && !corrections;
}

/** Of a correction file what became of it: the documents stand in the line of their export. */
function documentsIn({ state, documents, corrections }: FileLine): Message {
  if (!corrections) return state === 'admitted' ? REPORT.number({ count: documents }) : FILE_STATE[state]();
  return correctionCounts(corrections) ?? CORRECTIONS.none();
}

function verdictLine(report: RunReport, language: Language): string {
  const say = (phrase: Message) => format(phrase, language);
  const totals = new Map<string, { readonly state: State; readonly count: number }>();
  for (const line of report.files) {
    for (const [state, count] of Object.entries(line.counts)) {
      const { actor } = stateInfo(state as State);
      const word = wordOf(state as State, language);
      if (actor !== 'nobody' && actor !== 'machine')
        totals.set(word, { state: state as State, count: (totals.get(word)?.count ?? 0) + count });
    }
  }
  const refused = report.files.filter(({ state }) => state === 'refused').length;
  const parts: Message[] = [...totals.values()].map(({ state, count }) => stateCount(count, state));
  if (refused > 0) parts.push(REPORT_COUNT.filesRefused({ count: refused }));
  const missing = report.files.filter(isSourceMissing).length;
  if (missing > 0) parts.push(REPORT_COUNT.sourcesMissing({ count: missing }));
  const corrections = report.files.reduce((sum, file) => sum + (file.corrections?.refused ?? 0), 0);
  if (corrections > 0) parts.push(REPORT_COUNT.correctionsRefused({ count: corrections }));
  const refusedBySystem = filesNotTaken(report);
  if (refusedBySystem > 0) parts.push(REPORT_COUNT.notImported({ count: refusedBySystem }));
  const left = report.inbox.filter(isError).length - refusedBySystem;
  if (left > 0) parts.push(REPORT_COUNT.refusedInInbox({ count: left }));
  const notArrived = missingExports(report);
  if (notArrived > 0) parts.push(REPORT_COUNT.exportsMissing({ count: notArrived }));
  const stops = report.stops.map(({ service, cause, mapping }) =>
    mapping === undefined ? REPORT.serviceStopped({ service, cause }) : REPORT.mappingStopped({ mapping, cause }),
  );
  if (report.queued > 0) parts.push(REPORT.queued({ count: report.queued }));
  const verdict = [...parts, ...stops].map(say).join(', ');
  const head = `  ${say(REPORT.run({ run: report.run }))}   ${durationText(report.seconds)}   `;
  if (verdict !== '') return head + bold(yellow(verdict));
  const before = fromBefore(report);
  return head + (before ? say(before) : green(say(REPORT.nothingToDo())));
}

function fromBefore({ waiting, waitingFiles }: RunReport): Message | undefined {
  if (waitingFiles === 0) return waiting === 0 ? undefined : REPORT_COUNT.fromBefore({ count: waiting });
  if (waiting === 0) return REPORT_COUNT.filesFromBefore({ count: waitingFiles });
  const documents = COUNT.document({ count: waiting });
  return REPORT.bothFromBefore({ documents, files: COUNT.file({ count: waitingFiles }) });
}

function documentsOf(line: FileLine, states: readonly State[]): number {
  return states.reduce((sum, state) => sum + (line.counts[state] ?? 0), 0);
}

/** 1482310.22 -> 1 482 310.22, with blanks that do not break; in French with a comma. El Salvador writes a point. */
export function grouped(amount: string, language: Language): string {
  const [whole = '', cents] = amount.split('.');
  return (
    whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') +
    (cents === undefined ? '' : `${language === 'fr' ? ',' : '.'}${cents}`)
  );
}
