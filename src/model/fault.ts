/**
 * Faults: what is wrong with somebody's data, as plain values. Collected, never thrown, all of a document at once.
 *
 * A code reads `<stage or kind>/<words>`, never changes its meaning and is documented in docs/reference/faults.md.
 */

import { format, formatRecorded, type Language, type Message, verbatimText } from '../i18n/message.ts';
import { FAULT_LEVEL } from '../i18n/messages/states-messages.ts';
import { escapeControls } from '../text/printable.ts';
import { definedItems, definedOnly } from './defined-only.ts';
import type { Origin } from './origin.ts';

/** What a fault says, in every language. A symbol, so that receipts and what is shown as JSON never hold it. */
export const MESSAGE: unique symbol = Symbol('said');

type Phrases = { readonly message: Message; readonly hint?: Message };

/** The words of a fault: English, until `spoken` says them in another language. */
export type Localizable = { readonly message: string; readonly hint?: string; readonly [MESSAGE]: Phrases };

export function withMessage(message: Message, hint?: Message): Localizable {
  const english = format(message, 'en');
  if (hint === undefined) return { message: english, [MESSAGE]: { message } };
  return { message: english, hint: format(hint, 'en'), [MESSAGE]: { message, hint } };
}

/** Nothing is wrong with single cells: no correction file is written for such a document. */
export const DOCUMENT_TOO_LARGE = 'map/document-too-large';

export type Fault = {
  readonly code: string;
  /** A warning is shown and recorded; an error forbids the document (or the file). */
  readonly level: 'error' | 'warning';
  /** One sentence with the value in it; what to do stands in `hint`. */
  readonly message: string;
  /** JSON pointer into the document: "/lines/2/unit-price". */
  readonly at?: string;
  readonly origin?: Origin;
  /** Other rows of the document in which the column holds the same text: it is told once. */
  readonly moreRows?: readonly number[];
  /** The text that was found. */
  readonly given?: string;
  /** What the person who reads this can do. */
  readonly hint?: string;
  /** Absent where a fault is for consultants, or was recorded by a version that kept the words alone. */
  readonly [MESSAGE]?: Phrases;
  /** What `given` most likely was before it was damaged: for a person to take over (`fix --suggested`), never for the program. */
  readonly suggestion?: string;
  /** The place in a mapping or settings file that has to be changed. */
  readonly mark?: Mark;
  /** The rule of content that is broken: FR-NUM-1 (docs/reference/rules.md). */
  readonly rule?: string;
  /** No correction of cells cures it, as where a row has too many of them: the ERP has to export it again. */
  readonly onlyInErp?: true;
  /** Set where the rule has another severity than its own, and why: the settings, or what follows from it. */
  readonly changed?: { readonly from: 'error' | 'warning'; readonly reason: string };
};

/** A fault of somebody's data, which an operator reads: it can be said in each language. */
export type DataFault = Fault & Localizable;

/** The faults in the language of the settings, short enough to be read: for what records or shows them. */
export function localize(faults: readonly Fault[], language: Language): readonly Fault[] {
  return faults.map((fault) => {
    const phrases = fault[MESSAGE];
    if (phrases === undefined) return fault;
    const { message, hint } = phrases;
    if (RECORDED.has(phrases)) return recordedIn(fault, phrases, language);
    const words = definedOnly({ message: format(message, language), hint: hint ? format(hint, language) : undefined });
    return truncateFault({ ...fault, ...words });
  });
}

/** Phrases that a ledger held: the catalogue of today may lack them, or give them other values. */
const RECORDED = new WeakSet<Phrases>();

function recordedIn(fault: Fault, { message, hint }: Phrases, language: Language): Fault {
  const words = formatRecorded(message, language);
  const advice = hint && formatRecorded(hint, language);
  if (words === undefined || (hint !== undefined && advice === undefined)) return fault;
  return truncateFault(definedOnly({ ...fault, message: words, hint: advice }));
}

