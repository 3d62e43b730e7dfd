/** Rows without a place are found in old exports too, and their count goes away with them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { parseExposition, seriesValue } from '../../exposition.ts';
import { openScene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

test('an old export with a row without a place is counted, also between rounds, until it is right again', async () => {
  await using scene = await openScene({ settings: { metrics: { textfile: 'nightpost.prom' } } });
  for (let n = 0; n < 25; n++) scene.drop(`ventes-${n}.csv`, sales([`F${n}`]));
  const unaccounted = async () => {
    await commandIn(scene, 'run');
    const metrics = parseExposition(readFileSync(join(scene.root, 'nightpost.prom'), 'utf8'));
    return seriesValue(metrics, 'nightpost_rows_unaccounted');
  };
  expect(await unaccounted()).toBe(0);
  const change = (sign: '+' | '-') => {
    using db = new DatabaseSync(join(scene.root, 'state', 'ledger.sqlite'));
    db.exec(`UPDATE source_file SET row_count = row_count ${sign} 1 WHERE id = (SELECT MIN(id) FROM source_file)`);
  };
  change('+');
  expect(await unaccounted()).toBe(1);
  expect(await unaccounted()).toBe(1);
  change('-');
  expect(await unaccounted()).toBe(0);
});
