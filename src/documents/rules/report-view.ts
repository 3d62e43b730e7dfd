/** A French e-report as its rules look at it. */
import type { Json, JsonObject } from '../../model/draft.ts';
import { dayAt, listAt, textAt } from '../read.ts';
import type { Seen } from './pack.ts';

export type ReportView = Seen & {
  readonly payload: JsonObject;
  readonly identifierType: string | undefined;
  readonly identifier: string | undefined;
  /** First and last moment of the period, without zone. */
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly payments: { readonly [of in (typeof OPERATIONS)[number]]: readonly Json[] };
};

const OPERATIONS = ['international', 'consumer'] as const;

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
    payments: {
      international: listAt(payload, 'operations', 'international', 'payments'),
      consumer: listAt(payload, 'operations', 'consumer', 'payments'),
    },
  };
}
