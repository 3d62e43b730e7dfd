/**
 * The part of the ledger for morning reports: which were written, with their hashes and their link in the chain, and what
 * control files of the ERP state. Times are ISO 8601 in UTC.
 */
import type { Attempt } from '../../model/answer.ts';
import type { Link } from '../../model/chain-link.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import type { RunDocument } from './query-store.ts';

/** A report that was written as two files, `<id>.report.json` and `<id>.report.html` below reports/. */
export type RecordedReport = {
  /** DAY/RUN; a further report of one run on one day has a number after it. */
  readonly id: string;
  readonly run: string;
  /** YYYY-MM-DD: its folder. */
  readonly day: string;
  readonly at: string;
  /** What happened from this instant on is in it. */
  readonly since: string;
  /** Number of its link in the chain of receipts. */
  readonly link: number;
  /** SHA-256 (hex) of the JSON file and of the page. */
  readonly sha256: string;
  readonly pageSha256: string;
  /** Events that the ledger had recorded by then. */
  readonly events: number;
  /** Its files were removed: when, by whom and why. */
  readonly purged?: { readonly at: string; readonly by: string; readonly reason: string };
};

/** What a control file states about the exports next to it; `problem` where it cannot be read. Amounts are exact texts. */
export type ControlFile = {
  /** Name of the expected export. */
  readonly expect: string;
  readonly name: string;
  readonly sha256: string;
  readonly modifiedAt: string;
  readonly at: string;
  readonly run: string;
  readonly documents?: number;
  readonly amount?: string;
  readonly problem?: string;
};

/** Acts of people of one kind: the name of the event, who, and how often. */
type DecisionCount = { readonly what: string; readonly person: string; readonly count: number };

/** What of a document counts in the report of a night. */
export type NightDocument = RunDocument & {
  readonly file: SourceFile;
  /** It passed the checks, with warnings. */
  readonly warned: boolean;
  /** Milliseconds of the longest answer in the night; 0 without one. */
  readonly longestMs: number;
  /** What the run tried with it; empty where the run took it in. */
  readonly acts: ReadonlySet<Attempt['act']>;
};

/**
 * What of a document that an export of a night has counts in its sums. `exportedAgain`: a later export has it too, and it is of the night of that one;
 * its facts are those of the earlier export. `corrected`: it is not as the night read it.
 */
export type DocumentOfNight = RunDocument & { readonly exportedAgain: boolean; readonly corrected: boolean };

/** What a report covers. */
export type ReportWindow = {
  /** Its run; `isWhole`: no earlier report was of this run. */
  readonly run: string;
  readonly isWhole: boolean;
  /** ISO 8601. */
  readonly since: string;
  /** Number of the last link before, 0 for none: what was written until then happened before, whatever the clock showed. */
  readonly after: number;
  readonly until: Date;
};

export type ReportStore = {
  /**
   * Documents of the window, some hundreds at a time, with the acts of `run`: in their state since that time or later, and with
   * a later receipt than the link, or none that is up to date.
   */
  documentsIn(window: ReportWindow): AsyncIterable<readonly NightDocument[]>;
  /** The documents of the exports of the night of a run (`night` of a selector), some hundreds at a time. */
  documentsOfNight(run: string): AsyncIterable<readonly DocumentOfNight[]>;
  /** The files of a report are about to be written: until it is recorded, they are of the ledger, and belong to no report. */
  beginReport(report: Pick<RecordedReport, 'id' | 'run'>): Promise<void>;
  /** Ids of reports that began and were not recorded; with `run` only what stops left: of this run, and of none that works. */
  unfinishedReports(run?: string): Promise<readonly string[]>;
  /** The files of a report that began are gone. */
  dropReport(id: string): Promise<void>;
  /**
   * Records a report with its link, in one commit, and that these exports are of its night: those that have no report yet, and are read
   * to their end. Throws if another writer has extended the chain.
   */
  recordReport(report: Omit<RecordedReport, 'link' | 'purged'>, link: Link, exports: readonly string[]): Promise<void>;
  /** The one that was written last first, whatever the clock showed, at most `limit` (1000). `since`: written then or later; `day`: of this folder. */
  list(selector: {
    readonly run?: string;
    readonly day?: string;
    readonly since?: string;
    readonly limit?: number;
  }): Promise<readonly RecordedReport[]>;
  /** Records that the files of the report are removed. */
  purgeReport(id: string, purged: NonNullable<RecordedReport['purged']>): Promise<void>;
  /** Records a control file; the same file once more changes nothing. */
  recordControlFile(file: ControlFile): Promise<void>;
  /** Control files that were taken after this instant, the oldest first. */
  controlFilesAfter(since: string): Promise<readonly ControlFile[]>;
  /** Acts of people after the event with this number, by kind and person. */
  decisionsAfter(event: number): Promise<readonly DecisionCount[]>;
};
