/**
 * The name of an error of the system: an error comes in, `EDQUOT` comes out, undefined for an error without a code. Node has no name
 * for a full quota, a stale handle of NFS and a few others: their code is `Unknown system error -122` or `UNKNOWN`, and only the number,
 * which differs between systems, names them.
 */
import { constants } from 'node:os';

const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(constants.errno).map(([name, n]) => [-n, name]));
const UNNAMED = /^(?:UNKNOWN$|Unknown system error )/;

export function errnoName(error: unknown): string | undefined {
  const { code, errno = 0 } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && UNNAMED.test(code) ? (NAMES.get(errno) ?? code) : code;
}

const ROOM: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);
const DEVICE: ReadonlySet<string | undefined> = new Set(['EIO', 'ESTALE']);

/** The disk is full, or the quota of this account. */
export function isOutOfRoom(error: unknown): boolean {
  return ROOM.has(errnoName(error));
}

/** The disk or the share fails, whatever the file is. */
export function isOfDevice(error: unknown): boolean {
  return DEVICE.has(errnoName(error));
}
