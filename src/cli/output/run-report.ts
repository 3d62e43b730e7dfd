/**
 * The report of a run as data: for each file its documents by state and the amounts sent. The ledger and the stops of
 * the run come in; the object that --json prints comes out.
 */

import type { RunTotals } from '../../ledger/contract/run-record.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, isError } from '../../model/fault.ts';
import {
  isClosed,
  isSourceMissing,
  type LedgerEntry,
  passedWithWarnings,
  type SourceFile,
} from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { type State, stateInfo } from '../../model/state.ts';
import type { RunContext, ServiceHalt } from '../../pipeline/context/run-context.ts';
import { type Expected, expectedExports } from '../../pipeline/intake/expected-exports.ts';
import { chainHeadText, waitingForPeople } from '../../pipeline/queries/instance-status.ts';
import { refusedFiles } from '../../pipeline/queries/refused-files.ts';
import { correctionTally, isCorrectionRecord } from '../../pipeline/reprocessing/correction-results.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import type { FileLine } from './night-lines.ts';

/** The object of `run --json`; times are ISO 8601 in UTC. */
export type RunReport = {
  readonly run: string;
  /** ISO 8601: the begin of this report, if interrupted runs before this one reported nothing. */
  readonly untoldSince?: string;
  readonly seconds: number;
  readonly files: readonly FileLine[];
  /** Refused files of `files`; the same bytes count once, as in `status` and `errors`. */
  readonly filesRefused: number;
  readonly stops: readonly ServiceHalt[];
  /** Documents of any run that wait to be sent. */
  readonly queued: number;
  /** Documents of any run that wait for a person. */
  readonly waiting: number;
  /** Refused files of any run that no one has replaced or set aside. */
  readonly waitingFiles: number;
  /** Documents that earlier runs imported and sent, by the state that consultations of this run found. */
  readonly earlier: { readonly [state in State]?: number };
  /** Entries of the inbox that cannot be imported: links, pipes, folders, files that the system refuses. */
  readonly inbox: readonly Fault[];
  /** The exports of the setting `expect`, each with its state. */
  readonly expected: readonly Expected[];
  /** Below the instance: the folders of the days with receipts and summaries that wait for a person. */
  readonly folders: readonly string[];
  /** The end of the chain of receipts, N:HASH, to be kept elsewhere; null while there is no receipt. */
  readonly head: string | null;
};

/** Files of this run, with what it did to documents of earlier ones; and what interrupted runs left unreported. */
export async function buildRunReport(
  { ledger, clock, run, startedAt, instance }: RunContext,
  stops: readonly ServiceHalt[],
  inbox: readonly Fault[] = [],
): Promise<RunReport> {
  const started = startedAt.toISOString();
  const unreportedSince = (await ledger.unreportedSince()) ?? started;
  const untoldSince = unreportedSince < started ? unreportedSince : undefined;
  const since = untoldSince ?? started;
  const imported = await ledger.files({
    ...(untoldSince === undefined ? { run } : { since }),
    limit: Number.MAX_SAFE_INTEGER,
  });
  const waitingFiles = await refusedFiles(ledger);
  // Files of earlier runs too, if this run found that they cannot be read or that their copy is missing.
  const unreadable = waitingFiles.filter(({ archivedAt = '' }) => archivedAt >= since);
  const tally = startTally(run, imported, unreadable);
  for await (const entry of ledger.find({ since })) await tally.add(ledger, entry);
  return definedOnly({
    run,
    untoldSince,
    seconds: Math.round((clock.now().getTime() - startedAt.getTime()) / 100) / 10,
    files: tally.fileLines(),
    filesRefused: countRefused([...imported, ...unreadable]),
    stops,
    queued: (await ledger.counts({ states: ['ready'] })).ready ?? 0,
    waiting: await waitingForPeople(ledger),
    waitingFiles: waitingFiles.length,
    earlier: tally.earlier,
    inbox,
    expected: await expectedExports({ ledger, instance }, clock.now()),
    folders: [...tally.folders].sort(),
    head: await chainHeadText(ledger),
  });
}

/** What the record of the run keeps of its report. */
export function totalsOf(report: RunReport): RunTotals {
  const { files, filesRefused, queued, waiting } = report;
  const documents: { [state in State]?: number } = {};
  const authorized = new Map<string, Decimal>();
  for (const { counts, sent } of files) {
    for (const [state, count] of Object.entries(counts) as [State, number][]) {
      documents[state] = (documents[state] ?? 0) + count;
    }
    for (const [currency, amount] of Object.entries(sent)) {
      const exact = must(Decimal.parse(amount), 'the amount of a report');
      authorized.set(currency, (authorized.get(currency) ?? Decimal.zero).plus(exact));
    }
  }
  return {
    files: files.length,
    filesRefused,
    exportsMissing: missingExports(report),
    documents,
    authorized: Object.fromEntries([...authorized].map(([currency, amount]) => [currency, amount.toText(2)])),
    queued,
    waiting,
  };
}

/** Different contents of refused files. */
function countRefused(files: readonly SourceFile[]): number {
  return new Set(files.flatMap(({ state, sha256 }) => (state === 'refused' ? [sha256] : []))).size;
}

