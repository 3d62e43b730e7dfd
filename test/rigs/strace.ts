/** The log of strace (-f -xx) of one process becomes operations of a Disk, each at the moment at which it ended. */
import { spawnSync } from 'node:child_process';
import type { Disk, DiskFile, DiskNode } from './disk.ts';

/** All that changes files below an instance; what the program maps into memory is SQLite's `-shm` alone. */
const CALLS = [
  ...['openat', 'close', 'write', 'pwrite64', 'writev', 'pwritev', 'ftruncate', 'fsync', 'fdatasync', 'utimensat'],
  ...['rename', 'link', 'unlink', 'mkdir', 'rmdir', 'copy_file_range', 'sendfile', 'fallocate'],
];
/** Of these nothing is known here: a log with one below the instance must not pass. */
const UNKNOWN = new Set(['copy_file_range', 'sendfile', 'fallocate']);

/** Needs Linux, strace, and the right to trace a child, which containers may forbid. */
export function mayTrace(): boolean {
  const { status } = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true'], { stdio: 'ignore' });
  return process.platform === 'linux' && status === 0;
}

/** The command line before that of the program; `killAt`: the nth such call of a thread is its last. */
export function straceInto(log: string, killAt?: { readonly call: string; readonly n: number }): readonly string[] {
  const inject = killAt ? ['-e', `inject=${killAt.call}:signal=KILL:when=${killAt.n}`] : [];
  const strings = ['-xx', '-s', '16777216'];
  return ['strace', '-f', '--seccomp-bpf', ...strings, '-o', log, '-e', `trace=${CALLS.join(',')}`, ...inject];
}

type Open = { readonly path: string; readonly node: DiskNode; at: number; readonly appends: boolean };
/** What a flush covers: what had ended when it began. */
type Mark = { readonly pending: number; readonly namings: number };

const LINE = /^(\d+)\s+(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)$/s;
const UNFINISHED = '<unfinished ...>';

export type Watch = {
  /** After each line of the log. */
  readonly at: (line: number) => void;
  /** Bytes that go elsewhere, to a socket above all, when their writing begins. */
  readonly leaving: (bytes: Buffer) => void;
};

/** What happened below `root`. */
export function replay(log: string, root: string, disk: Disk, watch?: Watch): void {
  const open = new Map<number, Open>();
  const unfinished = new Map<string, { readonly text: string; readonly mark: Mark | undefined }>();
  for (const [n, line] of log.split('\n').entries()) {
    read(line);
    watch?.at(n);
  }

  function read(line: string): void {
    const [, thread = '', resumed, begun, rest = ''] = LINE.exec(line) ?? [];
    const call = resumed ?? begun;
    if (call === undefined) return;
    if (begun?.startsWith('write') && !open.has(Number.parseInt(rest, 10))) {
      for (const bytes of textsIn(rest)) watch?.leaving(bytes);
    }
    if (rest.endsWith(UNFINISHED)) {
      const text = rest.slice(0, -UNFINISHED.length);
      // Its number is free from here on: another thread may get it before this call is seen to end.
      if (call === 'close') open.delete(Number.parseInt(text, 10));
      unfinished.set(thread, { text, mark: markOf(call, text) });
      return;
    }
    const earlier = resumed === undefined ? undefined : unfinished.get(thread);
    const text = (earlier?.text ?? '') + rest;
    const [, given = '', result = '-1'] = /^(.*)\)\s+= (-?\d+)/s.exec(text) ?? [];
    if (call === 'close' && earlier) return;
    if (Number(result) >= 0) act(call, given, Number(result), earlier?.mark ?? markOf(call, text));
  }

  function markOf(call: string, text: string): Mark | undefined {
    if (call !== 'fsync' && call !== 'fdatasync') return undefined;
    const node = open.get(Number.parseInt(text, 10))?.node;
    return { pending: node === undefined || node === 'folder' ? 0 : node.pending.length, namings: disk.namings };
  }

  function act(call: string, given: string, result: number, mark: Mark | undefined): void {
    const fd = Number.parseInt(given, 10);
    const file = open.get(fd);
    const texts = textsIn(given);
    const [from = '', to = ''] = texts.map(String);
    if (call === 'openat') opened(from, given, result);
    else if (call === 'close') open.delete(fd);
    else if (['rename', 'link', 'mkdir', 'unlink', 'rmdir'].includes(call)) named(call, from, to);
    else if (!file) return;
    else if (UNKNOWN.has(call)) throw new Error(`${call} of ${file.path}: not known to this rig`);
    else if (file.node === 'folder') disk.flushFolder(file.path, mark?.namings ?? 0);
    else if (mark) disk.flush(file.node, mark.pending);
    else changed(call, file, file.node, given, Buffer.concat(texts).subarray(0, result));
  }

  function opened(path: string, given: string, fd: number): void {
    open.delete(fd);
    if (!isBelow(path)) return;
    const isNew = given.includes('O_CREAT') && disk.node(path) === undefined;
    const node = isNew ? disk.create(path) : disk.node(path);
    if (node === undefined) return;
    if (node !== 'folder' && given.includes('O_TRUNC')) disk.truncate(node, 0);
    open.set(fd, { path, node, at: 0, appends: given.includes('O_APPEND') });
  }

  function changed(call: string, file: Open, node: DiskFile, given: string, bytes: Buffer): void {
    const last = Number(given.slice(given.lastIndexOf(',') + 1));
    if (call === 'ftruncate') disk.truncate(node, last);
    else if (call === 'utimensat') {
      const [, seconds, nanos] = /tv_sec=\d+.*tv_sec=(\d+), tv_nsec=(\d+)/.exec(given) ?? [];
      if (seconds) node.mtimeMs = Number(seconds) * 1000 + Number(nanos) / 1e6;
    } else {
      const isPlaced = call.startsWith('p');
      const at = isPlaced ? last : file.appends ? node.size : file.at;
      disk.write(node, at, bytes);
      if (!isPlaced) file.at = at + bytes.length;
    }
  }

  function named(call: string, from: string, to: string): void {
    if (!isBelow(from)) return;
    if (call === 'rename') disk.rename(from, to);
    else if (call === 'link') disk.link(from, to);
    else if (call === 'mkdir') disk.makeFolder(from);
    else disk.remove(from);
  }

  function isBelow(path: string): boolean {
    return path === root || path.startsWith(`${root}/`);
  }
}

/** The strings of a call, which strace writes as \x61\x62. */
function textsIn(given: string): Buffer[] {
  return [...given.matchAll(/"([\\x0-9a-f]*)"/g)].map(([, hex]) => Buffer.from(hex!.replaceAll('\\x', ''), 'hex'));
}
