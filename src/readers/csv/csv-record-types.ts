/**
 * Files that mix kinds of records: each innermost record becomes one row that repeats the cells of its headers. List
 * records next to the lines (VAT per rate) fill one cell on each row of the document, so its rows wait for its end. No
 * record vanishes: a line without header, a header without lines and an unknown kind are broken rows. An unknown kind may
 * belong to its neighbors: rows up to the next outermost header name it (Row.near).
 */

import type { Message } from '../../i18n/message.ts';
import { RECORD_TYPES } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, type Localizable, withMessage } from '../../model/fault.ts';
import type { Row } from '../../model/row.ts';
import { cellCount } from './csv-header.ts';
import type { RecordTypes } from './csv-options.ts';
import type { RowMaker } from './csv-row-maker.ts';
import type { LeftOutBy } from './csv-skip-rules.ts';

/** An open record: its cells at their places in the row, and what is wrong with it or with one above it. `readable`: as in a row. */
type OpenRecord = Pick<Row, 'cells' | 'row' | 'readable'> & { readonly broken: DataFault | undefined };
type Level = {
  /** 0 for the outermost. */
  readonly depth: number;
  readonly name: string | Message;
  readonly width: number;
  /** Place in the row for each cell of the record; -1 for a cell that is not used. */
  readonly places: readonly number[];
};
/** A kind of record that makes items of a list: `fields` are its cells from left to right, '' for one not used. */
type ListKind = { readonly fields: readonly string[]; readonly place: number };
type Item = { readonly [field: string]: string };
/** A record that a rule left out, where others may be below it. */
type LeftOutRecord = { readonly type: string; readonly row: number; readonly rule: string };

/** Codes of what can be wrong with the order of records, by format. */
type RecordOrderCodes = {
  readonly headerWithoutLines: string;
  readonly lineWithoutHeader: string;
  readonly unknownType: string;
  readonly documentTooLarge: string;
};

const CSV_CODES: RecordOrderCodes = {
  headerWithoutLines: 'csv/header-without-lines',
  lineWithoutHeader: 'csv/line-without-header',
  unknownType: 'csv/unknown-record-type',
  documentTooLarge: 'csv/document-too-large',
};

/** The most that is held of one document until its lists are known: records, and UTF-16 units of their cells. */
type HeldLimits = { readonly records: number; readonly characters: number };

const LIMITS: HeldLimits = { records: 1_000_000, characters: 64 * 1024 * 1024 };

type RecordTypeOptions = {
  readonly file: string;
  readonly types: RecordTypes;
  readonly codes?: RecordOrderCodes;
  readonly limits?: HeldLimits;
};

/**
 * `give` gets the rows. `take` may get the fault of a record that its parser already knows. Faults: csv/too-few-cells,
 * csv/too-many-cells, and of `codes` csv/header-without-lines, csv/line-without-header, csv/unknown-record-type and
 * csv/document-too-large.
 */
