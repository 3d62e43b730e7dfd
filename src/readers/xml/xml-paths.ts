/**
 * The paths of an XML mapping, compiled into one trie that the reader walks down with the elements of the file; throws
 * PathProblem. Levels count from 1, the root element, along the path of the row element. A column belongs to the
 * deepest element on that path which its own path starts from: that element keeps its value, once.
 */
import { XML_PATH_PROBLEM } from '../../i18n/messages/readers-messages.ts';
import type { SpotPaths } from '../../model/xml-location.ts';
import { leastOf } from '../../text/long-lists.ts';
import { type OptionKey, PathProblem } from './xml-path-problem.ts';
import {
  isSameFilter,
  isSameStep,
  type Namespaces,
  type ParsedPath,
  type PathFilter,
  type PathStep,
  parsePath,
  parsePlainPath,
  showPath,
  type XmlName,
} from './xml-path-syntax.ts';
import type { Unmapped } from './xml-unmapped-rules.ts';

/** The destination of one value that a path reads. */
export type PathSlot = {
  /** Index of the column. */
  readonly column: number;
  /** The value has this name in the open item of a list. */
  readonly field?: string;
  /**
   * The nearest element around the value that is decided by one of its children: its values count only when it closes.
   */
  readonly within?: PathNode | undefined;
  /** Level of the element on the row's path that keeps the value. */
  readonly level: number;
  /** Index of the control that the value belongs to; then it is not a value of a column. */
  readonly control?: number;
};
type AttributeSlot = PathSlot & { readonly attribute: XmlName };
type Edge = XmlName & { readonly only?: PathFilter; readonly to: PathNode };
/** One element of the trie, with everything that is read at it. */
export type PathNode = {
  /** By local name. */
  readonly edges: Map<string, Edge[]>;
  readonly texts: (PathSlot & { readonly own: boolean })[];
  readonly attributes: AttributeSlot[];
  /** Lists that the element is an item of. */
  readonly items: PathSlot[];
  /** Filters that are decided by the text of this element. */
  readonly tests: { readonly of: PathNode; readonly value: string }[];
  /** Set if a child decides on the element; `within` is the next such element around it. */
  readonly tried?: { readonly within: PathNode | undefined };
  /** 1 and more on the path of the row element, else 0. */
  readonly level: number;
  /** Its path, where its text may be an amount that names its own currency. */
  amountAt?: string;
};

/** All paths of one kind of rows. Indexes of `places`, `levelOf` and `routes` are those of `columns`. */
export type XmlPaths = {
  readonly root: PathNode;
  readonly rowPath: string;
  readonly rowLevel: number;
  /** Closing an element of this level completes the rows in it. */
  readonly flushLevel: number;
  /**
   * An element of this level without any row becomes a row with a fault (`rows-optional`: without); Infinity if the
   * mapping has no such level.
   */
  readonly groupLevel: number;
  readonly columns: readonly string[];
  /** The columns that are lists, and what each of their items holds. */
  readonly lists: ReadonlyMap<number, readonly string[]>;
  /** A path that matches nothing is not a warning. */
  readonly optional: boolean;
  /** Each column's path from the root, as people read it. */
  readonly places: readonly string[];
  readonly levelOf: readonly number[];
  /**
   * By level, what an element of it has for values as it opens: two places for each column, or none without columns.
   */
  readonly emptyValues: readonly (readonly undefined[])[];
  /** Each control's path from the root, as people read it. */
  readonly controls: readonly string[];
  /** Each column's path step by step, to find where it leaves the file. */
  readonly routes: readonly ColumnRoute[];
  readonly namespaces: Namespaces;
  readonly spots: SpotPaths;
  readonly unmapped?: Unmapped | undefined;
  readonly currency?: Currency | undefined;
};

/** The path of a column from the element that keeps its value down to the value. */
export type ColumnRoute = {
  /** The path as the mapping has it. */
  readonly written: string;
  readonly from: PathNode;
  readonly steps: readonly { readonly name: XmlName; readonly filtered: boolean; readonly to: PathNode }[];
  /** Name of the attribute, if the path ends in one. */
  readonly attribute?: string;
};

/** A repeated element inside the row or around it: a column whose cell holds all of its items. */
type ListOptions = { readonly each: OneOrMore; readonly columns: ColumnPaths };

/** Several paths: the value is at one of them. */
type OneOrMore = string | readonly string[];
type ColumnPaths = { readonly [name: string]: OneOrMore };

/** The options that hold paths, after the shape of xml-options.ts has accepted them. */
export type PathOptions = {
  readonly namespaces: Namespaces;
  readonly document?: string | undefined;
  readonly row: string;
  readonly columns: ColumnPaths;
  readonly lists?: { readonly [name: string]: ListOptions } | undefined;
  readonly 'paths-optional'?: boolean | undefined;
  readonly controls?: readonly { readonly value: string }[] | undefined;
};

