/**
 * A Dockerfile, executed without an engine: each RUN in a chroot with namespaces of its own, each COPY by hand. The base
 * image is this machine's /usr with the Node and npm that are given. Needs Linux and root (`canExecute`).
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Copy, DockerfileParser, type From, type Healthcheck, type JSONInstruction } from 'dockerfile-ast';

/** What an image keeps for its containers. */
export type Image = {
  /** Its files; /usr, but for /usr/local, is that of this machine. */
  readonly root: string;
  readonly env: { readonly [name: string]: string };
  readonly labels: { readonly [name: string]: string };
  readonly user: string;
  readonly folder: string;
  readonly volumes: readonly string[];
  readonly stopSignal: string;
  readonly health: readonly string[];
  readonly entry: readonly string[];
  readonly command: readonly string[];
};

type Stage = { -readonly [key in keyof Image]: Image[key] };

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const NAMESPACES = ['--mount', '--pid', '--net', '--uts', '--ipc', '--fork', '--kill-child'];
/** The tools of root, wherever this process may look. */
const TOOLS = `export PATH=${PATH}; `;

/** Namespaces and mounts of its own: as root on Linux, where no outer sandbox forbids them. */
export function canExecute(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const rights = 'setpriv --bounding-set -all --no-new-privs true';
  const tried = `ip link set lo up && mount --bind /usr /mnt && mount -o remount,ro,bind /mnt && mount -t proc proc /proc && ${rights}`;
  return (
    spawnSync('unshare', [...NAMESPACES, 'sh', '-c', `${TOOLS}command -v chroot nsenter && ${tried}`]).status === 0
  );
}

/** The last image of the file. `context`: where COPY looks; `place`: an empty folder for the stages. */
export function executeDockerfile(
  text: string,
  { context, place, given }: { readonly context: string; readonly place: string; readonly given: Map<string, string> },
): Image {
  const names = new Map<string, Stage>();
  const values = new Map<string, string>();
  let stage: Stage | undefined;
  const filled = (written: string) =>
    written.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = stage?.env[name] ?? values.get(name);
      if (value === undefined) throw new Error(`${name} has no value`);
      return value;
    });
  for (const step of DockerfileParser.parse(text).getInstructions()) {
    const words = step.getArguments().map((argument) => filled(argument.getValue()));
    const strings = () => (step as JSONInstruction).getJSONStrings().map((one) => one.getJSONValue());
    if (step.getKeyword() === 'ARG') {
      const [name = '', standard] = words[0]!.split('=');
      const value = given.get(name) ?? standard ?? values.get(name);
      if (value !== undefined) values.set(name, value);
      continue;
    }
    if (step.getKeyword() === 'FROM') {
      stage = { ...baseImage(words[0]!, join(place, `stage-${names.size}`)) };
      names.set((step as From).getBuildStage() ?? String(names.size), stage);
      continue;
    }
    if (!stage) throw new Error(`${step.getKeyword()} before FROM`);
    const into: Stage = stage;
    const pairs = () => Object.fromEntries(pairsOf(step.getRawArgumentsContent() ?? '', filled));
    const acts: { readonly [keyword: string]: () => void } = {
      LABEL: () => (into.labels = { ...into.labels, ...pairs() }),
      ENV: () => (into.env = { ...into.env, ...pairs() }),
      USER: () => (into.user = words[0]!),
      WORKDIR: () => (into.folder = words[0]!),
      VOLUME: () => (into.volumes = strings()),
      STOPSIGNAL: () => (into.stopSignal = words[0]!),
      ENTRYPOINT: () => (into.entry = strings()),
      CMD: () => (into.command = strings()),
      HEALTHCHECK: () => {
        const raw = (step as Healthcheck).getRawArgumentsContent() ?? '';
        into.health = JSON.parse(raw.slice(raw.indexOf('['))) as string[];
      },
      COPY: () => {
        const from = (step as Copy).getFromFlag()?.getValue();
        const source = from === undefined || from === null ? context : names.get(from)!.root;
        const [what = '', to = ''] = words.filter((word) => !word.startsWith('--'));
        mkdirSync(dirname(join(into.root, to)), { recursive: true });
        cpSync(join(source, what), join(into.root, to), { recursive: true, verbatimSymlinks: true });
      },
      RUN: () => {
        const [program = '', ...rest] = inRoot(into, ['sh', '-ec', step.getRawArgumentsContent() ?? ''], {
          build: true,
        });
        execFileSync(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
      },
    };
    const act = acts[step.getKeyword()];
    if (!act) throw new Error(`no step for ${step.getKeyword()}`);
    act();
  }
  return stage!;
}

function pairsOf(raw: string, filled: (text: string) => string): readonly [string, string][] {
  return [...raw.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name = '', quoted, plain]) => [
    name,
    filled(quoted ?? plain ?? ''),
  ]);
}

