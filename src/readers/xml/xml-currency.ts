/**
 * Amounts that name their own currency, as `currencyID` of UBL and CII does: an element that a path reads and whose
 * attribute names another currency than the column of its document is found, once for each other currency.
 *
 * The column may be after the amounts in the file, so the comparison waits until the document closes. An element
 * whose attribute is read by a path of its own is left to the mapping.
 */
import type { Unread } from '../../model/row.ts';
import type { Tag } from './xml-events.ts';
import { PathProblem } from './xml-path-problem.ts';
import { attributeValue } from './xml-path-walker.ts';
import type { Currency, PathNode, XmlPaths } from './xml-paths.ts';

export type CurrencyOptions = { readonly attribute: string; readonly column: string };

/** Marks the elements to look at; undefined where the paths have no such column. */
export function compileCurrency(paths: XmlPaths, { attribute, column }: CurrencyOptions): Currency | undefined {
  const at = paths.columns.indexOf(column);
  if (at < 0 || paths.lists.has(at)) return undefined;
  if (paths.levelOf[at]! > paths.flushLevel && paths.levelOf[at] === paths.rowLevel) {
    throw new PathProblem(['currency', 'column'], `"${column}" is of the row, not of its document`);
  }
  const prefixes = new Map(Object.entries(paths.namespaces).map(([prefix, uri]) => [uri, prefix]));
  markAmounts(paths.root, '', attribute, (uri) => {
    const prefix = prefixes.get(uri);
    return prefix === undefined || prefix === 'default' ? '' : `${prefix}:`;
  });
  return { attribute: { uri: '', local: attribute }, column: at };
}

function markAmounts(node: PathNode, path: string, attribute: string, prefixOf: (uri: string) => string): void {
  const isOwn = node.attributes.some((slot) => slot.attribute.uri === '' && slot.attribute.local === attribute);
  if (node.texts.length > 0 && !isOwn) node.amountAt = path;
  for (const edges of node.edges.values()) {
    for (const { uri, local, to } of edges) markAmounts(to, `${path}/${prefixOf(uri)}${local}`, attribute, prefixOf);
  }
}

/** Currencies of one document that are kept apart. */
const MOST = 100;

export type CurrencyWatch = {
  readonly see: (path: string, tag: Tag, line: number) => void;
  /** The currency of the open document, in an element of it that closes, or around it. */
  readonly own: (value: string | undefined) => void;
  /** What differs from it in the document that closes. */
  readonly end: () => readonly Unread[];
};

export function watchCurrency({ attribute }: Currency): CurrencyWatch {
  let own = '';
  let found: (Unread & { times: number })[] = [];
  const see = (path: string, tag: Tag, line: number) => {
    const given = attributeValue(tag, attribute)?.trim();
    if (!given) return;
    for (const one of found) {
      if (one.currency!.given !== given) continue;
      one.times++;
      return;
    }
    if (found.length >= MOST) return;
    const currency = { attribute: attribute.local, given, own: '' };
    found.push({ path, line, times: 1, isRefused: true, currency });
  };
  const state = (value: string | undefined) => {
    if (value?.trim()) own = value.trim();
  };
  const end = () => {
    const all = found.map((one) => ({ ...one, currency: { ...one.currency!, own } }));
    found = [];
    // A document without a currency is a fault of its own.
    const others = own === '' ? [] : all.filter(({ currency }) => currency.given !== own);
    own = '';
    return others;
  };
  return { see, own: state, end };
}