export function createRecordTypeMaker(
  { file, types, codes = CSV_CODES, limits = LIMITS }: RecordTypeOptions,
  give: (row: Row) => void,
): RowMaker & {
  readonly take: (record: string[], row: number, fault?: DataFault) => void;
  readonly pass: (record: readonly string[], row: number, by: LeftOutBy) => void;
} {
  const { columns, levels, byValue, lists } = layOutRecords(types);
  const blank: readonly string[] = columns.map(() => '');
  const innermost = levels.length - 1;
  const faultAt = faultsOf(file, codes);
  const held =
    lists.size > 0 ? createDocumentBuffer(lists, give, limits, (row) => faultAt(row).tooLarge(limits)) : undefined;
  const put = held?.push ?? give;
  let near: Row | undefined;
  const push = (row: Row) => put(near && !row.broken ? { ...row, near } : row);
  let open: OpenRecord[] = [];
  let childless = false;
  /** The header that a rule left out last, until the next one: records below it do not belong to the header before it. */
  let gone: LeftOutRecord | undefined;
  /** The record of no known kind that a rule left out last, until the next outermost header: it may be the header of what is below. */
  let doubt: LeftOutRecord | undefined;

  /** Closes the open headers down to `depth`. One that got no line becomes a row of its own, so that it is not lost. */
  const closeTo = (depth: number) => {
    const last = open.at(-1);
    if (open.length <= depth) return;
    if (childless && last) push(lonely(last));
    childless = false;
    open = open.slice(0, depth);
  };
  const lonely = ({ cells, row, broken, readable }: OpenRecord): Row => {
    if (broken) return { cells, row, broken, ...(readable && { readable }) };
    if (types['lines-optional']) return { cells, row };
    return { cells, row, broken: faultAt(row).headerWithoutLines(), readable: true };
  };
  const typeOf = (record: readonly string[]) => (record[types.column - 1] ?? '').trim();
  const withoutHeader = (type: string, row: number, depth: number): DataFault => {
    if (gone) return faultAt(row).headerLeftOut(type, gone);
    if (doubt) return faultAt(row).headerInDoubt(type, doubt);
    return faultAt(row).lineWithoutHeader(type, levels[depth - 1]?.name ?? '');
  };
  /** What is below a record that may be its header has the cells of the header above both: the document of that one is not whole. */
  const inDoubt = (type: string, row: number, depth: number): DataFault | undefined =>
    doubt && depth > 0 ? faultAt(row).headerInDoubt(type, doubt) : undefined;
  const take = (record: string[], row: number, fault?: DataFault) => {
    const type = typeOf(record);
    const level = byValue.get(type);
    if (level === undefined) {
      const list = lists.get(type);
      if (list) takeItem(list, type, record, row, fault);
      else {
        const known = [...byValue.keys(), ...lists.keys()];
        near = { cells: blank, row, broken: faultAt(row).unknownType(type, known) };
        held?.doubt(near);
        put({ ...near, near });
      }
      return;
    }
    const { depth } = level;
    const orphan = depth > open.length;
    if (depth < innermost && !orphan) {
      closeTo(depth);
      held?.release();
      gone = undefined;
    }
    if (depth === 0) [near, doubt] = [undefined, undefined];
    // A record whose own header is missing still carries the cells of the nearest one: its document must not be made.
    const above = open[Math.min(depth, open.length) - 1];
    const cells = [...(above?.cells ?? blank)];
    for (const [at, place] of level.places.entries()) if (place >= 0) cells[place] = record[at] ?? '';
    const damage =
      fault ??
      (record.length === level.width ? undefined : faultAt(row).wrongCellCount(type, level.width, record.length));
    const broken = above?.broken ?? (orphan ? withoutHeader(type, row, depth) : undefined) ?? damage;
    const unsure = broken ? undefined : inDoubt(type, row, depth);
    // Of what is in doubt, the document above is known.
    const readable = unsure || (!orphan && !damage && above?.readable) ? ({ readable: true } as const) : {};
    childless = depth < innermost && !orphan;
    const own = broken ?? unsure;
    if (childless) open.push({ cells, row, broken: own, ...readable });
    else push(own ? { cells, row, broken: own, ...readable } : { cells, row });
  };
  const takeItem = (list: ListKind, type: string, record: string[], row: number, fault?: DataFault) => {
    const width = list.fields.length;
    const above = open[innermost - 1];
    const broken =
      (above ? undefined : withoutHeader(type, row, innermost)) ??
      fault ??
      (record.length === width ? undefined : faultAt(row).wrongCellCount(type, width, record.length));
    const unsure = above?.broken || broken ? undefined : inDoubt(type, row, innermost);
    const own = unsure ?? broken;
    if (!own) return held?.add(list, record, row, above?.cells ?? blank);
    const cells = [...((above ?? open.at(-1))?.cells ?? blank)];
    const lost: Row = { cells, row, broken: above?.broken ?? own, ...(unsure ? { readable: true } : {}) };
    held?.doubt(lost);
    push(lost);
  };
  /**
   * A header that repeats the open one, such as that of a further page, changes nothing. It repeats all cells that the
   * mapping reads, but for a label: by the one that the rule looks at it may be another document. So may a record of a
   * kind that the mapping does not know, unless the rule says that it is a label.
   */
  const pass = (record: readonly string[], row: number, { rule, label }: LeftOutBy) => {
    const type = typeOf(record);
    const level = byValue.get(type);
    const isLabel = label !== undefined || record.every((cell) => cell.trim() === '');
    if (!level && !lists.has(type) && !isLabel) doubt = { type, row, rule };
    if (!level || level.depth >= innermost || level.depth > open.length) return;
    const { depth, places } = level;
    const known = open[depth]?.cells;
    const repeats = (place: number, at: number) => place < 0 || at === label || known?.[place] === (record[at] ?? '');
    const goesOn = known !== undefined && places.every(repeats);
    if (depth === 0) doubt = undefined;
    if (goesOn) return;
    closeTo(depth);
    held?.release();
    if (depth === 0) near = undefined;
    gone = { type, row, rule };
  };
  const finish = () => {
    closeTo(0);
    held?.release();
  };
  return { table: { file, columns }, take, pass, finish };
}

/**
 * Keeps the rows of a document back until all items of its lists are known. A document past `limits` is not kept: its
 * rows go on without lists, and one broken row among them forbids the document. `doubt`: a lost record may be an item
 * of its lists, so each of its rows names that record.
 */