/** As the slim images of Node: Debian, Node and npm below /usr/local, accounts in /etc. */
export function baseImage(name: string, root: string): Image {
  if (name !== `node:${process.versions.node}-trixie-slim`) throw new Error(`this Node does not play ${name}`);
  // A second try begins with nothing.
  rmSync(root, { recursive: true, force: true });
  for (const folder of [
    'etc',
    'usr/local/bin',
    'usr/local/lib/node_modules',
    'tmp',
    'proc',
    'dev',
    'srv',
    'opt',
    'run',
    'root',
  ])
    mkdirSync(join(root, folder), { recursive: true });
  for (const link of ['bin', 'sbin', 'lib', 'lib64'])
    if (existsSync(`/${link}`)) symlinkSync(`usr/${link}`, join(root, link));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  writeFileSync(join(root, 'usr/local/bin/node'), '');
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())));
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  for (const command of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${command}-cli.js`, join(root, 'usr/local/bin', command));
  const nothing = { labels: {}, volumes: [], health: [], entry: [], command: ['node'] };
  return { root, env: { PATH }, user: '0:0', folder: '/', stopSignal: 'SIGTERM', ...nothing };
}

/** `build`: as RUN, by root, into the image. Otherwise as a strict container: no capability, nothing writable but the volumes. */
type Run = {
  readonly build?: boolean;
  /** Folder of this machine by its place in the container. */
  readonly volumes?: { readonly [place: string]: string };
  readonly env?: { readonly [name: string]: string };
};

/** The command line that starts `words` as process 1 of a container, with a network of its own that reaches nothing. */
function inRoot(image: Image, words: readonly string[], run: Run): readonly string[] {
  const { root } = image;
  const word = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const at = (path: string) => word(join(root, path));
  const own = join(root, 'usr/local');
  const keep = `${root}.local`;
  mkdirSync(keep, { recursive: true });
  const volumes = Object.entries(run.volumes ?? {});
  // An engine makes the places of mounts too.
  for (const [folder] of volumes) mkdirSync(join(root, folder), { recursive: true });
  const mounts = [
    'ip link set lo up',
    `mount --bind ${word(root)} ${word(root)}`,
    `mount --bind ${word(own)} ${word(keep)}`,
    `mount --bind /usr ${at('usr')} && mount -o remount,ro,bind ${at('usr')}`,
    // No zones of this machine: an image has none that the program could rest on.
    `mount -t tmpfs -o ro none ${at('usr/share/zoneinfo')} 2>/dev/null || true`,
    `mount --bind ${word(keep)} ${at('usr/local')}`,
    `mount --bind ${word(process.execPath)} ${at('usr/local/bin/node')}`,
    `mount -t proc proc ${at('proc')}`,
    `mount --bind /dev ${at('dev')}`,
    ...(run.build ? [] : [`mount -o remount,ro,bind ${at('usr/local')}`, `mount -o remount,ro,bind ${word(root)}`]),
    `mount -t tmpfs -o mode=1777 none ${at('tmp')}`,
    ...volumes.map(([place, folder]) => `mount --bind ${word(folder)} ${at(place)}`),
  ];
  const [uid = '0', gid = '0'] = image.user.split(':');
  const rights = run.build
    ? []
    : [...['--reuid', uid, '--regid', gid, '--clear-groups'], ...['--bounding-set', '-all', '--no-new-privs']];
  const env = Object.entries({ ...image.env, ...run.env }).map(([name, value]) => `${name}=${value}`);
  const start = ['env', '-i', ...env, 'setpriv', ...rights, 'sh', '-c', 'cd "$0" && exec "$@"', image.folder, ...words];
  const script = `${TOOLS}set -e; ${mounts.join('; ')}; exec chroot ${word(root)} ${start.map(word).join(' ')}`;
  return ['unshare', ...NAMESPACES, 'sh', '-c', script];
}

/** A container that runs: process 1 as this machine numbers it, once it is there. */
export function startContainer(
  image: Image,
  words: readonly string[],
  run: Run,
): { readonly child: ChildProcess; readonly first: () => number } {
  const [program = '', ...rest] = inRoot(image, words, run);
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  const first = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());
  return { child, first };
}

/** Exit code of a command in a container that runs, as its account: a health check. */
export function execIn(image: Image, first: number, words: readonly string[]): number | null {
  const [uid = '0', gid = '0'] = image.user.split(':');
  const enter = ['--target', String(first), '--mount', '--pid', '--net', '--root', '--wd', '-S', uid, '-G', gid];
  const env = Object.entries(image.env).map(([name, value]) => `${name}=${value}`);
  return spawnSync('nsenter', [...enter, 'env', '-i', ...env, ...words]).status;
}
