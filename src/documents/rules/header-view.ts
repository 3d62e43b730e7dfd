/** The head of a French invoice as its rules look at it. */
import { type Json, type JsonObject, Numbering } from '../../model/draft.ts';
import { isOpen } from '../numbering.ts';
import { asList, asText, dayAt, type Fields, fieldsOf, textAt } from '../read.ts';
import { isPaidFrame } from './lists/document-types.ts';

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
  /** Some entry of additional-info is a billing frame of what is paid already; which key carries it is not shown. */
  readonly isPaid: boolean;
};

type TypeCode = { readonly code: string; readonly at: string };

/** Keys of additional-info under which a type code is given, without case and punctuation. */
const TYPE_KEYS: readonly string[] = [
  ...['typecode', 'documenttype', 'documenttypecode', 'invoicetypecode', 'creditnotetypecode'],
  ...['bt3', 'untdid1001'],
];

const NO_CODES: readonly TypeCode[] = [];

export function headerView(payload: JsonObject): HeaderView {
  const header = fieldsOf(fieldsOf(payload).document);
  const number = header.identifier;
  const text = asText(number);
  const typeCodes = typeCodesOf(header);
  return {
    number: text,
    isOpen: number instanceof Numbering || (text !== undefined && isOpen(text)),
    series: asText(header.series),
    date: dayAt(header.date),
    due: dayAt(header['date-due']),
    currency: asText(header.currency) ?? textAt(payload, 'totals', 'currency'),
    typeCodes,
    type: typeCodes[0]?.code,
    isPaid: asList(header['additional-info']).some((one: Json) => isPaidFrame(textAt(one, 'value')?.trim() ?? '')),
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
    if (code === '' || !isTypeKey(textAt(one, 'key'))) return;
    found.push({ code, at: `/document/additional-info/${i}/value` });
  });
  return found.length === 0 ? NO_CODES : found;
}

function isTypeKey(key: string | undefined): boolean {
  return key !== undefined && TYPE_KEYS.includes(key.toLowerCase().replace(/[^a-z0-9]/g, ''));
}
