/**
 * The control totals of the last night, and whether its exports came whole, for pages and programs that ask often: both read many
 * documents, so they are kept until something in the ledger changes. A page does not wait for those of a large run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ledgerSiteOf } from '../../instance/ledger-site-of.ts';
import type { Expected } from '../../pipeline/intake/expected-exports.ts';
import { openLedgerChanges } from '../../search/ledger-changes.ts';
import type { RecordedRun } from '../../views/queries/recorded-runs.ts';
import { completenessOf } from '../../views/reporting/completeness.ts';
import { type NightTotals, nightTotals } from '../../views/reporting/night-totals.ts';
import type { NightReport } from '../../views/reporting/report-shape.ts';
import { keepAnswers } from './kept-answers.ts';
import type { ScreenContext } from './screen-context.ts';

/** How long a page waits for them. */
const SOON_MS = 250;

type Place = Pick<ScreenContext, 'instance' | 'acts' | 'look'>;

const keepTotals = keepAnswers<NightTotals>();
const keepCompleteness = keepAnswers<NightReport['expected']>();

/** Undefined while the run is at work, `adding` while the documents are added up. */
export async function sumsOf(
  { instance, acts, look }: Place,
  { id: run, outcome }: Pick<RecordedRun, 'id' | 'outcome'>,
): Promise<NightTotals | 'adding' | undefined> {
  if (outcome === 'running') return undefined;
  return await soon(keptTotals({ instance, acts, look }, run), 'adding');
}

/** As soon as they are added up. */
export async function keptTotals({ instance, acts, look }: Place, run: string): Promise<NightTotals> {
  const { folder } = instance;
  const version = `${run} ${await placeOf(instance)}`;
  // In a look of its own: the page may be answered before.
  return await keepTotals({ folder, acts }, { key: run, version }, () =>
    look(({ ledger }) => nightTotals(ledger.reports, run)),
  );
}

/** With arrivals, rows and control files, as the report has them; without them while they are looked up. */
export async function completenessNow(
  { instance, acts, look }: Place,
  expected: readonly Expected[],
): Promise<NightReport['expected']> {
  if (expected.length === 0) return [];
  const { folder } = instance;
  const key = JSON.stringify(expected);
  const found = keepCompleteness({ folder, acts }, { key, version: `${key} ${await placeOf(instance)}` }, () =>
    look(({ ledger }) => completenessOf({ instance, ledger }, expected)),
  );
  return await soon(found, expected);
}

async function placeOf(instance: ScreenContext['instance']): Promise<string> {
  await using changes = await openLedgerChanges(ledgerSiteOf(instance));
  return (await changes.since(undefined)).place;
}

async function soon<T, U>(answer: Promise<T>, otherwise: U): Promise<T | U> {
  const waited = new AbortController();
  const { signal } = waited;
  const enough = pause(SOON_MS, otherwise, { signal, ref: false }).catch(() => otherwise);
  try {
    return await Promise.race([answer, enough]);
  } finally {
    waited.abort();
  }
}
