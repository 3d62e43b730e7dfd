/** How the intake of a file ends: what the ledger records of the file and of its documents. */

import type { DocumentOutcome } from '../../model/document.ts';
import type { Fault } from '../../model/fault.ts';
import type { CarriedAttachment, MappingStamp } from '../../model/ledger-entry.ts';
import type { SkippedRow } from '../../model/row.ts';
/** Why no document is made of a file. `rows`: how many it has. */
export type FileRefusal = {
  readonly faults: readonly Fault[];
  readonly mapping?: MappingStamp;
  readonly encoding?: string;
  readonly rows: number;
  readonly leftOut: readonly SkippedRow[];
};

/** What is recorded of an admitted file. Without mapping it is a correction file: its rows belong to documents of another. */
export type Admission = FileRefusal & {
  /** Files that its documents carry, or would. */
  readonly attachments?: readonly CarriedAttachment[];
  /** Id of the other file of a pair. */
  readonly partner?: string | undefined;
  /** Of a file that is reprocessed: the entries whose rows have corrections. */
  readonly corrected?: readonly CorrectedRows[];
};

/** The rows of an entry as the export has them (`sourceRowsSha256`), so that a copy of them is known for one. */
export type CorrectedRows = {
  readonly entry: string;
  readonly sha256: string;
  /** The number of one that is corrected; undefined if every cell has its first value again. */
  readonly row: number | undefined;
};

/** Adds the reason to outcomes that a person has to look at first. Uses nothing else of the ledger, and may run twice. */
export type Holds = (
  outcomes: readonly DocumentOutcome[],
  hasSeen: (what: SeenQuery) => Promise<boolean>,
) => Promise<readonly DocumentOutcome[]>;

/** What is done with a loading file: as `stage` and `admit`, as `refuseFile`, or as `duplicateFile`. */
export type FileClosing = { readonly id: string } & (
  | { readonly outcomes: readonly DocumentOutcome[]; readonly holds: Holds; readonly facts: Admission }
  | { readonly refusal: FileRefusal }
  | { readonly duplicateOf: string }
);

/** What to look for among the earlier documents; those held or invalid do not count. */
export type SeenQuery =
  /** A document of this version of the mapping was queued or sent; `accepted`: and accepted by the service. */
  | { readonly of: 'mapping'; readonly id: string; readonly sha256: string; readonly accepted?: boolean }
  /** A document for this receiver was authorized. */
  | { readonly of: 'receiver'; readonly service: string; readonly receiver: string }
  /** A document of this issuer was sent; without a name: of any issuer. */
  | { readonly of: 'issuer'; readonly service: string; readonly issuer?: string }
  /** This service answered a submission, with whatever outcome. */
  | { readonly of: 'answer'; readonly service: string }
  /** A replaced ledger has read an export of these bytes again, and refused it. */
  | { readonly of: 'refusal'; readonly sha256: string };
