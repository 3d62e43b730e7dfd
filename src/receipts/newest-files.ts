/**
 * Finds the newest receipts, summaries and archived exports of an instance, for a ledger that has to know all of them. It
 * takes milliseconds however full the folders are: a bounded number of names per folder, and of those the newest.
 */
import { opendirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  DAY_FOLDER,
  listNames,
  OUTPUT_FOLDERS,
  RECEIPT_ENDING,
  readJsonIfAny,
  SUMMARY_ENDING,
} from './output-folders.ts';
import { receiptShape } from './receipt-schema.ts';

/** Of a month with half a million files these are a sample; of most days they are all. */
const NAMES = 1000;
const NEWEST = 32;
const DAYS = 2;
const MONTHS = 2;
/** A larger receipt has long answers; there are others next to it. */
const MOST_BYTES = 1024 * 1024;
const ARCHIVED = /^([0-9a-f]{64}|[0-9a-f]{16})-(.+)$/;

type NewestReceipt = {
  readonly path: string;
  readonly id: string;
  readonly revision: number;
  readonly submits: number;
  readonly isWhole: () => boolean;
};

/** Paths below `root`. `isExport` says whether a file of this name is taken as an export. */
export function findNewestFiles(root: string, isExport: (name: string) => boolean) {
  const days = OUTPUT_FOLDERS.flatMap((one) =>
    lastNames(join(root, one), DAY_FOLDER, DAYS).map((day) => `${one}/${day}`),
  );
  const months = lastNames(join(root, 'archive'), /^\d{4}-\d\d$/, MONTHS).map((month) => `archive/${month}`);
  return {
    receipts: days.flatMap((day) =>
      newestFilesOf(root, day, (name) => name.endsWith(RECEIPT_ENDING)).flatMap(readNewestReceipt),
    ),
    summaries: days.flatMap((day) =>
      newestFilesOf(root, day, (name) => name.endsWith(SUMMARY_ENDING)).flatMap(readNewestSummary),
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
    const stats = statSync(full, { throwIfNoEntry: false });
    if (!stats?.isFile() || (stats.size > MOST_BYTES && !folder.startsWith('archive/'))) continue;
    found.push({ path: `${folder}/${name}`, full, name, modifiedMs: stats.mtimeMs });
  }
  return found.toSorted((a, b) => b.modifiedMs - a.modifiedMs).slice(0, NEWEST);
}

/** What is damaged or no receipt proves nothing, nor does a receipt of a version that did not name identities. */
function readNewestReceipt({ path, full }: FolderFile): readonly NewestReceipt[] {
  const json = readJsonIfAny(full);
  const { id, revision, attempts, identity } = (json ?? {}) as { readonly [key: string]: unknown };
  if (typeof id !== 'string' || typeof revision !== 'number' || !Array.isArray(attempts)) return [];
  if (identity === null || typeof identity !== 'object') return [];
  const submits = attempts.filter((one) => one?.act === 'submit').length;
  return [{ path, id, revision, submits, isWhole: () => receiptShape.safeParse(json).success }];
}

function readNewestSummary({ path, full }: FolderFile) {
  const { summary, file } = (readJsonIfAny(full) ?? {}) as {
    readonly summary?: unknown;
    readonly file?: { readonly id?: unknown; readonly state?: unknown };
  };
  const counts = summary === 1 && (file?.state === 'admitted' || file?.state === 'refused');
  return counts && typeof file.id === 'string' ? [{ path, id: file.id }] : [];
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
    using open = opendirSync(folder, { bufferSize: 256 });
    for (let entry = open.readSync(); entry && names.length < NAMES; entry = open.readSync()) names.push(entry.name);
  } catch {
    // Gone meanwhile, or not readable for this user: then there is nothing to compare.
  }
  return names;
}
