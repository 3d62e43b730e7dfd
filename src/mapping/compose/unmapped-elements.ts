/**
 * Elements of the rows of a document that the mapping does not read in; one fault of the document out: a warning in its
 * receipt, or an error where the mapping refuses documents with such elements.
 */

import { UNREAD } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { originOf, type Row, type RowGroup, type Unread } from '../../model/row.ts';

/** Paths that the message names; the count is of all elements. */
const SHOWN = 6;

function hasUnread({ unread }: Row): boolean {
  return unread !== undefined;
}

/**
 * The group with the faults added: `map/unmapped-elements`, and `map/other-currency` for each element with an amount in
 * another currency.
 */
export function withUnread(group: RowGroup): RowGroup {
  if (!group.rows.some(hasUnread)) return group;
  const found = group.rows.flatMap(({ unread = [] }) => unread);
  const others = found.filter(({ currency }) => currency !== undefined);
  const unread = found.filter(({ currency }) => currency === undefined);
  const faults = [...group.faults, ...others.map((one) => inOther(group, one))];
  return { ...group, faults: unread.length > 0 ? [...faults, faultOf(group, unread)] : faults };
}

/** An amount in another currency must never be sent as one in the currency of the document (EN 16931: BT-5, BT-6). */
function inOther({ table, rows }: RowGroup, { path, line, times, currency }: Unread): DataFault {
  const { attribute, given, own } = currency!;
  return {
    code: 'map/other-currency',
    level: 'error',
    ...withMessage(UNREAD.otherCurrency({ path, attribute, given, own, count: times }), UNREAD.oneCurrency({ own })),
    origin: { ...originOf(table, rows[0]!), path: `${path}/@${attribute}`, line },
    given,
  };
}

/** Where some elements are refused, the fault names only these; otherwise all of them. */
function faultOf({ table, rows }: RowGroup, all: readonly Unread[]): DataFault {
  const refused = all.filter(({ isRefused }) => isRefused);
  const level = refused.length > 0 ? 'error' : 'warning';
  const meant = refused.length > 0 ? refused : all;
  const paths = [...new Set(meant.map(({ path }) => path))];
  const more = paths.length - SHOWN;
  const list = paths.slice(0, SHOWN).join(', ');
  const shown = more > 0 ? UNREAD.andMore({ list, more }) : list;
  const [{ path, line }] = meant as [Unread];
  const count = meant.reduce((sum, { times }) => sum + times, 0);
  return {
    code: 'map/unmapped-elements',
    level,
    ...withMessage(
      count === 1 ? UNREAD.one({ path: shown }) : UNREAD.several({ count, paths: shown }),
      level === 'error' ? UNREAD.refused() : UNREAD.readThem(),
    ),
    origin: { ...originOf(table, rows[0]!), path: `/${path}`, line },
  };
}
