/**
 * A link of the chain that binds all receipts, summaries and events: which file was written, or which events were
 * recorded, their hash, and the hash of the link before. Changing one of them later changes every hash after it.
 */

import { sha256Hex } from '../text/sha256.ts';
import type { Folder, State } from './state.ts';

export type Link = {
  /** From 1, without gaps. */
  readonly n: number;
  readonly what: 'receipt' | 'summary' | 'event' | 'report' | 'answers';
  /** Of the entry, source file, report or answer file; of events their first and last number, as FIRST-LAST. */
  readonly id: string;
  /** Of the entry; of a summary the number of changes it knew; of events how many they are; of a report 1. */
  readonly revision: number;
  /** Of the entry, or of the source file; of events `recorded`, or `upgraded` if they are older than links of events; of a report how its run ended. */
  readonly state: string;
  /** How many attempts the receipt shows. */
  readonly attempts: number;
  /** SHA-256 (hex) of the bytes of the file, or of the lines of the events. */
  readonly sha256: string;
  /** SHA-256 (hex) of the payload next to a receipt, or of the page next to a report. */
  readonly payloadSha256?: string;
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
  /** Hash of link n - 1; absent in the first. The text of the file names it too. */
  readonly previous?: string;
};

/** The last link, in the form that people record elsewhere. */
export type Head = { readonly n: number; readonly hash: string };

/** The end of the chain, and the facts that new links record. */
export type ChainEnd = {
  /** Absent while there is no link. */
  readonly head?: Head;
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
};

/** The text that is hashed: one line without a line end, its parts separated by one blank, "-" for a missing one. */
export function linkLine(link: Link): string {
  const { n, previous = '-', what, id, revision, state, attempts, sha256, payloadSha256 = '-', run, at } = link;
  return ['nightpost-link-1', n, previous, what, id, revision, state, attempts, sha256, payloadSha256, run, at].join(
    ' ',
  );
}

/** Cached: the hash of a link is needed when it is made and when it is recorded; a link never changes. */
const hashes = new WeakMap<Link, string>();

export function linkHash(link: Link): string {
  const known = hashes.get(link);
  if (known !== undefined) return known;
  const made = sha256Hex(linkLine(link));
  hashes.set(link, made);
  return made;
}

export function headOf(link: Link): Head {
  return { n: link.n, hash: linkHash(link) };
}

/** N:HASH, as people keep it. */
export function headText({ n, hash: value }: Head): string {
  return `${n}:${value}`;
}

/** Undefined if the text is not N:HASH. */
export function readHead(text: string): Head | undefined {
  const [, n, value] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text.trim().toLowerCase()) ?? [];
  return n === undefined || value === undefined ? undefined : { n: Number(n), hash: value };
}

/** A receipt that was written, for the ledger to record. */
export type NewReceipt = {
  readonly id: string;
  /** Id of its source file, whose summary is due from now on. */
  readonly file: string;
  readonly revision: number;
  readonly state: State;
  /** ISO 8601: since when in this state. */
  readonly since: string;
  /** How many attempts it shows, and how many of these with an outcome. */
  readonly attempts: number;
  readonly ended: number;
  readonly folder: Folder;
  readonly day: string;
  /** Each follows the one before it in the batch. */
  readonly link: Link;
};
