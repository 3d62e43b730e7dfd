/** A backup of the middle of a night comes back after a ledger that knew the same exports from their receipts alone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales, stopAtWrite } from '../night.ts';
import { commandIn } from '../program.ts';

const EXPORTS = {
  'one file': {
    mappings: { 'sales.yaml': SALES_MAPPING },
    before: { 'ventes-1.csv': sales(['A0']) },
    files: { 'ventes-2.csv': sales(['A1', 'A2', 'A3-X6']) },
  },
} as const;

function faulty(scene: Scene): readonly string[] {
  const written = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  return written
    .filter((path) => path.endsWith('.summary.json'))
    .map((path) => JSON.parse(scene.read(path)))
    .filter(({ rows }) => rows.unaccounted.count + rows.twice.count > 0)
    .map(({ file, rows }) => `${file.name}: ${rows.unaccounted.count} in no place, ${rows.twice.count} twice`);
}

test.each(Object.keys(EXPORTS) as (keyof typeof EXPORTS)[])('%s', { timeout: 120_000 }, async (what) => {
  const { mappings, before, files } = EXPORTS[what];
  for (let at = 1, cut = true; cut; at++) {
    await using scene = await openScene({ mappings });
    const [first, second] = [join(scene.root, 'first.sqlite'), join(scene.root, 'second.sqlite')];
    for (const [name, text] of Object.entries(before)) scene.drop(name, text);
    await scene.night();
    for (const [name, text] of Object.entries(files)) scene.drop(name, text);
    cut = await scene.night({ through: stopAtWrite(at) }).then(
      () => false,
      () => true,
    );
    const sound = async (when: string) => {
      const here = `cut at ${at}, ${when}`;
      await scene.night();
      expect(faulty(scene), here).toEqual([]);
      expect((await commandIn(scene, 'verify')).out, here).not.toContain('verify/');
      const twice = scene.sandbox.acceptances().filter(({ accepted }) => accepted > 1);
      expect(twice, here).toEqual([]);
    };
    await commandIn(scene, 'backup', first);
    rmSync(join(scene.root, 'state'), { recursive: true });
    await commandIn(scene, 'ledger', 'rebuild');
    await sound('rebuilt');
    await commandIn(scene, 'backup', second);
    await commandIn(scene, 'ledger', 'restore', first);
    await sound('restored');
    await commandIn(scene, 'ledger', 'restore', second);
    await sound('restored again');
  }
});
