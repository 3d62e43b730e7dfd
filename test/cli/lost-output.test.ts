/** Output that cannot be written, such as a log on a full disk: a command that acts completes its work and reports the loss. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn, commandLineOf } from '../program.ts';

/** The exit code of a command whose output has no room, on the streams that are named. */
async function withoutRoom(scene: Scene, streams: readonly ('out' | 'err')[], ...args: string[]): Promise<unknown> {
  const full = openSync('/dev/full', 'w');
  const [program = '', ...line] = commandLineOf();
  const to = (name: 'out' | 'err') => (streams.includes(name) ? full : 'ignore');
  const child = spawn(program, [...line, '-C', scene.root, ...args], {
    env: { ...process.env, ...describeSandbox(scene.sandbox).environment },
    stdio: ['ignore', to('out'), to('err')],
  });
  const [code] = await once(child, 'exit');
  closeSync(full);
  return code;
}

test.skipIf(process.platform !== 'linux').each([[['err']], [['out']], [['out', 'err']]] as const)(
  'a run whose %j has no room sends all documents and has its record (Linux)',
  async (streams) => {
    await using scene = await openScene();
    symlinkSync('/etc/hostname', join(scene.root, 'inbox', 'ventes-0.csv'));
    scene.drop('ventes-1.csv', sales(['F1', 'F2']));
    expect(await withoutRoom(scene, streams, 'run')).toBe(5);
    const { documents } = JSON.parse((await commandIn(scene, 'list', '--json')).out);
    expect(documents.map(({ state }: { readonly state: string }) => state)).toEqual(['authorized', 'authorized']);
    const [last] = JSON.parse((await commandIn(scene, 'runs', '--json')).out);
    expect(last).toMatchObject({ outcome: 'completed', exit: 5 });
    const [report] = scene.files('reports').filter((path) => path.endsWith('.report.json'));
    expect(JSON.parse(scene.read(report!))).toMatchObject({ exit: 5 });
  },
);

test.skipIf(process.platform !== 'linux')('what has no room is named as the output (Linux)', async () => {
  await using scene = await openScene();
  const full = openSync('/dev/full', 'w');
  const [program = '', ...line] = commandLineOf();
  const stdio = ['ignore', full, 'pipe'] as const;
  const child = spawn(program, [...line, '-C', scene.root, 'list'], { stdio: [...stdio] });
  const [said] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  closeSync(full);
  expect(said).toContain('/dev/stdout');
  expect(said).not.toContain('ENOSPC');
});

test.skipIf(process.platform !== 'linux')('a list that has no room ends with 5 (Linux)', async () => {
  await using scene = await openScene();
  expect(await withoutRoom(scene, ['out'], 'list', '--json')).toBe(5);
});
