/** After a kill at a write, a restore and a rebuild on PostgreSQL: nothing is lost, nothing is sent twice. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import type { Scene } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { endedAt, recoversAt } from '../../recovery.ts';
import { seed } from '../../seed.ts';
import { openPostgresScene } from './scene.ts';

async function dropSchema(scene: Scene, which: 'own' | 'before'): Promise<void> {
  const server = await ledgerPlaceOf(scene.instance()).postgres!();
  const driver = await openDriver(server);
  const names = await driver.read(
    async (sql) => await sql.all('SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE ?', `${server.schema}%`),
  );
  for (const { name } of names) {
    if ((name === server.schema) !== (which === 'own')) continue;
    await driver.write(async (sql) => void (await sql.run(`DROP SCHEMA "${name}" CASCADE`)));
  }
  // Now, and not at the end of the test: the server has no connections for every write of a night.
  await driver.close();
}

const WAYS = {
  restore: async (scene: Scene) => {
    expect((await commandIn(scene, 'ledger', 'restore', join(scene.root, 'backup.sqlite'))).code).toBe(0);
    await dropSchema(scene, 'before');
  },
  rebuild: async (scene: Scene) => {
    await dropSchema(scene, 'own');
    expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
  },
} as const;

const open = async () => await openPostgresScene({ services: { fr: { concurrency: 2 } } });
const step = process.env.TORTURE === undefined ? 9 : 1;

test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
  '%s after a kill: nothing lost, nothing twice',
  async (way) => {
    for (let n = 1 + (seed % step); await recoversAt(open, n, WAYS[way]); n += step);
    for (let n = 1 + ((seed + 4) % step); await endedAt(open, n, WAYS[way]); n += 2 * step);
  },
  600_000,
);
