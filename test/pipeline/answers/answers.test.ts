/** Answers to the ERP: each change of a document is in one answer file, whatever stops the program or the folder. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import csv from 'csvtojson';
import { expect, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import { answerChecks } from '../../../src/doctor/doctor-answers.ts';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { ingestAll } from '../../../src/pipeline/intake/ingest-all.ts';
import { writeDueReceipts } from '../../../src/pipeline/publishing/publish-results.ts';
import { sendDue } from '../../../src/pipeline/submission/send-due.ts';
import { answerFolderFault, checkAnswerFolder, placeAnswerFile } from '../../../src/receipts/place-answer-file.ts';
import { systemClock } from '../../../src/runs/open-run.ts';
import { sha256Hex } from '../../../src/text/sha256.ts';
import { openScene, SALES_MAPPING, type Scene, sales, stopAtWrite } from '../../night.ts';
import { commandIn, runIn } from '../../program.ts';

const BLOCK = `
tables:
  states: { authorized: A, invalid: R, rejected: R, in-doubt: D, contingency: C, default: "?" }
answers:
  - file: "RET_{file.stem}_{n:4}.csv"
    when: WHEN
    marker: .ok
    format: { csv: { encoding: windows-1252 } }
    row:
      NUM: $Num
      QTE: $Qte
      ETAT: { from: "@answer.state", table: states }
      CODE: "@answer.code"
      LE: = TEXT(@answer.at, "dd/MM/yyyy")
      N: "@n"
`;

function mappingWith(when = 'change'): { readonly [name: string]: string } {
  return { 'sales.yaml': SALES_MAPPING + BLOCK.replace('WHEN', when) };
}

type Line = {
  readonly NUM: string;
  readonly QTE: string;
  readonly ETAT: string;
  readonly CODE: string;
  readonly N: string;
};

/** What an ERP does: takes each file that has its marker, in order, and deletes both. */
async function importAll(scene: Scene): Promise<readonly Line[]> {
  const folder = join(scene.root, 'answers');
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.csv.ok'))
        .sort()
    : [];
  const lines: Line[] = [];
  for (const marker of names) {
    const path = join(folder, marker.slice(0, -'.ok'.length));
    lines.push(...((await csv({ delimiter: ';' }).fromString(readFileSync(path, 'latin1'))) as Line[]));
    unlinkSync(path);
    unlinkSync(join(folder, marker));
  }
  return lines;
}

test('each document is reported once, with the cells of the export and the letters of the ERP', async () => {
  await using scene = await openScene({ mappings: mappingWith() });
  scene.drop(
    'ventes.csv',
    sales(['F1', 'F2-X6', 'F3']).replace('F3;05/09/2026;Client F3;1;2;', 'F3;05/09/2026;Client F3;1;2O;'),
  );
  await scene.night();
  const first = await importAll(scene);
  expect(first.map(({ NUM, QTE, ETAT, CODE, N }) => [NUM, QTE, ETAT, CODE, N])).toEqual([
    ['F1', '2', 'A', '2', '1'],
    ['F2-X6', '2', 'R', '6', '1'],
    ['F3', '2O', 'R', '', '1'],
  ]);
  await scene.night();
  expect(await importAll(scene)).toEqual([]);
  scene.drop('ventes2.csv', sales(['F3']));
  await scene.night();
  expect((await importAll(scene)).map(({ NUM, ETAT, N }) => [NUM, ETAT, N])).toEqual([['F3', 'A', '2']]);
  const f3 = (await scene.entries()).find(({ facts }) => facts.identifier === 'F3');
  const reported = await scene.look((ledger) => ledger.answers.reportedToErp(f3?.id ?? ''));
  expect(reported.map(({ state, file }) => [state, file.name, file.state])).toEqual([
    ['invalid', 'RET_ventes_0001.csv', 'written'],
    ['authorized', 'RET_ventes2_0002.csv', 'written'],
  ]);
});