/** What a ledger holds of a fault in JSON: `phrases` are the ids and values of its messages. */
type StoredFault = Omit<Fault, typeof MESSAGE> & { readonly phrases?: string };

/** A message with the text of a megabyte in it stays as it is cut. */
const LONGEST_PHRASES = 2000;

/**
 * The JSON that a ledger stores: the words of today and, so that they can be shown in another language later, ids and
 * values of the messages. Those are JSON inside a text: a search for `"code":"..."` in the column never meets a value.
 */
export function storedFaults(faults: readonly Fault[], language: Language): string {
  const stored = faults.map((fault): StoredFault => {
    const given = fault[MESSAGE];
    if (given === undefined) return fault;
    const worded = RECORDED.has(given) ? fault : localize([fault], language)[0]!;
    return definedOnly({ ...worded, phrases: storedPhrases(given) });
  });
  return JSON.stringify(stored);
}

/** Faults as a ledger stored them, in their words of that time; `localize` says them in those of today. */
export function readStoredFaults(json: string): readonly Fault[] {
  return (JSON.parse(json) as readonly StoredFault[]).map(({ phrases, ...fault }) => {
    if (phrases === undefined) return fault;
    const read = readPhrases(phrases);
    // Not enumerable: two faults are the same whose words are.
    return Object.defineProperty(fault, MESSAGE, { value: read });
  });
}

/** Messages as JSON for the ledger; undefined for none, and where they are too long for it. */
export function storedPhrases(given: Phrases | undefined): string | undefined {
  const text = given && JSON.stringify(given);
  return text === undefined || text.length > LONGEST_PHRASES ? undefined : text;
}

/** Messages of the ledger, which the catalog of today may lack. */
export function readPhrases(text: string): Phrases {
  const read = JSON.parse(text) as Phrases;
  RECORDED.add(read);
  return read;
}

/** A place in a text file that people write: line and column from 1, `text` the whole line for the underline. */
export type Mark = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly text: string;
};

/** English where it speaks of settings and mappings, a sentence where an operator reads it. */
type Text = string | Message;

/**
 * What an operator or consultant can mend before anything starts: settings, mapping files, folders, the ledger; or why
 * nothing was done. `message` and `hint` are English, `told` says them in the language of the settings.
 */
export class OperatorError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly faults: readonly Fault[];
  readonly #said: { readonly message: Text; readonly hint?: Text | undefined };

  constructor(
    code: string,
    message: Text,
    options: { hint?: Text | undefined; cause?: unknown; faults?: readonly Fault[] } = {},
  ) {
    super(textIn(message, 'en'), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SetupError';
    this.code = code;
    this.hint = options.hint === undefined ? undefined : textIn(options.hint, 'en');
    this.faults = options.faults ?? [];
    this.#said = { message, hint: options.hint };
  }

  /** What it says, as part of another message. */
  get texts(): { readonly message: Message; readonly hint: Message | undefined } {
    const { message, hint } = this.#said;
    return { message: messageOf(message), hint: hint === undefined ? undefined : messageOf(hint) };
  }

  told(language: Language): { readonly message: string; readonly hint?: string } {
    const { message, hint } = this.#said;
    return definedOnly({
      message: textIn(message, language),
      hint: hint === undefined ? undefined : textIn(hint, language),
    });
  }
}

function messageOf(text: Text): Message {
  return typeof text === 'string' ? verbatimText(text) : text;
}

function textIn(text: Text, language: Language): string {
  return typeof text === 'string' ? text : format(text, language);
}

/** JSON pointer -> the cells that the value there was made from. */
export type Trace = ReadonlyMap<string, readonly Origin[]>;

