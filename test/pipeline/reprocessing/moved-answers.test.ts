/** Documents that move in their export while their answers are due: each is reported once, and no mark is left. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { reprocess } from '../../../src/pipeline/reprocessing/reprocess-documents.ts';
import { betweenRuns } from '../../../src/runs/between-runs.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

const reporting = (when: string) => ({
  'sales.yaml': `${SALES_MAPPING}
answers:
  - file: "RET_${when === 'change' ? '' : '{file.stem}_'}{n:4}.csv"
    when: ${when}
    each: document
    format: { csv: { delimiter: ";" } }
    row:
      NUM: "@document.identifier"
      STATE: "@answer.state"
      REPEATS: "@answer.repeats"
`,
});

/** A person gives the row this number. */
async function number(scene: Scene, entry: LedgerEntry, row: number, to: string): Promise<void> {
  const at = new Date().toISOString();
  const who = { by: 'anna', reason: 'read from paper', at };
  const corrections = [{ row, column: 'Num', from: '', to, ...who }];
  await scene.desk((work) =>
    betweenRuns(work, async (within) => {
      const [found] = await work.ledger.queries.entriesById([entry.id]);
      await reprocess(within, [found!], { ...who, corrections });
    }),
  );
}

/** Takes the folder of the answers away, until it is disposed of. */
function awayFolder(scene: Scene): Disposable {
  const folder = join(scene.root, 'answers');
  renameSync(folder, `${folder}-away`);
  writeFileSync(folder, 'a file in its place');
  return {
    [Symbol.dispose]: () => {
      rmSync(folder);
      renameSync(`${folder}-away`, folder);
    },
  };
}

function lastFile(scene: Scene): readonly string[] {
  const folder = join(scene.root, 'answers');
  const last = readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .at(-1);
  return readFileSync(join(folder, last!), 'utf8').trimEnd().split('\r\n').slice(1);
}

/** Runs that write no more answers. */
async function expectQuiet(scene: Scene): Promise<void> {
  const night = await scene.night();
  expect(night.told.filter(({ what }) => what.startsWith('answers'))).toEqual([]);
  expect((await scene.look((ledger) => ledger.answers.answersWaiting())).documents).toBe(0);
}

test.each(['change', 'settled', 'file'])('rows that became part of another document, in files of %s', async (when) => {
  await using scene = await openScene({ mappings: reporting(when) });
  scene.drop('ventes.csv', sales(['F1']).replaceAll('F1;', ';'));
  await scene.night();
  const [first, second] = await scene.entries();
  await number(scene, first!, 2, 'F1');
  {
    using _ = awayFolder(scene);
    await number(scene, second!, 3, 'F1');
    await scene.night();
  }
  const night = await scene.night();
  expect(night.told).not.toContainEqual(expect.objectContaining({ what: 'answers-failed' }));
  expect(lastFile(scene)).toEqual(['F1;authorized;false', ';authorized;true']);
  await expectQuiet(scene);
  expect((await commandIn(scene, 'answers', '--again', 'ventes.csv', '--reason', 'lost')).code).toBe(0);
  await scene.night();
  expect(lastFile(scene)).toEqual(['F1;authorized;false', ';authorized;true']);
  await expectQuiet(scene);
});

test('rows that became part of another document are reported under the number that the ERP has for them', async () => {
  const own = { 'sales.yaml': reporting('change')['sales.yaml'].replace('"@document.identifier"', '$Num') };
  const mappings = { 'sales.yaml': `${own['sales.yaml']}      ROWS: = COUNT()\n` };
  await using scene = await openScene({ mappings });
  scene.drop('ventes.csv', sales(['F1', 'F1-bis'], '2O').replaceAll('Client F1-bis', 'Client F1'));
  await scene.night();
  const fix = async (number: string, ...cells: string[]) =>
    (await commandIn(scene, 'fix', number, ...cells, '--reason', 'typed wrongly')).code;
  expect(await fix('F1-bis', 'Num=F1', 'Qte=2')).toBe(3);
  expect(await fix('F1', 'Qte@2=2', 'Qte@3=2')).toBe(0);
  await scene.night();
  expect(lastFile(scene)).toEqual(['F1;authorized;false;4', 'F1-bis;authorized;true;']);
});

test.each(['change', 'settled', 'file'])('a document that loses its first row, in files of %s', async (when) => {
  await using scene = await openScene({ mappings: reporting(when) });
  const rows = sales(['F1', 'F2']).replace('F1;05/09/2026;Client F1;1', 'F1;05/09/2026;Somebody else;1');
  scene.drop('ventes.csv', rows);
  const folder = join(scene.root, 'answers');
  writeFileSync(folder, 'a file in its place');
  await scene.night();
  const [first] = await scene.entries();
  await number(scene, first!, 2, 'F9');
  await scene.night();
  rmSync(folder);
  const night = await scene.night();
  expect(night.told).not.toContainEqual(expect.objectContaining({ what: 'answers-failed' }));
  expect([...lastFile(scene)].sort()).toEqual(['F1;authorized;false', 'F2;authorized;false', 'F9;authorized;false']);
  await expectQuiet(scene);
});
