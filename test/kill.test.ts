/**
 * The real program, killed at random instants while it works and started again until it is done: nothing twice, nothing
 * lost. Half of the kills aim at requests under way, the others at any moment of its life.
 */
import { once } from 'node:events';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openScene, sales, tally } from './night.ts';
import { runIn, startIn } from './program.ts';

const DOCUMENTS = 60;
const KILLS = 4;

/** Park and Miller: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test('SIGKILL at random instants, then on: every document once, every row in one place', async () => {
  const seed = Number(process.env.NIGHTPOST_SEED ?? (Date.now() % 1_000_000) + 1);
  console.info(`NIGHTPOST_SEED=${seed}`);
  const random = randomFrom(seed);
  let onRequest = () => {};
  await using scene = await openScene({
    sandbox: { latencyMs: 15, log: ({ event, act }) => event === 'received' && act === 'submit' && onRequest() },
    services: { fr: { concurrency: 3 } },
  });
  const numbers = Array.from({ length: DOCUMENTS }, (_, n) => `F${n}`);
  for (let n = 0; n < 2; n++) scene.drop(`ventes-${n}.csv`, sales(numbers.slice(n * 15, n * 15 + 15)));
  for (const number of numbers.slice(30)) scene.drop(`ventes-${number}.csv`, sales([number]));
  for (let n = 0; n < KILLS; n++) {
    const { child, ended } = startIn(scene, 'run');
    if (n % 2 === 0) {
      let requests = 1 + Math.floor(random() * 6);
      await Promise.race([new Promise<void>((resolve) => (onRequest = () => --requests <= 0 && resolve())), ended]);
      await wait(random() * 20);
    } else await Promise.race([wait(100 + random() * 700), once(child, 'close')]);
    child.kill('SIGKILL');
    await ended;
  }
  onRequest = () => {};
  expect((await runIn(scene, 'run')).code).toBeOneOf([0, 3]);
  // Killed twice while it was read, a file is set aside: a person has it read once more.
  const refused = (await scene.look((ledger) => ledger.queries.files({}))).filter(({ state }) => state === 'refused');
  expect(refused.flatMap(({ faults }) => faults.map(({ code }) => code === 'intake/program-died'))).not.toContain(
    false,
  );
  for (const { name } of refused) await runIn(scene, 'reprocess', name, '--reason', 'it was killed');
  if (refused.length > 0) expect((await runIn(scene, 'run')).code).toBeOneOf([0, 3]);

  const entries = await scene.entries();
  const counts = tally(entries);
  expect(new Set(entries.map(({ facts }) => facts.identifier)).size).toBe(DOCUMENTS);
  expect((counts.authorized ?? 0) + (counts['in-doubt'] ?? 0)).toBe(DOCUMENTS);
  const taken = scene.sandbox.acceptances();
  expect(taken.filter(({ accepted, duplicates, requests }) => accepted > 1 || duplicates > 0 || requests > 1)).toEqual(
    [],
  );
  const accepted = new Set(taken.flatMap(({ number, accepted }) => (accepted === 1 ? [number] : [])));
  const authorized = entries.filter(({ state }) => state === 'authorized').map(({ facts }) => facts.identifier);
  expect(authorized.filter((number) => !accepted.has(number))).toEqual([]);
  expect(scene.files('inbox')).toEqual([]);
  expect(scene.files('processing')).toEqual([]);
  const archived = scene.files('archive').map((path) => basename(path).slice(0, 16));
  expect(new Set(archived).size).toBe(2 + 30);
  const places = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  expect(places.filter((path) => path.endsWith('.receipt.json'))).toHaveLength(DOCUMENTS);
});
