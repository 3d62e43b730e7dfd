/** `answers`, `preview --answers`, `test` and `verify` over a night with answers; each command in this process. */
import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NightReport } from '../../src/views/reporting/report-shape.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const MAPPING = `${SALES_MAPPING}
answers:
  - file: "RET_{file.stem}_{n}.csv"
    format: { csv: {} }
    row: { NUM: $Num, ETAT: "@answer.state", MSG: { value: "@answer.message", width: 4 } }
tests:
  - name: answers
    given: mappings/sample.csv
    answers-as: [rejected]
    expect-answers: mappings/expected.csv
`;
const WHY = ['--reason', 'import failed', '--by', 'anna'];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ mappings: { 'sales.yaml': MAPPING, 'sample.csv': sales(['F9']) } });
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
});
afterAll(() => scene[Symbol.asyncDispose]());

function answersIn(): readonly string[] {
  return answersOf(join(scene.root, 'answers'));
}

function answersOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .sort();
}

test('answers lists the files; --again reports a document or an export once more, with who and why', async () => {
  const listed = JSON.parse((await commandIn(scene, 'answers', '--json')).out) as { files: object[]; waiting: object };
  expect(listed).toMatchObject({
    files: [{ name: 'RET_ventes_1.csv', n: 1, folder: 'answers', state: 'written', documents: 2 }],
    waiting: { documents: 0, files: 0, delays: [] },
  });
  expect((await commandIn(scene, 'answers', '--again', 'F1')).err).toContain('decide/no-reason');
  expect((await commandIn(scene, 'answers', '--again', 'F77', ...WHY)).err).toContain('answers/unknown');
  expect((await commandIn(scene, 'answers', '--again', 'F1', '--dry-run')).code).toBe(0);
  expect(answersIn()).toEqual(['RET_ventes_1.csv']);
  expect((await commandIn(scene, 'answers', '--again', 'F1', ...WHY)).code).toBe(0);
  expect((await commandIn(scene, 'answers', '--again', 'ventes.csv', ...WHY)).code).toBe(0);
  expect(answersIn()).toEqual(['RET_ventes_1.csv', 'RET_ventes_2.csv', 'RET_ventes_3.csv']);
  expect(readFileSync(join(scene.root, 'answers', 'RET_ventes_2.csv'), 'utf8')).toMatch(
    /^NUM;ETAT;MSG\r\nF1;authorized;/,
  );
  const history = await scene.look(async (ledger) => {
    for await (const { id, facts } of ledger.queries.find({}))
      if (facts.identifier === 'F1') return await ledger.queries.historyOf(id);
  });
  expect(history?.filter(({ what }) => what === 'answers-again').map(({ person }) => person)).toEqual(['anna', 'anna']);
});

test('a field that does not fit is named by answers, status, report, doctor and a metric', async () => {
  const wrong = { answers: 'sales RET_{file.stem}_{n}.csv', field: 'MSG', why: 'too-wide' };
  const { files, waiting } = JSON.parse((await commandIn(scene, 'answers', '--json')).out) as {
    files: { fields: object[] }[];
    waiting: { fields: { count: number }[] };
  };
  expect(files.at(-1)?.fields).toEqual([{ field: 'MSG', why: 'too-wide', count: 2 }]);
  expect(waiting.fields).toEqual([{ ...wrong, count: 5 }]);
  const status = JSON.parse((await commandIn(scene, 'status', '--json')).out) as { answers: object };
  expect(status.answers).toMatchObject({ fields: [{ ...wrong, count: 5 }] });
  expect((await commandIn(scene, 'status', '--check')).code).toBe(1);
  for (const command of [['status'], ['answers'], ['doctor', '--offline']]) {
    expect((await commandIn(scene, ...command)).out).toContain('MSG');
  }
  scene.drop('ventes3.csv', sales(['F3']));
  const night = await commandIn(scene, 'run', '--json');
  expect([night.code, night.err]).toEqual([0, expect.stringContaining('MSG')]);
  const { answers, verdict } = JSON.parse(night.out) as NightReport;
  expect([answers?.fields, verdict.weight]).toEqual([[{ ...wrong, count: 6 }], 'attention']);
  const samples = await scene.look(async (ledger) => await ledger.answers.answerFieldProblems());
  expect(samples).toBe(6);
});

test('a mapping without answers has nothing to report once more', async () => {
  await using other = await openScene();
  other.drop('ventes.csv', sales(['F1']));
  await other.night();
  expect((await commandIn(other, 'answers', '--again', 'F1', ...WHY)).err).toContain('answers/no-block');
  expect((await commandIn(other, 'answers')).code).toBe(0);
});

test('preview --answers prints them, and names what a night would leave empty', async () => {
  const path = join(scene.root, 'mappings', 'ventes9.csv');
  writeFileSync(path, sales(['F9', 'F10']));
  const made = await commandIn(scene, 'preview', path, '--answers');
  expect([made.code, made.out]).toEqual([
    3,
    expect.stringMatching(/RET_ventes9_1\.csv[\s\S]*F9;authorized;\n[\s\S]*MSG/),
  ]);
  // The same text of both documents is named once.
  expect(made.out.match(/ too wide /g)).toHaveLength(1);
});

test('test compares with the golden file; --update writes it', async () => {
  const golden = join(scene.root, 'mappings', 'expected.csv');
  const missing = await commandIn(scene, 'test');
  expect([missing.code, missing.out]).toEqual([2, expect.stringContaining('mappings/expected.csv')]);
  await commandIn(scene, 'test', '--update');
  expect(readFileSync(golden, 'utf8')).toBe('NUM;ETAT;MSG\r\nF9;rejected;\r\n');
  // What does not fit is named, whatever the golden file says.
  expect((await commandIn(scene, 'test')).out).toContain('MSG');
});

test('status and doctor show a folder that is away; the exit code of a night stays', async () => {
  renameSync(join(scene.root, 'answers'), join(scene.root, 'gone'));
  mkdirSync(join(scene.root, 'answers'));
  scene.drop('ventes4.csv', sales(['F4']));
  const night = await commandIn(scene, 'run');
  expect([night.code, night.err]).toEqual([0, expect.stringContaining('answers/folder-away')]);
  expect((await commandIn(scene, 'status', '--check')).out).toContain('NIGHTPOST WARNING');
  expect((await commandIn(scene, 'status')).out).toContain('answers/folder-away');
  const { answers } = JSON.parse((await commandIn(scene, 'status', '--json')).out) as { answers: object };
  expect(answers).toMatchObject({ documents: 1, delays: [{ tries: 1 }] });
  const { answers: reported } = JSON.parse((await commandIn(scene, 'report', '--json')).out) as NightReport;
  expect(reported).toMatchObject({ documents: 1, delays: [{ folder: 'answers', code: 'answers/folder-away' }] });
  expect((await commandIn(scene, 'doctor', '--offline')).out).toContain('answers/folder-away');
  expect((await commandIn(scene, 'doctor', '--offline')).out).toContain(join(scene.root, 'answers'));
});

test('verify proves what the ERP got, and finds a changed file or record', async () => {
  expect((await commandIn(scene, 'verify', '--json')).code).toBe(0);
  writeFileSync(join(scene.root, 'answers', 'RET_ventes_1.csv'), 'edited');
  expect((await commandIn(scene, 'verify')).out).toContain('verify/answers-differ');
  writeFileSync(
    join(scene.root, 'answers', 'RET_ventes_1.csv'),
    readFileSync(join(scene.root, 'gone', 'RET_ventes_1.csv')),
  );
  expect((await commandIn(scene, 'verify')).code).toBe(0);
  {
    using db = new DatabaseSync(join(scene.root, 'state', 'ledger.sqlite'));
    db.exec("UPDATE answered SET state = 'rejected' WHERE answer_file = 2");
  }
  expect((await commandIn(scene, 'verify')).out).toContain('verify/answers-differ');
});

test('purge removes answer files of their age that are still there, and only the bytes that Nightpost wrote', async () => {
  await using other = await openScene({ mappings: { 'sales.yaml': MAPPING }, settings: { keep: { answers: '1d' } } });
  for (const number of ['F1', 'F2']) {
    other.drop(`ventes-${number}.csv`, sales([number]));
    await other.night();
  }
  const changed = join(other.root, 'answers', 'RET_ventes-F2_2.csv');
  writeFileSync(changed, 'edited');
  {
    using db = new DatabaseSync(join(other.root, 'state', 'ledger.sqlite'));
    db.exec("UPDATE answer_file SET written_at = '2020-01-01T00:00:00.000Z'");
  }
  expect((await commandIn(other, 'purge', ...WHY)).code).toBe(0);
  expect(readdirSync(join(other.root, 'answers')).filter((name) => name.endsWith('.csv'))).toEqual([
    'RET_ventes-F2_2.csv',
  ]);
});

test('a purge of a counterparty removes its answer files that are still there, and keeps what the ERP did not get', async () => {
  await using other = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  const folder = join(other.root, 'answers');
  other.drop('ventes.csv', sales(['F1', 'F2']));
  await other.night();
  // The answer of F3 waits for its folder.
  writeFileSync(join(folder, 'RET_ventes3_2.csv'), 'of another program');
  other.drop('ventes3.csv', sales(['F3']));
  await other.night();
  const purge = async (name: string, ...more: string[]) =>
    JSON.parse((await commandIn(other, 'purge', '--subject', name, ...WHY, '--json', ...more)).out) as {
      documents: { number: string }[];
      answers: string[];
      waiting: number;
    };
  expect(await purge('Client F3')).toMatchObject({ documents: [], answers: [], waiting: 1 });
  const path = join(folder, 'RET_ventes_1.csv');
  expect(await purge('Client F1', '--dry-run')).toMatchObject({ documents: [{ number: 'F1' }], answers: [path] });
  expect(readdirSync(folder)).toContain('RET_ventes_1.csv');
  await purge('Client F1');
  expect(readdirSync(folder).filter((name) => name.endsWith('.csv'))).toEqual(['RET_ventes3_2.csv']);
  expect((await commandIn(other, 'verify')).code).toBe(0);
});

test('a restored ledger goes on after the numbers that the ERP has seen', async () => {
  await using other = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  const folder = join(other.root, 'answers');
  const night = async (number: string) => {
    other.drop(`ventes-${number}.csv`, sales([number]));
    await other.night();
  };
  await night('F1');
  const copy = join(other.root, 'copy.sqlite');
  await commandIn(other, 'backup', copy);
  await night('F2');
  await night('F3');
  // The ERP has taken everything: only the mark knows the last number.
  for (const name of answersOf(folder)) unlinkSync(join(folder, name));
  expect((await commandIn(other, 'ledger', 'restore', copy)).code).toBe(0);
  await night('F4');
  // The ledger cannot know that the ERP has the answers of F2 and F3.
  // Which export is answered first is left to chance.
  const numbers = () =>
    answersOf(folder)
      .map((name) => Number(/_(\d+)\.csv$/.exec(name)?.[1]))
      .sort((one, other) => one - other);
  expect(numbers()).toEqual([4, 5, 6]);
  // A file whose number the mark lacks counts too.
  writeFileSync(join(folder, 'RET_ventes-F9_9.csv'), 'of a night that the copy does not have');
  expect((await commandIn(other, 'ledger', 'restore', copy)).code).toBe(0);
  await night('F5');
  expect(numbers()).toEqual([4, 5, 6, 9, 10, 11, 12, 13]);
  expect((await commandIn(other, 'verify')).code).toBe(0);
});
