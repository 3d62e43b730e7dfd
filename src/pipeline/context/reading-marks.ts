/**
 * Files that are being read now, and how often the program died while it read them: `state/reading.json`. A program
 * that is killed or runs out of memory leaves its marks; one that ends by itself removes them. Marks are written before
 * a file is read and not flushed: a power cut may lose them, a crash does not. A file that cannot be written throws.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Marks by the id of a file in the ledger. */
export type ReadingMarks = {
  readonly begin: (files: readonly string[]) => void;
  readonly end: (files: readonly string[]) => void;
  /** How often the program died while it read this file. */
  readonly deathsOf: (file: string) => number;
  /** Drops the counts of all other files. */
  readonly keep: (files: ReadonlySet<string>) => void;
  /** Takes over the counts of a worker that is gone, with one more death for each file that it was reading. */
  readonly adopt: (worker: string) => void;
  readonly close: () => void;
};

/**
 * Only for the holder of the ledger's lock; of several workers each has marks of its own. Each file marked from before counts as
 * one more death.
 */
export function openReadingMarks(folder: string, worker?: string): ReadingMarks {
  const path = marksPath(folder, worker);
  const deaths = deathsIn(path);
  const reading = new Set<string>();
  const handle = openSync(path, 'a+', 0o600);
  let isOpen = true;
  const write = () => {
    ftruncateSync(handle, 0);
    writeSync(handle, JSON.stringify({ reading: [...reading], deaths: Object.fromEntries(deaths) }));
  };
  const close = () => {
    process.off('exit', closeAtExit);
    if (!isOpen) return;
    isOpen = false;
    reading.clear();
    write();
    closeSync(handle);
    // The next start of a watch is another worker: without counts nothing is left to take over.
    if (worker !== undefined && deaths.size === 0) rmSync(path, { force: true });
  };
  write();
  // A disk that fails must not change the exit code: the next start finds the marks as they were written last.
  const closeAtExit = () => {
    try {
      close();
    } catch {
      isOpen = false;
    }
  };
  process.on('exit', closeAtExit);
  return {
    begin: (files) => {
      for (const file of files) reading.add(file);
      write();
    },
    end: (files) => {
      for (const file of files) reading.delete(file);
      write();
    },
    deathsOf: (file) => deaths.get(file) ?? 0,
    keep: (files) => {
      for (const file of deaths.keys()) if (!files.has(file)) deaths.delete(file);
      write();
    },
    adopt: (other) => {
      const left = marksPath(folder, other);
      for (const [file, times] of deathsIn(left)) deaths.set(file, Math.max(times, deaths.get(file) ?? 0));
      write();
      rmSync(left, { force: true });
    },
    close,
  };
}

function marksPath(folder: string, worker: string | undefined): string {
  return join(folder, 'state', worker === undefined ? 'reading.json' : `reading-${worker}.json`);
}

/** The earlier counts, plus one for each file that was being read. A mark that is cut off is ignored. */
function deathsIn(path: string): Map<string, number> {
  try {
    const { reading, deaths } = JSON.parse(readFileSync(path, 'utf8')) as Marks;
    const counts = new Map(Object.entries(deaths));
    for (const file of reading) counts.set(file, (counts.get(file) ?? 0) + 1);
    return counts;
  } catch {
    return new Map();
  }
}

type Marks = { readonly reading: readonly string[]; readonly deaths: { readonly [file: string]: number } };
