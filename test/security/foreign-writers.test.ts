/**
 * What decides what is sent belongs to the account of the program, or to root, and no other account writes there: otherwise nothing starts, no
 * command of a secret runs, and doctor says which part it is.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format } from '../../src/i18n/message.ts';
import { openParts } from '../../src/instance/foreign-writers.ts';
import type { Config } from '../../src/instance/settings.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { runAs, start } from '../program.ts';

/** Accounts that each system has: daemon runs the program, man is another one with a group of its own. */
const DAEMON = [1, 1] as const;
const [MAN, MEN] = [6, 12];
const asRoot = test.skipIf(process.getuid?.() !== 0 || !/^man:x:6:12:/m.test(accounts()));

function accounts(): string {
  return existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
}

async function openOwned(settings: object = {}): Promise<Scene> {
  const scene = await openScene({ settings });
  mkdirSync(join(scene.root, 'secrets'), { mode: 0o700 });
  writeFileSync(join(scene.root, 'secrets/one'), 'of no service', { mode: 0o600 });
  for (const path of ['', ...readdirSync(scene.root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(scene.root, path), ...DAEMON);
  scene.drop('ventes.csv', sales(['F1']));
  chownSync(join(scene.root, 'inbox/ventes.csv'), ...DAEMON);
  return scene;
}

function own(path: string, uid: number, mode: number, gid = 1): void {
  chownSync(path, uid, gid);
  chmodSync(path, mode);
}

const HARMFUL: readonly (readonly [what: string, path: string, change: (path: string) => void])[] = [
  ['settings of another account', 'nightpost.yaml', (path) => chownSync(path, MAN, MEN)],
  ['settings that a group with others may write', 'nightpost.yaml', (path) => own(path, 1, 0o660, MEN)],
  ['an instance folder that everyone may write', '', (path) => chmodSync(path, 0o777)],
  ['an instance folder of a group with others', '', (path) => own(path, 1, 0o2770, MEN)],
  ['an instance folder of another account', '', (path) => own(path, MAN, 0o755)],
  ['a mapping of another account', 'mappings/sales.yaml', (path) => chownSync(path, MAN, MEN)],
  ['mappings that everyone may write', 'mappings', (path) => chmodSync(path, 0o777)],
  ['a secret that everyone may write', 'secrets/one', (path) => chmodSync(path, 0o602)],
  ['a state folder of another account', 'state', (path) => own(path, MAN, 0o770)],
  ['a ledger that everyone may write', 'state/ledger.sqlite', (path) => chmodSync(path, 0o666)],
];

const SEEN_BY_DOCTOR: ReadonlySet<string> = new Set(['mappings', 'state']);

asRoot.each(HARMFUL)('%s: nothing starts, and doctor says so', async (_, path, change) => {
  await using scene = await openOwned();
  change(join(scene.root, path));
  const { code, err } = await runAs(scene, DAEMON, 'run');
  expect({
    code,
    isNamed: err.includes('config/open-to-others') && err.includes(path === '' ? '. (' : `${path} (`),
  }).toEqual({
    code: 2,
    isNamed: true,
  });
  // All others look with the same eyes as a run.
  if (!SEEN_BY_DOCTOR.has(path)) return;
  expect((await runAs(scene, DAEMON, 'status')).code).toBe(2);
  const doctor = await runAs(scene, DAEMON, 'doctor', '--offline');
  expect(doctor.code).toBe(2);
  expect(doctor.out).toContain(path);
});

asRoot('what a group of one, root, an unknown group or root by hand may write is allowed', async () => {
  await using scene = await openOwned();
  chmodSync(join(scene.root, 'mappings'), 0o770);
  chownSync(join(scene.root, 'mappings/sales.yaml'), 0, 0);
  chmodSync(join(scene.root, 'mappings/sales.yaml'), 0o664);
  chownSync(join(scene.root, 'nightpost.yaml'), 1, 61_777);
  chmodSync(join(scene.root, 'nightpost.yaml'), 0o660);
  expect((await runAs(scene, DAEMON, 'run')).code).toBe(0);
  expect((await runAs(scene, [0, 0], 'status')).code).toBe(0);
});

asRoot(
  'the setting excuses the rest, and never the file that it stands in; the variable excuses all, and doctor says so',
  async () => {
    await using scene = await openOwned({ permissions: { strict: false } });
    chmodSync(join(scene.root, 'mappings'), 0o777);
    expect((await runAs(scene, DAEMON, 'run')).code).toBe(0);
    expect((await runAs(scene, DAEMON, 'doctor', '--offline')).out).toMatch(
      /warning +permissions[\s\S]*permissions.strict/,
    );
    chmodSync(join(scene.root, 'nightpost.yaml'), 0o666);
    expect((await runAs(scene, DAEMON, 'run')).code).toBe(2);
    const { environment } = describeSandbox(scene.sandbox);
    const env = { ...environment, HOME: '/nonexistent', NIGHTPOST_PERMISSIONS__STRICT: 'false' };
    expect((await start(['-C', scene.root, 'run'], { env, user: DAEMON, cwd: '/' }).ended).code).toBe(0);
  },
);

asRoot('no command of a secret runs where others may change the settings, not even for doctor', async () => {
  const trace = `/tmp/nightpost-ran-${process.pid}`;
  const secret = { command: ['/bin/sh', '-c', `id > ${trace}; echo x`] };
  await using scene = await openOwned({});
  const text = scene
    .read('nightpost.yaml')
    .replace(/client-secret:.*(\n +.*env.*)?/, `client-secret: ${JSON.stringify(secret)}`);
  expect(text).toContain(trace);
  writeFileSync(join(scene.root, 'nightpost.yaml'), text);
  chownSync(join(scene.root, 'nightpost.yaml'), MAN, MEN);
  for (const args of [['run'], ['doctor'], ['errors']]) await runAs(scene, DAEMON, ...args);
  const ran = existsSync(trace);
  rmSync(trace, { force: true });
  expect(ran).toBe(false);
});

/** Beside the instance and beside secrets/: its own files, and the program that gives one. */
const ELSEWHERE: readonly (readonly [what: string, part: string, change: (folder: string) => void])[] = [
  ['the folder of a secret that everyone may write', 'conf', (folder) => chmodSync(folder, 0o777)],
  ['the folder of a secret of another account', 'conf', (folder) => own(folder, MAN, 0o755)],
  [
    'a secret elsewhere that a group with others may write',
    'conf/one',
    (folder) => own(join(folder, 'one'), 1, 0o660, MEN),
  ],
  [
    'the target of a link to a secret',
    'conf/real',
    (folder) => {
      renameSync(join(folder, 'one'), join(folder, 'real'));
      symlinkSync('real', join(folder, 'one'));
      own(join(folder, 'real'), MAN, 0o640);
    },
  ],
  ['a program of a secret that everyone may write', 'conf/two', (folder) => chmodSync(join(folder, 'two'), 0o777)],
];

async function withSecretsElsewhere(): Promise<{ readonly scene: Scene; readonly folder: string }> {
  const scene = await openOwned();
  const folder = join(scene.root, 'conf');
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'one'), describeSandbox(scene.sandbox).environment.NIGHTPOST_SANDBOX_FR_SECRET!, {
    mode: 0o600,
  });
  writeFileSync(join(folder, 'two'), '#!/bin/sh\necho x', { mode: 0o700 });
  for (const path of ['', 'one', 'two']) chownSync(join(folder, path), ...DAEMON);
  return { scene, folder };
}

