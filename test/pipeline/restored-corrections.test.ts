/** A ledger that is restored or rebuilt knows what people have corrected: it proves the contents, and later corrections come on top. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

test.each(['a backup of before', 'a backup from between', 'rebuild'])(
  'corrected documents are proven, and their corrections stay: %s',
  async (from) => {
    await using scene = await openScene();
    const copy = join(scene.root, 'copy.sqlite');
    const isRebuilt = from === 'rebuild';
    if (from.endsWith('before')) await commandIn(scene, 'backup', copy);
    scene.drop('ventes.csv', sales(['L1', 'L2-X6', 'L3-X6']));
    await scene.night();
    if (from.endsWith('between')) await commandIn(scene, 'backup', copy);
    for (const [number, quantity] of [
      ['L2-X6', '7'],
      ['L3-X6', '8'],
      ['L2-X6', '9'],
    ] as const) {
      await commandIn(scene, 'fix', number, `Qte=${quantity}`, '--reason', 'a try');
      await scene.night();
    }
    expect((await commandIn(scene, 'verify')).code).toBe(0);
    if (isRebuilt) rmSync(join(scene.root, 'state'), { recursive: true });
    const back = isRebuilt ? ['rebuild'] : ['restore', copy];
    expect((await commandIn(scene, 'ledger', ...back)).code).toBe(0);
    expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
    expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
    await scene.night();
    expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
    const fix = await commandIn(scene, 'fix', 'L2-X6', 'PU=11,50', '--reason', 'another');
    expect(fix.out).toContain('is now "held"');
    await commandIn(scene, 'release', 'L2-X6', '--reason', 'looked at it');
    await scene.night();
    const corrected = (await scene.entries()).find(({ facts }) => facts.identifier === 'L2-X6');
    // Nine at 11.50 in each of two lines.
    expect(corrected?.facts.amount).toBe('248.40');
    expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
  },
);
