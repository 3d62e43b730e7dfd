/**
 * Two files joined on a key: headers in one, their lines in the other. Each line becomes a row with the cells of its
 * header in front; every cell keeps its own file and row. The headers are held in memory, within bounds; lines stream.
 * A line without its header comes as a broken row of the line file, a header without lines as one of the header file.
 * Throws UnreadableFileError (join/no-such-column, join/column-twice, join/too-many-headers).
 */

import { JOINED_FILES } from '../i18n/messages/readers-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import { type DataFault, type Fault, type Localizable, withMessage } from '../model/fault.ts';
import { must } from '../model/must.ts';
import type { Batch, Row, SkippedRow, Table } from '../model/row.ts';
import { appendAll } from '../text/long-lists.ts';
import { type RecordBounds, UnreadableFileError } from './reader.ts';

/** The columns that a line and its header have in common, in the same order on both sides. */
export type JoinKey = {
  /** Columns of the header file, and the same number of columns of the line file. */
  readonly headers: readonly string[];
  readonly lines: readonly string[];
  /** What each part is compared by: the value of a cell of the header file, and of the line file. */
  readonly values: readonly { readonly header: (cell: string) => string; readonly line: (cell: string) => string }[];
};

/** The joined rows, and the account of the header file that completes them. */
export type Joined = {
  /** Under the columns of both files, those of the headers first. */
  readonly batches: AsyncIterable<Batch>;
  /** The account of the header file: complete only after the last batch, because any line may still use a header. */
  readonly headers: () => JoinedHeaders;
};

/**
 * The header file, row by row: `rows` is the count of all its records, and each is in `unjoined`, `leftOut` or a join.
 */
export type JoinedHeaders = {
  /** The columns of the join, for rows of the header file. */
  readonly table: Table;
  readonly encoding?: string;
  readonly rows: number;
  /** Rows that no line belongs to, and rows that cannot be used: all of them broken. */
  readonly unjoined: readonly Row[];
  /** Left out by rules of the mapping, and rows that are part of the documents of their lines. */
  readonly leftOut: readonly SkippedRow[];
};

/**
 * A header in memory. `used`: a line carries it. `fault`: it may not be the header of its lines, which break with it.
 */
type Header = {
  readonly cells: readonly string[];
  readonly beside: NonNullable<Row['beside']>;
  used: boolean;
  fault: DataFault | undefined;
};

/** Bounds of the headers in memory: rows, and UTF-16 units of their cells. Past either, join/too-many-headers. */
const MAX_HEADERS = 500_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

type JoinTerms = {
  readonly documentKey?: RecordBounds['key'];
  readonly valuesOf?: CellValues;
};

/** What people have written into a cell of a row, the latest value first. `column`: of the join. */
export type CellValues = (row: number, column: string) => readonly string[];

/**
 * Joins two readings on `key` (the value of the trimmed cell, exact match; a key with all its parts empty never matches). Two headers
 * with one key break each other and their lines (join/header-twice): the lines may belong to either.
 * `headers()` throws before the first batch is read. `documentKey`: columns of the join that distinguish documents; a line with a
 * bad cell elsewhere belongs to its own document.
 */
export function joinRows(
  headers: AsyncIterable<Batch>,
  lines: AsyncIterable<Batch>,
  key: JoinKey,
  { documentKey, valuesOf = () => [] }: JoinTerms = {},
): Joined {
  let held: HeldHeaders | undefined;
  let layout: Layout | undefined;
  async function* batches(): AsyncGenerator<Batch> {
    const own = await holdHeaders(headers, key);
    held = own;
    for await (const batch of lines) {
      const columns = layout ?? layOutColumns(own.table, batch.table, key);
      layout = columns;
      // Controls and warnings of the header file belong to the first batch.
      const controls = [...own.controls.splice(0), ...(batch.controls ?? [])];
      const warnings = [...own.warnings.splice(0), ...(batch.warnings ?? [])];
      const rows = batch.rows.map((row) => {
        const line = withCorrectedKey(row, own, columns, valuesOf);
        return joinRow(withBadCells(line, columns, documentKey), own, columns);
      });
      yield definedOnly({
        ...batch,
        table: columns.table,
        rows,
        controls: controls.length > 0 ? controls : undefined,
        warnings: warnings.length > 0 ? warnings : undefined,
      });
    }
  }
  const account = (): JoinedHeaders => {
    const { table: own, byKey, unjoined, leftOut, encoding, rows } = must(held, 'the header file, read first');
    const { table, lineColumns } = must(layout, 'the columns of both files');
    // A header without lines has the columns of the join too, the line cells empty.
    const blank = lineColumns.map(() => '');
    const alone: Row[] = unjoined.map((row) => ({ ...row, cells: [...row.cells, ...blank] }));
    const joined: SkippedRow[] = [];
    for (const { cells, beside, used, fault } of byKey.values()) {
      if (fault) continue;
      const { row, line } = beside;
      if (used) joined.push({ row, rule: `joined to its lines in ${table.file}` });
      else {
        const at = definedOnly({ row, line });
        const broken = headerWithoutLines(own, at, table.file);
        alone.push({ cells: [...cells, ...blank], ...at, broken, readable: true });
      }
    }
    return definedOnly({
      table: { ...table, file: own.file },
      rows,
      unjoined: alone.sort((a, b) => a.row - b.row),
      leftOut: [...leftOut, ...joined],
      encoding,
    });
  };
  return { batches: batches(), headers: account };
}

