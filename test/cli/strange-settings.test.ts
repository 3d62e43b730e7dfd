/** What is no plain file in the place of one that a person wrote: it is refused with a message, and no command waits for it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openScene, type Scene } from '../night.ts';
import { commandLineOf } from '../program.ts';

const KINDS: Readonly<Record<string, (path: string) => unknown>> = {
  pipe: (path) => execFileSync('sh', ['-c', 'mkfifo -m 600 "$0"', path]),
  folder: (path) => mkdirSync(path),
  device: (path) => symlinkSync('/dev/null', path),
  'endless device': (path) => symlinkSync('/dev/zero', path),
  socket: async (path) => {
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
  },
};

function typed(scene: Scene, ...words: string[]) {
  const [program = '', ...line] = commandLineOf();
  const ended = spawnSync(program, [...line, '-C', scene.root, ...words], { timeout: 8_000, encoding: 'utf8' });
  return { code: ended.status, err: ended.stderr };
}

test.skipIf(process.platform === 'win32').each(Object.keys(KINDS))('settings that are a %s', async (kind) => {
  await using scene = await openScene();
  const path = join(scene.root, 'nightpost.yaml');
  rmSync(path);
  await KINDS[kind]!(path);
  for (const command of ['check', 'run', 'status', 'doctor']) {
    const { code, err } = typed(scene, command);
    expect({ command, code }).toEqual({ command, code: 2 });
    expect(err).toContain('nightpost.yaml cannot be read (it is a pipe, a device,');
  }
});

test.skipIf(process.platform === 'win32')('settings that are a link to a file are read', async () => {
  await using scene = await openScene();
  const path = join(scene.root, 'nightpost.yaml');
  renameSync(path, join(scene.root, 'real.yaml'));
  symlinkSync('real.yaml', path);
  expect(typed(scene, 'check')).toMatchObject({ code: 0 });
});

test.skipIf(process.platform === 'win32').each(Object.keys(KINDS))('a backup that is a %s', async (kind) => {
  await using scene = await openScene();
  const path = join(scene.root, 'copy.sqlite');
  await KINDS[kind]!(path);
  expect(typed(scene, 'ledger', 'restore', path)).toMatchObject({
    code: 2,
    err: expect.stringContaining('backup/missing'),
  });
});