test('the group of the ERP may read what the program makes for it: file, marker, the mark of the folder and the folder', async () => {
  await using scene = await openScene({ mappings: mappingWith() });
  scene.drop('ventes.csv', sales(['F1']));
  // The program alone sets its umask.
  expect((await runIn(scene, 'run')).code).toBe(0);
  const folder = join(scene.root, 'answers');
  const modes = ['.', ...readdirSync(folder).sort()].map((name) => [
    name,
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  ]);
  expect(modes).toEqual([
    ['.', '750'],
    ['.nightpost-answers', '640'],
    ['RET_ventes_0001.csv', '640'],
    ['RET_ventes_0001.csv.ok', '640'],
  ]);
});

test('a watch that is asked to end reports what has ended, and one that was killed before leaves that to the next', async () => {
  const clock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal) };
  await using scene = await openScene({ mappings: mappingWith(), settings: { answers: { every: '1h' } } });
  const stop = new AbortController();
  const onEvent = ({ what }: PipelineEvent) => void (what === 'document' && stop.abort());
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night({ watch: true, stop: stop.signal, onEvent });
  expect((await importAll(scene)).map(({ NUM, ETAT }) => [NUM, ETAT])).toEqual([['F1', 'A']]);

  scene.drop('ventes2.csv', sales(['F2']));
  await scene.desk(async (work) => {
    await ingestAll(work, 'run');
    await sendDue(work, work.services.get('fr')!, 1000);
    await writeDueReceipts(work, { waiting: true });
  });
  const [next, written] = [new AbortController(), Promise.withResolvers<void>()];
  const over = scene.night({
    ...{ watch: true, stop: next.signal, clock },
    onEvent: ({ what }) => void (what === 'answers-written' && written.resolve()),
  });
  await written.promise;
  expect((await importAll(scene)).map(({ NUM, ETAT }) => [NUM, ETAT])).toEqual([['F2', 'A']]);
  next.abort();
  await over;
});

test('stopped at any commit, the next run reports what is missing and nothing twice', async () => {
  for (let at = 1; ; at += 7) {
    await using scene = await openScene({ mappings: mappingWith() });
    scene.drop('ventes.csv', sales(['F1', 'F2']));
    let writes = 0;
    const counting = (driver: Driver): Driver => ({
      ...driver,
      write: (work, ends) => {
        writes++;
        return driver.write(work, ends);
      },
    });
    await scene.night({ through: (driver) => stopAtWrite(at)(counting(driver)) }).catch(() => undefined);
    const early = await importAll(scene);
    await scene.night();
    const lines = [...early, ...(await importAll(scene))];
    expect([at, lines.map(({ NUM }) => NUM).sort()]).toEqual([at, ['F1', 'F2']]);
    // `counting` is below: a write that was stopped never reached it.
    if (writes < at - 1) break;
  }
});

