/** Receipts and summaries as they lie in the folders of an instance, for a ledger that has to learn from them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definedOnly } from '../model/defined-only.ts';
import type { Folder } from '../model/state.ts';
import { sha256Hex } from '../text/sha256.ts';
import { type Receipt, receiptShape } from './receipt-schema.ts';

const FOLDERS: readonly Folder[] = ['outbox', 'pending', 'error'];
const RECEIPT = '.receipt.json';
const SUMMARY = '.summary.json';

export type StoredReceipt = {
  /** Stem of its file name. */
  readonly name: string;
  readonly folder: Folder;
  readonly day: string;
  readonly receipt: Receipt;
  /** Absent where it is missing, or not the one that the receipt names. */
  readonly payload?: string;
};

/** As much of a summary as makes its source file known again. */
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
  readonly table: readonly { readonly id?: string }[];
};

/** What cannot be read is told to `unreadable`, with its path, and left out. */
export function* readReceipts(root: string, unreadable: (path: string) => void): Iterable<StoredReceipt> {
  for (const { folder, in: place, day, name } of listFiles(root, RECEIPT)) {
    const path = join(folder, name);
    const parsed = receiptShape.safeParse(readJson(path));
    if (!parsed.success) {
      unreadable(path);
      continue;
    }
    const receipt = parsed.data;
    const payload = receipt.payload ? readText(join(folder, receipt.payload.file)) : undefined;
    const whole = payload !== undefined && sha256Hex(payload) === receipt.payload?.sha256;
    if (receipt.payload && !whole) unreadable(join(folder, receipt.payload.file));
    yield definedOnly({
      name: name.slice(0, -RECEIPT.length),
      folder: place,
      day,
      receipt,
      payload: whole ? payload : undefined,
    });
  }
}

export function* readSummaries(root: string, unreadable: (path: string) => void): Iterable<StoredSummary> {
  for (const { folder, day, name } of listFiles(root, SUMMARY)) {
    const summary = readJson(join(folder, name)) as (StoredSummary & { readonly summary?: unknown }) | undefined;
    if (summary?.summary !== 1 || typeof summary.file?.id !== 'string') unreadable(join(folder, name));
    else yield { ...summary, day };
  }
}

/** "2-4, 9" -> 2, 3, 4, 9. */
export function parseRowRanges(text: string): readonly number[] {
  return text.split(', ').flatMap((run) => {
    const [first = Number.NaN, last = first] = run.split('-').map(Number);
    return Number.isNaN(first) ? [] : Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

function* listFiles(root: string, ending: string) {
  for (const one of FOLDERS) {
    for (const day of listNames(join(root, one))) {
      if (!/^\d{4}-\d\d-\d\d$/.test(day)) continue;
      const folder = join(root, one, day);
      for (const name of listNames(folder)) if (name.endsWith(ending)) yield { folder, in: one, day, name };
    }
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path) ?? '');
  } catch {
    return undefined;
  }
}
