/**
 * `state/installation.json`: outside of the ledger, its installation and how many commits it has made. A ledger with
 * fewer is a restored backup. external-witness.ts keeps the same facts outside of state/.
 *
 * Written in place after each commit, always at the same length, without waiting for the disk: after a power cut its
 * count may be lower than that of the ledger, which is harmless, but never higher.
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
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { definedOnly } from '../../model/defined-only.ts';

/** The open file, which is written after each durable commit. */
export type InstallationFile = {
  readonly recordGeneration: (generation: number) => void;
  readonly close: () => void;
};

/** The id of the installation and the count of commits that its ledger has made. */
export type HighWaterMark = { readonly installation: string; readonly generation: number };

/** The content of a witness, its file, and the mark that the file would get now. */
export type WitnessRecord = HighWaterMark & {
  readonly mark?: string;
  readonly markHere: string;
  readonly file: BigIntStats;
};

/**
 * The mark of a file: inode and time of birth. It is part of the text of a witness, so that a copy of the text in another
 * file, as a restore makes it, is recognized, and no crash can separate the two. Permissions, owner and times may change.
 */
export function fileMark(stats: BigIntStats, path: string): string {
  const born = showsBirth(stats) || showsBirth(statSync(dirname(path), { bigint: true })) ? stats.birthtimeNs : '';
  return `${stats.ino}-${born}`;
}

/**
 * A file system without a time of birth reports that of the last change in its place, or zero. A file that `tar` writes is born and
 * changed in the same tick of the clock, with the inode of the file that it replaces; the folder around it has changed since its birth.
 */
function showsBirth({ birthtimeNs, ctimeNs }: BigIntStats): boolean {
  return birthtimeNs > 0n && birthtimeNs !== ctimeNs;
}

/** Whether the text was written for another file. A time of birth counts if both are known: inodes are reused. */
export function isMarkOfOtherFile({ mark, markHere }: WitnessRecord): boolean {
  if (mark === undefined) return false;
  const [[inode, born], [inodeHere, bornHere]] = [mark.split('-'), markHere.split('-')];
  return inode !== inodeHere || (Boolean(born) && Boolean(bornHere) && born !== bornHere);
}

/**
 * Opens a witness for writing; `create` makes the file, in place of any other; `flush` waits for the disk once, `flushEach` at each count.
 */
export function openWitness(
  path: string,
  installation: string,
  generation: number,
  {
    create = false,
    flush = false,
    flushEach = false,
    device,
  }: {
    readonly create?: boolean;
    readonly flush?: boolean;
    readonly flushEach?: boolean;
    /** If the file is on this device, its text has the mark of the file. */
    readonly device?: bigint | undefined;
  } = {},
): InstallationFile {
  if (create) rmSync(path, { force: true });
  const file = openSync(path, create ? 'wx' : 'r+', 0o600);
  const stats = fstatSync(file, { bigint: true });
  const mark = stats.dev === device ? fileMark(stats, path) : undefined;
  const recordGeneration = (count: number) => {
    const bytes = writeSync(file, witnessText({ installation, generation: count }, mark), 0);
    if (flushEach) fsyncSync(file);
    return bytes;
  };
  // Text after the first line, from an editor for example, would make the file unreadable.
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

/** Undefined if the file is missing or unreadable. */
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
        markHere: fileMark(file, path),
        mark: typeof mark === 'string' ? mark : undefined,
      });
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}
