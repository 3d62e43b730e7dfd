/**
 * A night is stopped at the Nth write of the ledger and at the Nth file operation, for every N; what is left must be a
 * night that ends as if nothing had happened: nothing sent twice, every row in one place, no litter.
 *
 * After the stop everything fails, as for a process that is gone; the sandbox alone goes on, as a service does. The short
 * form takes every fifth file operation and every other write of the ledger, others for each seed; TORTURE=1 takes each.
 */
import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Driver } from '../src/database/database-driver.ts';
import { docMark } from '../src/model/correction.ts';
import type { LedgerEntry } from '../src/model/ledger-entry.ts';
import { stateInfo } from '../src/model/state.ts';
import { receiptObject } from '../src/pipeline/publishing/publish-results.ts';
import { readXlsxTable } from '../src/readers/xlsx/read-xlsx-table.ts';
import { openScene, type Scene, sales } from './night.ts';
import { proofOf } from './samples/night.ts';
import { seed } from './seed.ts';

/** Counts file operations and writes of the ledger; the Nth of the armed kind stops the program: all later ones fail. */
const fault = vi.hoisted(() => {
  const counts = { file: 0, ledger: 0 };
  let armed: { readonly kind: 'file' | 'ledger'; readonly n: number } | undefined;
  let gone = false;
  return {
    changing: ['rename', 'link', 'unlink', 'copyFile', 'writeFile', 'rm', 'mkdir', 'rmdir', 'chmod'] as const,
    arm: (kind: 'file' | 'ledger', n: number) => {
      counts[kind] = 0;
      armed = { kind, n };
      gone = false;
    },
    /** Whether it stopped. */
    disarm: () => {
      const stopped = gone;
      armed = undefined;
      gone = false;
      return stopped;
    },
    step: (kind: 'file' | 'ledger', what: string) => {
      if (++counts[kind] === armed?.n && kind === armed.kind) gone = true;
      if (gone) throw new Error(`stopped before ${what}`);
    },
    isGone: () => gone,
  };
});

vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const counted = Object.fromEntries(
    fault.changing.map((name) => [
      name,
      async (...given: unknown[]) => {
        fault.step('file', name);
        return await (real[name] as (...given: unknown[]) => Promise<unknown>)(...given);
      },
    ]),
  );
  const open = async (...given: Parameters<typeof real.open>) => {
    const flags = given[1];
    if (typeof flags === 'string' && flags !== 'r') fault.step('file', 'open');
    const handle = await real.open(...given);
    const sync = handle.sync.bind(handle);
    const writeFile = handle.writeFile.bind(handle);
    handle.sync = async () => {
      fault.step('file', 'sync');
      await sync();
    };
    handle.writeFile = async (...content: Parameters<typeof writeFile>) => {
      fault.step('file', 'write');
      await writeFile(...content);
    };
    return handle;
  };
  return { ...real, ...counted, open, default: { ...real, ...counted, open } };
});

/** The driver of a program that may stop before or after a write is durable. */
function mortal(when: 'before' | 'after') {
  return (driver: Driver): Driver => ({
    read: async (work) => {
      if (fault.isGone()) throw new Error('stopped');
      return await driver.read(work);
    },
    write: async (work) => {
      const before = fault.isGone();
      try {
        fault.step('ledger', 'write');
      } catch (error) {
        if (!before && when === 'after') await driver.write(work);
        throw error;
      }
      return await driver.write(work);
    },
    close: driver.close,
  });
}

let scene: Scene;

beforeEach(async () => {
  scene = await openScene({ services: { fr: { concurrency: 2 } } });
});

afterEach(async () => {
  fault.disarm();
  await scene[Symbol.asyncDispose]();
});

/** Numbers differ from round to round, so that one scene and one sandbox serve them all. */
function dropNight(round: string): void {
  const [a, b, c, d, e] = ['A', 'B-X6', 'C-X8', 'D-XLOST', 'E'].map((number) => `${round}${number}`);
  scene.drop(`ventes-1-${round}.csv`, sales([a!, b!, c!, e!]).replace(`Client ${e};1;2;`, `Client ${e};1;2,5O;`));
  scene.drop(`ventes-2-${round}.csv`, sales([a!, d!]));
}

const EXPECTED = { authorized: 1, rejected: 1, contingency: 1, invalid: 1, duplicate: 1, 'in-doubt': 1 } as const;

async function nightThatStops(options: Parameters<Scene['night']>[0]): Promise<boolean> {
  try {
    await scene.night(options);
    return false;
  } catch {
    return true;
  }
}

/** The documents of this round alone. */
function entriesSince(since: string): Promise<readonly LedgerEntry[]> {
  return scene.look(async (ledger) => {
    const found: LedgerEntry[] = [];
    for await (const entry of ledger.queries.find({ since })) found.push(entry);
    return found;
  });
}

