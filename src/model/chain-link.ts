/**
 * A link of the chain that binds all receipts and summaries: which file was written, its hash, and the hash of the link
 * before. Changing one of them later changes every hash behind it.
 */
import { sha256Hex } from '../text/sha256.ts';

export type Link = {
  /** From 1, without gaps. */
  readonly n: number;
  readonly what: 'receipt' | 'summary';
  /** Of the entry, or of the source file. */
  readonly id: string;
  /** Of the entry; of a summary the number of changes it knew. */
  readonly revision: number;
  /** Of the entry, or of the source file. */
  readonly state: string;
  /** How many attempts the receipt tells. */
  readonly attempts: number;
  /** SHA-256 (hex) of the bytes of the file. */
  readonly sha256: string;
  /** SHA-256 (hex) of the payload beside a receipt. */
  readonly payloadSha256?: string;
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
  /** Hash of link n - 1; absent in the first. The text of the file names it too. */
  readonly previous?: string;
};

/** The last link, as it is written down elsewhere. */
export type Head = { readonly n: number; readonly hash: string };

/** Where new links are added, and what they say of their making. */
export type ChainEnd = {
  /** Absent while there is no link. */
  readonly head?: Head;
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
};

/** What is hashed: one line without a line end, parts parted by one blank, "-" for what is not there. */
export function linkLine(link: Link): string {
  const { n, previous = '-', what, id, revision, state, attempts, sha256, payloadSha256 = '-', run, at } = link;
  return ['nightpost-link-1', n, previous, what, id, revision, state, attempts, sha256, payloadSha256, run, at].join(
    ' ',
  );
}

/** Each is asked for where the link is made and again where it is written down; a link never changes. */
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

/** Undefined where the text is no head. */
export function readHead(text: string): Head | undefined {
  const [, n, value] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text.trim().toLowerCase()) ?? [];
  return n === undefined || value === undefined ? undefined : { n: Number(n), hash: value };
}
