/**
 * `state/installation.json`: outside of the ledger, whose it is and how many commits it has seen. A ledger that knows
 * fewer is a restored backup. external-witness.ts keeps the same farther away.
 *
 * Written in place after each commit, always at the same length, without waiting for the disk: after a power cut it
 * may be behind the ledger, which is harmless, but never ahead of it.
 */
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { definedOnly } from '../../model/defined-only.ts';

/** The open file, which is written after each durable commit. */
export type InstallationFile = {
  readonly recordGeneration: (generation: number) => void;
  readonly close: () => void;
};

/** The id of the installation and the count of commits that its ledger has made. */
export type HighWaterMark = { readonly installation: string; readonly generation: number };

/** What a witness says, and the file that says it. */
export type WitnessRecord = HighWaterMark & { readonly mark?: string; readonly file: BigIntStats };

/**
 * Which file it is: inode and time of birth. It is part of the text of a witness, so that a copy of the text in another
 * file, as a restore makes it, shows itself, and no crash can part the two. Permissions, owner and times may change.
 */
export function fileMark({ ino, birthtimeNs, ctimeNs }: BigIntStats): string {
  // A file system without a time of birth reports that of the last change in its place, or zero.
  return `${ino}-${birthtimeNs > 0n && birthtimeNs !== ctimeNs ? birthtimeNs : ''}`;
}

/** The text was written for another file. A time of birth counts where both are known: inodes are used again. */
export function isMarkOfOtherFile({ mark, file }: WitnessRecord): boolean {
  if (mark === undefined) return false;
  const [[inode, born], [inodeHere, bornHere]] = [mark.split('-'), fileMark(file).split('-')];
  return inode !== inodeHere || (Boolean(born) && Boolean(bornHere) && born !== bornHere);
}

/**
 * A witness that writes on from here; `create` makes the file, in place of any other; `flush` waits for the disk once.
 */
export function openWitness(
  path: string,
  installation: string,
  generation: number,
  {
    create = false,
    flush = false,
    device,
  }: {
    readonly create?: boolean;
    readonly flush?: boolean;
    /** Where the file is on this device it says which file it is. */
    readonly device?: bigint | undefined;
  } = {},
): InstallationFile {
  if (create) rmSync(path, { force: true });
  const file = openSync(path, create ? 'wx' : 'r+', 0o600);
  const stats = fstatSync(file, { bigint: true });
  const mark = stats.dev === device ? fileMark(stats) : undefined;
  const recordGeneration = (seen: number) => writeSync(file, witnessText({ installation, generation: seen }, mark), 0);
  // Whatever else somebody's editor may have left behind the text would make it unreadable.
  ftruncateSync(file, recordGeneration(generation));
  if (flush) fsyncSync(file);
  return {
    recordGeneration,
    close: () => {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/** One line of fixed length for a given mark, so that a write replaces all of the older text. */
export function witnessText({ installation, generation }: HighWaterMark, mark?: string): string {
  const file = mark === undefined ? '' : `,"file":"${mark}"`;
  return `{"installation":"${installation}","generation":"${String(generation).padStart(16, '0')}"${file}}\n`;
}

/** Undefined where there is none, or none that can be read. */
export function readWitness(path: string): WitnessRecord | undefined {
  try {
    const opened = openSync(path, 'r');
    try {
      const { installation, generation, file: mark } = JSON.parse(readFileSync(opened, 'utf8'));
      if (typeof installation !== 'string' || !/^\d{16}$/.test(generation)) return undefined;
      const file = fstatSync(opened, { bigint: true });
      return definedOnly({
        installation,
        generation: Number(generation),
        file,
        mark: typeof mark === 'string' ? mark : undefined,
      });
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}