/** Right after the stop: no receipt says what the ledger does not know; it may only be behind. */
async function expectNothingAhead(since: string): Promise<void> {
  const known = new Map((await entriesSince(since)).map(({ name, state }) => [name, state]));
  const receipts = ['outbox', 'pending', 'error'].flatMap((folder) =>
    scene.files(folder).filter((path) => path.endsWith('.receipt.json')),
  );
  for (const path of receipts) {
    const { state } = JSON.parse(scene.read(path)) as { state: string };
    if (state !== 'ready') expect({ path, state }).toEqual({ path, state: known.get(basename(path).split('.')[0]!) });
  }
}

/** Runs on without faults and looks at everything that is left. */
async function expectWhole(round: string, since: string): Promise<void> {
  await scene.night();
  const entries = await entriesSince(since);
  expectStates(entries);
  for (const { identity, accepted, duplicates, requests } of scene.sandbox.acceptances()) {
    expect({ identity, accepted: accepted <= 1, duplicates, requests }).toEqual({
      ...{ identity, accepted: true, duplicates: 0, requests: 1 },
    });
  }
  expect(scene.files('inbox')).toEqual([]);
  expect(scene.files('processing')).toEqual([]);
  await expectFiles(round, entries);
  expect((await proofOf(scene.instance(), { selector: { since } })).found).toEqual([]);
}

/** What a stop may change: a document that was being sent is in doubt, whatever it would have become. */
function expectStates(entries: readonly LedgerEntry[]): void {
  const states = entries.map(({ state }) => state);
  expect(states).toHaveLength(6);
  expect(states.filter((state) => state === 'invalid' || state === 'duplicate').sort()).toEqual([
    'duplicate',
    'invalid',
  ]);
  const allowed = new Set<string>(Object.keys(EXPECTED));
  expect(states.filter((state) => !allowed.has(state))).toEqual([]);
}

async function expectFiles(round: string, entries: readonly LedgerEntry[]): Promise<void> {
  const all = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  const toFix = all.filter((path) => path.endsWith('.to-fix.csv'));
  const workbooks = toFix.map((path) => path.replace(/csv$/, 'xlsx'));
  const others = all.filter((path) => !/\.(receipt|payload|summary)\.json$|README/.test(path));
  expect(others.sort()).toEqual([...toFix, ...workbooks].sort());
  const ofRound = toFix.filter((path) => path.includes(`-${round}.csv.`));
  expect(ofRound).toHaveLength(1);
  const failed = entries.filter(({ state }) => state === 'invalid' || state === 'rejected');
  expect(failed.filter(({ id }) => !scene.read(ofRound[0]!).includes(id))).toEqual([]);
  const workbook = readFileSync(join(scene.root, ofRound[0]!.replace(/csv$/, 'xlsx')));
  const { rows: toCorrect } = await readXlsxTable(workbook, { file: 'to-fix.xlsx' });
  const marks = new Set(toCorrect.slice(1).map(({ cells }) => cells.at(-2)?.text));
  expect(marks).toEqual(new Set(failed.map(docMark)));
  const instance = scene.instance();
  for (const entry of entries) {
    const own = all.filter((path) => path.endsWith(`/${entry.name}.receipt.json`));
    const folder = `${stateInfo(entry.state).folder}/${entry.file.day}${entry.state === 'duplicate' ? '/duplicates' : ''}`;
    expect(own).toEqual([`${folder}/${entry.name}.receipt.json`]);
    expect(JSON.parse(scene.read(own[0]!))).toEqual(JSON.parse(JSON.stringify(receiptObject(instance, entry, []))));
  }
  const summaries = all.filter((path) => path.includes(`-${round}.csv.`) && path.endsWith('.summary.json'));
  expect(summaries).toHaveLength(2);
  for (const path of summaries) {
    const { rows } = JSON.parse(scene.read(path)) as { rows: object };
    expect(rows).toMatchObject({ unaccounted: { count: 0 }, twice: { count: 0 } });
  }
  expect(scene.files('archive').filter((path) => path.includes(`-${round}.csv`))).toHaveLength(2);
}

const STEPS = process.env.TORTURE === undefined ? { file: 5, ledger: 2 } : { file: 1, ledger: 1 };

test.each([
  ['ledger', 'before', 15],
  ['ledger', 'after', 15],
  ['file', 'before', 60],
] as const)('stopped at the Nth operation (%s, %s)', { timeout: 120_000 }, async (kind, when, least) => {
  const step = STEPS[kind];
  let n = 1 + (seed % step) - step;
  for (let stopped = true; stopped; ) {
    n += step;
    const round = `${kind[0]}${when[0]}${n}-`;
    const since = new Date().toISOString();
    dropNight(round);
    fault.arm(kind, n);
    const failed = await nightThatStops({ through: mortal(when) });
    stopped = fault.disarm();
    expect({ n, failed }).toEqual({ n, failed: stopped });
    await expectNothingAhead(since);
    await expectWhole(round, since);
    tidy();
  }
  expect(n).toBeGreaterThan(least);
});

/** What a round left goes, so that the next one has less to look through; the ledger keeps everything. */
function tidy(): void {
  for (const folder of ['outbox', 'pending', 'error', 'archive']) {
    rmSync(`${scene.root}/${folder}`, { recursive: true, force: true });
  }
}
