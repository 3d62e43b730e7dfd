/** All results of the analysis of a sample; a draft is written from it alone. Types only. */

import type { Language } from '../../i18n/message.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleSource } from '../sample/sample-source.ts';
import type { SampleColumn, SampleTable } from '../sample/sample-table.ts';
import type { DraftTarget } from '../vocabulary/draft-targets.ts';
import type { Amounts } from './amount-evidence.ts';
import type { Roles } from './column-roles.ts';
import type { ControlTotal } from './control-total-evidence.ts';
import type { DocumentGrouping, GroupingCandidate } from './document-grouping.ts';
import type { NumberMarks } from './number-evidence.ts';
import type { SiblingList } from './sibling-records.ts';
import type { Vat } from './vat-evidence.ts';

/** Columns are the objects of `table.columns`: they serve as keys everywhere. */
export type DraftAnalysis = {
  /** Name of the sample file. */
  readonly file: string;
  /** Name of the future mapping. */
  readonly id: string;
  readonly target: DraftTarget;
  /** Language of the sentences that operators read. */
  readonly language: Language;
  readonly source: SampleSource;
  readonly table: SampleTable;
  readonly candidates: readonly GroupingCandidate[];
  readonly grouping: DocumentGrouping;
  readonly roles: Roles;
  readonly marks: NumberMarks;
  readonly decimalOf: (column: SampleColumn) => ',' | '.';
  /** The pattern of most date columns. */
  readonly dates: string | undefined;
  readonly patternOf: (column: SampleColumn) => string | undefined;
  readonly amounts: Amounts;
  readonly vat: Vat;
  /** Control totals that trailers and totals rows prove. */
  readonly controls: readonly ControlTotal[];
  /** Records next to the lines that agree with the totals of their documents. */
  readonly lists: readonly SiblingList[];
  readonly notes: DraftNotes;
};
