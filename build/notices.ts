/** The packages of which the bundle holds code: name, version, hash as in the lock, license and its text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

type Locked = { readonly packages: { readonly [path: string]: { readonly integrity?: string } } };

/** `modules`: the files of the bundle. */
export function noticesOf(root: string, modules: readonly string[]): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Locked;
  const notices = [...new Set(modules.flatMap((file) => packageOf(root, file) ?? []))].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const { integrity } = packages[path] ?? {};
    if (!integrity) throw new Error(`${path} is not in the lock`);
    return `${name} ${version}, ${license}\n${integrity}\n\n${licenseTextOf(join(root, path)) ?? 'The package holds no text of its license.'}\n`;
  });
  return `Nightpost holds code of these packages.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
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

function licenseTextOf(folder: string): string | undefined {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.\w+)?$/i.test(name));
  return file && readFileSync(join(folder, file), 'utf8').trim();
}
