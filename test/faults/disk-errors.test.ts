/** A disk that fails once while the ledger is read: a refusal of the disk, never the advice to restore a backup of a whole file. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { openScene, sales } from '../night.ts';
import { commandLineOf } from '../program.ts';
import { mayTrace } from '../rigs/strace.ts';
import { seed } from '../seed.ts';

const step = process.env.TORTURE === undefined ? 7 : 1;

test.skipIf(!mayTrace())('EIO at the nth read of the ledger (where strace may trace)', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  await scene.night();
  const ledger = join(scene.root, 'state/ledger.sqlite');
  const env = { ...process.env, ...describeSandbox(scene.sandbox).environment };
  const failing = async (n: number, word: string) => {
    const inject = ['-P', ledger, '-e', 'trace=pread64', '-e', `inject=pread64:error=EIO:when=${n}`];
    const line = ['-f', '-o', '/dev/null', ...inject, ...commandLineOf(), '-C', scene.root, word];
    return await new Promise<{ status: number; why: string | undefined }>((resolve) => {
      const child = execFile('strace', line, { env }, (_, __, err) => {
        const why = /nightpost: ([a-z]+\/[a-z-]+|internal error[^\n]*)/.exec(err)?.[1];
        resolve({ status: child.exitCode ?? -1, why });
      });
    });
  };
  for (let n = 1 + (seed % step); n < 60; n += step) {
    for (const word of ['status', 'run']) {
      const { status, why } = await failing(n, word);
      const refused = {
        status: 5,
        why: expect.stringMatching(/^(?:(?:ledger|system)\/device-error|ledger\/write-failed)$/),
      };
      expect({ status, why }, `${word}, read ${n}`).toEqual(why === undefined ? { status, why } : refused);
      expect(status, `${word}, read ${n}`).toBeOneOf([0, 3, 5]);
    }
  }
  expect((await scene.night()).stops).toEqual([]);
});
