/** The console, the report and the metrics on a PostgreSQL ledger, next to a worker at work: pages, acts, search, changes. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ledgerSiteOf } from '../../../src/instance/ledger-site-of.ts';
import { lookIntoLedgerOf } from '../../../src/runs/open-run.ts';
import { openLedgerChanges } from '../../../src/search/ledger-changes.ts';
import type { LedgerTally } from '../../../src/search/ledger-sums.ts';
import { tallyLedger } from '../../../src/search/ledger-tally.ts';
import { openSearchIndex, openSearchIndexUnfilled, SearchNotReadyError } from '../../../src/search/search-index.ts';
import { readCarriedSums } from '../../../src/views/metrics/carried-sums.ts';
import { exposition } from '../../../src/views/metrics/exposition.ts';
import { readMetrics } from '../../../src/views/metrics/read-metrics.ts';
import { ask, csrfIn, SAME_ORIGIN, signInAs } from '../../console/console.ts';
import { addressesOf, type FullScene, openFullScene } from '../../console/every-screen.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { openPostgresScene } from './scene.ts';

/** Without the transactions up to which was counted: those of others, in their own schemas, move them. */
function countsOf({ sums: { attempts: _, outcomes, ...sums }, states }: LedgerTally) {
  const inOrder = <T>(items: readonly T[]) => items.map((item) => JSON.stringify(item)).sort();
  return { ...sums, outcomes: inOrder(outcomes), states: inOrder(states) };
}

/** Exports are expected since the first run: of two days ago, so that one did not come. */
async function makeOlder(scene: Scene): Promise<void> {
  const driver = await openDriver(await ledgerSiteOf(scene.instance()).postgres!());
  const before = new Date(Date.now() - 2 * 86_400_000).toISOString();
  await driver.write(async (sql) => await sql.run('UPDATE run SET started_at = ?, ended_at = ?', before, before));
}

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await wait(25);
}

/** Next to the worker: a look takes no lock. */
async function stateOf(scene: Scene, number: string): Promise<string | undefined> {
  await using ledger = await lookIntoLedgerOf(scene.instance());
  for await (const { facts, state } of ledger.queries.find({})) if (facts.identifier === number) return state;
  return undefined;
}

/** Every page, as an administrator sees it. */
async function statusesOf(full: FullScene): Promise<readonly string[]> {
  const { scene, open } = full;
  const session = await signInAs(scene, open, 'admin');
  const missing = ['/nowhere', '/documents/nothing', '/people/nobody'];
  const wrong: string[] = [];
  for (const path of addressesOf(full, 'nobody')) {
    const { status } = await ask(open, `${open.base}${path}`, { headers: session });
    if (status !== (missing.includes(path) ? 404 : 200)) wrong.push(`${status} ${path}`);
  }
  return wrong;
}

/** The form of a page, sent as the browser sends it. */
async function setAside({ scene, open, ids }: FullScene, number: string): Promise<string> {
  const session = await signInAs(scene, open, 'operator');
  const { body } = await ask(open, `${open.base}/work?id=${ids[number]}&act=set-aside`, { headers: session });
  const hidden = [...body.slice(body.indexOf('id="act"')).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
  const form = { ...fields, csrf: csrfIn(body), reason: 'next to a worker' };
  const { headers } = await ask(open, `${open.base}/acts`, { headers: { ...session, ...SAME_ORIGIN }, form });
  return String(headers.location);
}

test('pages, acts, search, changes, report and metrics', { timeout: 240_000 }, async () => {
  await using full = await openFullScene(openPostgresScene, makeOlder);
  const { scene, open, ids } = full;
  const site = ledgerSiteOf(scene.instance());
  using index = await openSearchIndex(site);
  expect(index.inMemory).toBe(false);
  expect(await index.search('B1', 5)).toEqual([{ id: ids.B1, match: 'number' }]);
  expect((await index.page({ states: ['invalid'] }, { limit: 50 })).ids).toContain(ids.B2);
  const counted = await tallyLedger(site);
  expect(countsOf(await tallyLedger(site, counted.sums))).toEqual(countsOf(counted));
  await using changes = await openLedgerChanges(site);
  const { place } = await changes.since(undefined);

  const stop = new AbortController();
  const over = scene.night({ watch: true, stop: stop.signal });
  try {
    scene.drop('ventes6.csv', sales(['G1', 'G2']));
    for (const sent of ['G1', 'G2']) await until(async () => (await stateOf(scene, sent)) === 'authorized');
    const location = await setAside(full, 'B2');
    const session = await signInAs(scene, open, 'viewer');
    expect((await ask(open, location, { headers: session })).body).toContain('next to a worker');
    expect(await statusesOf(full)).toEqual([]);
    while (await index.catchUp());
    expect((await index.search('G2', 5)).map(({ match }) => match)).toEqual(['number']);
    const changed = await changes.since(place);
    expect(changed.documents).toContain(ids.B2);
    expect(changed.documents).toEqual(expect.arrayContaining((await index.search('ventes6', 5)).map(({ id }) => id)));
    const next = await tallyLedger(site, counted.sums);
    expect(countsOf(next)).toEqual(countsOf(await tallyLedger(site)));
    const [before, after] = [counted, next].map(
      ({ sums }) => sums.outcomes.find(({ act, outcome }) => act === 'submit' && outcome === 'authorized')!.count,
    );
    expect(after! - before!).toBe(2);
  } finally {
    stop.abort();
    await over;
  }
  expect((await commandIn(scene, '--json', 'find', 'G1')).code).toBe(0);
  expect((await commandIn(scene, 'report', '--json')).code).toBe(0);
  const carried = readCarriedSums(scene.root);
  const metrics = await scene.look(async (ledger) => {
    const { samples } = await readMetrics({
      ...{ instance: scene.instance(), ledger, carried, isHolder: false, now: new Date() },
    });
    return exposition(samples);
  });
  expect(metrics).toMatch(/nightpost_documents\{.*authorized.*\} \d+/);
  expect(metrics).toMatch(/nightpost_requests_waiting 0/);
  expect(metrics).toMatch(/nightpost_ledger_replicas 0/);
  expect(metrics).toMatch(/nightpost_ledger_synchronous 0/);
  expect((await commandIn(scene, 'status')).code).not.toBe(1);
  expect(open.defects).toEqual([]);

  // A server that a dump was restored to counts from an earlier number.
  const later = 900_000_000_000_000;
  const driver = await openDriver(await site.postgres!());
  await driver.write(async (sql) => await sql.run('UPDATE event SET tx = ? WHERE entry = ?', later, ids.B1!));
  await scene.desk(async () => {});
  const [row] = await driver.read(async (sql) => await sql.all('SELECT MAX(tx) AS tx FROM event'));
  expect(Number(row!.tx)).toBeLessThan(later);
  expect((await changes.since(place)).documents).toContain(ids.B1);
});

test('a run keeps up an index that was read once, and makes none that may end with it', async () => {
  const scene = await openPostgresScene();
  const site = ledgerSiteOf(scene.instance());
  scene.drop('ventes-1.csv', sales(['F1']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  using index = openSearchIndexUnfilled(site);
  await expect(index.search('F1', 5)).rejects.toThrow(SearchNotReadyError);
  (await openSearchIndex(site))[Symbol.dispose]();
  scene.drop('ventes-2.csv', sales(['F2']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect(await index.search('F2', 5)).toHaveLength(1);
});
