/**
 * The package as npm would publish it: built, packed, and run from a folder that holds it alone, so that nothing works
 * only because the sources or the packages of the clone are around.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bugText } from '../src/cli/output/bug-report.ts';
import { loadedBy } from './loaded-by.ts';

const run = promisify(execFile);
const REPOSITORY = resolve(import.meta.dirname, '..');
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

let folder: string;
let packed: string;
let files: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightpost-package-'));
  rmSync(join(REPOSITORY, 'dist'), { recursive: true, force: true });
  const { stdout } = await run(NPM, ['pack', '--json', '--pack-destination', folder], { cwd: REPOSITORY });
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  files = listOf(stdout);
  await run('tar', ['-xzf', tarball!], { cwd: folder });
  packed = join(folder, 'package');
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Scripts may print before the JSON, and npm answers with a list or with an object by name. */
function listOf(stdout: string): readonly string[] {
  const told = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as object;
  const [one] = Object.values(told) as { files: { path: string }[] }[];
  return one!.files.map(({ path }) => path);
}

test('the links of its pages lead to what is in it', () => {
  const linksIn = (page: string) => [...readFileSync(join(packed, page), 'utf8').matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)];
  const dead = files
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) => linksIn(page).map(([, link = '']) => ({ page, link })))
    .filter(({ link }) => !/^(?:https?|mailto):/.test(link))
    .filter(({ page, link }) => !existsSync(resolve(packed, dirname(page), link)));
  expect(dead).toEqual([]);
});

test('it holds the program and what the program needs, and nothing else', () => {
  const places = new Set(files.map((path) => path.split('/')[0]));
  const known = [
    'dist',
    'src',
    'locales',
    'mappings',
    'samples',
    'inbox.example',
    'deploy',
    'docs',
    'package.json',
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'LICENSE',
  ];
  expect([...places].filter((place) => !known.includes(place!))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'dist/cli/main.js',
      'dist/cli/write-batch-worker.js',
      'src/console/static/console.css',
      'src/console/static/sign-in.js',
      'README.md',
      'SECURITY.md',
      'LICENSE',
      'package.json',
    ]),
  );
  expect(files.filter((path) => /^src\/(?!console\/static\/[\w.-]+\.(?:css|js|svg|txt|woff2)$)/.test(path))).toEqual(
    [],
  );
  for (const folder of ['mappings/', 'inbox.example/', 'deploy/']) {
    expect(files.filter((path) => path.startsWith(folder)).length).toBeGreaterThan(0);
  }
  expect(files.filter((path) => /\.ts$|\.tgz$|\.tsbuildinfo$/.test(path))).toEqual([]);
  // Half of them are the pieces that the commands share.
  expect(files.length).toBeLessThan(1100);
});

test('it names each package it holds code of, with version and hash as in the lock, and its license', () => {
  const { packages } = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')) as {
    packages: { readonly [path: string]: { readonly version: string; readonly integrity: string } };
  };
  const notices = readFileSync(join(packed, 'dist/LICENSES.txt'), 'utf8');
  const named = [...notices.matchAll(/^(\S+) (\d\S*), (\S+)\n(sha512-\S+)$/gm)].map(([, ...parts]) => parts);
  expect(named.map(([name]) => name)).toEqual(
    expect.arrayContaining(['commander', 'undici', 'yaml', 'zod', 'yocto-queue']),
  );
  for (const [name, version, license, integrity] of named) {
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity });
    expect(['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-3-Clause', 'Apache-2.0']).toContain(license);
  }
  const texts = notices.split(/^(?=\S+ \d\S*, \S+\nsha512-)/m).slice(1);
  expect(texts.length).toBe(named.length);
  expect(texts.filter((text) => !/permission|without warrant|licensed under/i.test(text))).toEqual([]);
});

type Component = {
  readonly name: string;
  readonly purl?: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly object[];
};

