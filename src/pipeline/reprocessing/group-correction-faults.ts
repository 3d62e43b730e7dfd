/**
 * The same mistake in many documents of a correction file as one fault, so that lists and summaries stay short. Pure.
 */
import { verbatimText } from '../../i18n/message.ts';
import { CORRECTION } from '../../i18n/messages/pipeline-messages.ts';
import { type Fault, MESSAGE, withMessage } from '../../model/fault.ts';

/** A fault with the number of its document, or the text of `_doc` where it names none. */
export type FaultOf = { readonly document: string; readonly fault: Fault };

/** Documents that a message names. */
export const MOST_NAMES = 10;

/** One fault for each code, column and advice: the first one; `moreRows` has a row of each of the others. */
export function groupFaults(faults: readonly FaultOf[]): readonly Fault[] {
  const groups = Map.groupBy(faults, ({ fault: { code, level, origin, hint, [MESSAGE]: phrases } }) =>
    JSON.stringify([code, level, origin?.file, origin?.column, phrases?.hint?.id ?? hint]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [merged(first.fault, others)] : []));
}

function merged(first: Fault, others: readonly FaultOf[]): Fault {
  if (others.length === 0) return first;
  const { [MESSAGE]: phrases, message, hint } = first;
  const documents = [...new Set(others.map(({ document }) => document))];
  const words = CORRECTION.alike({
    what: phrases?.message ?? verbatimText(message),
    count: others.length,
    documents: documents.slice(0, MOST_NAMES),
    more: Math.max(0, documents.length - MOST_NAMES),
  });
  const advice = phrases?.hint ?? (hint === undefined ? undefined : verbatimText(hint));
  const moreRows = new Set(others.flatMap(({ fault }) => fault.origin?.row ?? []));
  return { ...first, ...withMessage(words, advice), moreRows: [...moreRows] };
}

/** The fault as far as it concerns the rows that `isOpen` keeps; undefined if it keeps none. */
export function faultOfRows(fault: Fault, isOpen: (row: number) => boolean): Fault | undefined {
  const { origin, moreRows = [], message, hint } = fault;
  if (origin === undefined) return fault;
  const all = [origin.row, ...moreRows];
  const [row, ...others] = all.filter(isOpen);
  if (row === undefined) return undefined;
  if (others.length === moreRows.length) return fault;
  const words = CORRECTION.stillOpen({ what: verbatimText(message), count: 1 + others.length, all: all.length });
  const { moreRows: _, ...one } = fault;
  return {
    ...one,
    ...withMessage(words, hint === undefined ? undefined : verbatimText(hint)),
    origin: { ...origin, row },
    ...(others.length > 0 && { moreRows: others }),
  };
}
