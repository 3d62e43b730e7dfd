/**
 * How events enter the chain: each has a number and a line with its hash; a link of the chain has the hash of the lines
 * since the link before it. The lines are kept, so that a proof can name the event that was changed, removed or added.
 */
import { sha256Hex } from '../../text/sha256.ts';

/** A row of the table `event`. */
export type RecordedEvent = {
  /** From 1, without gaps; null if a program that does not number events added it. */
  readonly n: number | null;
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly what: string;
  readonly entry: string | null;
  readonly file: string | null;
  readonly run: string | null;
  readonly person: string | null;
  /** JSON; null if there is none, or if it was purged. */
  readonly detail: string | null;
  /** SHA-256 (hex) of a detail that was purged. */
  readonly detailSha256: string | null;
};

/** The events that one link of the chain covers. */
export type EventSeal = {
  readonly link: number;
  readonly first: number;
  readonly last: number;
  /** A line for each event; absent for the events from before events had links. */
  readonly lines?: string;
};

/** One line of a seal, as it was recorded. */
export type SealedEvent = {
  readonly n: number;
  readonly what: string;
  /** Id of the entry, or of the source file; `-` for the ledger as a whole. */
  readonly about: string;
  readonly sha256: string;
};

/** The line of an event, with its line end: number, what, the entry or file that it is about, and its hash. */
export function sealLine(event: RecordedEvent): string {
  const { n, what, entry, file } = event;
  return `${n} ${what} ${entry ?? file ?? '-'} ${eventSha256(event)}\n`;
}

export function readSealLines(lines: string): readonly SealedEvent[] {
  return lines.split('\n').flatMap((line) => {
    const [n, what, about, sha256] = line.split(' ');
    if (what === undefined || about === undefined || sha256 === undefined) return [];
    return [{ n: Number(n), what, about, sha256 }];
  });
}

/** SHA-256 (hex) of the canonical JSON of an event, in which the hash of the detail is in the place of the detail. */
export function eventSha256({
  n,
  id,
  at,
  what,
  entry,
  file,
  run,
  person,
  detail,
  detailSha256,
}: RecordedEvent): string {
  const hash = detail === null ? detailSha256 : sha256Hex(detail);
  return sha256Hex(JSON.stringify(['nightpost-event-1', n, id, at, what, entry, file, run, person, hash]));
}
