/** Everything that was understood of a sample, from which a draft is written. */
import type { Decimal } from '../model/decimal.ts';
import type { Language } from '../model/words.ts';
import type { Amounts } from './arithmetic.ts';
import type { ControlTotal } from './control-totals.ts';
import type { Candidate, Grouping } from './grouping.ts';
import type { Notes } from './notes.ts';
import type { Marks } from './number-proof.ts';
import type { Roles } from './roles.ts';
import type { SampleColumn, SampleTable } from './sample-table.ts';
import type { CsvSource } from './sheet.ts';
import type { SiblingList } from './siblings.ts';
import type { XmlSource } from './tree.ts';
import type { Vat } from './vat.ts';

export type Understanding = {
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
  readonly candidates: readonly Candidate[];
  readonly grouping: Grouping;
  readonly roles: Roles;
  readonly marks: Marks;
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
  readonly notes: Notes;
};

/** A row's rate in percent. */
export type RateOf = (row: number) => Decimal | undefined;
