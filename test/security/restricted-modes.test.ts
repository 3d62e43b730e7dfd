/**
 * The unit of systemd and the setting `share`. A seccomp filter of our own refuses what RestrictSUIDSGID=yes refuses: to make a folder, or
 * to change a mode, with the bits for setuid or setgid. What is shipped works under it, and `share` says which line it needs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { groupId } from '../../src/instance/share-folders.ts';
import { localDay } from '../../src/runs/open-run.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { machineZone } from '../../src/text/local-time.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandLineOf, runAs } from '../program.ts';

const day = localDay(new Date(), machineZone());
const GROUP = 'users';
const OURS = [61_001, groupId(GROUP) ?? 0] as const;

/** Linux on x64 without a library: the numbers of the calls are those of its table. The filter stays over `exec`. */
const UNDER_FILTER = `
import ctypes, os, struct, sys
LOAD, EQUAL, SET, RET = 0x20, 0x15, 0x45, 0x06
ALLOW, REFUSE = 0x7fff0000, 0x00050001
# Number of the call: which argument is the mode.
calls = {90: 1, 91: 1, 268: 2, 452: 2, 83: 1, 258: 2, 133: 1, 259: 2}
code = [(LOAD, 0, 0, 0)]
for number, at in calls.items():
    code += [(EQUAL, 0, 4, number), (LOAD, 0, 0, 16 + 8 * at), (SET, 0, 1, 0o6000), (RET, 0, 0, REFUSE), (RET, 0, 0, ALLOW)]
code.append((RET, 0, 0, ALLOW))
program = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *one) for one in code))
class Filter(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_void_p)]
libc = ctypes.CDLL(None, use_errno=True)
given = Filter(len(code), ctypes.addressof(program))
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(given), 0, 0) == 0
uid, gid = int(sys.argv[1]), int(sys.argv[2])
os.setgroups([gid]); os.setgid(gid); os.setuid(uid)
os.chdir('/')
os.execv(sys.argv[3], sys.argv[3:])
`;

/** Not synchronous: the sandbox answers in this process. */
async function filtered(line: readonly string[], env: object = {}): Promise<{ code: number | null; err: string }> {
  const child = spawn('python3', ['-c', UNDER_FILTER, ...OURS.map(String), ...line], {
    env: { ...process.env, ...env, HOME: '/nonexistent', NODE_COMPILE_CACHE: '/tmp/nightpost-compiled-61001' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (text) => {
    err += String(text);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, err };
}

async function underFilter(scene: Scene, ...args: string[]) {
  return await filtered([...commandLineOf(), '-C', scene.root, ...args], describeSandbox(scene.sandbox).environment);
}

const isPossible = process.platform === 'linux' && process.arch === 'x64' && process.getuid?.() === 0 && OURS[1] !== 0;
const where = test.skipIf(!isPossible);

async function openOwned(settings: object): Promise<Scene> {
  const scene = await openScene({ settings });
  for (const path of ['', ...readdirSync(scene.root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(scene.root, path), ...OURS);
  scene.drop('ventes.csv', sales(['F1', 'F2']).replace('F2;1;2;', 'F2;1;2O;'));
  chownSync(join(scene.root, 'inbox/ventes.csv'), ...OURS);
  return scene;
}

where('the filter refuses setgid and lets other modes be', async () => {
  const probe = `const { mkdirSync, mkdtempSync, chmodSync, rmSync } = require('node:fs');
    const folder = mkdtempSync('/tmp/nightpost-filter-'); mkdirSync(folder + '/plain', 0o750); chmodSync(folder, 0o770);
    try { chmodSync(folder, 0o2770); } catch (error) { process.stderr.write(error.code); } rmSync(folder, { recursive: true });`;
  expect(await filtered([process.execPath, '-e', probe])).toEqual({ code: 0, err: 'EPERM' });
});

where('what the shipped unit restricts keeps no night from its end, where nothing is shared', async () => {
  await using scene = await openOwned({});
  expect(await underFilter(scene, 'run')).toMatchObject({ code: 3 });
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
  expect((await underFilter(scene, 'verify')).code).toBe(0);
  expect((await underFilter(scene, 'doctor', '--offline')).code).toBe(0);
});

where(
  'with share nothing is imported, the message names the line of the unit, and without the line all goes on',
  async () => {
    await using scene = await openOwned({ share: { group: GROUP } });
    const { code, err } = await underFilter(scene, 'run');
    expect({ code, isNamed: /config\/cannot-share[\s\S]*RestrictSUIDSGID=no/.test(err) }).toEqual({
      code: 2,
      isNamed: true,
    });
    expect(scene.files('inbox')).toEqual(['inbox/ventes.csv']);
    expect(await scene.entries()).toEqual([]);
    expect((await runAs(scene, OURS, 'run')).code).toBe(3);
  },
);

where('where the folders were opened before, a new day that the filter keeps closed loses no document', async () => {
  await using scene = await openOwned({ share: { group: GROUP } });
  scene.drop('ventes.csv', '');
  rmSync(join(scene.root, 'inbox/ventes.csv'));
  expect((await runAs(scene, OURS, 'run')).code).toBe(0);
  for (const folder of ['error', 'reports']) rmSync(join(scene.root, folder, day), { recursive: true, force: true });
  scene.drop('ventes-2.csv', sales(['F1', 'F2']).replace('F2;1;2;', 'F2;1;2O;'));
  chownSync(join(scene.root, 'inbox/ventes-2.csv'), ...OURS);
  expect((await underFilter(scene, 'run')).code).toBe(5);
  expect((await runAs(scene, OURS, 'run')).code).toBeOneOf([0, 3]);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
});
