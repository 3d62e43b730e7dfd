/**
 * The address of the work list: filter, grouping, the act that is looked at, and the page. An address comes in, a query and
 * the documents that it selects come out. A filter with an unknown value selects none: an act never gets more documents than
 * the person means.
 */

import { isWorkAct, type WorkAct } from '../../../decisions/acts.ts';
import type { Message } from '../../../i18n/message.ts';
import { WORK_UNKNOWN } from '../../../i18n/messages/console/console-work-messages.ts';
import { STATE_NAMES, type State } from '../../../model/state.ts';
import { isTypedMoment, typedMoment } from '../../../text/typed-moment.ts';
import { GROUPINGS, type Grouping, type WorkGroup } from '../../../views/queries/causes.ts';

/** What selects documents; the names are those of the options of the command line. */
export type WorkQuery = {
  /** As given: names of states, or unknown words, which no document has. */
  readonly states: readonly string[];
  readonly cause?: string;
  readonly file?: string;
  readonly mapping?: string;
  readonly customer?: string;
  readonly column?: string;
  readonly run?: string;
  /** ISO 8601. */
  readonly since?: string;
  readonly ids: readonly string[];
  readonly group: Grouping;
  /** Which act is looked at, and what it would write. */
  readonly act?: WorkAct;
  readonly fix?: string;
  readonly from?: string;
  readonly to?: string;
  readonly suggested: boolean;
  /** Id of the last document of the page before. */
  readonly after?: string;
  /** A value that nothing can have: no document is selected. */
  readonly refused?: Message;
};

const TEXTS = ['cause', 'file', 'mapping', 'customer', 'column', 'run', 'fix', 'from', 'to', 'after'] as const;

/** Those that select documents. */
export const FILTERS = ['state', 'cause', 'file', 'mapping', 'customer', 'column', 'run', 'since', 'id'] as const;
export type WorkFilterName = (typeof FILTERS)[number];

export function readWorkQuery(search: URLSearchParams, zone: string): WorkQuery {
  const texts = Object.fromEntries(
    TEXTS.flatMap((name) => (search.has(name) ? [[name, search.get(name) ?? '']] : [])),
  ) as { readonly [name in (typeof TEXTS)[number]]?: string };
  const act = search.get('act');
  const states = search.getAll('state').filter((state) => state !== '');
  const since = typedMoment(search.get('since') ?? '', zone);
  const refused = refusedIn(search, states);
  return {
    ...texts,
    ...(refused && { refused }),
    ...(since !== undefined && { since }),
    states,
    ids: search.getAll('id'),
    group: GROUPINGS.find((one) => one === search.get('group')) ?? 'cause',
    ...(isWorkAct(act) && { act }),
    suggested: search.get('suggested') === '1',
  };
}

/** The first value that is none of those that there are. */
function refusedIn(search: URLSearchParams, states: readonly string[]): Message | undefined {
  const state = states.find((one) => !isState(one));
  if (state !== undefined) return WORK_UNKNOWN.state({ value: state });
  const [group, since] = [search.get('group') ?? 'cause', search.get('since')];
  if (!(GROUPINGS as readonly string[]).includes(group)) {
    return WORK_UNKNOWN.group({ value: group, known: GROUPINGS.join(', ') });
  }
  return since !== null && !isTypedMoment(since) ? WORK_UNKNOWN.time({ value: since }) : undefined;
}

export function isState(text: string): text is State {
  return (STATE_NAMES as readonly string[]).includes(text);
}

/** The address with changes; undefined removes a parameter. What follows from the former ones is dropped: the page. */
export function workSearch(search: URLSearchParams, changes: { readonly [name: string]: string | undefined }): string {
  const next = new URLSearchParams(search);
  next.delete('after');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? '' : `?${text}`;
}

/** Only what selects documents and how they are grouped: the scope of an act. */
export function scopeOf(search: URLSearchParams): string {
  const kept = [...search].filter(([name]) => name === 'group' || (FILTERS as readonly string[]).includes(name));
  return new URLSearchParams(kept).toString();
}

/** The filter that opens a group: its parameter of the grouping. */
export function openingGroup({ by, key }: Pick<WorkGroup, 'by' | 'key'>): { readonly [name: string]: string } {
  return { [by]: key };
}
