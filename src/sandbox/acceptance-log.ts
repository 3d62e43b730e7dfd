/**
 * What the imitated services have taken in: one record per identity, and one log line at the instant of acceptance.
 *
 * A second arrival of an accepted identity is a duplicate and is counted as one, whatever it was answered: the
 * promise "never sent twice" is measured against this log, so every one counts.
 */
import { appendFileSync, closeSync, openSync } from 'node:fs';

/** One line of the acceptance log. */
export type Acceptance = {
  readonly event: 'accepted' | 'duplicate';
  readonly service: 'fr' | 'sv';
  readonly identity: string;
  readonly requestId: string;
  /** SHA-256 (hex) of the content. */
  readonly digest: string;
  readonly at: string;
};

/** An identity as it stands; `requests` counts every submission that reached the service, dropped ones too. */
export type AcceptedDocument = {
  readonly service: 'fr' | 'sv';
  readonly identity: string;
  readonly class: string;
  readonly number: string;
  requests: number;
  accepted: number;
  duplicates: number;
  consultations: number;
  readonly requestIds: string[];
  /** The code a consultation would show; absent where nothing was processed. */
  code?: number;
  trackingId?: string;
  /** What code 8 turns into, and when. */
  becomes?: { readonly code: number; readonly at: number; readonly consultations: number };
};

type Newcomer = Pick<AcceptedDocument, 'service' | 'identity' | 'class' | 'number'> & { readonly requestId: string };

export type AcceptanceLog = {
  /** The record of the identity, made where it is new, with this request counted. */
  readonly arrive: (newcomer: Newcomer) => AcceptedDocument;
  /** Appends the line, made only where there is a log. */
  readonly enter: (line: () => Acceptance) => void;
  readonly track: (taken: AcceptedDocument, trackingId: string) => void;
  /** By tracking id or document number; of several with one number the latest. */
  readonly find: (service: 'fr' | 'sv', key: string, documentClass?: string) => AcceptedDocument | undefined;
  readonly all: () => readonly AcceptedDocument[];
  readonly reset: () => void;
  readonly close: () => void;
};

/** `logFile` is appended to and never emptied. */
export function openAcceptanceLog(logFile?: string): AcceptanceLog {
  const records = new Map<string, AcceptedDocument>();
  const byNumber = new Map<string, AcceptedDocument[]>();
  const byTracking = new Map<string, AcceptedDocument>();
  const log = logFile === undefined ? undefined : openSync(logFile, 'a', 0o600);
  return {
    arrive(newcomer) {
      const known = records.get(newcomer.identity) ?? addRecord(newcomer);
      known.requests++;
      known.requestIds.push(newcomer.requestId);
      return known;
    },
    enter(line) {
      if (log !== undefined) appendFileSync(log, `${JSON.stringify(line())}\n`);
    },
    track(taken, trackingId) {
      taken.trackingId = trackingId;
      byTracking.set(`${taken.service} ${trackingId}`, taken);
    },
    find(service, key, documentClass) {
      const candidates = byNumber.get(`${service} ${key}`) ?? [];
      const named = candidates.findLast((taken) => documentClass === undefined || taken.class === documentClass);
      return byTracking.get(`${service} ${key.toLowerCase()}`) ?? named;
    },
    all: () => [...records.values()],
    reset() {
      for (const map of [records, byNumber, byTracking]) map.clear();
    },
    close() {
      if (log !== undefined) closeSync(log);
    },
  };

  function addRecord({ service, identity, class: documentClass, number }: Newcomer): AcceptedDocument {
    const counts = { requests: 0, accepted: 0, duplicates: 0, consultations: 0 };
    const taken: AcceptedDocument = { service, identity, class: documentClass, number, ...counts, requestIds: [] };
    records.set(identity, taken);
    const key = `${service} ${number}`;
    const same = byNumber.get(key);
    if (same) same.push(taken);
    else byNumber.set(key, [taken]);
    return taken;
  }
}
