import { expect, test } from 'vitest';
import { sentSamples } from '../../src/console/screens/mappings/studio-service.ts';
import { openScene, sales } from '../night.ts';

test('a comparison with what was sent reads a bounded part of it, and never none', async () => {
  await using scene = await openScene();
  scene.drop('ventes1.csv', sales(['A1', 'A2', 'A3']));
  await scene.night();
  scene.drop('ventes2.csv', sales(['B1', 'B2', 'B3']));
  await scene.night();
  const read = async (documents: number, characters: number) =>
    await scene.look(async (ledger) => {
      const context = { instance: scene.instance(), ledger };
      const files = await ledger.queries.files({ limit: 10 });
      const samples = await sentSamples(context, files, { documents, characters });
      return samples.map(({ sent }) => sent.length);
    });
  expect(await read(100, 1e9)).toEqual([3, 3]);
  expect(await read(2, 1e9)).toEqual([2]);
  expect(await read(4, 1e9)).toEqual([3, 1]);
  expect(await read(100, 1)).toEqual([1]);
});
