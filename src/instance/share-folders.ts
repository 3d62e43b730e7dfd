/**
 * Opens the folders of finance to a group (setting `share`): inbox, error, pending and reports. Ledger, secrets,
 * mappings, archive, outbox and payloads stay private. Settings come in; modes and groups of folders and files change.
 * Throws OperatorError `config/no-such-group` or `config/cannot-share`. Windows uses access lists instead.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { guardFolder } from '../files/guarded-place.ts';
import { OPEN_SAFELY } from '../files/read-bounded.ts';
import { SHARED_FOLDER, sharedFileMode } from '../files/shared-folder.ts';
import { SHARE_FAULT } from '../i18n/messages/settings-messages.ts';
import { isInboxAway } from '../inbox/inbox-away.ts';
import { OperatorError } from '../model/fault.ts';
import type { Instance } from './instance.ts';

type Sharing = Pick<Instance, 'folder' | 'paths'> & { readonly settings: Pick<Instance['settings'], 'share'> };

/** Members of the group may pass through the instance folder, and not list it. */
const PASS_THROUGH = 0o710;

/** The folders that are shared, by their paths. */
export function sharedPaths({ inbox, error, pending, reports }: Instance['paths']): readonly string[] {
  return [inbox, error, pending, reports];
}

/** Does nothing without the setting. Folders that have group and mode already are not gone through again. */
export function shareFolders({ folder, paths, settings }: Sharing): void {
  if (!settings.share || process.platform === 'win32') return;
  const { group } = settings.share;
  const gid = groupId(group);
  if (gid === undefined) {
    throw new OperatorError('config/no-such-group', SHARE_FAULT.noGroup({ group }), { hint: SHARE_FAULT.makeGroup() });
  }
  try {
    openTo(folder, gid, PASS_THROUGH);
    // An inbox that is away is opened once it is there.
    const there = sharedPaths(paths).filter((path) => path !== paths.inbox || !isInboxAway(path));
    for (const path of there) if (!isOpenTo(path, gid)) openTree(path, gid);
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    const { code = '', path = folder } = cause as NodeJS.ErrnoException;
    throw new OperatorError('config/cannot-share', SHARE_FAULT.cannotShare({ path, group, code }), {
      cause,
      hint: SHARE_FAULT.becomeMember({ group, folder }),
    });
  }
}

/** Whether the folder has the group and the mode of a shared one. */
export function isOpenTo(path: string, gid: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.gid === gid && (found.mode & SHARED_FOLDER) === SHARED_FOLDER;
}

/** The number of a group; undefined if this machine does not know it. */
export function groupId(group: string): number | undefined {
  const line = groupLine(group);
  const number = Number(line?.split(':')[2]);
  return line === undefined || !Number.isInteger(number) ? undefined : number;
}

/** `name:x:gid:members`; `getent` also knows the groups of a directory service. */
function groupLine(group: string): string | undefined {
  const isIt = (line: string) => line.startsWith(`${group}:`);
  try {
    const found = readFileSync('/etc/group', 'utf8').split('\n').find(isIt);
    return found ?? execFileSync('getent', ['group', '--', group], { encoding: 'utf8' }).split('\n').find(isIt);
  } catch {
    return undefined;
  }
}

/** The folder last: a run that is stopped in between goes through it again. */
function openTree(folder: string, gid: number): void {
  using place = guardFolder(folder);
  const entries = readdirSync(place.path, { withFileTypes: true });
  for (const entry of entries) {
    if (entry.isDirectory() && isOurs(lstatSync(join(place.path, entry.name)))) openTree(join(folder, entry.name), gid);
    else if (entry.isFile()) change(join(place.path, entry.name), (file, { uid }) => fchownSync(file, uid, gid));
  }
  openTo(place.path, gid, SHARED_FOLDER);
  for (const entry of entries) {
    const mode = entry.isFile() ? sharedFileMode(join(place.path, entry.name)) : undefined;
    if (mode !== undefined) change(join(place.path, entry.name), (file) => fchmodSync(file, mode));
  }
}

/** Of the file that is open: a member may put a link in its place meanwhile. Files of others are left alone. */
function change(path: string, act: (file: number, stats: Stats) => void): void {
  const file = openIfPlain(path);
  if (file === undefined) return;
  try {
    const stats = fstatSync(file);
    if (stats.isFile() && stats.nlink === 1 && isOurs(stats)) act(file, stats);
  } finally {
    closeSync(file);
  }
}

/** Undefined for what is gone, was replaced, or belongs to an account that keeps it unreadable. */
function openIfPlain(path: string): number | undefined {
  try {
    return openSync(path, OPEN_SAFELY);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ELOOP', 'EMLINK', 'ENXIO', 'EACCES'].includes(code)) return undefined;
    throw error;
  }
}

/** Only the owner of a file may change its mode. */
function isOurs({ uid }: Stats): boolean {
  return process.geteuid?.() === 0 || uid === process.geteuid?.();
}

/** Changes group and mode only where they differ, so that an instance of another account with both right works. */
function openTo(path: string, gid: number, mode: number): void {
  const found = statSync(path);
  if (found.gid !== gid) chownSync(path, found.uid, gid);
  if ((found.mode & mode) !== mode) chmodSync(path, (found.mode & 0o7770) | mode);
}
