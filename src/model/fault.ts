/**
 * Faults: what is wrong with the data of an operator, as plain values. Collected, never thrown, all of a document at once.
 *
 * A code reads `<stage or kind>/<words>`, never changes its meaning and is documented in docs/reference/faults.md.
 */

import { format, formatRecorded, type Language, type Message, verbatimText } from '../i18n/message.ts';
import { FAULT_LEVEL } from '../i18n/messages/states-messages.ts';
import { escapeControls } from '../text/printable.ts';
import { definedItems, definedOnly } from './defined-only.ts';
import type { Origin } from './origin.ts';

/** The message of a fault, for every language. A symbol, so that receipts and JSON output never have it. */
export const MESSAGE: unique symbol = Symbol('message');

type Phrases = { readonly message: Message; readonly hint?: Message };

/** The words of a fault: English, until `localize` writes them in another language. */
export type Localizable = { readonly message: string; readonly hint?: string; readonly [MESSAGE]: Phrases };

export function withMessage(message: Message, hint?: Message): Localizable {
  const english = format(message, 'en');
  if (hint === undefined) return { message: english, [MESSAGE]: { message } };
  return { message: english, hint: format(hint, 'en'), [MESSAGE]: { message, hint } };
}

/** A fault of no single cell: no correction file is written for such a document. */
export const DOCUMENT_TOO_LARGE = 'map/document-too-large';

export type Fault = {
  readonly code: string;
  /** A warning is shown and recorded; an error forbids the document (or the file). */
  readonly level: 'error' | 'warning';
  /** One sentence with the value in it; `hint` has what to do. */
  readonly message: string;
  /** JSON pointer into the document: "/lines/2/unit-price". */
  readonly at?: string;
  readonly origin?: Origin;
  /** Other rows of the document in which the column has the same text: it is reported once. */
  readonly moreRows?: readonly number[];
  /** The text that was found. */
  readonly given?: string;
  /** What the reader can do. */
  readonly hint?: string;
  /** Absent if the fault was recorded by a version that stored only the words. */
  readonly [MESSAGE]?: Phrases;
  /** What `given` most likely was before it was damaged: for a person to accept (`fix --suggested`), never for the program. */
  readonly suggestion?: string;
  /** The place in a mapping or settings file that has to be changed. */
  readonly mark?: Mark;
  /** The rule of content that is broken: FR-NUM-1 (docs/reference/rules.md). */
  readonly rule?: string;
  /** No correction of cells fixes it, for example a row with too many cells: the ERP has to export it again. */
  readonly onlyInErp?: true;
  /** Set if the rule has another severity than its own, and why: the settings, or the rule that it follows from. */
  readonly changed?: { readonly from: 'error' | 'warning'; readonly reason: string };
};

/** A fault of data, which an operator reads: it has words in each language. */
export type DataFault = Fault & Localizable;

/** The faults in a language, short enough to be read: for output and records. */
export function localize(faults: readonly Fault[], language: Language): readonly Fault[] {
  return faults.map((fault) => localizeFault(fault, language));
}

function localizeFault(fault: Fault, language: Language): Fault {
  const phrases = fault[MESSAGE];
  if (phrases === undefined) return fault;
  if (RECORDED.has(phrases)) return recordedIn(fault, phrases, language);
  const { message, hint } = phrases;
  const words = definedOnly({ message: format(message, language), hint: hint && format(hint, language) });
  return truncateFault({ ...fault, ...words });
}

/** Phrases read from a ledger: the current catalog may lack them, or have them with other values. */
const RECORDED = new WeakSet<Phrases>();

function recordedIn(fault: Fault, { message, hint }: Phrases, language: Language): Fault {
  const words = formatRecorded(message, language);
  const advice = hint && formatRecorded(hint, language);
  if (words === undefined || (hint !== undefined && advice === undefined)) return fault;
  return truncateFault(definedOnly({ ...fault, message: words, hint: advice }));
}

/** A fault as a ledger stores it in JSON: `phrases` are the ids and values of its messages. */
type StoredFault = Omit<Fault, typeof MESSAGE> & { readonly phrases?: string };

/** Longer phrases, such as a message with a text of a megabyte, are not stored: only the truncated words are. */
const LONGEST_PHRASES = 2000;

/**
 * The JSON that a ledger stores: the current words and, so that they can be shown in another language later, ids and
 * values of the messages. Those are JSON inside a text: a search for `"code":"..."` in the column never finds a value.
 */
export function storedFaults(faults: readonly Fault[], language: Language): string {
  const stored = faults.map((fault): StoredFault => {
    const given = fault[MESSAGE];
    if (given === undefined) return fault;
    const worded = RECORDED.has(given) ? fault : localizeFault(fault, language);
    return definedOnly({ ...worded, phrases: storedPhrases(given) });
  });
  return JSON.stringify(stored);
}

