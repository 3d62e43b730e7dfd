/**
 * Counts the documents of a night in the lines of the exports that they were first read from, and adds up the balance of
 * each. Files and entries of the ledger go in; lines come out.
 */

import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { NightDocument, ReportWindow } from '../../ledger/contract/report-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isClosed, isExport, isSourceMissing, type SourceFile } from '../../model/ledger-entry.ts';
import { SignedSums, signedAmount } from '../../model/signed-sums.ts';
import { type State, stateInfo } from '../../model/state.ts';
import { correctionTally, isCorrectionRecord } from '../../pipeline/reprocessing/correction-results.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import { accountFiles, countFile } from '../queries/file-accounts.ts';
import { type BalanceSheet, openBalance, settledOf } from './report-balance.ts';
import type { Balance, FileLine, Settled } from './report-shape.ts';

type Place = Parameters<typeof accountFiles>[0] & { readonly ledger: Ledger };

/** What a night did: the lines of its files, and what the accounts of these files add up to. */
export type NightTally = {
  readonly files: readonly FileLine[];
  readonly balance: Balance;
  readonly settled?: Settled;
  readonly rows: {
    readonly files: number;
    readonly rows: number;
    readonly unaccounted: number;
    readonly twice: number;
  };
  /** Documents of earlier runs by the state that consultations of this one found. */
  readonly earlier: { readonly [state in State]?: number };
  readonly folders: readonly string[];
  /** Milliseconds. */
  readonly longestAnswerMs?: number;
};

/** What a tally covers; `imported` and `unreadable` are files, the latest first. */
type Night = ReportWindow & {
  readonly imported: readonly SourceFile[];
  readonly unreadable: readonly SourceFile[];
};

/** Files whose accounts are read at a time. */
const PAGE = 128;

export async function tallyNight(place: Place, night: Night): Promise<NightTally> {
  const { imported, unreadable } = night;
  const found = startNight(place.ledger, night);
  for await (const page of place.ledger.reports.documentsIn(night)) {
    for (const document of page) addDocument(found, await found.lineOf(document.file), document, night);
  }
  const folders = [...imported, ...unreadable].filter(isUnreadable).map(({ day }) => `error/${day}`);
  const rows = await addAccounts(place, found);
  const { lines, whole, settled, earlier, longestAnswerMs } = found;
  return definedOnly({
    files: [...lines.values()].sort((a, b) => compareTexts(a.file, b.file)).map(finishedLine),
    balance: whole.balance(),
    settled: settledOf(settled.balance()),
    rows,
    earlier,
    folders: [...new Set([...folders, ...found.folders])].sort(),
    longestAnswerMs,
  });
}

/**
 * What is counted so far. `read`: files whose documents are in the balance, exports of this night and what was corrected of them. A
 * correction of an earlier export reads no document that its own night has not read.
 */
type Found = ReturnType<typeof startNight>;

function startNight(ledger: Ledger, { imported, unreadable }: Night) {
  const lines = new Map<string, Line>();
  const exports = imported.filter(({ rereads }) => rereads === undefined).toReversed();
  const own = exports.filter(({ report }) => report === undefined);
  for (const file of [...exports, ...unreadable]) if (!lines.has(file.id)) lines.set(file.id, emptyLine(file));
  const lineOf = async (file: SourceFile) => {
    const id = file.rereads ?? file.id;
    const known = lines.get(id) ?? emptyLine((await ledger.queries.sourceFile(id)) ?? file);
    lines.set(id, known);
    return known;
  };
  return {
    lines,
    lineOf,
    whole: openBalance(),
    /** Of documents that an earlier night has read. */
    settled: openBalance(),
    read: new Map(own.map((file) => [file.id, file])),
    earlier: {} as { [state in State]?: number },
    folders: new Set<string>(),
    longestAnswerMs: undefined as number | undefined,
  };
}

