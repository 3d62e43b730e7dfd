/**
 * Checks the folders of an instance: their disk, who may read and write them, what a stop left in them. Input: paths
 * and settings. Output: checks; a folder that cannot be listed throws OperatorError `config/folder-unusable`.
 */
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
import { basename, join } from 'node:path';
import { errnoName } from '../files/errno-name.ts';
import { fleetingKind, networkKind } from '../files/network-kind.ts';
import { type Message, verbatimText } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_FOLDER } from '../i18n/messages/doctor-messages.ts';
import { WRITERS_FAULT } from '../i18n/messages/settings-messages.ts';
import { offBy, openParts, shownParts } from '../instance/foreign-writers.ts';
import type { Instance } from '../instance/instance.ts';
import { OperatorError } from '../model/fault.ts';
import { leftoverTempFiles } from '../receipts/remove-temporary-files.ts';
import { escapeControls } from '../text/printable.ts';
import { latestCopy } from '../views/queries/latest-copy.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

const MIB = 1024 ** 2;
/** Free space: less than `low` is a warning, less than `scant` an error. */
const BYTES = { low: 500 * MIB, scant: 50 * MIB };
const INODES = { low: 10_000, scant: 1_000 };
/** A disk that takes longer to flush makes a night long: each document is flushed several times. */
const SLOW_FLUSH_MS = 100;
const POSIX = process.platform !== 'win32';

type FileSystem = Pick<ReturnType<typeof statfsSync>, 'type' | 'bavail' | 'bsize' | 'files' | 'ffree'>;

/**
 * File systems of state/ and inbox/, free bytes and inodes. A network file system under the ledger is an error, because
 * SQLite needs locks that work; one that a restart empties is a warning, because the exports would be sent once more. `statfs` has a default; tests pass file systems that no test machine has.
 */
export function diskChecks(
  { paths, settings }: Pick<Instance, 'paths' | 'settings'>,
  statfs: (path: string) => FileSystem = (path) => statfsSync(path),
): DoctorCheck[] {
  const state = statfs(paths.state);
  const onServer = settings.ledger?.postgres !== undefined;
  return [
    ...(onServer ? [] : [fileSystemCheck(state)]),
    inboxVolumeCheck(paths, settings, statfs(paths.inbox)),
    ...roomChecks(state),
  ];
}

function fileSystemCheck(state: FileSystem): DoctorCheck {
  const kind = networkKindOf(state);
  if (kind !== undefined)
    return failed(DOCTOR_CHECK.fileSystem(), DOCTOR_FOLDER.network({ kind }), DOCTOR_FOLDER.toLocal());
  const fleeting = process.platform === 'linux' ? fleetingKind(Number(state.type)) : undefined;
  if (fleeting === undefined) return ok(DOCTOR_CHECK.fileSystem(), DOCTOR_FOLDER.local());
  return warning(DOCTOR_CHECK.fileSystem(), DOCTOR_FOLDER.fleeting({ kind: fleeting }), DOCTOR_FOLDER.toVolume());
}

/** An inbox on a network share needs the setting `inbox.polling`: such shares send no file system events. */
function inboxVolumeCheck(
  paths: Instance['paths'],
  settings: Pick<Instance['settings'], 'inbox'>,
  inbox: FileSystem,
): DoctorCheck {
  const what = DOCTOR_CHECK.inboxVolume();
  const kind = networkKindOf(inbox);
  if (kind !== undefined && !settings.inbox.polling) {
    return warning(what, DOCTOR_FOLDER.inboxNetwork({ kind }), DOCTOR_FOLDER.setPolling());
  }
  const isSame = statSync(paths.inbox).dev === statSync(paths.processing).dev;
  return ok(what, isSame ? DOCTOR_FOLDER.sameVolume() : DOCTOR_FOLDER.otherVolume());
}

function networkKindOf({ type }: FileSystem): string | undefined {
  return process.platform === 'linux' ? networkKind(Number(type)) : undefined;
}

/** Free space for this user, in MiB, and free inodes. */
function roomChecks({ bavail, bsize, files, ffree }: FileSystem): DoctorCheck[] {
  const free = Number(bavail) * Number(bsize);
  const disk = { what: DOCTOR_CHECK.disk(), says: DOCTOR_FOLDER.free({ size: Math.floor(free / MIB) }) };
  const bytes = checkLeft(free, BYTES, { ...disk, hint: DOCTOR_FOLDER.makeRoom() });
  // Some file systems do not count inodes.
  if (Number(files) === 0) return [bytes];
  const left = Number(ffree);
  const inodes = { what: DOCTOR_CHECK.inodes(), says: DOCTOR_FOLDER.filesLeft({ count: left }) };
  return [bytes, checkLeft(left, INODES, { ...inodes, hint: DOCTOR_FOLDER.moreInodes() })];
}