test('its bill of materials names what it holds, as npm does, and is the same for the same lock', async () => {
  const text = readFileSync(join(packed, 'dist/sbom.cdx.json'), 'utf8');
  const bill = JSON.parse(text) as { readonly components: readonly Component[] };
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
  expect(text).not.toMatch(/timestamp|serialNumber|urn:uuid/);
  const notices = readFileSync(join(packed, 'dist/LICENSES.txt'), 'utf8');
  const noticed = [...notices.matchAll(/^(\S+) \d\S*, \S+\nsha512-/gm)].map(([, name]) => name);
  const inside = bill.components.filter(({ purl }) => purl !== undefined);
  expect(inside.map(({ name }) => name)).toEqual(noticed);
  const { stdout } = await run(NPM, ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: REPOSITORY,
    maxBuffer: 2 ** 24,
  });
  const known = new Map((JSON.parse(stdout) as typeof bill).components.map((one) => [one.purl, one]));
  for (const { purl, hashes, licenses } of inside) expect(known.get(purl)).toMatchObject({ hashes, licenses });
  const others = bill.components.filter(({ purl }) => purl === undefined);
  expect(others.map(({ name }) => name)).toEqual(
    files.filter((path) => path.endsWith('.woff2')).map((path) => path.replace(/^.*\//, '')),
  );
});

test('its version, its help and an unknown command load no engine', async () => {
  for (const words of [['--version'], ['--help'], ['nothing-of-ours']]) {
    const loaded = (await loadedBy(join(packed, 'dist/cli/main.js'), words)).map((url) => fileURLToPath(url));
    expect(loaded.length).toBeGreaterThan(2);
    expect(loaded.length).toBeLessThan(12);
    expect(loaded.reduce((bytes, file) => bytes + statSync(file).size, 0)).toBeLessThan(200_000);
  }
});

test('a bug in it is reported at its place in the sources', () => {
  const place = (text: string, part: string): [number, number] => {
    const before = text.slice(0, text.indexOf(part)).split('\n');
    return [before.length, before.at(-1)!.length + 1];
  };
  const name = 'async function warningsOf';
  const chunk = join(packed, 'dist/cli/status-command.js');
  const [line, column] = place(readFileSync(chunk, 'utf8'), name);
  const [wanted] = place(readFileSync(join(REPOSITORY, 'src/cli/commands/status-command.ts'), 'utf8'), name);
  const bug = new Error('x');
  bug.stack = `Error: x\n    at warningsOf (${pathToFileURL(chunk).href}:${line}:${column + 16})`;
  expect(bugText(bug)).toMatch(
    new RegExp(String.raw`^Error: x\n {4}at warningsOf \(src/cli/commands/status-command\.ts:${wanted}:\d+\)$`),
  );
});

test('its start is a program, and no file of it names the machine it was made on', () => {
  const { bin } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { bin: { nightpost: string } };
  expect(readFileSync(join(packed, bin.nightpost), 'utf8')).toMatch(
    /^#!\/usr\/bin\/env -S node --max-semi-space-size=16 --max-old-space-size=2000 --disable-proto=throw --disallow-code-generation-from-strings --disable-sigusr1\n/,
  );
  const code = files.filter((path) => path.endsWith('.js'));
  expect(code.filter((path) => readFileSync(join(packed, path), 'utf8').includes(REPOSITORY))).toEqual([]);
  // Each name that the build writes in is written in.
  expect(code.filter((path) => readFileSync(join(packed, path), 'utf8').includes('NIGHTPOST_BUILD'))).toEqual([]);
  const unresolved = code.filter((path) => /from '\.[^']*\.ts'/.test(readFileSync(join(packed, path), 'utf8')));
  expect(unresolved).toEqual([]);
});

test('Node promises to take each of its options: with one it does not know it would not start', () => {
  const [first] = readFileSync(join(packed, 'dist/cli/main.js'), 'utf8').split('\n');
  const options = first!.split(' ').filter((word) => word.startsWith('--'));
  expect(options).toHaveLength(5);
  const promised = (option: string) => process.allowedNodeEnvironmentFlags.has(option.replace(/=.*/, ''));
  expect(options.filter((option) => !promised(option))).toEqual([]);
});

test('it says its version, plays its demo, makes an instance that its check accepts', async () => {
  const main = join(packed, 'dist/cli/main.js');
  const version = await run(process.execPath, [main, '--version']);
  expect(version.stdout.trim()).toBe(ownVersion());
  const demo = await run(process.execPath, [main, 'demo', '--keep', join(folder, 'demo')], { cwd: folder });
  expect(demo.stdout).toMatch(/[1-9]\d* +Authorized/);
  await run(process.execPath, [main, 'init', join(folder, 'instance'), '--sandbox', '--mappings'], { cwd: folder });
  const check = await run(process.execPath, [main, '-C', join(folder, 'instance'), '--json', 'check'], { cwd: folder });
  expect(JSON.parse(check.stdout)).toMatchObject({ errors: 0 });
  const explained = await run(process.execPath, [main, 'explain', 'map/not-in-table'], { cwd: folder });
  expect(explained.stdout).toContain('map/not-in-table');
  const scheduled = await run(process.execPath, [main, '-C', join(folder, 'instance'), 'schedule', 'systemd']);
  expect(scheduled.stdout).toMatch(/^ExecStart=.*main\.js.* run$/m);
  expect(scheduled.stderr).not.toContain('clone');
});

/** Lines with `$` of the blocks `console run installed` of a page, in their order. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(REPOSITORY, 'docs/how-to/admin', page), 'utf8');
  const blocks = [...text.matchAll(/^```console run installed\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, block = '']) => [...block.matchAll(/^\$ (.*)$/gm)].map(([, line = '']) => line));
}

test.skipIf(process.platform === 'win32')(
  'installed, upgraded, downgraded and removed as the manual says, it leaves the instance as it is (not on Windows)',
  { timeout: 120_000 },
  async () => {
    const machine = join(folder, 'machine');
    const place = (path: string) => join(machine, path);
    for (const path of ['opt', 'srv', 'usr/local/bin', 'backup', 'home']) mkdirSync(place(path), { recursive: true });
    const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    copyFileSync(join(folder, tarball), place('nightpost.tgz'));
    await packNewer(place('nightpost-new.tgz'));
    const env = {
      HOME: place('home'),
      PATH: [place('usr/local/bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
      npm_config_offline: 'true',
    };
    const play = async (page: string) => {
      const commands = commandsOf(page);
      expect(commands.length).toBeGreaterThan(1);
      const outputs: string[] = [];
      for (const command of commands) {
        // The folders of the page are below one of ours; the package comes without a path.
        const line = command.replaceAll(/(?<=^|[ ])\/(?=(?:opt|srv|usr|backup)\/)/g, () => `${machine}/`);
        outputs.push((await run('sh', ['-ec', line], { cwd: machine, env })).stdout);
      }
      return outputs.join('');
    };
    const [old, next] = [ownVersion(), '99.0.0'];
    expect(await play('install.md')).toContain(`${old}\n`);
    const settings = readFileSync(place('srv/nightpost/nightpost.yaml'), 'utf8');
    const upgraded = await play('upgrade.md');
    expect(upgraded).toContain(`${next}\n`);
    expect(existsSync(place('backup/before-upgrade.sqlite'))).toBe(true);
    const { stdout } = await run('nightpost', ['--version'], { env });
    expect(stdout).toBe(`${old}\n`);
    // As if the newer version had changed the tables: the way back of the page needs the backup.
    const db = new DatabaseSync(place('srv/nightpost/state/ledger.sqlite'));
    db.exec("UPDATE meta SET value = '9999' WHERE key = 'schema'");
    db.close();
    const guard = async () => {
      const { stdout: status } = await run('nightpost', ['-C', place('srv/nightpost'), '--json', 'status'], { env });
      return (JSON.parse(status) as { guard: object }).guard;
    };
    expect(await guard()).toMatchObject({ send: false, code: 'ledger/newer-schema' });
    const backup = place('backup/before-upgrade.sqlite');
    await run('nightpost', ['-C', place('srv/nightpost'), 'ledger', 'restore', backup], { env });
    expect(await guard()).toEqual({ send: true });
    await play('uninstall.md');
    await expect(run('nightpost', ['--version'], { env })).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(place('opt/nightpost/lib/node_modules'))).toEqual([]);
    expect(readFileSync(place('srv/nightpost/nightpost.yaml'), 'utf8')).toBe(settings);
    expect(existsSync(place('srv/nightpost/state/ledger.sqlite'))).toBe(true);
  },
);

function ownVersion(): string {
  return (JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string }).version;
}

/** The same package under a later version, in one folder as npm packs it. */
async function packNewer(to: string): Promise<void> {
  const newer = join(folder, 'newer');
  cpSync(packed, join(newer, 'package'), { recursive: true });
  const manifest = join(newer, 'package/package.json');
  const text = readFileSync(manifest, 'utf8').replace(/"version": "[^"]*"/, '"version": "99.0.0"');
  writeFileSync(manifest, text);
  await run('tar', ['-czf', to, '-C', newer, 'package'], { env: { ...process.env, GZIP: '-1' } });
}

/** The first Node on the path that is too old, if the machine has one. */
function oldNode(): string | undefined {
  for (const place of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(place, process.platform === 'win32' ? 'node.exe' : 'node');
    try {
      const version = execFileSync(node, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      if (Number(/^v(\d+)/.exec(version)?.[1]) < 24) return node;
    } catch {
      // Not there.
    }
  }
  return undefined;
}

const old = oldNode();

test.skipIf(old === undefined)(
  'an older Node (skipped without one) gets the required version, with exit code 2',
  async () => {
    const failure = await run(old!, [join(packed, 'dist/cli/main.js'), 'run']).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 2, stdout: '' });
    expect((failure as { stderr: string }).stderr).toMatch(/^nightpost needs Node 24\.15 or newer; this is \d+/);
  },
);
