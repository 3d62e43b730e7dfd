/** Every change of what the ledger recorded about people and decisions is found, and named: event, document, what. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../../src/database/migrations.ts';
import { readInstance } from '../../src/instance/instance.ts';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import { LedgerUnavailable } from '../../src/model/ledger-unavailable.ts';
import { lookIntoLedgerOf, systemClock } from '../../src/runs/open-run.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { type Break, type Proven, verify } from '../../src/verify/verify-instance.ts';
import { openScene, type Scene, sales } from '../night.ts';

let scene: Scene;
let env: object;
/** Number of the event of the decision about F2-XLOST, and of the last one. */
let decided: number;
let count: number;

beforeAll(async () => {
  scene = await openScene();
  env = describeSandbox(scene.sandbox).environment;
  scene.drop('ventes-1.csv', sales(['F1', 'F2-XLOST', 'F3']));
  await scene.night();
  const doubtful = (await scene.entries()).find(({ state }) => state === 'in-doubt')!;
  const at = '2026-11-20T08:00:00.000Z';
  await scene.look(async (ledger) => {
    await ledger.submissions.resolve(doubtful.id, { as: 'authorized', by: 'anna', at, reason: 'seen in the portal' });
    const cell = { row: 2, column: 'Client', by: 'marie', at, reason: 'a typing error' };
    await ledger.corrections.recordCorrections(doubtful.file.id, [
      { ...cell, from: 'A', to: 'B' },
      { ...cell, from: 'B', to: 'C' },
    ]);
  });
  await scene.night();
  const db = new DatabaseSync(ledgerIn(scene.root));
  decided = Number(db.prepare(`SELECT n FROM event WHERE person = 'anna'`).get()!.n);
  count = Number(db.prepare('SELECT MAX(n) AS n FROM event').get()!.n);
  db.close();
});

afterAll(() => scene[Symbol.asyncDispose]());

const ledgerIn = (root: string) => join(root, 'state/ledger.sqlite');