type HeldHeaders = Pick<Batch, 'table' | 'encoding'> & {
  readonly byKey: ReadonlyMap<string, Header>;
  readonly unjoined: readonly Row[];
  readonly leftOut: readonly SkippedRow[];
  readonly controls: NonNullable<Batch['controls']>[number][];
  readonly warnings: NonNullable<Batch['warnings']>[number][];
  readonly rows: number;
};

/** Reads the whole header file. Rows that cannot be joined are kept apart with their fault; none is dropped. */
async function holdHeaders(batches: AsyncIterable<Batch>, key: JoinKey): Promise<HeldHeaders> {
  const byKey = new Map<string, Header>();
  const unjoined: Row[] = [];
  const leftOut: SkippedRow[] = [];
  const controls: HeldHeaders['controls'] = [];
  const warnings: HeldHeaders['warnings'] = [];
  let last: Batch | undefined;
  let keyColumns: readonly number[] = [];
  const headerValues = key.values.map(({ header }) => header);
  /** Numbers of the first rows with a bad cell elsewhere, by their key. */
  const damaged = new Map<string, number>();
  let rows = 0;
  let characters = 0;
  const take = (row: Row, table: Table) => {
    for (const cell of row.cells) characters += cell.length;
    if (++rows > MAX_HEADERS || characters > MAX_CHARACTERS) throw tooManyHeaders(table.file);
    const id = joinKeyOf(row, keyColumns, headerValues);
    const first = byKey.get(id);
    const earlier = first?.beside.row ?? damaged.get(id);
    if (row.broken) {
      unjoined.push(row);
      if (id === '' || !hasCertainKey(row, keyColumns)) return;
      if (first) breakFirst(first, duplicateHeader(table, row, id, first.beside.row));
      else damaged.set(id, earlier ?? row.row);
    } else if (id === '') unjoined.push({ ...row, broken: emptyHeaderKey(table, row, key.headers) });
    else if (first) takeDuplicate(row, first, duplicateHeader(table, row, id, first.beside.row));
    else {
      const beside: Header['beside'] = { file: table.file, row: row.row, columns: row.cells.length };
      // What is above it may not be its header: neither it nor its lines may be sent so.
      const fault = row.near?.broken ?? (earlier === undefined ? undefined : duplicateHeader(table, row, id, earlier));
      if (fault) unjoined.push({ ...row, broken: fault, readable: true });
      byKey.set(id, {
        cells: row.cells,
        beside: row.line === undefined ? beside : { ...beside, line: row.line },
        used: false,
        fault,
      });
    }
  };
  /** The lines of this key may belong to either of the two headers. */
  const breakFirst = (first: Header, fault: DataFault) => {
    if (!first.fault) {
      const { row: firstRow, line } = first.beside;
      unjoined.push({ cells: first.cells, ...definedOnly({ row: firstRow, line }), broken: fault, readable: true });
    }
    first.fault = fault;
  };
  const takeDuplicate = (row: Row, first: Header, fault: DataFault) => {
    breakFirst(first, fault);
    unjoined.push({ ...row, broken: fault, readable: true });
  };
  for await (const batch of batches) {
    const { table } = batch;
    if (!last) keyColumns = key.headers.map((name) => findKeyColumn(table, name));
    last = batch;
    for (const row of batch.rows) take(row, table);
    appendAll(leftOut, batch.leftOut);
    for (const control of batch.controls ?? []) controls.push({ ...control, file: table.file });
    appendAll(warnings, batch.warnings ?? []);
    // Rows left out are rows of the file too: the account has to agree with its count.
    rows += batch.leftOut.length;
  }
  const { table, encoding } = must(last, 'a batch of the header file');
  return definedOnly({ table, byKey, unjoined, leftOut, controls, warnings, rows, encoding });
}

