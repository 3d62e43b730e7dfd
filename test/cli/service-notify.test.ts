/** What a service manager hears from a watch: a real datagram socket, the real messenger, a watch that works and one that hangs. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openServiceNotify } from '../../src/cli/session/service-notify.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { ask } from '../console/console.ts';
import { openScene } from '../night.ts';
import { start } from '../program.ts';

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const able = has('systemd-notify') && has('perl');

/** Node has no sockets of this kind, so perl prints each datagram as a line. It ends by itself, also after a test that failed. */
const RECEIVER = `use Socket; $| = 1; alarm 80; socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die; bind($s, sockaddr_un($ARGV[0])) or die;
print "bound\\n"; while (defined(recv($s, my $m, 4096, 0))) { $m =~ s/\\n/ /g; print "$m\\n"; }`;

async function openSocket() {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-notify-'));
  const path = join(folder, 'notify');
  const child: ChildProcess = spawn('perl', ['-e', RECEIVER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    heard.push(line.trim());
    for (const wake of waiting) wake();
  });
  /** Resolves once the condition is true of what was heard. */
  const until = async (isTrue: (lines: readonly string[]) => boolean) => {
    while (!isTrue(heard)) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  await until((lines) => lines.includes('bound'));
  const end = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { path, heard, until, [Symbol.asyncDispose]: end };
}

test.skipIf(!able)(
  'a watch reports that it is ready, that its loop works, and that it ends; it answers health',
  async () => {
    await using socket = await openSocket();
    await using scene = await openScene({
      settings: { watch: { health: { port: 0 } }, inbox: { settle: '1ms', scan: '100ms' } },
    });
    const { environment } = describeSandbox(scene.sandbox);
    const env = { ...environment, NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '1000000' };
    const { child, ended } = start(['-C', scene.root, 'watch'], { env });
    const port = await new Promise<number>((resolve) => {
      let text = '';
      child.stderr!.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const [, found] = /:(\d+)\/readyz/.exec(text) ?? [];
        if (found) resolve(Number(found));
      });
    });
    expect(JSON.parse((await ask({ port }, '/readyz')).body)).toEqual({ status: 'ready', reasons: [] });
    expect((await ask({ port }, '/healthz')).status).toBe(200);
    expect((await ask({ port }, '/metrics')).status).toBe(404);
    await socket.until(
      (lines) => lines.includes('READY=1') && lines.filter((line) => line === 'WATCHDOG=1').length >= 2,
    );
    child.kill('SIGTERM');
    await socket.until((lines) => lines.includes('STOPPING=1'));
    expect((await ended).code).toBe(143);
  },
);

test.skipIf(!able)(
  'a loop that hangs is silent, although the event loop turns; variables are not passed on',
  async () => {
    await using socket = await openSocket();
    const variables: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      NOTIFY_SOCKET: socket.path,
      WATCHDOG_USEC: '100000',
    };
    const beats = () => socket.heard.filter((line) => line === 'WATCHDOG=1').length;
    await using notify = openServiceNotify(variables, { longestStepMs: 1 });
    expect(Object.keys(variables)).toEqual(['PATH']);
    notify.ready();
    const working = setInterval(notify.progressed, 5);
    await socket.until(() => socket.heard.includes('READY=1') && beats() >= 3);
    clearInterval(working);
    // Messages arrive in their order: those before this one are here, however late they are.
    const beatsUntilNow = async () => {
      const ready = () => socket.heard.filter((line) => line === 'READY=1').length;
      const before = ready();
      notify.ready();
      await socket.until(() => ready() > before);
      return beats();
    };
    const turns = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 50));
    await turns(4);
    const before = await beatsUntilNow();
    await turns(10);
    expect(await beatsUntilNow()).toBe(before);
    notify.stopping();
    // The messenger of newer systems adds a line of its own.
    await socket.until((lines) => lines.includes('STOPPING=1'));
  },
);

test('without a service manager, or as another process than it watches, nothing is sent', async () => {
  const variables: NodeJS.ProcessEnv = { WATCHDOG_USEC: '1000' };
  await using notify = openServiceNotify(variables);
  notify.ready();
  notify.stopping();
  expect(variables).toEqual({});
});
