/**
 * Removes day folders that have become empty, so that a person does not open them in vain. Only while no other program writes into the
 * instance: a receipt of an old day may need its folder again.
 */
import { readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { guardFolder, within } from '../files/guarded-place.ts';
import type { Instance } from '../instance/instance.ts';

/** A month in archive/, a day elsewhere. */
const DAY = /^\d{4}-\d\d(-\d\d)?$/;

export function removeEmptyDays({ archive, outbox, pending, error, reports }: Instance['paths']): void {
  for (const folder of [archive, outbox, pending, error, reports]) {
    for (const name of foldersIn(folder)) if (DAY.test(name)) removeIfEmpty(join(folder, name));
  }
}

/** With the folders in it that are empty; those with anything stay. */
function removeIfEmpty(folder: string): void {
  for (const name of foldersIn(folder)) removeIfEmpty(join(folder, name));
  try {
    within(folder, rmdirSync);
  } catch {
    // It has something, or belongs to another account.
  }
}

/** Links are left alone. */
function foldersIn(folder: string): readonly string[] {
  try {
    using place = guardFolder(folder);
    return readdirSync(place.path, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  } catch {
    return [];
  }
}
