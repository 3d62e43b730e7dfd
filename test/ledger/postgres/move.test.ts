/** A ledger moves to PostgreSQL and back, also with a stop after each step: at most one of the two ever sends. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Statements } from '../../../src/database/database-driver.ts';
import { ledgerSiteOf } from '../../../src/instance/ledger-site-of.ts';
import { chooseEngine, enginesOf } from '../../../src/ledger/choose-engine.ts';
import { listTables } from '../../../src/ledger/engine/copy-tables.ts';
import type { EngineName } from '../../../src/ledger/installation/move-marks.ts';
import { inspectLedger } from '../../../src/ledger/ledger-health.ts';
import { moveLedger } from '../../../src/ledger/moving/move-ledger.ts';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { backupLedger } from '../../../src/ledger/replace-ledger.ts';
import { openRequestQueue } from '../../../src/ledger/requests/open-request-queue.ts';
import { moveLedgerOf } from '../../../src/maintenance/move-instance.ts';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { openScene, type Scene, sales, tally } from '../../night.ts';
import { openPostgresScene, postgresSettings } from './scene.ts';

type Step = 'copied' | 'marked' | 'opened';

/** Adds or removes `ledger.postgres`, as a person edits the settings. */
function setServer(scene: Scene, postgres: object | undefined): void {
  const file = join(scene.root, 'nightpost.yaml');
  const { ledger: _, ...settings } = parse(readFileSync(file, 'utf8')) as { ledger?: object };
  writeFileSync(file, stringify({ ...settings, ...(postgres && { ledger: { postgres } }) }));
}

/** `stopAt`: the program ends after this step. */
async function move(scene: Scene, to: EngineName, stopAt?: Step): Promise<void> {
  const place = ledgerPlaceOf(scene.instance());
  const { sqlite, postgres } = await enginesOf({ ...place, postgres: place.postgres! });
  const [from, target] = to === 'postgres' ? [sqlite, postgres] : [postgres, sqlite];
  const reached = (step: Step) => {
    if (step === stopAt) throw new Error('power cut');
  };
  await moveLedger({ place, from, to: target, by: 'anna', reached });
}

/** The code under which each of the two ledgers does not send, or `send`. */
async function whoSends(scene: Scene, postgres: object): Promise<readonly string[]> {
  const codes: string[] = [];
  for (const settings of [undefined, postgres]) {
    setServer(scene, settings);
    try {
      await using ledger = await openLedger({ ...ledgerPlaceOf(scene.instance()), readOnly: true });
      codes.push(ledger.guard.send ? 'send' : ledger.guard.code);
    } catch (error) {
      codes.push((error as { code: string }).code);
    }
  }
  return codes;
}

