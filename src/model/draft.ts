/** The result of a mapping for a group of rows: a body that is not checked yet, and the origin of each of its values. */
import { Decimal } from './decimal.ts';
import type { Mark, Trace } from './fault.ts';

/** A JSON tree whose numbers are exact. */
export type Json = null | boolean | string | Decimal | Numbering | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/**
 * A number that the ledger assigns when it admits the document: the next of `sequence` within `scope`, once per identity
 * for good. Until then it is in the body as itself and in the JSON text as a token that no cell can contain, because
 * readers refuse NUL.
 */
export class Numbering {
  readonly sequence: string;
  /** What the numbers count within: establishment, till, year. */
  readonly scope: readonly string[];
  readonly as: 'number' | 'text';

  constructor(sequence: string, scope: readonly string[], as: 'number' | 'text') {
    this.sequence = sequence;
    this.scope = scope;
    this.as = as;
  }

  toJSON(): string {
    return this.as === 'number' ? NUMBER_TOKEN : TEXT_TOKEN;
  }
}

const NUMBER_TOKEN = '\u0000number\u0000';
const TEXT_TOKEN = '\u0000text\u0000';
const NUMBER_IN_JSON = JSON.stringify(NUMBER_TOKEN);
const TEXT_IN_JSON = JSON.stringify(TEXT_TOKEN);

/** Freezes the value and all in it: many documents may share the same object. */
export function frozen<T extends Json>(json: T): T {
  if (!isPart(json)) return json;
  for (const inner of Object.values(json)) frozen(inner as Json);
  return Object.freeze(json);
}

export function isFrozen(json: Json): boolean {
  return !isPart(json) || (Object.isFrozen(json) && Object.values(json).every(isFrozen));
}

/** A block or a list. Decimals and Numberings never change. */
function isPart(json: Json): json is JsonObject | readonly Json[] {
  return typeof json === 'object' && json !== null && !(json instanceof Decimal) && !(json instanceof Numbering);
}

/** The JSON text with the number in every place that waits for it. */
export function fillNumber(json: string, number: number | bigint): string {
  return json.replaceAll(NUMBER_IN_JSON, String(number)).replaceAll(TEXT_IN_JSON, `"${number}"`);
}

export type Draft = {
  /** Name of the document kind, the mapping's `target`: fr-invoice, fr-report, sv-remission-note. */
  readonly kind: string;
  /** Class on the wire: invoice, credit-note, corrective, report, remission-note. */
  readonly class: string;
  /** The document as structured data. */
  readonly payload?: JsonObject;
  /** The document as a file: format, filename, transport, data (Base64). */
  readonly file?: JsonObject;
  /** Its VAT is the difference between amounts with tax and the nets, as the mapping asks: `totals: { standard: { gross } }`. */
  readonly isTaxFromGross?: true;
  /** Values of the mapping's `never-twice` columns: an identity in addition to the document's own number. */
  readonly neverTwice?: readonly string[];
  /** The total as the export gives it, of a document that a fault keeps from being made; it is never sent. Found on demand. */
  readonly statedAmount?: () => Decimal | undefined;
  /** Spreadsheet rows (Row.row) the draft was made from. */
  readonly rows: readonly number[];
  /** Computed on demand by a second composition: only faults and previews need it. Pointers start at the payload. */
  readonly trace: () => Trace;
  /** JSON pointer -> the place in the mapping file that gives the value; on demand, as `trace`. */
  readonly marks?: () => ReadonlyMap<string, Mark>;
};

/** A value of a mapping that begins with it holds whatever only a person knows. */
export const FILL_IN = 'FILL IN';

/** True of a text in the place of a value of any kind: a rate, a date, an amount. */
export function isToFillIn(text: string): boolean {
  return text.startsWith(FILL_IN);
}
