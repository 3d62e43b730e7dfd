/** The head of a French invoice as its rules look at it. */
import { type Json, type JsonObject, Numbering } from '../../model/draft.ts';
import { isOpen } from '../numbering.ts';
import { asList, asText, dayAt, fieldsOf, textAt } from '../read.ts';
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
  readonly type: string | undefined;
  /** Some entry of additional-info is a billing frame of what is paid already; which key carries it is not shown. */
  readonly isPaid: boolean;
};

export function headerView(payload: JsonObject): HeaderView {
  const header = fieldsOf(fieldsOf(payload).document);
  const number = header.identifier;
  const text = asText(number);
  return {
    number: text,
    isOpen: number instanceof Numbering || (text !== undefined && isOpen(text)),
    series: asText(header.series),
    date: dayAt(header.date),
    due: dayAt(header['date-due']),
    currency: asText(header.currency) ?? textAt(payload, 'totals', 'currency'),
    type: asText(header['document-type'])?.trim(),
    isPaid: asList(header['additional-info']).some((one: Json) => isPaidFrame(textAt(one, 'value')?.trim() ?? '')),
  };
}
