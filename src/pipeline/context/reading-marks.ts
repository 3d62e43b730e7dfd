/**
 * Files that are being read now, and how often the program died while it read them: `state/reading.json`. A program
 * that is killed or runs out of memory leaves its marks; one that ends by itself removes them. Marks are written before
 * a file is read and not flushed: a power cut may lose them, a crash does not. A file that cannot be written throws.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Marks by the id of a file in the ledger. */
export type ReadingMarks = {
  readonly begin: (files: readonly string[]) => void;
  readonly end: (files: readonly string[]) => void;
  /** How often the program died while it read this file. */
  readonly deathsOf: (file: string) => number;
  /** Drops the counts of all other files. */
  readonly keep: (files: ReadonlySet<string>) => void;
  readonly close: () => void;
};

/** Only for the holder of the ledger's lock. Each file marked from before counts as one more death. */
export function openReadingMarks(folder: string): ReadingMarks {
  const path = join(folder, 'state', 'reading.json');
  const deaths = deathsIn(path);
  const reading = new Set<string>();
  const handle = openSync(path, 'a+', 0o600);
  let isOpen = true;
  const write = () => {
    ftruncateSync(handle, 0);
    writeSync(handle, JSON.stringify({ reading: [...reading], deaths: Object.fromEntries(deaths) }));
  };
  const close = () => {
    process.off('exit', close);
    if (!isOpen) return;
    isOpen = false;
    reading.clear();
    write();
    closeSync(handle);
  };
  write();
  process.on('exit', close);
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
    close,
  };
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
