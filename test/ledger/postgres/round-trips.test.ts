/** What a night asks of a server that is far away: statements about different files and documents are on the way together. */
import { expect, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import { sales, tally } from '../../night.ts';
import { openPostgresScene } from './scene.ts';

const FILES = 12;

/** Notes the most statements of each kind that wait for their answer at the same time. */
function watchStatements(kinds: readonly string[]) {
  const open = new Map<string, number>();
  const most: { [kind: string]: number } = {};
  const through = (driver: Driver): Driver => ({
    ...driver,
    write: (work, order, apart) =>
      driver.write(
        (sql) => {
          const follow = async <T>(text: string, ask: () => T | Promise<T>): Promise<T> => {
            const kind = kinds.find((one) => text.startsWith(one));
            const change = (by: number) => {
              if (kind === undefined) return;
              open.set(kind, (open.get(kind) ?? 0) + by);
              most[kind] = Math.max(most[kind] ?? 0, open.get(kind)!);
            };
            change(1);
            try {
              return await ask();
            } finally {
              change(-1);
            }
          };
          return work({
            ...sql,
            all: (text, ...values) => follow(text, () => sql.all(text, ...values)),
            run: (text, ...values) => follow(text, () => sql.run(text, ...values)),
          });
        },
        order,
        apart,
      ),
  });
  return { through, most };
}

test('files are claimed and archived together, and documents made to count together', async () => {
  const scene = await openPostgresScene();
  for (let n = 0; n < FILES; n++) scene.drop(`ventes-${n}.csv`, sales([`F${n}-a`, `F${n}-b`]));
  scene.drop('ventes-large.csv', sales(Array.from({ length: FILES }, (_, n) => `G${n}`)));
  const kinds = {
    claimed: 'INSERT INTO source_file',
    archived: 'UPDATE source_file SET path = ?, archived_at = ?',
    counted: 'UPDATE entry SET revision = ?, state = ?',
  };
  const { through, most } = watchStatements(Object.values(kinds));
  await scene.night({ through });
  expect(tally(await scene.entries())).toEqual({ authorized: 3 * FILES });
  // A file is ready when its bytes are in place, so how many share a commit is for the disk to decide: one after the other is wrong.
  for (const kind of Object.values(kinds)) expect(most[kind], kind).toBeGreaterThan(1);
});
