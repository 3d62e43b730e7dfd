/** The log of a day: two machines that append to one file on a share would overwrite each other's lines. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
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

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['renamed', (path: string) => renameSync(path, `${path}.1`)],
  [
    'renamed and made again, as logrotate does',
    (path: string) => {
      renameSync(path, `${path}.1`);
      writeFileSync(path, '');
    },
  ],
])('a file that was %s is opened again: no line is lost', async (_, spoil) => {
  await using scene = await openScene();
  const { logs } = scene.instance().paths;
  const log = openLog(scene.instance());
  const write = (file: string) => log({ what: 'service-waits', file } as unknown as PipelineEvent, 'run');
  write('first');
  const path = join(logs, readdirSync(logs)[0]!);
  spoil(path);
  write('second');
  write('third');
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).file)).toEqual(['second', 'third']);
});
