/** Each name of a pair means both files: whoever goes from a file to its documents finds those of the other half too. */
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { PAIR_MAPPING } from './pair-mapping.ts';

const ANSWERS = `answers:
  - file: "RET_{file.stem}_{n}.csv"
    format: { csv: {} }
    row: { NUM: $Num, ETAT: "@answer.state" }
`;

async function pairScene() {
  const scene = await openScene({
    mappings: { 'pairs.yaml': `${PAIR_MAPPING}${ANSWERS}`, 'sales.yaml': SALES_MAPPING },
  });
  scene.drop('ENT_0905.csv', 'Num;Client\nP1;Élan\nP2;Noël\nP3;Léon\n');
  scene.drop('LIG_0905.csv', 'Num;Lig;Net\nP1;1;10,00\nP2;1;x\n');
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  return scene;
}

test.each(['ENT_0905.csv', 'LIG_0905.csv'])('reprocess %s reads the documents of both files', async (name) => {
  await using scene = await pairScene();
  const numbers = async (...words: string[]) => {
    const { out } = await commandIn(scene, '--json', 'reprocess', name, '--dry-run', '--reason', 'x', ...words);
    return (JSON.parse(out).documents as { number: string }[]).map((one) => one.number).sort();
  };
  expect(await numbers()).toEqual(['P2', 'P3']);
  // Filters are read together with the name of a file.
  expect(await numbers('--cause', 'join/header-without-lines')).toEqual(['P3']);
  expect(await numbers('--state', 'held')).toEqual([]);
});

test.each(['ENT_0905.csv', 'LIG_0905.csv'])('answers --again %s: of both files, as --dry-run counts', async (name) => {
  await using scene = await pairScene();
  const again = async (...words: string[]) => {
    const { out } = await commandIn(scene, '--json', 'answers', '--again', name, '--reason', 'lost', ...words);
    return (JSON.parse(out) as { documents: number }).documents;
  };
  expect([await again('--dry-run'), await again()]).toEqual([3, 3]);
});

test('answers --again --dry-run refuses what the act refuses', async () => {
  await using scene = await pairScene();
  for (const words of [['--dry-run'], []]) {
    const { code, err } = await commandIn(scene, 'answers', '--again', 'ventes.csv', '--reason', 'x', ...words);
    expect([code, err]).toEqual([2, expect.stringContaining('answers/no-block')]);
  }
});

test('a filter next to the name of a refused file sets no file aside', async () => {
  await using scene = await pairScene();
  scene.drop('autre.csv', 'a;b\n1;2\n');
  await scene.night();
  const aside = (...words: string[]) => commandIn(scene, 'set-aside', 'autre.csv', '--reason', 'x', ...words);
  expect(await aside('--state', 'invalid')).toMatchObject({ code: 2 });
  expect((await commandIn(scene, 'errors')).out).toContain('autre.csv');
  expect(await aside()).toMatchObject({ code: 0 });
});
