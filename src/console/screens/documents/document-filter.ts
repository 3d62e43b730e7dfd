/**
 * The filter of the list of documents, from the parameters of an address and back: their names are the options of
 * `nightpost list`. A value that cannot be read gives no filter at all, so that a wrong one never looks like a list.
 */
import type { Message } from '../../../i18n/message.ts';
import { DOCUMENTS_FILTER_REFUSED } from '../../../i18n/messages/console/console-documents-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { STATE_NAMES, type State } from '../../../model/state.ts';
import { typedWord } from '../../../text/shell-word.ts';
import { isTypedDay, typedMoment } from '../../../text/typed-moment.ts';
import { CLOSED_CHOICES, type DocumentListFilter, isTypedAmount } from '../../../views/queries/find-documents.ts';

/** In the order of the form. */
export const FILTER_NAMES = [
  'state',
  'customer',
  'amount',
  'file',
  'service',
  'mapping',
  'run',
  'night',
  'closed',
  'day',
  'since',
  'until',
  'warnings',
] as const;
type FilterName = (typeof FILTER_NAMES)[number];

/** What the address has, trimmed; several states joined by commas. Empty: not set. */
export type TypedFilter = { readonly [name in FilterName]: string };

export type AskedFilter = { readonly typed: TypedFilter } & (
  | { readonly filter: DocumentListFilter }
  | { readonly refused: Message }
);

export function readDocumentFilter(search: URLSearchParams, zone: string): AskedFilter {
  const typed = Object.fromEntries(
    FILTER_NAMES.map((name) => [name, search.getAll(name).flatMap(listed).join(',')]),
  ) as TypedFilter;
  const unknown = typed.state.split(',').find((name) => name !== '' && !STATE_NAMES.includes(name as State));
  if (unknown !== undefined) return { typed, refused: DOCUMENTS_FILTER_REFUSED.state({ value: unknown }) };
  if (typed.day !== '' && !isTypedDay(typed.day)) {
    return { typed, refused: DOCUMENTS_FILTER_REFUSED.day({ value: typed.day }) };
  }
  const wrong = [typed.since, typed.until].find((text) => text !== '' && typedMoment(text, zone) === undefined);
  if (wrong !== undefined) return { typed, refused: DOCUMENTS_FILTER_REFUSED.time({ value: wrong }) };
  if (typed.amount !== '' && !isTypedAmount(typed.amount)) {
    return { typed, refused: DOCUMENTS_FILTER_REFUSED.amount({ value: typed.amount }) };
  }
  return { typed, filter: filterOf(typed, zone) };
}

function listed(text: string): readonly string[] {
  return text.trim() === '' ? [] : [text.trim()];
}

function filterOf(typed: TypedFilter, zone: string): DocumentListFilter {
  const { state, since, until, warnings, day, customer, file, mapping, service, amount, run, night, closed } = typed;
  return definedOnly({
    states: state === '' ? undefined : [...new Set(state.split(',') as State[])],
    since: typedMoment(since, zone),
    until: typedMoment(until, zone),
    closed: CLOSED_CHOICES.find((one) => one === closed),
    warnings: warnings === '' ? undefined : (true as const),
    ...Object.fromEntries(
      Object.entries({ day, customer, file, mapping, service, amount, run, night }).filter(([, text]) => text !== ''),
    ),
  });
}

/** The parameters of an address; `without` leaves one of them out. */
export function searchOf(typed: TypedFilter, without?: string): URLSearchParams {
  const set = FILTER_NAMES.filter((name) => typed[name] !== '' && name !== without);
  return new URLSearchParams(Object.fromEntries(set.map((name) => [name, typed[name]])));
}

/** The command that lists the same. */
export function listCommandOf(typed: TypedFilter): string {
  const options = FILTER_NAMES.filter((name) => typed[name] !== '').map((name) =>
    name === 'warnings' ? '--warnings' : `--${name} ${typedWord(typed[name])}`,
  );
  return ['nightpost list', ...options].join(' ');
}
