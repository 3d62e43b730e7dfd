/** The head of a French invoice as its rules look at it. */
import { type Json, type JsonObject, Numbering } from '../../model/draft.ts';
import { isOpen } from '../numbering.ts';
import { dayAt, listAt, textAt, valueAt } from '../read.ts';
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
  const header = valueAt(payload, ['document']);
  const number = valueAt(header, ['identifier']);
  const text = textAt(header, 'identifier');
  return {
    number: text,
    isOpen: number instanceof Numbering || (text !== undefined && isOpen(text)),
    series: textAt(header, 'series'),
    date: dayAt(header, 'date'),
    due: dayAt(header, 'date-due'),
    currency: textAt(header, 'currency') ?? textAt(payload, 'totals', 'currency'),
    type: textAt(header, 'document-type')?.trim(),
    isPaid: listAt(header, 'additional-info').some((one: Json) => isPaidFrame(textAt(one, 'value')?.trim() ?? '')),
  };
}
