/** Nights of one worker with a ledger on PostgreSQL: what the folders say is what they say with SQLite. */
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { must } from '../../../src/model/must.ts';
import { ledgerPlaceOf, systemClock } from '../../../src/runs/open-run.ts';
import { verify } from '../../../src/verify/verify-instance.ts';
import { relayTo } from '../../database/postgres/relay.ts';
import { openScene, type Scene, sales, tally } from '../../night.ts';
import { openPostgresScene } from './scene.ts';

/** What a night leaves for people, without ids, times and what follows from them. */
function outcome(scene: Scene): readonly string[] {
  return ['outbox', 'pending', 'error']
    .flatMap((folder) => scene.files(folder))
    .filter((path) => !path.endsWith('.xlsx'))
    .map((path) => anonymous(`${path}\n${scene.read(path)}`))
    .sort();
}

function anonymous(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\d{8}-\d{4}-[0-9a-f]{4}/g, '<run>')
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/([~.])(?:\d{4}-)?[0-9a-f]{8}\b/g, '$1<short>')
    .replace(/"ms": ?\d+/g, '"ms": <ms>');
}

async function spend(scene: Scene): Promise<void> {
  scene.drop('ventes-1.csv', sales(['F-1', 'F-2', 'F-3']));
  scene.drop('ventes-2.csv', sales(['F-3', 'F-4'], 'x'));
  await scene.night();
  scene.drop('ventes-3.csv', sales(['F-1', 'F-5']));
  await scene.night();
}

test('receipts and summaries are those of SQLite', async () => {
  const scene = await openPostgresScene();
  await spend(scene);
  await using other = await openScene();
  await spend(other);
  expect(tally(await scene.entries())).toEqual(tally(await other.entries()));
  expect(outcome(scene)).toEqual(outcome(other));
});

test('verify waits for the server less than once a document', async () => {
  const scene = await openPostgresScene();
  const numbers = Array.from({ length: 40 }, (_, n) => `F-${n}`);
  for (const number of numbers.slice(0, 20)) scene.drop(`ventes-${number}.csv`, sales([number]));
  scene.drop('ventes-20.csv', sales(numbers.slice(20)));
  await scene.night();
  const instance = scene.instance();
  const place = ledgerPlaceOf(instance);
  let waits = 0;
  const relayed = await relayTo(await must(place.postgres, 'the place of the server')(), ({ type, sql }) => {
    if (type === 'B' && sql.startsWith('BEGIN')) waits++;
    return 'passes';
  });
  await using ledger = await openLedger({ ...place, postgres: async () => relayed, readOnly: true });
  waits = 0;
  const proven = await verify({ instance, ledger, clock: systemClock }, { onBreak: () => {} });
  expect(proven).toMatchObject({ documents: 40, files: 21, breaks: 0 });
  expect(waits).toBeLessThan(40);
});
