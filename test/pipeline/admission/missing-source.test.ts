/** Private copies that somebody deletes from processing/ or replaces there: noted once, and the nights go on. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { beforeEachStatement, openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { PAIR_MAPPING } from '../sources/pair-mapping.ts';

const HEADERS = 'Num;Client\nF1;Élan\n';
const LINES = 'Num;Lig;Net\nF1;1;10,00\nF1;2;30,00\n';

/** What was claimed is gone as soon as the ledger knows of it. */
const gone =
  (scene: Scene) =>
  (driver: Driver): Driver => ({
    ...driver,
    write: async (work) => {
      let opened = false;
      const done = await driver.write((sql) =>
        work({
          ...sql,
          run: (text, ...values) => {
            opened ||= text.startsWith('INSERT INTO source_file');
            return sql.run(text, ...values);
          },
        }),
      );
      if (opened) for (const path of scene.files('processing')) rmSync(join(scene.root, path));
      return done;
    },
  });

/** Does `act` once, when the first document has its answer. */
const atFirstAnswer = (act: () => void) => {
  let done = false;
  return ({ what }: PipelineEvent) => {
    if (what !== 'document' || done) return;
    done = true;
    act();
  };
};

const copiesOf = (scene: Scene) => scene.files('processing').map((path) => join(scene.root, path));
const deleteAll = (paths: readonly string[]) => {
  for (const path of paths) rmSync(path);
};
const summariesIn = (scene: Scene, folder: string) =>
  scene.files(folder).filter((path) => path.endsWith('.summary.json'));
const codesIn = (told: readonly PipelineEvent[]) =>
  told.flatMap((one) =>
    'fault' in one ? [one.fault.code] : 'faults' in one ? one.faults.map(({ code }) => code) : [],
  );
const sentOnce = (scene: Scene) => scene.sandbox.acceptances().every(({ requests }) => requests === 1);

test.each([
  ['the copy is deleted', (path: string) => rmSync(path)],
  ['the folder of the run is deleted', (path: string) => rmSync(dirname(path), { recursive: true })],
  ['processing/ is deleted', (path: string) => rmSync(dirname(dirname(path)), { recursive: true })],
  [
    'a folder is in its place',
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  [
    'a file is in the place of the folder of the run',
    (path: string) => {
      rmSync(dirname(path), { recursive: true });
      writeFileSync(dirname(path), '');
    },
  ],
])(
  'while documents are sent %s: all are sent once, the file is recorded as missing, the next nights go on',
  async (_, act) => {
    await using scene = await openScene();
    scene.drop('ventes-1.csv', sales(['F1', 'F2', 'F3']));
    const { told } = await scene.night({ onEvent: atFirstAnswer(() => copiesOf(scene).forEach(act)) });
    expect(codesIn(told)).toEqual(['intake/source-missing']);
    expect(tally(await scene.entries())).toEqual({ authorized: 3 });
    const [summary] = summariesIn(scene, 'error');
    expect(JSON.parse(scene.read(summary!)).faults).toMatchObject([{ code: 'intake/source-missing', level: 'error' }]);
    scene.drop('ventes-2.csv', sales(['F4']));
    expect(await commandIn(scene, 'run')).toMatchObject({ code: 0 });
    expect(tally(await scene.entries())).toEqual({ authorized: 4 });
    expect(JSON.parse((await commandIn(scene, '--json', 'status')).out)).toMatchObject({
      sourcesMissing: 1,
      filesRefused: 0,
    });
    const { files } = JSON.parse((await commandIn(scene, '--json', 'errors')).out);
    expect(files).toMatchObject([{ name: 'ventes-1.csv', faults: [{ code: 'intake/source-missing' }] }]);
    expect(sentOnce(scene)).toBe(true);
  },
);

/** The program stopped before the archive: the documents are done, their file is open. */
async function stoppedBeforeArchive(scene: Scene): Promise<void> {
  const unarchived = beforeEachStatement((sql) => {
    if (sql.startsWith('UPDATE summary SET written')) throw new Error('stopped');
  });
  await expect(scene.night({ through: unarchived })).rejects.toThrow('stopped');
}

test('found missing by the next run: exit 3 once, then the same bytes again are archived and nothing waits', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  await stoppedBeforeArchive(scene);
  deleteAll(copiesOf(scene));
  const run = await commandIn(scene, '--json', 'run');
  expect(run.code).toBe(3);
  expect(JSON.parse(run.out).files).toMatchObject([
    { file: 'ventes-1.csv', faults: [{ code: 'intake/source-missing' }] },
  ]);
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect((await commandIn(scene, 'verify')).code).toBe(3);
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect(JSON.parse((await commandIn(scene, '--json', 'status')).out)).toMatchObject({ sourcesMissing: 0 });
  expect((await commandIn(scene, 'verify')).code).toBe(0);
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
  expect(sentOnce(scene)).toBe(true);
});

