/**
 * Is this an ordinary file that belongs to nobody else? Asked twice: of the name (lstat), and of the open handle.
 *
 * A FIFO blocks whoever opens it, a link leads out of the inbox, a second hard link keeps changing what was hashed.
 */
import type { Stats } from 'node:fs';
import type { Fault } from '../model/fault.ts';
import { printable } from '../model/printable.ts';

/** The fault that keeps the file where it is; undefined for a plain file within the limit. */
export function notTakeable(stats: Stats, name: string, maxBytes: number): Fault | undefined {
  if (stats.isSymbolicLink()) {
    return inboxFault('symbolic-link', name, 'is a link to another place', 'Put the file itself into the inbox.');
  }
  if (stats.isDirectory()) {
    return {
      ...inboxFault('subfolder', name, 'is a folder', 'Subfolders are not read: move its files up into the inbox.'),
      level: 'warning',
    };
  }
  if (!stats.isFile()) {
    return inboxFault('not-a-plain-file', name, 'is a pipe, socket or device', 'Remove it from the inbox.');
  }
  if (stats.nlink > 1) {
    return inboxFault(
      'hard-link',
      name,
      'has a second name somewhere else (hard link)',
      'Copy the file into the inbox instead of linking it.',
    );
  }
  if (stats.size > maxBytes) {
    return inboxFault(
      'too-large',
      name,
      `has ${stats.size} bytes, more than the limit of ${maxBytes}`,
      'Split the export, or raise the limit in the settings.',
    );
  }
  return undefined;
}

/** A fault of the file as a whole; `says` continues the sentence that begins with its name. */
export function inboxFault(words: string, name: string, says: string, hint: string): Fault {
  return {
    code: `inbox/${words}`,
    level: 'error',
    message: `"${printable(name)}" ${says}`,
    origin: { file: name, row: 0 },
    hint,
  };
}