test('a folder that is away or blocked delays answers alone; other bytes are never overwritten', async () => {
  await using scene = await openScene({ mappings: mappingWith() });
  const folder = join(scene.root, 'answers');
  const waiting = () => scene.look((ledger) => ledger.answers.answersWaiting());
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  expect(await importAll(scene)).toHaveLength(1);
  renameSync(folder, `${folder}-away`);
  mkdirSync(folder);
  scene.drop('ventes2.csv', sales(['F2']));
  await scene.night();
  expect((await scene.entries()).map(({ state }) => state)).toEqual(['authorized', 'authorized']);
  expect(await waiting()).toMatchObject({
    documents: 1,
    delays: [{ folder: 'answers', tries: 1, code: 'answers/folder-away' }],
  });
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-away`, folder);
  writeFileSync(join(folder, 'RET_ventes2_0002.csv'), 'of another program');
  await scene.night();
  expect(await waiting()).toMatchObject({ files: 1, delays: [{ code: 'answers/foreign-file' }] });
  expect(readFileSync(join(folder, 'RET_ventes2_0002.csv'), 'utf8')).toBe('of another program');
  unlinkSync(join(folder, 'RET_ventes2_0002.csv'));
  await scene.night();
  expect((await importAll(scene)).map(({ NUM }) => NUM)).toEqual(['F2']);
  expect(await waiting()).toEqual({ documents: 0, files: 0, delays: [], fields: [] });
});

test('a block that gets another name while its folder is away reports what was due, and nothing twice', async () => {
  const under = (name: string) =>
    mappingWith()['sales.yaml']?.replace('marker:', 'to: erp\n    marker:').replace('RET_{file.stem}_{n:4}', name) ??
    '';
  const settings = { answers: { folders: { erp: 'answers' } } };
  await using scene = await openScene({ settings, mappings: { 'sales.yaml': under('OLD_{n}') } });
  const folder = join(scene.root, 'answers');
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  renameSync(folder, `${folder}-away`);
  writeFileSync(folder, '');
  scene.drop('ventes2.csv', sales(['F2']));
  await scene.night();
  rmSync(folder);
  renameSync(`${folder}-away`, folder);
  writeFileSync(join(scene.root, 'mappings', 'sales.yaml'), under('NEW_{n}'));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect((await importAll(scene)).map(({ NUM }) => NUM)).toEqual(['F2', 'F1']);
  expect(await scene.look((ledger) => ledger.answers.answersWaiting())).toMatchObject({
    documents: 0,
    files: 0,
    delays: [],
  });

  // A mapping that is gone leaves what was due: its name is reported, until it is back.
  renameSync(folder, `${folder}-away`);
  scene.drop('ventes3.csv', sales(['F3', 'F4']));
  await commandIn(scene, 'run');
  const mapping = (text: string) => writeFileSync(join(scene.root, 'mappings', 'sales.yaml'), text);
  const answers = async () => JSON.parse((await commandIn(scene, 'status', '--json')).out).answers;
  expect(await answers()).toMatchObject({ documents: 2, left: [] });
  mapping('mapping: [');
  expect(await answers()).toMatchObject({ documents: 2, left: [] });
  mapping(SALES_MAPPING.replace(/^mapping: .*/m, 'mapping: other'));
  await commandIn(scene, 'run');
  const left = [{ mapping: 'sales', documents: 2 }];
  expect(await answers()).toMatchObject({ documents: 2, left });
  const line = /2 documents wait for answers of the mapping "sales", which is gone; put it back under this name/;
  expect((await commandIn(scene, 'status')).out.replace(/\s+/g, ' ')).toMatch(line);
  const [check] = await answerChecks(scene.instance());
  expect(check && [check.result, check.says]).toEqual(['warning', expect.stringContaining('"sales"')]);
  expect(JSON.parse((await commandIn(scene, 'report', '--json')).out).answers).toMatchObject({ left });
  expect((await commandIn(scene, 'report', '--html')).out).toContain('which is gone');
  mapping(SALES_MAPPING);
  await commandIn(scene, 'run');
  expect(JSON.parse((await commandIn(scene, 'status', '--json')).out).answers).toMatchObject({
    documents: 0,
    left: [],
  });
});

test('a file that another program writes under the name at the last moment is not replaced', async () => {
  await using scene = await openScene({ mappings: mappingWith() });
  const [copy, folder] = [join(scene.root, 'copy'), join(scene.root, 'erp')];
  mkdirSync(folder);
  writeFileSync(copy, 'answers');
  const file = { name: 'R_1.csv', sha256: sha256Hex('answers'), folder, isPlaced: false, copy };
  writeFileSync(join(folder, '.nightpost-answers'), '');
  const late = async () => writeFileSync(join(folder, 'R_1.csv'), 'of another program');
  await expect(placeAnswerFile(file, late)).rejects.toMatchObject({ code: 'answers/foreign-file' });
  expect(readFileSync(join(folder, 'R_1.csv'), 'utf8')).toBe('of another program');
  unlinkSync(join(folder, 'R_1.csv'));
  expect(await placeAnswerFile({ ...file, isPlaced: true }, late)).toBe('written');
  expect(readFileSync(join(folder, 'R_1.csv'), 'utf8')).toBe('answers');
  // Gone with its folder: no ERP took it.
  renameSync(folder, `${folder}-away`);
  const again = { ...file, isPlaced: true };
  await expect(placeAnswerFile(again, late)).rejects.toMatchObject({ code: 'answers/folder-away' });
  mkdirSync(folder);
  await expect(placeAnswerFile(again, late)).rejects.toMatchObject({ code: 'answers/folder-away' });
  writeFileSync(join(folder, '.nightpost-answers'), '');
  expect(await placeAnswerFile(again, late)).toBe('taken');
});

test('settled: one file, when no document waits; file: the whole export at each change', async () => {
  for (const [when, expected] of [
    ['settled', [[], ['F1', 'F2']]],
    [
      'file',
      [
        ['F1', 'F2'],
        ['F1', 'F2'],
      ],
    ],
  ] as const) {
    await using scene = await openScene({ mappings: mappingWith(when) });
    scene.drop('ventes.csv', sales(['F1', 'F2-X8']).replaceAll('F2-X8;', 'F2-X8;'));
    await scene.night();
    const first = (await importAll(scene)).map(({ NUM }) => NUM.slice(0, 2));
    const [, open] = await scene.entries();
    await scene.desk(async ({ ledger }) => {
      const evidence = { as: 'authorized', by: 'anna', at: new Date().toISOString(), reason: 'portal' } as const;
      expect(await ledger.submissions.resolve(open?.id ?? '', evidence)).toBe(true);
    });
    await scene.night();
    const second = (await importAll(scene)).map(({ NUM }) => NUM.slice(0, 2));
    await scene.night();
    expect([when, first, second, await importAll(scene)]).toEqual([when, ...expected, []]);
  }
});

test('a folder that the settings do not have, or that takes nothing', async () => {
  const mappings = { 'sales.yaml': mappingWith()['sales.yaml']?.replace('marker:', 'to: erp\n    marker:') ?? '' };
  await using scene = await openScene({ mappings });
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  const { delays } = await scene.look((ledger) => ledger.answers.answersWaiting());
  expect(delays.map(({ folder, code }) => [folder, code])).toEqual([['erp', 'answers/no-folder']]);
  // No account may write there, not even that of the system.
  await expect(checkAnswerFolder('/sys/kernel', { known: false, own: false })).rejects.toMatchObject({
    code: 'answers/folder-read-only',
  });
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  expect(answerFolderFault(full, '/srv/erp')).toMatchObject({ code: 'answers/folder-full' });
});

test('an export whose copy is gone delays its own answers, and says so until it is back', async () => {
  await using scene = await openScene({ mappings: mappingWith() });
  const [away, home] = [join(scene.root, 'answers'), join(scene.root, 'home')];
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  renameSync(away, home);
  writeFileSync(away, '');
  scene.drop('ventes2.csv', sales(['F2']));
  await scene.night();
  rmSync(away);
  renameSync(home, away);
  const [{ path = '' } = {}] = await scene.look((ledger) => ledger.queries.filesCalled('ventes2.csv'));
  renameSync(path, `${path}.gone`);
  const happened: PipelineEvent[] = [];
  await scene.night({ onEvent: (one) => happened.push(one) });
  const delays = async () =>
    (await scene.look((ledger) => ledger.answers.answersWaiting())).delays.map(({ code }) => code);
  expect(await delays()).toEqual(['answers/not-made']);
  expect(happened.flatMap((one) => (one.what === 'answers-delayed' ? [one.code] : []))).toEqual(['answers/not-made']);
  renameSync(`${path}.gone`, path);
  await scene.night();
  expect(await delays()).toEqual([]);
  expect((await importAll(scene)).map(({ NUM }) => NUM).sort()).toEqual(['F1', 'F2']);
});

/** Any group but our own. */
const OF_ERP = 100;

test.skipIf(process.getuid?.() !== 0)(
  'answers have the group of a folder that gives its own to new files',
  async () => {
    await using scene = await openScene({ mappings: mappingWith() });
    const folder = join(scene.root, 'answers');
    mkdirSync(folder, { recursive: true });
    chownSync(folder, 0, OF_ERP);
    chmodSync(folder, 0o2770);
    scene.drop('ventes.csv', sales(['F1']));
    await scene.night();
    const groups = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).gid]);
    expect(groups.filter(([, gid]) => gid !== OF_ERP)).toEqual([]);
    expect(groups).toHaveLength(3);
  },
);