function checkLeft(
  left: number,
  { low, scant }: typeof BYTES,
  { what, says, hint }: { readonly what: Message; readonly says: Message; readonly hint: Message },
): DoctorCheck {
  if (left < scant) return failed(what, says, hint);
  if (left < low) return warning(what, says, hint);
  return ok(what, says);
}

/** Makes, flushes and removes a hidden file in each folder; the slowest folder counts (milliseconds). */
export function checkWritableFolders({ paths }: Pick<Instance, 'paths'>): DoctorCheck[] {
  const refused: string[] = [];
  let slowest = 0;
  for (const [name, path] of Object.entries(paths)) {
    // Hidden, so that no run claims it from the inbox.
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
      refused.push(`${name}/ (${errnoName(error)})`);
    }
  }
  if (refused.length > 0) {
    return [failed(DOCTOR_CHECK.writing(), DOCTOR_FOLDER.cannotWrite({ folders: refused }), DOCTOR_FOLDER.giveWrite())];
  }
  const says = DOCTOR_FOLDER.flushed({ ms: Math.ceil(slowest) });
  if (slowest <= SLOW_FLUSH_MS) return [ok(DOCTOR_CHECK.writing(), says)];
  return [warning(DOCTOR_CHECK.writing(), says, DOCTOR_FOLDER.ownDisk())];
}

/**
 * Folders that other users can read are a warning, because receipts contain names and amounts. Settings, mappings, secrets or
 * state that others can write are an error, because they decide what is sent. Windows uses access lists instead.
 */
export function permissionChecks({
  paths,
  folder,
  config,
}: Pick<Instance, 'paths' | 'folder' | 'config'>): DoctorCheck[] {
  const what = DOCTOR_CHECK.permissions();
  if (!POSIX) return [ok(what, DOCTOR_FOLDER.leftToSystem())];
  const modeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  const named = Object.entries(paths).map(([name, path]) => ({ name: `${name}/`, mode: modeOf(path) }));
  const open = named.filter(({ name, mode }) => name !== 'inbox/' && (mode & 0o007) !== 0).map(({ name }) => name);
  const writable = openParts(folder, config);
  const checks: DoctorCheck[] = [];
  if (open.length === 0) checks.push(ok(what, DOCTOR_FOLDER.private()));
  else checks.push(warning(what, DOCTOR_FOLDER.openToAll({ names: open }), verbatimText('chmod o-rwx')));
  if (writable.length > 0) {
    checks.push(failed(what, WRITERS_FAULT.open({ parts: shownParts(writable) }), WRITERS_FAULT.close({ folder })));
  } else if (offBy(config) === 'file') {
    checks.push(warning(what, DOCTOR_FOLDER.strictOff(), DOCTOR_FOLDER.strictOffHint()));
  }
  const isDroppable = (modeOf(paths.inbox) & 0o002) !== 0;
  if (isDroppable) checks.push(warning(what, DOCTOR_FOLDER.droppable(), DOCTOR_FOLDER.droppableHint()));
  return checks;
}

/** Reads every secret that the settings refer to; the checks name references, never values. */
export async function secretChecks({
  secrets,
  settings,
}: Pick<Instance, 'secrets' | 'settings'>): Promise<DoctorCheck[]> {
  const what = DOCTOR_CHECK.secrets();
  const found = await secrets.inspect([settings.services, settings.serve, settings.ledger]);
  const problems = found.flatMap(({ problem }) => problem ?? []);
  const checks = problems.map(({ code, texts: { message: text, hint = DOCTOR_FOLDER.checkSecret() } }) =>
    failed(what, DOCTOR_FOLDER.problem({ code, text }), hint),
  );
  for (const { mark, says, hint } of SECRET_WARNINGS) {
    const names = found.filter((secret) => secret[mark]).map(({ name }) => name);
    if (names.length > 0) checks.push(warning(what, says({ names }), hint));
  }
  return checks.length > 0 ? checks : [ok(what, DOCTOR_FOLDER.secretsRead({ count: found.length }))];
}

const SECRET_WARNINGS = [
  { mark: 'forGroup', says: DOCTOR_FOLDER.forGroup, hint: verbatimText('chmod 600') },
  { mark: 'foreign', says: DOCTOR_FOLDER.foreign, hint: DOCTOR_FOLDER.foreignHint() },
  { mark: 'short', says: DOCTOR_FOLDER.short, hint: DOCTOR_FOLDER.shortHint() },
] as const;

/**
 * Files in the inbox that this account cannot read or, in a sticky folder, cannot rename. Shows three names at most.
 */