function copy(): string {
  const root = mkdtempSync(join(tmpdir(), 'nightpost-events-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(scene.root, root, { recursive: true });
  return root;
}

function edit(root: string, ...statements: string[]): void {
  const db = new DatabaseSync(ledgerIn(root));
  db.exec('PRAGMA foreign_keys = OFF');
  for (const statement of statements) expect(Number(db.prepare(statement).run().changes), statement).toBeGreaterThan(0);
  db.close();
}

async function proof(root: string): Promise<Proven & { readonly found: readonly Break[] }> {
  const instance = readInstance(root, { variables: { ...env } });
  await using ledger = await lookIntoLedgerOf(instance);
  const found: Break[] = [];
  const proven = await verify({ instance, ledger, clock: systemClock }, { onBreak: (one) => found.push(one) });
  return { ...proven, found };
}

const named = ({ code, document, event }: Break) => ({ code, document, event });

test('every event has a link, and nothing is found in an unchanged ledger', async () => {
  const whole = await proof(scene.root);
  expect(whole.found).toEqual([]);
  expect(whole).toMatchObject({ events: count, eventsAsOfUpgrade: 0 });
  expect(count).toBeGreaterThan(8);
});

describe('a changed column of the decision about F2-XLOST', () => {
  test.each([
    ['id', `'other'`],
    ['at', `'2026-11-20T09:00:00.000Z'`],
    ['what', `'rejected'`],
    ['entry', `(SELECT id FROM entry WHERE name = 'F1')`],
    ['entry', 'NULL'],
    ['file', `(SELECT id FROM source_file)`],
    ['run', `'other'`],
    ['person', `'marie'`],
    ['person', 'NULL'],
    ['detail', `replace(detail, 'seen in the portal', 'not looked at')`],
    ['detail', 'NULL'],
    ['detail_sha256', `'${'0'.repeat(64)}', detail = NULL`],
  ])('%s = %s', async (column, value) => {
    const root = copy();
    edit(root, `UPDATE event SET ${column} = ${value} WHERE n = ${decided}`);
    const { found } = await proof(root);
    expect(found.map(named)).toContainEqual({ code: 'verify/event-changed', document: 'F2-XLOST', event: decided });
    expect(JSON.stringify(found[0]?.message)).toContain('authorized');
  });

  test('its number', async () => {
    const root = copy();
    edit(root, `UPDATE event SET n = n + 1000 WHERE n = ${decided}`);
    const found = (await proof(root)).found.map(named);
    expect(found).toContainEqual({ code: 'verify/event-missing', document: 'F2-XLOST', event: decided });
    expect(found).toContainEqual({ code: 'verify/event-added', document: 'F2-XLOST', event: decided + 1000 });
  });
});

test('a removed event is named by its line, and stays removed after the next night', async () => {
  const root = copy();
  edit(root, `DELETE FROM event WHERE n = ${decided}`);
  const { found } = await proof(root);
  expect(found.map(named)).toEqual([{ code: 'verify/event-missing', document: 'F2-XLOST', event: decided }]);
});

const values = `'new', '2026-11-20T08:00:00.000Z', 'resolved', (SELECT id FROM entry WHERE name = 'F1'), NULL, NULL, 'marie', '{}'`;
const columns = 'id, at, what, entry, file, run, person, detail';
describe('an added event', () => {
  test.each(['NULL', '0', '-3', 'MAX(n)', 'MAX(n) + 1', 'MAX(n) + 50', '3', '3.5', `'x'`])('number %s', async (n) => {
    const root = copy();
    edit(root, `INSERT INTO event (n, ${columns}) SELECT ${n}, ${values} FROM event LIMIT 1`);
    const found = (await proof(root)).found.map(named);
    expect(found).toMatchObject([{ code: 'verify/event-added', document: 'F1' }]);
  });
});

test('two swapped events are both named', async () => {
  const root = copy();
  edit(
    root,
    `UPDATE event SET n = -1 WHERE n = ${decided}`,
    `UPDATE event SET n = ${decided} WHERE n = ${decided - 1}`,
    `UPDATE event SET n = ${decided - 1} WHERE n = -1`,
  );
  const found = (await proof(root)).found;
  expect(found.map(({ code, event }) => [code, event])).toEqual([
    ['verify/event-changed', decided - 1],
    ['verify/event-changed', decided],
  ]);
});

test('an older copy of the table: each event since then is missing', async () => {
  const root = copy();
  edit(root, `DELETE FROM event WHERE n >= ${decided}`);
  const found = (await proof(root)).found.filter(({ code }) => code === 'verify/event-missing');
  expect(found.map(({ event }) => event)).toEqual(Array.from({ length: count - decided + 1 }, (_, i) => decided + i));
  // The events of the corrections are gone too.
  expect((await proof(root)).found.some(({ code }) => code === 'verify/correction-differs')).toBe(true);
});

describe('the seals themselves', () => {
  test('a changed line does not hide a changed event', async () => {
    const root = copy();
    edit(
      root,
      `UPDATE event_seal SET lines = replace(lines, ' authorized ', ' rejected ') WHERE lines LIKE '% authorized %'`,
    );
    expect((await proof(root)).found.map(({ code }) => code)).toContain('verify/event-changed');
  });

  test('a removed seal leaves its link and its events without each other', async () => {
    const root = copy();
    edit(root, 'DELETE FROM event_seal WHERE first_event = 1');
    const codes = new Set((await proof(root)).found.map(({ code }) => code));
    expect(codes).toEqual(new Set(['verify/link-missing', 'verify/link-unknown']));
  });

  test('an event that was changed together with its line is found by the link', async () => {
    const root = copy();
    edit(root, `UPDATE event SET person = 'marie' WHERE n = ${decided}`);
    edit(
      root,
      `UPDATE event_seal SET lines = replace(lines, '${decided} authorized', '${decided} authorised')`.concat(
        ` WHERE first_event <= ${decided} AND last_event >= ${decided}`,
      ),
    );
    expect((await proof(root)).found.length).toBeGreaterThan(0);
  });
});

describe('a changed correction', () => {
  test.each([
    ['source_row', '3'],
    ['source_column', `'PU'`],
    ['former', `'X'`],
    ['value', `'X'`],
    ['person', `'paul'`],
    ['at', `'2026-11-20T09:00:00.000Z'`],
    ['reason', `'another reason'`],
    ['n', '7'],
    ['file', `'other'`],
  ])('%s = %s', async (column, value) => {
    const root = copy();
    edit(root, `UPDATE correction SET ${column} = ${value} WHERE n = 2`);
    const { found } = await proof(root);
    expect(found.map(({ code }) => code)).toContain('verify/correction-differs');
    expect(found.every(({ code }) => code === 'verify/correction-differs')).toBe(true);
  });

  test('deleted, added, swapped', async () => {
    for (const statements of [
      ['DELETE FROM correction WHERE n = 2'],
      ['DELETE FROM correction WHERE n = 1'],
      [
        `INSERT INTO correction SELECT file, 3, source_row, source_column, former, value, person, at, reason FROM correction WHERE n = 2`,
      ],
      [
        'UPDATE correction SET n = -1 WHERE n = 1',
        'UPDATE correction SET n = 1 WHERE n = 2',
        'UPDATE correction SET n = 2 WHERE n = -1',
      ],
    ]) {
      const root = copy();
      edit(root, ...statements);
      const codes = new Set((await proof(root)).found.map(({ code }) => code));
      expect(codes).toEqual(new Set(['verify/correction-differs']));
    }
  });
});

test('the evidence of a document that differs from the event of its decision', async () => {
  const root = copy();
  edit(root, `UPDATE entry SET evidence = replace(evidence, 'seen', 'not seen') WHERE name = 'F2-XLOST'`);
  const found = (await proof(root)).found.map(named);
  expect(found).toContainEqual({ code: 'verify/evidence-differs', document: 'F2-XLOST', event: undefined });
});

/** Events have links from the next version on. */
const BEFORE_LINKS = 17;

/** Makes the ledger of a new instance an empty one of this version, in the same file. */
function makeOlder(db: DatabaseSync, version: number): void {
  const select = (sql: string) => db.prepare(sql).all() as { readonly [column: string]: string }[];
  const meta = select(`SELECT key, value FROM meta WHERE key NOT IN ('schema', 'events')`);
  db.exec('PRAGMA foreign_keys = OFF');
  for (const { name } of select(`SELECT name FROM sqlite_schema WHERE type = 'table'`)) db.exec(`DROP TABLE "${name}"`);
  for (const statement of MIGRATIONS.slice(0, version).flat()) db.exec(statement);
  const insert = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
  for (const { key, value } of [...meta, { key: 'schema', value: String(version) }]) insert.run(key!, value!);
}

test('events from before events had links: one link as of the upgrade finds that one of them was changed', async () => {
  await using old = await openScene();
  const db = new DatabaseSync(ledgerIn(old.root));
  makeOlder(db, BEFORE_LINKS);
  const insert = db.prepare(`INSERT INTO event (id, at, what, person, detail) VALUES (?, ?, 'resolved', 'anna', '{}')`);
  for (let n = 0; n < 2100; n++) insert.run(`e${n}`, new Date(1.7e12 + n).toISOString());
  db.close();
  old.drop('ventes-1.csv', sales(['F1']));
  await old.night();
  const whole = await proof(old.root);
  expect(whole.found).toEqual([]);
  expect(whole.eventsAsOfUpgrade).toBe(2100);
  expect(whole.events).toBeGreaterThan(2100);
  edit(old.root, `UPDATE event SET person = 'marie' WHERE id = 'e1500'`);
  expect((await proof(old.root)).found.map(({ code }) => code)).toEqual(['verify/event-changed']);
});

describe('a ledger that fails before its last event has a link', () => {
  const at = '2026-11-21T08:00:00.000Z';
  const noted = { what: 'noted', file: 'none', at, person: 'anna', detail: { reason: 'ours' } };

  /** Records an event, then every read and write fails with `failure`. */
  async function failing(own: Scene, failure: Error, end: (ledger: Ledger) => Promise<void>): Promise<void> {
    let failed = false;
    const act = async ({ ledger }: { readonly ledger: Ledger }) => {
      await ledger.corrections.recordEvent(noted);
      failed = true;
      await end(ledger);
    };
    await own.desk(act, (driver) => ({
      read: (work) => (failed ? Promise.reject(failure) : driver.read(work)),
      write: (work, ends) => (failed ? Promise.reject(failure) : driver.write(work, ends)),
      close: driver.close,
    }));
  }

  test('closing it throws nothing over the first error, and the next writer adds the link', async () => {
    await using own = await openScene();
    const first = new Error('the first error');
    await expect(failing(own, new Error('gone'), () => Promise.reject(first))).rejects.toBe(first);
    expect(await proof(own.root)).toMatchObject({ events: 0, found: [] });
    await own.look(async () => {});
    expect(await proof(own.root)).toMatchObject({ events: 1, found: [] });
  });

  test('only a ledger that cannot be written is no error of adding links', async () => {
    await using own = await openScene();
    const unavailable = new LedgerUnavailable('ledger/write-failed', new Error('EIO'));
    await failing(own, unavailable, (ledger) => ledger.receipts.sealEvents());
    const other = new Error('a mistake of ours');
    await expect(failing(own, other, (ledger) => ledger.receipts.sealEvents())).rejects.toBe(other);
  });
});

// The last one: it changes the instance itself.
test('an added event is still found once later events have links', async () => {
  edit(scene.root, `INSERT INTO event (n, ${columns}) SELECT MAX(n) + 1, ${values} FROM event`);
  await scene.look((ledger) =>
    ledger.corrections.recordEvent({
      ...{ what: 'noted', file: 'none', at: '2026-11-21T08:00:00.000Z', person: 'anna', detail: { reason: 'ours' } },
    }),
  );
  const { found, events } = await proof(scene.root);
  expect(found.map(({ code, event }) => [code, event])).toEqual([['verify/event-added', count + 1]]);
  expect(events).toBe(count + 1);
});
