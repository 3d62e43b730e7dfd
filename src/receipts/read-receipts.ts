/**
 * Reads the receipts and summaries in the folders of an instance, one at a time, for a ledger that imports them. A file
 * that cannot be read or has another shape goes to the callback with its path; reading continues.
 */
import { join } from 'node:path';
import { definedOnly } from '../model/defined-only.ts';
import type { Folder } from '../model/state.ts';
import { sha256Hex } from '../text/sha256.ts';
import {
  DAY_FOLDER,
  foldersOfDay,
  listNames,
  OUTPUT_FOLDERS,
  RECEIPT_ENDING,
  readsOwn,
  readTextIfAny,
  SUMMARY_ENDING,
} from './output-folders.ts';
import { type Receipt, receiptShape } from './receipt-schema.ts';

/** A receipt with the place where it was found; `day` is YYYY-MM-DD. */
export type StoredReceipt = {
  /** Stem of its file name. */
  readonly name: string;
  readonly folder: Folder;
  readonly day: string;
  /** Where it is in `folder`: its day, or a folder of it. */
  readonly within: string;
  readonly receipt: Receipt;
  /** Absent if the file is missing or its hash is not that of the receipt. */
  readonly payload?: string;
};

/** The part of a summary from which the ledger restores its source file. */
export type StoredSummary = {
  readonly day: string;
  readonly file: {
    readonly id: string;
    readonly name: string;
    readonly sha256: string;
    readonly size: number;
    readonly modifiedAt: string;
    readonly claimedAt: string;
    readonly run: string;
    readonly state: string;
    readonly encoding: string | null;
  };
  readonly mapping: object | null;
  readonly faults: readonly object[];
  readonly rows: {
    readonly read: number;
    readonly leftOut: readonly { readonly rule: string; readonly rows: string }[];
  };
  /** `correctedBy`: the file of a later reading that has its rows. */
  readonly table: readonly { readonly id?: string; readonly correctedBy?: { readonly id: string } }[];
  /** Hash of the link before that of the summary; null in the first, absent in those of versions without links. */
  readonly previous?: string | null;
};

/** Yields by folder, day and name. `unreadable` gets the path of each receipt or payload that is left out. */
export function* readReceipts(root: string, unreadable: (path: string) => void): Iterable<StoredReceipt> {
  const readOwn = readsOwn(root);
  for (const { folder, in: place, day, within, name } of listFiles(root, RECEIPT_ENDING)) {
    const path = join(folder, name);
    const parsed = receiptShape.safeParse(readOwn(path));
    if (!parsed.success) {
      unreadable(path);
      continue;
    }
    const receipt = parsed.data;
    const payload = readPayload(folder, receipt, unreadable);
    yield definedOnly({ name: name.slice(0, -RECEIPT_ENDING.length), folder: place, day, within, receipt, payload });
  }
}

function readPayload(folder: string, { payload }: Receipt, unreadable: (path: string) => void): string | undefined {
  if (!payload) return undefined;
  const path = join(folder, payload.file);
  const text = readTextIfAny(path);
  if (text !== undefined && sha256Hex(text) === payload.sha256) return text;
  unreadable(path);
  return undefined;
}

/** Yields by folder, day and name. `unreadable` gets the path of each file that is no summary of version 1. */
export function* readSummaries(root: string, unreadable: (path: string) => void): Iterable<StoredSummary> {
  const readOwn = readsOwn(root);
  for (const { folder, day, name } of listFiles(root, SUMMARY_ENDING)) {
    const path = join(folder, name);
    const summary = readOwn(path) as (StoredSummary & { readonly summary?: unknown }) | undefined;
    if (summary?.summary !== 1 || typeof summary.file?.id !== 'string') unreadable(path);
    else yield { ...summary, day };
  }
}

/** "2-4, 9" -> 2, 3, 4, 9, the inverse of `rowRanges`; parts that are no numbers are skipped. */
export function parseRowRanges(text: string): readonly number[] {
  return text.split(', ').flatMap((run) => {
    const [first = Number.NaN, last = first] = run.split('-').map(Number);
    return Number.isNaN(first) ? [] : Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

function* listFiles(root: string, ending: string) {
  for (const one of OUTPUT_FOLDERS) {
    for (const day of listNames(join(root, one)).filter((name) => DAY_FOLDER.test(name))) {
      for (const within of foldersOfDay(one, day)) {
        const folder = join(root, one, within);
        for (const name of listNames(folder)) if (name.endsWith(ending)) yield { folder, in: one, day, within, name };
      }
    }
  }
}
