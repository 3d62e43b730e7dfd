/**
 * Two primaries at the same time: a replica was promoted while the former primary lives, and programs that share one folder work
 * with both. Both ledgers have the same documents queued, and neither server knows of the other one: only the folder does.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectPostgres } from '../../../src/database/postgres/postgres-session.ts';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import { readWitness, witnessText } from '../../../src/ledger/installation/installation-file.ts';
import { initLedger, type OpenOptions, openLedger } from '../../../src/ledger/open-ledger.ts';
import { must } from '../../../src/model/must.ts';
import { expire } from '../../contracts/ledger-workers.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { placeOf, TestServer } from '../../database/postgres/server.ts';
import { admit, INTENT } from '../acts.ts';
import { BINDING } from '../folder.ts';
import { valid } from '../make.ts';
import { attachStandby, promote } from './fail-over.ts';

/** A ledger on each server, with a folder of its own, and what works on it when the replica is promoted. */
const SCENES = { watches: 'watch', run: 'run', looked: 'watch', instant: undefined } as const;
type Name = keyof typeof SCENES;
const NAMES = Object.keys(SCENES) as Name[];

const root = mkdtempSync(join(tmpdir(), 'nightpost-two-primaries-'));
const atWork = new Map<Name, Ledger>();
let former: TestServer;
let promoted: TestServer;

const folderOf = (name: Name) => join(root, name);

function at(server: TestServer, name: Name, changes: Partial<OpenOptions> = {}): OpenOptions {
  const postgres = async () => placeOf(server.url, name);
  return { folder: folderOf(name), binding: BINDING, now: () => new Date(), postgres, ...changes };
}

beforeAll(async () => {
  former = await TestServer.create();
  for (const name of NAMES) {
    await initLedger(at(former, name));
    await using ledger = await openLedger(at(former, name));
    await admit(ledger, [valid(), valid({ number: 'F-2' })]);
  }
  await former.stop();
  promoted = await TestServer.standbyOf(former, former.port);
  await former.start();
  await promoted.start();
  await attachStandby(former, false);
  for (const name of NAMES) {
    const work = SCENES[name];
    if (work === undefined) continue;
    // The server was started again since: that alone is no other server.
    const ledger = await openLedger(at(former, name, { work }));
    expect(ledger.guard).toEqual({ send: true });
    await ledger.roles?.takeRoles(['send fr']);
    atWork.set(name, ledger);
  }
  await allReplayed(former);
  await promote(promoted);
}, 180_000);

afterAll(async () => {
  for (const ledger of atWork.values()) await closed(ledger);
  await promoted?.remove();
  await former?.remove();
  rmSync(root, { recursive: true, force: true });
});

/** One that may do nothing more may fail to report its end. */
async function closed(ledger: Ledger): Promise<void> {
  try {
    await ledger[Symbol.asyncDispose]();
  } catch {}
}

async function allReplayed(server: TestServer): Promise<void> {
  const session = await connectPostgres(placeOf(server.url, 'public'));
  const behind = 'SELECT 1 FROM pg_stat_replication WHERE replay_lsn IS DISTINCT FROM pg_current_wal_lsn()';
  while ((await session.ask(behind)).rows.length > 0) await sleep(20);
  await session.end();
}

/** A watch that has the role of the sender: the former sender, as the server knows it, is gone. */
async function senderAt(server: TestServer, name: Name): Promise<Ledger> {
  const ledger = await openLedger(at(server, name, { work: 'watch' }));
  onTestFinished(() => closed(ledger));
  const driver = await openDriver(placeOf(server.url, name));
  for (const { id } of await ledger.workers.list()) if (id !== ledger.roles?.id) await expire(driver, id);
  await ledger.roles?.sweep();
  expect(await ledger.roles?.takeRoles(['send fr'])).toContain('send fr');
  return ledger;
}

/** How often the intention to send each document was confirmed: a byte leaves after that. */
async function sends(...ledgers: readonly Ledger[]): Promise<{ readonly [identifier: string]: number }> {
  const counts: { [identifier: string]: number } = {};
  for (const ledger of ledgers) {
    const queued = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 9).catch(() => []);
    // Together, so in one commit: both ledgers then count alike.
    const begun = await Promise.all(queued.map((due) => ledger.submissions.begin(due, INTENT).catch(() => undefined)));
    for (const { due } of begun.flatMap((one) => one ?? [])) counts[due.identifier] = (counts[due.identifier] ?? 0) + 1;
  }
  return counts;
}

const codeOf = async (options: OpenOptions) =>
  await openLedger(options).then(
    async (ledger) => {
      await ledger[Symbol.asyncDispose]();
      return ledger.guard.send ? 'sends' : ledger.guard.code;
    },
    ({ code }) => code,
  );

const onFormer = (name: Name) => must(atWork.get(name), 'what works on the former primary');

test('the watch on the former primary sends nothing more once one works with the promoted copy', async () => {
  const [one, other] = [onFormer('watches'), await senderAt(promoted, 'watches')];
  expect(await sends(one, other)).toEqual({ 'F-1': 1, 'F-2': 1 });
  expect(await codeOf(at(former, 'watches', { work: 'watch' }))).toBe('ledger/older');
  await closed(other);
  expect(await codeOf(at(promoted, 'watches', { work: 'watch' }))).toBe('sends');
});

test('a run on the former primary sends nothing more either', async () => {
  const [one, other] = [onFormer('run'), await senderAt(promoted, 'run')];
  expect(await sends(one, other)).toEqual({ 'F-1': 1, 'F-2': 1 });
  await closed(one);
  expect(await codeOf(at(former, 'run', { work: 'run' }))).toBe('ledger/older');
});

test('a watch whose look came before the last commit of the former primary does not start', async () => {
  const path = join(folderOf('looked'), 'state', 'installation-send-fr.json');
  const { installation } = must(readWitness(join(folderOf('looked'), 'state', 'installation.json')), 'the witness');
  const newestOutputs = () => {
    writeFileSync(path, witnessText({ installation, generation: 1 }));
    return { receipts: [], summaries: [], exports: [] };
  };
  expect(await codeOf(at(promoted, 'looked', { work: 'watch', newestOutputs }))).toBe('ledger/older');
});

test('of two that start at the same instant one sends, and only this one starts again', async () => {
  const before = new Map(['state', 'archive'].map((name) => [name, join(root, `before-${name}`)]));
  for (const [name, copy] of before) cpSync(join(folderOf('instant'), name), copy, { recursive: true });
  const one = await senderAt(former, 'instant');
  // As if the other one had looked before this one began.
  for (const [name, copy] of before) cpSync(copy, join(folderOf('instant'), name), { recursive: true });
  const other = await senderAt(promoted, 'instant');
  expect(await sends(one, other)).toEqual({ 'F-1': 1, 'F-2': 1 });
  await closed(one);
  await closed(other);
  expect(await codeOf(at(former, 'instant', { work: 'watch' }))).toBe('ledger/older');
  expect(await codeOf(at(promoted, 'instant', { work: 'watch' }))).toBe('sends');
});
