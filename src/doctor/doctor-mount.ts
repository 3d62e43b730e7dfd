/**
 * Checks the shares that an instance works on (Linux): how they are mounted, whether exports settle long enough there, and the clock
 * of their server. Input: paths, settings, /proc/self/mountinfo. Output: checks, none for local disks. Nothing here throws.
 */
import { closeSync, fstatSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPORARY } from '../files/write-durable.ts';
import { verbatimText } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_MOUNT } from '../i18n/messages/doctor-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { dictionary } from '../text/dictionary.ts';
import { appendAll } from '../text/long-lists.ts';
import { compareClocks } from './doctor-machine.ts';
import { type DoctorCheck, ok, warning } from './run-doctor.ts';

type Mount = { readonly at: string; readonly kind: 'NFS' | 'SMB'; readonly options: ReadonlyMap<string, string> };

/** The kernel of a machine that writes over NFS keeps bytes for 30 seconds, and looks for such bytes every five. */
const LATE_S = 35;

/** `mountinfo`: the text of /proc/self/mountinfo; "" where the system has none. */
export function mountChecks(
  { paths, settings }: Pick<Instance, 'paths' | 'settings'>,
  mountinfo = readMountinfo(),
): DoctorCheck[] {
  const inbox = mountOf(realPath(paths.inbox), mountinfo);
  const work = mountOf(realPath(paths.processing), mountinfo);
  const isShared = settings.ledger?.postgres !== undefined;
  const shares = [...new Map([work, inbox].flatMap((one) => (one ? [[one.at, one]] : []))).values()];
  const checks = shares.flatMap((mount) => mountCheck(mount, isShared && mount.at === work?.at));
  const { settle, marker } = settings.inbox;
  if (inbox && marker === undefined && settle <= LATE_S * 1000) {
    const says = DOCTOR_MOUNT.settle({ seconds: Math.round(settle / 1000), late: LATE_S });
    checks.push(warning(DOCTOR_CHECK.inboxVolume(), says, DOCTOR_MOUNT.settleHint()));
  }
  if (inbox) appendAll(checks, shareClockChecks(paths.inbox, inbox.kind));
  return checks;
}

/** `severalWork`: several machines may work on it. */
function mountCheck({ at, kind, options }: Mount, severalWork: boolean): DoctorCheck[] {
  const what = DOCTOR_CHECK.mount({ path: at });
  const version = options.get('vers') ?? '';
  const checks: DoctorCheck[] = [];
  const soft = ['soft', 'softerr'].find((option) => options.has(option));
  if (soft !== undefined) checks.push(warning(what, DOCTOR_MOUNT.soft({ option: soft }), DOCTOR_MOUNT.softHint()));
  if (kind === 'NFS' && Number(version) < 4.1) {
    checks.push(warning(what, DOCTOR_MOUNT.oldVersion({ version }), DOCTOR_MOUNT.newVersion()));
  }
  if (kind === 'SMB' && severalWork) checks.push(warning(what, DOCTOR_MOUNT.smb(), DOCTOR_MOUNT.useNfs()));
  return checks.length > 0 ? checks : [ok(what, verbatimText(`${kind} ${version}`.trim()))];
}

/** The file that shows the time of the server is hidden, so that no run claims it. */
function shareClockChecks(folder: string, kind: string): DoctorCheck[] {
  const probe = join(folder, `.nightpost-doctor-${process.pid}${TEMPORARY}`);
  try {
    const file = openSync(probe, 'wx', 0o600);
    const theirs = fstatSync(file).mtime;
    closeSync(file);
    return compareClocks(kind, theirs.toISOString(), new Date(), DOCTOR_MOUNT.setClock());
  } catch {
    // The check of writing names the folder.
    return [];
  } finally {
    rmSync(probe, { force: true });
  }
}

const KINDS = dictionary<Mount['kind']>({ nfs: 'NFS', nfs4: 'NFS', cifs: 'SMB', smb3: 'SMB' });

/** The share that a path is on; undefined on a disk of this machine. */
function mountOf(path: string, mountinfo: string): Mount | undefined {
  let found: { at: string; type: string; options: string } | undefined;
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const at = (before.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, octal) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const [type = '', , options = ''] = after.split(' ');
    const isAbove = at !== '' && (at === '/' || `${path}/`.startsWith(`${at}/`));
    // Of two at one place the later one hides the earlier one.
    if (isAbove && at.length >= (found?.at.length ?? 0)) found = { at, type, options };
  }
  const kind = KINDS.get(found?.type ?? '');
  if (!found || !kind) return undefined;
  const options = found.options.split(',').map((option): [string, string] => {
    const [name = '', value = ''] = option.split('=', 2);
    return [name, value];
  });
  return { at: found.at, kind, options: new Map(options) };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readMountinfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}
