/**
 * Why documents wait, in one word that every command accepts (`--cause`): a fault code or the rule of a hold; a fault of
 * one cell with its mapping, column and value; a failed check with its place, as each is a cause of its own; a code of a
 * service; or that a person set them aside.
 */

import { crc32 } from 'node:zlib';
import { definedOnly } from './defined-only.ts';
import { type Fault, isError, type Mark } from './fault.ts';
import { isClosed, type LedgerEntry } from './ledger-entry.ts';
import { signedAmount } from './signed-sums.ts';
import type { State } from './state.ts';

export const SET_ASIDE_CAUSE = 'set-aside';

/** What happened to a text on its way through a spreadsheet or a keyboard, read from the text itself. */
const DAMAGE_KINDS = ['exponent', 'lost-zeros', 'decimals', 'date', 'letters'] as const;
export type DamageKind = (typeof DAMAGE_KINDS)[number];

/** A fault code in a cell; parts that are absent match any. `value` is the text that was found. */
export type CellCause = {
  readonly of: 'cell';
  readonly code: string;
  readonly kind?: DamageKind;
  readonly mapping?: string;
  readonly column?: string;
  readonly value?: string;
};

export type Cause =
  | { readonly of: 'fault'; readonly code: string; readonly mark?: Pick<Mark, 'file' | 'line'> }
  | CellCause
  | { readonly of: 'answer'; readonly service: string; readonly code: string }
  | { readonly of: 'person' };

/** `map/check-failed:mappings/sales.yaml:26`. */
function faultCause(code: string, { file, line }: Pick<Mark, 'file' | 'line'>): string {
  return `${code}:${file}:${line}`;
}

/** `fr:6`. */
export function answerCause(service: string, code: number): string {
  return `${service}:${code}`;
}

/** `map/damaged-text:sage-invoices@SIREN=99920041`; without a value `map/damaged-text/exponent:sage-invoices@SIREN`. */
export function cellCause({ code, kind, mapping, column, value }: Omit<CellCause, 'of'>): string {
  const cell = column === undefined ? '' : `@${encoded(column, /[%=\p{Cc}]/gu)}`;
  const text = value === undefined ? '' : `=${encoded(value, /[%\p{Cc}]/gu)}`;
  return [code, kind && `/${kind}`, mapping && `:${mapping}`, cell, text].join('');
}

const CELL = /^([a-z0-9-]+\/[a-z0-9-]+)(?:\/([a-z-]+))?(?::([A-Za-z0-9][A-Za-z0-9-]*))?(?:@([^=]+)(?:=(.*))?)?$/s;

/** A text of no other form is a code: an unknown code finds no document. */
export function readCause(text: string): Cause {
  if (text === SET_ASIDE_CAUSE) return { of: 'person' };
  const [, service, answer = ''] = /^([a-z]+):(\d+)$/.exec(text) ?? [];
  if (service !== undefined) return { of: 'answer', service, code: answer };
  const cell = readCellCause(text);
  if (cell) return cell;
  const [, code, file = '', line] = /^([^:]+):(.+):(\d+)$/.exec(text) ?? [];
  return code === undefined ? { of: 'fault', code: text } : { of: 'fault', code, mark: { file, line: Number(line) } };
}

