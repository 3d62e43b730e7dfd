/** The packages of which the bundle holds code: name, version, hash as in the lock, license and its text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export type ShippedPackage = {
  readonly name: string;
  readonly version: string;
  /** `sha512-` and Base64, of what the registry has. */
  readonly integrity: string;
  /** An identifier of SPDX. */
  readonly license: string;
  readonly text: string;
};

type Locked = { readonly packages: { readonly [path: string]: { readonly integrity?: string } } };

/** `modules`: the files of the bundle. */
export function shippedPackages(root: string, modules: readonly string[]): readonly ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Locked;
  return [...new Set(modules.flatMap((file) => packageOf(root, file) ?? []))].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const { integrity } = packages[path] ?? {};
    if (!integrity) throw new Error(`${path} is not in the lock`);
    return { name, version, license, integrity, text: licenseTextOf(join(root, path), name) };
  });
}

/** node_modules/a/node_modules/@b/c of a file below it. */
function packageOf(root: string, file: string): string | undefined {
  const path = file
    .replace(/^\0/, '')
    .slice(root.length + 1)
    .split(sep)
    .join('/');
  return /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(path)?.[0].slice(0, -1);
}

/** Its file, the end of its README, or, where the package holds neither, the text of its repository, kept in licenses/. */
function licenseTextOf(folder: string, name: string): string {
  const named = (pattern: RegExp) => readdirSync(folder).find((file) => pattern.test(file));
  const read = (file: string | undefined) => file && readFileSync(join(folder, file), 'utf8');
  const own = read(named(/^(licen[cs]e|copying)(\.\w+)?$/i));
  const [, section] = /^#+ *licen[cs]e\s*$([\s\S]+)/im.exec(read(named(/^readme\.md$/i)) ?? '') ?? [];
  const kept = join(import.meta.dirname, 'licenses', `${name.replace('/', '+')}.txt`);
  const text = own ?? (section?.includes('Permission') ? section : existsSync(kept) && readFileSync(kept, 'utf8'));
  if (!text) throw new Error(`${name} holds no text of its license: add it as ${kept}`);
  return text.trim();
}