export function inboxChecks({ paths }: Pick<Instance, 'paths'>): DoctorCheck[] {
  const own = process.geteuid?.();
  const unreadable: string[] = [];
  const foreign: string[] = [];
  let count = 0;
  const folder = statSync(paths.inbox);
  // In a sticky folder only the owner of a file or of the folder may rename it.
  const sticky = (folder.mode & 0o1000) !== 0 && folder.uid !== own;
  for (const name of listNames(paths.inbox)) {
    if (name.startsWith('.')) continue;
    const path = join(paths.inbox, name);
    const seen = lstatSync(path, { throwIfNoEntry: false });
    if (!seen?.isFile()) continue;
    count++;
    if (!canRead(path)) unreadable.push(name);
    else if (sticky && seen.uid !== own) foreign.push(name);
  }
  const named = (all: readonly string[]) => {
    const names = escapeControls(all.slice(0, 3).join(', '));
    return all.length > 3 ? DOCTOR_FOLDER.namedMore({ names, count: all.length - 3 }) : names;
  };
  if (unreadable.length > 0) {
    const says = DOCTOR_FOLDER.unreadable({ unreadable: unreadable.length, count, names: named(unreadable) });
    return [failed(DOCTOR_CHECK.inbox(), says, DOCTOR_FOLDER.giveRead())];
  }
  if (foreign.length > 0) {
    const says = DOCTOR_FOLDER.sticky({ foreign: foreign.length, count, names: named(foreign) });
    return [failed(DOCTOR_CHECK.inbox(), says, DOCTOR_FOLDER.stickyHint())];
  }
  return [ok(DOCTOR_CHECK.inbox(), count === 0 ? DOCTOR_FOLDER.empty() : DOCTOR_FOLDER.readable({ count }))];
}

/** Opens the file as a claim would: it never waits for a pipe and never follows a link. */
function canRead(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)));
    return true;
  } catch {
    return false;
  }
}

/**
 * Files that a stop left, which the next run clears. Call it only if no run works: a run has such files all the time.
 */
export async function leftoverChecks({ folder, paths }: Pick<Instance, 'folder' | 'paths'>): Promise<DoctorCheck[]> {
  const claimed = listFilesBelow(paths.processing).length;
  let temporary = 0;
  for await (const one of leftoverTempFiles(folder)) if (isLeft(one)) temporary++;
  if (claimed + temporary === 0) return [ok(DOCTOR_CHECK.leftOvers(), DOCTOR_FOLDER.none())];
  const says = DOCTOR_FOLDER.leftOver({ files: claimed, receipts: temporary });
  return [warning(DOCTOR_CHECK.leftOvers(), says, DOCTOR_FOLDER.leftOverHint())];
}

/** Not what a command that works next to a run may be writing. */
function isLeft({ path, marginMs }: { readonly path: string; readonly marginMs: number }): boolean {
  if (isOfDoctor(basename(path))) return false;
  const changed = marginMs > 0 ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return marginMs === 0 || (changed !== undefined && changed.mtimeMs < Date.now() - marginMs);
}

function isOfDoctor(name: string): boolean {
  return name.startsWith('.nightpost-doctor-');
}

const OLD_BACKUP_MS = 48 * 60 * 60 * 1000;

/**
 * `lastAt`: when the ledger was last written (ISO 8601). A copy older than 48 hours is a warning only if the ledger has
 * changed since.
 */
export function backupChecks(
  { folder, settings }: Pick<Instance, 'folder' | 'settings'>,
  lastAt: string | undefined,
  now: Date,
): DoctorCheck[] {
  const newest = newestBackup(folder, now)?.getTime();
  const what = DOCTOR_CHECK.backup();
  if (lastAt === undefined) return [ok(what, DOCTOR_FOLDER.nothingToLose())];
  const hint = settings.ledger.postgres ? DOCTOR_FOLDER.backupOfServer() : DOCTOR_FOLDER.backupHint();
  if (newest === undefined) return [warning(what, DOCTOR_FOLDER.noBackup(), hint)];
  const hours = Math.floor((now.getTime() - newest) / 3_600_000);
  const behind = now.getTime() - newest > OLD_BACKUP_MS && Date.parse(lastAt) > newest;
  if (behind) return [warning(what, DOCTOR_FOLDER.backupBehind({ hours }), hint)];
  return [ok(what, DOCTOR_FOLDER.backupAge({ hours }))];
}

/** When the newest copy of `nightpost backup` was made; throws `config/folder-unusable`. */
export function newestBackup(folder: string, now = new Date()): Date | undefined {
  return latestCopy(listNames(join(folder, 'backups')), now);
}

function listFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isOfDoctor(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Empty for a missing folder; throws `config/folder-unusable` for one that cannot be listed. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new OperatorError('config/folder-unusable', DOCTOR_FOLDER.noAccess({ folder }), { cause: error });
  }
}
