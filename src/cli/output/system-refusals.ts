/**
 * Turns refusals of the system into OperatorErrors `system/*`: no right to write, a full disk, a missing folder. Such a
 * refusal is no bug and ends with exit code 5: the next run continues unfinished work. Other errors give undefined.
 */

import { errnoName } from '../../files/errno-name.ts';
import { SYSTEM_REFUSAL } from '../../i18n/messages/cli-session-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { dictionary } from '../../text/dictionary.ts';

/** Refusals and their public codes. */
const CODES = {
  noAccess: 'system/no-access',
  readOnly: 'system/read-only',
  diskFull: 'system/disk-full',
  tooManyOpen: 'system/too-many-open',
  missing: 'system/missing',
  inTheWay: 'system/in-the-way',
  deviceError: 'system/device-error',
} as const satisfies { readonly [refusal in Exclude<keyof typeof SYSTEM_REFUSAL, 'hint' | 'ledger'>]: string };

type Refusal = keyof typeof CODES;

/** Error codes of the file system (errno) by their meaning. */
const OF_FILES = dictionary<Refusal>({
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
});

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const OF_SQLITE: { readonly [code: number]: Refusal } = {
  3: 'noAccess',
  8: 'readOnly',
  10: 'deviceError',
  // After a failed read SQLite calls the file malformed; the next start looks at the file itself.
  11: 'deviceError',
  13: 'diskFull',
  14: 'noAccess',
};

/**
 * The OperatorError of a refusal by file system or SQLite, with the path; undefined for anything else, such as a bug.
 */
export function surroundingsOf(error: unknown): OperatorError | undefined {
  if (!(error instanceof Error) || error instanceof OperatorError) return undefined;
  const { path, dest } = error as SystemError;
  const code = errnoName(error);
  const refusal = refusalOf(error);
  if (refusal === undefined) return undefined;
  const where = code === SQLITE_ERROR ? SYSTEM_REFUSAL.ledger() : (dest ?? path ?? String(code));
  return new OperatorError(CODES[refusal], SYSTEM_REFUSAL[refusal]({ where }), {
    cause: error,
    hint: SYSTEM_REFUSAL.hint(),
  });
}

type SystemError = NodeJS.ErrnoException & { readonly dest?: string; readonly errcode?: number };

const SQLITE_ERROR = 'ERR_SQLITE_ERROR';

/** Errors of the network have the same codes but an address and no path: they give undefined. */
function refusalOf(error: SystemError): Refusal | undefined {
  const { path, syscall, errcode = 0 } = error;
  const code = errnoName(error);
  if (code === SQLITE_ERROR) return OF_SQLITE[errcode & 0xff];
  const isOfFile = path !== undefined || HANDLE_CALLS.has(syscall ?? '');
  return isOfFile ? OF_FILES.get(code ?? '') : undefined;
}

/** Calls on an open file or folder: their errors have no path. */
const HANDLE_CALLS: ReadonlySet<string> = new Set([
  ...['read', 'write', 'fstat', 'fsync', 'fdatasync', 'ftruncate', 'fchmod', 'futime', 'close', 'scandir'],
]);