function createDocumentBuffer(
  lists: ReadonlyMap<string, ListKind>,
  give: (row: Row) => void,
  limits: HeldLimits,
  large: (row: number) => DataFault,
) {
  const places = [...new Set([...lists.values()].map(({ place }) => place))];
  let rows: Row[] = [];
  let items = new Map<number, Item[]>();
  let held = { records: 0, characters: 0 };
  let isTooLarge = false;
  let near: Row | undefined;
  const inDoubt = (row: Row): Row => (near && !row.broken ? { ...row, near } : row);
  const empty = () => {
    rows = [];
    items = new Map();
    held = { records: 0, characters: 0 };
  };
  const release = () => {
    const texts = places.map((place) => [place, items.has(place) ? JSON.stringify(items.get(place)) : ''] as const);
    const [first] = rows;
    for (const row of rows) {
      const cells = [...row.cells];
      for (const [place, text] of texts) cells[place] = text;
      give(inDoubt({ ...row, cells, listsOf: first?.row ?? row.row }));
    }
    empty();
    isTooLarge = false;
    near = undefined;
  };
  /** False where the document has become too large. */
  const hold = (cells: readonly string[], row: number, around: readonly string[]): boolean => {
    held.records++;
    for (const cell of cells) held.characters += cell.length;
    if (held.records <= limits.records && held.characters <= limits.characters) return true;
    isTooLarge = true;
    const lost = { cells: around, row, broken: large(row), readable: true };
    near = lost;
    for (const one of rows) give(inDoubt(one));
    give(lost);
    empty();
    return false;
  };
  const push = (row: Row) => {
    if (isTooLarge || !hold(row.cells, row.row, row.cells)) give(inDoubt(row));
    else rows.push(row);
  };
  const add = ({ fields, place }: ListKind, record: readonly string[], row: number, around: readonly string[]) => {
    if (isTooLarge || !hold(record, row, around)) return;
    const item = Object.fromEntries(fields.flatMap((field, at) => (field === '' ? [] : [[field, record[at] ?? '']])));
    const known = items.get(place);
    if (known) known.push(item);
    else items.set(place, [item]);
  };
  const doubt = (row: Row) => {
    near ??= row;
  };
  return { push, add, release, doubt };
}

/**
 * The columns of the rows (outer to inner, then one per list), and the kind of record for each text of the type cell.
 */
function layOutRecords(types: RecordTypes) {
  const own = Object.entries(types.lists ?? {});
  const inRecords = types.levels.flatMap((level) => level.columns).filter((name) => name !== '');
  const columns = [...new Set([...inRecords, ...own.map(([name]) => name)])];
  const lists = new Map(
    own.flatMap(([name, { value, columns: fields }]) =>
      [value].flat().map((one): [string, ListKind] => [one, { fields, place: columns.indexOf(name) }]),
    ),
  );
  const levels = types.levels.map((level, depth): Level => {
    const [first = '', ...others] = [level.value].flat();
    const name = others.reduce<string | Message>((one, other) => RECORD_TYPES.or({ one, other }), first);
    return { depth, name, width: level.columns.length, places: level.columns.map((column) => columns.indexOf(column)) };
  });
  const byValue = new Map(
    types.levels.flatMap(({ value }, depth) =>
      levels.slice(depth, depth + 1).flatMap((level) => [value].flat().map((one) => [one, level] as const)),
    ),
  );
  return { columns, levels, byValue, lists };
}

/** What can be wrong with the record on a row. */
function faultsOf(file: string, codes: RecordOrderCodes) {
  return (row: number) => {
    const toFault = (code: string, words: Localizable, more: Partial<DataFault> = {}): DataFault => ({
      code,
      level: 'error',
      ...words,
      origin: { file, row },
      ...more,
    });
    return {
      headerWithoutLines: () =>
        toFault(codes.headerWithoutLines, withMessage(RECORD_TYPES.noLines(), RECORD_TYPES.withLines())),
      lineWithoutHeader: (type: string, header: string | Message) =>
        toFault(
          codes.lineWithoutHeader,
          withMessage(RECORD_TYPES.noHeader({ type, header }), RECORD_TYPES.ownOrder()),
          { given: type, onlyInErp: true },
        ),
      unknownType: (type: string, known: readonly string[]) =>
        toFault(codes.unknownType, withMessage(RECORD_TYPES.unknown({ type, known }), RECORD_TYPES.addType()), {
          given: type,
        }),
      headerLeftOut: (type: string, { row: header, rule }: LeftOutRecord) =>
        toFault(
          codes.lineWithoutHeader,
          withMessage(RECORD_TYPES.headerLeftOut({ type, row: header, rule }), RECORD_TYPES.leaveOutByKeep()),
          { given: type },
        ),
      headerInDoubt: (type: string, { type: kind, row: header, rule }: LeftOutRecord) =>
        toFault(
          codes.lineWithoutHeader,
          withMessage(RECORD_TYPES.headerInDoubt({ type, row: header, rule }), RECORD_TYPES.nameOrLabel({ kind })),
          { given: type },
        ),
      wrongCellCount: (type: string, width: number, found: number) => {
        const message = RECORD_TYPES.width({ type, cells: cellCount(found), width });
        const [code, hint] =
          found > width
            ? ['csv/too-many-cells', RECORD_TYPES.tooWide()]
            : ['csv/too-few-cells', RECORD_TYPES.tooNarrow()];
        return toFault(code, withMessage(message, hint), { onlyInErp: true });
      },
      tooLarge: ({ records, characters }: HeldLimits) => {
        const message = RECORD_TYPES.tooLarge({ records, size: Math.round(characters / 1024 / 1024) });
        const words = withMessage(message, RECORD_TYPES.oneHeaderEach());
        return toFault(codes.documentTooLarge, words, { onlyInErp: true });
      },
    };
  };
}
