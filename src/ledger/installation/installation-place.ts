/**
 * The place of a ledger: the machine, the folder and the file. A copy, a restored archive or a cloned folder has another
 * place, while a rename or a restart of the machine changes nothing.
 *
 * Inodes do not survive copying; the machine id distinguishes two machines whose inodes happen to agree. Host names and
 * device numbers are left out: both change without a copy.
 */
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { networkKind } from '../../files/network-kind.ts';
import { LEDGER_FOLDER } from '../../i18n/messages/send-guard-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { sha256Hex } from '../../text/sha256.ts';

const MACHINE_ID = '/etc/machine-id';

/** Fingerprint of the place; `machine` overrides the machine id, for containers that have a new one at each start. */
export function installationPlace(folder: string, ledgerFile: string, machine = machineId()): string {
  const inodes = [folder, ledgerFile].map((path) => statSync(path, { bigint: true }).ino);
  return sha256Hex([machine, ...inodes].join('/')).slice(0, 32);
}

/**
 * Throws OperatorError ledger/network-folder (Linux only): locks and flushes of SQLite are not reliable there. Of a folder that
 * is not there yet the one above decides, in which it would be made.
 */
export function refuseNetworkFolder(folder: string): void {
  const kind = process.platform === 'linux' ? networkKind(statfsSync(nearestFolder(folder)).type) : undefined;
  if (kind === undefined) return;
  throw new OperatorError('ledger/network-folder', LEDGER_FOLDER.network({ folder, kind }), {
    hint: LEDGER_FOLDER.localDisk(),
  });
}

function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}

function machineId(): string {
  try {
    return readFileSync(MACHINE_ID, 'utf8').trim();
  } catch {
    // Not Linux, or a container without a machine id: only the inodes identify the place.
    return '';
  }
}
