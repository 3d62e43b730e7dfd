/** A rig that a person or a time limit ends leaves nothing that runs, not even what it has stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeSandbox } from '../src/sandbox/describe.ts';
import { endNow, isRunning } from './descendants.ts';
import { openScene } from './night.ts';

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

/** Lets a watch work in a child, as a rig does. */
const WATCHING = `import { fork } from 'node:child_process';
  const [child, folder] = process.argv.slice(1);
  const life = fork(child, { execArgv: [] });
  life.once('message', (pid) => {
    life.send(['-C', folder, '--quiet', 'watch']);
    process.stdout.write(String(pid) + '\\n');
  });`;

test.runIf(existsSync('/proc/self/stat'))('a program at work ends with a rig that is killed', async () => {
  await using scene = await openScene();
  const env = { ...process.env, ...describeSandbox(scene.sandbox).environment };
  const args = [join(import.meta.dirname, 'rigs/program-child.ts'), scene.root];
  const rig = spawn(process.execPath, ['--input-type=module', '-e', WATCHING, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  rig.stdout.on('data', (text: Buffer) => (out += text));
  await expect.poll(() => out).toMatch(/\n/);
  const pid = Number(out);
  onTestFinished(() => endNow(pid));
  await expect.poll(() => existsSync(join(scene.root, 'state/lock.json'))).toBe(true);
  expect(isRunning(pid)).toBe(true);
  rig.kill('SIGKILL');
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
});
