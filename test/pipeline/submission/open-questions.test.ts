/** A consultation that a stop cuts off leaves an attempt without an answer, which no receipt shows before the next one. */
import { expect, test } from 'vitest';
import { openScene, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

async function ask(scene: Scene): Promise<void> {
  const [entry] = await scene.entries();
  const { id, revision, kind, service, class: of, facts } = entry!;
  const mapping = { id: 'sales', version: '1', sha256: '' };
  const due = { id, revision, kind, service, class: of, identifier: facts.identifier, mapping, tries: 0 };
  await scene.desk(async ({ ledger, clock }) => {
    const intent = { at: clock.now().toISOString(), requestId: 'asked', run: 'asked' };
    expect(await ledger.submissions.beginConsult(due, intent)).toBeDefined();
  });
}

test.each(['F1-XLOST', 'F1-X403'])(
  'verify finds no break after questions about %s that were cut off',
  async (number) => {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales([number]));
    await scene.night();
    for (const _ of [1, 2]) {
      await ask(scene);
      const { code, out } = await commandIn(scene, 'verify');
      expect([code, out]).toEqual([0, expect.any(String)]);
    }
    const resolved = ['--as', 'rejected', '--reason', 'looked it up'];
    expect((await commandIn(scene, 'resolve', number, ...resolved)).code).toBe(0);
    await scene.night();
    expect((await scene.entries())[0]?.receipt?.link).toBeDefined();
    expect((await commandIn(scene, 'verify')).code).toBe(0);
  },
);
