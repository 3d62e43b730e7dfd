/** The folders of an instance: the disk they lie on, who may read and write them, what lies around in them. */
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { TEMPORARY } from '../files/write-durable.ts';
import { type Instance, SETTINGS_FILE } from '../instance/instance.ts';
import { networkKind } from '../ledger/installation/installation-place.ts';
import { OperatorError } from '../model/fault.ts';
import { escapeControls } from '../text/printable.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

const MIB = 1024 ** 2;
const LOW_BYTES = 500 * MIB;
const SCANT_BYTES = 50 * MIB;
const LOW_INODES = 10_000;
const SCANT_INODES = 1_000;
/** A disk that takes longer to flush makes a night long: each document is flushed several times. */
const SLOW_FLUSH_MS = 100;
const POSIX = process.platform !== 'win32';

type FileSystem = Pick<ReturnType<typeof statfsSync>, 'type' | 'bavail' | 'bsize' | 'files' | 'ffree'>;

/** `statfs` is that of the system; tests give file systems that no test machine has. */
export function diskChecks(
  { paths, settings }: Pick<Instance, 'paths' | 'settings'>,
  statfs: (path: string) => FileSystem = (path) => statfsSync(path),
): DoctorCheck[] {
  const state = kindOf(statfs(paths.state));
  const inbox = kindOf(statfs(paths.inbox));
  return [
    state === undefined
      ? ok('file system', 'state/ lies on a local one')
      : failed(
          'file system',
          `state/ lies on ${state}, where a ledger is not safe`,
          'move the instance to a local disk',
        ),
    inbox !== undefined && !settings.inbox.polling
      ? warning('inbox volume', `inbox/ lies on ${inbox}, which reports no changes`, 'set inbox.polling: true')
      : statSync(paths.inbox).dev !== statSync(paths.processing).dev
        ? ok('inbox volume', 'another than that of the instance: files are copied instead of renamed')
        : ok('inbox volume', 'the one of the instance'),
    ...roomOf(statfs(paths.state)),
  ];
}

function kindOf({ type }: FileSystem): string | undefined {
  return process.platform === 'linux' ? networkKind(Number(type)) : undefined;
}

function roomOf({ bavail, bsize, files, ffree }: FileSystem): DoctorCheck[] {
  const free = Number(bavail) * Number(bsize);
  const says = `${Math.floor(free / MIB)} MiB free`;
  const hint = 'make room: archive/, logs/ and old receipts may be moved elsewhere, state/ never';
  const bytes =
    free < SCANT_BYTES ? failed('disk', says, hint) : free < LOW_BYTES ? warning('disk', says, hint) : ok('disk', says);
  // Some file systems count none.
  if (Number(files) === 0) return [bytes];
  const left = Number(ffree);
  const inodes = `${left} more files can be made`;
  const many = 'each document is two files: make room for more, or a file system with more inodes';
  if (left < SCANT_INODES) return [bytes, failed('inodes', inodes, many)];
  return [bytes, left < LOW_INODES ? warning('inodes', inodes, many) : ok('inodes', inodes)];
}

