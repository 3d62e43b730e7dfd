/**
 * Who else may change what decides: the instance folder, nightpost.yaml, mappings, secrets wherever they are, and state. Another account that may write
 * there decides what is sent, and runs commands as the account of the program (`command:` of a secret), so nothing starts then, as sshd
 * does with its StrictModes. Accounts and groups of this machine come in, what is open to them comes out.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Message } from '../i18n/message.ts';
import { WRITERS_FAULT } from '../i18n/messages/settings-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { escapeControls } from '../text/printable.ts';
import { shellWord } from '../text/shell-word.ts';
import { listSecretSettings } from './secret-settings.ts';
import type { Config } from './settings.ts';

/** `path` is below the instance folder, '.' for the folder itself; absolute where a setting names a place elsewhere. */
export type OpenPart = { readonly path: string; readonly who: Message };

type Given = Pick<Config, 'settings' | 'effective'>;

const NAME = 'permissions.strict';
const SETTINGS = 'nightpost.yaml';
const [OF_GROUP, OF_ALL] = [0o020, 0o002];
/** In such a folder an account removes and renames its own files alone. */
const STICKY = 0o1000;
/** File systems whose modes say nothing about who may write: FUSE, 9P, SMB, VirtualBox, FAT, exFAT, NTFS. */
const WITHOUT_MODES: ReadonlySet<number> = new Set([
  0x65735546, 0x01021997, 0x517b, 0xff534d42, 0xfe534d42, 0x786f4256, 0x4d44, 0x2011bab0, 0x5346544e,
]);

/** Throws OperatorError `config/open-to-others`; nothing was read in or sent by then. */
export function refuseForeignWriters(folder: string, config: Given): void {
  const open = openParts(folder, config);
  if (open.length === 0) return;
  throw new OperatorError('config/open-to-others', WRITERS_FAULT.open({ parts: shownParts(open) }), {
    hint: WRITERS_FAULT.close({ folder: resolve(folder) }),
  });
}

/**
 * Throws OperatorError `config/other-account` where root would write into an instance of another account, which could not change
 * what root makes there: its next night would end at the first such folder. Looking is allowed.
 */
export function refuseRootElsewhere({ folder, config }: { readonly folder: string; readonly config: Given }): void {
  if (process.geteuid?.() !== 0 || offBy(config) === 'variable' || !modesCount(folder)) return;
  const uid = statSync(join(folder, 'state'), { throwIfNoEntry: false })?.uid ?? 0;
  if (uid === 0) return;
  const name = accountLine(uid)?.[0];
  throw new OperatorError('config/other-account', WRITERS_FAULT.otherAccount({ name: name ?? String(uid) }), {
    hint: WRITERS_FAULT.beAccount({ user: shellWord(name ?? `#${uid}`) }),
  });
}

/** As a list of a message; three at most. */
export function shownParts(open: readonly OpenPart[]): readonly Message[] {
  return open.slice(0, 3).map(({ path, who }) => WRITERS_FAULT.part({ path: escapeControls(path), who }));
}

/** Who switched the look off; the file can only do so for the rest, not for itself and its folder. */
export function offBy({ settings, effective }: Given): 'file' | 'variable' | undefined {
  if (settings.permissions.strict) return undefined;
  const source = effective.find(({ path }) => path === NAME)?.source;
  return source === 'variable' || source === 'flag' ? 'variable' : 'file';
}

export function openParts(folder: string, config: Given): readonly OpenPart[] {
  const root = resolve(folder);
  const off = offBy(config);
  if (!modesCount(root) || off === 'variable') return [];
  const accounts = trustedAccounts(root);
  const first = ['.', SETTINGS];
  const more =
    off === undefined ? ['mappings', 'secrets', 'state'].flatMap((name) => [name, ...namesBelow(root, name)]) : [];
  const own = new Set([...first, ...more]);
  const others = off === undefined ? new Set(secretPlaces(root, config.settings).filter((path) => !own.has(path))) : [];
  const looked = [...own, ...others].map((path) => {
    const stats = statAt(resolve(root, path));
    const isExcused = !own.has(path) && (!modesCount(dirname(resolve(root, path))) || isSticky(stats));
    return { path, who: stats && !isExcused ? strangerOf(stats, accounts) : undefined };
  });
  return looked.flatMap(({ path, who }) => (who ? [{ path, who }] : []));
}

