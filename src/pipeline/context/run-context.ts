/**
 * The context of every step of a run: the instance, the ledger, the services, the clock; and the events that it emits.
 */
import type { Destination, Http } from '../../delivery/service.ts';
import type { TokenSource } from '../../delivery/token-cache.ts';
import type { InboxMemory } from '../../inbox/at-rest.ts';
import type { WaitingFile } from '../../inbox/scan-inbox.ts';
import type { Instance } from '../../instance/instance.ts';
import type { AnswerFieldProblem } from '../../ledger/contract/answer-store.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { RunEnd, RunKind } from '../../ledger/contract/run-record.ts';
import type { Fault } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import type { CanaryPolicy } from '../service-state/canary-release.ts';
import type { CircuitBreaker } from '../service-state/circuit-breaker.ts';
import type { CommonCauseDetector } from '../service-state/common-cause-stop.ts';
import type { RateController } from '../service-state/rate-controller.ts';
import type { Accounts } from '../service-state/sender-accounts.ts';
import type { ReadingMarks } from './reading-marks.ts';

/** Time for the whole pipeline, so that tests replace it. */
export type Clock = {
  readonly now: () => Date;
  /** Milliseconds that never go back. */
  readonly monotonic: () => number;
  /** Resolves early, without an error, when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** One service during a run: its connection, and the limits that apply to it. */
export type ServiceRuntime = {
  readonly destination: Destination;
  readonly http: Http;
  /** The credentials for each document. */
  readonly accounts: Accounts;
  /** Undefined: a consultation has the credentials of its document. */
  readonly consultTokens?: TokenSource;
  readonly breaker: CircuitBreaker;
  readonly canary: CanaryPolicy;
  readonly commonCause: CommonCauseDetector;
  readonly rate: RateController;
  /** The least time between two consultations is kept over all rounds. */
  readonly consultRate: RateController;
};

/** An event, for the code that shows or logs it. Nothing depends on it: the ledger has the facts. */
export type PipelineEvent =
  /** A ledger that never sent anything takes the services of the settings; once for each change. */
  | { readonly what: 'ledger-bound'; readonly says: string }
  | { readonly what: 'run-started'; readonly kind: RunKind; readonly version: string }
  | ({ readonly what: 'run-ended' } & RunEnd)
  /** Documents that earlier runs left to be sent. */
  | { readonly what: 'queued'; readonly documents: number }
  /** Stays in the inbox: still empty, still growing, or without its marker. */
  | { readonly what: 'left-waiting'; readonly file: string; readonly why: WaitingFile['why'] }
  | { readonly what: 'file-claimed'; readonly file: string; readonly bytes: number }
  | {
      readonly what: 'file-admitted';
      readonly id: string;
      readonly file: string;
      readonly documents: number;
      readonly rows: number;
      /** Warnings about the file as a whole. */
      readonly faults: readonly Fault[];
    }
  | { readonly what: 'file-refused'; readonly file: string; readonly faults: readonly Fault[] }
  /** Its private copy is gone; what was made of it before stays. */
  | { readonly what: 'source-missing'; readonly file: string; readonly fault: Fault }
  | { readonly what: 'file-duplicate'; readonly file: string; readonly first: string }
  /** One of two files that belong together stays in the inbox for the other. */
  | { readonly what: 'file-waits'; readonly file: string; readonly for: string; readonly untilMs: number }
  /** Neither a decision nor removed: in a folder where a moved receipt is one. */
  | {
      readonly what: 'left-in-folder';
      readonly folder: string;
      /** The first of them, and why. */
      readonly files: readonly string[];
      readonly count: number;
    }
  /** What became of the documents of a correction file. */
  | {
      readonly what: 'corrections';
      readonly file: string;
      readonly corrected: number;
      readonly readAgain: number;
      readonly unchanged: number;
      readonly refused: number;
      readonly faults: readonly Fault[];
    }
  /** The rows of its failed documents could not be written as a correction file. */
  | { readonly what: 'no-to-fix'; readonly file: string; readonly why: string }
  /** Its failed rows are too many, or too long, for a workbook: they are in the CSV file alone. */
  | { readonly what: 'no-workbook'; readonly file: string; readonly most: number }
  | { readonly what: 'inbox-refused'; readonly file: string; readonly fault: Fault }
  | {
      readonly what: 'document';
      readonly id: string;
      readonly identifier: string;
      readonly state: State;
      readonly reason: string;
    }
  /** Not in the log: the rate of consultations makes the run wait. */
  | { readonly what: 'consultation-waits'; readonly service: string; readonly count: number; readonly ms: number }
  | { readonly what: 'service-waits'; readonly service: string; readonly says: string; readonly ms: number }
  /** What was queued of a mapping is held: its documents were rejected one after the other for one cause. */
  | {
      readonly what: 'mapping-held';
      readonly service: string;
      readonly mapping: string;
      readonly says: string;
      readonly documents: number;
    }
  | {
      readonly what: 'service-stopped';
      readonly service: string;
      readonly cause: ServiceHalt['cause'];
      readonly says: string;
    }
  /** Nothing of this name came since the hour before the one that has passed. */
  | {
      readonly what: 'export-missing';
      readonly name: string;
      readonly files: string;
      readonly due: string;
      readonly since: string;
    }
  /** A watch goes on with the mappings it began with. `faults`: why it could not begin with those there are now. */
  | { readonly what: 'mappings-changed'; readonly files: readonly string[]; readonly faults: readonly Fault[] }
  /** The request of a person was carried out; `code` if it was refused. */
  | {
      readonly what: 'act';
      readonly act: string;
      readonly request: string;
      readonly person: string;
      readonly ms: number;
      readonly code?: string;
    }
  /** Another person has to approve it until `expires` (ISO 8601). */
  | {
      readonly what: 'act-waits';
      readonly act: string;
      readonly request: string;
      readonly person: string;
      readonly expires: string;
    }
  /** A try to send a notice, or a sign of life that did not arrive. */
  | {
      readonly what: 'notice';
      readonly channel: string;
      readonly notice?: string;
      readonly result: 'sent' | 'waiting' | 'failed';
      readonly problem?: string;
    }
  /** What people ask for is not carried out in this run; their programs do it after it. */
  | { readonly what: 'requests-unreadable'; readonly problem: string }
  /** An answer file for the ERP is in its folder. */
  | {
      readonly what: 'answers-written';
      readonly file: string;
      readonly folder: string;
      readonly documents: number;
    }
  /** A folder for answers cannot take files: answers wait, nothing else. */
  | {
      readonly what: 'answers-delayed';
      readonly folder: string;
      readonly path: string;
      readonly code: string;
      readonly says: string;
    }
  /** Fields of the answer files of a round that are not as the mapping means them. */
  | { readonly what: 'answers-incomplete'; readonly fields: readonly AnswerFieldProblem[] }
  /** The answers of an export, or of all, could not be made: they are tried again. */
  | { readonly what: 'answers-failed'; readonly file?: string; readonly problem: string }
  /** `worker`: the watch that left them, where it is known; an interrupted run otherwise. */
  | {
      readonly what: 'recovered';
      readonly files: number;
      readonly inDoubt: number;
      readonly worker?: { readonly host: string; readonly pid: number };
    }
  /** Takes no files: the worker that writes receipts has another version, other settings, or other mappings (ids). */
  | {
      readonly what: 'conversion-waits';
      readonly host: string;
      readonly pid: number;
      readonly version: boolean;
      readonly settings: boolean;
      readonly mappings: readonly string[];
    }
  | { readonly what: 'conversion-goes-on' }
  /** Files that a worker which had stood still replaced, or left in another folder, after others had taken its work over. */
  | { readonly what: 'written-again'; readonly receipts: number; readonly summaries: number };

/** Why a service takes no more documents in this run, or with `same-cause` no more of one mapping. */
export type ServiceHalt = {
  readonly service: string;
  readonly cause:
    | 'credentials'
    | 'unreachable'
    | 'paused'
    | 'foreign-echo'
    | 'errors'
    | 'not-configured'
    | 'no-send'
    | 'same-cause';
  readonly mapping?: string;
  readonly says: string;
};

/** Passed to every step; a step that needs other behavior gets a copy with one part replaced. */
export type RunContext = {
  readonly instance: Instance;
  readonly ledger: Ledger;
  /** By service name. */
  readonly services: ReadonlyMap<string, ServiceRuntime>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Name of this run, in receipts and folders: 20261120-0130-7f3a. */
  readonly run: string;
  readonly startedAt: Date;
  /** The same moment on the clock that never goes back. */
  readonly startedMonotonic: number;
  /** The time of files (`timeOfFiles`) before this program wrote any: what is older was left by another one. */
  readonly startedFilesMs: number;
  /** Local day of the run, YYYY-MM-DD. */
  readonly day: string;
  readonly readingMarks: ReadingMarks;
  /** What earlier looks into the inbox saw. */
  readonly inboxMemory: InboxMemory;
  /** Aborted when the program is asked to end: nothing new begins, what is under way is finished. */
  readonly stop: AbortSignal;
  readonly emit: (event: PipelineEvent) => void;
};
