/** What is in the inbox of an instance: names of files come out, whether or not a mapping takes them. */
import { type Dirent, opendirSync } from 'node:fs';
import type { Instance } from './instance.ts';

/**
 * Names of the visible files in the inbox, one at a time; none where the folder cannot be read. It looks at names only, to stay fast
 * in a full folder.
 */
export function* inboxFileNames(instance: Pick<Instance, 'paths'>): Iterable<string> {
  for (const entry of inboxEntries(instance)) if (entry.isFile()) yield entry.name;
}

/** The same with links, folders and the like. */
export function* inboxEntries({ paths }: Pick<Instance, 'paths'>): Iterable<Dirent> {
  try {
    const folder = opendirSync(paths.inbox, { bufferSize: 1024 });
    try {
      for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
        if (!entry.name.startsWith('.')) yield entry;
      }
    } finally {
      folder.closeSync();
    }
  } catch {
    // What it is away for, a run reports.
  }
}

export function countInboxFiles(instance: Pick<Instance, 'paths'>): number {
  let count = 0;
  for (const _ of inboxFileNames(instance)) count++;
  return count;
}
