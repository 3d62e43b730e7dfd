/**
 * A share as the NFS client of Linux shows it: a name, and a handle that is open, show the file as it was at the first look; a
 * handle that is opened now shows it as it is.
 */
import { appendFileSync, type PathLike, readFileSync, type Stats } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { surroundingsOf } from '../../src/cli/output/system-refusals.ts';
import { exitCodeOfError } from '../../src/cli/session/exit-codes.ts';
import { type ClaimStep, claimCandidates } from '../../src/inbox/claim-candidates.ts';
import { INBOX_RULES } from '../../src/inbox/inbox-rules.ts';
import { scanInbox } from '../../src/inbox/scan-inbox.ts';
import { candidate, claimOptions, drop, filesBelow, makeFolders, NOW } from './make.ts';

const firstLooks = vi.hoisted(() => new Map<number, Stats>());
const stale = vi.hoisted(() => ({ folder: '' }));

vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const opened = new Map<number, Stats>();
  const fstatSync = (file: number) => {
    const stats = opened.get(file) ?? real.fstatSync(file);
    opened.set(file, stats);
    if (!firstLooks.has(stats.ino)) firstLooks.set(stats.ino, stats);
    return stats;
  };
  const closeSync = (file: number) => {
    opened.delete(file);
    real.closeSync(file);
  };
  const lstatSync = (path: PathLike) => firstLooks.get(real.lstatSync(path).ino) ?? real.lstatSync(path);
  return { ...real, fstatSync, closeSync, lstatSync };
});

vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const lstat = async (path: PathLike) => {
    const now = await real.lstat(path);
    return firstLooks.get(now.ino) ?? now;
  };
  const opendir: typeof real.opendir = async (...given) => {
    if (given[0] !== stale.folder) return await real.opendir(...given);
    const code = `Unknown system error -${constants.errno.ESTALE}`;
    throw Object.assign(new Error(code), { code, errno: -constants.errno.ESTALE, syscall: 'opendir', path: given[0] });
  };
  return { ...real, lstat, opendir };
});

test.each(['copied', 'synced'] as const)('bytes that another machine adds once it is %s', async (when) => {
  const { inbox, processing } = await makeFolders();
  await drop(inbox, 'ventes.csv', 'a;b\n');
  const at = (step: ClaimStep, copy: string) => {
    if (step === when) appendFileSync(copy.replace('__', '.taken__'), '1;2\n');
  };
  const [outcome] = await claimCandidates([await candidate(inbox, 'ventes.csv')], claimOptions(processing, { at }));
  expect(outcome?.what).toBe('growing');
  expect(readFileSync(join(inbox, 'ventes.csv'), 'utf8')).toBe('a;b\n1;2\n');
  expect(await filesBelow(processing)).toEqual([]);
});

test('an inbox whose handle is stale fails as the disk does: the watch is started again (exit code 5)', async () => {
  const { inbox } = await makeFolders();
  stale.folder = inbox;
  const error: unknown = await scanInbox(inbox, INBOX_RULES, NOW, { look: 0, seen: new Map() }).catch((one) => one);
  const shown = surroundingsOf(error);
  expect([shown?.code, exitCodeOfError(shown ?? error)]).toEqual(['system/device-error', 5]);
});
