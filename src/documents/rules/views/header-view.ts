/**
 * The head of a French invoice for its rules: every field that they need, read once. A value that is missing or of
 * another type is undefined; the shape reports that.
 */
import { type JsonObject, Numbering } from '../../../model/draft.ts';
import { isFrame, isPaidFrame } from '../../code-lists/billing-frames.ts';
import { asList, asText, dayAt, type Fields, objectFields, textAt } from '../../content/json-pointer.ts';
import { isOpen } from '../../content/pending-number.ts';

/** The fields as written, without outer blanks in codes. */
export type HeaderView = {
  readonly number: string | undefined;
  /** The ledger gives the number later. */
  readonly isOpen: boolean;
  readonly series: string | undefined;
  /** Days that the calendar has. */
  readonly date: string | undefined;
  readonly due: string | undefined;
  /** That of the header, else that of the totals. */
  readonly currency: string | undefined;
  /** Each type code (UNTDID 1001) that the document gives, and where: all of them are the same, or one is wrong. */
  readonly typeCodes: readonly TypeCode[];
  /** The first of them: what every rule that depends on the type reads. */
  readonly type: string | undefined;
  /**
   * Billing frames that additional-info gives: every value under a key for frames, and under any other key each
   * value that is a frame, because the contract does not show which key carries it.
   */
  readonly frames: readonly Frame[];
  /** Some frame is of what is paid already. */
  readonly isPaid: boolean;
};

type TypeCode = { readonly code: string; readonly at: string };
type Frame = { readonly code: string; readonly at: string };

/** Keys of additional-info under which a type code is given, without case and punctuation. */
const TYPE_KEYS: readonly string[] = [
  ...['typecode', 'documenttype', 'documenttypecode', 'invoicetypecode', 'creditnotetypecode'],
  ...['bt3', 'untdid1001'],
];

/** Keys under which a billing frame is given, likewise. */
const FRAME_KEYS: readonly string[] = [
  ...['businessprocess', 'billingframe', 'cadrefacturation', 'cadredefacturation', 'profileid', 'bt23'],
];

const NO_CODES: readonly TypeCode[] = [];

/** Reads the head of a payload that is not checked yet. */
export function headerView(payload: JsonObject): HeaderView {
  const header = objectFields(objectFields(payload).document);
  const number = header.identifier;
  const text = asText(number);
  const typeCodes = typeCodesOf(header);
  const frames = framesOf(header);
  return {
    number: text,
    isOpen: number instanceof Numbering || (text !== undefined && isOpen(text)),
    series: asText(header.series),
    date: dayAt(header.date),
    due: dayAt(header['date-due']),
    currency: asText(header.currency) ?? textAt(payload, 'totals', 'currency'),
    typeCodes,
    type: typeCodes[0]?.code,
    frames,
    isPaid: frames.some(({ code }) => isPaidFrame(code)),
  };
}

/**
 * What document-type may hold is not shown: digits are a code, words are none. The UBL and CII mappings write the class
 * there and the code into additional-info.
 */
function typeCodesOf(header: Fields): readonly TypeCode[] {
  const own = asText(header['document-type'])?.trim() ?? '';
  const found: TypeCode[] = /^\d+$/.test(own) ? [{ code: own, at: '/document/document-type' }] : [];
  asList(header['additional-info']).forEach((one, i) => {
    const code = textAt(one, 'value')?.trim() ?? '';
    if (code === '' || !isKeyOf(TYPE_KEYS, textAt(one, 'key'))) return;
    found.push({ code, at: `/document/additional-info/${i}/value` });
  });
  return found.length === 0 ? NO_CODES : found;
}

function framesOf(header: Fields): readonly Frame[] {
  const found: Frame[] = [];
  asList(header['additional-info']).forEach((one, i) => {
    const code = textAt(one, 'value')?.trim() ?? '';
    if (code === '' || !(isFrame(code) || isKeyOf(FRAME_KEYS, textAt(one, 'key')))) return;
    found.push({ code, at: `/document/additional-info/${i}/value` });
  });
  return found;
}

/** Without case and punctuation. */
function isKeyOf(keys: readonly string[], key: string | undefined): boolean {
  return key !== undefined && keys.includes(key.toLowerCase().replace(/[^a-z0-9]/g, ''));
}