type Layout = {
  readonly table: Table;
  /** Columns of the line file that the rows keep; a key column of the same name is the header's. */
  readonly lineColumns: readonly number[];
  readonly lineKey: readonly number[];
  /** The columns of the join that the parts of the key of a line are in. */
  readonly keyNames: readonly string[];
  readonly lineValues: readonly ((cell: string) => string)[];
  readonly headerKey: readonly number[];
};

/**
 * The columns of the join: those of the headers, then those of the lines. A line column with the name of a header
 * column becomes `lines.<name>`; a name that is still not unique refuses the file (join/column-twice).
 */
function layOutColumns(headers: Table, lines: Table, key: JoinKey): Layout {
  const lineKey = key.lines.map((name) => findKeyColumn(lines, name));
  const same = new Set(key.lines.filter((name, n) => name === key.headers[n]));
  const kept = [...lines.columns.entries()].filter(([, name]) => !same.has(name));
  const lineColumns = kept.map(([at]) => at);
  const named = kept.map(([, name]) => (headers.columns.includes(name) ? `lines.${name}` : name));
  const columns = [...headers.columns, ...named];
  const clash = columns.find((name, at) => columns.indexOf(name) !== at);
  if (clash !== undefined) throw duplicateName(lines.file, clash);
  const hasPlaces = headers.places !== undefined || lines.places !== undefined;
  const places = [...(headers.places ?? headers.columns), ...kept.map(([at, name]) => lines.places?.[at] ?? name)];
  const headerKey = key.headers.map((name) => findKeyColumn(headers, name));
  const table = { file: lines.file, beside: headers.file, columns, places: hasPlaces ? places : undefined };
  const lineValues = key.values.map(({ line }) => line);
  const keyNames = lineKey.map((at, n) => named[lineColumns.indexOf(at)] ?? must(key.headers[n], 'a part of the key'));
  return { table: definedOnly(table), lineColumns, lineKey, keyNames, lineValues, headerKey };
}

/** Bad cells elsewhere leave the cells of the key as they are. */
function hasCertainKey({ badCells, readable }: Row, key: readonly number[]): boolean {
  return badCells ? !badCells.some(({ column }) => key.includes(column)) : readable === true;
}

/**
 * A line whose bad cells of the key were corrected, with the values that find it a header; as it is without them. The
 * latest values that do count: a later one may be another number for the document.
 */
function withCorrectedKey(row: Row, { byKey }: HeldHeaders, layout: Layout, valuesOf: CellValues): Row {
  const { lineKey, lineValues, keyNames } = layout;
  const bad = row.badCells?.filter(({ column }) => lineKey.includes(column)) ?? [];
  if (bad.length === 0) return row;
  const given = bad.map(({ column }) => valuesOf(row.row, keyNames[lineKey.indexOf(column)] ?? ''));
  const last = given.reduce((most, { length }) => Math.max(most, length), 0);
  for (let at = 0; at < last; at++) {
    const cells = [...row.cells];
    for (const [n, { column }] of bad.entries()) cells[column] = given[n]?.[at] ?? given[n]?.at(-1) ?? '';
    const isWhole = bad.every(({ column }) => cells[column] !== '');
    const header = isWhole ? byKey.get(joinKeyOf({ ...row, cells }, lineKey, lineValues)) : undefined;
    if (header) return { ...row, cells, badCells: row.badCells?.filter((one) => !bad.includes(one)) ?? [] };
  }
  return row;
}

/**
 * A line with bad cells, these in the columns of the join; `readable` where neither key has one. Without a certain join key they
 * go: a correction would make the line whole, and it would still lack its header.
 */
function withBadCells(row: Row, { table, lineColumns, lineKey }: Layout, documentKey: RecordBounds['key']): Row {
  if (!row.badCells) return row;
  const offset = table.columns.length - lineColumns.length;
  if (!hasCertainKey(row, lineKey)) {
    const { badCells: _, ...lost } = row;
    return { ...lost, readable: false };
  }
  const badCells = row.badCells.flatMap(({ column, fault }) => {
    const at = lineColumns.indexOf(column);
    return at < 0 ? [] : [{ column: offset + at, fault }];
  });
  const isBad = (name: string) => badCells.some(({ column }) => table.columns[column] === name);
  const isKnown = documentKey === 'row' || (documentKey !== undefined && !documentKey.some(isBad));
  return { ...row, badCells, readable: isKnown };
}