function addDocument(found: Found, line: Line, document: NightDocument, { since, until, run }: Night): void {
  const { file, state, longestMs } = document;
  countDocument(line, document);
  if (isOfEarlier(document, run)) countIn(found.earlier, state);
  if (waitsInError(document)) found.folders.add(`error/${file.day}`);
  if (longestMs > (found.longestAnswerMs ?? 0)) found.longestAnswerMs = longestMs;
  // A file that a signal kept an earlier run from reading to its end is read in this night.
  const { id, report, archivedAt = '' } = line.source;
  const isOpen = report === undefined && archivedAt >= since && archivedAt <= until.toISOString();
  if (found.read.has(id) || isOpen) found.read.set(file.id, file);
  if (!found.read.has(file.id)) {
    found.settled.addDocument(document);
    return;
  }
  found.whole.addDocument(document);
  sheetOf(line).addDocument(document);
}

/** The other side of the balance: what each file that was read has by its own account. */
async function addAccounts(place: Place, found: Found): Promise<NightTally['rows']> {
  const rows = { files: 0, rows: 0, unaccounted: 0, twice: 0 };
  const files = [...found.read.values()];
  for (let from = 0; from < files.length; from += PAGE) {
    const page = files.slice(from, from + PAGE);
    const accounts = await accountFiles(place, page);
    for (const [at, file] of page.entries()) {
      const account = accounts[at] ?? (await countFile(place.ledger, file));
      found.whole.addAccount(account);
      sheetOf(await found.lineOf(file)).addAccount(account);
      rows.files += Number(isExport(file));
      rows.rows += isExport(file) ? account.rows.read : 0;
      rows.unaccounted += file.state === 'loading' ? 0 : account.rows.unaccounted.count;
      rows.twice += account.rows.twice.count;
    }
  }
  return rows;
}

/** Whether the receipt is in error/ and needs a person. */
function waitsInError(document: NightDocument): boolean {
  const { actor, folder } = stateInfo(document.state);
  return folder === 'error' && (actor !== 'nobody' || document.state === 'invalidated') && !isClosed(document);
}

/** An earlier run imported it and this run only consulted; a document that this run sends is work of this run. */
function isOfEarlier({ file, acts }: NightDocument, run: string): boolean {
  return file.run !== run && acts.has('consult') && !acts.has('submit');
}

function isUnreadable(file: SourceFile): boolean {
  return file.state === 'refused' || isSourceMissing(file);
}

function countDocument(line: Line, document: NightDocument): void {
  line.documents++;
  if (document.warned) line.warnings++;
  if (isClosed(document)) line.setAside++;
  else countIn(line.counts, document.state);
  addAmount(line.sent, document);
}

function countIn(counts: { [state in State]?: number }, state: State): void {
  counts[state] = (counts[state] ?? 0) + 1;
}

type Line = ReturnType<typeof emptyLine>;

function emptyLine(file: SourceFile) {
  const { id, name, state, rows, faults } = file;
  const counts: { [state in State]?: number } = {};
  const corrections = isCorrectionRecord(file) ? { corrections: correctionTally(file) } : {};
  const sent = new SignedSums();
  const sheet: { open?: BalanceSheet } = {};
  return {
    source: file,
    id,
    file: name,
    state,
    documents: 0,
    rows,
    ...corrections,
    counts,
    warnings: 0,
    setAside: 0,
    sent,
    faults,
    sheet,
  };
}

function sheetOf({ sheet }: Line): BalanceSheet {
  sheet.open ??= openBalance();
  return sheet.open;
}

function finishedLine({ sent, sheet, source: _, ...line }: Line): FileLine {
  return definedOnly({
    ...line,
    faults: [...line.faults],
    sent: sent.amounts(),
    balance: sheet.open?.balance(),
  });
}

/** Authorized amounts only. */
function addAmount(sent: SignedSums, document: NightDocument): void {
  const amount = document.state === 'authorized' ? signedAmount(document) : undefined;
  if (amount) sent.add(document.facts.currency ?? '', amount);
}
