/** What is installed: exact versions, from the registry alone, no scripts but that of Node, nothing below a known fix. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

type Installed = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly link?: boolean;
};

const own = read('package.json') as {
  readonly dependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
  readonly overrides: { readonly [name: string]: string };
  readonly allowScripts: object;
  readonly scripts: { readonly [name: string]: string };
};
const lock = Object.entries(read('package-lock.json').packages as { readonly [path: string]: Installed }).filter(
  ([path]) => path !== '',
);

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
  const named = { ...own.dependencies, ...own.devDependencies, ...own.overrides };
  expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('everything comes from one registry, with its hash', () => {
  const elsewhere = lock.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith(REGISTRY));
  expect(elsewhere.map(([path]) => path)).toEqual([]);
  expect(lock.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([path]) => path)).toEqual([]);
});

test('no script runs when it is installed, but the one that brings Node to a clone', () => {
  expect(own.allowScripts).toEqual({ node: true });
  expect(Object.keys(own.scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  const scripts = lock
    .filter(([, one]) => one.hasInstallScript)
    .map(([path, { dev }]) => `${path}${dev ? ' (dev)' : ''}`);
  expect(
    scripts.filter(
      (path) =>
        !/^node_modules\/(node|fsevents) \(dev\)$|^node_modules\/vite\/node_modules\/fsevents \(dev\)$/.test(path),
    ),
  ).toEqual([]);
});

test('what runs is little, and not below a known fix', () => {
  const runtime = lock.filter(([, { dev }]) => !dev);
  expect(runtime.length).toBeLessThanOrEqual(40);
  const below = lock.flatMap(([path, { version = '' }]) => {
    const floor = FLOORS[path.replace(/^.*node_modules\//, '')];
    const parts = version.split('.').map(Number);
    const at = floor?.findIndex((wanted, index) => wanted !== parts[index]) ?? -1;
    return floor && at >= 0 && (parts[at] ?? 0) < floor[at]! ? [`${path} ${version}`] : [];
  });
  expect(below).toEqual([]);
});