asRoot.each(ELSEWHERE)('%s: nothing starts', async (_, part, change) => {
  const { scene, folder } = await withSecretsElsewhere();
  await using _scene = scene;
  const other = part === 'conf/two' ? { command: [join(folder, 'two')] } : { file: 'conf/one' };
  const text = scene
    .read('nightpost.yaml')
    .replace(/client-secret:.*(\n +.*env.*)?/, `client-secret: ${JSON.stringify(other)}`);
  expect(text).toContain('conf/');
  writeFileSync(join(scene.root, 'nightpost.yaml'), text);
  expect((await runAs(scene, DAEMON, 'doctor', '--offline')).err).not.toContain('config/open-to-others');
  expect(openParts(scene.root, scene.instance().config)).toEqual([]);
  change(folder);
  const { code, err } = await runAs(scene, DAEMON, 'run');
  expect({ code, isNamed: err.includes('config/open-to-others') && err.includes(part) }).toEqual({
    code: 2,
    isNamed: true,
  });
});

asRoot.each([
  ['a directory service that lists no members', 'domain users:*:61777:', ['the group domain users may write']],
  ['a directory service that lists one', 'team:*:61777:someone', ['the group team may write']],
  ['no name, as Kubernetes gives it', '', []],
])('mappings of a group of %s', async (_, line, who) => {
  await using scene = await openOwned();
  const { config } = scene.instance();
  own(join(scene.root, 'mappings'), 1, 0o770, 61_777);
  expect(openUnder(scene, config, `[ "$1 $3" = "group 61777" ] && [ -n "${line}" ] && echo "${line}"`)).toEqual(who);
});

asRoot('the private group of an account of a directory service opens nothing', async () => {
  await using scene = await openOwned();
  for (const path of ['', ...readdirSync(scene.root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(scene.root, path), 61_777, 61_777);
  chmodSync(join(scene.root, 'mappings'), 0o770);
  const { config } = scene.instance();
  const passwd = '[ "$1" = passwd ] && echo "np:*:61777:61777::/:/bin/sh"; true';
  expect(openUnder(scene, config, `[ "$1" = group ] && echo "np:*:61777:"; ${passwd}`)).toEqual([]);
  expect(openUnder(scene, config, `[ "$1" = group ] && echo "staff:*:61777:"; ${passwd}`)).toEqual([
    'the group staff may write',
  ]);
});

/** Who else may write, where `getent` answers with this script. */
function openUnder(scene: Scene, config: Config, script: string): readonly string[] {
  const bin = join(scene.root, '../', `bin-${process.pid}`);
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'getent'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const { PATH = '' } = process.env;
  process.env.PATH = `${bin}:${PATH}`;
  try {
    return openParts(scene.root, config).map(({ who }) => format(who, 'en'));
  } finally {
    process.env.PATH = PATH;
    rmSync(bin, { recursive: true });
  }
}

test('an instance as init and a run make it is open to no other account', async () => {
  await using scene = await openScene();
  await scene.night();
  expect(openParts(scene.root, scene.instance().config)).toEqual([]);
});
