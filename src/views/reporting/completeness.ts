/**
 * Is a night complete: when each expected export arrived, whether its rows are as many as usual, and whether it has what
 * control files of the ERP state. Expected exports and the ledger come in; they come out with what was found. Reads only.
 */
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isExport, type SourceFile } from '../../model/ledger-entry.ts';
import { withCents } from '../../model/signed-sums.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import { countsFor, type Expected } from '../../pipeline/intake/expected-exports.ts';
import { matchesName } from '../../text/glob.ts';
import { accountFiles, countFile } from '../queries/file-accounts.ts';
import type { NightReport } from './report-shape.ts';

type Reported = NightReport['expected'][number];
type Expectation = RunContext['instance']['settings']['expect'][number];
type Place = Pick<RunContext, 'instance' | 'ledger'>;

/** Earlier files that are looked through for those of one name, a page at a time. */
const [PAGE, MOST_PAGES] = [500, 20];
/** Fewer earlier files do not show what is usual. */
const LEAST_FILES = 10;
/** The middle 90 %: of 20 files the smallest and the largest are outside. */
const OUTSIDE = 0.05;

export async function completenessOf(place: Place, expected: readonly Expected[]): Promise<readonly Reported[]> {
  if (expected.length === 0) return [];
  const since = expected.map((one) => one.since).reduce((first, one) => (one < first ? one : first));
  const files = await place.ledger.queries.files({ since, limit: Number.MAX_SAFE_INTEGER });
  const rules = new Map(place.instance.settings.expect.map((rule) => [rule.name, rule]));
  const reported: Reported[] = [];
  for (const one of expected) {
    const rule = rules.get(one.name);
    const came = arrivedFiles(one, files);
    const like = came.length > 0 && !rule?.rows ? rule?.like : undefined;
    const earlier = like === undefined ? [] : await earlierRows(place.ledger, one, like);
    reported.push(
      definedOnly({
        ...one,
        ...judgeArrival(one, came, { rule, earlier }),
        controls: rule?.controls && (await controlsOf(place, rule, one, { came, files })),
      }),
    );
  }
  return reported;
}

/** The oldest first. */
export function arrivedFiles(one: Expected, files: readonly SourceFile[]): readonly SourceFile[] {
  return files.filter((file) => isOf(one, file) && file.state === 'admitted').toReversed();
}

type Judged = Pick<Reported, 'arrivedAt' | 'lateSeconds' | 'rows' | 'usual' | 'unusual'>;

/** When the export came and whether its rows are as many as usual; `earlier`: rows of files of its name before. Pure. */
export function judgeArrival(
  one: Pick<Expected, 'due'>,
  came: readonly SourceFile[],
  { rule, earlier }: { readonly rule: Pick<Expectation, 'rows'> | undefined; readonly earlier: readonly number[] },
): Judged {
  return { ...arrivalOf(one, came), ...(rule && came.length > 0 ? rowsOf(rule, came, earlier) : {}) };
}

function isOf(one: Expected, file: SourceFile): boolean {
  return isExport(file) && countsFor(one, file) && matchesName(one.files, file.name);
}

function arrivalOf(
  { due }: Pick<Expected, 'due'>,
  [first]: readonly SourceFile[],
): Pick<Reported, 'arrivedAt' | 'lateSeconds'> {
  if (!first) return {};
  const lateMs = Date.parse(first.claimedAt) - Date.parse(due);
  return definedOnly({ arrivedAt: first.claimedAt, lateSeconds: lateMs > 0 ? Math.round(lateMs / 1000) : undefined });
}

/** All files together against the settings, each file against earlier ones. */
function rowsOf(
  rule: Pick<Expectation, 'rows'>,
  came: readonly SourceFile[],
  earlier: readonly number[],
): Pick<Reported, 'rows' | 'usual' | 'unusual'> {
  const rows = came.reduce((sum, file) => sum + file.rows, 0);
  if (rule.rows) {
    return definedOnly({
      rows,
      usual: { ...definedOnly(rule.rows), from: 'settings' as const },
      unusual: outside(rule.rows, [rows]),
    });
  }
  const usual = usualRows(earlier);
  if (!usual) return { rows };
  const each = came.map((file) => file.rows);
  return definedOnly({ rows, usual: { ...usual, from: 'earlier-files' as const }, unusual: outside(usual, each) });
}