function isSticky(stats: Stats | undefined): boolean {
  return stats?.isDirectory() === true && (stats.mode & STICKY) !== 0;
}

/** The files and programs that give the secrets of the settings, each with its folder, a link with those of its target. */
function secretPlaces(root: string, settings: Config['settings']): readonly string[] {
  const named = listSecretSettings(settings, '').flatMap(({ reference }) => {
    if ('file' in reference) return [reference.file];
    return 'command' in reference ? reference.command.slice(0, 1).filter(isAbsolute) : [];
  });
  return named.flatMap((path) => {
    const real = realPathOf(resolve(root, path));
    const ends = real === undefined || real === resolve(root, path) ? [path] : [path, real];
    return ends.flatMap((end) => [dirname(end), end]);
  });
}

/** Undefined for a path that does not exist. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** What this account may not look at, it cannot read either. */
function statAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (!isAbsolute(path)) throw error;
    return undefined;
  }
}

function modesCount(root: string): boolean {
  if (process.platform !== 'linux') return process.platform !== 'win32';
  try {
    return !WITHOUT_MODES.has(Number(statfsSync(root).type) >>> 0);
  } catch {
    return false;
  }
}

/**
 * Root, the account that runs the program, and that of the instance, so that root or a person who looks may use it: the owner of both
 * folder and state/, or of state/ in a folder of root.
 */
function trustedAccounts(root: string): ReadonlySet<number> {
  const own = process.geteuid?.() ?? 0;
  const [owner, ofState] = [root, join(root, 'state')].map((path) => statSync(path, { throwIfNoEntry: false })?.uid);
  const trusted = new Set([0, own]);
  if (owner !== undefined && (own === 0 || owner === ofState)) trusted.add(owner);
  if (ofState !== undefined && (own === 0 || owner === 0)) trusted.add(ofState);
  return trusted;
}

function namesBelow(root: string, name: string): readonly string[] {
  try {
    const found = readdirSync(join(root, name), { recursive: name === 'mappings', encoding: 'utf8' });
    return found.map((one) => `${name}/${one}`);
  } catch {
    return [];
  }
}

function strangerOf({ uid, gid, mode }: Stats, accounts: ReadonlySet<number>): Message | undefined {
  if (!accounts.has(uid)) return WRITERS_FAULT.owner({ name: accountLine(uid)?.[0] ?? String(uid) });
  if ((mode & OF_ALL) !== 0) return WRITERS_FAULT.everyone();
  const group = (mode & OF_GROUP) === 0 ? undefined : groupOf(gid, accounts);
  return group === undefined ? undefined : WRITERS_FAULT.group({ name: group });
}

/**
 * The name of a group with another member than the trusted accounts. One without members, or without a name as Kubernetes gives it,
 * opens nothing. A directory service lists no member whose primary group it is, and often none at all: its groups are open, but the
 * private one of a trusted account.
 */
function groupOf(gid: number, accounts: ReadonlySet<number>): string | undefined {
  const [name = '', , , members = ''] = lineOf('group', gid) ?? [];
  if (name === '') return undefined;
  const trusted = [...accounts].map(accountLine);
  const isListed = linesOf('group').some((line) => Number(line[2]) === gid);
  const isPrivate = trusted.some((line) => line?.[0] === name && Number(line[3]) === gid);
  const isOpen =
    (!isListed && !isPrivate) ||
    members.split(',').some((member) => member !== '' && !trusted.some((line) => line?.[0] === member)) ||
    linesOf('passwd').some((line) => Number(line[3]) === gid && !accounts.has(Number(line[2])));
  return isOpen ? name : undefined;
}

const accountLine = (uid: number) => lineOf('passwd', uid);

/** `getent` also knows accounts and groups of a directory service. */
function lineOf(kind: 'passwd' | 'group', id: number): readonly string[] | undefined {
  const known = linesOf(kind).find((line) => Number(line[2]) === id);
  if (known) return known;
  try {
    return execFileSync('getent', [kind, '--', String(id)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .split(':');
  } catch {
    return undefined;
  }
}

function linesOf(kind: 'passwd' | 'group'): readonly (readonly string[])[] {
  try {
    return readFileSync(`/etc/${kind}`, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}
