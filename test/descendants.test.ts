/** A rig that a person or a time limit ends leaves nothing that runs, not even what it has stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { endNow, isRunning } from './descendants.ts';

const MODULE = JSON.stringify(new URL('./descendants.ts', import.meta.url).href);
/** Starts a shell that starts another program and then stands still. */
const SCRIPT = `import { spawn } from 'node:child_process';
  const { endTogether } = await import(${MODULE});
  endTogether(() => process.stdout.write('ended\\n'));
  spawn('sh', ['-c', 'sleep 600 & echo $$ $!; kill -STOP $$; wait'], { stdio: ['ignore', 'inherit', 'inherit'] });`;

test.runIf(existsSync('/proc/self/stat'))('what it has started ends with it, also what stands still', async () => {
  const rig = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  rig.stdout.on('data', (text: Buffer) => (out += text));
  await expect.poll(() => out, { timeout: 20_000 }).toMatch(/\n/);
  const pids = out.trim().split(' ').map(Number);
  onTestFinished(() => pids.forEach(endNow));
  expect(pids.map(isRunning)).toEqual([true, true]);
  rig.kill('SIGTERM');
  expect(await once(rig, 'exit')).toEqual([143, null]);
  await expect.poll(() => pids.map(isRunning), { timeout: 20_000 }).toEqual([false, false]);
  expect(out).toContain('ended');
});
