/** What people look at costs little: no question of `status` reads all documents, none keeps the ledger from its writer. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { SET_ASIDE_CAUSE } from '../../../src/model/cause.ts';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { readStatus } from '../../../src/views/queries/instance-status.ts';
import { refusedFiles } from '../../../src/views/queries/refused-files.ts';
import { nightTotals } from '../../../src/views/reporting/night-totals.ts';
import { openScene, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

const fileOf = (scene: Scene) => join(scene.root, 'state/ledger.sqlite');

/** Documents that are authorized, invalid and set aside; a refused file. */
async function mixedNight(scene: Scene): Promise<void> {
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']));
  scene.drop('ventes-bad.csv', sales(['B1', 'B2']).replaceAll('05/09', '05/13'));
  scene.drop('other.pdf', '%PDF');
  await scene.night();
  const [invalid] = (await scene.entries()).filter(({ state }) => state === 'invalid');
  expect((await commandIn(scene, 'set-aside', invalid!.id, '--reason', 'test')).code).toBe(0);
}

test('no question of status or about one run reads all documents, or their faults', async () => {
  await using scene = await openScene();
  await mixedNight(scene);
  const asked = new Set<string>();
  const through = (driver: Driver): Driver => ({
    ...driver,
    read: (work) =>
      driver.read((sql) =>
        work({
          ...sql,
          all: (text, ...values) => {
            asked.add(text);
            return sql.all(text, ...values);
          },
        }),
      ),
  });
  const instance = scene.instance();
  await using ledger = await openLedger({ ...ledgerPlaceOf(instance), readOnly: true, through });
  const status = await readStatus(instance, ledger);
  expect(status).toMatchObject({ documents: { authorized: 3, invalid: 2 }, setAside: 1, closed: { invalid: 1 } });
  expect(asked.size).toBeGreaterThan(10);
  const run = (await ledger.queries.latestRun())!;
  expect(await ledger.queries.counts({ run })).toEqual({ authorized: 3, invalid: 2 });
  expect(await ledger.queries.counts({ run, cause: SET_ASIDE_CAUSE })).toEqual({ invalid: 1 });
  const { currencies } = await nightTotals(ledger.reports, run);
  expect(currencies).toEqual([
    {
      currency: 'EUR',
      read: '252.00',
      sent: '151.20',
      waiting: '50.40',
      left: '50.40',
      exportedAgain: '0.00',
      setAside: '50.40',
      skipped: '0.00',
    },
  ]);
  const found = new Set<string>();
  for await (const { id } of ledger.queries.find({ run })) found.add(id);
  expect(found.size).toBe(5);
  using db = new DatabaseSync(fileOf(scene), { readOnly: true });
  const steps = [...asked].flatMap((text) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
  expect(steps.filter((step) => /^SCAN (?:e|entry|r|revision|attempt|a|event|p|report)$/.test(step))).toEqual([]);
});

test('the counts of all states are those of the entries', async () => {
  await using scene = await openScene();
  await mixedNight(scene);
  scene.drop('ventes2.csv', sales(['G1', 'G2']));
  expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
  {
    using db = new DatabaseSync(fileOf(scene));
    const change = (state: string, number: string) =>
      db.prepare('UPDATE entry SET state = ? WHERE identifier = ?').run(state, number);
    change('sending', 'G1');
    // As in the middle of an admission.
    change('staged', 'F3');
    db.exec(`INSERT INTO staged (entry, revision, file) SELECT entry, revision, file FROM revision
      WHERE entry IN (SELECT id FROM entry WHERE state = 'staged' OR identifier = 'F2')`);
  }
  const place = ledgerPlaceOf(scene.instance());
  await using ledger = await openLedger({ ...place, readOnly: true });
  expect(await ledger.queries.counts()).toEqual({ authorized: 2, invalid: 2, ready: 1, sending: 1 });
});

test('a program that looks does not check all pages; one that writes does', async () => {
  await using scene = await openScene();
  await mixedNight(scene);
  const bytes = readFileSync(fileOf(scene));
  using db = new DatabaseSync(fileOf(scene), { readOnly: true });
  const { rootpage } = db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'sequence'`).get() as {
    readonly rootpage: number;
  };
  db.close();
  writeFileSync(fileOf(scene), bytes.fill(0x5a, (rootpage - 1) * 8192, rootpage * 8192));
  const place = ledgerPlaceOf(scene.instance());
  await expect(openLedger(place)).rejects.toMatchObject({ code: 'ledger/damaged' });
  await using ledger = await openLedger({ ...place, readOnly: true });
  expect(await ledger.queries.counts()).toMatchObject({ authorized: 3 });
});

test('a question that is half read does not hold the log of the ledger', async () => {
  await using scene = await openScene();
  await mixedNight(scene);
  const instance = scene.instance();
  await using ledger = await openLedger({ ...ledgerPlaceOf(instance), readOnly: true });
  using writer = new DatabaseSync(fileOf(scene));
  let held = 0;
  let times = 0;
  const write = () => {
    writer.exec(
      `INSERT INTO meta (key, value) VALUES ('test', '1') ON CONFLICT (key) DO UPDATE SET value = value || '1'`,
    );
    // With a reader in the way the log cannot be emptied: it would grow during the whole night.
    held += Number(writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy);
    times++;
  };
  for await (const { file, id } of ledger.queries.find({})) {
    write();
    for await (const _ of ledger.queries.entriesOf(file.id)) write();
    for await (const _ of ledger.queries.correctedOf(file.id)) write();
    for await (const _ of ledger.queries.revisionsOf(file.id)) write();
    await ledger.queries.historyOf(id);
    write();
  }
  for await (const _ of ledger.queries.allFiles()) write();
  for await (const _ of ledger.queries.allCorrections()) write();
  await Promise.all([
    readStatus(instance, ledger),
    refusedFiles(ledger.queries),
    ledger.queries.counts({ warnings: true }),
  ]);
  write();
  expect(times).toBeGreaterThan(10);
  expect(held).toBe(0);
});