/** Compiles all paths of the options; throws PathProblem for the first one that cannot be used. */
export function compilePaths(options: PathOptions): XmlPaths {
  const rowSteps = parseRowPath(options);
  const rowLevel = rowSteps.length;
  const root = createNode(0);
  let node = root;
  for (const [at, step] of rowSteps.entries()) node = childNode(node, step, at + 1);

  const own = Object.entries(options.columns);
  const relative: { level: number; late: boolean }[] = [];
  const placed = own.map(([name, paths], column) => {
    const made = toList(paths).map((written) => {
      const path = parsePath(written, options.namespaces, ['columns', name]);
      const level = findAnchorLevel(path, rowSteps, ['columns', name]);
      const rest = path.absolute ? path.steps.slice(level) : path.steps;
      if (path.up > 0) relative.push({ level, late: rest.length > 0 || !path.attribute });
      const from = rowPathNode(root, rowSteps, level);
      const steps = addSlot(from, rest, path, { column, level });
      const above = path.absolute ? [] : rowSteps.slice(0, level);
      const attribute = path.attribute && { attribute: path.attribute.local };
      const way: ColumnRoute = { written, from, steps, ...attribute };
      return { level, shown: showPath([...above, ...path.steps], path.attribute?.shown), way };
    });
    return requireOneLevel(made, ['columns', name]);
  });
  const lists = Object.entries(options.lists ?? {});
  for (const [name, list] of lists) {
    const column = placed.length;
    const made = toList(list.each).map((each) => {
      const { key, path, level } = parseListPath(name, each, list, options, rowSteps);
      const from = rowPathNode(root, rowSteps, level);
      if (path.up > 0) relative.push({ level, late: true });
      const rest = path.absolute ? path.steps.slice(level) : path.steps;
      const steps = addList(from, rest, list, { column, level }, { options, key });
      const above = path.absolute ? [] : rowSteps.slice(0, level);
      return { level, shown: showPath([...above, ...path.steps], undefined), way: { written: each, from, steps } };
    });
    placed.push(requireOneLevel(made, ['lists', name, 'each']));
  }

  const controls = (options.controls ?? []).map(({ value }, control) => {
    const path = parsePath(value, options.namespaces, ['controls', control, 'value']);
    if (!path.absolute) throw new PathProblem(['controls', control, 'value'], XML_PATH_PROBLEM.absolute());
    findAnchorLevel(path, rowSteps, ['controls', control, 'value']);
    addSlot(root, path.steps, path, { column: -1, level: 0, control });
    return showPath(path.steps, path.attribute?.shown);
  });

  const document =
    options.document === undefined
      ? undefined
      : parsePlainPath(options.document, options.namespaces, 'document').steps.length;
  const late = relative.filter((each) => each.late).map((each) => each.level);
  const above = relative.map((each) => each.level).filter((level) => level > 1);
  const groupLevel = document ?? Math.min(leastOf(above), Number.POSITIVE_INFINITY);
  const places = placed.map((each) => each.shown);
  const levelOf = placed.map((each) => each.level);
  const fields = new Map(lists.map(([, list], n) => [own.length + n, fieldPaths(list)]));
  return {
    root,
    rowPath: showPath(rowSteps, undefined),
    rowLevel,
    flushLevel: document ?? Math.min(rowLevel, leastOf(late)),
    groupLevel,
    columns: [...own, ...lists].map(([name]) => name),
    lists: new Map(lists.map(([, list], n) => [own.length + n, Object.keys(list.columns)])),
    optional: options['paths-optional'] === true,
    places,
    levelOf,
    emptyValues: Array.from({ length: rowLevel + 1 }, (_, level) =>
      new Array<undefined>(levelOf.includes(level) ? 2 * placed.length : 0).fill(undefined),
    ),
    spots: { row: showPath(rowSteps, undefined), places, levelOf, repeated: [groupLevel, rowLevel], fields },
    controls,
    routes: placed.map((each) => each.way),
    namespaces: options.namespaces,
  };
}

/** The steps from the root to the row element. Throws PathProblem if the row is not inside the `document` element. */
export function parseRowPath(options: PathOptions): readonly PathStep[] {
  const row = parsePlainPath(options.row, options.namespaces, 'row');
  const document =
    options.document === undefined ? undefined : parsePlainPath(options.document, options.namespaces, 'document');
  if (document && !document.absolute) throw new PathProblem(['document'], XML_PATH_PROBLEM.absolute());
  if (!row.absolute) {
    if (!document) throw new PathProblem(['row'], XML_PATH_PROBLEM.absoluteOrRelative());
    return [...document.steps, ...row.steps];
  }
  if (document && !document.steps.every((step, at) => isSameStep(step, row.steps[at]))) {
    throw new PathProblem(['row'], XML_PATH_PROBLEM.outsideDocument());
  }
  return row.steps;
}

type Listing = { readonly options: PathOptions; readonly key: OptionKey };

