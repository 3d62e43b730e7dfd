/**
 * Column paths that match nothing in a whole file: a misspelled element or a forgotten prefix reads as an empty cell.
 * Elements and values go in; a warning for each such column comes out at the end (xml/path-not-found). A step with a
 * filter may be absent for good reasons and gives no warning.
 */

import type { Message } from '../../i18n/message.ts';
import { XML_PATH } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { suggest } from '../../text/suggest.ts';
import type { ColumnRoute, PathNode, XmlPaths } from './xml-paths.ts';

type Tag = { readonly name: string; readonly local: string; readonly uri: string };

/** Fed with one file. After each column has a value it does no more work. */
export type PathWatch = {
  readonly open: (tag: Tag) => void;
  readonly reach: (node: PathNode) => void;
  /** Notes that the file has a value of this column. */
  readonly see: (column: number) => void;
  /** Names of the columns without any value so far; undefined if each has one. */
  readonly unfound: () => readonly string[] | undefined;
  readonly warnings: (file: string) => readonly DataFault[];
};

/** The most element names of the file that are kept, to suggest one for a misspelled step. */
const MAX_NAMES = 1000;

/** `warnings` is complete only at the end of the file. */
export function watchPaths(paths: XmlPaths): PathWatch {
  const { columns, routes, lists, optional } = paths;
  const names = new Map<string, Tag>();
  const reached = new Set<PathNode>();
  const missing = new Set(columns.keys());
  let unfound: readonly string[] | undefined;
  const see = (column: number) => {
    if (missing.size > 0 && missing.delete(column)) unfound = undefined;
  };
  const warnings = (file: string) => {
    // A list may well be empty.
    const looked = optional ? [] : [...missing].filter((column) => !lists.has(column));
    return looked.flatMap((column) => {
      const way = must(routes[column], 'the path of a column');
      const step = way.steps.find(({ to }) => !reached.has(to));
      // If the element around it is absent too, the path may be right: a document without lines.
      if (!reached.has(way.from) || step?.filtered) return [];
      return [pathNotFound(file, columns[column] ?? '', way, suggestPath(step, way, [...names.values()], paths))];
    });
  };
  return {
    // Both are noted for the warnings: where nothing is missing any more, there will be none.
    open: ({ name, local, uri }) => {
      if (missing.size > 0 && names.size < MAX_NAMES && !names.has(name)) names.set(name, { name, local, uri });
    },
    reach: (node) => {
      if (missing.size > 0) reached.add(node);
    },
    see,
    unfound: () => {
      if (missing.size === 0) return undefined;
      unfound ??= [...missing].flatMap((column) => columns[column] ?? []);
      return unfound;
    },
    warnings,
  };
}

function pathNotFound(file: string, column: string, { written }: ColumnRoute, hint: Message): DataFault {
  return {
    code: 'xml/path-not-found',
    level: 'warning',
    ...withMessage(XML_PATH.notFound({ column, written }), hint),
    origin: { file, row: 0 },
    given: written,
  };
}

function suggestPath(
  step: ColumnRoute['steps'][number] | undefined,
  way: ColumnRoute,
  seen: readonly Tag[],
  paths: XmlPaths,
): Message {
  const otherwise = XML_PATH.otherwise();
  const { attribute } = way;
  if (!step) return attribute === undefined ? otherwise : XML_PATH.noAttribute({ attribute, otherwise });
  const { local, uri } = step.name;
  const elsewhere = seen.find((tag) => tag.local === local && tag.uri !== uri);
  if (elsewhere) return suggestNamespace(elsewhere, paths.namespaces);
  const near = seen.some((tag) => tag.local === local)
    ? undefined
    : suggest(
        local,
        seen.map((tag) => tag.local),
      );
  return near === undefined ? XML_PATH.noElement({ name: local, otherwise }) : XML_PATH.meantElse({ near, otherwise });
}

/** The element as the paths of the mapping must write it. */
function suggestNamespace({ name, local, uri }: Tag, namespaces: XmlPaths['namespaces']): Message {
  if (uri === '') return XML_PATH.meantBare({ near: local, name });
  const [prefix] = Object.entries(namespaces).find(([, declared]) => declared === uri) ?? [];
  if (prefix === undefined) return XML_PATH.declarePrefix({ name, uri });
  return XML_PATH.meant({ near: prefix === 'default' ? local : `${prefix}:${local}` });
}