/** Whether a file can be made, flushed and removed in each folder, and how long that takes. */
export function checkWritableFolders({ paths }: Pick<Instance, 'paths'>): DoctorCheck[] {
  const refused: string[] = [];
  let slowest = 0;
  for (const [name, path] of Object.entries(paths)) {
    // Hidden, so that no look into the inbox takes it.
    const probe = join(path, `.nightpost-doctor-${process.pid}`);
    try {
      const started = performance.now();
      const file = openSync(probe, 'wx', 0o600);
      try {
        writeSync(file, 'doctor');
        fsyncSync(file);
      } finally {
        closeSync(file);
        rmSync(probe, { force: true });
      }
      slowest = Math.max(slowest, performance.now() - started);
    } catch (error) {
      refused.push(`${name}/ (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  if (refused.length > 0) {
    const hint = 'give the account that runs Nightpost the right to write there; look whether the disk is read-only';
    return [failed('writing', `cannot write into ${refused.join(', ')}`, hint)];
  }
  const says = `a file is on the disk after ${Math.ceil(slowest)} ms`;
  return [
    slowest > SLOW_FLUSH_MS
      ? warning('writing', says, 'a disk of its own for state/ makes nights shorter')
      : ok('writing', says),
  ];
}

/** Receipts carry names and amounts; whoever may write settings or mappings decides what is sent. */
export function permissionChecks({ paths, folder }: Pick<Instance, 'paths' | 'folder'>): DoctorCheck[] {
  if (!POSIX) return [ok('permissions', 'left to the system: give the folder to the account that runs Nightpost')];
  const modeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  const named = Object.entries(paths).map(([name, path]) => ({ name: `${name}/`, mode: modeOf(path) }));
  const open = named.filter(({ name, mode }) => name !== 'inbox/' && (mode & 0o007) !== 0).map(({ name }) => name);
  const mappings = join(folder, 'mappings');
  const decisive = [SETTINGS_FILE, 'mappings', ...namesIn(mappings).map((name) => join('mappings', name)), 'secrets'];
  const writable = decisive.filter((name) => (modeOf(join(folder, name)) & 0o002) !== 0);
  const droppers = (modeOf(paths.inbox) & 0o002) !== 0;
  return [
    open.length > 0
      ? warning('permissions', `open to every user: ${open.join(', ')}`, 'chmod o-rwx')
      : ok('permissions', 'folders are private'),
    ...(writable.length > 0
      ? [
          failed(
            'permissions',
            `every user may change ${escapeControls(writable.join(', '))}`,
            'chmod o-w: who may write there decides what is sent',
          ),
        ]
      : []),
    ...(droppers
      ? [
          warning(
            'permissions',
            'every user may drop files into inbox/',
            'chmod o-w inbox: who may write there issues documents',
          ),
        ]
      : []),
  ];
}

/** Secret files, whose references come from the settings. */
export async function secretChecks({
  secrets,
  settings,
}: Pick<Instance, 'secrets' | 'settings'>): Promise<DoctorCheck[]> {
  const found = await secrets.inspect(settings.services);
  const broken = found.flatMap(({ problem }) =>
    problem === undefined ? [] : [failed('secrets', `${problem.code}: ${problem.message}`, problem.hint ?? 'check it')],
  );
  const shared = found.filter(({ forGroup }) => forGroup).map(({ name }) => name);
  if (shared.length > 0) {
    broken.push(warning('secrets', `readable by a group: ${shared.join(', ')}`, 'chmod 600'));
  }
  const foreign = found.filter((one) => one.foreign).map(({ name }) => name);
  if (foreign.length > 0) {
    const says = `owned by another account, which can read and change it: ${foreign.join(', ')}`;
    broken.push(warning('secrets', says, 'chown it to the account that runs nightpost'));
  }
  const short = found.filter((one) => one.short).map(({ name }) => name);
  if (short.length > 0) {
    const says = `fewer than 8 characters: ${short.join(', ')}`;
    broken.push(warning('secrets', says, 'easy to guess, and not blacked out of data; ask for a longer one'));
  }
  return broken.length > 0 ? broken : [ok('secrets', `${found.length} can be read`)];
}

/** What waits in the inbox and this account cannot take. */
export function inboxChecks({ paths }: Pick<Instance, 'paths'>): DoctorCheck[] {
  const own = process.geteuid?.();
  const unreadable: string[] = [];
  const foreign: string[] = [];
  let count = 0;
  const folder = statSync(paths.inbox);
  // In such a folder only the owner of a file may rename it.
  const sticky = (folder.mode & 0o1000) !== 0 && folder.uid !== own;
  for (const name of namesIn(paths.inbox)) {
    if (name.startsWith('.')) continue;
    const path = join(paths.inbox, name);
    const seen = lstatSync(path, { throwIfNoEntry: false });
    if (!seen?.isFile()) continue;
    count++;
    if (!canRead(path)) unreadable.push(name);
    else if (sticky && seen.uid !== own) foreign.push(name);
  }
  const named = (names: readonly string[]) =>
    escapeControls(`${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`);
  if (unreadable.length > 0) {
    const hint = 'give the account that runs Nightpost the right to read them; often the umask of the sending system';
    return [failed('inbox', `${unreadable.length} of ${count} files cannot be read: ${named(unreadable)}`, hint)];
  }
  if (foreign.length > 0) {
    const says = `${foreign.length} of ${count} files belong to others, and inbox/ has the sticky bit: ${named(foreign)}`;
    return [failed('inbox', says, 'chmod -t inbox, so that files can be taken')];
  }
  return [ok('inbox', count === 0 ? 'empty' : `${count} files, all readable`)];
}

function canRead(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)));
    return true;
  } catch {
    return false;
  }
}

/** What a stop left; the next run clears it. Not looked at while a run works. */
export function leftoverChecks({ paths }: Pick<Instance, 'paths'>): DoctorCheck[] {
  const claimed = filesBelow(paths.processing).length;
  const temporary = [paths.outbox, paths.pending, paths.error, paths.archive]
    .flatMap(filesBelow)
    .filter((path) => path.endsWith(TEMPORARY)).length;
  if (claimed + temporary === 0) return [ok('left-overs', 'none')];
  const says = `${claimed} files in processing/, ${temporary} unfinished receipts`;
  return [warning('left-overs', says, 'a run was cut off; the next one takes them up again')];
}

/** `nightpost backup` names its copies after the moment they were made. */
const BACKUP = /^ledger-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sqlite$/;
const OLD_BACKUP_MS = 48 * 60 * 60 * 1000;

/** `lastAt` is when the ledger was last written: what nothing was added to since needs no newer copy. */
export function backupChecks(
  { folder }: Pick<Instance, 'folder'>,
  lastAt: string | undefined,
  now: Date,
): DoctorCheck[] {
  const newest = namesIn(join(folder, 'backups'))
    .flatMap((name) => {
      const [, year, month, day, ...time] = BACKUP.exec(name) ?? [];
      return year === undefined ? [] : [Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`)];
    })
    .sort((a, b) => b - a)[0];
  if (lastAt === undefined) return [ok('backup', 'nothing to lose yet')];
  const hint = 'nightpost backup, after each run; where another program copies state/, this is no news';
  if (newest === undefined) return [warning('backup', 'none in backups/', hint)];
  const hours = Math.floor((now.getTime() - newest) / 3_600_000);
  const says = `the latest is ${hours} hours old`;
  const behind = now.getTime() - newest > OLD_BACKUP_MS && Date.parse(lastAt) > newest;
  return [behind ? warning('backup', `${says}, and the ledger has gone on since`, hint) : ok('backup', says)];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.nightpost-doctor-'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new OperatorError('config/folder-unusable', `the folder ${folder} cannot be read`, { cause: error });
  }
}
