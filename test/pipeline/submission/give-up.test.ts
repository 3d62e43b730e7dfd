/** A service that cannot be reached is tried as long as the settings say, and no wait goes beyond it. */
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/runs/open-run.ts';
import { openScene, sales, tally } from '../../night.ts';

test.each([1, 20, 40])('give-up-after %i s: the run ends then, and no later', async (seconds) => {
  await using scene = await openScene({
    settings: { run: { 'give-up-after': `${seconds}s` } },
    // Nothing listens there.
    services: { fr: { 'base-url': 'http://127.0.0.1:9', 'identity-url': 'http://127.0.0.1:9' } },
  });
  scene.drop('ventes.csv', sales(['F1']));
  let passedMs = 0;
  const clock = {
    ...systemClock,
    monotonic: () => passedMs,
    sleep: async (ms: number) => {
      passedMs += ms;
    },
  };
  const { stops } = await scene.night({ clock });
  expect(stops).toMatchObject([{ service: 'fr', cause: 'unreachable' }]);
  expect(passedMs).toBe(seconds * 1000);
  expect(tally(await scene.entries())).toEqual({ ready: 1 });
});