/** All rows of all tables but the marks of the move itself and what it records. */
async function contentOf(scene: Scene, engine: EngineName): Promise<{ readonly [table: string]: readonly object[] }> {
  const place = ledgerPlaceOf(scene.instance());
  const { sqlite, postgres } = await enginesOf({ ...place, postgres: place.postgres! });
  const [tablesOf, of] = [await sqlite.look(), await (engine === 'sqlite' ? sqlite : postgres).look()];
  const tables = await tablesOf.read(listTables);
  const own = /^(generation|place|moved|arriving|stamp|events)$/;
  const read = async (sql: Statements) => {
    const found: { [table: string]: readonly object[] } = {};
    for (const { name, columns, key } of tables) {
      const rows = await sql.all(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`);
      found[name] = rows.filter((row) => !own.test(String(row.key)) && row.what !== 'ledger-moved');
    }
    return found;
  };
  const content = await of.read(read);
  await Promise.all([tablesOf.close(), of.close()]);
  return content;
}

async function usedScene(): Promise<Scene> {
  const scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F-1', 'F-2']));
  scene.drop('ventes-2.csv', sales(['F-4'], 'x'));
  await scene.night();
  return scene;
}

test('there and back: the content is equal, the night goes on, nothing is sent twice', async () => {
  await using scene = await usedScene();
  const postgres = postgresSettings();
  setServer(scene, postgres);
  await expect(chooseEngine(ledgerPlaceOf(scene.instance()))).rejects.toMatchObject({ code: 'ledger/not-moved' });
  const before = await contentOf(scene, 'sqlite');
  await move(scene, 'postgres');
  expect(await contentOf(scene, 'postgres')).toEqual(before);
  expect(await whoSends(scene, postgres)).toEqual(['ledger/moved', 'send']);
  await expect(backupLedger({ folder: scene.root }, join(scene.root, 'copy.sqlite'), [])).rejects.toMatchObject({
    code: 'ledger/moved',
  });
  // Once more changes nothing.
  await move(scene, 'postgres');
  expect(await contentOf(scene, 'postgres')).toEqual(before);

  scene.drop('ventes-3.csv', sales(['F-1', 'F-5']));
  await scene.night();
  const sent = tally(await scene.entries());
  expect(sent).toMatchObject({ duplicate: 1 });
  const after = await contentOf(scene, 'postgres');
  await move(scene, 'sqlite');
  expect(await contentOf(scene, 'sqlite')).toEqual(after);
  expect(await whoSends(scene, postgres)).toEqual(['send', 'ledger/not-moved']);
  setServer(scene, undefined);
  expect((await inspectLedger({ folder: scene.root }, { deep: true })).problems).toEqual([]);
  scene.drop('ventes-4.csv', sales(['F-5', 'F-6']));
  await scene.night();
  expect(tally(await scene.entries())).toMatchObject({ duplicate: 2, authorized: (sent.authorized ?? 0) + 1 });

  // A second time over the left-overs of the first.
  setServer(scene, postgres);
  await move(scene, 'postgres');
  expect(await whoSends(scene, postgres)).toEqual(['ledger/moved', 'send']);
});

/** Each: under settings without the server, and with it. */
const STOPS = [
  ['copied', ['send', 'ledger/not-moved'], ['ledger/move-unfinished', 'send']],
  ['marked', ['ledger/moved', 'ledger/move-unfinished'], ['ledger/move-unfinished', 'ledger/moved']],
  ['opened', ['ledger/moved', 'send'], ['send', 'ledger/not-moved']],
] as const;

test('a stop after each step: one ledger sends at most, and the command goes on', async () => {
  await using scene = await usedScene();
  const postgres = postgresSettings();
  setServer(scene, postgres);
  const before = await contentOf(scene, 'sqlite');
  for (const [step, there, back] of STOPS) {
    await expect(move(scene, 'postgres', step)).rejects.toThrow('power cut');
    expect(await whoSends(scene, postgres)).toEqual(there);
    await move(scene, 'postgres');
    expect(await whoSends(scene, postgres)).toEqual(['ledger/moved', 'send']);
    expect(await contentOf(scene, 'postgres')).toEqual(before);

    await expect(move(scene, 'sqlite', step)).rejects.toThrow('power cut');
    expect(await whoSends(scene, postgres)).toEqual(back);
    await move(scene, 'sqlite');
    expect(await whoSends(scene, postgres)).toEqual(['send', 'ledger/not-moved']);
  }
  expect(await contentOf(scene, 'sqlite')).toEqual(before);
});

test('what is under way, another installation and another state are not moved', async () => {
  await using scene = await usedScene();
  const postgres = postgresSettings();
  setServer(scene, postgres);
  const place = ledgerPlaceOf(scene.instance());
  const { sqlite } = await enginesOf({ ...place, postgres: place.postgres! });
  const change = async (sql: string) => {
    const edit = await sqlite.edit();
    await edit.write(async (run) => void (await run.run(sql)));
    await edit.close();
  };
  await change(`UPDATE entry SET state = 'sending' WHERE identifier = 'F-1'`);
  await expect(move(scene, 'postgres')).rejects.toMatchObject({ code: 'ledger/move-under-way' });
  await change(`UPDATE entry SET state = 'authorized' WHERE identifier = 'F-1'`);
  await change('INSERT INTO staged (entry, revision, file) SELECT entry, revision, file FROM revision LIMIT 1');
  await expect(move(scene, 'postgres')).rejects.toMatchObject({ code: 'ledger/move-under-way' });
  await change('DELETE FROM staged');
  await expect(move(scene, 'postgres', 'marked')).rejects.toThrow('power cut');
  await change(`UPDATE meta SET value = replace(value, '"generation":', '"generation":1') WHERE key = 'moved'`);
  await expect(move(scene, 'postgres')).rejects.toMatchObject({ code: 'ledger/move-other' });
  await change(`DELETE FROM meta WHERE key = 'moved'`);
  // A server that does not store what it is given.
  const driver = await openDriver(await place.postgres!());
  await driver.write(
    async (sql) => void (await sql.run('CREATE RULE lost AS ON INSERT TO attempt DO INSTEAD NOTHING')),
  );
  await expect(move(scene, 'postgres')).rejects.toMatchObject({ code: 'ledger/move-differs' });
  // The schema belongs to the first installation.
  await using other = await usedScene();
  setServer(other, postgres);
  await expect(move(other, 'postgres')).rejects.toMatchObject({ code: 'ledger/exists' });
});

test('where the ledger is already, nothing is moved', async () => {
  const scene = await openPostgresScene();
  const move = (to: EngineName) => moveLedgerOf(scene.instance(), { by: 'anna', to });
  await expect(move('postgres')).rejects.toMatchObject({ code: 'ledger/exists' });
  await move('sqlite');
  setServer(scene, undefined);
  await expect(move('sqlite')).rejects.toMatchObject({ code: 'ledger/exists' });
});

test('a decision that waits is not left in the queue of the source', async () => {
  const scene = await openScene();
  onTestFinished(() => scene[Symbol.asyncDispose]());
  const postgres = postgresSettings();
  const asked = { id: 'a', at: '2026-11-23T01:00:00.000Z', person: 'anna', reason: 'why', act: '{"act":"resume"}' };
  const moveTo = (to: EngineName) =>
    moveLedgerOf(scene.instance(), { by: 'anna', to }).then(
      () => 'moved',
      (error: { readonly code: string }) => error.code,
    );
  for (const to of ['postgres', 'sqlite'] as const) {
    setServer(scene, to === 'postgres' ? undefined : postgres);
    await using queue = await openRequestQueue(ledgerSiteOf(scene.instance()), 'asks');
    await queue.add({ ...asked, approval: { about: '[]', expires: '9999' } });
    setServer(scene, postgres);
    expect(await moveTo(to)).toBe('ledger/move-under-way');
    await queue.answer('a', '{}', asked.at);
    expect(await moveTo(to)).toBe('moved');
  }
});