/** Undefined for a plain code, which is not limited to cells, and for a text of another form. */
export function readCellCause(text: string): CellCause | undefined {
  const [, code, kind, mapping, column, value] = CELL.exec(text) ?? [];
  if (code === undefined || (kind ?? mapping ?? column) === undefined) return undefined;
  if (kind !== undefined && !isDamageKind(kind)) return undefined;
  return {
    of: 'cell',
    code,
    ...(kind === undefined ? {} : { kind }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(column === undefined ? {} : { column: decoded(column) }),
    ...(value === undefined ? {} : { value: decoded(value) }),
  };
}

function isDamageKind(text: string): text is DamageKind {
  return (DAMAGE_KINDS as readonly string[]).includes(text);
}

/** A fault as far as a cause can name it. */
type CausedFault = {
  readonly code: string;
  readonly column?: string;
  readonly given?: string;
  readonly mark?: Pick<Mark, 'file' | 'line'>;
  readonly warning?: true;
};

/**
 * Whether a document has the cause, wherever it is asked: with any of its faults, its hold, its last answer, its state, or
 * because a person closed it. A fault in a cell is an error; a code alone may be that of a warning, or of any service.
 */
export function hasCause(work: OpenWork, cause: Cause): boolean {
  const { service, state, answer, rule, faults } = work;
  if (cause.of === 'person') return work.closed === true;
  if (cause.of === 'answer') return service === cause.service && String(answer) === cause.code;
  if (cause.of === 'cell') {
    if (cause.mapping !== undefined && work.mapping !== cause.mapping) return false;
    return faults.some((fault) => !fault.warning && isInCell(fault, cause));
  }
  const { code, mark } = cause;
  if (mark) {
    return faults.some((one) => one.code === code && one.mark?.file === mark.file && one.mark.line === mark.line);
  }
  return [state, String(answer), rule].includes(code) || faults.some((one) => one.code === code);
}

function isInCell(fault: CausedFault, { code, kind, column, value }: CellCause): boolean {
  return (
    fault.code === code &&
    (kind === undefined || damageKind(fault) === kind) &&
    (column === undefined || fault.column === column) &&
    (value === undefined || fault.given === value)
  );
}

/** Codes of texts and numbers that do not have their form. */
const DAMAGED: ReadonlySet<string> = new Set(['map/damaged-text', 'map/wrong-text', 'map/not-a-number']);

/** Undefined for faults of other codes. */
export function damageKind({ code, given }: Pick<Fault, 'code' | 'given'>): DamageKind | undefined {
  if (given === undefined || !DAMAGED.has(code)) return undefined;
  const text = given.trim();
  if (/^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i.test(text)) return 'exponent';
  if (/^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/.test(text)) return 'date';
  if (/^\d+[.,]0+$/.test(text)) return 'decimals';
  return /^\d+$/.test(text) ? 'lost-zeros' : 'letters';
}

/** `%3D` for a sign that separates the parts of a cause, or that a terminal would act on. */
function encoded(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`);
}

function decoded(text: string): string {
  return text.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

export const CHECK_FAILED = 'map/check-failed';
const IDENTICAL_ROWS = 'map/identical-rows';

/** Faults that a row exported twice can cause. */
const FROM_A_ROW_TWICE: ReadonlySet<string> = new Set([IDENTICAL_ROWS, CHECK_FAILED, 'fr-invoice/line-number-twice']);

/** Faults that show a cell and are corrected elsewhere: in the mapping, or in the row next to it. */
const NO_CELL: ReadonlySet<string> = new Set(['map/key-came-back', 'map/totals-row', 'map/beside-broken-row']);
const NOT_FILLED_IN = /\/not-filled-in$/;

/** The parts of a document that its cause is in. */
export type CausedBy = Pick<LedgerEntry, 'state' | 'service' | 'faults' | 'evidence' | 'closed' | 'hold'> & {
  readonly answer?: Pick<NonNullable<LedgerEntry['answer']>, 'code'>;
};

/** A row that is in the document twice, where that explains its first fault. */
export function rowTwice({ faults }: Pick<LedgerEntry, 'faults'>): Fault | undefined {
  const fault = faults.find(isError);
  if (!fault || !FROM_A_ROW_TWICE.has(fault.code)) return undefined;
  return faults.find(({ code }) => code === IDENTICAL_ROWS);
}

/**
 * The cause that documents with the same next step share, as `--cause` takes it: a fault code, a check of a mapping
 * with its place, a hold rule, a code of the service, or the state.
 */
export function causeOf(entry: CausedBy): string {
  const { state, service, answer, hold } = entry;
  const fault = firstFault(entry);
  if (isClosed(entry)) return SET_ASIDE_CAUSE;
  if (fault) {
    if (rowTwice(entry)) return IDENTICAL_ROWS;
    if (fault.code === CHECK_FAILED && fault.mark) return faultCause(fault.code, fault.mark);
    return fault.code;
  }
  if (hold) return hold.rule;
  if (answer) return answerCause(service, answer.code);
  return state;
}

/** The error that a document counts under; undefined for one that passed the checks. */
function firstFault({ state, faults }: Pick<LedgerEntry, 'state' | 'faults'>): Fault | undefined {
  return state === 'invalid' || state === 'conflict' ? faults.find(isError) : undefined;
}

/** What a document that waits is grouped and added up by: small enough for tens of thousands at a time. */
export type OpenWork = {
  readonly id: string;
  readonly service: string;
  /** The version that a person sees, which an act names. */
  readonly revision: number;
  readonly state: State;
  /** ISO 8601. */
  readonly since: string;
  /** `causeOf` it. */
  readonly cause: string;
  /** All its faults, those that are equal to a cause once. */
  readonly faults: readonly CausedFault[];
  /** The rule of its hold. */
  readonly rule?: string;
  /** The code of its last answer. */
  readonly answer?: number;
  /** A person has closed it. */
  readonly closed?: true;
  readonly file: { readonly id: string; readonly name: string; readonly rereads?: string };
  readonly mapping?: string;
  /** The cell of its first fault, the text in it, and what the fault suggests to write. */
  readonly column?: string;
  readonly given?: string;
  readonly suggestion?: string;
  readonly kind?: DamageKind;
  readonly onlyInErp?: true;
  /** A corrected cell fixes it. */
  readonly inCell?: true;
  readonly customer?: string;
  /** As in the books: that of a credit note subtracts. */
  readonly amount?: string;
  readonly currency?: string;
  /** A checksum of what its cause is described by: documents with another one are described in other words. */
  readonly words: number;
};

/** The document as `groupWork` takes it. */
export function workOf(
  entry: CausedBy &
    Pick<LedgerEntry, 'id' | 'revision' | 'since' | 'class' | 'facts' | 'answer'> & {
      readonly attempts: readonly { readonly reason?: string }[];
      readonly file: Pick<LedgerEntry['file'], 'id' | 'name' | 'rereads'> & {
        readonly mapping?: { readonly id: string };
      };
    },
): OpenWork {
  const { id, revision, state, since, facts, file } = entry;
  const fault = firstFault(entry);
  const cause = causeOf(entry);
  const isInCell = state === 'invalid' && fault?.origin?.column !== undefined && cause === fault.code;
  const isCorrectable = fault && !fault.onlyInErp && !NO_CELL.has(fault.code) && !NOT_FILLED_IN.test(fault.code);
  return definedOnly({
    id,
    service: entry.service,
    revision,
    state,
    since,
    cause,
    faults: causedFaults(entry.faults),
    // What held a document that was read again since, and is invalid now, is no cause of it.
    rule: state === 'invalid' ? undefined : entry.hold?.rule,
    answer: entry.answer?.code,
    closed: isClosed(entry) || undefined,
    file: definedOnly({ id: file.id, name: file.name, rereads: file.rereads }),
    mapping: file.mapping?.id,
    column: fault?.origin?.column,
    given: fault?.given,
    suggestion: fault?.suggestion,
    kind: fault && damageKind(fault),
    onlyInErp: fault?.onlyInErp || undefined,
    inCell: (isInCell && isCorrectable) || undefined,
    customer: facts.counterparty,
    // What cannot be read stays as it is.
    amount: entry.class === 'credit-note' ? (signedAmount(entry)?.toText() ?? facts.amount) : facts.amount,
    currency: facts.currency,
    words: crc32(JSON.stringify(describedBy(entry, fault))),
  });
}

/** In the order in which `describeCause` (wording/cause-words.ts) looks for words. */
function describedBy(
  { hold, answer, attempts }: Parameters<typeof workOf>[0],
  fault: Fault | undefined,
): readonly unknown[] {
  if (fault) return [fault.message, fault.suggestion, fault.onlyInErp];
  if (hold) return [hold.says];
  if (answer) return [answer.code, answer.name, answer.message];
  return [attempts.at(-1)?.reason];
}

function causedFaults(faults: readonly Fault[]): readonly CausedFault[] {
  const found = faults.map((fault) => {
    const { code, given, origin, mark } = fault;
    const place = mark && { file: mark.file, line: mark.line };
    return definedOnly({
      code,
      column: origin?.column,
      given,
      mark: place,
      warning: isError(fault) ? undefined : true,
    });
  });
  if (found.length < 2) return found;
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}
