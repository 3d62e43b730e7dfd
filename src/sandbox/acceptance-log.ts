/**
 * What the imitated services have accepted: one record per identity, and one log line at the instant of acceptance. A
 * second arrival of an accepted identity counts as a duplicate, whatever the answer: the promise "never sent twice" is
 * measured against this log. A log file that cannot be opened or written throws the system's error.
 */
import { appendFileSync, closeSync, openSync } from 'node:fs';
import type { ServiceName } from '../model/document.ts';

/** One line of the acceptance log. */
export type Acceptance = {
  readonly event: 'accepted' | 'duplicate';
  readonly service: ServiceName;
  readonly identity: string;
  readonly requestId: string;
  /** SHA-256 (hex) of the content. */
  readonly digest: string;
  readonly at: string;
};

/** An identity with its counts; `requests` counts every submission that reached the service, dropped ones too. */
export type AcceptedDocument = {
  readonly service: ServiceName;
  readonly identity: string;
  readonly class: string;
  readonly number: string;
  requests: number;
  accepted: number;
  duplicates: number;
  consultations: number;
  readonly requestIds: string[];
  /** The code that a consultation shows; absent if nothing was processed. */
  code?: number;
  trackingId?: string;
  /** The code that replaces code 8, and when: `at` in epoch milliseconds, and after how many consultations. */
  becomes?: { readonly code: number; readonly at: number; readonly consultations: number };
};

type Newcomer = Pick<AcceptedDocument, 'service' | 'identity' | 'class' | 'number'> & { readonly requestId: string };

/** The memory of both services, shared by their handlers. */
export type AcceptanceLog = {
  /** The record of the identity, created for a new one, with this request counted. */
  readonly arrive: (newcomer: Newcomer) => AcceptedDocument;
  /** Appends the line, which is only made if the sandbox has a log. */
  readonly enter: (line: () => Acceptance) => void;
  readonly track: (taken: AcceptedDocument, trackingId: string) => void;
  /** By tracking id or document number; the latest of several documents with one number. */
  readonly find: (service: ServiceName, key: string, documentClass?: string) => AcceptedDocument | undefined;
  readonly all: () => readonly AcceptedDocument[];
  readonly reset: () => void;
  readonly close: () => void;
};

/** `logFile`: JSON lines, appended and never emptied, readable only by its owner (0600). */
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