test('a missing file that a person sets aside needs no action any more', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night({ onEvent: atFirstAnswer(() => deleteAll(copiesOf(scene))) });
  expect((await commandIn(scene, 'reject', 'ventes-1.csv', '--reason', 'copied by hand')).code).toBe(0);
  expect(JSON.parse((await commandIn(scene, '--json', 'status')).out)).toMatchObject({ sourcesMissing: 0 });
});

test('a file lost before it is read is refused without a document, and the other exports are sent', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  const { told } = await scene.night({ through: gone(scene) });
  expect(codesIn(told)).toEqual(['intake/source-missing']);
  expect(await scene.entries()).toEqual([]);
  scene.drop('ventes-1.csv', sales(['F1']));
  scene.drop('ventes-2.csv', sales(['F2']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
  expect(summariesIn(scene, 'error')).toHaveLength(1);
});

test.each([
  ['headers', 'ENT'],
  ['lines', 'LIG'],
])('of a pair the %s are gone before they are read: both are refused', async (_, lost) => {
  await using scene = await openScene({ mappings: { 'pair.yaml': PAIR_MAPPING } });
  scene.drop('ENT_1.csv', HEADERS);
  scene.drop('LIG_1.csv', LINES);
  const { told } = await scene.night({
    onEvent: ({ what }) => {
      const copies = copiesOf(scene);
      if (what === 'file-claimed' && copies.length === 2)
        for (const path of copies) if (path.includes(`__${lost}`)) rmSync(path);
    },
  });
  expect(codesIn(told).sort()).toEqual(['intake/partner-refused', 'intake/source-missing']);
  expect(await scene.entries()).toEqual([]);
  scene.drop('ENT_1.csv', HEADERS);
  scene.drop('LIG_1.csv', LINES);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
});

test('other bytes in the place of a copy are kept apart: nothing is made of them, the export is missing', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await stoppedBeforeArchive(scene);
  for (const path of copiesOf(scene)) writeFileSync(path, sales(['F9']));
  const { told } = await scene.night();
  expect(codesIn(told).sort()).toEqual(['intake/source-missing', 'intake/source-replaced']);
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect(scene.files('archive').map((path) => scene.read(path))).toEqual([sales(['F9'])]);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
});

test('the instance folder was moved while a file was open: its copy is found below the new place', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await stoppedBeforeArchive(scene);
  using ledger = new DatabaseSync(join(scene.root, 'state', 'ledger.sqlite'));
  ledger.prepare('UPDATE source_file SET path = replace(path, ?, ?)').run(scene.root, '/srv/nightpost');
  ledger.close();
  const { told } = await scene.night();
  expect(codesIn(told)).toEqual([]);
  expect(scene.files('archive')).toHaveLength(1);
  expect(scene.files('processing')).toEqual([]);
  expect(await scene.look((books) => books.queries.files({}))).toMatchObject([{ state: 'admitted', faults: [] }]);
});

test('gone before anything was made of it, dropped again: a person sets it aside, and the proof is whole', async () => {
  await using scene = await openScene();
  const proof = async () => JSON.parse((await commandIn(scene, '--json', 'verify')).out);
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night({ through: gone(scene) });
  scene.drop('ventes-1.csv', sales(['F1']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect(await proof()).toMatchObject({ breaks: 1, found: [{ code: 'verify/source-missing' }] });
  expect(await commandIn(scene, 'reject', 'ventes-1.csv', '--reason', 'deleted by the scanner')).toMatchObject({
    code: 0,
  });
  expect(await proof()).toMatchObject({ breaks: 0, givenUp: 1 });
  expect((await commandIn(scene, 'verify')).code).toBe(0);
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  // An archived export that is gone is no such file: nothing gives it up.
  const [archived] = scene.files('archive').filter((path) => path.endsWith('ventes-1.csv'));
  rmSync(join(scene.root, archived!), { force: true });
  expect(await proof()).toMatchObject({ breaks: 1, found: [{ code: 'verify/source-missing' }] });
  expect((await commandIn(scene, 'reject', 'ventes-1.csv', '--reason', 'x')).code).toBe(0);
  expect(await proof()).toMatchObject({ breaks: 1, found: [{ code: 'verify/source-missing' }], givenUp: 1 });
});