const NO_COLUMN = -1;

/** The line with its header in front. Without a usable header it is broken; `readable` says its key could be read. */
function joinRow(row: Row, { table, byKey }: HeldHeaders, layout: Layout): Row {
  const { lineColumns, lineKey, lineValues, headerKey } = layout;
  const own = lineColumns.map((at) => row.cells[at] ?? '');
  const id = joinKeyOf(row, lineKey, lineValues);
  const isLost = row.broken !== undefined && !row.readable && !row.badCells;
  const header = isLost ? undefined : byKey.get(id);
  if (header && !header.fault) {
    header.used = true;
    return { ...row, cells: [...header.cells, ...own], beside: header.beside };
  }
  const cells = new Array<string>(table.columns.length).fill('');
  if (isLost) return { ...row, cells: [...cells, ...own] };
  // With its key in place, the documents next to it are not in doubt.
  for (const [n, at] of headerKey.entries()) cells[at] = row.cells[lineKey[n] ?? -1] ?? '';
  const alone = header?.fault ?? lineWithoutHeader(layout.table, row, id, table.file);
  const joined = { ...row, cells: [...cells, ...own], readable: id !== '' };
  if (!row.badCells) return { ...joined, broken: row.broken ?? alone };
  // No correction of a cell gives it its header.
  const badCells = [{ column: NO_COLUMN, fault: alone }, ...row.badCells];
  return { ...joined, broken: alone, badCells, readable: row.readable === true };
}

/** '' where every part is empty. */
function joinKeyOf(row: Row, columns: readonly number[], values: readonly ((cell: string) => string)[]): string {
  const parts = columns.map((at, n) => {
    const cell = (row.cells[at] ?? '').trim();
    return cell === '' ? cell : (values[n]?.(cell) ?? cell);
  });
  return parts.every((part) => part === '') ? '' : parts.join('\u0000');
}

function displayKey(id: string): string {
  return id.replaceAll('\u0000', ' ').trim();
}

function findKeyColumn({ file, columns }: Table, name: string): number {
  const at = columns.indexOf(name);
  if (at >= 0) return at;
  throw refuseFile(file, {
    code: 'join/no-such-column',
    ...withMessage(JOINED_FILES.noColumn({ file, name }), JOINED_FILES.correctKey({ names: columns.slice(0, 30) })),
  });
}

function duplicateName(file: string, name: string): UnreadableFileError {
  return refuseFile(file, {
    code: 'join/column-twice',
    ...withMessage(JOINED_FILES.nameTwice({ name }), JOINED_FILES.rename()),
  });
}

function tooManyHeaders(file: string): UnreadableFileError {
  return refuseFile(file, {
    code: 'join/too-many-headers',
    ...withMessage(JOINED_FILES.tooMany({ most: MAX_HEADERS }), JOINED_FILES.split()),
  });
}

type Words = Localizable & Pick<Fault, 'code'>;

function refuseFile(file: string, words: Words): UnreadableFileError {
  return new UnreadableFileError([{ ...words, level: 'error', origin: { file, row: 0 } }]);
}

type At = { readonly row: number; readonly line?: number };

function rowFault({ file }: Pick<Table, 'file'>, { row, line }: At, words: Words): DataFault {
  return { ...words, level: 'error', origin: definedOnly({ file, row, line }) };
}

function headerWithoutLines(table: Table, at: At, lines: string): DataFault {
  return rowFault(table, at, {
    code: 'join/header-without-lines',
    ...withMessage(JOINED_FILES.noLines({ lines }), JOINED_FILES.bothOrNone()),
  });
}

function lineWithoutHeader(table: Table, at: At, id: string, headers: string): DataFault {
  return rowFault(table, at, {
    code: 'join/line-without-header',
    ...withMessage(
      id === '' ? JOINED_FILES.emptyKey() : JOINED_FILES.noHeader({ key: displayKey(id), headers }),
      JOINED_FILES.both(),
    ),
  });
}

function duplicateHeader(table: Table, row: Row, id: string, first: number): DataFault {
  return rowFault(table, row, {
    code: 'join/header-twice',
    ...withMessage(JOINED_FILES.headerTwice({ key: displayKey(id), first, row: row.row }), JOINED_FILES.whichHeader()),
  });
}

function emptyHeaderKey(table: Table, row: Row, key: readonly string[]): DataFault {
  return rowFault(table, row, {
    code: 'join/header-without-key',
    ...withMessage(JOINED_FILES.headerKey({ key }), JOINED_FILES.fillKey()),
  });
}
