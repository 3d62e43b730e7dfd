/**
 * Witnesses outside of state/: how many commits the ledger has made, in a place that is not restored along with it. One
 * is in archive/, for a state folder that is replaced by an older one; the other is in a folder of the settings, best on
 * another machine, for a whole disk that is reset to a snapshot.
 *
 * Like installation.json, each is written after the durable commit and before the caller acts on it: never ahead of the
 * ledger, whenever the program stops, and always ahead of a copy of the ledger from before a document was sent.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { toStorageError } from '../../database/storage-errors.ts';
import { makeDurableFolder } from '../../files/fsync-directory.ts';
import { LEDGER_FOLDER } from '../../i18n/messages/send-guard-messages.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import {
  fileMark,
  type HighWaterMark,
  type InstallationFile,
  isMarkOfOtherFile,
  openWitness,
  readWitness,
  witnessText,
} from './installation-file.ts';

/** Absolute paths of the witnesses outside of state/. */
export type WitnessPlaces = {
  /** Path of the witness in archive/. */
  readonly archived: string;
  /**
   * Path of the ledger: if archive/ is on another device, inodes may change there without a restore. Absent for a ledger on
   * a server.
   */
  readonly ledger?: string;
  /** The folder of the settings; the name of the witness in it is that of the installation. */
  readonly folder?: string;
};

/** What a witness says, and its path. */
export type ExternalWitness = HighWaterMark & {
  readonly path: string /** Its text was written for another file. */;
  readonly isReplaced: boolean;
};

/** `instance`: its folder. `folder`: `ledger.witness-folder` of the settings, absolute. */
export function witnessPlaces(instance: string, folder: string | undefined): WitnessPlaces {
  return definedOnly({
    archived: join(instance, 'archive', '.ledger-witness.json'),
    ledger: join(instance, 'state', 'ledger.sqlite'),
    folder,
  });
}

/** The witnesses that can be read. An unreadable one counts as missing: it is rewritten. */
export function readExternalWitnesses(outside: WitnessPlaces, installation: string): readonly ExternalWitness[] {
  return witnessPaths(outside, installation).flatMap((path) => {
    const content = readWitness(path);
    if (!content) return [];
    const { installation: owner, generation, file } = content;
    const isMarked = path === outside.archived && file.dev === ledgerDevice(outside);
    return [{ installation: owner, generation, path, isReplaced: isMarked && isMarkOfOtherFile(content) }];
  });
}

function ledgerDevice({ ledger }: WitnessPlaces): bigint | undefined {
  return ledger === undefined ? undefined : statSync(ledger, { bigint: true, throwIfNoEntry: false })?.dev;
}

/** The installation of the ledger, if state/ is lost. */
export function readWitnessedInstallation({ archived }: WitnessPlaces): string | undefined {
  return readWitness(archived)?.installation;
}

/** Refuses before the first write: a disk that is not connected must not pass for a new, empty one. */
export function requireWitnessFolder({ folder }: WitnessPlaces): void {
  if (folder === undefined || existsSync(folder)) return;
  throw new OperatorError('ledger/witness-folder', LEDGER_FOLDER.noWitness({ folder }), {
    hint: LEDGER_FOLDER.connectWitness(),
  });
}

/**
 * Opens the witnesses for writing; a missing one is created, and `replace` replaces all of them. On return the folder of
 * the settings has this start durably.
 */
export function openExternalWitnesses(
  outside: WitnessPlaces,
  { installation, generation }: HighWaterMark,
  replace = false,
): InstallationFile {
  const open: InstallationFile[] = [];
  try {
    makeDurableFolder(dirname(outside.archived));
    for (const path of witnessPaths(outside, installation)) {
      const existing = replace ? undefined : readWitness(path);
      const isArchived = path === outside.archived;
      const device = isArchived ? ledgerDevice(outside) : undefined;
      if (existing?.installation !== installation) createWitness(path, { installation, generation }, device);
      open.push(openWitness(path, installation, generation, { flush: !isArchived, device }));
    }
  } catch (error) {
    for (const one of open) one.close();
    throw toWitnessError(error, outside.archived);
  }
  return {
    recordGeneration: (count) => {
      for (const one of open) one.recordGeneration(count);
    },
    close: () => {
      for (const one of open) one.close();
    },
  };
}

/** Creates the file whole or not at all: an empty file would make the next start ask a person. */
function createWitness(path: string, mark: HighWaterMark, device: bigint | undefined): void {
  const temporary = `${path}.tmp-np`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    const stats = fstatSync(file, { bigint: true });
    writeSync(file, witnessText(mark, stats.dev === device ? fileMark(stats, path) : undefined));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function witnessPaths({ archived, folder }: WitnessPlaces, installation: string): readonly string[] {
  return definedItems([archived, folder === undefined ? undefined : join(folder, `${installation}.json`)]);
}

function toWitnessError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // The account may not read or write there: reported with the folder and what to do, as for every other folder.
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return error;
  const storageError = toStorageError(error, path);
  return storageError !== error || code === undefined
    ? storageError
    : new LedgerUnavailable('ledger/write-failed', error);
}
