/**
 * A French e-report for its rules: every field that they need, read once. A value that is missing or of another type is
 * undefined; the shape reports that.
 */
import type { Decimal } from '../../../model/decimal.ts';
import type { Json, JsonObject } from '../../../model/draft.ts';
import { dayAt, decimalAt, listAt, textAt } from '../../content/json-pointer.ts';
import type { ViewedDocument } from '../rule-pack.ts';

/** The report; its payments of both kinds are in one list. */
export type ReportView = ViewedDocument & {
  readonly payload: JsonObject;
  readonly identifierType: string | undefined;
  readonly identifier: string | undefined;
  /** First and last moment of the period, without zone. */
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly payments: readonly PaymentView[];
};

/** A payment and the operations that it belongs to. */
type PaymentView = {
  /** "/operations/consumer/payments/0". */
  readonly at: string;
  readonly of: (typeof OPERATIONS)[number];
  readonly payment: Json;
  readonly amount: Decimal | undefined;
  readonly percent: Decimal | undefined;
  readonly references: readonly Json[];
};

const OPERATIONS = ['international', 'consumer'] as const;

/** `today` is the calendar day of the service. */
export function viewReport(payload: JsonObject, _class: string, today: string): ReportView {
  const end = textAt(payload, 'document', 'period', 'end-date');
  return {
    payload,
    today,
    // A report follows the rules of the period it is about.
    day: dayAt(payload, 'document', 'period', 'end-date') ?? today,
    identifierType: textAt(payload, 'issuer', 'identifier-type'),
    identifier: textAt(payload, 'issuer', 'identifier'),
    start: textAt(payload, 'document', 'period', 'start-date'),
    end,
    payments: OPERATIONS.flatMap((of) =>
      listAt(payload, 'operations', of, 'payments').map((payment, i) => ({
        at: `/operations/${of}/payments/${i}`,
        of,
        payment,
        amount: decimalAt(payment, 'amount'),
        percent: decimalAt(payment, 'percent'),
        references: listAt(payment, 'references'),
      })),
    ),
  };
}
