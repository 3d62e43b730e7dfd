/** What a program writes while it starts, such as the first metrics of a watch, is no leftover of an earlier one. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryName } from '../../src/files/write-durable.ts';
import { settleLeftovers } from '../../src/runs/take-over.ts';
import { openScene } from '../night.ts';

test('a temporary file that the start has in use stays, one of before goes', async () => {
  await using scene = await openScene();
  const temporary = () => {
    const path = temporaryName(join(scene.root, 'state/metrics.json'));
    writeFileSync(path, '{');
    return path;
  };
  const before = temporary();
  await pause(20);
  const own = await scene.desk(async (work) => {
    await pause(20);
    const path = temporary();
    await pause(20);
    await settleLeftovers(work);
    return path;
  });
  expect([before, own].map(existsSync)).toEqual([false, true]);
});