/** The same for a watch, which has no report: it may be months of documents, so amounts are not added up. */
export async function totalsOfWatch({ ledger, run, clock, instance }: RunContext): Promise<RunTotals> {
  const files = await ledger.files({ run, limit: Number.MAX_SAFE_INTEGER });
  const expected = await expectedExports({ ledger, instance }, clock.now());
  return {
    files: files.length,
    filesRefused: countRefused(files),
    exportsMissing: missingExports({ expected }),
    documents: await ledger.counts({ run }),
    authorized: {},
    queued: (await ledger.counts({ states: ['ready'] })).ready ?? 0,
    waiting: await waitingForPeople(ledger),
  };
}

/** Whether the receipt is in error/ and needs a person. */
function waitsInError(entry: LedgerEntry): boolean {
  const { actor, folder } = stateInfo(entry.state);
  return folder === 'error' && (actor !== 'nobody' || entry.state === 'invalidated') && !isClosed(entry);
}

/** An earlier run imported it and this run only consulted; a document that this run sends is work of this run. */
function isOfEarlier({ file, attempts }: LedgerEntry, run: string): boolean {
  const own = new Set(attempts.filter((one) => one.run === run).map(({ act }) => act));
  return file.run !== run && own.has('consult') && !own.has('submit');
}

function isUnreadable(file: SourceFile): boolean {
  return file.state === 'refused' || isSourceMissing(file);
}

/** Files are imported in parallel: sorted by name, the table does not depend on their order. */
function byName(a: Line, b: Line): number {
  return compareTexts(a.file, b.file);
}

/** Counts documents in the line of the export that they were first read from. */
function startTally(run: string, imported: readonly SourceFile[], unreadable: readonly SourceFile[]) {
  const lines = new Map<string, Line>();
  const earlier: { [state in State]?: number } = {};
  const folders = new Set([...imported, ...unreadable].filter(isUnreadable).map(({ day }) => `error/${day}`));
  const exports = imported.filter(({ rereads }) => rereads === undefined).toReversed();
  for (const file of [...exports, ...unreadable]) if (!lines.has(file.id)) lines.set(file.id, emptyLine(file));
  const add = async (ledger: RunContext['ledger'], entry: LedgerEntry) => {
    const id = entry.file.rereads ?? entry.file.id;
    const line = lines.get(id) ?? emptyLine((await ledger.sourceFile(id)) ?? entry.file);
    lines.set(id, line);
    line.documents++;
    if (passedWithWarnings(entry)) line.warnings++;
    if (isOfEarlier(entry, run)) countIn(earlier, entry.state);
    if (waitsInError(entry)) folders.add(`error/${entry.file.day}`);
    if (isClosed(entry)) line.setAside++;
    else countIn(line.counts, entry.state);
    addAmount(line.sent, entry);
  };
  const fileLines = (): readonly FileLine[] =>
    [...lines.values()].sort(byName).map(({ sent, ...line }) => ({
      ...line,
      sent: Object.fromEntries([...sent].map(([currency, amount]) => [currency, amount.toText(2)])),
    }));
  return { add, fileLines, earlier, folders };
}

function countIn(counts: { [state in State]?: number }, state: State): void {
  counts[state] = (counts[state] ?? 0) + 1;
}

type Line = ReturnType<typeof emptyLine>;

function emptyLine(file: SourceFile) {
  const { name, state, rows, faults } = file;
  const counts: { [state in State]?: number } = {};
  const corrections = isCorrectionRecord(file) ? { corrections: correctionTally(file) } : {};
  const sent = new Map<string, Decimal>();
  return { file: name, state, documents: 0, rows, ...corrections, counts, warnings: 0, setAside: 0, sent, faults };
}

/** Authorized amounts only. Credit notes have positive amounts and subtract, as in the books of the company. */
function addAmount(sent: Map<string, Decimal>, { state, facts, class: documentClass }: LedgerEntry): void {
  if (state !== 'authorized' || facts.amount === undefined) return;
  const amount = Decimal.parse(facts.amount);
  if (!amount) return;
  const currency = facts.currency ?? '';
  const before = sent.get(currency) ?? Decimal.zero;
  sent.set(currency, documentClass === 'credit-note' ? before.minus(amount) : before.plus(amount));
}

/** Documents of the line whose state waits for one of these actors. */
const needed = (line: FileLine, actors: readonly string[]) =>
  Object.entries(line.counts)
    .filter(([state]) => actors.includes(stateInfo(state as State).actor))
    .reduce((sum, [, count]) => sum + count, 0);

/** A refusal of the system is not a fault of the file: a later run imports it once the cause is gone. */
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

/** Documents that wait for a person, files without documents, and what cannot be imported at all. */
export function needPeople({ files, inbox }: RunReport): number {
  const refused = inbox.filter(isError).length - filesNotTaken({ inbox });
  return files.reduce((sum, line) => sum + waitingIn(line), refused);
}

function waitingIn(line: FileLine): number {
  const documents = needed(line, ['finance', 'support', 'admin']) + (line.counts.invalidated ?? 0);
  return documents + Number(line.state === 'refused' || line.faults.some(isError));
}

/** Also if a correction was refused, or a copy is missing. */
export function isLineForPerson(line: FileLine): boolean {
  return waitingIn(line) > 0 || (line.corrections?.refused ?? 0) > 0 || isSourceMissing(line);
}

/** Expected exports that are missing: they make the exit code 7. */
export function missingExports({ expected }: Pick<RunReport, 'expected'>): number {
  return expected.filter(({ state }) => state === 'missing').length;
}
