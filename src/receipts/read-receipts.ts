/**
 * Reads the receipts and summaries in the folders of an instance, one at a time, for a ledger that imports them. A file
 * that cannot be read or has another shape goes to the callback with its path; reading continues.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { definedOnly } from '../model/defined-only.ts';
import type { Folder } from '../model/state.ts';
import { sha256Hex } from '../text/sha256.ts';
import { DECISION_FOLDERS } from './decision-folders.ts';
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
  /** A person has moved it: it may be of another instance. */
  readonly isMoved?: true;
  readonly receipt: Receipt;
  /** Absent if the file is missing or its hash is not that of the receipt. */
  readonly payload?: string;
};

/** More rows than any export has. */
const MOST_ROWS = 2 ** 24;
const instant = z.string().refine((text) => !Number.isNaN(Date.parse(text)));
const ranges = z.string().refine(isRanges);

/** The part of a summary from which the ledger restores its source file; it has more keys. */
const summaryShape = z.looseObject({
  summary: z.literal(1),
  file: z.looseObject({
    id: z.string(),
    name: z.string(),
    sha256: z.string(),
    size: z.int(),
    modifiedAt: instant,
    claimedAt: instant,
    run: z.string(),
    state: z.string(),
    encoding: z.string().nullable(),
    first: z.looseObject({ id: z.string() }).nullable().optional(),
    rereads: z.string().optional(),
    partner: z.looseObject({ id: z.string(), name: z.string(), sha256: z.string() }).optional(),
  }),
  mapping: z.looseObject({ id: z.string() }).nullable(),
  faults: z.array(z.looseObject({ code: z.string() })),
  rows: z.looseObject({ read: z.int(), leftOut: z.array(z.looseObject({ rule: z.string(), rows: ranges })) }),
  /** `correctedBy`: the file of a later reading that has its rows. */
  table: z.array(
    z.looseObject({
      id: z.string().optional(),
      number: z.string().optional(),
      rows: ranges.optional(),
      correctedBy: z.looseObject({ id: z.string(), name: z.string().optional() }).optional(),
    }),
  ),
  /** Absent where there are none, and in summaries of older versions. */
  attachments: z
    .array(z.looseObject({ name: z.string(), sha256: z.string(), waiting: z.boolean().optional() }))
    .optional(),
  /** Hash of the link before that of the summary; null in the first, absent in those of versions without links. */
  previous: z.string().nullable().optional(),
});

/** A summary with the day of its folder. */
export type StoredSummary = z.infer<typeof summaryShape> & { readonly day: string };

/** Yields by folder, day and name. `unreadable` gets the path of each receipt or payload that is left out. */
export function* readReceipts(root: string, unreadable: (path: string) => void): Iterable<StoredReceipt> {
  const readOwn = readsOwn(root);
  for (const { folder, in: place, day, within, name } of listFiles(root, RECEIPT_ENDING)) {
    const path = join(folder, name);
    const receipt = importableReceipt(readOwn(path));
    if (!receipt) {
      unreadable(path);
      continue;
    }
    const payload = readPayload(folder, receipt, unreadable);
    yield definedOnly({ name: name.slice(0, -RECEIPT_ENDING.length), folder: place, day, within, receipt, payload });
  }
  yield* readMovedReceipts(root, unreadable);
}

/** Those that a person has moved into a folder of decisions, which no run has taken yet, with their payloads or without. */
function* readMovedReceipts(root: string, unreadable: (path: string) => void): Iterable<StoredReceipt> {
  const readOwn = readsOwn(root);
  for (const decision of DECISION_FOLDERS) {
    const moved = join(root, 'pending', decision);
    for (const name of listNames(moved).filter((one) => one.endsWith(RECEIPT_ENDING))) {
      const receipt = importableReceipt(readOwn(join(moved, name)));
      if (!receipt) continue;
      const since = receipt.since.slice(0, 10);
      const { folder, day, within } = placeOfPayload(root, receipt) ?? { folder: moved, day: since, within: since };
      const payload = readPayload(folder, receipt, unreadable);
      const place = { folder: 'pending' as const, day, within, isMoved: true as const };
      yield definedOnly({ name: name.slice(0, -RECEIPT_ENDING.length), ...place, receipt, payload });
    }
  }
}

function placeOfPayload(root: string, { payload }: Receipt) {
  if (!payload) return undefined;
  for (const file of listFiles(root, payload.file))
    if (file.in === 'pending' && file.name === payload.file) return file;
  return undefined;
}

/** Undefined for what no ledger imports. */
export function importableReceipt(json: unknown): Receipt | undefined {
  const { success, data } = receiptShape.safeParse(json);
  return success && isPossible(data) ? data : undefined;
}

/** The same for a summary. */
export function importableSummary(json: unknown): z.infer<typeof summaryShape> | undefined {
  return summaryShape.safeParse(json).data;
}

/** What the shape of a receipt does not say: times are times, and rows are no more than a file can have. */
function isPossible({ since, attempts, corrections, source }: Receipt): boolean {
  const times = [since, ...attempts.map(({ at }) => at), ...corrections.map(({ at }) => at)];
  return times.every((at) => instant.safeParse(at).success) && isRanges(source.allRows ?? '');
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
    const summary = importableSummary(readOwn(path));
    if (summary) yield { ...summary, day };
    else unreadable(path);
  }
}

function isRanges(text: string): boolean {
  const lengths = text.split(', ').map((run) => {
    const [first = 0, last = first] = run.split('-').map(Number);
    return last - first + 1;
  });
  return !lengths.some((length) => length < 1) && lengths.reduce((sum, one) => sum + (one || 0), 0) <= MOST_ROWS;
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
