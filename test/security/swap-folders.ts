/**
 * Loaded into the program before itself (`--import`): writes down every name below the shared folders that it touches, and, where asked
 * for, is the fastest member of the group there can be. At the moment of each act in a sub-folder, a link to a folder of canaries has
 * the place of that folder. No name is taken from a list: they come from the calls.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';

const { WATCHED_ROOT: root = '', WATCHED_LOG: log = '', WATCHED_CANARY: canary } = process.env;
const { appendFileSync, lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, symlinkSync, unlinkSync } = fs;
const { writeFileSync, constants } = fs;
const TOPS = ['inbox', 'error', 'pending', 'reports'];
/** Acts with two names; all others have one. */
const TWO = ['rename', 'link', 'copyFile'];
const ACTS = ['open', 'unlink', 'rm', 'rmdir', 'mkdir', 'chmod', 'chown', 'lchown', 'truncate', 'utimes', ...TWO];
const WHOLE = ['readFile', 'writeFile', 'appendFile'];

type Touched = { readonly path: string; readonly byName: boolean };

function touched(name: unknown): Touched | undefined {
  const given = Buffer.isBuffer(name) ? name.toString() : String(name);
  const [, handle, rest = ''] = /^\/proc\/self\/fd\/(\d+)(?:\/(.*))?$/.exec(given) ?? [];
  const real = handle === undefined ? given : join(readlinkSync(`/proc/self/fd/${handle}`), rest);
  const path = relative(root, real.replace('.was/', '/'));
  return TOPS.includes(path.split('/')[0] ?? '') ? { path, byName: handle === undefined } : undefined;
}

const note = (line: object) => appendFileSync(log, `${JSON.stringify(line)}\n`);

/** Puts the link in the place of the sub-folder of the path; what is returned takes it away. */
function swap(path: string): () => void {
  const [top = '', sub = '', name] = path.split('/');
  if (canary === undefined || name === undefined) return () => {};
  const [place, target] = [join(root, top, sub), join(canary, top, sub)];
  try {
    if (!lstatSync(place).isDirectory()) return () => {};
    mkdirSync(target, { recursive: true, mode: 0o777 });
    const known = new Set(readdirSync(target));
    for (const one of readdirSync(place, { withFileTypes: true })) {
      if (known.has(one.name) || !one.isFile()) continue;
      writeFileSync(join(target, one.name), 'canary');
      note({ canary: join(target, one.name) });
    }
    note({ swapped: path });
    renameSync(place, `${place}.was`);
    symlinkSync(target, place);
  } catch {
    return () => {};
  }
  return () => {
    unlinkSync(place);
    renameSync(`${place}.was`, place);
  };
}

function isOfFolder(act: string, args: readonly unknown[]): boolean {
  return act === 'open' && typeof args[1] === 'number' && (args[1] & (constants.O_DIRECTORY ?? 0)) !== 0;
}

function watch(owner: { [name: string]: unknown }, name: string, act: string): void {
  const original = owner[name] as (...args: unknown[]) => unknown;
  owner[name] = (...args: unknown[]): unknown => {
    const found = args.slice(0, TWO.includes(act) ? 2 : 1).flatMap((one) => touched(one) ?? []);
    if (found.length === 0 || isOfFolder(act, args)) return original(...args);
    for (const one of found) note({ act, ...one, ...(typeof args[1] === 'object' ? {} : { flags: args[1] }) });
    const back = swap(found[0]!.path);
    let result: unknown;
    try {
      result = original(...args);
    } catch (error) {
      back();
      throw error;
    }
    if (!(result instanceof Promise)) {
      if (typeof result === 'number') noteIfCanary(result);
      back();
      return result;
    }
    return result
      .then((value) => {
        const { fd } = (value ?? {}) as { readonly fd?: number };
        if (fd !== undefined) noteIfCanary(fd);
        return value;
      })
      .finally(back);
  };
}

function noteIfCanary(handle: number): void {
  const real = readlinkSync(`/proc/self/fd/${handle}`);
  if (canary !== undefined && real.startsWith(canary)) note({ reached: real });
}

for (const act of [...ACTS, ...WHOLE]) {
  watch(fs as never, `${act}Sync`, act);
  watch(fs.promises as never, act, act);
}
syncBuiltinESMExports();