function parseListPath(
  name: string,
  each: string,
  { columns }: ListOptions,
  options: PathOptions,
  rowSteps: readonly PathStep[],
) {
  const key = ['lists', name];
  if (name in options.columns) throw new PathProblem(key, XML_PATH_PROBLEM.columnThere({ name }));
  const clash = Object.keys(columns).find((field) => `${name}.${field}` in options.columns);
  if (clash !== undefined)
    throw new PathProblem([...key, 'columns', clash], XML_PATH_PROBLEM.columnThere({ name: `${name}.${clash}` }));
  const path = parsePath(each, options.namespaces, [...key, 'each']);
  const level = findAnchorLevel(path, rowSteps, [...key, 'each']);
  const below = path.absolute ? path.steps.length - level : path.steps.length;
  if (path.attribute || below === 0) {
    throw new PathProblem([...key, 'each'], XML_PATH_PROBLEM.notElement({ path: each }));
  }
  return { key, path, level };
}

function addList(
  from: PathNode,
  steps: readonly PathStep[],
  list: ListOptions,
  slot: PathSlot,
  on: Listing,
): ColumnRoute['steps'] {
  const { node, within, way } = descend(from, steps, undefined);
  node.items.push({ ...slot, within });
  for (const [field, paths] of Object.entries(list.columns)) {
    const key = [...on.key, 'columns', field];
    for (const text of toList(paths)) {
      const path = parsePath(text, on.options.namespaces, key);
      if (path.absolute || path.up > 0) throw new PathProblem(key, XML_PATH_PROBLEM.outsideList({ path: text }));
      addSlot(node, path.steps, path, { ...slot, field }, within);
    }
  }
  return way;
}

/** From the element of an item to each of its fields; its own text has no further step. */
function fieldPaths({ columns }: ListOptions): { readonly [field: string]: string } {
  const steps = (path: string) => path.replace(/^\.(?:\/|$)/, '');
  const below = (path: string) => (steps(path) === '' ? '' : `/${steps(path)}`);
  return Object.fromEntries(Object.entries(columns).map(([field, paths]) => [field, below(toList(paths)[0] ?? '')]));
}

/** Several paths of one value have to be kept with one element, or a row would have several values at once. */
function requireOneLevel<T extends { readonly level: number }>(made: readonly T[], key: OptionKey): T {
  const [first] = made;
  if (first && made.every(({ level }) => level === first.level)) return first;
  throw new PathProblem(key, XML_PATH_PROBLEM.severalStarts());
}

function toList(value: OneOrMore): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

/** The level of the element on the row's path that keeps the value: the last one that both paths have in common. */
function findAnchorLevel(path: ParsedPath, rowSteps: readonly PathStep[], key: OptionKey): number {
  if (!path.absolute) {
    if (path.up >= rowSteps.length) throw new PathProblem(key, XML_PATH_PROBLEM.aboveRoot());
    return rowSteps.length - path.up;
  }
  let level = 0;
  for (const step of rowSteps) {
    if (!isSameStep(step, path.steps[level])) break;
    level++;
  }
  if (level > 0) return level;
  throw new PathProblem(key, XML_PATH_PROBLEM.otherRootThanRows({ root: `/${rowSteps[0]?.shown}` }));
}

function rowPathNode(root: PathNode, rowSteps: readonly PathStep[], level: number): PathNode {
  let node = root;
  for (const [at, step] of rowSteps.slice(0, level).entries()) node = childNode(node, step, at + 1);
  return node;
}

function addSlot(
  from: PathNode,
  steps: readonly PathStep[],
  path: ParsedPath,
  slot: PathSlot,
  around?: PathNode,
): ColumnRoute['steps'] {
  const { node, within, way } = descend(from, steps, around);
  if (path.attribute) node.attributes.push({ ...slot, within, attribute: path.attribute });
  // The text of an item is its value, as that of any element below a row.
  else node.texts.push({ ...slot, within, own: steps.length === 0 && slot.field === undefined });
  return way;
}

/** `within`: the nearest element on the way, the last one included, that is decided by one of its children. */
function descend(from: PathNode, steps: readonly PathStep[], around: PathNode | undefined) {
  let node = from;
  let within = around;
  const way = steps.map((step) => {
    node = childNode(node, step, 0, within);
    if (node.tried) within = node;
    return { name: step, filtered: step.only !== undefined, to: node };
  });
  return { node, within, way };
}

/** The node one step down; made if the trie does not have it yet. */
function childNode(node: PathNode, step: PathStep, level: number, within?: PathNode): PathNode {
  const edges = node.edges.get(step.local) ?? [];
  node.edges.set(step.local, edges);
  const found = edges.find((edge) => edge.uri === step.uri && isSameFilter(edge.only, step.only));
  if (found) return found.to;
  const { only } = step;
  const to = createNode(level, only?.child ? { within } : undefined);
  if (only?.child) childNode(to, { ...only.name, shown: only.name.local }, 0).tests.push({ of: to, value: only.value });
  edges.push({ uri: step.uri, local: step.local, ...(only ? { only } : {}), to });
  return to;
}

function createNode(level: number, tried?: PathNode['tried']): PathNode {
  return { edges: new Map(), texts: [], attributes: [], items: [], tests: [], level, ...(tried ? { tried } : {}) };
}

/** The attribute of amounts to compare, and the index of the column with the currency of the document. */
export type Currency = { readonly attribute: XmlName; readonly column: number };
