/**
 * The file system as the program of a simulation sees it: real files, in memory where the machine has such a folder.
 * Each call is done at once and in its order, counts as a write where it changes something, and gives files the times of the
 * simulation. A program that is gone changes nothing any more.
 */
import fs, { type Stats } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { assertAlive, beforeWrite, programNow } from './running.ts';
import { moved, wallNow } from './virtual-time.ts';

// biome-ignore lint/suspicious/noExplicitAny: each function of the module is passed on as it is
type Any = any;
type Call = (...given: Any[]) => Any;

const real: { readonly [name: string]: Call } = { ...(fs as unknown as { [name: string]: Call }) };
const call = (name: string): Call => real[name] as Call;

/** Synchronous functions that change what others see. */
const CHANGES = [
  ...[
    'appendFile',
    'chmod',
    'chown',
    'copyFile',
    'cp',
    'fchmod',
    'fchown',
    'fdatasync',
    'fsync',
    'ftruncate',
    'futimes',
  ],
  ...[
    'lchown',
    'link',
    'lutimes',
    'mkdir',
    'mkdtemp',
    'rename',
    'rm',
    'rmdir',
    'symlink',
    'truncate',
    'unlink',
    'utimes',
  ],
  ...['write', 'writeFile', 'writev'],
];
const LOOKS = ['access', 'exists', 'fstat', 'lstat', 'opendir', 'read', 'readFile', 'readdir', 'readlink', 'readv'];
const MORE_LOOKS = ['realpath', 'stat', 'statfs', 'close'];
/** Those that give a file the time of now. */
const WRITES = new Set(['appendFile', 'copyFile', 'ftruncate', 'truncate', 'write', 'writeFile', 'writev']);
const PLACES = new Set(['link', 'rename', 'chmod', 'chown', 'fchmod', 'fchown']);

/** The times of each file by its number, where the program or the simulation has written it. */
const times = new Map<number, { modified: number; changed: number }>();

export function restartDisk(): void {
  times.clear();
}

