/**
 * What the system refuses while a command works, wherever it was met: no right to write, a full disk, a folder that is
 * gone. It is no bug, and ends with exit code 5: what was not finished goes on with the next run.
 */

import { SYSTEM_REFUSAL } from '../../i18n/messages/cli-session-messages.ts';
import { OperatorError } from '../../model/fault.ts';

type Trouble = keyof typeof SYSTEM_REFUSAL;

const CODES = {
  noAccess: 'system/no-access',
  readOnly: 'system/read-only',
  diskFull: 'system/disk-full',
  tooManyOpen: 'system/too-many-open',
  missing: 'system/missing',
  inTheWay: 'system/in-the-way',
  deviceError: 'system/device-error',
} as const satisfies { readonly [trouble in Exclude<Trouble, 'hint' | 'ledger'>]: string };

type Known = keyof typeof CODES;

const OF_FILES: { readonly [errno: string]: Known } = {
  EACCES: 'noAccess',
  EPERM: 'noAccess',
  EBUSY: 'noAccess',
  EROFS: 'readOnly',
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EMFILE: 'tooManyOpen',
  ENFILE: 'tooManyOpen',
  ENOENT: 'missing',
  ENOTDIR: 'inTheWay',
  EISDIR: 'inTheWay',
  EEXIST: 'inTheWay',
  ELOOP: 'inTheWay',
  EIO: 'deviceError',
  ESTALE: 'deviceError',
  ENXIO: 'deviceError',
};

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const OF_SQLITE: { readonly [code: number]: Known } = {
  3: 'noAccess',
  8: 'readOnly',
  10: 'deviceError',
  13: 'diskFull',
  14: 'noAccess',
};

/** Undefined for anything else, a bug for example. */
export function surroundingsOf(error: unknown): OperatorError | undefined {
  if (!(error instanceof Error) || error instanceof OperatorError) return undefined;
  const { code, path, dest, errcode } = error as NodeJS.ErrnoException & { dest?: string; errcode?: number };
  const isOfLedger = code === 'ERR_SQLITE_ERROR';
  // Errors of the network have an address, no path.
  const trouble = isOfLedger
    ? OF_SQLITE[(errcode ?? 0) & 0xff]
    : path === undefined && !HANDLE_CALLS.has((error as NodeJS.ErrnoException).syscall ?? '')
      ? undefined
      : OF_FILES[code ?? ''];
  if (trouble === undefined) return undefined;
  const where = isOfLedger ? SYSTEM_REFUSAL.ledger() : (dest ?? path ?? String(code));
  return new OperatorError(CODES[trouble], SYSTEM_REFUSAL[trouble]({ where }), {
    cause: error,
    hint: SYSTEM_REFUSAL.hint(),
  });
}

/** Of an open file: Node names no path. */
const HANDLE_CALLS: ReadonlySet<string> = new Set(['write', 'fsync', 'fdatasync', 'ftruncate', 'close', 'futime']);
