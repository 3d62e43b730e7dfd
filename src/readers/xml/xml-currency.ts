/**
 * Amounts that name their own currency, as `currencyID` of UBL and CII does: if it differs from the currency column of
 * the document, the element is reported, once for each other currency. The column may be after the amounts in the file,
 * so the comparison waits until the document closes. An attribute that a path of its own reads is left to the mapping.
 */
import { XML_PATH_PROBLEM } from '../../i18n/messages/readers-messages.ts';
import type { Unread } from '../../model/row.ts';
import type { Tag } from './xml-events.ts';
import { PathProblem } from './xml-path-problem.ts';
import { attributeValue } from './xml-path-walker.ts';
import type { Currency, PathNode, XmlPaths } from './xml-paths.ts';

/** The attribute of an amount, without namespace, and the column with the currency of its document. */
export type CurrencyOptions = { readonly attribute: string; readonly column: string };

/**
 * Marks the nodes of `paths` whose text may be an amount. Undefined if the paths have no such column; throws
 * PathProblem if the column is of the row and not of the document.
 */
export function compileCurrency(paths: XmlPaths, { attribute, column }: CurrencyOptions): Currency | undefined {
  const at = paths.columns.indexOf(column);
  const level = paths.levelOf[at];
  if (level === undefined || paths.lists.has(at)) return undefined;
  if (level > paths.flushLevel && level === paths.rowLevel) {
    throw new PathProblem(['currency', 'column'], XML_PATH_PROBLEM.ofRow({ name: column }));
  }
  const prefixes = new Map(Object.entries(paths.namespaces).map(([prefix, uri]) => [uri, prefix]));
  markAmounts(paths.root, '', attribute, (uri) => {
    const prefix = prefixes.get(uri);
    return prefix === undefined || prefix === 'default' ? '' : `${prefix}:`;
  });
  return { attribute: { uri: '', local: attribute }, column: at };
}

/** Sets `amountAt` on each node whose text a column reads, unless a path reads the attribute too. */
function markAmounts(node: PathNode, path: string, attribute: string, prefixOf: (uri: string) => string): void {
  const isOwn = node.attributes.some((slot) => slot.attribute.uri === '' && slot.attribute.local === attribute);
  if (node.texts.length > 0 && !isOwn) node.amountAt = path;
  for (const edges of node.edges.values()) {
    for (const { uri, local, to } of edges) markAmounts(to, `${path}/${prefixOf(uri)}${local}`, attribute, prefixOf);
  }
}

/** The most currencies of one document that are kept apart. */
const MOST = 100;

/**
 * Fed with the amounts of one document after the other. `see` gets the path for messages and the line of the start tag.
 */
export type CurrencyWatch = {
  readonly see: (path: string, tag: Tag, line: number) => void;
  /** Sets the currency of the open document, when the element with the currency column closes. */
  readonly own: (value: string | undefined) => void;
  /** The amounts of the closing document in another currency; afterwards the watch is empty. */
  readonly end: () => readonly Unread[];
};

/** The first amount of a currency, and how many there are. */
type Amount = Unread & { times: number; readonly currency: NonNullable<Unread['currency']> };

/** Keeps one entry per currency with the place of its first amount and a count, so that memory stays bounded. */
export function watchCurrency({ attribute }: Currency): CurrencyWatch {
  let own = '';
  let found: Amount[] = [];
  const see = (path: string, tag: Tag, line: number) => {
    const given = attributeValue(tag, attribute)?.trim();
    if (!given) return;
    for (const one of found) {
      if (one.currency.given !== given) continue;
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
    const all = found.map((one) => ({ ...one, currency: { ...one.currency, own } }));
    found = [];
    // A document without a currency is a fault of its own.
    const others = own === '' ? [] : all.filter(({ currency }) => currency.given !== own);
    own = '';
    return others;
  };
  return { see, own: state, end };
}
