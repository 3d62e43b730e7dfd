/**
 * The connection to the server ends at one statement of a whole command, or the answer to it is lost: the command says so and what
 * to do, and the next one goes on. Nothing is sent twice. The short form takes a few statements, the others with another seed;
 * TORTURE=1 takes each, before and after it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Fate, relayTo } from '../../database/postgres/relay.ts';
import { placeOf } from '../../database/postgres/server.ts';
import { type Scene, sales, tally } from '../../night.ts';
import { commandIn, type Ended } from '../../program.ts';
import { randomFrom } from '../../rigs/random.ts';
import { seed } from '../../seed.ts';
import { openPostgresScene, postgresSettings } from './scene.ts';

const FATES: readonly Fate[] = ['cut-before', 'answer-lost'];
/** A command of these has fewer statements. */
const MOST = 300;
const SHORT = 2;

/** A scene whose connections all go through one relay; `cut` ends the one on which the statement of this number is asked. */
async function cuttable() {
  let [at, count, fate]: [number, number, Fate] = [0, 0, 'passes'];
  const settings = postgresSettings();
  const url = `postgres://${settings.user}@${settings.host}:${settings.port}/${settings.database}`;
  const { host, port, tls } = await relayTo({ ...placeOf(url, settings.schema), tls: settings.tls }, ({ type }) =>
    (type === 'E' || type === 'Q') && ++count === at ? fate : 'passes',
  );
  const scene = await openPostgresScene(
    { settings: { inbox: { settle: '1ms' }, run: { 'give-up-after': '5s', hold: { over: { EUR: '200' } } } } },
    { ...settings, host, port, tls, lease: '10s' },
  );
  const cut = (number: number, how: Fate) => {
    [at, count, fate] = [number, 0, how];
  };
  return { scene, cut, isCut: () => at > 0 && count >= at };
}

/** A session may end a moment after its connection to the relay. */
async function whenFree(scene: Scene, ...command: readonly string[]): Promise<Ended> {
  for (;;) {
    const ended = await commandIn(scene, ...command);
    if (ended.code !== 6) return ended;
    await sleep(50);
  }
}

function* places(): Generator<readonly [number, Fate]> {
  const random = randomFrom(seed);
  if (process.env.TORTURE) for (let at = 1; at < MOST; at++) for (const fate of FATES) yield [at, fate];
  else for (let n = 0; n < SHORT; n++) yield [1 + random.below(200), FATES[random.below(FATES.length)]!];
}

/** Every place takes most of an hour; a few take seconds. */
const LIMIT = process.env.TORTURE ? 3_000_000 : 120_000;

/** A message with the code of the ledger and what to do, as `report-error.ts` writes it. */
const SAYS = /^nightpost: ledger\/(?:postgres-unreachable|write-failed): .+\n {2}Check that the server runs/m;

/** 3: a document whose answer could not be stored is in doubt, and waits for a person. */
const DONE = [0, 3];

test('a run', { timeout: LIMIT }, async () => {
  const { scene, cut, isCut } = await cuttable();
  let files = 0;
  for (const [at, fate] of places()) {
    files++;
    scene.drop(`ventes-${files}.csv`, sales([`F${files}`]));
    cut(at, fate);
    const ended = await whenFree(scene, 'run');
    const wasCut = isCut();
    cut(0, 'passes');
    if (wasCut && ended.code !== 0)
      expect([at, fate, ended.code, ended.err]).toEqual([at, fate, 5, expect.stringMatching(SAYS)]);
    else expect(DONE).toContain(ended.code);
    expect(DONE).toContain((await whenFree(scene, 'run')).code);
    const requests = scene.sandbox.acceptances().map((one) => one.requests);
    expect([at, fate, requests]).toEqual([at, fate, Array.from({ length: files }, () => 1)]);
  }
  const states = tally(await scene.entries());
  expect((states.authorized ?? 0) + (states['in-doubt'] ?? 0)).toBe(files);
});

test('decisions of a person', { timeout: LIMIT }, async () => {
  const { scene, cut } = await cuttable();
  let files = 0;
  for (const [at, fate] of places()) {
    files++;
    const number = `F${files}`;
    scene.drop(`ventes-${files}.csv`, sales([number], '9'));
    expect((await whenFree(scene, 'run')).code).toBe(3);
    cut(1 + (at % 60), fate);
    const ended = await whenFree(scene, 'release', number, '--reason', 'asked');
    cut(0, 'passes');
    if (ended.code === 5) expect(ended.err).toMatch(SAYS);
    await whenFree(scene, 'release', number, '--reason', 'asked');
    await whenFree(scene, 'run');
    const requests = scene.sandbox.acceptances().map((one) => one.requests);
    expect([at, fate, requests]).toEqual([at, fate, Array.from({ length: files }, () => 1)]);
  }
  expect(tally(await scene.entries())).toEqual({ authorized: files });
});
