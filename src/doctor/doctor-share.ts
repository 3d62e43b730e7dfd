/**
 * Checks the folders that a group shares (setting `share`): group, membership, modes; and, if it runs as root, tries
 * them in a process of another account of the group. Settings and paths come in, checks come out. Nothing is changed.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { guardFolder, inTheWay } from '../files/guarded-place.ts';
import { type Message, verbatimText } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_FOLDER } from '../i18n/messages/doctor-messages.ts';
import { WRITE_FAULT } from '../i18n/messages/files-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { groupId, isOpenTo, sharedPaths } from '../instance/share-folders.ts';
import { OperatorError } from '../model/fault.ts';
import { DECISION_FOLDERS } from '../receipts/decision-folders.ts';
import { DAY_FOLDER, foldersOfDay, listNames, OUTPUT_FOLDERS } from '../receipts/output-folders.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

type Shared = Pick<Instance, 'paths' | 'folder' | 'settings'>;

/** No check without the setting. */
export function shareChecks(instance: Shared): DoctorCheck[] {
  const { share } = instance.settings;
  if (!share) return [];
  const what = DOCTOR_CHECK.share();
  if (process.platform === 'win32') return [warning(what, DOCTOR_FOLDER.noGroups(), DOCTOR_FOLDER.useAccessLists())];
  const gid = groupId(share.group);
  if (gid === undefined)
    return [failed(what, DOCTOR_FOLDER.noGroup({ group: share.group }), DOCTOR_FOLDER.makeGroup())];
  const isRoot = process.geteuid?.() === 0;
  if (!isRoot && ![process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid)) {
    const hint = verbatimText(`usermod -aG ${share.group} "$(id -un)"`);
    return [failed(what, DOCTOR_FOLDER.noMember({ group: share.group }), hint)];
  }
  const closed = sharedPaths(instance.paths).filter((path) => !isOpenTo(path, gid));
  const names = closed.map((path) => `${relative(instance.folder, path)}/`);
  if (closed.length > 0) return [warning(what, DOCTOR_FOLDER.notShared({ names }), DOCTOR_FOLDER.nextRunShares())];
  const found = isRoot ? tryAsMember(instance, gid) : [];
  if (found.length > 0) return found;
  const says = isRoot ? DOCTOR_FOLDER.tried({ group: share.group }) : DOCTOR_FOLDER.shared({ group: share.group });
  return [ok(what, says)];
}

/** Shows three places at most: the next ones show once these are moved away. */
const SHOWN = 3;

/**
 * What has the name of a folder of receipts or reports, and is none of ours: a link, a folder of another account, a file. A run that
 * writes there ends. No check where there is nothing of the kind.
 */
export function inTheWayChecks({ paths, folder }: Pick<Instance, 'paths' | 'folder'>): readonly DoctorCheck[] {
  const daysIn = (name: string) => listNames(join(folder, name)).filter((one) => DAY_FOLDER.test(one));
  const places = [
    ...DECISION_FOLDERS.map((name) => join(paths.pending, name)),
    ...OUTPUT_FOLDERS.flatMap((top) =>
      daysIn(top).flatMap((day) => foldersOfDay(top, day).map((place) => join(folder, top, place))),
    ),
    ...daysIn('reports').map((day) => join(paths.reports, day)),
  ];
  const found = new Set<string>();
  const checks: DoctorCheck[] = [];
  for (const place of places) {
    const { message, hint = verbatimText('') } = whyBlocked(place)?.texts ?? {};
    const key = JSON.stringify(message);
    if (message === undefined || found.has(key) || checks.length >= SHOWN) continue;
    found.add(key);
    checks.push(failed(DOCTOR_CHECK.writing(), message, hint));
  }
  return checks;
}

/** The reason for which a run could not write into the folder; undefined also where it is missing. */
function whyBlocked(path: string): OperatorError | undefined {
  try {
    guardFolder(path)[Symbol.dispose]();
    const there = statSync(path, { throwIfNoEntry: false });
    return there === undefined || there.isDirectory() ? undefined : inTheWay(path, WRITE_FAULT.fileThere());
  } catch (error) {
    if (error instanceof OperatorError) return error;
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? inTheWay(path, WRITE_FAULT.fileThere()) : undefined;
  }
}

/** An account without any other right, as a member of the group. */
const NOBODY = 65_534;

/** Prints which folders it can list, and in which it can make a file. */
const TRIAL = `
  const { readdirSync, rmSync, writeFileSync } = require('node:fs');
  const can = (act) => { try { act(); return true; } catch { return false; } };
  const own = '/.nightpost-doctor-' + process.pid;
  process.stdout.write(JSON.stringify(process.argv.slice(1).map((path) => ({
    lists: can(() => readdirSync(path)),
    writes: can(() => { writeFileSync(path + own, '', { flag: 'wx' }); rmSync(path + own); }),
  }))));
`;

type Trial = { readonly lists: boolean; readonly writes: boolean };

function tryAsMember({ paths, folder }: Shared, gid: number): DoctorCheck[] {
  const open = sharedPaths(paths);
  const closed = [paths.state, paths.archive, paths.processing].filter((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  const options = { uid: NOBODY, gid, encoding: 'utf8', cwd: '/' } as const;
  const { stdout, status } = spawnSync(process.execPath, ['-e', TRIAL, ...open, ...closed], options);
  // Another account may not be able to start this program: then only the modes were checked.
  if (status !== 0) return [];
  const trials = JSON.parse(stdout) as Trial[];
  const named = (places: readonly string[]) => places.map((path) => `${relative(folder, path)}/`);
  const unreachable = open.filter((_, at) => !(trials[at]?.lists && trials[at]?.writes));
  const exposed = closed.filter((_, at) => trials[open.length + at]?.lists);
  const checks: DoctorCheck[] = [];
  const add = (says: Message, hint: string) => checks.push(failed(DOCTOR_CHECK.share(), says, verbatimText(hint)));
  if (unreachable.length > 0) add(DOCTOR_FOLDER.memberCannot({ names: named(unreachable) }), `chmod g+x ${folder}`);
  if (exposed.length > 0) add(DOCTOR_FOLDER.memberCan({ names: named(exposed) }), `chmod g-rwx ${exposed.join(' ')}`);
  return checks;
}
