/** The log of a day: two machines that append to one file on a share would overwrite each other's lines. */
import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { openLog } from '../../src/cli/session/log-file.ts';
import type { PipelineEvent } from '../../src/pipeline/context/run-context.ts';
import { openScene } from '../night.ts';

test.runIf(process.platform === 'linux').each([
  ['a local disk', 0xef53, ''],
  ['NFS', 0x6969, `\\.${hostname()}`],
])('on %s (on Linux)', async (_, type, machine) => {
  await using scene = await openScene();
  const log = openLog(scene.instance(), () => ({ type }));
  log({ what: 'service-waits' } as unknown as PipelineEvent, 'run');
  expect(readdirSync(scene.instance().paths.logs)).toEqual([expect.stringMatching(`^[-0-9]{10}${machine}\\.log$`)]);
});