function outside(
  { min = 0, max = Number.POSITIVE_INFINITY }: { readonly min?: number | undefined; readonly max?: number | undefined },
  rows: readonly number[],
): 'few' | 'many' | undefined {
  if (rows.some((count) => count < min)) return 'few';
  return rows.some((count) => count > max) ? 'many' : undefined;
}

/** Rows of the last files of this name before the hour since which files count. */
async function earlierRows(ledger: Place['ledger'], one: Expected, last: number): Promise<readonly number[]> {
  const rows: number[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES && rows.length < last; page++) {
    const files = await ledger.queries.files(definedOnly({ whole: true as const, limit: PAGE, after }));
    for (const file of files) {
      if (
        file.state === 'admitted' &&
        isExport(file) &&
        file.claimedAt <= one.since &&
        matchesName(one.files, file.name)
      )
        rows.push(file.rows);
    }
    after = files.at(-1)?.id;
    if (files.length < PAGE || after === undefined) break;
  }
  return rows.slice(0, last);
}

/** Undefined while there are too few files to know what is usual. */
function usualRows(rows: readonly number[]): { readonly min: number; readonly max: number } | undefined {
  if (rows.length < LEAST_FILES) return undefined;
  const sorted = rows.toSorted((a, b) => a - b);
  const out = Math.max(1, Math.floor(sorted.length * OUTSIDE));
  const [min, max] = [sorted[out], sorted[sorted.length - 1 - out]];
  return min === undefined || max === undefined ? undefined : { min, max };
}

type Came = { readonly came: readonly SourceFile[]; readonly files: readonly SourceFile[] };

/** Sums of all control files since the hour before, against all files that came since then. */
async function controlsOf(
  place: Place,
  rule: Expectation,
  one: Expected,
  { came, files }: Came,
): Promise<Reported['controls']> {
  const stated = (await place.ledger.reports.controlFilesAfter(one.since)).filter(
    ({ expect, at }) => expect === rule.name && countsFor(one, { claimedAt: at }),
  );
  if (stated.length === 0) return { files: [] };
  const names = stated.map(({ name }) => name);
  const problem = stated.find((file) => file.problem !== undefined)?.problem;
  if (problem !== undefined) return { files: names, problem };
  const read = await readOf(place, came, files);
  const documents = sumOf(stated.map((file) => file.documents));
  const amounts = stated.flatMap(({ amount }) => (amount === undefined ? [] : [Decimal.parse(amount) ?? Decimal.zero]));
  const amount = amounts.length === 0 ? undefined : amounts.reduce((sum, next) => sum.plus(next), Decimal.zero);
  return definedOnly({
    files: names,
    documents:
      documents === undefined
        ? undefined
        : { stated: documents, read: read.documents, difference: read.documents - documents },
    amount: amount && {
      stated: withCents(amount),
      read: withCents(read.amount),
      difference: withCents(read.amount.minus(amount)),
    },
  });
}

function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

/** Documents by the account of each export; amounts with those of documents that were corrected since. */
async function readOf({ instance, ledger }: Place, came: readonly SourceFile[], files: readonly SourceFile[]) {
  const ids = new Set(came.map(({ id }) => id));
  const again = files.filter(({ rereads }) => rereads !== undefined && ids.has(rereads));
  const all = [...came, ...again];
  const accounts = await accountFiles({ instance, ledger }, all);
  let documents = 0;
  let amount = Decimal.zero;
  for (const [at, file] of all.entries()) {
    const account = accounts[at] ?? (await countFile(ledger, file));
    const { outbox, pending, error, corrected } = account.documents;
    if (file.rereads === undefined) documents += outbox + pending + error + corrected;
    for (const { read } of account.totals) amount = amount.plus(Decimal.parse(read.amount) ?? Decimal.zero);
  }
  return { documents, amount };
}
