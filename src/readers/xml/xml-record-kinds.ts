/**
 * Several kinds of documents in one XML file, each with its own paths: every kind walks along by itself, and their rows
 * come out in the order in which their documents close, under the columns of all kinds and one with the name of the
 * kind. Options that contradict each other throw PathProblem; a file without rows throws UnreadableFileError
 * (xml/no-rows).
 */
import { XML_PATH_PROBLEM } from '../../i18n/messages/readers-messages.ts';
import type { Row, Table } from '../../model/row.ts';
import { type CurrencyOptions, compileCurrency } from './xml-currency.ts';
import type { Tag } from './xml-events.ts';
import { noRows } from './xml-file-faults.ts';
import { PathProblem } from './xml-path-problem.ts';
import { compilePaths, type PathOptions, type XmlPaths } from './xml-paths.ts';
import { createElementWalk, type ElementWalk, type WalkOptions } from './xml-rows.ts';
import { compileUnmapped, type UnmappedOptions } from './xml-unmapped-elements.ts';
import { collectUnread } from './xml-unread-names.ts';

/** One kind as the mapping writes it. Without `row`, the document element itself is the row. */
export type RecordOptions = {
  readonly name: string;
  readonly document: string;
  readonly row?: string | undefined;
  readonly columns: PathOptions['columns'];
  readonly lists?: PathOptions['lists'];
};

/** The compiled kinds under the columns that they share; `places` are paths for messages, by column. */
export type Records = {
  readonly columns: readonly string[];
  readonly places: readonly string[];
  readonly kinds: readonly Kind[];
};

type Kind = {
  readonly name: string;
  readonly paths: XmlPaths;
  /** Column of the kind -> column of the table. */
  readonly to: readonly number[];
  readonly places: readonly string[];
};

type Shared = Pick<PathOptions, 'namespaces' | 'controls' | 'paths-optional'> &
  UnmappedOptions & { readonly 'record-column': string; readonly currency?: CurrencyOptions | undefined };

/**
 * Compiles the paths of all kinds. Throws PathProblem for the first one that cannot be used, and if two kinds have one
 * name, overlap, or begin at different root elements.
 */
export function compileRecords(records: readonly RecordOptions[], shared: Shared): Records {
  const { namespaces, controls = [], 'record-column': own } = shared;
  const compiled = records.map(({ name, document, row = document, columns, lists }, n) => {
    const before = records.slice(0, n);
    if (before.some((other) => other.name === name)) {
      throw new PathProblem(['records', n, 'name'], XML_PATH_PROBLEM.recordTwice({ name }));
    }
    const clash = before.find((other) => isWithin(other.document, document) || isWithin(document, other.document));
    if (clash) throw new PathProblem(['records', n, 'document'], XML_PATH_PROBLEM.insideOther({ name: clash.name }));
    if (own in columns || own in (lists ?? {}))
      throw new PathProblem(['records', n, 'columns'], XML_PATH_PROBLEM.isRecordColumn({ name: own }));
    const { 'paths-optional': optional } = shared;
    const written = { document, row, columns, lists, 'paths-optional': optional };
    const options = n === 0 ? { namespaces, ...written, controls } : { namespaces, ...written };
    const { unmapped, 'ignored-paths': ignored, 'refused-paths': refused } = shared;
    const watched = { ...options, unmapped, 'ignored-paths': ignored, 'refused-paths': refused };
    const paths = compileInRecord(n, () => compilePaths(options));
    const currency = shared.currency && compileCurrency(paths, shared.currency);
    return { name, paths: { ...paths, unmapped: compileUnmapped(watched), currency } };
  });
  if (shared.currency && compiled.every(({ paths }) => !paths.currency)) {
    throw new PathProblem(['currency', 'column'], XML_PATH_PROBLEM.noRecordColumn({ name: shared.currency.column }));
  }
  const [root] = compiled.map(({ paths }) => rootName(paths));
  for (const [n, { paths }] of compiled.entries()) {
    if (rootName(paths) !== root) throw new PathProblem(['records', n, 'document'], XML_PATH_PROBLEM.otherRoot());
  }
  const columns = [own, ...new Set(compiled.flatMap(({ paths }) => paths.columns))];
  const placesOf = (some: readonly XmlPaths[]) =>
    columns.map((name) => {
      const paths = some.find((one) => one.columns.includes(name));
      return paths?.places[paths.columns.indexOf(name)] ?? name;
    });
  return {
    columns,
    places: placesOf(compiled.map(({ paths }) => paths)),
    kinds: compiled.map(({ name, paths }) => {
      const to = paths.columns.map((column) => columns.indexOf(column));
      return { name, paths, to, places: placesOf([paths]) };
    }),
  };
}

/** A walk that gives each event to the walks of all kinds. An element is unread only if no kind reads it. */
export function createRecordWalk(file: string, records: Records, { rowsOptional, bounds }: WalkOptions): ElementWalk {
  const { columns, places, kinds } = records;
  const table: Table = { file, columns, places };
  const missed = collectUnread();
  let done: Row[] = [];
  let ordinal = 0;
  let reported = false;
  const walks = kinds.map((kind) =>
    createElementWalk(file, kind.paths, {
      rowsOptional,
      bounds,
      sink: {
        nextRow: () => ++ordinal,
        push: (row) => void done.push(toSharedColumns(kind, row, columns.length)),
        unread: () => {
          reported = true;
        },
      },
    }),
  );
  const open = (tag: Tag, line: number): boolean => {
    reported = false;
    let read = false;
    for (const walk of walks) read = walk.open(tag, line) || read;
    if (reported && !read) missed.add(tag.name.name, line);
    return read;
  };
  const drain = () => {
    const rows = done;
    done = [];
    return { rows, leftOut: missed.drain(), controls: walks.flatMap((walk) => walk.drain().controls) };
  };
  const finish = () => {
    const first = missed.first();
    const [kind] = kinds;
    if (ordinal === 0 && first && kind && !rowsOptional) throw noRows(file, kind.paths, first);
  };
  const each = (act: (walk: ElementWalk) => void) => {
    for (const walk of walks) act(walk);
  };
  const text = (more: string) => each((walk) => walk.text(more));
  const warnings = () => walks.flatMap((walk) => walk.warnings());
  const listens = () => walks.some((walk) => walk.listens());
  const close = () => each((walk) => walk.close());
  return { table, open, text, listens, close, finish, drain, warnings };
}

/** The row under the columns of all kinds: the name of its kind first, '' for columns of other kinds. */
function toSharedColumns({ name, to, places }: Kind, row: Row, width: number): Row {
  const cells = new Array<string>(width).fill('');
  cells[0] = name;
  for (const [from, column] of to.entries()) cells[column] = row.cells[from] ?? '';
  return { ...row, cells, places };
}

function compileInRecord<T>(n: number, compile: () => T): T {
  try {
    return compile();
  } catch (problem) {
    if (problem instanceof PathProblem) throw new PathProblem(['records', n, ...problem.path], problem.problem);
    throw problem;
  }
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`);
}

function rootName({ root }: XmlPaths): string {
  const [edge] = [...root.edges.values()].flat();
  return `${edge?.uri} ${edge?.local}`;
}
