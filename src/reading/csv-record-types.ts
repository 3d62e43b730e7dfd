/**
 * Files that mix kinds of records (a header, then its lines): each record of the innermost kind becomes one row that
 * repeats the cells of the headers above it.
 *
 * No record vanishes: a line without its header, a header without lines and an unknown kind come as broken rows.
 */
import { type DataFault, says } from '../model/fault.ts';
import type { Row } from '../model/row.ts';
import type { Phrase } from '../model/words.ts';
import { cellCount } from './csv-columns.ts';
import type { RecordTypes } from './csv-options.ts';
import type { RowMaker } from './csv-rows.ts';
import { RECORDS } from './reading-sentences.ts';

/** An open record: its cells at their places in the row, and what is wrong with it or with one above it. */
type Open = { readonly cells: readonly string[]; readonly row: number; readonly broken: DataFault | undefined };
type Level = {
  readonly name: string | Phrase;
  readonly width: number;
  /** Place in the row for each cell of the record; -1 for a cell that is not used. */
  readonly places: readonly number[];
};

/** Codes of what can be wrong with the order of records, by format. */
export type RecordTypeCodes = { readonly lonely: string; readonly orphan: string; readonly unknown: string };

const CSV_CODES: RecordTypeCodes = {
  lonely: 'csv/header-without-lines',
  orphan: 'csv/line-without-header',
  unknown: 'csv/unknown-record-type',
};

/** `take` may be given what is already known to be wrong with a record. */
export function recordTypeRows(
  file: string,
  types: RecordTypes,
  push: (row: Row) => void,
  codes: RecordTypeCodes = CSV_CODES,
): RowMaker & { readonly take: (record: string[], row: number, fault?: DataFault) => void } {
  const { columns, levels, byValue } = layout(types);
  const blank: readonly string[] = columns.map(() => '');
  const innermost = levels.length - 1;
  let open: Open[] = [];
  let childless = false;

  const closeTo = (depth: number) => {
    if (childless && open.length > depth) push(lonely(open.at(-1)!));
    childless = false;
    open = open.slice(0, depth);
  };
  const lonely = ({ cells, row, broken }: Open): Row => {
    if (broken) return { cells, row, broken };
    if (types['lines-optional']) return { cells, row };
    return { cells, row, broken: headerWithoutLines(codes, file, row), readable: true };
  };
  const take = (record: string[], row: number, fault?: DataFault) => {
    const type = (record[types.column - 1] ?? '').trim();
    const depth = byValue.get(type);
    if (depth === undefined) {
      push({ cells: blank, row, broken: unknownType(codes, file, row, type, [...byValue.keys()]) });
      return;
    }
    const level = levels[depth]!;
    const orphan = depth > open.length;
    if (depth < innermost && !orphan) closeTo(depth);
    // A record whose own header is missing still carries the cells of the nearest one: its document must not be made.
    const above = open[Math.min(depth, open.length) - 1];
    const cells = [...(above?.cells ?? blank)];
    for (const [at, place] of level.places.entries()) if (place >= 0) cells[place] = record[at] ?? '';
    const broken =
      above?.broken ??
      (orphan ? withoutHeader(codes, file, row, type, levels[depth - 1]!.name) : undefined) ??
      fault ??
      (record.length === level.width ? undefined : wrongWidth(file, row, type, level.width, record.length));
    childless = depth < innermost && !orphan;
    if (childless) open.push({ cells, row, broken });
    else push(broken ? { cells, row, broken } : { cells, row });
  };
  return { table: { file, columns }, take, finish: () => closeTo(0) };
}

function layout(types: RecordTypes) {
  const columns = [...new Set(types.levels.flatMap((level) => level.columns).filter((name) => name !== ''))];
  const levels = types.levels.map(
    (level): Level => ({
      name:
        [level.value]
          .flat()
          .reduce<string | Phrase | undefined>(
            (one, other) => (one === undefined ? other : RECORDS.or({ one, other })),
            undefined,
          ) ?? '',
      width: level.columns.length,
      places: level.columns.map((name) => columns.indexOf(name)),
    }),
  );
  const byValue = new Map(
    types.levels.flatMap((level, at) => [level.value].flat().map((value) => [value, at] as const)),
  );
  return { columns, levels, byValue };
}

function headerWithoutLines({ lonely }: RecordTypeCodes, file: string, row: number): DataFault {
  return {
    code: lonely,
    level: 'error',
    ...says(RECORDS.noLines(), RECORDS.withLines()),
    origin: { file, row },
  };
}

function withoutHeader(
  { orphan }: RecordTypeCodes,
  file: string,
  row: number,
  type: string,
  header: string | Phrase,
): DataFault {
  return {
    code: orphan,
    level: 'error',
    ...says(RECORDS.noHeader({ type, header }), RECORDS.ownOrder()),
    origin: { file, row },
    given: type,
  };
}

function unknownType(
  { unknown }: RecordTypeCodes,
  file: string,
  row: number,
  type: string,
  known: readonly string[],
): DataFault {
  return {
    code: unknown,
    level: 'error',
    ...says(RECORDS.unknown({ type, known }), RECORDS.addType()),
    origin: { file, row },
    given: type,
  };
}

function wrongWidth(file: string, row: number, type: string, width: number, found: number): DataFault {
  const more = found > width;
  return {
    code: more ? 'csv/too-many-cells' : 'csv/too-few-cells',
    level: 'error',
    ...says(RECORDS.width({ type, cells: cellCount(found), width }), more ? RECORDS.tooWide() : RECORDS.tooNarrow()),
    origin: { file, row },
    onlyInErp: true,
  };
}