function found(place: Any): Stats | undefined {
  try {
    return typeof place === 'number' ? call('fstatSync')(place) : call('lstatSync')(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function stamp(place: Any, how: 'modified' | 'changed'): void {
  const stats = found(place);
  if (!stats) return;
  const now = wallNow();
  const before = times.get(stats.ino);
  times.set(stats.ino, { modified: how === 'modified' || !before ? now : before.modified, changed: now });
}

function setTimes(place: Any, modified: Any): void {
  const stats = found(place);
  const modifiedMs = modified instanceof Date ? modified.getTime() : Number(modified) * 1000;
  if (stats) times.set(stats.ino, { modified: modifiedMs, changed: wallNow() });
}

/** Numbers of nanoseconds stay those of the machine: they are compared with themselves alone. */
function timed(stats: Any): Any {
  if (!stats || typeof stats.mtimeMs !== 'number') return stats;
  const own = times.get(stats.ino);
  const { modified, changed } = own ?? { modified: wallNow(), changed: wallNow() };
  return Object.assign(stats, {
    ...{ mtimeMs: modified, ctimeMs: changed, birthtimeMs: modified, atimeMs: modified },
    ...{
      mtime: new Date(modified),
      ctime: new Date(changed),
      birthtime: new Date(modified),
      atime: new Date(modified),
    },
  });
}

const MAY_WRITE = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC;
const TRUNCATES = fs.constants.O_CREAT | fs.constants.O_TRUNC;

function open(path: Any, flags: Any = 'r', mode?: Any): number {
  const isWriting = typeof flags === 'number' ? (flags & MAY_WRITE) !== 0 : flags !== 'r';
  const makes = typeof flags === 'number' ? (flags & TRUNCATES) !== 0 : /[wa]/.test(flags);
  if (isWriting) beforeWrite();
  else assertAlive();
  moved();
  const isNew = makes && !found(path);
  const file: number = call('openSync')(path, flags, mode);
  if (isNew || (makes && typeof flags === 'string' && flags.startsWith('w'))) stamp(file, 'modified');
  const program = programNow();
  if (program) {
    const free = () => call('closeSync')(file);
    program.frees.add(free);
    openFiles.set(file, () => program.frees.delete(free));
  }
  return file;
}

/** What to forget when a file is closed, by its number. */
const openFiles = new Map<number, () => void>();

function doSync(name: string, given: Any[]): Any {
  if (name === 'open') return open(...(given as [Any]));
  if (CHANGES.includes(name)) beforeWrite();
  else if (name === 'close') {
    const file = given[0] as number;
    openFiles.get(file)?.();
    openFiles.delete(file);
    // The system has closed it, and may have given its number to another file.
    if (programNow()?.isGone) return undefined;
  }
  moved();
  const result = call(`${name}Sync`)(...given);
  if (WRITES.has(name)) stamp(given[name === 'copyFile' ? 1 : 0], 'modified');
  else if (PLACES.has(name)) stamp(given[name === 'rename' || name === 'link' ? 1 : 0], 'changed');
  else if (/utimes$/.test(name)) setTimes(given[0], given[2]);
  return name.endsWith('stat') ? timed(result) : result;
}

const SMALL = 8192;

/** What is written piece by piece is written at once. */
async function wholeOf(data: Any): Promise<Any> {
  if (typeof data === 'string' || ArrayBuffer.isView(data)) return data;
  const pieces: Buffer[] = [];
  for await (const piece of data) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const FUNCTIONS = [...CHANGES, ...LOOKS, ...MORE_LOOKS, 'open'];

/** An open file as `node:fs/promises` gives it. */
class Handle {
  readonly fd: number;
  constructor(fd: number) {
    this.fd = fd;
  }
  async close(): Promise<void> {
    doSync('close', [this.fd]);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
  async sync(): Promise<void> {
    doSync('fsync', [this.fd]);
  }
  async datasync(): Promise<void> {
    doSync('fdatasync', [this.fd]);
  }
  async stat(options?: Any): Promise<Any> {
    return doSync('fstat', [this.fd, options]);
  }
  async chmod(mode: Any): Promise<void> {
    doSync('fchmod', [this.fd, mode]);
  }
  async chown(uid: Any, gid: Any): Promise<void> {
    doSync('fchown', [this.fd, uid, gid]);
  }
  async utimes(accessed: Any, modified: Any): Promise<void> {
    doSync('futimes', [this.fd, accessed, modified]);
  }
  async truncate(length?: number): Promise<void> {
    doSync('ftruncate', [this.fd, length]);
  }
  async read(buffer: Any, ...given: Any[]): Promise<Any> {
    const bytes = buffer ?? Buffer.alloc(16_384);
    return { bytesRead: doSync('read', [this.fd, bytes, ...given]), buffer: bytes };
  }
  async readFile(options?: Any): Promise<Any> {
    return doSync('readFile', [this.fd, options]);
  }
  async write(data: Any, ...given: Any[]): Promise<Any> {
    return { bytesWritten: doSync('write', [this.fd, data, ...given]), buffer: data };
  }
  async writeFile(data: Any, options?: Any): Promise<void> {
    doSync('writeFile', [this.fd, await wholeOf(data), options]);
  }
  async appendFile(data: Any, options?: Any): Promise<void> {
    doSync('writeFile', [this.fd, data, options]);
  }
  createReadStream(options: Any = {}): Any {
    return fs.createReadStream('', { ...options, fd: this.fd });
  }
  createWriteStream(options: Any = {}): Any {
    return fs.createWriteStream('', { ...options, fd: this.fd });
  }
}

/** From here on every file of the process is opened through this module; before the program is loaded. */
export function takeOverDisk(): void {
  for (const name of FUNCTIONS) {
    if (!(`${name}Sync` in real)) continue;
    (fs as Any)[`${name}Sync`] = (...given: Any[]) => doSync(name, given);
    const later = (...given: Any[]) => {
      const done = given.pop() as Call;
      let outcome: Any[];
      try {
        const result = doSync(name, given);
        const buffers = name === 'read' || name === 'write' || name === 'writev' || name === 'readv';
        outcome = buffers ? [null, result, given[1]] : [null, result];
      } catch (error) {
        outcome = [error];
      }
      moved();
      process.nextTick(done, ...outcome);
    };
    if (name === 'read' || name === 'write') {
      const counted = async (...given: Any[]) => {
        const count = doSync(name, given);
        return name === 'read' ? { bytesRead: count, buffer: given[1] } : { bytesWritten: count, buffer: given[1] };
      };
      Object.assign(later, { [promisify.custom]: counted });
    }
    if (name !== 'exists') (fs as Any)[name] = later;
    if (name in fsPromises)
      (fsPromises as Any)[name] = async (...given: Any[]) => {
        if (name === 'writeFile') given[1] = await wholeOf(given[1]);
        const result = doSync(name, given);
        return name === 'open' ? new Handle(result) : result;
      };
  }
  // Exports are small, and a stream takes memory for what it might read.
  (fs as Any).createReadStream = (path: Any, options?: Any) =>
    call('createReadStream')(path, {
      highWaterMark: SMALL,
      ...(typeof options === 'string' ? { encoding: options } : options),
    });
  // Opened folders read ahead by themselves.
  (fsPromises as Any).opendir = async (path: Any, options?: Any) => folderOf(doSync('opendir', [path, options]));
  // Compressed by other threads otherwise.
  Object.assign(zlib, {
    deflateRaw: (bytes: Buffer, options: Any, done: Call) =>
      process.nextTick(done, null, zlib.deflateRawSync(bytes, options)),
    DeflateRaw: function DeflateRaw() {
      return atOnce(zlib.deflateRawSync);
    },
  });
  syncBuiltinESMExports();
}

function atOnce(whole: (bytes: Buffer) => Buffer): Transform {
  const pieces: Buffer[] = [];
  return new Transform({
    transform: (piece, _, done) => {
      pieces.push(piece);
      done();
    },
    flush: (done) => done(null, whole(Buffer.concat(pieces))),
  });
}

/** Reads at once what an open folder would read in another thread. */
function folderOf(folder: Any): Any {
  return Object.assign(folder, {
    read: async () => folder.readSync(),
    close: async () => folder.closeSync(),
    [Symbol.asyncIterator]: async function* () {
      try {
        for (let entry = folder.readSync(); entry; entry = folder.readSync()) yield entry;
      } finally {
        folder.closeSync();
      }
    },
    [Symbol.asyncDispose]: async () => folder.closeSync(),
  });
}
