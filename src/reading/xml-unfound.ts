/**
 * Column paths that match nothing in a whole file: a misspelt element or a forgotten prefix reads as an empty cell.
 *
 * A step with a filter may be absent from a file for good reasons, and so nothing is said of it.
 */
import type { Fault } from '../model/fault.ts';
import { suggest } from '../model/suggest.ts';
import type { Node, Paths, Way } from './xml-paths.ts';

type Tag = { readonly name: string; readonly local: string; readonly uri: string };

export type PathWatch = {
  readonly open: (tag: Tag) => void;
  readonly reach: (node: Node) => void;
  /** A value of this column stands in the file. */
  readonly see: (column: number) => void;
  /** Columns without any value so far; undefined where there is none. */
  readonly unfound: () => readonly string[] | undefined;
  readonly warnings: (file: string) => readonly Fault[];
};

/** Names of elements that a misspelt one is compared with. */
const MAX_NAMES = 1000;

export function watchPaths(paths: Paths): PathWatch {
  const { columns, ways, lists, optional } = paths;
  const names = new Map<string, Tag>();
  const reached = new Set<Node>();
  const missing = new Set(columns.keys());
  let unfound: readonly string[] | undefined;
  const see = (column: number) => {
    if (missing.delete(column)) unfound = undefined;
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
    open: ({ name, local, uri }) => {
      if (names.size < MAX_NAMES && !names.has(name)) names.set(name, { name, local, uri });
    },
    reach: (node) => void reached.add(node),
    see,
    unfound: () => {
      if (missing.size === 0) return undefined;
      unfound ??= [...missing].map((column) => columns[column]!);
      return unfound;
    },
    warnings,
  };
}

function notFound(file: string, column: string, { written }: Way, hint: string): Fault {
  return {
    code: 'xml/path-not-found',
    level: 'warning',
    message: `The path of column ${column} (${written}) is found nowhere in this file`,
    origin: { file, row: 0 },
    given: written,
    hint,
  };
}

function hintFor(step: Way['steps'][number] | undefined, way: Way, seen: readonly Tag[], paths: Paths): string {
  const otherwise = 'correct the path under source; if its element is optional, nothing has to be done';
  if (!step)
    return way.attribute === undefined ? otherwise : `no such element has an attribute ${way.attribute}; ${otherwise}`;
  const { local, uri } = step.name;
  const elsewhere = seen.find((tag) => tag.local === local && tag.uri !== uri);
  if (elsewhere) return inNamespace(elsewhere, paths.namespaces);
  const near = seen.some((tag) => tag.local === local)
    ? undefined
    : suggest(
        local,
        seen.map((tag) => tag.local),
      );
  return near === undefined ? `no <${local}> stands there; ${otherwise}` : `did you mean "${near}"? Else ${otherwise}`;
}

/** The element as the paths of the mapping must write it. */
function inNamespace({ name, local, uri }: Tag, namespaces: Paths['namespaces']): string {
  if (uri === '') return `did you mean "${local}"? <${name}> is in no namespace, so its path takes no prefix`;
  const [prefix] = Object.entries(namespaces).find(([, declared]) => declared === uri) ?? [];
  if (prefix === undefined) return `<${name}> is in namespace "${uri}": declare a prefix for it under namespaces`;
  return `did you mean "${prefix === 'default' ? local : `${prefix}:${local}`}"?`;
}
