/**
 * Finds the newest receipts, summaries and archived exports of an instance, to compare the ledger with them. It takes
 * milliseconds even for full folders: it reads a bounded number of names per folder, and the newest of those. Files
 * that cannot be read are left out; nothing throws.
 */
import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { guardFolder } from '../files/guarded-place.ts';
import {
  DAY_FOLDER,
  foldersOfDay,
  listNames,
  OUTPUT_FOLDERS,
  RECEIPT_ENDING,
  readsOwn,
  SUMMARY_ENDING,
} from './output-folders.ts';
import { importableReceipt, importableSummary } from './read-receipts.ts';

/** Names read per folder: all of most days, a sample of a month with half a million files. */
const NAMES = 1000;
const NEWEST = 32;
const DAYS = 2;
const MONTHS = 2;
/** Bytes of the largest receipt that is read: others next to it serve as well. */
const MOST_BYTES = 1024 * 1024;
const ARCHIVED = /^([0-9a-f]{64}|[0-9a-f]{16})-(.+)$/;

/** `submits`: recorded submissions. `isWhole` validates the full shape, which most comparisons do not need. */
type NewestReceipt = {
  readonly path: string;
  readonly id: string;
  readonly revision: number;
  readonly submits: number;
  readonly isWhole: () => boolean;
};

/**
 * Looks at the last two days and the last two months. Paths are below `root`; `isExport` decides by the original name
 * of an archived file. Each list has the newest files of each folder first.
 */
export function findNewestFiles(root: string, isExport: (name: string) => boolean) {
  const readOwn = readsOwn(root, MOST_BYTES);
  const days = OUTPUT_FOLDERS.flatMap((one) =>
    lastNames(join(root, one), DAY_FOLDER, DAYS).flatMap((day) =>
      foldersOfDay(one, day).map((within) => `${one}/${within}`),
    ),
  );
  const months = lastNames(join(root, 'archive'), /^\d{4}-\d\d$/, MONTHS).map((month) => `archive/${month}`);
  return {
    receipts: days.flatMap((day) =>
      newestFilesOf(root, day, (name) => name.endsWith(RECEIPT_ENDING)).flatMap((file) =>
        readNewestReceipt(file, readOwn(file.full)),
      ),
    ),
    summaries: days.flatMap((day) =>
      newestFilesOf(root, day, (name) => name.endsWith(SUMMARY_ENDING)).flatMap((file) =>
        readNewestSummary(file, readOwn(file.full)),
      ),
    ),
    exports: months.flatMap((month) =>
      newestFilesOf(root, month, (name) => isExport(ARCHIVED.exec(name)?.[2] ?? '')).flatMap(toNewestExport),
    ),
  };
}

type FolderFile = { readonly path: string; readonly full: string; readonly name: string; readonly modifiedMs: number };

function newestFilesOf(root: string, folder: string, wanted: (name: string) => boolean): readonly FolderFile[] {
  const found: FolderFile[] = [];
  for (const name of someNames(join(root, folder))) {
    if (!wanted(name)) continue;
    const full = join(root, folder, name);
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (!stats?.isFile() || (stats.size > MOST_BYTES && !folder.startsWith('archive/'))) continue;
    found.push({ path: `${folder}/${name}`, full, name, modifiedMs: stats.mtimeMs });
  }
  return found.toSorted((a, b) => b.modifiedMs - a.modifiedMs).slice(0, NEWEST);
}

/** Empty if the file is damaged, is no receipt, or is of a version without identities: it proves nothing then. */
function readNewestReceipt({ path }: FolderFile, json: unknown): readonly NewestReceipt[] {
  const { id, revision, attempts, identity } = (json ?? {}) as { readonly [key: string]: unknown };
  if (typeof id !== 'string' || typeof revision !== 'number' || !Array.isArray(attempts)) return [];
  if (identity === null || typeof identity !== 'object') return [];
  const submits = attempts.filter((one) => one?.act === 'submit').length;
  return [{ path, id, revision, submits, isWhole: () => importableReceipt(json) !== undefined }];
}

/** Only summaries of admitted and refused files: the ledger must know these. */
function readNewestSummary({ path }: FolderFile, json: unknown) {
  const { summary, file } = (json ?? {}) as {
    readonly summary?: unknown;
    readonly file?: { readonly id?: unknown; readonly state?: unknown };
  };
  const counts = summary === 1 && (file?.state === 'admitted' || file?.state === 'refused');
  return counts && typeof file.id === 'string'
    ? [{ path, id: file.id, isWhole: () => importableSummary(json) !== undefined }]
    : [];
}

function toNewestExport({ path, name, modifiedMs }: FolderFile) {
  const [, sha256] = ARCHIVED.exec(name) ?? [];
  return sha256 === undefined ? [] : [{ path, sha256, modifiedMs }];
}

function lastNames(folder: string, shape: RegExp, most: number): readonly string[] {
  return listNames(folder)
    .filter((name) => shape.test(name))
    .slice(-most);
}

function someNames(folder: string): readonly string[] {
  const names: string[] = [];
  try {
    using place = guardFolder(folder);
    using open = opendirSync(place.path, { bufferSize: 256 });
    for (let entry = open.readSync(); entry && names.length < NAMES; entry = open.readSync()) names.push(entry.name);
  } catch {
    // The folder is gone or this user cannot read it: there is nothing to compare.
  }
  return names;
}
