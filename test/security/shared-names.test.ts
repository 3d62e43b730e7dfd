/**
 * Every name below the shared folders that the program touches, as its own calls give them. At each of them stands what a member of the
 * group can put there, and every sub-folder is a link to somewhere else at the moment it is used: nothing outside is read, changed
 * or removed, and nothing waits.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { groupId } from '../../src/instance/share-folders.ts';
import { attachedFiles } from '../../src/notices/send-mail.ts';
import { localDay } from '../../src/runs/open-run.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { machineZone } from '../../src/text/local-time.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { start } from '../program.ts';

const GROUP = 'users';
const GID = groupId(GROUP) ?? 0;
const OURS = [61_001, GID] as const;
const MEMBER = [61_002, GID] as const;
const asRoot = test.skipIf(process.getuid?.() !== 0 || GID === 0);
const PRELOAD = fileURLToPath(import.meta.resolve('./swap-folders.ts'));
const day = localDay(new Date(), machineZone());

type Line = {
  readonly act?: string;
  readonly path?: string;
  readonly byName?: boolean;
  readonly reached?: string;
  readonly canary?: string;
};

async function openShared(): Promise<{
  readonly scene: Scene;
  readonly lines: () => readonly Line[];
  readonly canary: string;
}> {
  const run = { 'give-up-after': '5s', hold: { over: { EUR: '1000' } } };
  const scene = await openScene({
    settings: { share: { group: GROUP }, run, keep: { reports: '1d', receipts: '1d' } },
  });
  for (const path of ['', ...readdirSync(scene.root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(scene.root, path), ...OURS);
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-canary-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const canary = join(folder, 'canary');
  mkdirSync(canary);
  for (const path of [folder, log, canary]) chownSync(path, ...OURS);
  const lines = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  return { scene, lines, canary };
}

/** Exit code of a command under the account of the program; ends within its time, as one that waits for a pipe does not. */
async function commands(scene: Scene, canary: string, isSwapped: boolean, ...args: string[]): Promise<number | string> {
  const { environment } = describeSandbox(scene.sandbox);
  const env = {
    ...environment,
    HOME: '/nonexistent',
    NODE_COMPILE_CACHE: join(tmpdir(), `nightpost-compiled-${OURS[0]}`),
    WATCHED_ROOT: scene.root,
    WATCHED_LOG: join(dirname(canary), 'log'),
    ...(isSwapped && { WATCHED_CANARY: canary }),
  };
  const { child, ended } = start(['-C', scene.root, ...args], {
    env,
    user: OURS,
    cwd: '/',
    flags: ['--import', PRELOAD],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 40_000);
  const { code, err } = await ended.finally(() => clearTimeout(timer));
  expect(`${code}`, `${args.join(' ')}: ${err}`).not.toMatch(/SIGKILL|internal/);
  return code;
}

function drop(scene: Scene, name: string, numbers: readonly string[]): void {
  const [a = '', b = '', c = ''] = numbers;
  scene.drop(
    name,
    sales(numbers).replace(`${b};1;2;`, `${b};1;2O;`).replaceAll(`${c};1;2;`, `${c};1;90;`).replace(a, a),
  );
  chownSync(join(scene.root, 'inbox', name), ...OURS);
}

/** What happens to receipts and reports in a life: written, moved, decided, corrected, replaced, compared, repaired, removed. */
async function live(
  scene: Scene,
  numbers: readonly string[],
  act: (...args: string[]) => Promise<unknown>,
): Promise<void> {
  const [, faulty = '', held = ''] = numbers;
  drop(scene, `ventes-${numbers[0]}.csv`, numbers);
  await act('run');
  const receipt = scene.files('pending').find((path) => path.endsWith(`${held}.receipt.json`));
  mkdirSync(join(scene.root, 'pending/release'), { recursive: true });
  if (receipt) {
    const copy = join(scene.root, 'pending/release', basename(receipt));
    writeFileSync(copy, readFileSync(join(scene.root, receipt)));
    chownSync(copy, ...MEMBER);
    chmodSync(copy, 0o640);
  }
  writeFileSync(join(scene.root, 'pending/release/notes.doc'), 'left');
  await act('run');
  await act('fix', faulty, 'Qte@4=2', '--reason', 'typing');
  await act('run');
  await act('verify');
  await act('report');
  for (const path of [...scene.files('error'), ...scene.files('reports')].filter((_, n) => n % 2 === 0))
    rmSync(join(scene.root, path));
  await act('ledger', 'receipts');
  await act('doctor', '--offline');
  await act('status');
  await act('purge', '--subject', 'Client', '--reason', 'asked for');
}

/** What a member of the group may put under a name; the last is a file of the program that the member has taken elsewhere. */
const KINDS: { readonly [kind: string]: (path: string, scene: Scene) => void } = {
  pipe: (path) => void spawnSync('sh', ['-c', 'mkfifo -m 666 "$1"', 'sh', path]),
  link: (path, { root }) => symlinkSync(join(root, 'secrets/canary'), path),
  'link to itself': (path) => symlinkSync(basename(path), path),
  'link to a device': (path) => symlinkSync('/dev/zero', path),
  'hard link': (path, { root }) => linkSync(join(root, 'secrets/canary'), path),
  folder: (path) => mkdirSync(path),
  'link to a folder': (path, { root }) => symlinkSync(join(root, 'outbox'), path),
  socket: (path) =>
    void spawnSync('python3', ['-c', `import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])`, path]),
  file: (path) => writeFileSync(path, '{"id":"forged"}'),
};

asRoot(
  'each sub-folder is a link at the moment of each act: no canary is read, changed or removed',
  async () => {
    const { scene: one, lines, canary } = await openShared();
    await using scene = one;
    await commands(scene, canary, false, 'run');
    await live(scene, ['F1', 'F2', 'F3'], async (...args) => await commands(scene, canary, true, ...args));
    const swapped = lines().filter((line) => 'swapped' in line);
    expect(swapped.length).toBeGreaterThan(20);
    expect(lines().flatMap(({ reached }) => reached ?? [])).toEqual([]);
    const canaries = lines().flatMap((line) => line.canary ?? []);
    const found = readdirSync(canary, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(found.map((entry) => join(entry.parentPath, entry.name)).toSorted()).toEqual(
      [...new Set(canaries)].toSorted(),
    );
    expect(canaries.filter((path) => readFileSync(path, 'utf8') !== 'canary')).toEqual([]);
    const acts = lines().filter(({ act, path = '' }) => act !== undefined && path.split('/').length > 2);
    expect(acts.filter(({ byName }) => byName).map(({ act, path }) => `${act} ${path}`)).toEqual([]);
    expect(await commands(scene, canary, false, 'run')).toBeOneOf([0, 3]);
    expect(existsSync(join(scene.root, `error/${day}.was`))).toBe(false);
  },
  300_000,
);

/** TORTURE=1 puts every kind at every name, one name after the other where a command would end at the first one. */
const IS_LONG = process.env.TORTURE !== undefined;
const SHORT: ReadonlySet<string> = new Set(['pipe', 'link', 'hard link', 'link to a folder', 'file']);

asRoot(
  'at each name stands what a member can put there: nothing waits, nothing outside changes, and nothing of it is sent',
  async () => {
    const { scene: one, lines, canary } = await openShared();
    await using scene = one;
    const act = async (...args: string[]) => await commands(scene, canary, false, ...args);
    await live(scene, ['F1', 'F2', 'F3'], act);
    const secret = join(scene.root, 'secrets/canary');
    mkdirSync(dirname(secret), { recursive: true });
    writeFileSync(secret, 'CANARY-OF-A-SECRET');
    chownSync(secret, ...OURS);
    chmodSync(secret, 0o600);
    const names = () =>
      new Set(lines().flatMap(({ path = '', act }) => (act && !/\.tmp-np$|nightpost-doctor/.test(path) ? [path] : [])));
    expect(names().size).toBeGreaterThan(20);
    const deep = [...names()].filter((path) => path.split('/').length > 2);
    const flat = [...names()].filter((path) => path.split('/').length === 2 && !path.startsWith('inbox/'));
    const kinds = Object.entries(KINDS).filter(([kind]) => IS_LONG || SHORT.has(kind));
    for (const [n, [kind, put]] of kinds.entries()) {
      const before = scene.files('outbox');
      const place = (path: string) => {
        put(join(scene.root, path), scene);
        if (kind !== 'hard link') lchownSync(join(scene.root, path), ...MEMBER);
      };
      const hold = (sent: readonly unknown[]) => {
        const lost = before.filter((path) => !existsSync(join(scene.root, path)));
        expect({ kind, lost, sent, canary: readFileSync(secret, 'utf8') }).toEqual({
          kind,
          lost: [],
          sent: [],
          canary: 'CANARY-OF-A-SECRET',
        });
      };
      drop(scene, `ventes-G${n}.csv`, [`G${n}1`, `G${n}2`, `G${n}3`]);
      for (const path of deep) {
        rmSync(join(scene.root, path), { recursive: true, force: true });
        if (mkdirSync(dirname(join(scene.root, path)), { recursive: true }) !== undefined)
          lchownSync(dirname(join(scene.root, path)), ...OURS);
        place(path);
      }
      for (const line of ['run', 'verify', 'report', 'ledger receipts']) await act(...line.split(' '));
      const reports = scene.files('reports').filter((path) => path.endsWith('.html'));
      const sent = await attachedFiles(reports, scene.root);
      hold(sent.filter(({ content }) => /CANARY|forged/.test(content.toString())));
      for (const path of deep) rmSync(join(scene.root, path), { recursive: true, force: true });
      if (!['pipe', 'file', 'link to a folder'].includes(kind)) continue;
      const there = flat.filter((one) => existsSync(join(scene.root, one)));
      for (const paths of IS_LONG ? there.map((path) => [path]) : [there]) {
        for (const [at, path] of paths.entries()) {
          renameSync(join(scene.root, path), join(canary, `aside-${at}`));
          place(path);
        }
        await act('run');
        await act('verify');
        hold([]);
        for (const [at, path] of paths.entries()) {
          rmSync(join(scene.root, path), { recursive: true, force: true });
          renameSync(join(canary, `aside-${at}`), join(scene.root, path));
        }
      }
    }
    await act('run');
    expect(await act('ledger', 'receipts')).toBe(0);
  },
  600_000,
);
