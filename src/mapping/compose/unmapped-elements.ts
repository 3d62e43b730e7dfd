/**
 * Elements of the rows of a document that the mapping does not read in; one fault of the document out: a warning in its
 * receipt, or an error where the mapping refuses documents with such elements.
 */

import { UNREAD } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import type { Origin } from '../../model/origin.ts';
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
  const { table, rows } = group;
  const [first] = rows;
  if (!first || !rows.some(hasUnread)) return group;
  const origin = originOf(table, first);
  const found = rows.flatMap(({ unread = [] }) => unread);
  const others = found.flatMap((one) => otherCurrency(one, origin) ?? []);
  const unread = unmappedElements(
    found.filter(({ currency }) => currency === undefined),
    origin,
  );
  return { ...group, faults: [...group.faults, ...others, ...unread] };
}

/** An amount in another currency must never be sent as one in the currency of the document (EN 16931: BT-5, BT-6). */
function otherCurrency({ path, line, times, currency }: Unread, origin: Origin): DataFault | undefined {
  if (!currency) return undefined;
  const { attribute, given, own } = currency;
  return {
    code: 'map/other-currency',
    level: 'error',
    ...withMessage(UNREAD.otherCurrency({ path, attribute, given, own, count: times }), UNREAD.oneCurrency({ own })),
    origin: { ...origin, path: `${path}/@${attribute}`, line },
    given,
  };
}

/** At most one fault. Where the mapping refuses some of the elements, it names only these; otherwise all of them. */
function unmappedElements(all: readonly Unread[], origin: Origin): readonly DataFault[] {
  const refused = all.filter(({ isRefused }) => isRefused);
  const isRefused = refused.length > 0;
  const named = isRefused ? refused : all;
  const [first] = named;
  if (!first) return [];
  const paths = [...new Set(named.map(({ path }) => path))];
  const more = paths.length - SHOWN;
  const list = paths.slice(0, SHOWN).join(', ');
  const shown = more > 0 ? UNREAD.andMore({ list, more }) : list;
  const count = named.reduce((sum, { times }) => sum + times, 0);
  const message = count === 1 ? UNREAD.one({ path: shown }) : UNREAD.several({ count, paths: shown });
  const place = { ...origin, path: `/${first.path}`, line: first.line };
  const code = 'map/unmapped-elements';
  if (isRefused) return [{ code, level: 'error', ...withMessage(message, UNREAD.refused()), origin: place }];
  return [{ code, level: 'warning', ...withMessage(message, UNREAD.readThem()), origin: place }];
}
