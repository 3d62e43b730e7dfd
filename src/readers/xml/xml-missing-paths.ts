/**
 * Column paths that match nothing in a whole file: a misspelt element or a forgotten prefix reads as an empty cell.
 *
 * A step with a filter may be absent from a file for good reasons, and so nothing is said of it.
 */

import type { Message } from '../../i18n/message.ts';
import { PATH } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { suggest } from '../../text/suggest.ts';
import type { PathNode, Way, XmlPaths } from './xml-paths.ts';

type Tag = { readonly name: string; readonly local: string; readonly uri: string };

export type PathWatch = {
  readonly open: (tag: Tag) => void;
  readonly reach: (node: PathNode) => void;
  /** A value of this column stands in the file. */
  readonly see: (column: number) => void;
  /** Columns without any value so far; undefined where there is none. */
  readonly unfound: () => readonly string[] | undefined;
  readonly warnings: (file: string) => readonly DataFault[];
};

/** Names of elements that a misspelt one is compared with. */
const MAX_NAMES = 1000;

export function watchPaths(paths: XmlPaths): PathWatch {
  const { columns, ways, lists, optional } = paths;
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
      const way = ways[column]!;
      const step = way.steps.find(({ to }) => !reached.has(to));
      // Where the element around it is absent too, that may be right: a document without lines.
      if (!reached.has(way.from) || step?.filtered) return [];
      return [notFound(file, columns[column]!, way, hintFor(step, way, [...names.values()], paths))];
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
      unfound ??= [...missing].map((column) => columns[column]!);
      return unfound;
    },
    warnings,
  };
}

function notFound(file: string, column: string, { written }: Way, hint: Message): DataFault {
  return {
    code: 'xml/path-not-found',
    level: 'warning',
    ...withMessage(PATH.notFound({ column, written }), hint),
    origin: { file, row: 0 },
    given: written,
  };
}

function hintFor(step: Way['steps'][number] | undefined, way: Way, seen: readonly Tag[], paths: XmlPaths): Message {
  const otherwise = PATH.otherwise();
  const { attribute } = way;
  if (!step) return attribute === undefined ? otherwise : PATH.noAttribute({ attribute, otherwise });
  const { local, uri } = step.name;
  const elsewhere = seen.find((tag) => tag.local === local && tag.uri !== uri);
  if (elsewhere) return inNamespace(elsewhere, paths.namespaces);
  const near = seen.some((tag) => tag.local === local)
    ? undefined
    : suggest(
        local,
        seen.map((tag) => tag.local),
      );
  return near === undefined ? PATH.noElement({ name: local, otherwise }) : PATH.meantElse({ near, otherwise });
}

/** The element as the paths of the mapping must write it. */
function inNamespace({ name, local, uri }: Tag, namespaces: XmlPaths['namespaces']): Message {
  if (uri === '') return PATH.meantBare({ near: local, name });
  const [prefix] = Object.entries(namespaces).find(([, declared]) => declared === uri) ?? [];
  if (prefix === undefined) return PATH.declarePrefix({ name, uri });
  return PATH.meant({ near: prefix === 'default' ? local : `${prefix}:${local}` });
}