/** Faults as a ledger stored them, in their words of that time; `localize` gives them the current words. */
export function readStoredFaults(json: string): readonly Fault[] {
  return (JSON.parse(json) as readonly StoredFault[]).map(({ phrases, ...fault }) => {
    if (phrases === undefined) return fault;
    const read = readPhrases(phrases);
    // Not enumerable: two faults are equal if their words are.
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

/** A string is English in every language. */
type Text = string | Message;

/**
 * An error that an operator or consultant can fix before anything starts: settings, mapping files, folders, the ledger; or
 * the reason why nothing was done. `message` and `hint` are English; `localized` returns them in another language.
 */
export class OperatorError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly faults: readonly Fault[];
  readonly #words: { readonly message: Text; readonly hint?: Text | undefined };

  constructor(
    code: string,
    message: Text,
    options: { hint?: Text | undefined; cause?: unknown; faults?: readonly Fault[] } = {},
  ) {
    super(textIn(message, 'en'), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SetupError';
    this.code = code;
    this.hint = options.hint && textIn(options.hint, 'en');
    this.faults = options.faults ?? [];
    this.#words = { message, hint: options.hint };
  }

  /** Message and hint as parts of another message. */
  get texts(): { readonly message: Message; readonly hint: Message | undefined } {
    const { message, hint } = this.#words;
    return { message: messageOf(message), hint: hint === undefined ? undefined : messageOf(hint) };
  }

  localized(language: Language): { readonly message: string; readonly hint?: string } {
    const { message, hint } = this.#words;
    return definedOnly({ message: textIn(message, language), hint: hint && textIn(hint, language) });
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
  /** Where the document begins; called only for a fault, because the path of an element takes a while. */
  readonly whole?: (() => Origin) | undefined;
  /** The text of a cell. */
  readonly textOf?: ((origin: Origin) => string | undefined) | undefined;
  /** Where the part of a document begins to which the value of this cell belongs. */
  readonly partOf?: ((origin: Origin) => Origin | undefined) | undefined;
};

const ENTRY = /\/\d+$/;

/**
 * The fault with its cell: that of its pointer, else of the nearest parent; else the begin of the part that lacks a value,
 * found by the other values of the part; else the begin of the document.
 */
export function locate(fault: Fault, trace: Trace, { whole, textOf, partOf }: FaultSource = {}): Fault {
  if (fault.origin !== undefined) return fault;
  for (let at = fault.at ?? ''; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const origin = wrongCell(trace.get(at) ?? [], fault.given, textOf) ?? partBegin(trace, at, partOf);
    if (origin) return { ...fault, origin };
  }
  return whole ? { ...fault, origin: whole() } : fault;
}

/**
 * Of several cells the one with the text that was found wrong: `= IF($Type = "13"; $Number; "")` reads the type as well,
 * which is correct. Of empty cells the last, because a condition, which an empty cell may satisfy, is read first.
 */
function wrongCell(
  cells: readonly Origin[],
  given: string | undefined,
  textOf: FaultSource['textOf'],
): Origin | undefined {
  const [first] = cells;
  if (cells.length < 2 || !textOf) return first;
  const isWrong = (cell: Origin) => textOf(cell)?.trim() === given;
  const found = given === '' ? cells.findLast(isWrong) : cells.find(isWrong);
  return found ?? cells.find((cell) => isAlike(textOf(cell), given)) ?? first;
}

const SEPARATORS = /[^\p{L}\p{N}]/gu;

/** The same letters and digits: a mapping often takes hyphens and spaces out of an identifier. */
function isAlike(text = '', given = ''): boolean {
  const bare = given.replace(SEPARATORS, '');
  return bare !== '' && text.replace(SEPARATORS, '') === bare;
}

/** Where the entry of a list begins that has values, but not the one at `at`. */
function partBegin(trace: Trace, at: string, partOf: FaultSource['partOf']): Origin | undefined {
  if (!partOf || !ENTRY.test(at)) return undefined;
  const first = firstCells(trace).get(at);
  return first && partOf(first);
}

const known = new WeakMap<Trace, ReadonlyMap<string, Origin>>();

/** Of each entry of a list the first cell within it. Made once: each of thousands of lines may lack a value. */
function firstCells(trace: Trace): ReadonlyMap<string, Origin> {
  let first = known.get(trace);
  if (!first) {
    first = firstIn(trace);
    known.set(trace, first);
  }
  return first;
}

function firstIn(trace: Trace): ReadonlyMap<string, Origin> {
  const found = new Map<string, Origin>();
  for (const [pointer, [cell]] of trace) {
    for (let end = pointer.lastIndexOf('/'); cell && end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const entry = pointer.slice(0, end);
      if (ENTRY.test(entry) && !found.has(entry)) found.set(entry, cell);
    }
  }
  return found;
}

/** As a compiler shows it: `ventes.csv:14:PRIX_U  map/not-a-number  "12,5O" is not a number ...  (/lines/2/unit-price)`. */
export function showFault(fault: Fault): string {
  return showFaultIn(fault, 'en');
}

/** The same in the language of its message. */
export function showFaultIn({ origin, level, code, message, hint, at }: Fault, language: Language): string {
  const parts = [
    origin && placeText(origin),
    level === 'warning' ? `${code} (${format(FAULT_LEVEL.warning(), language)})` : code,
    escapeControls(message),
  ];
  const text = parts.filter(Boolean).join('  ');
  const advice = hint ? ` - ${escapeControls(hint)}` : '';
  return text + advice + (at ? `  (${escapeControls(at)})` : '');
}

function placeText({ file, row, line, path, column }: Origin): string {
  const number = row > 0 ? String(line ?? row) : undefined;
  return definedItems([file, number, path ?? column])
    .map(escapeControls)
    .join(':');
}

const LONGEST = 600;

/** A message may quote a cell of a megabyte: people see its beginning and its end, `given` has all of it. */
export function truncateFault(fault: Fault): Fault {
  const { message, hint } = fault;
  if (message.length <= LONGEST && (hint === undefined || hint.length <= LONGEST)) return fault;
  return definedOnly({ ...fault, message: cut(message), hint: hint && cut(hint) });
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST - 200)} ... ${text.slice(-100)}`.toWellFormed();
}

/** Whether the fault is in this row of its file, reported there or with another row. */
export function isInRow({ origin, moreRows = [] }: Fault, row: number): boolean {
  return origin !== undefined && (origin.row === row || moreRows.includes(row));
}

export function isOnlyInErp({ level, onlyInErp }: Fault): boolean {
  return level === 'error' && onlyInErp === true;
}

export function isError(fault: Fault): boolean {
  return fault.level === 'error';
}
