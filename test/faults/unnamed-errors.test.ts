/** Errors of the system for which Node has no name: a full quota is a full disk, and a stale handle of NFS is a disk that fails. */
import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { surroundingsOf } from '../../src/cli/output/system-refusals.ts';
import { toStorageError } from '../../src/database/storage-errors.ts';
import { diskTrouble } from '../../src/files/write-durable.ts';
import { systemErrorFault } from '../../src/inbox/system-errors.ts';
import { answerFolderFault } from '../../src/receipts/place-answer-file.ts';

/** As Node makes it of a call with a promise; a synchronous one has the code `UNKNOWN`. */
function unnamed(name: 'EDQUOT' | 'ESTALE', of: object = { syscall: 'write' }): Error {
  const code = `Unknown system error -${constants.errno[name]}`;
  return Object.assign(new Error(`${code}: ${code}`), { code, errno: -constants.errno[name], ...of });
}

test.skipIf(process.platform === 'win32').each([
  ['a call on an open file', surroundingsOf(unnamed('EDQUOT')), 'system/disk-full'],
  ['a synchronous one', surroundingsOf(unnamed('EDQUOT', { syscall: 'write', code: 'UNKNOWN' })), 'system/disk-full'],
  ['a handle that is stale', surroundingsOf(unnamed('ESTALE', { syscall: 'open', path: '/x' })), 'system/device-error'],
  ['an open one that is', surroundingsOf(unnamed('ESTALE', { syscall: 'fstat' })), 'system/device-error'],
  ['a receipt', diskTrouble(unnamed('EDQUOT'), '/x'), 'receipts/disk-full'],
  ['an export', systemErrorFault(unnamed('EDQUOT'), 'x'), 'inbox/disk-full'],
  ['the ledger', toStorageError(unnamed('EDQUOT'), '/x'), 'ledger/disk-full'],
  ['an answer for the ERP', answerFolderFault(unnamed('EDQUOT'), '/x'), 'answers/folder-full'],
])('%s (not on Windows)', (_, found, code) => {
  expect(found).toMatchObject({ code });
});
