/** Everything that was understood of a sample, from which a draft is written. */

import type { Language } from '../../i18n/message.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { CsvSource } from '../sample/csv-sample.ts';
import type { SampleColumn, SampleTable } from '../sample/sample-table.ts';
import type { XmlSource } from '../sample/xml-sample.ts';
import type { Amounts } from './amount-evidence.ts';
import type { Roles } from './column-roles.ts';
import type { ControlTotal } from './control-total-evidence.ts';
import type { DocumentGrouping, GroupingCandidate } from './document-grouping.ts';
import type { NumberMarks } from './number-evidence.ts';
import type { SiblingList } from './sibling-records.ts';
import type { Vat } from './vat-evidence.ts';

export type DraftAnalysis = {
  /** Name of the sample file. */
  readonly file: string;
  /** Of the mapping to be. */
  readonly id: string;
  readonly target: string;
  /** Of the sentences that operators read. */
  readonly language: Language;
  readonly encoding: string;
  readonly source: CsvSource | XmlSource;
  readonly table: SampleTable;
  readonly candidates: readonly GroupingCandidate[];
  readonly grouping: DocumentGrouping;
  readonly roles: Roles;
  readonly marks: NumberMarks;
  readonly decimalOf: (column: SampleColumn) => ',' | '.';
  /** The pattern most date columns have. */
  readonly dates: string | undefined;
  readonly patternOf: (column: SampleColumn) => string | undefined;
  readonly amounts: Amounts;
  readonly vat: Vat;
  /** What trailers and totals rows count or add. */
  readonly controls: readonly ControlTotal[];
  /** Records next to the lines that agree with the totals of their documents. */
  readonly lists: readonly SiblingList[];
  /** Markers of those that do not. */
  readonly strayRecords: readonly string[];
  readonly notes: DraftNotes;
};