/** What is known of the rows of a document. */
export type FaultSource = {
  /** Where the document begins; asked only where there is a fault, because the path of an element takes a while. */
  readonly whole?: (() => Origin) | undefined;
  /** The text of a cell. */
  readonly textOf?: ((origin: Origin) => string | undefined) | undefined;
  /** Where the part of a document begins that a value of this cell stands in. */
  readonly partOf?: ((origin: Origin) => Origin | undefined) | undefined;
};

const ENTRY = /\/\d+$/;

/**
 * The fault with its cell: that of its pointer, else of the nearest parent, else where the part that lacks something
 * begins, which is known by its other values, else where the document does. Of several cells the
 * one that holds what was found wrong: `= IF($Type = "13"; $Number; "")` reads the type as well, which is not to blame;
 * of empty ones the last, because a condition, which may be answered by an empty cell, is read first.
 */
export function locate(fault: Fault, trace: Trace, { whole, textOf, partOf }: FaultSource = {}): Fault {
  if (fault.origin !== undefined) return fault;
  let at = fault.at;
  while (at !== undefined && at !== '') {
    const [first, ...others] = trace.get(at) ?? [];
    if (first) {
      const isWrong = (one: Origin) => textOf?.(one)?.trim() === fault.given;
      const all = [first, ...others];
      const blamed =
        others.length === 0 || !textOf ? first : fault.given === '' ? all.findLast(isWrong) : all.find(isWrong);
      return { ...fault, origin: blamed ?? first };
    }
    const near = partOf && ENTRY.test(at) ? beside(trace, at) : undefined;
    const part = near && partOf!(near);
    if (part) return { ...fault, origin: part };
    at = at.slice(0, at.lastIndexOf('/'));
  }
  return whole ? { ...fault, origin: whole() } : fault;
}

/** The first cell of any value below. */
function beside(trace: Trace, at: string): Origin | undefined {
  for (const [pointer, [first]] of trace) if (first && pointer.startsWith(`${at}/`)) return first;
  return undefined;
}

/** As a compiler shows it: `ventes.csv:14:PRIX_U  map/not-a-number  "12,5O" is not a number ...  (/lines/2/unit-price)`. */
export function showFault(fault: Fault): string {
  return showFaultIn(fault, 'en');
}

/** The same in the language that its message was spoken in. */
export function showFaultIn(fault: Fault, language: Language): string {
  const { origin } = fault;
  const element = origin?.path ?? origin?.column;
  const place = origin
    ? definedItems([
        escapeControls(origin.file),
        origin.row > 0 ? String(origin.line ?? origin.row) : undefined,
        element === undefined ? undefined : escapeControls(element),
      ])
    : [];
  const parts = [
    place.join(':'),
    fault.level === 'warning' ? `${fault.code} (${format(FAULT_LEVEL.warning(), language)})` : fault.code,
    escapeControls(fault.message),
  ];
  const text = parts.filter((part) => part !== '').join('  ');
  return `${text}${fault.hint ? ` - ${escapeControls(fault.hint)}` : ''}${fault.at ? `  (${escapeControls(fault.at)})` : ''}`;
}

const LONGEST = 600;

/** A cell of a megabyte may stand in a message: people see its beginning and its end, `given` keeps it whole. */
export function truncateFault(fault: Fault): Fault {
  const { message, hint } = fault;
  if (message.length <= LONGEST && (hint === undefined || hint.length <= LONGEST)) return fault;
  return definedOnly({ ...fault, message: cut(message), hint: hint === undefined ? undefined : cut(hint) });
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 200)} ... ${text.slice(-100)}`.toWellFormed();
}

/** Whether the fault is in this row of its file, be it told there or with another row. */
export function isInRow({ origin, moreRows = [] }: Fault, row: number): boolean {
  return origin !== undefined && (origin.row === row || moreRows.includes(row));
}

export function isOnlyInErp({ level, onlyInErp }: Fault): boolean {
  return level === 'error' && onlyInErp === true;
}

export function isError(fault: Fault): boolean {
  return fault.level === 'error';
}
